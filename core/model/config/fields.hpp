#pragma once
// Reads typed fields out of one JSON object and remembers the first thing that was wrong; after
// that every read answers with something harmless, so a parser reads straight on and looks at the
// end. For the readers of config.json and tokenizer.json.

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/model/config/config.hpp"

namespace kv {

class Fields {
public:
    // `place` prefixes the names in messages: "rope_scaling." or "".
    Fields(const nlohmann::json& object, std::string place, std::optional<ConfigRefusal>& refusal)
        : object_(object), place_(std::move(place)), refusal_(refusal) {}

    bool ok() const { return !refusal_; }
    bool has(std::string_view field) const;  // present and not null

    u64 whole(std::string_view field, u64 min, u64 max);
    std::optional<u64> maybe_whole(std::string_view field, u64 min, u64 max);
    // above < value <= at_most
    double number(std::string_view field, double above, double at_most);
    std::optional<double> maybe_number(std::string_view field, double above, double at_most);
    bool flag(std::string_view field, bool when_absent);
    std::optional<std::string> maybe_text(std::string_view field);
    const nlohmann::json* maybe_object(std::string_view field);
    const nlohmann::json* maybe_array(std::string_view field);

    std::string value_of(std::string_view field) const;  // as the file has it, for a message
    std::string name_of(std::string_view field) const { return place_ + std::string(field); }

    void refuse(std::string rule, std::string advice);  // only the first counts
    void refuse_value(std::string_view field, std::string_view why, std::string advice);

private:
    const nlohmann::json* find(std::string_view field) const;

    const nlohmann::json& object_;
    std::string place_;
    std::optional<ConfigRefusal>& refusal_;
};

// A JSON value in a message.
std::string shown_json(const nlohmann::json& value);

}  // namespace kv
