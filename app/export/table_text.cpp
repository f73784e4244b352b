#include "app/export/table_text.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/files/json.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

using Json = nlohmann::ordered_json;

std::string header_of(const TableColumn& column) {
    return column.unit.empty() ? column.name : column.name + " (" + column.unit + ")";
}

struct PlainText {
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(bool value) const { return value ? "yes" : "no"; }
    std::string operator()(std::uint64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const {
        return std::isfinite(value) ? round_trip(value) : std::string();
    }
    std::string operator()(const std::string& value) const { return value; }
};
std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

template <class Row, class TextOf>
void csv_line(std::string& out, const Row& row, TextOf text_of) {
    bool first = true;
    for (const auto& field : row) {
        if (!std::exchange(first, false)) out += ',';
        out += csv_field(text_of(field));
    }
    out += "\r\n";
}

struct JsonValue {
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(bool value) const { return value; }
    Json operator()(std::uint64_t value) const { return value; }
    Json operator()(double value) const {
        return std::isfinite(value) ? Json(value) : Json(nullptr);
    }
    Json operator()(const std::string& value) const { return value; }
};

Json table_json(const DataTable& table) {
    Json json{{"name", table.name}, {"title", table.title}};
    json["columns"] = Json::array();
    for (const TableColumn& column : table.columns) {
        json["columns"].push_back({{"name", column.name}});
        json["columns"].back()["unit"] = column.unit.empty() ? Json(nullptr) : Json(column.unit);
    }
    json["rows"] = Json::array();
    for (const auto& row : table.rows) {
        Json values = Json::array();
        for (const TableCell& cell : row) values.push_back(std::visit(JsonValue{}, cell));
        json["rows"].push_back(std::move(values));
    }
    return json;
}

Json json_of(const PanelData& panel) {
    Json json{{"kvarium_panel", 1},
              {"panel", panel.panel},
              {"title", panel.title},
              {"caption", panel.caption},
              {"leaves_out", panel.leaves_out}};
    json["tables"] = Json::array();
    for (const DataTable& table : panel.tables) json["tables"].push_back(table_json(table));
    return json;
}

std::string printed(const Json& json) {
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// What Markdown would take for a mark, as a letter; a table's row stays one line.
std::string markdown_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\n' || c == '\r') {
            out += ' ';
            continue;
        }
        if (std::string_view("\\|*_`<>[]#").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

std::string markdown_cell(const TableCell& cell) {
    if (const auto* whole = std::get_if<std::uint64_t>(&cell)) return with_commas(*whole);
    return markdown_text(cell_text(cell));
}

bool is_number(const TableCell& cell) {
    return std::holds_alternative<std::uint64_t>(cell) || std::holds_alternative<double>(cell);
}

std::string ruler_of(const DataTable& table) {
    std::string line = "|";
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        line += has_only_numbers(table, c) ? "---:|" : "---|";
    return line + "\n";
}

std::string table_markdown(const DataTable& table, std::size_t most_rows) {
    std::string out = "## " + markdown_text(table.title) + "\n\n|";
    for (const TableColumn& column : table.columns)
        out += " " + markdown_text(header_of(column)) + " |";
    out += "\n" + ruler_of(table);
    const std::size_t n = std::min(most_rows, table.rows.size());
    for (std::size_t i = 0; i < n; ++i) {
        out += '|';
        for (const TableCell& cell : table.rows[i]) out += " " + markdown_cell(cell) + " |";
        out += '\n';
    }
    if (n < table.rows.size())
        out += "\nThe first " + with_commas(n) + " of " + with_commas(table.rows.size()) +
               " rows; CSV and JSON have them all.\n";
    return out + "\n";
}

}  // namespace

std::string cell_text(const TableCell& cell) {
    return std::visit(PlainText{}, cell);
}

bool has_only_numbers(const DataTable& table, std::size_t column) {
    bool numbers = false;
    for (const auto& row : table.rows) {
        const TableCell& cell = row[column];
        if (!is_number(cell) && !std::holds_alternative<std::monostate>(cell)) return false;
        numbers = numbers || is_number(cell);
    }
    return numbers;
}

std::string table_csv(const DataTable& table) {
    std::string out;
    csv_line(out, table.columns, header_of);
    for (const auto& row : table.rows) csv_line(out, row, cell_text);
    return out;
}

std::string panel_json(const PanelData& panel) {
    return printed(json_of(panel));
}

std::string panels_json(const std::vector<PanelData>& panels) {
    Json json{{"kvarium_panels", Json::array()}};
    for (const PanelData& panel : panels) json["kvarium_panels"].push_back(json_of(panel));
    return printed(json);
}

std::string panel_markdown(const PanelData& panel, std::size_t most_rows) {
    std::string out = "# " + markdown_text(panel.title) + "\n\n";
    if (!panel.caption.empty()) out += "**" + markdown_text(panel.caption) + "**\n\n";
    if (!panel.about.empty()) out += markdown_text(panel.about) + "\n\n";
    for (const DataTable& table : panel.tables) out += table_markdown(table, most_rows);
    if (panel.tables.empty()) out += "There is nothing to list at this step.\n\n";
    out += "*Leaves out:* " + markdown_text(panel.leaves_out) + "\n";
    return out;
}

}  // namespace kv
