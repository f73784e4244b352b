#include "app/cli/attach/in_window.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "app/cli/terminal/values.hpp"

namespace kv {
namespace {

using Word = std::pair<const char*, const char*>;  // the option, and what the command calls it

constexpr std::array<Word, 2> kOfOneServer{{{"replay", "replay"}, {"metrics", "metrics"}}};
constexpr std::array<Word, 6> kOfBothServers{{{"topic", "topic"},
                                              {"ranks", "ranks"},
                                              {"pool", "pool"},
                                              {"report", "report"},
                                              {"most-blocks", "most_blocks"},
                                              {"tokenizer", "tokenizer"}}};

void add_words(std::string& words, const GivenOptions& given, std::span<const Word> list,
               const std::string& before) {
    for (const auto& [option, name] : list)
        if (const auto value = given.text(before + option))
            words += " " + std::string(name) + "=" + *value;
}

// `before`: "--" of the server itself, "--against-" of the one beside it.
std::string words_of(const GivenOptions& given, std::string address, const std::string& before) {
    add_words(address, given, kOfOneServer, before);
    add_words(address, given, kOfBothServers, "--");
    if (given.has("--bind")) address += " bind";
    if (given.has("--show-tokens")) address += " tokens";
    return address;
}

}  // namespace

std::span<const std::string_view> not_in_window() {
    static constexpr std::array<std::string_view, 5> kAll{"--headless", "--json", "--record",
                                                          "--for", "--until-sequence"};
    return kAll;
}

std::vector<std::string> window_commands(const GivenOptions& given, bool is_recording) {
    const std::string named = given.positional.value_or("");
    std::vector<std::string> commands;
    if (is_recording) {
        for (const char* name : {"--pool", "--report", "--most-blocks"})
            refuse_both(given, "--window", name);
        if (given.has("--show-tokens")) commands.emplace_back("attach.tokens");
        if (const auto file = given.text("--tokenizer"))
            commands.push_back("attach.tokenizer " + *file);
        commands.push_back("attach.file " + named);
    } else {
        commands.push_back("attach.open " + words_of(given, named, "--"));
    }
    const auto other = given.text("--against");
    if (!other) return commands;
    const bool is_server = other->starts_with("tcp://");
    commands.push_back("attach.against " +
                       (is_server ? words_of(given, *other, "--against-") : *other));
    return commands;
}

}  // namespace kv
