// Keys and values inside a step: a layer's bytes are seen as soon as it has written them.
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "app/panels/charts/equation_plan.hpp"
#include "app/panels/token/looked_at.hpp"
#include "tests/app/panels/token_run.hpp"

using namespace kv;
using namespace kv::test;

namespace {

void to_append_of(RunSession& session, std::uint32_t iteration, std::uint32_t layer) {
    const auto is_there = [&] {
        const Snapshot& now = session.now();
        return now.iteration == iteration && now.operation && now.operation->op == Op::Append &&
               now.operation->layer == LayerId(layer);
    };
    while (!is_there()) REQUIRE(session.forward(Granularity::Operation));
}

std::vector<unsigned char> bytes_of(const StoredVector& stored) {
    return {stored.bytes.begin(), stored.bytes.end()};
}

}  // namespace

TEST_CASE("the bytes of a layer are there once its keys and values are written", "[token]") {
    TokenRun run;
    to_append_of(run.session(), 4, 1);
    const RunView now = run.view();
    const LookedAt at = look_at(now, {});  // the token that is computed
    REQUIRE(at.place);
    const auto vector = [&](const RunView& view, std::uint32_t layer, Side side) {
        return stored_vector(view, *at.block, at.slot, {LayerId(layer), side, HeadId(1), 0});
    };
    std::vector<std::vector<unsigned char>> seen;
    for (const Side side : {Side::K, Side::V})
        for (const std::uint32_t layer : {0u, 1u}) {
            CHECK(vector(now, layer, side).held == SlotBytes::Written);
            seen.push_back(bytes_of(vector(now, layer, side)));
            CHECK(seen.back().size() == 32);
        }
    CHECK(vector(now, 2, Side::K).held == SlotBytes::NotWritten);
    CHECK(block_values(now, *at.block, LayerId(1)).n_written ==
          block_values(now, *at.block, LayerId(2)).n_written + 1);
    const RunBytes bytes = bytes_of_run(now);
    CHECK(bytes.layers_in_step == 2);
    CHECK(bytes.in_step == 256);  // one token of 512 B in four layers
    run.session().forward(Granularity::Iteration);
    const RunView later = run.view();
    std::size_t i = 0;
    for (const Side side : {Side::K, Side::V})
        for (const std::uint32_t layer : {0u, 1u})
            CHECK(bytes_of(vector(later, layer, side)) == seen[i++]);
    CHECK(bytes_of_run(later).in_step == 0);
}
