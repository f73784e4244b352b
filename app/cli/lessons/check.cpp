
#include "app/cli/lessons/lessons.hpp"
#include "core/base/files/json.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

using Json = nlohmann::ordered_json;

std::string covered(const LessonReport& report) {
    return std::to_string(report.rows.size()) + "/" + std::to_string(kCheckRows);
}

std::string report_json(const LessonReport& report) {
    Json exercises = Json::array();
    for (const FixedExercise& e : report.exercises)
        exercises.push_back({{"id", e.id}, {"text", e.text}, {"answer", e.answer}});
    return Json{{"lessons", report.lessons},
                {"exhibits", report.exhibits},
                {"steps", report.steps},
                {"values", report.values},
                {"predictions", report.predictions},
                {"expects", report.expects},
                {"tasks", report.tasks},
                {"exercises", exercises},
                {"broken", report.broken},
                {"rows_missing", rows_missing(report.rows)},
                {"covered", covered(report)}}
               .dump(-1, ' ', false, Json::error_handler_t::replace) +
           "\n";
}

}  // namespace

std::string report_text(const LessonReport& report, bool json) {
    if (json) return report_json(report);
    std::string text;
    for (const FixedExercise& e : report.exercises) text += e.id + "  " + e.answer + "\n";
    for (const std::string& sentence : report.broken) text += sentence + "\n";
    text += counted(report.lessons, "lesson") +
            (report.exhibits > 0 ? " and a museum of " + counted(report.exhibits, "exhibit") : "") +
            ", " + counted(report.steps, "step") + ", " + counted(report.values, "computed value") +
            ", " + counted(report.predictions, "prediction") + ", " +
            counted(report.expects, "expectation") + ", " +
            counted(report.exercises.size(), "exercise") + ", " + counted(report.tasks, "task") +
            "; " + counted(report.broken.size(), "fault") + "\n";
    std::string missing;
    for (const std::string& row : rows_missing(report.rows)) missing += " " + row;
    if (!missing.empty()) text += "not shown:" + missing + "\n";
    return text + "rows covered: " + covered(report) + "\n";
}

}  // namespace kv
