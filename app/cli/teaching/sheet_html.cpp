#include "app/cli/teaching/exercise_sheet.hpp"
#include "app/cli/teaching/html.hpp"

namespace kv {
namespace {

constexpr const char* kSheetStyle = R"(@page{margin:14mm 16mm}
body{font-size:10.5pt;line-height:1.4;background:#fff}
section{max-width:178mm;margin:0 auto;padding:8mm 0}
section+section{break-before:page;border-top:1px solid var(--line)}
header{display:flex;gap:6mm;align-items:baseline;border-bottom:1.2pt solid var(--text);padding-bottom:2mm;margin-bottom:4mm}
h1{font-size:15pt;margin:0;flex:1}
header label,header p{margin:0;color:var(--text-2);white-space:nowrap}
article{break-inside:avoid;display:grid;grid-template-columns:11mm 1fr;margin:0 0 4mm}
article>b{font-size:11.5pt}
article p{margin:0 0 2mm}
.work{height:15mm;border:.6pt dotted var(--edge);border-radius:1mm;margin-bottom:2mm;color:var(--text-3);font-size:8pt;padding:.6mm 1.5mm}
.fields{display:grid;grid-template-columns:1fr 1fr;gap:1.6mm 6mm}
.fields label{display:flex;align-items:baseline;gap:2mm;font-size:9.5pt;color:var(--text-2)}
.fields span{flex:1}
.choices{display:grid;gap:1mm}
.choices label{display:flex;gap:2.5mm;align-items:baseline}
input[type=text]{font:10.5pt "JetBrains Mono","DejaVu Sans Mono",monospace;width:34mm;height:7mm;border:.8pt solid var(--edge);border-radius:1mm;background:#fff;padding:0 1.5mm}
header input[type=text]{width:52mm;border-width:0 0 .8pt;border-radius:0}
button{font:inherit;padding:1.5mm 5mm;border:.8pt solid var(--text);border-radius:1mm;background:var(--text);color:#fff;cursor:pointer}
.said{margin-left:3mm;color:var(--text-2)}
table{border-collapse:collapse;width:100%;font-size:9pt;margin-bottom:1mm}
td{border-bottom:.5pt solid var(--line);padding:.8mm 2mm .8mm 0;vertical-align:top}
td:first-child{width:30%;color:var(--text-2)}
td:nth-child(2){width:20%;font-weight:700}
.how{font-size:9pt;color:var(--text-2)}
.answer{font-size:11pt;font-weight:700}
@media print{.screen{display:none}section{padding:0;border:0!important}input::placeholder{color:transparent}}
)";

// What stands in the fields of a sheet becomes a file that is graded.
constexpr const char* kSheetScript =
    R"(for (const sheet of document.querySelectorAll("section.sheet")) {
  const said = sheet.querySelector(".said");
  sheet.querySelector("button").addEventListener("click", () => {
    const answers = {};
    for (const one of sheet.querySelectorAll("article")) {
      const chosen = one.querySelector("input:checked");
      const typed = [...one.querySelectorAll("input[type=text]")].map((field) => field.value.trim());
      if (chosen) answers[one.id.split("-")[1]] = chosen.value;
      else if (typed.some((text) => text !== "")) answers[one.id.split("-")[1]] = typed.join("; ");
    }
    if (Object.keys(answers).length === 0) {
      said.textContent = "Nothing is filled in yet.";
      return;
    }
    const of = sheet.dataset.seed === "" ? { fixed: true } : { seed: 0 };
    // A seed may be larger than the numbers of a script are exact.
    const text = JSON.stringify({ ...of, answers }).replace('"seed":0', '"seed":' + sheet.dataset.seed);
    const name = sheet.querySelector("header input").value.trim().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "answers";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text + "\n"], { type: "application/json" }));
    link.download = name + ".json";
    link.click();
    said.textContent = "Kept as " + link.download + " among your downloads; hand that file in.";
  });
}
)";

std::string html_attribute(std::string_view name, std::string_view value) {
    return " " + std::string(name) + "=\"" + html_words(value) + "\"";
}

std::string sheet_heading(const ExerciseSheet& sheet, const SheetCopy& copy,
                          const std::string& beside) {
    return element(
        "header", "",
        element("h1", "", std::to_string(sheet.lesson) + ". " + html_words(sheet.title)) +
            element("p", "", name_of_copy(copy)) + beside);
}

std::string answer_fields(const Exercise& exercise, const std::string& id) {
    std::string text;
    if (!exercise.choices.empty()) {
        for (const std::string& choice : exercise.choices)
            text += "<label><input type=\"radio\"" + html_attribute("name", id) +
                    html_attribute("value", choice) + ">" + html_words(choice) + "</label>\n";
        return element("div", "choices", text);
    }
    for (const ExercisePart& part : exercise.parts)
        text += "<label>" + element("span", "", html_words(label_of_part(part))) +
                "<input type=\"text\" autocomplete=\"off\"></label>\n";
    return element("div", "work", "your sum") + element("div", "fields", text);
}

// `copy`: a number, so that two sheets of one page do not share fields.
std::string question_on_sheet(const Exercise& exercise, std::size_t copy) {
    const std::string id = std::to_string(copy) + "-" + exercise.id;
    return "<article" + html_attribute("id", id) + ">" + element("b", "", exercise.id) +
           element("div", "",
                   element("p", "", html_words(exercise.text)) + answer_fields(exercise, id)) +
           "</article>\n";
}

std::string answer_in_key(const Exercise& exercise) {
    std::string rows;
    for (const ExercisePart& part : exercise.parts)
        rows += element("tr", "",
                        element("td", "", html_words(part.name)) +
                            element("td", "mono", html_words(expected_value(part))) +
                            element("td", "", html_words(known_slips(part))));
    return element("article", "",
                   element("b", "", exercise.id) +
                       element("div", "",
                               element("p", "answer mono", html_words(expected_answer(exercise))) +
                                   element("table", "", rows) +
                                   element("p", "how", "How: " + html_words(exercise.hint))));
}

std::string questions_of(const ExerciseSheet& sheet, std::size_t at) {
    const SheetCopy& copy = sheet.copies[at];
    std::string body = sheet_heading(
        sheet, copy, "<label>Name <input type=\"text\" autocomplete=\"off\"></label>\n");
    for (const Exercise& exercise : copy.exercises) body += question_on_sheet(exercise, at + 1);
    body += element("p", "screen",
                    "<button type=\"button\">Keep my answers</button>" +
                        element("span", "said", "They become a file to hand in."));
    const std::string seed = copy.seed ? std::to_string(*copy.seed) : "";
    return "<section class=\"sheet\"" + html_attribute("data-seed", seed) + ">\n" + body +
           "</section>\n";
}

std::string key_of(const ExerciseSheet& sheet, const SheetCopy& copy) {
    std::string body = sheet_heading(sheet, copy, element("p", "", element("b", "", "Key")));
    for (const Exercise& exercise : copy.exercises) body += answer_in_key(exercise);
    return element("section", "key", body);
}

}  // namespace

std::string sheet_html(const ExerciseSheet& sheet) {
    HtmlPage page{std::to_string(sheet.lesson) + ". " + sheet.title + ": exercises", kSheetStyle,
                  "", kSheetScript};
    for (std::size_t i = 0; i < sheet.copies.size(); ++i) page.body += questions_of(sheet, i);
    if (sheet.with_key)
        for (const SheetCopy& copy : sheet.copies) page.body += key_of(sheet, copy);
    return html_text(page);
}

}  // namespace kv
