// The switches of a run. Each row shows what it is now and what follows from it; choosing another
// value plays the scene again with it, up to the same step.

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <string_view>

#include "app/panels/bill/calculator/parts.hpp"
#include "app/panels/bill/view.hpp"
#include "app/panels/policy/choice.hpp"
#include "app/panels/timeline/panels.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/controls.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"
#include "core/base/reused_text.hpp"
#include "core/model/model_source.hpp"

namespace kv {
namespace {

std::string bytes_text(std::uint64_t bytes) {
    return bytes_binary(bytes);
}

// What the setting takes, or what is shown of it; the words are kept by somebody else.
using Words = List<std::string_view>;

// One setting as a row of choices.
struct SwitchRow {
    const char* setting;
    TextId label;
    Words values, labels;
    Text consequence;
};

std::string_view setting_of(const RunView& run, std::string_view name) {
    const auto found = std::find_if(run.settings.begin(), run.settings.end(),
                                    [name](const auto& setting) { return setting.first == name; });
    return found == run.settings.end() ? std::string_view{} : std::string_view(found->second);
}

void draw_switch(const Ui& ui, const RunView& run, SwitchRow row) {
    const std::string_view now = setting_of(run, row.setting);
    auto chosen = std::find(row.values.begin(), row.values.end(), now) - row.values.begin();
    // A value that is none of the usual ones is shown beside them.
    if (chosen == static_cast<std::ptrdiff_t>(row.values.size()) && !now.empty()) {
        row.values.push_back(now);
        row.labels.push_back(now);
    }
    control_head(ui, ui.text[row.label], row.consequence);
    if (const auto next = choice(ui, row.setting, row.labels, static_cast<std::size_t>(chosen)))
        ui.out.push("run.set", std::string(row.setting) + " " + std::string(row.values[*next]));
    space(ui, kBetweenControls);
}

void draw_models(const Ui& ui, const RunView& run) {
    struct Sibling {
        const char* name;
        const char* label;
    };
    constexpr std::array<Sibling, 3> kSiblings{
        {{"mha", "MHA 8"}, {"gqa", "GQA 2"}, {"mqa", "MQA 1"}}};
    const ModelSource source = parse_model_source(run.model_name);
    Words labels;
    std::size_t chosen = kSiblings.size();
    for (std::size_t i = 0; i < kSiblings.size(); ++i) {
        labels.push_back(kSiblings[i].label);
        if (source.name == kSiblings[i].name) chosen = i;
    }
    if (chosen == kSiblings.size()) labels.push_back(source.name);
    control_head(
        ui, ui.text["set.attention"_t],
        fill(ui.text["set.per_token"_t], {{"bytes", bytes_text(bytes_per_token(run.layout))}}));
    const auto next = choice(ui, "model", labels, chosen);
    if (next && *next < kSiblings.size())
        ui.out.push("run.model", std::string(kSiblings[*next].name));
    space(ui, kBetweenControls);
}

// The same model with fewer KV heads, each the mean of several, and no training behind it.
void draw_fold(const Ui& ui, const RunView& run) {
    const std::uint64_t stored = run.stored_kv_heads, now = run.model.n_kv_heads;
    if (stored < 2) return;
    List<std::string> labels;
    List<std::uint64_t> heads;
    std::size_t chosen = 0;
    for (std::uint64_t n = stored; n >= 1; --n) {
        if (stored % n != 0) continue;
        if (n == now) chosen = heads.size();
        heads.push_back(n), labels.push_back(with_commas(n));
    }
    control_head(ui, ui.text["set.fold"_t],
                 now == stored
                     ? Text(ui.text["set.fold.none"_t])
                     : fill(ui.text["set.fold.mean"_t], {{"n", with_commas(stored / now)}}));
    const Words views(labels.begin(), labels.end());
    const auto next = choice(ui, "fold", views, chosen);
    space(ui, kBetweenControls);
    if (!next) return;
    ModelSource source = parse_model_source(run.model_name);
    source.kv_heads.reset();
    if (heads[*next] != stored) source.kv_heads = heads[*next];
    ui.out.push("run.model", source.written());
}

Text side_bytes(const Ui& ui, const RunView& run, Side side) {
    const KvVector& vector = run.layout.vector(side);
    const std::uint64_t bytes =
        std::uint64_t{run.layout.n_layers} * run.layout.n_kv_heads * vector.bytes;
    Text each = fill(ui.text["set.per_token"_t], {{"bytes", bytes_text(bytes)}});
    if (vector.bytes * 8 == vector.dim * vector.element_bits) return each;
    const double bits = 8.0 * vector.bytes / vector.dim;  // with the scales
    return fill(ui.text["set.with_bits"_t], {{"bytes", each}, {"bits", fixed(bits, 1)}});
}

void draw_storage(const Ui& ui, const RunView& run) {
    Words codecs, labels;
    for (const CodecOption& option : kCodecOptions) {
        codecs.push_back(option.name);
        labels.push_back(option.label);
    }
    draw_switch(ui, run, {"k_codec", "set.k"_t, codecs, labels, side_bytes(ui, run, Side::K)});
    draw_switch(ui, run, {"v_codec", "set.v"_t, codecs, labels, side_bytes(ui, run, Side::V)});
    const Words sizes{"4", "8", "16", "32"};
    draw_switch(
        ui, run,
        {"block_size", "set.page"_t, sizes, sizes,
         fill(ui.text["set.per_block"_t], {{"bytes", bytes_text(bytes_per_block(run.layout))}})});
    draw_switch(
        ui, run,
        {"pool",
         "set.pool"_t,
         {"24blocks", "48blocks", "96blocks", "1024blocks"},
         {"24", "48", "96", "1,024"},
         fill(ui.text["set.pool.bytes"_t], {{"bytes", bytes_text(run.layout.pool_bytes())}})});
    const bool by_token = run.layout.order == KvOrder::TokenMajor;
    draw_switch(ui, run,
                {"order",
                 "set.order"_t,
                 {"token_major", "head_major"},
                 {ui.text["set.order.token"_t], ui.text["set.order.head"_t]},
                 ui.text[by_token ? "set.order.token.why"_t : "set.order.head.why"_t]});
}

void draw_eviction(const Ui& ui, const RunView& run) {
    const std::string_view found = setting_of(run, "evict"), now = found.empty() ? "none" : found;
    const auto row_of = [](TextId label, std::span<const PolicyOption> options) {
        SwitchRow row{"evict", label, {}, {}, {}};
        for (const PolicyOption& option : options)
            row.values.push_back(option.value), row.labels.push_back(option.label);
        return row;
    };
    const List<PolicyOption> policies = policy_options(now, ui.text);
    draw_switch(ui, run, row_of("set.evict"_t, policies));
    const List<PolicyOption> budgets = budget_options(now);
    if (budgets.empty()) return;
    ImGui::PushID("budget");
    const bool by_share = budgets.front().label.ends_with("%");
    draw_switch(ui, run, row_of(by_share ? "set.evict.share"_t : "set.evict.budget"_t, budgets));
    ImGui::PopID();
}

void draw_sharing(const Ui& ui, const RunView& run) {
    draw_switch(
        ui, run,
        {"share",
         "set.share"_t,
         {"full_blocks_only", "copy_on_write", "off"},
         {ui.text["set.share.full"_t], ui.text["set.share.copy"_t], ui.text["set.share.off"_t]},
         {}});
    draw_switch(ui, run,
                {"prefix_index",
                 "set.index"_t,
                 {"chain", "radix"},
                 {ui.text["set.index.chain"_t], ui.text["set.index.radix"_t]},
                 {}});
    const PoolCounts counts = count_pool(run.now);
    draw_switch(ui, run,
                {"host_blocks",
                 "set.host"_t,
                 {"0", "24", "96"},
                 {ui.text["set.host.none"_t], "24", "96"},
                 counts.host_blocks == 0
                     ? Text()
                     : Text(bytes_text(counts.host_blocks * bytes_per_block(run.layout)))});
    const bool keep = setting_of(run, "cold_blocks") == "host";
    if (toggle(ui, "cold", ui.text["set.cold"_t], keep))
        ui.out.push("run.set", std::string("cold_blocks ") + (keep ? "forget" : "host"));
    space(ui, kBetweenControls);
}

void draw_scheduler(const Ui& ui, const RunView& run, bool has_gpu) {
    const Words batch{"16", "38", "64", "512"}, running{"1", "2", "4", "8"};
    draw_switch(ui, run, {"max_batch_tokens", "set.batch"_t, batch, batch, {}});
    draw_switch(ui, run, {"max_running", "set.running"_t, running, running, {}});
    draw_switch(ui, run,
                {"preempt",
                 "set.preempt"_t,
                 {"recompute", "swap"},
                 {ui.text["set.preempt.recompute"_t], ui.text["set.preempt.swap"_t]},
                 {}});
    Words backends{"cpu", "reference"}, words{"CPU", "Reference"};
    if (has_gpu) {
        backends.emplace_back("cuda");
        words.emplace_back("GPU");
    }
    draw_switch(ui, run, {"backend", "set.backend"_t, backends, words, {}});
}

void draw_buttons(const Ui& ui, const RunView& run) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float gap = ui.px(8), width = std::floor((room_width() - gap) / 2);
    const float row = control_height(ui, true) + gap;
    const auto place = [&](float column, float line) {
        ImGui::SetCursorScreenPos({at.x + column * (width + gap), at.y + line * row});
    };
    place(0, 0);
    if (button(ui, "undo", ui.text["settings.undo"_t],
               {.enabled = run.can_undo, .dense = true, .width = width}))
        ui.out.push("run.undo_set");
    place(1, 0);
    if (button(ui, "redo", ui.text["settings.redo"_t],
               {.enabled = run.can_redo, .dense = true, .width = width}))
        ui.out.push("run.redo_set");
    place(0, 1);
    if (button(ui, "restart", ui.text["set.restart"_t], {.dense = true, .width = width}))
        ui.out.push("run.restart");
    place(1, 1);
    if (button(ui, "branch", ui.text["set.branch"_t],
               {.primary = true, .dense = true, .width = width}))
        ui.out.push("run.branch");
}

}  // namespace

void draw_run_settings(const Ui& ui, const RunView& run, bool has_gpu) {
    const TightSpacing tight;
    const float buttons = 2 * control_height(ui, true) + ui.px(8 + 10);
    const float room = std::max(ui.px(60), ImGui::GetContentRegionAvail().y - buttons);
    ImGui::BeginChild("switches", {0, room}, ImGuiChildFlags_None, ImGuiWindowFlags_NoBackground);
    draw_models(ui, run);
    draw_fold(ui, run);
    draw_storage(ui, run);
    draw_eviction(ui, run);
    draw_sharing(ui, run);
    draw_scheduler(ui, run, has_gpu);
    ImGui::EndChild();
    space(ui, 10);
    draw_buttons(ui, run);
}

}  // namespace kv
