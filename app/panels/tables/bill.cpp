// The bill as tables: every result with its expression and numbers, and the words of the glossary.

#include "app/panels/bill/calculator/roofline_plan.hpp"
#include "app/panels/bill/glossary/entries.hpp"
#include "app/panels/bill/view.hpp"
#include "app/panels/tables/tables.hpp"

namespace kv {
namespace {

TableCell cell_of(const Value& value) {
    if (const auto* whole = std::get_if<u64>(&value)) return std::uint64_t{*whole};
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return std::get<bool>(value);
}

}  // namespace

DataTables bill_tables(const BillInputs& bill, BillSide side) {
    std::string why;
    const auto view = view_bill(bill, side, why);
    if (!view) return {};
    DataTable results{
        "results",
        "The bill of " + view->own.title,
        {{"result"}, {"value"}, {"unit"}, {"expression"}, {"with numbers"}, {"meaning"}},
        {}};
    for (const Derived& result : view->results)
        results.add(result.name, cell_of(result.value), result.unit, result.expression,
                    spelled_out(result), result.meaning);
    DataTable heads{"heads",
                    "The same tokens with other KV heads",
                    {{"KV heads"}, {"per token", "B"}, {"all", "B"}, {"this model"}},
                    {}};
    for (const AttentionOption& option : view->attention)
        heads.add(std::uint64_t{option.kv_heads}, std::uint64_t{option.per_token},
                  std::uint64_t{option.kv_bytes}, option.current);
    return {results, heads};
}

DataTables bill_roofline_tables(const BillInputs& bill, const Texts& text) {
    std::string why;
    const auto view = view_bill(bill, BillSide::Left, why);
    if (!view) return {};
    const RooflinePlan plan = plan_roofline(*view, text);
    DataTable points{
        "points", "Points", {{"point"}, {"intensity", "FLOP/B"}, {"rate", "FLOP/s"}}, {}};
    for (const RoofPoint& point : plan.points)
        points.add(point.label, point.intensity, point.flops);
    DataTable roofs{"roofs", "Roofs", {{"roof"}, {"value"}, {"unit"}}, {}};
    roofs.add(std::string("memory"), bill.bandwidth, std::string("B/s"));
    roofs.add(std::string("compute"), plan.peak, std::string("FLOP/s"));
    roofs.add(std::string("ridge"), plan.ridge, std::string("FLOP/B"));
    return {points, roofs};
}

DataTables glossary_tables(const Texts& text) {
    DataTable table{"words", "Words", {{"group"}, {"name"}, {"others write"}, {"meaning"}}, {}};
    for (const GlossaryGroup& group : glossary())
        for (const GlossaryEntry& entry : group.entries) {
            std::string others;
            for (const std::string_view other : entry.others)
                others += (others.empty() ? "" : "; ") + std::string(other);
            table.add(std::string(text[group.title]), std::string(entry.name), others,
                      std::string(text[entry.meaning]));
        }
    return {table};
}

}  // namespace kv
