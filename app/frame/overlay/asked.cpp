#include "app/frame/overlay/asked.hpp"

#include <algorithm>
#include <array>

namespace kv {
namespace {

struct Asked {
    CommandId command;
    TextId what;
};
constexpr std::array kAsked = std::to_array<Asked>({
    {"file.open_scene", "asked.scene"_t},
    {"file.save_scene", "asked.new_scene"_t},
    {"file.open_model", "asked.folder"_t},
    {"file.open_config", "asked.config"_t},
    {"theme", "asked.theme"_t},
    {"text.scale", "asked.scale"_t},
    {"panel.show", "asked.panel"_t},
    {"run.goto", "asked.step"_t},
    {"run.until", "asked.until"_t},
    {"run.model", "asked.model"_t},
    {"run.set", "asked.set"_t},
    {"run.do", "asked.do"_t},
    {"run.add", "asked.add"_t},
    {"start.sentence", "asked.add"_t},
    {"race.workload", "asked.race.workload"_t},
    {"race.fault", "asked.race.fault"_t},
    {"race.rule", "asked.race.rule"_t},
    {"run.fork", "asked.request"_t},
    {"run.branch", "asked.branch"_t},
    {"run.compare", "asked.compare"_t},
    {"focus.request", "asked.request"_t},
    {"select.address", "asked.address"_t},
    {"price.add", "asked.price"_t},
    {"lesson.open", "asked.lesson"_t},
    {"bill.model", "asked.known_model"_t},
    {"bill.kv_heads", "asked.kv_heads"_t},
    {"bill.k_codec", "asked.codec"_t},
    {"bill.v_codec", "asked.codec"_t},
    {"bill.tokens", "asked.tokens"_t},
    {"bill.batch", "asked.requests"_t},
    {"bill.block_size", "asked.page"_t},
    {"bill.window", "asked.window"_t},
    {"bill.device", "asked.memory"_t},
    {"bill.cards", "asked.cards"_t},
    {"other.model", "asked.known_model"_t},
    {"other.kv_heads", "asked.kv_heads"_t},
    {"other.k_codec", "asked.codec"_t},
    {"other.v_codec", "asked.codec"_t},
    {"export.picture", "asked.picture"_t},
    {"export.drawing", "asked.picture"_t},
    {"export.panel", "asked.panel_file"_t},
    {"export.table", "asked.table"_t},
    {"export.copy", "asked.panel"_t},
    {"export.film", "asked.steps"_t},
});

}  // namespace

std::optional<TextId> asked_value(CommandId command) {
    const auto asked = std::find_if(kAsked.begin(), kAsked.end(),
                                    [&](const Asked& a) { return a.command == command; });
    if (asked == kAsked.end()) return std::nullopt;
    return asked->what;
}

Text asked_words(const Texts& text, std::string_view command) {
    const CommandId id = find_command(command)->id;
    const Text label = text[id.label()];
    const auto what = asked_value(id);
    if (!what) return fill(text["palette.argument"_t], {{"command", label}});
    return fill(text["asked.with"_t], {{"command", label}, {"what", text[*what]}});
}

}  // namespace kv
