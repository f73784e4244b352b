#include "core/model/tokenizer/file/lists.hpp"

#include "core/base/files/json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/model/config/fields.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxMerges = std::size_t{1} << 21U;

bool hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F');
}

}  // namespace

// An entry "<0x..>" is a byte, and readers turn what stands there into an index: it is two
// hexadecimal digits or nothing that we read.
std::string entry_objection(std::string_view text) {
    if (text.empty()) return "is empty";
    if (text.size() > kMaxEntryBytes) {
        return "has " + with_commas(text.size()) + " bytes, and the limit is " +
               with_commas(kMaxEntryBytes);
    }
    if (text.substr(0, 3) != "<0x" || text.back() != '>') return "";
    if (text.size() == 6 && hex(text[3]) && hex(text[4])) return "";
    return "is no byte from <0x00> to <0xFF> in capitals";
}

bool TokenizerLists::wants(const std::vector<std::string>& keys) {
    if (keys.size() != 2 || keys[0] != "model") return false;
    list_ = keys[1] == "vocab" ? List::Vocabulary : List::Merges;
    return keys[1] == "vocab" || keys[1] == "merges";
}

std::string TokenizerLists::key(const std::string& name) {
    if (list_ == List::Merges) return "has an object in model.merges, where lists belong";
    const std::string no = entry_objection(name);
    if (!no.empty()) return "has the entry \"" + shown(name) + "\" in model.vocab, which " + no;
    if (vocabulary_.entries.size() >= kMaxTokenIds) {
        return "has more than " + with_commas(kMaxTokenIds) + " entries in model.vocab";
    }
    entry_ = name;
    return "";
}

std::string TokenizerLists::value(const Json& value) {
    if (list_ == List::Vocabulary) return entry(value);
    if (!value.is_string()) {
        return "has " + shown_json(value) + " at " + merge_place() + ", where a text belongs";
    }
    if (!in_pair_) return merge(value.get_ref<const std::string&>());
    pair_.push_back(value.get<std::string>());
    return pair_.size() > 2 ? "has more than two texts at " + merge_place() : "";
}

std::string TokenizerLists::refuse_list() {
    another_model_ = true;
    return "has a list for model.vocab, as a Unigram model has";
}

std::string TokenizerLists::entry(const Json& value) {
    if (entry_.empty()) return refuse_list();
    if (!value.is_number_unsigned() || value.get<u64>() >= kMaxTokenIds) {
        return "gives the entry \"" + shown(entry_) + "\" of model.vocab the id " +
               shown_json(value) + ", which is not a whole number below " +
               with_commas(kMaxTokenIds);
    }
    vocabulary_.add(entry_, static_cast<TokenId>(value.get<u64>()));
    return "";
}

// "a b"; the first line of a merges.txt, "#version: 0.2", may have come along.
std::string TokenizerLists::merge(const std::string& line) {
    if (line.rfind("#version", 0) == 0) {
        ++merges_read_;
        return "";
    }
    const std::size_t blank = line.find(' ');
    if (blank == std::string::npos || line.find(' ', blank + 1) != std::string::npos) {
        return "has \"" + shown(line) + "\" at " + merge_place() +
               ", which is not two entries with one blank between them";
    }
    const std::string_view text = line;
    return add_merge(text.substr(0, blank), text.substr(blank + 1));
}

std::string TokenizerLists::add_merge(std::string_view left, std::string_view right) {
    if (merges_.pairs.size() >= kMaxMerges) {
        return "has more than " + with_commas(kMaxMerges) + " merges";
    }
    merges_.add(left, right);
    ++merges_read_;
    return "";
}

std::string TokenizerLists::open() {
    if (list_ == List::Vocabulary) {
        if (entry_.empty()) return refuse_list();
        return "gives the entry \"" + shown(entry_) +
               "\" of model.vocab a list or an object, where its id belongs";
    }
    if (in_pair_) return "has a list inside the list at " + merge_place();
    in_pair_ = true;
    pair_.clear();
    return "";
}

std::string TokenizerLists::close() {
    if (pair_.size() != 2) return "has fewer than two texts at " + merge_place();
    in_pair_ = false;
    return add_merge(pair_[0], pair_[1]);
}

std::string TokenizerLists::merge_place() const {
    return "model.merges[" + std::to_string(merges_read_) + "]";
}

}  // namespace kv
