// The shipped scenes that show a mistake or a loss: each still shows it, and the run beside it does
// not.

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <memory>
#include <utility>

#include "app/panels/view/facts.hpp"
#include "app/panels/view/pair/pair.hpp"
#include "core/base/numbers/logits.hpp"
#include "tests/app/run_bench.hpp"
#include "tests/places.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// Nats per token that the run was given behind its prompt, from a position on, as it said them.
double nll(RunSession& session, std::size_t from = 0) {
    session.to_end();
    const RequestView& r = session.trace().end().requests[0];
    double sum = 0;
    std::uint32_t n = 0;
    for (const JudgedRow& row : session.judged_rows()) {
        if (row.seen.size() >= r.tokens.size() || row.seen.size() < from) continue;
        sum -= std::log(probabilities_of(row.logits)[r.tokens[row.seen.size()]]);
        ++n;
    }
    REQUIRE(n > 20);
    return sum / n;
}

Scene changed(const std::string& name, const std::string& setting, const std::string& value) {
    Scene scene = scene_named(name);
    REQUIRE(find_setting(setting)->read(scene.settings, value).empty());
    return scene;
}

std::unique_ptr<RunSession> played_with(const std::string& model, const std::string& scene) {
    const std::string source = kv::test::source_dir() + "/assets/models/" + model;
    Checkpoint checkpoint = Checkpoint::open(source);
    auto loaded = load_checkpoint(checkpoint, 0, [](const char*, double) { return true; });
    REQUIRE(loaded.has_value());
    auto tokenizer = tokenizer_of(checkpoint.folder());
    return std::make_unique<RunSession>(
        std::make_shared<const LoadedModel>(
            LoadedModel{std::move(checkpoint), std::move(tokenizer), std::move(*loaded)}),
        scene_named(scene), "a test");
}

std::string answer(const std::string& model) {
    const auto session = played_with(model, "fold");
    session->to_end();
    const RequestView& r = session->trace().end().requests[0];
    std::string said;
    for (std::size_t i = r.n_prompt; i < r.tokens.size(); ++i) said += session->word(r.tokens[i]);
    return said;
}

}  // namespace

TEST_CASE("keys turned in place in int4 lose the text that keys turned when read keep",
          "[exhibits][shift]") {
    PlayedRun drifts(scene_named("rope-drift")), reads(changed("rope-drift", "positions", "cache"));
    const double in_place = nll(drifts.session), when_read = nll(reads.session);
    CHECK(in_place > 2 * when_read);
    CHECK(when_read < 0.5);
}

TEST_CASE("H2O without a recent window never lets go of its prompt", "[exhibits][eviction]") {
    PlayedRun frozen(scene_named("frozen-h2o")), sliding(changed("frozen-h2o", "evict", "h2o:7+7"));
    frozen.session.to_iteration(20), sliding.session.to_iteration(20);
    const auto kept_of_prompt = [](PlayedRun& run) {
        const RequestView& r = run.session.now().requests[0];
        std::uint32_t n = 0;
        for (const SlotMap& slots : r.slots)
            for (const std::uint32_t position : slots.kept(r.stored)) n += position < r.n_prompt;
        return n;
    };
    CHECK(kept_of_prompt(frozen) > 8 * 14 * 3 / 4);  // of 14 in each of 8 tables
    CHECK(kept_of_prompt(sliding) <= 8 * 7);
    CHECK(nll(frozen.session) > 1.5 * nll(sliding.session));
}

// 4 sinks, 90 newest, 1,150 tokens: the sinks are further away than in any text that was learnt.
TEST_CASE("sinks that keep their own positions drift out of reach, those at their rank do not",
          "[exhibits][eviction]") {
    PlayedRun stays(scene_named("sinks-not-turned")),
        turned(changed("sinks-not-turned", "positions", "cache"));
    constexpr std::size_t kFar = 700;
    const double at_their_own = nll(stays.session, kFar), at_rank = nll(turned.session, kFar);
    CHECK(at_their_own > 1.4 * at_rank);
    CHECK(at_rank < 0.5);
}

// Eight query heads share two KV heads. What keeps a copy for each of them holds four times as
// much.
TEST_CASE("keys and values for every query head hold four times the bytes of two KV heads",
          "[exhibits][eviction]") {
    const auto live = [](RunSession& session) {
        session.to_iteration(12);
        const Snapshot& now = session.now();
        std::uint64_t slots = 0;
        for (const LaneView& lane : now.lanes) slots += lane.live;
        return std::pair(slots / now.lanes.size(),
                         slots * bytes_per_token(session.layout()) / now.lanes.size());
    };
    const auto shared = played_with("gqa", "repeated-heads"),
               repeated = played_with("mha", "repeated-heads");
    const auto few = live(*shared), many = live(*repeated);
    CHECK(few.first > 16);  // the capacity, and what came after the prompt
    CHECK(many.first == few.first);
    CHECK(many.second == 4 * few.second);
}

TEST_CASE("heads that are averaged forget the answer that trained ones give", "[exhibits][fold]") {
    CHECK(answer("gqa").rfind("? cellar.", 0) == 0);
    CHECK(answer("mha+kv2").find("cellar") == std::string::npos);
}
