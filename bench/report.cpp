#include "bench/report.hpp"

#include <algorithm>

#include "app/cli/terminal/or_null.hpp"
#include "core/base/files/json.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string padded(const std::string& text, std::size_t width) {
    return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

std::string ratio_line(const Result& result) {
    if (!result.ratio) return "";
    std::string line = "  ratio " + fixed(*result.ratio, 3);
    if (result.goal) {
        line += ", goal at most " + fixed(*result.goal, 2) + (result.met() ? ": met" : ": missed");
    }
    if (result.noise) line += "; the same program twice: " + fixed(*result.noise, 3);
    return line + "\n";
}

std::string result_lines(const Result& result) {
    if (result.skipped) return result.row + ": not measured, " + *result.skipped + "\n";
    std::string text = result.row + ": " + result.what + "\n";
    std::size_t width = 20;
    for (const Figure& figure : result.figures) width = std::max(width, figure.name.size() + 2);
    for (const Figure& figure : result.figures) {
        const Spread& spread = figure.spread;
        text += "  " + padded(figure.name, width) + "median " + fixed(spread.median, 2) + " " +
                figure.unit + "  (" + fixed(spread.min, 2) + " to " + fixed(spread.max, 2) + ", " +
                std::to_string(spread.samples.size()) + " samples)\n";
    }
    text += ratio_line(result);
    if (!result.done_by.empty()) text += "  " + result.done_by + "\n";
    return text;
}

Json json_of(const Result& result) {
    Json figures = Json::array();
    for (const Figure& figure : result.figures) {
        figures.push_back({{"name", figure.name},
                           {"unit", figure.unit},
                           {"median", figure.spread.median},
                           {"min", figure.spread.min},
                           {"max", figure.spread.max},
                           {"samples", figure.spread.samples}});
    }
    return {{"row", result.row},
            {"what", result.what},
            {"ratio", or_null<Json>(result.ratio)},
            {"goal", or_null<Json>(result.goal)},
            {"met", result.ratio && result.goal ? Json(result.met()) : Json(nullptr)},
            {"noise", or_null<Json>(result.noise)},
            // A renderer only in rows that draw; of the others it is the processor or the card.
            {"renderer", result.done_by},
            {"skipped", or_null<Json>(result.skipped)},
            {"figures", figures}};
}

}  // namespace

std::string as_table(const Environment& environment, const std::vector<Result>& results) {
    std::string text = environment.date + ", " + environment.program + "\n" + environment.cpu +
                       ", " + std::to_string(environment.threads) + " threads, " +
                       environment.instruction_sets + ", load " + environment.load + "\n";
    for (const Result& result : results) text += "\n" + result_lines(result);
    return text;
}

std::string as_json(const Environment& environment, const std::vector<Result>& results) {
    Json rows = Json::array();
    for (const Result& result : results) rows.push_back(json_of(result));
    const Json all{{"date", environment.date},
                   {"program", environment.program},
                   {"environment",
                    {{"cpu", environment.cpu},
                     {"threads", environment.threads},
                     {"instruction_sets", environment.instruction_sets},
                     {"load", environment.load}}},
                   {"rows", rows}};
    return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace kv::bench
