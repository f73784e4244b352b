// The pre_tokenizer of a tokenizer.json.

#include "core/base/files/json.hpp"
#include "core/base/shown.hpp"
#include "core/model/tokenizer/file/steps.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;

std::variant<SplitPattern, std::string> read_pattern(StepFields& f) {
    const Json* object = f.maybe_object("pattern");
    if (!object || !object->contains("Regex")) return f.literal_pattern("pattern");
    StepFields inner{*object, f.name_of("pattern") + ".", f.refusal()};
    inner.allow_only({"Regex"});
    const std::string regex = inner.needed_text("Regex");
    std::string why;
    if (!f.ok()) return regex;
    if (auto pattern = SplitPattern::compile(regex, why)) return std::move(*pattern);
    inner.refuse(inner.name_of("Regex") + " is \"" + shown(regex) + "\", which " + why,
                 "such a tokenizer is not read");
    return regex;
}

SplitBehavior read_behavior(StepFields& f) {
    struct Row {
        std::string_view name;
        SplitBehavior behavior;
    };
    constexpr Row kRows[] = {{"Removed", SplitBehavior::Removed},
                             {"Isolated", SplitBehavior::Isolated},
                             {"MergedWithPrevious", SplitBehavior::MergedWithPrevious},
                             {"MergedWithNext", SplitBehavior::MergedWithNext},
                             {"Contiguous", SplitBehavior::Contiguous}};
    const std::string name = f.needed_text("behavior");
    for (const Row& row : kRows) {
        if (row.name == name) return row.behavior;
    }
    f.refuse_value(
        "behavior", "is not a way to split",
        "known are Removed, Isolated, MergedWithPrevious, MergedWithNext and Contiguous");
    return SplitBehavior::Isolated;
}

// Older files have add_prefix_space, newer ones prepend_scheme; when both are there they agree.
MetaspaceStep::Prepend read_prepend(StepFields& f) {
    using Prepend = MetaspaceStep::Prepend;
    const bool prefix = f.flag("add_prefix_space", true);
    const std::string scheme = f.maybe_text("prepend_scheme").value_or(prefix ? "always" : "never");
    if (!prefix && scheme != "never") {
        f.refuse_value("prepend_scheme", "does not agree with add_prefix_space, which is false",
                       "use the file as it was published");
    }
    if (scheme == "always") return Prepend::Always;
    if (scheme == "first") return Prepend::First;
    if (scheme != "never") {
        f.refuse_value("prepend_scheme", "is not known", "known are always, first and never");
    }
    return Prepend::Never;
}

MetaspaceStep read_metaspace(StepFields& f) {
    // str_rep only repeats replacement; older files have it.
    f.allow_only({"replacement", "add_prefix_space", "prepend_scheme", "split", "str_rep"});
    const std::string mark = f.one_character("replacement");
    const auto prepend = read_prepend(f);
    return {mark, prepend, f.flag("split", true)};
}

}  // namespace

std::vector<PreTokenizerStep> read_pre_tokenizer(StepFields& root) {
    std::vector<PreTokenizerStep> steps;
    read_steps(root, "pre_tokenizer", "pretokenizers", [&](StepFields& f, const std::string& type) {
        if (type == "ByteLevel") {
            f.allow_only({"add_prefix_space", "trim_offsets", "use_regex"});
            const bool prefix = f.needed_flag("add_prefix_space");
            steps.emplace_back(ByteLevelStep{prefix, f.flag("use_regex", true)});
        } else if (type == "Digits") {
            f.allow_only({"individual_digits"});
            steps.emplace_back(DigitsStep{f.needed_flag("individual_digits")});
        } else if (type == "Split") {
            f.allow_only({"pattern", "behavior", "invert"});
            auto pattern = read_pattern(f);
            const auto behavior = read_behavior(f);
            steps.emplace_back(SplitStep{std::move(pattern), behavior, f.needed_flag("invert")});
        } else if (type == "Metaspace") {
            steps.emplace_back(read_metaspace(f));
        } else {
            f.refuse_type("ByteLevel, Digits, Split, Metaspace and Sequence");
        }
    });
    return steps;
}

}  // namespace kv
