// Price as tables: one for each text that anything was measured on, the one that is shown first.

#include "app/panels/tables/tables.hpp"

namespace kv {
namespace {

TableCell cell_of(const std::optional<double>& value) {
    return value ? TableCell(*value) : TableCell(std::monostate{});
}

std::string state_of(const PriceRow& row) {
    switch (row.state) {
        case PriceRow::State::Measured:
            return "measured";
        case PriceRow::State::Refused:
            return "refused";
        default:
            return "not measured";
    }
}

void add_row(DataTable& table, const PriceSheet& sheet, std::size_t i, bool kl, bool nll) {
    const PriceRow& row = sheet.rows[i];
    const PriceNumbers& n = row.numbers;
    table.add(row.k_codec, row.v_codec, row.evict, row.of_run, state_of(row), row.why.english());
    auto& cells = table.rows.back();
    if (!row.measured()) return cells.resize(table.columns.size());
    for (const std::uint64_t bytes : {n.held_bytes, n.peak_bytes}) cells.emplace_back(bytes);
    for (const double value : {n.nll, n.nll_full, n.kl, n.flips, n.mass_lost})
        cells.emplace_back(value);
    cells.emplace_back(std::uint64_t{n.found});
    cells.emplace_back(std::uint64_t{n.needles});
    cells.push_back(cell_of(n.k_error));
    cells.push_back(cell_of(n.v_error));
    cells.emplace_back(kl);
    cells.emplace_back(nll);
    cells.emplace_back(shape_of(row) == PriceShape::Diamond);
}

DataTable table_of(const PriceSheet& sheet, PriceText text) {
    DataTable table{text == PriceText::Fixed ? "fixed" : "request",
                    text == PriceText::Fixed ? "On the fixed text"
                                             : "On the tokens of request " + sheet.request,
                    {{"K codec"},
                     {"V codec"},
                     {"policy"},
                     {"of the run"},
                     {"state"},
                     {"reason"},
                     {"held while told", "B"},
                     {"held at most", "B"},
                     {"NLL", "nats"},
                     {"NLL with everything kept", "nats"},
                     {"KL", "nats"},
                     {"top-1 flips"},
                     {"attention mass lost"},
                     {"needles found"},
                     {"needles"},
                     {"K error"},
                     {"V error"},
                     {"on the frontier of KL"},
                     {"on the frontier of NLL"},
                     {"hides far tokens inside the prompt"}},
                    {}};
    const std::vector<bool> kl = price_frontier(sheet, PriceScale::Kl),
                            nll = price_frontier(sheet, PriceScale::Nll);
    for (std::size_t i = 0; i < sheet.rows.size(); ++i) add_row(table, sheet, i, kl[i], nll[i]);
    return table;
}

}  // namespace

DataTables price_tables(const RunView& run, PriceText shown) {
    DataTables tables;
    if (run.price == nullptr) return tables;
    for (const PriceText text : {PriceText::Fixed, PriceText::Request}) {
        const PriceSheet& sheet = run.price->of(text);
        if (!sheet.any_measured()) continue;
        tables.insert(text == shown ? tables.begin() : tables.end(), table_of(sheet, text));
    }
    return tables;
}

}  // namespace kv
