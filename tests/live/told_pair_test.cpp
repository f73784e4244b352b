// The answer of a full cache told to both sides of a comparison, against the meter of quality,
// which tells a text to a run of its own.

#include "app/live/looks/told_pair.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "app/panels/view/pair/pair.hpp"
#include "tests/engine/measure/measured_quality.hpp"
#include "tests/live/desk.hpp"
#include "tests/live/shipped_model.hpp"

using namespace kv;
using Catch::Approx;

namespace {

EngineParts parts_of_gqa() {
    const std::shared_ptr<const LoadedModel> model = shipped_gqa();
    return {.config = model->config(),
            .make_backend =
                [model](const std::string& name, const PoolSpec& pool) {
                    return open_backend(model->config(), model->loaded.weights, name, pool);
                },
            .tokenizer = nullptr,
            .model_id = model->loaded.sha256};
}

// What the request of this view says when nothing is coded and nothing dropped.
std::vector<std::uint32_t> answer_of_full(const RunView& run, std::uint32_t most) {
    EngineSettings settings = settings_for_text({}, 512);
    settings.k_codec = settings.v_codec = Codec::F32;
    Engine engine(parts_of_gqa(), settings);
    const RequestView& asked = run.trace.end().requests[0];
    RequestSpec spec;
    spec.name = "text", spec.max_new = most;
    for (std::uint32_t i = 0; i < asked.n_prompt; ++i) spec.prompt.push_back(asked.tokens[i]);
    engine.submit(std::move(spec));
    while (!engine.done()) engine.advance();
    return engine.requests()[0].new_tokens;
}

}  // namespace

TEST_CASE("a full cache's answer is told to both sides, and judged as the meter does",
          "[live][told]") {
    Desk desk("compare");
    const RunView &left = *desk.run.view(), &right = *desk.run.other_view();
    REQUIRE(left.in_full != nullptr);
    const FullText& full = *left.in_full;
    REQUIRE(full.is_told());

    const RequestView& asked = left.trace.end().requests[0];
    QualityText text;
    for (std::uint32_t i = 0; i < asked.n_prompt; ++i) text.prompt.push_back(asked.tokens[i]);
    const auto drawn = std::max(asked.tokens.size(), right.trace.end().requests[0].tokens.size());
    text.told = answer_of_full(left, static_cast<std::uint32_t>(drawn) - asked.n_prompt);
    REQUIRE(full.tokens.size() == text.prompt.size() + text.told.size());
    CHECK(std::equal(text.told.begin(), text.told.end(),
                     full.tokens.end() - static_cast<std::ptrdiff_t>(text.told.size())));

    PairDifference pair;
    pair.follow(left, right, SeqId(0));
    const Judgement& all = pair.judgement();
    CHECK(all.told);
    REQUIRE(all.tokens.size() == text.told.size());
    for (const bool is_left : {true, false}) {
        INFO((is_left ? "left" : "right"));
        EngineSettings settings = desk.run.scene()->settings;
        settings.evict = (is_left ? left : right).settings.at("evict");
        const auto n = static_cast<std::uint64_t>(full.tokens.size());
        const auto rows =
            test::measured_quality(parts_of_gqa(), settings_for_text(settings, n), text).value();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const JudgedToken& judged = all.tokens[i];
            CHECK(judged.token == rows[i].token);
            CHECK((is_left ? judged.left : judged.right) == Approx(rows[i].nll).margin(1e-6));
            REQUIRE(judged.full);
            const std::size_t side = is_left ? 0 : 1;
            CHECK(judged.full->nll == Approx(rows[i].nll_full).margin(1e-6));
            CHECK(judged.full->kl[side] == Approx(rows[i].kl).margin(1e-6));
            CHECK(judged.full->lost[side] == Approx(rows[i].mass_lost).margin(1e-6));
            CHECK((judged.full->agree[side] == 0) == rows[i].flip);
        }
    }
}

TEST_CASE("what cannot be told is judged by what both sides drew", "[live][told]") {
    // A fork begins with its parent's tokens, which may differ between the sides.
    Desk desk("paper-figure-8");
    desk.ask("run.compare k_codec int8");
    const Scene& scene = *desk.run.scene();
    std::optional<SeqId> fork;
    for (const SceneRequest& request : scene.requests)
        if (request.fork_of) {
            fork = request_named(desk.now(), request.id);
            CHECK_FALSE(can_be_told(scene, request.id));
        } else {
            CHECK(can_be_told(scene, request.id));
        }
    REQUIRE(fork);
    desk.state.run.focus.request = *fork;
    desk.run.finish(desk.state);
    REQUIRE(desk.view().in_full != nullptr);
    CHECK_FALSE(desk.view().in_full->is_told());
    PairDifference pair;
    pair.follow(desk.view(), *desk.run.other_view(), *fork);
    CHECK_FALSE(pair.judgement().told);
    CHECK_FALSE(pair.judgement().tokens.empty());
    CHECK_FALSE(can_be_told(scene, "nobody"));
}

TEST_CASE("what nobody wants any more is not told to its end", "[live][told]") {
    Desk desk("compare");
    ToldAsk ask{{{{shipped_gqa(), *desk.run.scene()}, {shipped_gqa(), *desk.run.scene()}}},
                "compare",
                "A",
                SeqId(0),
                4};
    LookSpec spec{"reference", pool_spec_of(desk.run.scene()->settings, 1)};
    for (int most = 0; most < 12; ++most) {
        int asked = 0;
        CHECK_FALSE(tell_both(ask, spec, [&] { return asked++ < most; }));
        CHECK(asked == most + 1);
    }
    CHECK(tell_both(ask, spec, [] { return true; }));
}
