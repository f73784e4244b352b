#include "app/cli/lessons/sheet.hpp"

#include <algorithm>

#include "app/cli/teaching/exercise_sheet.hpp"
#include "app/cli/terminal/output.hpp"
#include "app/cli/terminal/values.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/lesson/exercises/shelf.hpp"

namespace kv {
namespace {

constexpr u64 kLargestSeed = ~u64{0};
constexpr u64 kMostSheets = 200;

// "1..30", both ends included.
std::vector<std::optional<u64>> read_seeds(const std::string& text) {
    const std::size_t dots = text.find("..");
    std::string why = "is not FIRST..LAST";
    if (dots != std::string::npos) {
        const std::string_view words = text;
        const auto first = parse_whole(words.substr(0, dots), 0, kLargestSeed, why);
        const auto last = first ? parse_whole(words.substr(dots + 2), 0, kLargestSeed, why) : first;
        if (last && *last < *first)
            why = "ends before it begins";
        else if (last && *last - *first >= kMostSheets)
            why = "has more than " + std::to_string(kMostSheets) + " sheets";
        else if (last) {
            std::vector<std::optional<u64>> seeds;
            for (u64 seed = *first; seeds.size() <= *last - *first; ++seed)
                seeds.emplace_back(seed);
            return seeds;
        }
    }
    refuse_value("--seeds", text, why, "write it like 1..30");
}

std::vector<std::optional<u64>> seeds_of(const GivenOptions& given, const CommonOptions& common) {
    if (const auto seeds = given.text("--seeds")) return read_seeds(*seeds);
    if (given.has("--fixed")) return {std::nullopt};
    return {common.seed.value_or(0)};
}

bool ends_in(std::string_view text, std::string_view ending) {
    return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

bool wants_html(const GivenOptions& given, const CommonOptions& common) {
    if (const auto word = given.text("--export")) {
        if (*word != "html" && *word != "md")
            refuse_value("--export", *word, "is no format of a sheet", "write html or md");
        return *word == "html";
    }
    if (!common.out || *common.out == "-") return false;
    const bool html = ends_in(*common.out, ".html") || ends_in(*common.out, ".htm");
    if (!html && !ends_in(*common.out, ".md"))
        refuse_value("--out", *common.out, "does not say which format a sheet is to have",
                     "end it in .html or .md, or add --export html or md");
    return html;
}

}  // namespace

const std::vector<OptionSpec>& lessons_sheet_options() {
    static const std::vector<OptionSpec> options{
        {"--sheet", "N",
         "the exercises of lesson N to print, with fields, and their key on a page of its own; as "
         "Markdown, or as HTML where --out ends so. The same --seed (0) gives the same sheet"},
        {"--seeds", "A..B", "with --sheet: a sheet for each of these seeds, then all keys"},
        {"--no-key", "", "with --sheet: without the key, to hand out as a file"},
        {"--export", "FORMAT", "with --sheet: html or md"}};
    return options;
}

int run_lessons_sheet(const LessonShelf& shelf, const GivenOptions& given,
                      const CommonOptions& common) {
    refuse_both(given, "--seed", "--seeds");
    refuse_both(given, "--fixed", "--seeds");
    const auto lesson = static_cast<unsigned>(*whole_option(given, "--sheet", 1, kLessons));
    const Lesson* known = shelf.find(lesson);
    ExerciseSheet sheet{
        lesson, known == nullptr ? "Exercises" : known->title, {}, !given.has("--no-key")};
    if (exercises_of(lesson).empty())
        throw Error{ErrorCode::Usage, "--sheet: lesson " + std::to_string(lesson) +
                                          " has no exercises to print; choose another one."};
    if (common.json)
        throw Error{ErrorCode::Usage, "--sheet is for paper; its questions as JSON are --ask " +
                                          std::to_string(lesson) + " --json."};
    const bool html = wants_html(given, common);
    for (const std::optional<u64> seed : seeds_of(given, common))
        sheet.copies.push_back(sheet_copy(lesson, seed));
    write_output(common.out, html ? sheet_html(sheet) : sheet_markdown(sheet));
    return 0;
}

}  // namespace kv
