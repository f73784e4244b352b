// Who holds which block, followed from moment to moment, against asking every table anew.
#include "app/panels/view/block_holders.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "tests/app/run_bench.hpp"
#include "tests/base/dice.hpp"

using namespace kv;
using namespace kv::test;

namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // request, entry

template <class Holders>
Pairs pairs_of(const Holders& holders) {
    Pairs pairs;
    for (const Holder& h : holders) pairs.push_back({h.request.value, h.entry});
    return pairs;
}

std::vector<Pairs> asked_anew(const Snapshot& now) {
    std::vector<Pairs> all;
    for (const auto& holders : all_holders({now})) all.push_back(pairs_of(holders));
    return all;
}

}  // namespace

TEST_CASE("holders that are followed through a run are those that the tables name",
          "[stage][holders]") {
    for (const char* scene : {"explore", "paper-figure-8", "learn"}) {
        PlayedRun run(scene_named(scene));
        run.session.to_end();
        const Trace& trace = run.session.trace();
        BlockHolders holders;
        Dice dice(3, 0);
        std::vector<Pairs> before;
        std::uint64_t moment = 0;
        for (int i = 0; i < 300; ++i) {
            // Mostly a few events on; now and then anywhere.
            moment = dice.below(5) == 0 ? dice.below(static_cast<std::uint32_t>(trace.size() + 1))
                                        : std::min(trace.size(), moment + dice.below(20));
            const Snapshot now = trace.at(moment);
            std::vector<BlockId> changed;
            holders.follow({now}, changed);
            const std::vector<Pairs> expected = asked_anew(now);
            for (std::uint32_t b = 0; b < expected.size(); ++b) {
                REQUIRE(pairs_of(holders.of(BlockId(b))) == expected[b]);
                const bool is_other = b >= before.size() || before[b] != expected[b];
                if (is_other && !expected[b].empty())
                    REQUIRE(std::count(changed.begin(), changed.end(), BlockId(b)) > 0);
            }
            before = expected;
        }
    }
}
