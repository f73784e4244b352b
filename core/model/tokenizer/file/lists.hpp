#pragma once
// The two long lists of a tokenizer.json, model.vocab and model.merges, taken out of the document
// while it is read. Internal to the tokenizer's parser.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/files/json_tap.hpp"
#include "core/model/tokenizer/bpe.hpp"
#include "core/model/tokenizer/vocabulary.hpp"

namespace kv {

class TokenizerLists : public JsonTap {
public:
    const VocabularyText& vocabulary() const { return vocabulary_; }
    const MergeText& merges() const { return merges_; }

    // The entries are a list, as those of another kind of model: nothing is wrong with the file.
    bool is_another_model() const { return another_model_; }

    bool wants(const std::vector<std::string>& keys) override;
    std::string key(const std::string& name) override;
    std::string value(const nlohmann::json& value) override;
    std::string open() override;
    std::string close() override;

private:
    std::string entry(const nlohmann::json& value);
    std::string refuse_list();
    std::string merge(const std::string& line);
    std::string add_merge(std::string_view left, std::string_view right);
    std::string merge_place() const;

    enum class List { Vocabulary, Merges } list_ = List::Vocabulary;
    VocabularyText vocabulary_;
    MergeText merges_;
    u64 merges_read_ = 0;            // with comments, so that messages count as the file does
    std::string entry_;              // whose id comes next
    std::vector<std::string> pair_;  // of a merge that is written as a list
    bool in_pair_ = false;
    bool another_model_ = false;
};

// The rule that the text of an entry or an added token breaks ("is empty"), or "".
std::string entry_objection(std::string_view text);

}  // namespace kv
