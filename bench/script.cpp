#include "bench/script.hpp"

#include <chrono>

#include "bench/child.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::bench {

Measured run_script(const std::string& script, const std::vector<std::string>& words) {
    std::vector<std::string> arguments{std::string(KVARIUM_SOURCE_DIR) + "/" + script};
    arguments.insert(arguments.end(), words.begin(), words.end());
    Child child(arguments);
    Measured measured;
    constexpr auto kPatience = std::chrono::seconds(7200);
    while (const auto line = child.line(kPatience)) {
        const std::size_t blank = line->find(' ');
        const std::string name = line->substr(0, blank);
        const std::string rest = blank == std::string::npos ? "" : line->substr(blank + 1);
        if (name == "skipped") {
            measured.skipped = rest;
            continue;
        }
        std::string why;
        if (const auto value = parse_decimal(rest, why)) measured.figures[name].push_back(*value);
    }
    if (child.wait(kPatience) != 0 || (!measured.skipped && measured.figures.empty()))
        throw Error(ErrorCode::World, script + " did not end well; run it by itself to see why.");
    return measured;
}

}  // namespace kv::bench
