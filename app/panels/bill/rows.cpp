#include <array>
#include <cctype>

#include "app/panels/bill/view.hpp"
#include "core/base/letters.hpp"
#include "core/base/numbers/decimal.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

std::string count_text(const Texts& text, TextId one, TextId many, u64 n) {
    return fill(text[n == 1 ? one : many], {{"n", with_commas(n)}});
}

// A row of bytes: its value is that of the result.
BillRow bytes_row(const BillView& view, std::string_view result, std::string label,
                  std::string detail) {
    return {result, std::move(label), std::move(detail), view.bytes(result)};
}

std::string sides_detail(const BillView& view, const Texts& text) {
    const CacheShape& cache = view.shape.cache;
    const u64 k = side_bytes_per_token(cache, view.codecs, Side::K);
    const u64 v = side_bytes_per_token(cache, view.codecs, Side::V);
    if (v == 0) return text["calc.row.latent"_t];
    return fill(text["calc.row.sides"_t], {{"k", view.bytes(k)}, {"v", view.bytes(v)}});
}

std::string weights_detail(const BillView& view, const Texts& text) {
    return fill(text["calc.row.parameters"_t],
                {{"n", with_commas(view.whole("parameters"))},
                 {"type", upper_case(name_of(view.shape.weight_type))}});
}

// "2 of 8 KV heads, 20 of 80 layers; copies in all: 10 GiB"
std::string card_detail(const BillView& view, const Texts& text) {
    const u64 heads = view.shape.cache.n_kv_heads;
    const bool has_heads = count_head_layers(view.shape.cache) > 0;
    std::string detail = fill(text[has_heads ? "calc.row.rank_heads"_t : "calc.row.rank_layers"_t],
                              {{"heads", with_commas(view.card.n_kv_heads)},
                               {"all_heads", with_commas(heads)},
                               {"layers", with_commas(view.card.n_layers())},
                               {"all_layers", with_commas(view.shape.n_layers())}});
    const u64 all = view.whole("ranks_total_bytes"), once = view.whole("kv_bytes");
    if (all > once)
        detail += fill(text["calc.row.rank_copies"_t], {{"bytes", view.bytes(all - once)}});
    return detail;
}

BillRow device_row(const BillView& view, const Texts& text) {
    const DeviceUse& device = view.device;
    BillRow row =
        bytes_row(view, "used_bytes", text["calc.row.device"_t],
                  fill(text["calc.row.device_of"_t], {{"bytes", view.bytes(device.capacity)}}));
    row.loss = !device.fits();
    return row;
}

BillRow room_row(const BillView& view, const Texts& text) {
    if (view.find("kv_budget_bytes") == nullptr) {
        BillRow none{{}, text["calc.row.room"_t], text["calc.row.room_none"_t], view.bytes(u64{0})};
        none.loss = true;
        return none;
    }
    return bytes_row(
        view, "kv_budget_bytes", text["calc.row.room"_t],
        count_text(text, "calc.one_token"_t, "calc.tokens_n"_t, view.whole("room_tokens")));
}

// Digits with commas; other characters as they are. "16384.5" -> "16,384.5".
std::string with_grouped_digits(std::string_view text) {
    const auto is_number = [](char c) {
        return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
    };
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_number(text[end])) ++end;
        if (end == at) {
            out += text[at++];
            continue;
        }
        out += group_thousands(std::string(text.substr(at, end - at)));
        at = end;
    }
    return out;
}

// " * " and its kind as they are printed, not typed.
std::string with_signs(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kSigns{
        {{" * ", " × "}, {" / ", " ÷ "}, {" - ", " − "}, {" <= ", " ≤ "}}};
    std::string out(text);
    for (const auto& [typed, printed] : kSigns) {
        for (std::size_t at = out.find(typed); at != std::string::npos; at = out.find(typed, at)) {
            out.replace(at, typed.size(), printed);
            at += printed.size() - 1;
        }
    }
    return out;
}

std::string real_text(double value, std::string_view unit) {
    if (unit == "B/s") return rate_text(value);
    if (unit == "FLOP/s") return flops_text(value);
    if (unit == "s") return seconds_text(value);
    const Decimal number = without_trailing_zeros(round_to_digits(value, 4));
    std::string text = group_thousands(plain_text(number));
    if (!unit.empty()) text += " " + std::string(unit);
    return text;
}

}  // namespace

std::vector<BillRow> bill_rows(const BillView& view, const Texts& text) {
    std::vector<BillRow> rows;
    rows.push_back(
        bytes_row(view, "bytes_per_token", text["calc.row.token"_t], sides_detail(view, text)));
    rows.push_back(
        bytes_row(view, "bytes_per_block", text["calc.row.page"_t],
                  count_text(text, "calc.one_token"_t, "calc.tokens_n"_t, view.in.block_size)));
    rows.push_back(
        bytes_row(view, "request_bytes", text["calc.row.request"_t],
                  count_text(text, "calc.one_token"_t, "calc.tokens_n"_t, view.in.tokens)));
    rows.push_back(
        bytes_row(view, "kv_bytes", text["calc.row.cache"_t],
                  count_text(text, "calc.one_request"_t, "calc.requests_n"_t, view.in.batch)));
    rows.back().strong = true;
    if (view.split.cards() > 1)
        rows.push_back(
            bytes_row(view, "rank_bytes", text["calc.row.rank"_t], card_detail(view, text)));
    rows.push_back(
        bytes_row(view, "weight_bytes", text["calc.row.weights"_t], weights_detail(view, text)));
    rows.push_back(device_row(view, text));
    rows.push_back(room_row(view, text));
    return rows;
}

std::vector<BillRow> extra_rows(const BillView& view, const Texts& text) {
    std::vector<BillRow> rows;
    if (view.held) {
        rows.push_back(
            bytes_row(view, "allocated_bytes", text["calc.row.allocated"_t],
                      count_text(text, "calc.one_page"_t, "calc.pages_n"_t, view.held->blocks)));
    }
    const auto add = [&](std::string_view result, TextId label, std::string detail) {
        const Derived& derived = view.at(result);
        rows.push_back(
            {result, text[label], std::move(detail), value_text(derived.value, derived.unit)});
    };
    add("sequences_fit", "calc.row.fit"_t,
        count_text(text, "calc.fit_one_token"_t, "calc.fit_tokens_n"_t, view.in.tokens));
    if (view.find("longest_text") != nullptr)
        add("longest_text", "calc.row.longest"_t,
            count_text(text, "calc.fit_one_request"_t, "calc.fit_requests_n"_t, view.in.batch));
    add("effective_bits", "calc.row.bits"_t, text["calc.row.bits_why"_t]);
    // Once a window is full the cache stops growing, and then there may be no such point.
    if (!is_windowed(view.shape.cache))
        add("crossover_tokens", "calc.row.crossover"_t, text["calc.row.crossover_why"_t]);
    if (view.find("first_token_s") != nullptr)
        add("first_token_s", "calc.row.first"_t,
            fill(text["calc.row.first_why"_t],
                 {{"n", count_text(text, "calc.one_token"_t, "calc.tokens_n"_t, view.in.tokens)},
                  {"rate", flops_text(view.in.flops)}}));
    add("step_time_s", "calc.row.step"_t,
        fill(text["calc.row.step_why"_t], {{"rate", rate_text(view.in.bandwidth)}}));
    add("kv_share", "calc.row.share"_t, {});
    rows.back().value = fixed(100 * view.at("kv_share").real(), 1) + " %";
    return rows;
}

std::string value_text(const Value& value, std::string_view unit) {
    if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
    if (const double* real = std::get_if<double>(&value)) return real_text(*real, unit);
    const u64 whole = std::get<u64>(value);
    std::string text = with_commas(whole);
    if (!unit.empty()) text += " " + std::string(unit);
    // Units are plural words or short symbols: "1 sequence", but "1 B".
    if (whole == 1 && unit.size() > 2 && unit.back() == 's') text.pop_back();
    return text;
}

std::string pretty_expression(const Derived& result) {
    return with_signs(result.expression);
}

std::string pretty_numbers(const Derived& result) {
    return with_grouped_digits(with_signs(spelled_out(result)));
}

}  // namespace kv
