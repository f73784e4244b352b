#include <algorithm>

#include "app/cli/calc/print.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/cost/groups.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/cost/model/presets.hpp"

namespace kv {
namespace {

constexpr std::size_t kTableWidth = 96;
constexpr std::size_t kGroupWidth = 35, kGroupBytesWidth = 16;  // columns of groups_text

std::string left(std::string text, std::size_t width) {
    if (text.size() < width) text.append(width - text.size(), ' ');
    return text;
}

std::string right(const std::string& text, std::size_t width) {
    return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string count(u64 n, const std::string& one, const std::string& many) {
    return with_commas(n) + " " + (n == 1 ? one : many);
}

// "16.000" -> "16"
std::string without_zeros(std::string number) {
    if (number.find('.') == std::string::npos) return number;
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
    return number;
}

struct Row {
    std::string_view name, label;
};
constexpr Row kRows[] = {{"bytes_per_token", "bytes per token"},
                         {"effective_bits", "effective bits per element"},
                         {"bytes_per_block", "bytes per block"},
                         {"kv_bytes", "cache (KV)"},
                         {"kv_bytes_per_layer", "cache in one layer"},
                         {"all_full_bytes", "were all layers full"},
                         {"prefill_peak_bytes", "peak while the prompt runs"},
                         {"rank_bytes", "cache on the fullest card"},
                         {"ranks_total_bytes", "cache on all cards"},
                         {"sequences_fit", "such sequences that fit"},
                         {"longest_text", "longest text that fits"},
                         {"blocks_per_sequence", "blocks per sequence"},
                         {"blocks", "blocks"},
                         {"tokens_capacity", "tokens the pool holds"},
                         {"sequences_capacity", "sequences the pool holds"},
                         {"fits", "fits"},
                         {"parameters", "parameters"},
                         {"active_parameters", "of these active per token"},
                         {"weight_bytes", "weights"},
                         {"crossover_tokens", "tokens until cache = weights"},
                         {"step_time_s", "time of a decode step"},
                         {"kv_share", "cache's share of the step"},
                         {"intensity", "intensity of attention"},
                         {"ridge", "ridge of the device"}};

// "512 KiB" and "524,288 B"; the second is empty where the first is exact as it stands.
struct Shown {
    std::string human, exact;
};

Shown shown_value(const Derived& result) {
    if (std::holds_alternative<bool>(result.value)) return {result.yes() ? "yes" : "no", ""};
    if (result.name == "kv_share") return {significant(100 * result.real(), 3) + " %", ""};
    if (result.unit == "s") return {seconds_text(result.real()), ""};
    if (result.unit == "B") return {bytes_binary(result.whole()), bytes_exact(result.whole())};
    const std::string unit = result.unit.empty() ? "" : " " + result.unit;
    // Units that are counted stand in the plural: "blocks", "tokens", "sequences", "bits".
    if (std::holds_alternative<u64>(result.value) && unit.ends_with('s'))
        return {counted(result.whole(), unit.substr(1, unit.size() - 2)), ""};
    if (std::holds_alternative<u64>(result.value)) return {with_commas(result.whole()) + unit, ""};
    return {without_zeros(significant(result.real(), 5)) + unit, ""};
}

// Breaks at spaces, so that no name and no number is cut.
std::string wrapped(const std::string& text, std::size_t indent) {
    std::string out;
    std::size_t start = 0, room = kTableWidth - indent;
    while (text.size() - start > room) {
        std::size_t cut = text.rfind(' ', start + room);
        if (cut == std::string::npos || cut <= start) break;
        out += text.substr(start, cut - start) + "\n" + std::string(indent + 2, ' ');
        start = cut + 1;
        room = kTableWidth - indent - 2;
    }
    return out + text.substr(start);
}

// The formula, then the same with its numbers, on one line where both fit.
std::string formula(const Derived& result, std::size_t indent, const std::string& before) {
    const std::string numbers = spelled_out(result);
    const std::string names = before + result.expression;
    const std::string start(indent, ' ');
    if (numbers == result.expression) return start + names + "\n";
    if (indent + names.size() + 3 + numbers.size() <= kTableWidth) {
        return start + names + " = " + numbers + "\n";
    }
    return start + wrapped(names, indent) + "\n" + start + "= " + wrapped(numbers, indent + 2) +
           "\n";
}

bool has_row(std::string_view name) {
    return std::any_of(std::begin(kRows), std::end(kRows),
                       [name](const Row& row) { return row.name == name; });
}

// What the operands of a row are made of, unless they have a row of their own.
std::string unfolded(const Derived& result, const std::vector<Derived>& bill) {
    std::string out;
    for (const Operand& operand : result.operands) {
        const Derived* inner = find_result(bill, operand.name);
        if (!inner || inner == &result || has_row(inner->name)) continue;
        out += formula(*inner, 8, inner->name + " = ") + unfolded(*inner, bill);
    }
    return out;
}

// "  bytes per token    512 KiB    524,288 B", and below it how the number came about.
std::string row_text(const Row& row, const Derived& result, const std::vector<Derived>& bill,
                     bool quiet) {
    const Shown value = shown_value(result);
    std::string line = "  " + left(std::string(row.label), 29) + right(value.human, 22);
    if (!value.exact.empty()) line += right(value.exact, 26);
    line += "\n";
    if (quiet) return line;
    return line + formula(result, 6, "") + unfolded(result, bill);
}

std::string shape_line(const CalcInput& input) {
    const CacheShape& c = input.request.cache;
    std::string line = count(c.n_layers(), "layer", "layers");
    if (!is_latent(c) && count_head_layers(c) == 0) return line + ", none of which attends";
    if (input.request.n_heads)
        line += ", " + count(*input.request.n_heads, "query head", "query heads");
    if (const LatentCache* latent = latent_layer(c)) {
        return line + ", a latent vector of " + std::to_string(latent->d_c) + " + " +
               std::to_string(latent->d_rope) + " elements per layer";
    }
    line +=
        ", " + count(c.n_kv_heads, "KV head", "KV heads") + ", head_dim " + std::to_string(c.d_k);
    if (c.d_v != c.d_k) line += " and " + std::to_string(c.d_v);
    return line;
}

std::string settings_line(const CalcInput& input) {
    const BillRequest& r = input.request;
    std::string line = "keys " + codec_name(r.codecs.k) + ", values " + codec_name(r.codecs.v) +
                       ", blocks of " + count(r.block_size, "token", "tokens");
    if (r.tokens) {
        line += ", " + count(r.batch, "sequence", "sequences") + " of " +
                count(*r.tokens, "token", "tokens");
    }
    return line;
}

std::string size_line(const char* what, const std::optional<ByteSize>& size) {
    if (!size) return "";
    return std::string(what) + " " + size->spelled + " = " + bytes_exact(size->bytes) +
           (size->unit == UnitSystem::Binary ? " (powers of 1,024)\n" : " (powers of 1,000)\n");
}

// A model whose layers are all alike needs no row that says so.
bool says_something(std::string_view name, const CalcInput& input, const Derived& result) {
    const bool alike =
        cache_groups(input.request.cache).size() == 1 && !is_windowed(input.request.cache);
    if (name == "all_full_bytes" || name == "prefill_peak_bytes") return !alike;
    if (name != "active_parameters") return true;
    return active_parameters(*input.request.model) < parameter_count(*input.request.model) &&
           !result.operands.empty();
}

// "  24 window layers of 512 tokens     1.5 MiB     at most 1.5 MiB a sequence"
std::string groups_text(const CalcInput& input) {
    const BillRequest& r = input.request;
    const std::vector<CacheGroup> groups = cache_groups(r.cache);
    if (groups.size() < 2 && !is_windowed(r.cache)) return "";
    std::string out;
    for (const CacheGroup& group : groups) {
        std::string what =
            count(group.n_layers(), "layer", "layers") + ", " + std::string(group.kind());
        if (const auto window = group.window()) what += " of " + count(*window, "token", "tokens");
        std::string line = "  " + left(what, kGroupWidth);
        line += right(
            r.tokens ? bytes_binary(group_bytes(r.cache, group, r.codecs, *r.tokens, r.batch))
                     : bytes_binary(group_bytes_per_token(r.cache, group, r.codecs)) + "/token",
            kGroupBytesWidth);
        const auto ceiling = group_ceiling(r.cache, group, r.codecs);
        line += ceiling ? "   never more than " + bytes_binary(*ceiling) + " a sequence"
                        : "   grows with every token";
        if (group.kind() == "shared")
            line =
                line.substr(0, 2 + kGroupWidth + kGroupBytesWidth) + "   reads an earlier layer's";
        out += line + "\n";
    }
    return out + "\n";
}

// What further options would have answered.
std::string hints(const CalcInput& input, const std::vector<Derived>& bill) {
    const BillRequest& r = input.request;
    std::string wanted;
    const auto add = [&](bool missing, const char* option) {
        if (missing) wanted += (wanted.empty() ? "" : " ") + std::string(option);
    };
    add(!r.tokens, "--tokens");
    add(!r.pool, "--pool");
    add(!find_result(bill, "weight_bytes"), "--weights");
    add(!r.n_heads, "--heads");
    add(!r.bandwidth, "--bandwidth");
    add(!r.flops, "--flops");
    return wanted.empty() ? "" : "\nMore can be computed with " + wanted + ".\n";
}

}  // namespace

std::string calc_table(const CalcInput& input, const std::vector<Derived>& bill, bool quiet) {
    std::string out =
        shown(input.title) + "\n" + shape_line(input) + "\n" + settings_line(input) + "\n";
    out += size_line("pool", input.pool_size) + size_line("weights", input.weight_size) +
           size_line("device memory", input.device_size) + "\n";
    out += groups_text(input);
    for (const Row& row : kRows) {
        const Derived* result = find_result(bill, row.name);
        if (result && says_something(row.name, input, *result)) {
            out += row_text(row, *result, bill, quiet);
        }
    }
    if (quiet) return out;
    for (const std::string& note : input.notes) out += "\n" + wrapped(note, 0) + "\n";
    return out + hints(input, bill);
}

std::string presets_table() {
    std::string out;
    for (const std::string_view name : preset_names()) {
        const ModelShape shape = *preset(name);
        const std::string heads =
            is_latent(shape.cache)
                ? std::to_string(shape.n_heads) + "/MLA"
                : std::to_string(shape.n_heads) + "/" + std::to_string(shape.cache.n_kv_heads);
        out += left(std::string(name), 23) + left(count(shape.n_layers(), "layer", "layers"), 11) +
               left(heads + " heads", 15) +
               left("head_dim " + std::to_string(shape.cache.d_k), 14) +
               left(bytes_binary(bytes_per_token(shape.cache, {})) + "/token", 18) +
               with_commas(parameter_count(shape)) + " parameters\n";
    }
    return out;
}

}  // namespace kv
