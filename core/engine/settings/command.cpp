#include "core/engine/settings/command.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

struct Verb {
    std::string_view name, form;
    std::size_t words;  // that follow; the last may be the rest of the line
    bool rest;
};
constexpr Verb kVerbs[] = {
    {"set", "set NAME VALUE", 2, true},      {"stop", "stop REQUEST", 1, false},
    {"pause", "pause REQUEST", 1, false},    {"resume", "resume REQUEST", 1, false},
    {"fork", "fork REQUEST NAME", 2, false}, {"priority", "priority REQUEST NUMBER", 2, false},
    {"add", "add NAME TEXT", 2, true},       {"clear", "clear", 0, false},
};

// Words with one space between them; with `rest`, the last takes everything that is left.
std::vector<std::string> split(std::string_view text, std::size_t most) {
    std::vector<std::string> words;
    while (words.size() + 1 < most) {
        const std::size_t space = text.find(' ');
        if (space == std::string_view::npos) break;
        words.emplace_back(text.substr(0, space));
        text.remove_prefix(space + 1);
    }
    if (!text.empty()) words.emplace_back(text);
    return words;
}

std::optional<std::int32_t> parse_priority(std::string_view text) {
    const bool negative = !text.empty() && text.front() == '-';
    std::string why;
    const auto size = parse_whole(text.substr(negative ? 1 : 0), 0, 1'000'000, why);
    if (!size) return std::nullopt;
    const auto value = static_cast<std::int32_t>(*size);
    return negative ? -value : value;
}

}  // namespace

std::string print(const EngineCommand& command) {
    struct Print {
        std::string operator()(const SetSetting& c) { return "set " + c.name + " " + c.value; }
        std::string operator()(const StopRequest& c) { return "stop " + c.name; }
        std::string operator()(const PauseRequest& c) { return "pause " + c.name; }
        std::string operator()(const ResumeRequest& c) { return "resume " + c.name; }
        std::string operator()(const ForkRequest& c) { return "fork " + c.parent + " " + c.name; }
        std::string operator()(const SetPriority& c) {
            return "priority " + c.name + " " + std::to_string(c.priority);
        }
        std::string operator()(const AddRequest& c) { return "add " + c.name + " " + c.prompt; }
        std::string operator()(const ClearPrefixes&) { return "clear"; }
    };
    return std::visit(Print{}, command);
}

std::optional<EngineCommand> parse_engine_command(std::string_view text, std::string& why) {
    const std::string_view first = text.substr(0, text.find(' '));
    const auto* verb = std::find_if(std::begin(kVerbs), std::end(kVerbs),
                                    [&](const Verb& v) { return v.name == first; });
    if (verb == std::end(kVerbs)) {
        why =
            "is no command of a run: write set, stop, pause, resume, fork, priority, add or clear";
        return std::nullopt;
    }
    const std::vector<std::string> words =
        split(text, verb->rest ? verb->words + 1 : std::numeric_limits<std::size_t>::max());
    const bool empty = std::any_of(words.begin(), words.end(),
                                   [](const std::string& word) { return word.empty(); });
    if (words.size() != verb->words + 1 || empty) {
        why = "has not the form " + std::string(verb->form);
        return std::nullopt;
    }
    if (first == "set") return SetSetting{words[1], words[2]};
    if (first == "stop") return StopRequest{words[1]};
    if (first == "pause") return PauseRequest{words[1]};
    if (first == "resume") return ResumeRequest{words[1]};
    if (first == "fork") return ForkRequest{words[1], words[2]};
    if (first == "add") return AddRequest{words[1], words[2]};
    if (first == "clear") return ClearPrefixes{};
    const auto priority = parse_priority(words[2]);
    if (!priority) {
        why = "has no whole number from -1,000,000 to 1,000,000 as its priority";
        return std::nullopt;
    }
    return SetPriority{words[1], *priority};
}

}  // namespace kv
