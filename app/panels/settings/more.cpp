#include "app/panels/settings/more.hpp"

#include <array>
#include <string>

#include "app/panels/bill/calculator/parts.hpp"
#include "app/panels/settings/rows.hpp"
#include "app/panels/settings/setup.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/controls.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"
#include "core/model/model_source.hpp"

namespace kv {
namespace {

// One setting as a row of choices, under its label and what follows from it.
struct SwitchRow {
    SettingChoices choices;
    TextId label;
    Text consequence = {};
};

void draw_switch(const Ui& ui, const RunView& run, SwitchRow row) {
    SettingChoices& choices = row.choices;
    const std::size_t chosen = chosen_of(run, choices);
    control_head(ui, ui.text[row.label], row.consequence);
    if (const auto next = choice(ui, choices.setting, choices.labels, chosen))
        push_setting(ui, choices.setting, choices.values[*next]);
    space(ui, kBetweenControls);
}

// Draws the choice of fewer KV heads for the same model: each is the mean of several, and no
// training stands behind it.
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
    const SettingWords views(labels.begin(), labels.end());
    const auto next = choice(ui, "fold", views, chosen);
    space(ui, kBetweenControls);
    if (!next) return;
    ModelSource source = parse_model_source(run.model_name);
    source.kv_heads.reset();
    if (heads[*next] != stored) source.kv_heads = heads[*next];
    ui.out.push("run.model", source.written());
}

// Draws the choice of so many blocks, or of half and twice the bytes of a pool that keeps its
// bytes.
void draw_pool(const Ui& ui, const RunView& run) {
    const std::uint64_t bytes = run.layout.pool_bytes();
    const Text consequence = fill(ui.text["set.pool.bytes"_t], {{"bytes", bytes_binary(bytes)}});
    if (setting_of(run, "pool").ends_with("blocks"))
        return draw_switch(ui, run,
                           {{"pool",
                             {"24blocks", "48blocks", "96blocks", "1024blocks"},
                             {"24", "48", "96", "1,024"}},
                            "set.pool"_t,
                            consequence});
    std::array<std::string, 3> values, labels;
    const std::array sizes{bytes / 2, bytes, 2 * bytes};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        values[i] = std::to_string(sizes[i]) + "B";
        labels[i] = bytes_binary(sizes[i]);
    }
    draw_switch(ui, run,
                {{"pool", {values.begin(), values.end()}, {labels.begin(), labels.end()}},
                 "set.pool"_t,
                 consequence});
}

void draw_order(const Ui& ui, const RunView& run) {
    const bool by_token = run.layout.order == KvOrder::TokenMajor;
    draw_switch(ui, run,
                {{"order",
                  {"token_major", "head_major"},
                  {ui.text["set.order.token"_t], ui.text["set.order.head"_t]}},
                 "set.order"_t,
                 ui.text[by_token ? "set.order.token.why"_t : "set.order.head.why"_t]});
}

void draw_sharing(const Ui& ui, const RunView& run) {
    draw_switch(
        ui, run,
        {{"share",
          {"full_blocks_only", "copy_on_write", "off"},
          {ui.text["set.share.full"_t], ui.text["set.share.copy"_t], ui.text["set.share.off"_t]}},
         "set.share"_t});
    draw_switch(ui, run,
                {{"prefix_index",
                  {"chain", "radix"},
                  {ui.text["set.index.chain"_t], ui.text["set.index.radix"_t]}},
                 "set.index"_t});
    const PoolCounts counts = count_pool(run.now);
    draw_switch(ui, run,
                {{"host_blocks", {"0", "24", "96"}, {ui.text["set.host.none"_t], "24", "96"}},
                 "set.host"_t,
                 counts.host_blocks == 0
                     ? Text()
                     : Text(bytes_binary(counts.host_blocks * bytes_per_block(run.layout)))});
    const bool keep = setting_of(run, "cold_blocks") == "host";
    if (toggle(ui, "cold", ui.text["set.cold"_t], keep))
        push_setting(ui, "cold_blocks", keep ? "forget" : "host");
    space(ui, kBetweenControls);
}

void draw_scheduler(const Ui& ui, const RunView& run, bool has_gpu) {
    const SettingWords batch{"16", "38", "64", "512"}, running{"1", "2", "4", "8"};
    draw_switch(ui, run, {{"max_batch_tokens", batch, batch}, "set.batch"_t});
    draw_switch(ui, run, {{"max_running", running, running}, "set.running"_t});
    draw_switch(ui, run,
                {{"preempt",
                  {"recompute", "swap"},
                  {ui.text["set.preempt.recompute"_t], ui.text["set.preempt.swap"_t]}},
                 "set.preempt"_t});
    SettingWords backends{"cpu", "reference"}, words{"CPU", "Reference"};
    if (has_gpu) {
        backends.emplace_back("cuda");
        words.emplace_back("GPU");
    }
    draw_switch(ui, run, {{"backend", backends, words}, "set.backend"_t});
}

}  // namespace

void draw_more_settings(const Ui& ui, const RunView& run, bool has_gpu) {
    draw_fold(ui, run);
    draw_pool(ui, run);
    draw_order(ui, run);
    draw_sharing(ui, run);
    draw_scheduler(ui, run, has_gpu);
}

}  // namespace kv
