#include "core/lesson/scene/fields.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/files/json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;

std::string shown_value(const Json& value) {
    return shown(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

SceneFields::SceneFields(const Json& object, std::string file, std::string path)
    : object_(object), file_(std::move(file)), path_(std::move(path)) {
    if (!object_.is_object()) refuse("", "is no object", "put its fields between { and }");
}

std::string SceneFields::path_of(std::string_view name) const {
    if (name.empty()) return path_.empty() ? "the scene" : path_;
    return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
}

void SceneFields::refuse(std::string_view name, const std::string& rule,
                         const std::string& advice) const {
    throw Error(ErrorCode::World,
                shown(file_) + ": " + path_of(name) + " " + rule + "; " + advice + ".");
}

const Json* SceneFields::any(std::string_view name) {
    asked_.emplace(name);
    const auto found = object_.find(std::string(name));
    return found == object_.end() ? nullptr : &*found;
}

std::optional<std::string> SceneFields::text(std::string_view name) {
    const Json* value = any(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string()) refuse(name, "is " + shown_value(*value), "write a text");
    return value->get<std::string>();
}

std::optional<std::uint64_t> SceneFields::whole(std::string_view name, std::uint64_t min,
                                                std::uint64_t max) {
    const Json* value = any(name);
    if (value == nullptr) return std::nullopt;
    const bool fits = value->is_number_unsigned() && value->get<std::uint64_t>() >= min &&
                      value->get<std::uint64_t>() <= max;
    if (!fits)
        refuse(name, "is " + shown_value(*value),
               "write a whole number from " + with_commas(min) + " to " + with_commas(max));
    return value->get<std::uint64_t>();
}

std::optional<std::int64_t> SceneFields::whole_signed(std::string_view name, std::int64_t most) {
    const Json* value = any(name);
    if (value == nullptr) return std::nullopt;
    const bool whole = value->is_number_unsigned()
                           ? value->get<std::uint64_t>() <= static_cast<std::uint64_t>(most)
                           : value->is_number_integer() && value->get<std::int64_t>() >= -most;
    if (!whole)
        refuse(name, "is " + shown_value(*value),
               "write a whole number of at most " + with_commas(static_cast<std::uint64_t>(most)) +
                   " on either side of 0");
    return value->get<std::int64_t>();
}

std::optional<double> SceneFields::number(std::string_view name, double min, double max) {
    const Json* value = any(name);
    if (value == nullptr) return std::nullopt;
    const double number = value->is_number() ? value->get<double>() : std::nan("");
    if (!(number >= min && number <= max))
        refuse(name, "is " + shown_value(*value),
               "write a number from " + round_trip(min) + " to " + round_trip(max));
    return number;
}

const Json* SceneFields::list(std::string_view name) {
    const Json* value = any(name);
    if (value != nullptr && !value->is_array())
        refuse(name, "is " + shown_value(*value), "write a list between [ and ]");
    return value;
}

std::vector<std::uint32_t> SceneFields::tokens(std::string_view name) {
    std::vector<std::uint32_t> out;
    const Json* value = list(name);
    if (value == nullptr) return out;
    for (const Json& token : *value) {
        if (!token.is_number_unsigned() ||
            token.get<std::uint64_t>() >= std::numeric_limits<std::uint32_t>::max())
            refuse(name, "has the entry " + shown_value(token), "write token ids, whole numbers");
        out.push_back(token.get<std::uint32_t>());
    }
    if (out.empty()) refuse(name, "is empty", "give at least one token or leave it out");
    return out;
}

std::vector<std::string> SceneFields::texts(std::string_view name) {
    std::vector<std::string> out;
    const Json* value = list(name);
    if (value == nullptr) return out;
    for (const Json& text : *value) {
        if (!text.is_string() || text.get<std::string>().empty())
            refuse(name, "has the entry " + shown_value(text), "write texts that are not empty");
        out.push_back(text.get<std::string>());
    }
    return out;
}

void SceneFields::refuse_unknown() const {
    for (const auto& [name, value] : object_.items())
        if (asked_.find(name) == asked_.end())
            refuse(shown(name), "is no field that a scene has here",
                   "leave it out or correct its name");
}

}  // namespace kv
