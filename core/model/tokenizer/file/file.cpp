// Reads a tokenizer.json and puts the tokenizer together.

#include <set>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/files/bounded_file.hpp"
#include "core/base/files/json.hpp"
#include "core/base/files/strict_json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/model/config/refused_file.hpp"
#include "core/model/tokenizer/file/lists.hpp"
#include "core/model/tokenizer/file/steps.hpp"
#include "core/model/tokenizer/parts.hpp"
#include "core/model/tokenizer/token_words.hpp"
#include "core/model/tokenizer/tokenizer.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;

constexpr u64 kMaxTokenizerBytes = u64{64} << 20U;
constexpr u64 kMaxTokenizerDepth = 8;
constexpr std::size_t kMaxAdded = 16384;
constexpr std::size_t kMaxAddedBytes = 256;

void read_version(StepFields& root) {
    const std::string version = root.maybe_text("version").value_or("1.0");
    if (version != "1.0") {
        root.refuse_value("version", "is not the one that is read here", "known is 1.0");
    }
}

// Options of the model that would change the ids and that none of the families uses.
void refuse_other_models(StepFields& f) {
    if (f.has("type") && f.type() != "BPE") f.refuse_type("BPE");
    if (!f.has("vocab") || !f.has("merges")) {
        f.refuse(f.name_of(f.has("vocab") ? "merges" : "vocab") + " is missing",
                 "known are models of byte-pair encoding");
    }
    f.maybe_object("vocab");
    f.maybe_array("merges");
    f.allow_only({"dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix",
                  "fuse_unk", "byte_fallback", "ignore_merges", "vocab", "merges"});
    if (f.has("dropout") && f.object()["dropout"] != 0) {
        f.refuse_value("dropout", "makes encoding random", "set it to null");
    }
    for (const char* field : {"continuing_subword_prefix", "end_of_word_suffix"}) {
        if (!f.maybe_text(field).value_or("").empty()) {
            f.refuse_value(field, "is not read here", "such a tokenizer is not read");
        }
    }
}

const Json* find_model(StepFields& root) {
    const Json* object = root.maybe_object("model");
    if (!object)
        root.refuse("model is missing", "use the tokenizer.json of a Hugging Face model folder");
    return object;
}

std::optional<Bpe> read_model(StepFields& root, const TokenizerLists& lists) {
    const Json* object = find_model(root);
    if (!object) return std::nullopt;
    StepFields f{*object, "model.", root.refusal()};
    refuse_other_models(f);
    BpeOptions options;
    options.unknown = f.maybe_text("unk_token");
    options.fuse_unknown = f.flag("fuse_unk", false);
    options.byte_fallback = f.flag("byte_fallback", false);
    options.ignore_merges = f.flag("ignore_merges", false);
    if (!f.ok()) return std::nullopt;
    std::string why;
    auto vocabulary = Vocabulary::make(lists.vocabulary(), why);
    if (!vocabulary) {
        f.refuse("model.vocab " + why, kAsPublished);
        return std::nullopt;
    }
    auto bpe = Bpe::make(std::move(*vocabulary), lists.merges(), options, why);
    if (!bpe) f.refuse(why, kAsPublished);
    return bpe;
}

AddedToken read_added_token(StepFields& f) {
    f.allow_only({"id", "content", "single_word", "lstrip", "rstrip", "normalized", "special"});
    AddedToken token;
    token.id = static_cast<TokenId>(f.whole("id", 0, kMaxTokenIds - 1));
    token.content = f.needed_text("content");
    token.single_word = f.needed_flag("single_word");
    token.lstrip = f.needed_flag("lstrip");
    token.rstrip = f.needed_flag("rstrip");
    token.normalized = f.needed_flag("normalized");
    token.special = f.needed_flag("special");
    if (!f.ok()) return token;
    const std::string no = entry_objection(token.content);
    if (!no.empty()) f.refuse_value("content", no, kAsPublished);
    if (token.content.size() > kMaxAddedBytes) {
        f.refuse_value("content", "is longer than " + std::to_string(kMaxAddedBytes) + " bytes",
                       kAsPublished);
    }
    return token;
}

// PyPI `tokenizers` numbers added tokens itself: as the vocabulary has them, and else from its size
// on. A file that says otherwise would mean different ids to different readers.
void check_added_id(StepFields& f, const AddedToken& token, const Vocabulary& vocabulary,
                    TokenId& next) {
    const auto known = vocabulary.find(token.content);
    const TokenId expected = known ? *known : next++;
    if (token.id != expected) {
        f.refuse_value("id",
                       "is not " + std::to_string(expected) +
                           (known ? ", the id that model.vocab has for this token"
                                  : ", the next id after model.vocab and the tokens before it"),
                       kAsPublished);
    } else if (!known && vocabulary.text(token.id)) {
        f.refuse_value("id", "model.vocab has for \"" + shown(*vocabulary.text(token.id)) + "\"",
                       kAsPublished);
    }
}

std::vector<AddedToken> read_added_tokens(StepFields& root, const Vocabulary& vocabulary) {
    std::vector<AddedToken> tokens;
    const Json* list = root.maybe_array("added_tokens");
    if (!list) return tokens;
    if (list->size() > kMaxAdded) {
        root.refuse("added_tokens has " + with_commas(list->size()) + " tokens, more than " +
                        with_commas(kMaxAdded),
                    kAsPublished);
    }
    std::set<std::string> contents;
    auto next = static_cast<TokenId>(vocabulary.size());
    for (std::size_t i = 0; i < list->size() && root.ok(); ++i) {
        const std::string place = "added_tokens[" + std::to_string(i) + "]";
        if (!(*list)[i].is_object()) {
            root.refuse(place + " is not an object", kAsPublished);
            break;
        }
        StepFields f{(*list)[i], place + ".", root.refusal()};
        tokens.push_back(read_added_token(f));
        if (!f.ok()) break;
        if (!contents.insert(tokens.back().content).second) {
            f.refuse_value("content", "an added token before it has, too", kAsPublished);
        }
        check_added_id(f, tokens.back(), vocabulary, next);
    }
    return tokens;
}

bool token_exists(const TokenizerParts& parts, TokenId id) {
    return parts.added.find(id) || parts.bpe.vocabulary().text(id);
}

std::optional<AddedTokens> read_added(StepFields& root, const Vocabulary& vocabulary,
                                      const TextNormalizer& normalizer) {
    auto tokens = read_added_tokens(root, vocabulary);
    if (!root.ok()) return std::nullopt;
    std::string why;
    auto added = AddedTokens::make(std::move(tokens), normalizer, why);
    if (!added) root.refuse("added_tokens " + why, kAsPublished);
    return added;
}

std::optional<Tokenizer> read_all(StepFields& root, const TokenizerLists& lists) {
    root.allow_only({"version", "truncation", "padding", "added_tokens", "normalizer",
                     "pre_tokenizer", "post_processor", "decoder", "model"});
    read_version(root);
    if (!root.ok()) return std::nullopt;
    auto bpe = read_model(root, lists);
    if (!root.ok()) return std::nullopt;
    TokenizerParts parts;
    parts.bpe = std::move(*bpe);
    parts.normalizer = TextNormalizer(read_normalizer(root));
    parts.pre_tokenizer = PreTokenizer(read_pre_tokenizer(root));
    parts.decoder = TokenDecoder(read_decoder(root));
    auto added = read_added(root, parts.bpe.vocabulary(), parts.normalizer);
    if (!added) return std::nullopt;
    parts.added = std::move(*added);
    auto around = read_post_processor(root, [&](TokenId id) { return token_exists(parts, id); });
    parts.before = std::move(around.before);
    parts.after = std::move(around.after);
    return Tokenizer(std::make_shared<const TokenizerParts>(std::move(parts)));
}

// The entries of a model whose merges are not needed.
std::optional<Vocabulary> read_entries(StepFields& root, const TokenizerLists& lists) {
    const Json* object = find_model(root);
    if (!object) return std::nullopt;
    StepFields f{*object, "model.", root.refusal()};
    if (f.has("type") && f.type() != "BPE") f.refuse_type("BPE");
    if (!f.has("vocab")) f.refuse(f.name_of("vocab") + " is missing", kAsPublished);
    f.maybe_object("vocab");
    for (const char* field : {"continuing_subword_prefix", "end_of_word_suffix"})
        if (!f.maybe_text(field).value_or("").empty())
            f.refuse_value(field, "is not read here", "such a tokenizer is not read");
    if (!f.ok()) return std::nullopt;
    std::string why;
    auto vocabulary = Vocabulary::make(lists.vocabulary(), why);
    if (!vocabulary) f.refuse("model.vocab " + why, kAsPublished);
    return vocabulary;
}

std::optional<std::shared_ptr<const TokenWords>> read_words(StepFields& root,
                                                            const TokenizerLists& lists) {
    read_version(root);
    if (!root.ok()) return std::nullopt;
    auto vocabulary = read_entries(root, lists);
    if (!vocabulary) return std::nullopt;
    TokenDecoder decoder(read_decoder(root));
    auto added = read_added(root, *vocabulary, {});
    if (!added) return std::nullopt;
    return std::make_shared<const TokenWords>(std::move(*vocabulary), std::move(*added),
                                              std::move(decoder));
}

// `read` gives nothing when it has refused something.
template <class Made>
std::variant<Made, TokenizerRefusal> parsed_with(
    std::string_view json, std::optional<Made> (*read)(StepFields&, const TokenizerLists&)) {
    TokenizerLists lists;
    const auto parsed = parse_strict_json(json, kMaxTokenizerDepth, &lists);
    if (const auto* no = std::get_if<JsonRefusal>(&parsed)) {
        return TokenizerRefusal{"the text " + no->rule + ", near byte " + with_commas(no->offset),
                                lists.is_another_model()
                                    ? "only tokenizers of byte-pair encoding are read"
                                    : kAsPublished};
    }
    const Json& document = std::get<Json>(parsed);
    if (!document.is_object()) {
        return TokenizerRefusal{
            "the text holds " + shown_json(document) + " where an object belongs",
            "use the tokenizer.json of a Hugging Face model folder"};
    }
    std::optional<TokenizerRefusal> refusal;
    StepFields root{document, "", refusal};
    auto made = read(root, lists);
    if (refusal) return *refusal;
    return std::move(*made);
}

template <class Made>
Made made_of_file(const std::string& path,
                  std::variant<Made, TokenizerRefusal> (*parse)(std::string_view)) {
    const auto data = read_bounded_file(path, kMaxTokenizerBytes);
    if (const auto* no = std::get_if<FileRefusal>(&data))
        refuse_file(shown(path) + " ", no->rule, no->advice);
    auto parsed = parse(std::get<std::string>(data));
    if (const auto* no = std::get_if<TokenizerRefusal>(&parsed))
        refuse_file(shown(path) + ": ", no->rule, no->advice);
    return std::get<Made>(std::move(parsed));
}

}  // namespace

std::variant<Tokenizer, TokenizerRefusal> parse_tokenizer(std::string_view json) {
    return parsed_with<Tokenizer>(json, read_all);
}
Tokenizer read_tokenizer(const std::string& path) {
    return made_of_file<Tokenizer>(path, parse_tokenizer);
}

std::variant<std::shared_ptr<const TokenWords>, TokenizerRefusal> parse_token_words(
    std::string_view json) {
    return parsed_with<std::shared_ptr<const TokenWords>>(json, read_words);
}
std::shared_ptr<const TokenWords> read_token_words(const std::string& path) {
    return made_of_file<std::shared_ptr<const TokenWords>>(path, parse_token_words);
}

}  // namespace kv
