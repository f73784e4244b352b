#include "core/model/config/fields.hpp"

#include <utility>

#include "core/base/files/json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/model/config/refused_file.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;

constexpr const char* kFix = "correct the field or use the file as it was published";

std::string range_text(double above, double at_most) {
    return "is not above " + significant(above, 3) + " and at most " + significant(at_most, 3);
}

}  // namespace

std::string shown_json(const Json& value) {
    if (value.is_object()) return "an object";
    if (value.is_array()) return "a list";
    return shown(value.dump(-1, ' ', true, Json::error_handler_t::replace));
}

const Json* Fields::find(std::string_view field) const {
    const auto found = object_.find(std::string(field));
    return found == object_.end() || found->is_null() ? nullptr : &*found;
}

bool Fields::has(std::string_view field) const {
    return find(field) != nullptr;
}

std::string Fields::value_of(std::string_view field) const {
    const Json* value = find(field);
    return value ? shown_json(*value) : "missing";
}

void Fields::refuse(std::string rule, std::string advice) {
    if (!refusal_) refusal_ = ConfigRefusal{std::move(rule), std::move(advice)};
}

void Fields::refuse_value(std::string_view field, std::string_view why, std::string advice) {
    refuse(name_of(field) + " is " + value_of(field) + ", which " + std::string(why),
           std::move(advice));
}

std::optional<u64> Fields::maybe_whole(std::string_view field, u64 min, u64 max) {
    const Json* value = find(field);
    if (!value) return std::nullopt;
    if (!value->is_number_unsigned()) {
        refuse_value(field, "is not a whole number without sign, fraction or exponent", kFix);
        return std::nullopt;
    }
    const u64 number = value->get<u64>();
    if (number < min || number > max) {
        refuse_value(field, "is outside " + with_commas(min) + " to " + with_commas(max), kFix);
        return std::nullopt;
    }
    return number;
}

u64 Fields::whole(std::string_view field, u64 min, u64 max) {
    if (!has(field)) refuse(name_of(field) + " is missing", kAsPublished);
    return maybe_whole(field, min, max).value_or(min);
}

std::optional<double> Fields::maybe_number(std::string_view field, double above, double at_most) {
    const Json* value = find(field);
    if (!value) return std::nullopt;
    if (!value->is_number()) {
        refuse_value(field, "is not a number", kFix);
        return std::nullopt;
    }
    const double number = value->get<double>();
    if (!(number > above && number <= at_most)) {
        refuse_value(field, range_text(above, at_most), kFix);
        return std::nullopt;
    }
    return number;
}

double Fields::number(std::string_view field, double above, double at_most) {
    if (!has(field)) refuse(name_of(field) + " is missing", kAsPublished);
    return maybe_number(field, above, at_most).value_or(at_most);
}

bool Fields::flag(std::string_view field, bool when_absent) {
    const Json* value = find(field);
    if (!value) return when_absent;
    if (!value->is_boolean()) {
        refuse_value(field, "is neither true nor false", kFix);
        return when_absent;
    }
    return value->get<bool>();
}

std::optional<std::string> Fields::maybe_text(std::string_view field) {
    const Json* value = find(field);
    if (!value) return std::nullopt;
    if (!value->is_string()) {
        refuse_value(field, "is not a text", kFix);
        return std::nullopt;
    }
    return value->get<std::string>();
}

const Json* Fields::maybe_object(std::string_view field) {
    const Json* value = find(field);
    if (value && !value->is_object()) refuse_value(field, "is not an object", kFix);
    return value && value->is_object() ? value : nullptr;
}

const Json* Fields::maybe_array(std::string_view field) {
    const Json* value = find(field);
    if (value && !value->is_array()) refuse_value(field, "is not a list", kFix);
    return value && value->is_array() ? value : nullptr;
}

}  // namespace kv
