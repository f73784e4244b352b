// The post_processor of a tokenizer.json: which tokens stand around a text.

#include "core/base/files/json.hpp"
#include "core/base/shown.hpp"
#include "core/model/config/refused_file.hpp"
#include "core/model/tokenizer/file/steps.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;
using Exists = std::function<bool(TokenId)>;

constexpr std::size_t kMaxAround = 64;

std::optional<TokenId> token_id(StepFields& f, const std::string& name, const Json& value,
                                const Exists& exists) {
    const bool whole = value.is_number_unsigned() && value.get<u64>() < kMaxTokenIds;
    if (whole && exists(static_cast<TokenId>(value.get<u64>()))) {
        return static_cast<TokenId>(value.get<u64>());
    }
    f.refuse(name + " holds " + shown_json(value) + ", which is the id of no token of this file",
             kAsPublished);
    return std::nullopt;
}

void refuse_many(StepFields& f) {
    f.refuse("post_processor adds more than " + std::to_string(kMaxAround) + " tokens",
             "such a tokenizer is not read");
}

// special_tokens.<s>.ids of a template.
void append_special(StepFields& f, const std::string& name, const Exists& exists,
                    std::vector<TokenId>& out) {
    const Json* table = f.maybe_object("special_tokens");
    const bool known = table && table->contains(name) && (*table)[name].is_object();
    const std::string place = f.name_of("special_tokens") + "." + shown(name);
    if (!known) {
        f.refuse(place + " is missing", kAsPublished);
        return;
    }
    StepFields token{(*table)[name], place + ".", f.refusal()};
    const Json* ids = token.maybe_array("ids");
    if (!ids) return token.refuse(token.name_of("ids") + " is missing", kAsPublished);
    for (const Json& each : *ids) {
        const auto id = token_id(token, token.name_of("ids"), each, exists);
        if (!id) return;
        out.push_back(*id);
        if (out.size() > kMaxAround) return refuse_many(f);
    }
}

struct TemplatePiece {
    bool text;         // the sequence A
    std::string name;  // else a special token's
};

std::optional<TemplatePiece> template_piece(StepFields& f, const Json& value) {
    const auto refuse = [&]() -> std::optional<TemplatePiece> {
        f.refuse(f.name_of("single") + " holds " + shown_json(value) +
                     " that is neither the Sequence A nor a SpecialToken",
                 "such a tokenizer is not read");
        return std::nullopt;
    };
    if (!value.is_object() || value.size() != 1 || !value.begin()->is_object()) return refuse();
    const std::string kind = value.begin().key();
    const Json& inner = *value.begin();
    if (!inner.contains("id") || !inner["id"].is_string()) return refuse();
    const std::string id = inner["id"].get<std::string>();
    if (kind == "Sequence" && id == "A") return TemplatePiece{true, ""};
    if (kind == "SpecialToken") return TemplatePiece{false, id};
    return refuse();
}

Surroundings read_template(StepFields& f, const Exists& exists) {
    Surroundings around;
    f.allow_only({"single", "pair", "special_tokens"});
    if (!f.has("single")) f.refuse(f.name_of("single") + " is missing", kAsPublished);
    const Json* pieces = f.maybe_array("single");
    bool seen = false;
    for (std::size_t i = 0; pieces && i < pieces->size() && f.ok(); ++i) {
        const auto piece = template_piece(f, (*pieces)[i]);
        if (!piece) break;
        if (!piece->text) {
            append_special(f, piece->name, exists, seen ? around.after : around.before);
        } else if (seen) {
            f.refuse(f.name_of("single") + " holds the text twice", "such a tokenizer is not read");
        }
        seen = seen || piece->text;
    }
    if (f.ok() && !seen) {
        f.refuse(f.name_of("single") + " does not hold the text", "such a tokenizer is not read");
    }
    return around;
}

// "cls": ["<s>", 0]
void read_named(StepFields& f, const std::string& field, const Exists& exists,
                std::vector<TokenId>& out) {
    const Json* pair = f.maybe_array(field);
    if (!pair || pair->size() != 2) {
        f.refuse(f.name_of(field) + " is not a text with its id", kAsPublished);
        return;
    }
    if (const auto id = token_id(f, f.name_of(field), (*pair)[1], exists)) out.push_back(*id);
}

Surroundings read_classifier(StepFields& f, const Exists& exists) {
    Surroundings around;
    f.allow_only({"sep", "cls", "trim_offsets", "add_prefix_space"});
    read_named(f, "cls", exists, around.before);
    read_named(f, "sep", exists, around.after);
    return around;
}

}  // namespace

Surroundings read_post_processor(StepFields& root, const Exists& exists) {
    Surroundings all;
    // A later step stands around what the earlier ones made.
    const auto wrap = [&](const Surroundings& step) {
        all.before.insert(all.before.begin(), step.before.begin(), step.before.end());
        all.after.insert(all.after.end(), step.after.begin(), step.after.end());
    };
    read_steps(root, "post_processor", "processors", [&](StepFields& f, const std::string& type) {
        if (type == "TemplateProcessing") {
            wrap(read_template(f, exists));
        } else if (type == "BertProcessing" || type == "RobertaProcessing") {
            wrap(read_classifier(f, exists));
        } else if (type == "ByteLevel") {  // moves offsets only
            f.allow_only({"add_prefix_space", "trim_offsets", "use_regex"});
        } else {
            f.refuse_type(
                "TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel and Sequence");
        }
        if (all.before.size() + all.after.size() > kMaxAround) refuse_many(f);
    });
    return all;
}

}  // namespace kv
