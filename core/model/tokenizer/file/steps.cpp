#include "core/model/tokenizer/file/steps.hpp"

#include <algorithm>

#include "core/base/files/json.hpp"
#include "core/base/files/utf8.hpp"
#include "core/base/shown.hpp"
#include "core/model/config/refused_file.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxSteps = 32, kMaxStepText = 64;
constexpr u64 kMaxGrowth = 16;

// `place` names this object without a point at its end.
void read_step(const Json& object, const std::string& place, std::string_view list,
               std::optional<ConfigRefusal>& refusal, const ReadStep& read) {
    StepFields step{object, place + ".", refusal};
    const std::string type = step.type();
    if (!step.ok()) return;
    if (type != "Sequence") return read(step, type);
    step.allow_only({list});
    if (!step.has(list)) step.refuse(step.name_of(list) + " is missing", kAsPublished);
    const Json* steps = step.maybe_array(list);
    if (!steps) return;
    for (std::size_t i = 0; i < steps->size() && step.ok(); ++i) {
        const std::string inner = step.name_of(list) + "[" + std::to_string(i) + "]";
        if (!(*steps)[i].is_object()) {
            step.refuse(inner + " is " + shown_json((*steps)[i]) + ", which is not an object",
                        kAsPublished);
            return;
        }
        read_step((*steps)[i], inner, list, refusal, read);
    }
}

}  // namespace

StepFields::StepFields(const Json& object, const std::string& place,
                       std::optional<ConfigRefusal>& refusal)
    : Fields(object, place, refusal), object_(&object), refusal_(&refusal) {}

std::string StepFields::type() {
    return needed_text("type");
}

void StepFields::allow_only(std::initializer_list<std::string_view> known) {
    for (const auto& [name, value] : object_->items()) {
        if (name == "type" || std::find(known.begin(), known.end(), name) != known.end()) continue;
        refuse(name_of(shown(name)) + " is " + shown_json(value) +
                   ", and a field of that name is not known here",
               "such a tokenizer is not read");
        return;
    }
}

void StepFields::refuse_type(std::string_view known) {
    refuse_value("type", "is not read here", "known are " + std::string(known));
}

bool StepFields::needed_flag(std::string_view field) {
    if (!has(field)) refuse(name_of(field) + " is missing", kAsPublished);
    return flag(field, false);
}

std::string StepFields::needed_text(std::string_view field) {
    if (!has(field)) refuse(name_of(field) + " is missing", kAsPublished);
    return maybe_text(field).value_or("");
}

std::string StepFields::short_text(std::string_view field) {
    std::string text = needed_text(field);
    if (text.size() > kMaxStepText) {
        refuse_value(field, "is longer than " + std::to_string(kMaxStepText) + " bytes",
                     "such a tokenizer is not read");
    }
    return text;
}

std::string StepFields::one_character(std::string_view field) {
    std::string text = needed_text(field);
    if (ok() && (text.empty() || utf8_length(text, 0) != text.size())) {
        refuse_value(field, "is not one character", kAsPublished);
    }
    return text;
}

std::string StepFields::literal_pattern(std::string_view field) {
    const Json* pattern = maybe_object(field);
    if (!pattern) {
        if (ok()) refuse(name_of(field) + " is missing", kAsPublished);
        return "";
    }
    StepFields inner{*pattern, name_of(field) + ".", *refusal_};
    inner.allow_only({"String"});
    std::string text = inner.short_text("String");
    if (ok() && text.empty()) inner.refuse_value("String", "is empty", kAsPublished);
    return text;
}

void Growth::replace(StepFields& step, const std::string& from, const std::string& to) {
    if (!step.ok()) return;
    times_ *= ceil_div(std::max(from.size(), to.size()), from.size());
    if (times_ > kMaxGrowth) {
        step.refuse_value("content",
                          "makes texts more than " + std::to_string(kMaxGrowth) + " times as long",
                          "such a tokenizer is not read");
    }
}

void read_steps(StepFields& root, std::string_view field, std::string_view list,
                const ReadStep& read) {
    const Json* object = root.maybe_object(field);
    if (!object) return;
    std::size_t steps = 0;
    const auto counted = [&](StepFields& step, const std::string& type) {
        if (++steps <= kMaxSteps) return read(step, type);
        step.refuse(std::string(field) + " has more than " + std::to_string(kMaxSteps) + " steps",
                    "such a tokenizer is not read");
    };
    read_step(*object, root.name_of(field), list, root.refusal(), counted);
}

std::vector<NormalizerStep> read_normalizer(StepFields& root) {
    std::vector<NormalizerStep> steps;
    Growth growth;
    read_steps(root, "normalizer", "normalizers", [&](StepFields& f, const std::string& type) {
        if (type == "NFC") {
            f.allow_only({});
            steps.emplace_back(NormalizeNfc{});
        } else if (type == "Prepend") {
            f.allow_only({"prepend"});
            steps.emplace_back(NormalizePrepend{f.short_text("prepend")});
        } else if (type == "Replace") {
            f.allow_only({"pattern", "content"});
            const std::string from = f.literal_pattern("pattern"), to = f.short_text("content");
            growth.replace(f, from, to);
            steps.emplace_back(NormalizeReplace{from, to});
        } else {
            f.refuse_type("NFC, Prepend, Replace and Sequence");
        }
    });
    return steps;
}

}  // namespace kv
