#include "app/web/reader.hpp"

#include <imgui_internal.h>

#include <array>

#include "app/export/table_text.hpp"
#include "app/frame/dock/dock.hpp"
#include "app/frame/panel_data.hpp"
#include "app/panels/stage/plan/words.hpp"
#include "app/web/lesson_words.hpp"
#include "core/base/files/json.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRows = 200;  // of the table beside the picture

std::string written(const Text& text) {
    return {text.begin(), text.end()};
}

// The panel that the keyboard is in; the Stage where it is in none.
PanelId panel_in_focus(const Screen& screen) {
    const AppState& state = screen.frame().state();
    if (state.only_panel) return *state.only_panel;
    const ImGuiWindow* at = ImGui::GetCurrentContext()->NavWindow;
    for (const PanelRow& panel : panel_table()) {
        const ImGuiWindow* window = window_of(state.docks(), panel.id);
        if (window != nullptr && at != nullptr && at->RootWindow == window->RootWindow)
            return panel.id;
    }
    return PanelId::Stage;
}

// The panel in focus as tables, or the Stage where that panel has none.
PanelData data_in_focus(Screen& screen) {
    PanelData data = screen.data_of(panel_in_focus(screen));
    return data.tables.empty() ? screen.data_of(PanelId::Stage) : data;
}

Json cell_of(const TableCell& cell) {
    return std::visit(
        [](const auto& value) -> Json {
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, std::monostate>)
                return nullptr;
            else
                return value;
        },
        cell);
}

Json columns_of(const DataTable& table) {
    Json columns = Json::array();
    for (const TableColumn& column : table.columns)
        columns.push_back({{"name", column.name}, {"unit", column.unit}});
    return columns;
}

template <class Written>
Json rows_of(const DataTable& table, std::size_t most, Written written) {
    Json rows = Json::array();
    for (const auto& row : table.rows) {
        if (rows.size() == most) break;
        Json& cells = rows.emplace_back(Json::array());
        for (const TableCell& cell : row) cells.push_back(written(cell));
    }
    return rows;
}

// The columns of a table that is drawn, with the side on which their cells stand.
Json drawn_columns_of(const DataTable& table) {
    Json columns = columns_of(table);
    for (std::size_t c = 0; c < columns.size(); ++c)
        columns[c]["numbers"] = has_only_numbers(table, c);
    return columns;
}

std::string name_of_table(const PanelData& panel, const DataTable& table) {
    return panel.panel + "/" + table.name;
}

// The one that was chosen; the first where that is a table of another panel.
const DataTable& table_to_draw(const PanelData& panel, std::string_view chosen) {
    for (const DataTable& table : panel.tables)
        if (name_of_table(panel, table) == chosen) return table;
    return panel.tables.front();
}

Json table_words(const Texts& text, const PanelData& panel, std::string_view chosen) {
    const auto with_rows = [&](const DataTable& table) {
        return written(fill(text["page.table_rows"_t],
                            {{"table", table.title}, {"n", with_commas(table.rows.size())}}));
    };
    if (panel.tables.empty()) return nullptr;
    Json tables = Json::array();
    for (const DataTable& table : panel.tables)
        tables.push_back({{"name", name_of_table(panel, table)}, {"title", with_rows(table)}});
    const DataTable& drawn = table_to_draw(panel, chosen);
    const std::string cut =
        drawn.rows.size() <= kMostRows
            ? std::string()
            : written(fill(text["page.first_rows"_t], {{"n", with_commas(kMostRows)},
                                                       {"all", with_commas(drawn.rows.size())}}));
    return {{"panel", panel.panel},
            {"name", name_of_table(panel, drawn)},
            {"caption",
             written(fill(text["page.table"_t], {{"panel", panel.title}, {"table", drawn.title}}))},
            {"about", panel.about},
            {"columns", drawn_columns_of(drawn)},
            {"rows", rows_of(drawn, kMostRows, cell_text)},
            {"cut", cut},
            {"tables", std::move(tables)}};
}

struct Spoken {
    std::string now, with;
};
Spoken sentence_now(Screen& screen) {
    const RunView* run = screen.run().view();
    if (run == nullptr) return {};
    const NowSentence sentence =
        now_sentence(*run, screen.frame().state().run.focus, screen.frame().texts());
    Spoken spoken;
    // Whoever hears the sentence does not hear that a token is set in another type.
    for (std::size_t i = 0; i < sentence.pieces.size(); ++i) {
        const std::string text = written(sentence.pieces[i].text);
        spoken.now += i == sentence.word ? "\u201c" + text + "\u201d" : text;
    }
    spoken.with = written(sentence.with);
    return spoken;
}

}  // namespace

std::string reader_now(Screen& screen, std::string_view table) {
    const Texts& text = screen.frame().texts();
    const AppState& state = screen.frame().state();
    const LessonView& lesson = screen.run().lesson();
    const RunView* run = screen.run().view();
    const Spoken spoken = sentence_now(screen);
    Json now;
    now["title"] = lesson.lesson    ? lesson.shown.title
                   : run == nullptr ? std::string(text["page.title"_t])
                                    : run->scene;
    now["place"] = lesson_place(text, lesson);
    now["said"] = spoken.now, now["with"] = spoken.with;
    now["notice"] = state.notice ? written(state.notice->said.in(text)) : std::string();
    now["layout"] = name_of(state.layout), now["theme"] = name_of(state.settings.theme);
    now["only"] = state.only_panel ? row_of(*state.only_panel).name : std::string_view();
    now["playing"] = state.run.playback.playing;
    now["step"] = run == nullptr ? 0u : run->now.iteration;
    now["lesson"] = lesson_words(text, lesson);
    now["shelf"] = shelf_words(text, lesson);
    now["table"] = table_words(text, data_in_focus(screen), table);
    return now.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string link_words(const LiveRun& run, const AppState& state) {
    constexpr std::array<std::string_view, 4> kLinks{"page", "lesson", "scene", "recording"};
    return Json{{"of", kLinks[static_cast<std::size_t>(run.link_of(state))]},
                {"leaves_comparison_out", run.leaves_comparison_out(state)}}
        .dump();
}

std::string reader_words(const Screen& screen) {
    const Texts& text = screen.frame().texts();
    constexpr std::string_view kPage = "page.", kLayout = "layout.";
    Json words, layouts, commands = Json::array();
    for (std::size_t i = 0; i < kTextIds.size(); ++i) {
        const std::string_view id = kTextIds[i];
        if (id.starts_with(kPage)) words[std::string(id.substr(kPage.size()))] = text[TextId{i}];
        if (id.starts_with(kLayout))
            layouts[std::string(id.substr(kLayout.size()))] = text[TextId{i}];
    }
    for (const CommandRow& row : command_table())
        commands.push_back({{"id", row.name},
                            {"label", text[row.id.label()]},
                            {"help", text[row.help]},
                            {"asks", asks_for_value(row.kind)},
                            {"group", static_cast<int>(row.group)},
                            {"key", row.key.key == 0 ? std::string() : key_text(row.key)}});
    return Json{{"words", std::move(words)},
                {"layouts", std::move(layouts)},
                {"commands", std::move(commands)}}
        .dump();
}

std::string panel_with_table(const PanelData& panel, const DataTable& table) {
    Json whole = parsed_ordered_json(panel_json(panel));
    whole["table"] = table.name;
    whole["columns"] = columns_of(table);
    whole["rows"] = rows_of(table, table.rows.size(), cell_of);
    return whole.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace kv
