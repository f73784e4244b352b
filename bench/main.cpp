// kvarium-bench: measures the rows that it is given, or all but those that are measured only when
// they are named. `kvarium bench` starts it, so that the program itself stays free of benches.

#include <algorithm>
#include <iostream>
#include <iterator>

#include "app/cli/bench/rows.hpp"
#include "app/cli/terminal/options.hpp"
#include "app/cli/terminal/output.hpp"
#include "app/cli/terminal/values.hpp"
#include "bench/report.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv::bench {
namespace {

const std::vector<OptionSpec>& options() {
    static const std::vector<OptionSpec> specs{
        {"--kvarium", "FILE", "the program to measure"},
        {"--bare-window", "FILE", "the program that draws one empty window"},
        {"--samples", "N", "measurements of each, 5 to 1000; default 21"},
        {"--at-most", "X", "exit 3 when a row's ratio is above X"},
        {"--json", "", "print one JSON object instead of a table"},
        {"--out", "FILE", "write there instead of standard output"},
        {"--help", "", "print this"}};
    return specs;
}

std::string help() {
    std::string text =
        "kvarium-bench --kvarium FILE --bare-window FILE [ROW...] [OPTIONS]\n\nRows:\n";
    const auto line = [&](std::string head, std::string_view what) {
        head.resize(std::max<std::size_t>(head.size() + 1, 20), ' ');
        text += "  " + head + std::string(what) + "\n";
    };
    for (const BenchRow& row : kBenchRows) line(std::string(row.name), row.help);
    text += "\nOptions:\n";
    for (const OptionSpec& option : options())
        line(std::string(option.name) + " " + std::string(option.value), option.help);
    return text;
}

Row row_of(const std::string& name) {
    std::string known;
    for (const Row& row : rows()) {
        if (row.name == name) return row;
        known += (known.empty() ? "" : ", ") + row.name;
    }
    throw Error{ErrorCode::Usage,
                "There is no row " + shown(name) + "; the rows are " + known + "."};
}

std::vector<Row> chosen_rows(const std::vector<std::string>& names) {
    std::vector<Row> chosen;
    if (names.empty())
        std::copy_if(rows().begin(), rows().end(), std::back_inserter(chosen),
                     [](const Row& row) { return !row.only_when_named; });
    chosen.reserve(names.size());
    for (const std::string& name : names) chosen.push_back(row_of(name));
    return chosen;
}

std::string program(const GivenOptions& given, const char* option) {
    const auto path = given.text(option);
    if (!path)
        throw Error{ErrorCode::Usage, std::string(option) + " is missing; name the program."};
    return *path;
}

double read_ratio(const std::string& text) {
    std::string why;
    const auto value = parse_decimal(text, why);
    if (!value) throw Error{ErrorCode::Usage, "--at-most " + text + " " + why + "; write 1.15."};
    return *value;
}

int run(const std::vector<std::string>& arguments) {
    const GivenOptions given = parse_options(options(), "ROW...", arguments);
    if (given.has("--help")) {
        write_output(given.text("--out"), help());
        return 0;
    }
    const std::vector<Row> chosen = chosen_rows(given.positionals);
    const auto limit = given.text("--at-most");
    const Programs programs{program(given, "--kvarium"), program(given, "--bare-window")};
    const auto samples =
        static_cast<std::size_t>(whole_option(given, "--samples", 5, 1000).value_or(21));
    const Environment environment = this_environment();

    std::vector<Result> results;
    for (const Row& row : chosen) {
        results.push_back(row.measure(programs, samples));
        if (limit) results.back().goal = read_ratio(*limit);
    }
    const auto text = given.has("--json") ? as_json : as_table;
    write_output(given.text("--out"), text(environment, results));
    const auto all = [&](auto test) { return std::all_of(results.begin(), results.end(), test); };
    if (all([](const Result& r) { return r.skipped.has_value(); }))
        return static_cast<int>(ErrorCode::Missing);
    if (limit && !all([](const Result& r) { return r.met(); }))
        return static_cast<int>(ErrorCode::Check);
    return 0;
}

}  // namespace

}  // namespace kv::bench

int main(int argc, char** argv) {
    try {
        return kv::bench::run({argv + std::min(argc, 1), argv + argc});
    } catch (const kv::Error& error) {
        std::cerr << "kvarium bench: " << error.what() << '\n';
        return error.exit_code();
    }
}
