#include "app/frame/overlay/asked.hpp"

#include <algorithm>
#include <array>

#include "core/base/error.hpp"

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
    {"file.read_as", "asked.read_as"_t},
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
    {"attach.file", "asked.recording"_t},
    {"attach.rank", "asked.index"_t},
    {"attach.rank_beside", "asked.index"_t},
    {"attach.group", "asked.index"_t},
    {"attach.against", "asked.attach.against"_t},
    {"attach.order", "asked.attach.order"_t},
    {"attach.select", "asked.number"_t},
    {"attach.step", "asked.attach.step"_t},
    {"attach.goto", "asked.seconds"_t},
    {"attach.record", "asked.new_recording"_t},
    {"attach.tokenizer", "asked.tokenizer"_t},
    {"race.workload", "asked.race.workload"_t},
    {"race.fault", "asked.race.fault"_t},
    {"race.rule", "asked.race.rule"_t},
    {"whatif.file", "asked.whatif.file"_t},
    {"whatif.codec", "asked.whatif.codec"_t},
    {"whatif.view", "asked.whatif.view"_t},
    {"whatif.model", "asked.whatif.model"_t},
    {"whatif.card", "asked.whatif.card"_t},
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
    {"bill.ranks", "asked.ranks"_t},
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
    {"run.step", "asked.size"_t},
    {"run.speed", "asked.speed"_t},
    {"run.moment", "asked.number"_t},
    {"price.text", "asked.price_text"_t},
    {"price.scale", "asked.price_scale"_t},
    {"select.token", "asked.index"_t},
    {"select.block", "asked.index"_t},
    {"select.layer", "asked.index"_t},
    {"select.kv_head", "asked.index"_t},
    {"select.query_head", "asked.index"_t},
    {"select.dim", "asked.index"_t},
    {"mark.tokens", "asked.marked"_t},
    {"lesson.say", "asked.said"_t},
    {"lesson.answer", "asked.answer"_t},
    {"lesson.another", "asked.exercise"_t},
    {"race.requests", "asked.number"_t},
    {"race.seed", "asked.number"_t},
    {"race.goto", "asked.number"_t},
    {"race.speed", "asked.number"_t},
    {"whatif.today", "asked.number"_t},
    {"whatif.host", "asked.number"_t},
    {"whatif.share", "asked.number"_t},
    {"whatif.link", "asked.number"_t},
    {"start.step", "asked.number"_t},
});

using Words = std::string_view;
constexpr std::array<Words, 8> kUntil{"copy",  "free", "evict",   "share",
                                      "admit", "B",    "block 7", "finish"};
constexpr std::array<Words, 3> kFilm{"1..20", "20..40", "1..20 steps.mp4"};
constexpr std::array<Words, 5> kBranch{"set share off", "set evict window:32", "stop A", "fork A",
                                       "clear"};
constexpr std::array<Words, 6> kCompare{"full",         "model mqa",       "share off",
                                        "k_codec int8", "evict window:32", "block_size 4"};
constexpr std::array<Words, 5> kSet{"block_size 8", "k_codec int8", "v_codec int4",
                                    "evict window:32", "share off"};
constexpr std::array<Words, 4> kDo{"stop A", "pause A", "resume A", "clear"};
constexpr std::array<Words, 4> kReadAs{"rank 1", "group 1", "hits announced", "pool 4096"};
constexpr std::array<Words, 3> kPrice{"int8", "int4", "bf16 window:48"};
constexpr std::array<Words, 3> kRunModels{"gqa", "mha", "mqa"};
constexpr std::array<Words, 4> kSizes{"iteration", "token", "layer", "operation"};

constexpr std::array<Words, 3> kWhatIf{"pool", "block_size", "order"};

struct Examples {
    Words command;
    std::span<const Words> values;
};
constexpr std::array<Examples, 11> kExamples{{{"run.until", kUntil},
                                              {"file.read_as", kReadAs},
                                              {"export.film", kFilm},
                                              {"run.branch", kBranch},
                                              {"run.compare", kCompare},
                                              {"run.set", kSet},
                                              {"run.do", kDo},
                                              {"price.add", kPrice},
                                              {"run.model", kRunModels},
                                              {"run.step", kSizes},
                                              {"whatif.view", kWhatIf}}};

}  // namespace

std::optional<TextId> asked_value(CommandId command) {
    const auto asked = std::find_if(kAsked.begin(), kAsked.end(),
                                    [&](const Asked& a) { return a.command == command; });
    if (asked == kAsked.end()) return std::nullopt;
    return asked->what;
}

std::span<const std::string_view> example_values(std::string_view command) {
    const auto found = std::find_if(kExamples.begin(), kExamples.end(),
                                    [&](const Examples& e) { return e.command == command; });
    return found == kExamples.end() ? std::span<const Words>() : found->values;
}

Text asked_words(const Texts& text, std::string_view command) {
    const CommandId id = find_command(command)->id;
    const Text label = text[id.label()];
    const auto what = asked_value(id);
    KV_ASSERT(what);
    return fill(text["asked.with"_t], {{"command", label}, {"what", text[*what]}});
}

}  // namespace kv
