// Models side by side. A row is a question, a column a model.

#include <algorithm>

#include "app/cli/calc/print.hpp"
#include "app/cli/terminal/or_null.hpp"
#include "app/cli/terminal/version.hpp"
#include "core/base/files/json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cost/groups.hpp"
#include "core/cost/model/parameters.hpp"

namespace kv {
namespace {

using Json = nlohmann::ordered_json;

// "5 full, 25 window of 1,024"
std::string kinds_text(const CacheShape& cache) {
    std::string text;
    for (const CacheGroup& group : cache_groups(cache)) {
        text += (text.empty() ? "" : ", ") + std::to_string(group.n_layers()) + " " +
                std::string(group.kind());
        if (const auto window = group.window()) text += " of " + with_commas(*window);
    }
    return text;
}

std::string billions(u64 parameters) {
    return significant(static_cast<double>(parameters) / 1e9, 4) + " billion";
}

struct Compared {
    std::string question;
    std::vector<std::string> answers;
};

std::string result_text(const std::vector<Derived>& bill, std::string_view name) {
    const Derived* result = find_result(bill, name);
    if (!result) return "-";
    if (result->unit == "B") return bytes_binary(result->whole());
    if (result->unit == "s") return seconds_text(result->real());
    return with_commas(result->whole());
}

std::vector<Compared> questions(const std::vector<CalcInput>& models) {
    std::vector<Compared> rows{{"layers", {}},
                               {"parameters", {}},
                               {"active per token", {}},
                               {"weights", {}},
                               {"cache per token", {}}};
    const bool with_tokens = models.front().request.tokens.has_value();
    if (with_tokens) {
        rows.push_back({"cache at " + with_commas(*models.front().request.tokens) + " tokens", {}});
        rows.push_back({"were all layers full", {}});
    }
    const bool timed = models.front().request.bandwidth && with_tokens;
    if (timed) rows.push_back({"time of a decode step", {}});
    for (const CalcInput& model : models) {
        const std::vector<Derived> bill = make_bill(model.request);
        std::size_t row = 0;
        rows[row++].answers.push_back(kinds_text(model.request.cache));
        rows[row++].answers.push_back(billions(parameter_count(*model.request.model)));
        rows[row++].answers.push_back(billions(active_parameters(*model.request.model)));
        rows[row++].answers.push_back(result_text(bill, "weight_bytes"));
        rows[row++].answers.push_back(result_text(bill, "bytes_per_token"));
        if (with_tokens) {
            rows[row++].answers.push_back(result_text(bill, "kv_bytes"));
            rows[row++].answers.push_back(result_text(bill, "all_full_bytes"));
        }
        if (timed) rows[row++].answers.push_back(result_text(bill, "step_time_s"));
    }
    return rows;
}

}  // namespace

std::string compared_table(const std::vector<CalcInput>& models) {
    const std::vector<Compared> rows = questions(models);
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < models.size(); ++i) {
        std::size_t width = models[i].name.size();
        for (const Compared& row : rows) width = std::max(width, row.answers[i].size());
        widths.push_back(width + 3);
    }
    const auto line = [&](const std::string& first, const auto& cell) {
        std::string text = first;
        text.resize(26, ' ');
        for (std::size_t i = 0; i < models.size(); ++i) {
            const std::string value = cell(i);
            text += std::string(widths[i] - value.size(), ' ') + value;
        }
        return text + "\n";
    };
    std::string out = line("", [&](std::size_t i) { return models[i].name; });
    for (const Compared& row : rows) {
        out += line(row.question, [&](std::size_t i) { return row.answers[i]; });
    }
    return out;
}

std::string compared_markdown(const std::vector<CalcInput>& models) {
    std::string out = "| |", rule = "|---|";
    for (const CalcInput& model : models) {
        out += " " + model.title + " |";
        rule += "---:|";
    }
    out += "\n" + rule + "\n";
    for (const Compared& row : questions(models)) {
        out += "| " + row.question + " |";
        for (const std::string& answer : row.answers) out += " " + answer + " |";
        out += "\n";
    }
    return out;
}

std::string compared_json(const std::vector<CalcInput>& models) {
    Json list = Json::array();
    for (const CalcInput& model : models) {
        const std::vector<Derived> bill = make_bill(model.request);
        Json one{{"name", model.name},
                 {"title", model.title},
                 {"parameters", parameter_count(*model.request.model)},
                 {"active_parameters", active_parameters(*model.request.model)}};
        for (const char* name : {"weight_bytes", "bytes_per_token", "kv_bytes", "all_full_bytes",
                                 "prefill_peak_bytes", "step_time_s"}) {
            const Derived* result = find_result(bill, name);
            one[name] = result ? std::visit([](const auto& v) { return Json(v); }, result->value)
                               : Json(nullptr);
        }
        Json groups = Json::array();
        for (const CacheGroup& group : cache_groups(model.request.cache)) {
            groups.push_back({{"kind", std::string(group.kind())},
                              {"n_layers", group.n_layers()},
                              {"window", or_null<Json>(group.window())}});
        }
        one["groups"] = std::move(groups);
        list.push_back(std::move(one));
    }
    return Json{{"kvarium", version()}, {"compare", std::move(list)}}.dump(
               2, ' ', false, Json::error_handler_t::replace) +
           "\n";
}

}  // namespace kv
