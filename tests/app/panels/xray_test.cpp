// The X-ray panel and the needle that a scene marks: what it says of each token against the events
// and the tables, on the shipped scenes and on weights that are made up.

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <set>

#include "app/panels/policy/choice.hpp"
#include "app/panels/policy/words.hpp"
#include "app/panels/policy/xray_rows.hpp"
#include "core/trace/event/event.hpp"
#include "tests/app/run_bench.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

namespace {

Scene needle(const std::string& policy) {
    Scene scene = scene_named("needle");
    REQUIRE(find_setting("evict")->read(scene.settings, policy).empty());
    return scene;
}

// Every token, evenly; of all layers and query heads of the shipped model.
AttentionPicture even_look(std::uint32_t n_keys) {
    AttentionPicture picture{SeqId(0), n_keys - 1, 4, 8, {}};
    picture.weights.assign(std::size_t{32} * n_keys, 1.0f / static_cast<float>(n_keys));
    return picture;
}

}  // namespace

TEST_CASE("the marked needle is lost by a window and kept by SnapKV at the same budget",
          "[xray][compare][M3]") {
    const MarkedTokens marked{"A", 28, 35};
    PlayedRun window(needle("window:40")), snap(needle("snapkv:40,window=4,kernel=7"));
    for (PlayedRun* run : {&window, &snap}) {
        run->focus.layer = 2, run->focus.kv_head = 1;
        run->session.to_iteration(6);
    }
    const MarkedKept lost = count_marked(window.view().lane(), SeqId(0), marked);
    CHECK(lost.kept == 0);
    CHECK(lost.all == 8);
    CHECK(lost.tables == 1);
    const MarkedKept kept = count_marked(snap.view().lane(), SeqId(0), marked);
    CHECK(kept.kept == 8);
    CHECK(kept.tables == 8);
    CHECK(kept.whole_tables >= 1);
    const auto answer = [](PlayedRun& run) {
        const RequestView& r = run.session.trace().end().requests[0];
        return run.session.word(r.tokens[r.n_prompt]);
    };
    CHECK(answer(window) == " nobody");
    CHECK(answer(snap) == " cellar");
}

TEST_CASE("the X-ray tells of each dropped token what its event says", "[xray]") {
    const std::string policy = GENERATE("h2o:10+10", "expected:0.5");
    CAPTURE(policy);
    PlayedRun run(needle(policy));
    run.focus.layer = 1, run.focus.kv_head = 1;
    run.session.to_end();
    run.session.to_iteration(7);
    const RunView view = run.view();
    CHECK(view.lane_in_focus == LaneId(3));
    XrayDrops drops;
    drops.follow(view, SeqId(0));
    const Xray xray = xray_of(view, run.focus, drops, Texts());
    std::set<std::uint32_t> dropped;
    view.trace.each(0, view.moment, [&](std::uint64_t, const Event& event) {
        const auto* drop = std::get_if<TokensDropped>(&event.what);
        if (drop == nullptr || drop->lane != LaneId(3)) return;
        for (std::size_t i = 0; i < drop->positions.size(); ++i) {
            const std::uint32_t position = drop->positions[i];
            CAPTURE(position);
            dropped.insert(position);
            const XrayRow& row = xray.rows.at(position);
            REQUIRE(row.drop != nullptr);
            CHECK(row.drop->score == drop->scores[i]);
            CHECK(row.drop->rank == drop->ranks[i]);
            CHECK(row.drop->judged == drop->kept - drop->spared + drop->positions.size());
            CHECK_THAT(row.why,
                       ContainsSubstring("dropped in step " + std::to_string(event.iteration)));
        }
    });
    REQUIRE(!dropped.empty());
    std::uint32_t kept = 0;
    for (const XrayRow& row : xray.rows) {
        CHECK(row.dropped == (dropped.count(row.position) > 0));
        kept += row.stored && !row.dropped;
    }
    CHECK(xray.kept == kept);
    // One keeps as much as it is told, the other half of the prompt and all that follows.
    const RequestView& a = view.now.requests[0];
    CHECK(kept == (policy == "expected:0.5" ? a.stored - a.n_prompt + a.n_prompt / 2 : 20));
}

// Heads 0 to 3 of KV head 0 read all keys but the first; head 0 reads the first as well.
TEST_CASE("the X-ray says how many query heads read a token that Quest keeps", "[xray][quest]") {
    PlayedRun run(needle("quest:32"));
    run.session.to_iteration(6);
    RunView view = run.view();
    const std::uint32_t stored = view.now.requests[0].stored;
    FullLook full{even_look(stored), {}};
    AttentionPicture seen = even_look(stored);
    for (std::size_t head = 1; head < 4; ++head) seen.weights[head * stored] = 0;
    for (std::size_t head = 0; head < 4; ++head) seen.weights[head * stored + 1] = 0;
    view.full = &full, view.attention = &seen;
    XrayDrops drops;
    drops.follow(view, SeqId(0));
    const Xray xray = xray_of(view, run.focus, drops, Texts());
    CHECK(xray.kept == stored);
    CHECK(!xray.by_score);
    CHECK(xray.rows[0].why == "kept, and read by 1 of 4 query heads");
    CHECK(xray.rows[1].why == "kept, and not read by this query");
    CHECK(xray.rows[2].why == "kept, and read by 4 of 4 query heads");
    REQUIRE(xray.mass_lost.has_value());
    CHECK(*xray.mass_lost == Approx(1.75 / stored));
}

TEST_CASE("attention lost is what a full cache gives to dropped tokens", "[xray]") {
    PlayedRun run(needle("window:40"));
    run.session.to_iteration(6);
    RunView view = run.view();
    const std::uint32_t stored = view.now.requests[0].stored;
    FullLook full{even_look(stored), {}};
    view.full = &full;
    XrayDrops drops;
    drops.follow(view, SeqId(0));
    const Xray xray = xray_of(view, run.focus, drops, Texts());
    REQUIRE(xray.mass_lost.has_value());
    CHECK(*xray.mass_lost == Approx((stored - 40.0) / stored));
    CHECK(!xray.kl.has_value());
    CHECK(xray.rows[0].dropped);
    CHECK_THAT(xray.rows[0].why, ContainsSubstring("no query from token"));
    CHECK(xray.rows[stored - 1].why == "kept: one of the last 40");
}

// Chunks of 16 behind 4 sinks: the last whole one and what follows it are held against nothing.
TEST_CASE("the X-ray says what LagKV does not judge", "[xray]") {
    PlayedRun run(needle("lagkv:0.5"));
    run.session.to_end();
    const RunView view = run.view();
    XrayDrops drops;
    drops.follow(view, SeqId(0));
    const Xray xray = xray_of(view, run.focus, drops, Texts());
    const std::uint32_t n = view.now.requests[0].n_prompt;
    REQUIRE(n >= 36);
    const std::uint32_t judged_end = 4 + (n - 4) / 16 * 16 - 16;
    for (std::uint32_t i = 0; i < n; ++i) {
        CAPTURE(i, n);
        const std::string& why = xray.rows[i].why;
        if (i < 4)
            CHECK(why == "kept: one of the first 4");
        else if (i >= judged_end)
            CHECK(why == "kept: no whole chunk stands behind it");
        else
            CHECK_THAT(why, ContainsSubstring("dropped in step") ||
                                ContainsSubstring("kept: scored higher than"));
    }
    CHECK(xray.rows[n].why == "kept: came after the prompt was judged");
}

TEST_CASE("the X-ray says that a prompt is too short for LagKV", "[xray]") {
    PlayedRun run(needle("lagkv:0.5,lag=1000"));
    run.session.to_end();
    const RunView view = run.view();
    XrayDrops drops;
    drops.follow(view, SeqId(0));
    const Xray xray = xray_of(view, run.focus, drops, Texts());
    for (const XrayRow& row : xray.rows)
        if (row.stored) CHECK(row.why == "kept: a prompt of fewer than 2,004 tokens is not judged");
    CHECK(xray.kept == view.now.requests[0].stored);
}

TEST_CASE("small scores are written with their power of ten", "[xray]") {
    CHECK(score_text(0) == "0");
    CHECK(score_text(0.25f) == "0.250");
    CHECK(score_text(2.14e-5f) == "2.1e-5");
    CHECK(score_text(-9.0e-4f) == "-9.0e-4");
}

TEST_CASE("Settings offers every policy at the budget at hand", "[xray][settings]") {
    const Texts text;
    const std::vector<PolicyOption> options = policy_options("streaming:2+30", text);
    CHECK(options.size() == 14);
    std::string why;
    for (const PolicyOption& option : options) {
        CAPTURE(option.value);
        CHECK(parse_eviction(option.value, why).has_value());
    }
    const auto value = [&](const std::string& label) {
        for (const PolicyOption& option : options)
            if (option.label == label) return option.value;
        return Text();
    };
    CHECK(value("StreamingLLM") == "streaming:2+30");
    CHECK(value("Sliding window") == "window:32");
    CHECK(value("H2O") == "h2o:16+16");
    CHECK(value("SnapKV") == "snapkv:32,window=8");
    CHECK(value("Knorm") == "knorm:0.5");
    CHECK(value("Expected Attention") == "expected:0.5");
    CHECK(budget_options("none").empty());
    const auto budgets = budget_options("tova:9,last=on");
    REQUIRE(budgets.size() == 5);
    CHECK(budgets[0].value == "tova:8");
    CHECK(budgets[1].label == "9");
    CHECK(budgets[1].value == "tova:9,last=on");
    CHECK(budgets[3].value == "tova:32");
    CHECK(budget_options("lagkv:0.5").size() == 3);
    CHECK(budget_options("lagkv:0.5")[2].value == "lagkv:0.75");
    CHECK(budget_options("expected:0.5")[0].value == "expected:0.25");
    for (const char* policy : {"window:9", "adakv:64", "knorm:0.5"})
        for (const PolicyOption& option : budget_options(policy))
            CHECK(parse_eviction(option.value, why).has_value());
}

TEST_CASE("a policy that is chosen first keeps about half, so that it drops some",
          "[xray][settings]") {
    CHECK(usual_budget(19) == 8);
    CHECK(usual_budget(23) == 8);
    CHECK(usual_budget(40) == 16);
    CHECK(usual_budget(0) == 8);
    CHECK(usual_budget(5'000) == 64);
    CHECK(policy_options("none", Texts(), 8)[1].value == "window:8");
}

TEST_CASE("policies are named in words with their numbers", "[xray][texts]") {
    const Texts text;
    CHECK(policy_words("window:40", text).keeps == "keeps the last 40 tokens");
    CHECK(policy_words("streaming:4+36", text).keeps == "keeps the first 4 and the last 36 tokens");
    CHECK(policy_words("snapkv:40,window=4", text).keeps ==
          "keeps the 36 best scored and the last 4 of the prompt, then appends");
    CHECK(policy_words("expected:0.5,sinks=2", text).keeps ==
          "drops the 50 % of the prompt that the queries to come are expected to take least from; "
          "keeps the first 2 tokens");
    CHECK(policy_words("lagkv:0.5", text).keeps ==
          "drops the 50 % that stand out least against the next chunk; nothing below 36 tokens");
    CHECK(policy_words("knorm:0.5", text).title == "Knorm");
    CHECK(policy_words("none", text).title == "Full cache");
    for (const char* policy : {"h2o:8+8", "pyramidkv:64", "adakv:64", "tova:9", "keydiff:0.5",
                               "lagkv:0.25", "expected:0.5", "random:7"}) {
        const PolicyWords words = policy_words(policy, text);
        CAPTURE(policy);
        CHECK(!words.title.empty());
        CHECK(words.keeps.find('{') == std::string::npos);
    }
}
