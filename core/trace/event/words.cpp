#include "core/trace/event/words.hpp"

#include <algorithm>
#include <array>

#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr std::array<std::string_view, 5> kFinishes{"length", "stop_token", "stop_text", "refused",
                                                    "stopped"};
constexpr std::array<std::string_view, 3> kMedia{"device", "host", "file"};
constexpr std::array<std::string_view, 9> kOps{"embed",  "project", "rotate", "append", "attend",
                                               "output", "mlp",     "logits", "sample"};

template <std::size_t N, class Enum>
std::string_view word(const std::array<std::string_view, N>& words, Enum value) {
    KV_ASSERT(static_cast<std::size_t>(value) < N);
    return words[static_cast<std::size_t>(value)];
}

template <class Enum, std::size_t N>
std::optional<Enum> named(const std::array<std::string_view, N>& words, std::string_view name) {
    const auto found = std::find(words.begin(), words.end(), name);
    if (found == words.end()) return std::nullopt;
    return static_cast<Enum>(found - words.begin());
}

}  // namespace

std::string_view name_of(Finish finish) {
    return word(kFinishes, finish);
}
std::string_view name_of(Medium medium) {
    return word(kMedia, medium);
}
std::string_view name_of(Op op) {
    return word(kOps, op);
}
std::optional<Finish> finish_named(std::string_view name) {
    return named<Finish>(kFinishes, name);
}
std::optional<Medium> medium_named(std::string_view name) {
    return named<Medium>(kMedia, name);
}
std::optional<Op> op_named(std::string_view name) {
    return named<Op>(kOps, name);
}

}  // namespace kv
