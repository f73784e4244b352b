#pragma once
// The exchangeable parts of a tokenizer.json: normalizer, pre_tokenizer, decoder, post_processor.
// Each is null, one step, or a Sequence of steps; a step or an option that is not known is refused
// by its name. Internal to the tokenizer's parser.

#include <functional>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/config/fields.hpp"
#include "core/model/tokenizer/pre_tokenizer.hpp"
#include "core/model/tokenizer/text_normalizer.hpp"
#include "core/model/tokenizer/token_decoder.hpp"
#include "core/model/tokenizer/vocabulary.hpp"

namespace kv {

// One object of the file while it is read: its fields, and what else is in it.
class StepFields : public Fields {
public:
    StepFields(const nlohmann::json& object, const std::string& place,
               std::optional<ConfigRefusal>& refusal);

    const nlohmann::json& object() const { return *object_; }
    std::optional<ConfigRefusal>& refusal() { return *refusal_; }
    std::string type();  // "" when it is missing, which is refused

    // Refuses a field that is none of these, and "type".
    void allow_only(std::initializer_list<std::string_view> known);
    void refuse_type(std::string_view known);  // "known are ..."

    bool needed_flag(std::string_view field);
    std::string needed_text(std::string_view field);
    std::string short_text(std::string_view field);  // at most 64 bytes
    std::string one_character(std::string_view field);
    // {"String": "..."}: the text, which is not empty; a pattern is refused.
    std::string literal_pattern(std::string_view field);

private:
    const nlohmann::json* object_;
    std::optional<ConfigRefusal>* refusal_;
};

// Watches by how much replacements, one after the other, can make a text longer.
class Growth {
public:
    void replace(StepFields& step, const std::string& from, const std::string& to);

private:
    u64 times_ = 1;
};

// Reads `field` of the root step by step; `list` is the name that the steps of a Sequence have.
using ReadStep = std::function<void(StepFields& step, const std::string& type)>;
void read_steps(StepFields& root, std::string_view field, std::string_view list,
                const ReadStep& read);

std::vector<NormalizerStep> read_normalizer(StepFields& root);
std::vector<PreTokenizerStep> read_pre_tokenizer(StepFields& root);
std::vector<DecoderStep> read_decoder(StepFields& root);

struct Surroundings {
    std::vector<TokenId> before, after;
};
Surroundings read_post_processor(StepFields& root, const std::function<bool(TokenId)>& exists);

}  // namespace kv
