#pragma once
// How a number came about, unfolded: the expression, the same with numbers, and each operand with
// its unit and meaning. An operand that is itself a result unfolds in turn. Pure: no imgui.h.
//
// What is open is a path of names, "kv_bytes/bytes_per_token": one chain at a time.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/bill/view.hpp"

namespace kv {

enum class UnfoldKind : std::uint8_t { Expression, Numbers, Total, Operand };
struct UnfoldLine {
    UnfoldKind kind = UnfoldKind::Operand;
    int depth = 0;
    std::string text;          // the expression, or the operand's name
    std::string meaning = {};  // of an operand
    std::string value = {};
    std::string path = {};                  // of an operand that unfolds; else empty
    bool open = false;                      // it is unfolded beneath
    std::optional<BillFactor> factor = {};  // what pointing at it lights
};

// The lines of the result that `path` begins with, opened as far as `path` goes.
std::vector<UnfoldLine> unfold(const BillView& view, std::string_view path);

// Whether `path` leads to or through `node`, and what is open once `node` has been pressed.
bool is_open(const std::optional<std::string>& path, std::string_view node);
std::optional<std::string> toggled(const std::optional<std::string>& path, std::string_view node);

// "17,179,869,184 B = 16 GiB = 17.18 GB"
std::string bytes_all_ways(u64 bytes);

}  // namespace kv
