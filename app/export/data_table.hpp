#pragma once
// What a panel shows, as data: tables with named columns and their units. Numbers are unrounded, as
// the run has them; ids and positions count from zero. A cell may be empty.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kv {

using TableCell = std::variant<std::monostate, bool, std::uint64_t, double, std::string>;

struct TableColumn {
    std::string name;       // "live"
    std::string unit = {};  // "B"; empty: a name, or a count of what the column is called
};

struct DataTable {
    std::string name;   // in commands: "pool"
    std::string title;  // for people
    std::vector<TableColumn> columns;
    std::vector<std::vector<TableCell>> rows;  // each with one cell for every column

    template <class... Cells>
    void add(Cells&&... cells) {
        std::vector<TableCell>& row = rows.emplace_back();
        row.reserve(sizeof...(cells));
        (row.emplace_back(std::forward<Cells>(cells)), ...);
    }
};

struct PanelData {
    std::string panel;    // "stage"
    std::string title;    // "Stage"
    std::string caption;  // of what run, at which step
    std::string about;    // what the panel shows
    std::string leaves_out;
    std::vector<DataTable> tables;

    const DataTable* find(std::string_view name) const {
        for (const DataTable& table : tables)
            if (table.name == name) return &table;
        return nullptr;
    }
};

}  // namespace kv
