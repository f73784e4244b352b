#include "app/panels/bill/calculator/unfold.hpp"

#include <algorithm>
#include <array>

#include "core/base/error.hpp"

namespace kv {
namespace {

struct FactorName {
    std::string_view operand;
    BillFactor factor;
};
constexpr std::array<FactorName, 11> kFactorNames{{{"n_layers", BillFactor::Layers},
                                                   {"full_layers", BillFactor::Layers},
                                                   {"window_layers", BillFactor::Layers},
                                                   {"latent_layers", BillFactor::Layers},
                                                   {"n_kv_heads", BillFactor::KvHeads},
                                                   {"head_dim", BillFactor::HeadDim},
                                                   {"d_k", BillFactor::HeadDim},
                                                   {"d_v", BillFactor::HeadDim},
                                                   {"element_bytes", BillFactor::ValueBytes},
                                                   {"tokens", BillFactor::Tokens},
                                                   {"batch", BillFactor::Requests}}};

std::optional<BillFactor> counted_factor(std::string_view operand) {
    const auto row = std::find_if(kFactorNames.begin(), kFactorNames.end(),
                                  [operand](const FactorName& f) { return f.operand == operand; });
    return row == kFactorNames.end() ? std::nullopt : std::optional(row->factor);
}

std::string total_text(const Derived& result) {
    const u64* whole = std::get_if<u64>(&result.value);
    if (whole != nullptr && result.unit == "B") return "= " + bytes_all_ways(*whole);
    return "= " + value_text(result.value, result.unit);
}

// The first name of a path, and what comes after it.
std::pair<std::string_view, std::string_view> split(std::string_view path) {
    const std::size_t slash = path.find('/');
    if (slash == std::string_view::npos) return {path, {}};
    return {path.substr(0, slash), path.substr(slash + 1)};
}

UnfoldLine plain_line(UnfoldKind kind, int depth, std::string text) {
    return {.kind = kind, .depth = depth, .text = std::move(text)};
}

UnfoldLine operand_line(const Operand& operand, int depth, std::string path, bool open) {
    return {.kind = UnfoldKind::Operand,
            .depth = depth,
            .text = operand.name,
            .meaning = operand.meaning,
            .value = value_text(operand.value, operand.unit),
            .path = std::move(path),
            .open = open,
            .factor = counted_factor(operand.name)};
}

void unfold_into(const BillView& view, const Derived& result, std::string_view rest,
                 const std::string& so_far, int depth, std::vector<UnfoldLine>& lines) {
    lines.push_back(plain_line(UnfoldKind::Expression, depth, pretty_expression(result)));
    lines.push_back(plain_line(UnfoldKind::Numbers, depth, "= " + pretty_numbers(result)));
    lines.push_back(plain_line(UnfoldKind::Total, depth, total_text(result)));
    const auto [next, after] = split(rest);
    for (const Operand& operand : result.operands) {
        const Derived* deeper = view.find(operand.name);
        const bool more = deeper != nullptr && deeper != &result;
        const std::string path = more ? so_far + "/" + operand.name : std::string();
        const bool open = more && operand.name == next;
        lines.push_back(operand_line(operand, depth, path, open));
        if (open) unfold_into(view, *deeper, after, path, depth + 1, lines);
    }
}

}  // namespace

std::vector<UnfoldLine> unfold(const BillView& view, std::string_view path) {
    const auto [first, rest] = split(path);
    std::vector<UnfoldLine> lines;
    unfold_into(view, view.at(first), rest, std::string(first), 0, lines);
    return lines;
}

bool is_open(const std::optional<std::string>& path, std::string_view node) {
    if (!path || path->compare(0, node.size(), node) != 0) return false;
    return path->size() == node.size() || (*path)[node.size()] == '/';
}

std::optional<std::string> toggled(const std::optional<std::string>& path, std::string_view node) {
    if (!is_open(path, node)) return std::string(node);
    const std::size_t slash = node.rfind('/');
    if (slash == std::string_view::npos) return std::nullopt;
    return std::string(node.substr(0, slash));
}

std::string bytes_all_ways(u64 bytes) {
    std::string text = bytes_exact(bytes);
    if (bytes >= 1000) text += " = " + bytes_binary(bytes) + " = " + bytes_decimal(bytes);
    return text;
}

}  // namespace kv
