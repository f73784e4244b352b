#include "core/lesson/language/value.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace kv {

LessonValue count_value(double n) {
    return Number{n, kCount};
}
LessonValue whole_value(u64 n) {
    return count_value(static_cast<double>(n));
}
LessonValue bytes_value(double n) {
    return Number{n, kBytes};
}
LessonValue whole_bytes(u64 n) {
    return bytes_value(static_cast<double>(n));
}
LessonValue seconds_value(double n) {
    return Number{n, kSeconds};
}
LessonValue flops_value(double n) {
    return Number{n, kFlops};
}

LessonValue whole_flops(u64 n) {
    return flops_value(static_cast<double>(n));
}
LessonValue counts_value(const std::vector<std::uint32_t>& counts) {
    LessonList list;
    list.reserve(counts.size());
    for (const std::uint32_t n : counts) list.push_back(count_value(n));
    return list;
}

std::string_view kind_of(const LessonValue& value) {
    if (value.plain<bool>() != nullptr) return "yes or no";
    if (value.plain<std::string>() != nullptr) return "a text";
    if (value.shared<LessonList>() != nullptr) return "a list";
    if (value.shared<LessonRecord>() != nullptr) return "a record";
    if (value.shared<ModelShape>() != nullptr) return "a model's shape";
    if (value.shared<QuotedFigure>() != nullptr) return "a quoted figure";
    const Dimension unit = value.plain<Number>()->unit;
    if (unit == kBytes) return "bytes";
    if (unit == kSeconds) return "seconds";
    if (unit == kFlops) return "FLOP";
    if (unit == kCount) return "a number";
    return "a number with a unit of its own";
}

bool same_value(const LessonValue& a, const LessonValue& b) {
    if (const auto* x = a.plain<bool>()) return b.plain<bool>() && *x == *b.plain<bool>();
    if (const auto* x = a.plain<std::string>())
        return b.plain<std::string>() && *x == *b.plain<std::string>();
    if (const auto* x = a.plain<Number>()) {
        const auto* y = b.plain<Number>();
        if (y == nullptr || !(x->unit == y->unit)) return false;
        return std::abs(x->value - y->value) <=
               1e-9 * std::max(std::abs(x->value), std::abs(y->value));
    }
    const auto *x = a.shared<LessonList>(), *y = b.shared<LessonList>();
    return x != nullptr && y != nullptr &&
           std::equal(x->begin(), x->end(), y->begin(), y->end(), same_value);
}

}  // namespace kv
