#include "app/cli/bench/bench.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "app/cli/bench/rows.hpp"
#include "app/cli/screen/first_frame.hpp"
#include "app/cli/terminal/places.hpp"
#include "app/cli/terminal/suggest.hpp"
#include "app/cli/terminal/values.hpp"
#include "core/base/error.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> words_for(const fs::path& program, const fs::path& folder,
                                   const GivenOptions& given, const CommonOptions& common) {
    std::vector<std::string> words{(folder / "kvarium-bench").string(), "--kvarium",
                                   program.string(), "--bare-window",
                                   (folder / "bare_window").string()};
    words.insert(words.end(), given.positionals.begin(), given.positionals.end());
    if (const auto samples = given.text("--samples"))
        words.insert(words.end(), {"--samples", *samples});
    if (common.json) words.emplace_back("--json");
    if (common.out) words.insert(words.end(), {"--out", *common.out});
    return words;
}

// Refuses a wrong name before the other program is looked for: it is wrong whether or not that is
// there.
void refuse_unknown_rows(const std::vector<std::string>& asked) {
    std::vector<std::string> known;
    known.reserve(std::size(kBenchRows));
    for (const BenchRow& row : kBenchRows) known.emplace_back(row.name);
    for (const std::string& name : asked) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        const auto near = nearest(name, known);
        throw Error{ErrorCode::Usage,
                    '"' + shown(name) + "\" is no row of the benches; " +
                        (near ? "did you mean " + *near + "?" : "see kvarium bench --help.")};
    }
}

// Becomes the other program, so that its output and exit code are this one's.
[[noreturn]] void become(std::vector<std::string> words) {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::execv(pointers.front(), pointers.data());
    throw Error{ErrorCode::Missing,
                "The benches are not beside this program (" + words.front() + ": " +
                    std::strerror(errno) +
                    "). Build them with: cmake --build --preset release --target kvarium-bench."};
}

int run_bench(const GivenOptions& given, const CommonOptions& common) {
    const bool draws = given.has("--first-frame") || given.has("--first-picture");
    refuse_both(given, "--first-frame", "--first-picture");
    if (draws && !given.positionals.empty())
        throw Error{ErrorCode::Usage,
                    "--first-frame and --first-picture draw and stop; leave the rows out."};
    if (given.has("--first-frame")) return run_first_frames(1, common.out);
    if (given.has("--first-picture")) return run_first_frames(2, common.out);
    refuse_unknown_rows(given.positionals);
    static_cast<void>(whole_option(given, "--samples", 5, 1000));
    const fs::path program = program_file();
    if (program.empty())
        throw Error{ErrorCode::World, "This program cannot find itself through /proc."};
    become(words_for(program, program.parent_path() / "bench", given, common));
}

}  // namespace

Subcommand bench_command() {
    std::vector<OptionSpec> rows;
    rows.reserve(kBenchRows.size());
    for (const BenchRow& row : kBenchRows) rows.push_back({row.name, "", row.help});
    return {.name = "bench",
            .summary = "measure this program: its start, its idling, its decoder",
            .usage = {"bench [ROW...] [--json]", "bench cpu_prefill cpu_kv_attention"},
            .positional = "ROW...",
            .options = {{"--samples", "N", "measurements of each, 5 to 1000; default 21"},
                        {"--first-frame", "",
                         "draw one frame without a display, say so and stop: what startup times"},
                        {"--first-picture", "", "the same with the frame that fills the panels"}},
            .run = run_bench,
            .arguments = rows};
}

}  // namespace kv
