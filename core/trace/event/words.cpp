#include "core/trace/event/words.hpp"

#include <array>

#include "core/base/names.hpp"

namespace kv {
namespace {

constexpr std::array<std::string_view, 5> kFinishes{"length", "stop_token", "stop_text", "refused",
                                                    "stopped"};
constexpr std::array<std::string_view, 3> kMedia{"device", "host", "file"};
constexpr std::array<std::string_view, 9> kOps{"embed",  "project", "rotate", "append", "attend",
                                               "output", "mlp",     "logits", "sample"};

}  // namespace

std::string_view name_of(Finish finish) {
    return name_in(kFinishes, finish);
}
std::string_view name_of(Medium medium) {
    return name_in(kMedia, medium);
}
std::string_view name_of(Op op) {
    return name_in(kOps, op);
}
std::optional<Finish> finish_named(std::string_view name) {
    return named_in<Finish>(kFinishes, name);
}
std::optional<Medium> medium_named(std::string_view name) {
    return named_in<Medium>(kMedia, name);
}
std::optional<Op> op_named(std::string_view name) {
    return named_in<Op>(kOps, name);
}

}  // namespace kv
