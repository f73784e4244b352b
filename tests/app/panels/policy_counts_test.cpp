// What panels count where a policy drops tokens: tokens held, keys read and blocks, against the
// engine's own counters and the recorded tables.

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <set>
#include <string>

#include "app/panels/stage/plan/facts.hpp"
#include "app/panels/stage/plan/words.hpp"
#include "app/panels/tables/tables.hpp"
#include "app/panels/view/facts.hpp"
#include "app/panels/view/history.hpp"
#include "core/trace/event/event.hpp"
#include "tests/app/run_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

PlayedRun needle_with(const std::string& policy) {
    Scene scene = scene_named("needle");
    REQUIRE(find_setting("evict")->read(scene.settings, policy).empty());
    return PlayedRun(std::move(scene));
}

std::string words_of(const std::vector<SentencePiece>& pieces) {
    std::string words;
    for (const SentencePiece& piece : pieces) words += piece.text;
    return words;
}

}  // namespace

TEST_CASE("bytes by the formula are the bytes that attention read, whatever a policy drops",
          "[xray][charts]") {
    // A prompt in pieces of 16 tokens, so that a window hides tokens inside a step, too.
    const auto* policy =
        GENERATE("none", "window:40", "window:7", "streaming:4+12", "h2o:10+10", "tova:20",
                 "snapkv:40,window=4,kernel=7", "adakv:40,window=4", "knorm:0.5");
    CAPTURE(policy);
    PlayedRun run = needle_with(policy);
    run.session.to_end();
    const RunView view = run.view();
    RunHistory history;
    history.catch_up(view);
    const auto& samples = run.session.series().samples();
    REQUIRE(samples.size() >= 7);
    for (const Sample& sample : samples) {
        CAPTURE(sample.iteration);
        CHECK(history.keys_by_query(sample.iteration) * slot_bytes(view) == sample.kv_bytes_read);
    }
}

// With Quest the state of a run is that of a full cache; what is read is in its events.
TEST_CASE("the Stage marks the blocks that some query head of the layer chose", "[stage][quest]") {
    PlayedRun run = needle_with("quest:32");
    run.session.to_end();
    BlocksRead read;
    run.session.trace().each(0, run.session.trace().size(), [&](std::uint64_t, const Event& event) {
        if (const auto* one = std::get_if<BlocksRead>(&event.what)) read = *one;
    });
    REQUIRE(read.of > 2);
    run.session.to_iteration(0);
    bool is_last = false;
    const auto attends = [&](const Event& event) {
        const auto* one = std::get_if<BlocksRead>(&event.what);
        is_last = is_last || (one != nullptr && one->position == read.position);
        const auto* part = std::get_if<Operation>(&event.what);
        return is_last && part != nullptr && part->op == Op::Attend && part->layer == LayerId(1);
    };
    std::uint64_t from = run.session.moment();
    run.session.try_to_next(attends, from);
    const RunView view = run.view();
    REQUIRE(view.now.operation.has_value());
    REQUIRE(view.now.operation->layer == LayerId(1));
    std::set<std::uint32_t> chosen;
    const std::uint32_t heads = view.layout.n_kv_heads;
    for (std::size_t i = 0, at = 0; i < read.counts.size(); at += read.counts[i], ++i)
        for (std::size_t k = at; i / heads == 1 && k < at + read.counts[i]; ++k)
            chosen.insert(read.entries[k]);
    StageFacts facts;
    facts.follow(view);
    std::uint32_t passed_over = 0;
    for (std::uint32_t entry = 0; entry < read.of; ++entry) {
        CAPTURE(entry);
        const BlockId block = *view.now.requests[0].tables[0][entry];
        CHECK(facts.is_read(view.now, block) == (chosen.count(entry) > 0));
        passed_over += chosen.count(entry) == 0;
    }
    CHECK(passed_over > 0);
    const std::string words = words_of(now_sentence(view, run.focus, Texts()).pieces);
    CHECK(words.find("at 2 of " + std::to_string(read.of) + " blocks with each query head") !=
          std::string::npos);
}

TEST_CASE("words and tables count the tokens that a policy left", "[xray][stage]") {
    PlayedRun run = needle_with("window:40");
    run.session.to_iteration(6);
    const RunView view = run.view();
    const RequestView& r = view.now.requests[0];
    REQUIRE(r.stored > 80);
    CHECK(held_in(view.lane(), SeqId(0)) == 40);
    const Texts text;
    CHECK(words_of(now_sentence(view, run.focus, text).pieces).find("A holds 40 tokens") !=
          std::string::npos);
    CHECK(strip_words(view.lane(), SeqId(0), false, text).amount.find("40 in ") == 0);
    const DataTables tables = requests_tables(view, text);
    CHECK(std::get<std::uint64_t>(tables[0].rows.at(0).at(6)) == 40);
    CHECK(std::get<std::uint64_t>(tables[0].rows.at(0).at(7)) == r.stored - 40);
}
