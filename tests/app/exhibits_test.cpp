// The shipped scenes that show a mistake or a loss: each still shows it, and the run beside it does
// not.

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <utility>

#include "app/panels/run_pair.hpp"
#include "tests/app/run_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// Nats per token that the run was given behind its prompt, as it said them.
double nll(RunSession& session) {
    session.to_end();
    const RequestView& r = session.trace().end().requests[0];
    double sum = 0;
    std::uint32_t n = 0;
    for (const JudgedRow& row : session.judged_rows()) {
        if (row.seen.size() >= r.tokens.size()) continue;
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

std::string answer(const std::string& model) {
    const std::string source = std::string(KVARIUM_SOURCE_DIR) + "/assets/models/" + model;
    Checkpoint checkpoint = Checkpoint::open(source);
    auto loaded = load_checkpoint(checkpoint, 0, [](const char*, double) { return true; });
    REQUIRE(loaded.has_value());
    auto tokenizer = tokenizer_of(checkpoint.folder());
    RunSession session(std::make_shared<const LoadedModel>(LoadedModel{
                           std::move(checkpoint), std::move(tokenizer), std::move(*loaded)}),
                       scene_named("fold"), "a test");
    session.to_end();
    const RequestView& r = session.trace().end().requests[0];
    std::string said;
    for (std::size_t i = r.n_prompt; i < r.tokens.size(); ++i) said += session.word(r.tokens[i]);
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

TEST_CASE("heads that are averaged forget the answer that trained ones give", "[exhibits][fold]") {
    CHECK(answer("gqa").rfind("? cellar.", 0) == 0);
    CHECK(answer("mha+kv2").find("cellar") == std::string::npos);
}
