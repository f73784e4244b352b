#include "app/cli/terminal/columns.hpp"

#include <algorithm>

namespace kv {

std::string aligned_columns(const std::vector<TextRow>& rows) {
    std::string out;
    if (rows.empty()) return out;
    std::vector<std::size_t> widths(rows.front().size());
    for (const TextRow& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    for (const TextRow& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string gap(widths[i] - row[i].size(), ' ');
            line += i == 0 ? row[i] + gap : "  " + gap + row[i];
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

}  // namespace kv
