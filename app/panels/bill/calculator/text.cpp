// The bill as plain text: every result with its expression, its numbers and its operands. What the
// pictures say is all in it, for those who cannot use them.

#include "core/base/numbers/text.hpp"

#include "app/panels/bill/calculator/budget.hpp"
#include "app/panels/bill/calculator/unfold.hpp"
#include "app/panels/bill/panels.hpp"
#include "app/panels/bill/view.hpp"

namespace kv {
namespace {

std::string result_value(const Derived& result) {
    const u64* whole = std::get_if<u64>(&result.value);
    if (whole != nullptr && result.unit == "B") return bytes_all_ways(*whole);
    return value_text(result.value, result.unit);
}

std::string result_text(const Derived& result, const Texts& text) {
    std::string out = fill(text["copy.result"_t], {{"name", result.name},
                                                   {"value", result_value(result)},
                                                   {"meaning", text.phrase(result.meaning)}});
    out += "\n  = " + result.expression + "\n  = " + spelled_out(result) + "\n";
    for (const Operand& operand : result.operands) {
        out += "    " +
               fill(text["copy.result"_t], {{"name", operand.name},
                                            {"value", value_text(operand.value, operand.unit)},
                                            {"meaning", text.phrase(operand.meaning)}});
        out += "\n";
    }
    return out;
}

std::string head_text(const BillView& view, const BudgetPlan& budget, const Texts& text) {
    std::string out = fill(text["copy.title"_t], {{"model", view.own.title}}) + "\n";
    out += attention_label(view.current_attention(), text) + "; ";
    out += fill(text["copy.inputs"_t], {{"requests", with_commas(view.in.batch)},
                                        {"tokens", with_commas(view.in.tokens)},
                                        {"k", codec_label(view.codecs.k)},
                                        {"v", codec_label(view.codecs.v)},
                                        {"page", with_commas(view.in.block_size)},
                                        {"cards", budget.cards}});
    out += "\n";
    if (view.in.window > 0)
        out += fill(text["copy.window"_t], {{"n", with_commas(view.in.window)}}) + "\n";
    if (view.split.cards() > 1)
        out += fill(text["copy.ranks"_t], {{"ranks", with_commas(view.split.ranks)},
                                           {"stages", with_commas(view.split.stages)}}) +
               "\n";
    out += budget.sentence;
    if (!budget.advice.empty()) out += " " + budget.advice;
    return out + "\n";
}

// What the comparison bars and the segments of the device show.
std::string lists_text(const BillView& view, const BudgetPlan& budget, const Texts& text) {
    std::string out;
    for (const AttentionOption& option : view.attention)
        out += attention_label(option, text) + ": " + bytes_all_ways(option.kv_bytes) + "\n";
    out += "\n";
    for (const BudgetPart& part : budget.parts)
        out += part.label + ": " + bytes_all_ways(part.bytes) + "\n";
    return out;
}

}  // namespace

std::string bill_as_text(const BillInputs& bill, const Texts& text) {
    std::string why;
    const auto view = view_bill(bill, BillSide::Left, why);
    if (!view) return text.phrase(why) + "\n";
    const BudgetPlan budget = plan_budget(*view, text);
    std::string out = head_text(*view, budget, text);
    for (const Derived& result : view->results) out += "\n" + result_text(result, text);
    return out + "\n" + lists_text(*view, budget, text);
}

}  // namespace kv
