#include "core/lesson/language/arguments.hpp"

#include <cmath>

#include "core/base/shown.hpp"

namespace kv {
namespace {

std::string unit_word(Dimension unit) {
    return std::string(kind_of(Number{0, unit}));
}

}  // namespace

void LessonArguments::refuse(const std::string& rule) const {
    throw ExpressionRefusal{at_, function_ + "() " + rule};
}

const LessonValue* LessonArguments::find(std::string_view name) {
    for (Given& given : given_)
        if (!name.empty() && given.label == name) return given.used = true, &given.value;
    for (Given& given : given_)
        if (given.label.empty() && !given.used) return given.used = true, &given.value;
    return nullptr;
}

const LessonValue& LessonArguments::need(std::string_view name) {
    const LessonValue* value = find(name);
    if (value == nullptr) refuse("lacks its argument " + std::string(name));
    return *value;
}

namespace {

// Defaults are looked up by name alone, so that an argument by place is never taken for one.
template <class Given>
const LessonValue* labelled(std::vector<Given>& given, std::string_view name) {
    for (Given& one : given)
        if (one.label == name) return one.used = true, &one.value;
    return nullptr;
}

}  // namespace

double LessonArguments::number(std::string_view name, Dimension unit) {
    const auto* number = need(name).plain<Number>();
    if (number == nullptr || !(number->unit == unit) || !std::isfinite(number->value))
        refuse("wants " + unit_word(unit) + " for " + std::string(name));
    return number->value;
}

bool LessonArguments::has(std::string_view name) {
    return labelled(given_, name) != nullptr;
}

std::optional<double> LessonArguments::optional_number(std::string_view name, Dimension unit) {
    const LessonValue* value = labelled(given_, name);
    if (value == nullptr) return std::nullopt;
    const auto* number = value->plain<Number>();
    if (number == nullptr || !(number->unit == unit))
        refuse("wants " + unit_word(unit) + " for " + std::string(name));
    return number->value;
}

namespace {

std::optional<u64> whole_of(double value) {
    if (value < 0 || value > 9007199254740992.0 || value != std::floor(value)) return std::nullopt;
    return static_cast<u64>(value);
}

}  // namespace

u64 LessonArguments::whole(std::string_view name, u64 min) {
    const auto value = whole_of(number(name));
    if (!value || *value < min)
        refuse("wants a whole number of at least " + std::to_string(min) + " for " +
               std::string(name));
    return *value;
}

u64 LessonArguments::whole_or(std::string_view name, u64 otherwise) {
    const auto number = optional_number(name);
    if (!number) return otherwise;
    const auto value = whole_of(*number);
    if (!value) refuse("wants a whole number for " + std::string(name));
    return *value;
}

u64 LessonArguments::bytes(std::string_view name) {
    const auto value = whole_of(number(name, kBytes));
    if (!value) refuse("wants whole bytes for " + std::string(name));
    return *value;
}

u64 LessonArguments::bytes_or(std::string_view name, u64 otherwise) {
    const auto number = optional_number(name, kBytes);
    if (!number) return otherwise;
    const auto value = whole_of(*number);
    if (!value) refuse("wants whole bytes for " + std::string(name));
    return *value;
}

bool LessonArguments::yes_or(std::string_view name, bool otherwise) {
    const LessonValue* value = labelled(given_, name);
    if (value == nullptr) return otherwise;
    if (value->plain<bool>() == nullptr) refuse("wants yes or no for " + std::string(name));
    return *value->plain<bool>();
}

std::string LessonArguments::text(std::string_view name) {
    const auto* text = need(name).plain<std::string>();
    if (text == nullptr) refuse("wants a text for " + std::string(name));
    return *text;
}

std::string LessonArguments::text_or(std::string_view name, std::string otherwise) {
    const LessonValue* value = labelled(given_, name);
    if (value == nullptr) return otherwise;
    if (value->plain<std::string>() == nullptr) refuse("wants a text for " + std::string(name));
    return *value->plain<std::string>();
}

const LessonList& LessonArguments::list(std::string_view name) {
    const auto* list = need(name).shared<LessonList>();
    if (list == nullptr) refuse("wants a list for " + std::string(name));
    return *list;
}

std::vector<double> LessonArguments::numbers(std::string_view name) {
    std::vector<double> out;
    for (const LessonValue& value : list(name)) {
        if (value.plain<Number>() == nullptr) refuse("wants numbers in " + std::string(name));
        out.push_back(value.plain<Number>()->value);
    }
    return out;
}

const ModelShape& LessonArguments::shape(std::string_view name) {
    const auto* shape = need(name).shared<ModelShape>();
    if (shape == nullptr)
        refuse("wants a model's shape for " + std::string(name) + ", such as preset(\"gpt-3\")");
    return *shape;
}

Codec LessonArguments::codec(std::string_view name) {
    return known_codec(text_or(name, "bf16"));
}

Codec LessonArguments::known_codec(const std::string& name) const {
    std::string why;
    const auto codec = parse_codec(name, why);
    if (!codec) refuse("has the codec \"" + shown(name) + "\", which " + why);
    return *codec;
}

CodecPair LessonArguments::codecs() {
    const Codec both = codec("codec");
    CodecPair pair{both, both};
    if (labelled(given_, "k_codec") != nullptr) pair.k = codec("k_codec");
    if (labelled(given_, "v_codec") != nullptr) pair.v = codec("v_codec");
    const u64 scale = whole_or("scale_bytes", 2);
    if (scale != 2 && scale != 4) refuse("wants scale_bytes of 2 or 4");
    pair.k.scale_bytes = pair.v.scale_bytes = static_cast<std::uint32_t>(scale);
    return pair;
}

Codec LessonArguments::codec_for(const std::string& name, std::uint32_t dim) const {
    const Codec codec = known_codec(name);
    if (const auto objection = codec_objection(codec, Side::V, dim))
        refuse("has a codec that " + *objection);
    return codec;
}

bool LessonArguments::has_more() const {
    for (const Given& given : given_)
        if (given.label.empty() && !given.used) return true;
    return false;
}

LessonValue LessonArguments::next() {
    const LessonValue* value = find("");
    if (value == nullptr) refuse("has fewer arguments than it takes");
    return *value;
}

void LessonArguments::done() const {
    for (const Given& given : given_) {
        if (given.used) continue;
        refuse(given.label.empty() ? "has more arguments than it takes"
                                   : "has no argument " + given.label);
    }
}

}  // namespace kv
