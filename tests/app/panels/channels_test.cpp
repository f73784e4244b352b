// The map of channels, and elements in tables: sizes, errors and values against the pool's own
// bytes, read another way.

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/panels/tables/tables.hpp"
#include "app/panels/token/channel_facts.hpp"
#include "app/panels/token/looked_at.hpp"
#include "core/cache/codec/kivi.hpp"
#include "tests/app/run_bench.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Approx;

namespace {

Scene needle(const std::string& policy, const std::string& codec) {
    Scene scene = scene_named("needle");
    REQUIRE(find_setting("evict")->read(scene.settings, policy).empty());
    REQUIRE(find_setting("k_codec")->read(scene.settings, codec).empty());
    return scene;
}

// A prompt of more than 128 tokens, so that some are coded and some wait in the residual.
Scene kivi_scene() {
    Scene scene = scene_named("first");
    for (const char* side : {"k_codec", "v_codec"})
        REQUIRE(find_setting(side)->read(scene.settings, "int4:kivi").empty());
    std::string& prompt = *scene.requests[0].prompt;
    const std::string once = prompt;
    for (int i = 0; i < 7; ++i) prompt += once;
    return scene;
}

}  // namespace

TEST_CASE("a channel's size is the RMS of what the pool holds of it", "[channels][C139]") {
    PlayedRun run(needle("none", "f32"));
    run.session.to_iteration(6);
    const RunView view = run.view();
    const ChannelMap map = channel_map(view, SeqId(0), LayerId(2), PreviewCodec::Int8);
    const std::uint32_t stored = view.now.requests[0].stored;
    CHECK(map.vectors == std::uint64_t{stored} * view.layout.n_kv_heads);
    CHECK(map.left_out == 0);
    // From the values of whole blocks, as the byte map decodes them.
    const std::uint32_t head = 1, channel = 5, dim = view.layout.k.dim;
    double squares = 0, largest = 0, error = 0;
    for (std::uint32_t position = 0; position < stored; ++position) {
        const auto place = place_of_token(view.lane(), {SeqId(0), position});
        REQUIRE(place.has_value());
        const BlockValues block = block_values(view, place->block, LayerId(2));
        const float* key =
            &block.k[(std::size_t{place->slot.value} * view.layout.n_kv_heads + head) * dim];
        squares += double{key[channel]} * key[channel];
        largest = std::max(largest, std::abs(double{key[channel]}));
        const ValuePreview coded = preview_values(std::span(key, dim), PreviewCodec::Int8);
        error += coded.elements[channel].error * coded.elements[channel].error;
    }
    const ChannelStat& stat = map.of(Side::K).at(head, channel);
    CHECK(stat.size == Approx(std::sqrt(squares / stored)));
    CHECK(stat.largest == Approx(largest));
    CHECK(stat.error == Approx(std::sqrt(error / stored)).epsilon(1e-4));
    // Some channel of the keys stands out; coarser codes err more.
    CHECK(map.of(Side::K).outlier() > 1.5);
    const ChannelMap coarse = channel_map(view, SeqId(0), LayerId(2), PreviewCodec::Int4);
    CHECK(coarse.of(Side::K).at(head, channel).error > 4 * stat.error);
}

TEST_CASE("a table of elements has a value that KIVI coded as the byte map decodes it", "[bytes]") {
    PlayedRun run(kivi_scene());
    run.session.to_iteration(4);
    run.focus.token = 10, run.focus.side = Side::V, run.focus.layer = 2, run.focus.kv_head = 1;
    const RunView view = run.view();
    REQUIRE(coded_tokens(Side::V, view.now.requests[0].stored, 0) > 10);
    const DataTables tables = inspector_tables(view, run.focus, Texts());
    REQUIRE(tables.size() == 2);
    const std::uint32_t dim = view.layout.v.dim;
    REQUIRE(tables[1].rows.size() == dim);
    const LookedAt at = look_at(view, run.focus);
    const BlockValues block = block_values(view, *at.block, LayerId(2));
    const float* value = &block.v[(std::size_t{at.slot.value} * view.layout.n_kv_heads + 1) * dim];
    for (std::uint32_t i = 0; i < dim; ++i) {
        CAPTURE(i);
        CHECK(std::isfinite(value[i]));
        CHECK(std::get<double>(tables[1].rows[i][2]) == double{value[i]});
    }
}

TEST_CASE("the byte map has no numbers where KIVI has none in a slot alone", "[bytes]") {
    PlayedRun run(kivi_scene());
    run.session.to_iteration(4);
    const RunView view = run.view();
    const std::uint32_t stored = view.now.requests[0].stored, size = view.layout.block_size;
    const std::uint32_t coded = coded_tokens(Side::V, stored, 0);
    REQUIRE((coded > 0 && coded < stored));  // the newest values wait in the residual
    for (const std::uint32_t position : {0u, coded - 1, coded, stored - 1}) {
        CAPTURE(position);
        const BlockId block = place_of_token(view.lane(), {SeqId(0), position})->block;
        const std::uint32_t slot = position % size;
        const BlockValues values = block_values(view, block, LayerId(0));
        CHECK(values.slots[slot] == SlotBytes::Written);
        CHECK(values.held(Side::K, slot) == SlotBytes::Apart);
        CHECK(values.held(Side::V, slot) ==
              (position < coded ? SlotBytes::Written : SlotBytes::Apart));
    }
}

TEST_CASE("only what a policy keeps is in the map, in each head's own table", "[channels][xray]") {
    PlayedRun run(needle("h2o:10+10", "bf16"));
    run.focus.layer = 1, run.focus.kv_head = 1;
    run.session.to_iteration(7);
    const RunView view = run.view();
    REQUIRE(view.lane_in_focus == LaneId(3));
    for (const std::uint32_t layer : {0u, 1u, 3u}) {
        const ChannelMap map = channel_map(view, SeqId(0), LayerId(layer), PreviewCodec::Fp8);
        CHECK(map.vectors == 2 * 20);
        CHECK(map.left_out == 0);
    }
}

TEST_CASE("codes that lie in groups are left out and counted", "[channels]") {
    PlayedRun run(needle("none", "int4:kivi"));
    run.session.to_iteration(6);
    const RunView view = run.view();
    const ChannelMap map = channel_map(view, SeqId(0), LayerId(0), PreviewCodec::Int8);
    CHECK(map.vectors == 0);
    CHECK(map.left_out == std::uint64_t{view.now.requests[0].stored} * view.layout.n_kv_heads);
    CHECK(map.of(Side::V).median > 0);
    const DataTables tables = channels_tables(map, PreviewCodec::Int8);
    CHECK(tables[0].rows.size() == std::size_t{2} * 2 * 16);
}
