// Drafts in a run, step by step: what is told, what is given back, where a text ends, and what is
// drawn.

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>

#include "core/base/error.hpp"
#include "core/engine/cpu/backend.hpp"
#include "core/engine/draft/acceptance.hpp"
#include "core/engine/run/drafting/verdict.hpp"
#include "core/engine/run/engine.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/metrics.hpp"
#include "tests/engine/run/drafter.hpp"
#include "tests/engine/run/fixture.hpp"

using namespace kv;
using namespace kv::test;

namespace {

EngineSettings drafting(const std::string& draft, std::uint32_t blocks = 40,
                        std::uint32_t block_size = 4) {
    EngineSettings settings = tiny_settings(blocks, block_size);
    REQUIRE(find_setting("draft")->read(settings, draft).empty());
    return settings;
}

EngineParts parts_with_drafter(const EngineOn& on) {
    EngineParts parts = on.parts();
    parts.find_drafter = drafter_of;
    parts.keep_logits = true;
    return parts;
}

std::vector<std::string> names_of_iteration(const Trace& trace, std::uint32_t iteration) {
    std::vector<std::string> names;
    trace.each(0, trace.size(), [&](std::uint64_t, const Event& event) {
        if (event.iteration == iteration && !std::holds_alternative<Operation>(event.what))
            names.emplace_back(name_of(event.what));
    });
    return names;
}

std::string refusal_of(Engine& engine, const std::string& draft) {
    return engine.apply(SetSetting{"draft", draft}).value_or("");
}

}  // namespace

// The model drafts for itself, so all is right: 1 token behind the prompt, then 4 and 4.
TEST_CASE("a draft that is all right adds k + 1 tokens in one iteration", "[engine][draft]") {
    const EngineOn on;
    Engine engine(parts_with_drafter(on), drafting("llama_gqa,k=3"));
    engine.submit(request("A", 5, 9));
    run_to_end(engine);
    CHECK(engine.iteration() == 3);
    const Counters& c = engine.trace().end().counters;
    CHECK(c.drafts == 2);
    CHECK(c.draft_accepted == 6);
    CHECK(c.draft_rejected() == 0);
    CHECK(c.draft_tokens == 8);
    MetricSeries series;
    series.catch_up(engine.trace());
    CHECK(series.samples()[1].step.draft_accepted == 3);
    for (const Metric& metric : metrics()) {
        if (metric.label == "tokens_per_draft") CHECK(metric.get(series.samples()[1]) == 4);
        if (metric.label == "acceptance") CHECK(metric.get(series.samples()[2]) == 1);
        if (metric.label == "drafts") CHECK(metric.get(series.samples()[2]) == 2);
    }
    // Slots 5 to 8: the last of them needs a block ahead. Slots 4 to 7 can be found when the token
    // of slot 7 has been accepted, and not before.
    CHECK(names_of_iteration(engine.trace(), 2) ==
          std::vector<std::string>{"IterationStarted", "TokensScheduled", "DrafterHolds",
                                   "DraftProposed", "BlockAllocated", "DraftVerified",
                                   "DrafterHolds", "TokensStored", "TokenAdded", "TokensStored",
                                   "TokenAdded", "BlockStored", "TokensStored", "TokenAdded",
                                   "TokensStored", "TokenAdded", "IterationFinished"});
    // The draft model read the prompt and the first token, then two of its own proposals.
    const auto proposed = events_of<DraftProposed>(engine.trace());
    CHECK(proposed[0].second.first == 6);
    CHECK(proposed[0].second.passes == 3);
    const auto held = events_of<DrafterHolds>(engine.trace());
    CHECK(held[0].second.stored == 8);
    CHECK(held[0].second.blocks == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("what is struck gives its blocks back as if they had never been taken",
          "[engine][draft]") {
    const EngineOn on;
    Engine engine(parts_with_drafter(on), drafting("ngram:1,k=7", 40, 2));
    RequestSpec spec = request("A", 6, 12);
    spec.prompt = {3, 3, 3, 3, 3, 3};
    engine.submit(spec);
    bool struck = false;
    while (!engine.done()) {
        const Snapshot before = engine.trace().end();
        engine.advance();
        const Snapshot& now = engine.trace().end();
        const std::uint64_t rejected =
            now.counters.draft_rejected() - before.counters.draft_rejected();
        for (const Violation& broken : engine.check()) FAIL_CHECK(broken.what);
        if (rejected == 0 || engine.done()) continue;
        struck = true;
        // The table covers what is stored, and the free list goes on where it was.
        const RequestView& a = now.requests[0];
        CHECK(a.tables[0].size() == (a.stored + 1) / 2);
        std::vector<BlockId> was = free_list(before.lanes[0]), is = free_list(now.lanes[0]);
        was.erase(was.begin(), was.end() - static_cast<std::ptrdiff_t>(is.size()));
        CHECK(was == is);
        REQUIRE(a.draft);
        CHECK(a.draft->verified);
        CHECK(a.draft->accepted + a.draft->struck + a.draft->behind == a.draft->tokens.size());
    }
    CHECK(struck);
    for (const auto& [event, freed] : events_of<BlockFreed>(engine.trace()))
        if (event.reason.why == Why::NotAccepted) CHECK(freed.to_head);
    // Nothing that was only proposed was ever to be found.
    const auto text = tokens_of(engine.requests()[0]);
    for (const auto& [event, stored] : events_of<BlockStored>(engine.trace()))
        CHECK(std::search(text.begin(), text.end(), stored.token_ids.begin(),
                          stored.token_ids.end()) != text.end());
}

TEST_CASE("a text ends inside a draft where it would have ended", "[engine][draft]") {
    EngineOn on;
    Engine plain(on.parts(), tiny_settings(40));
    plain.submit(request("A", 5, 12));
    run_to_end(plain);
    const std::vector<std::uint32_t> all = plain.requests()[0].new_tokens;
    REQUIRE(all.size() == 12);
    // Its fourth token ends a text from now on: two right ones lie behind it in a draft of six.
    on.model.config.eos = {all[3]};
    REQUIRE(std::find(all.begin(), all.begin() + 3, all[3]) == all.begin() + 3);
    Engine engine(parts_with_drafter(on), drafting("llama_gqa,k=6"));
    engine.submit(request("A", 5, 12));
    run_to_end(engine);
    const Request& a = engine.requests()[0];
    CHECK(a.finish == Finish::StopToken);
    CHECK(a.new_tokens == std::vector<std::uint32_t>(all.begin(), all.begin() + 4));
    CHECK(a.stored == 5 + 3);
    const auto verified = events_of<DraftVerified>(engine.trace());
    REQUIRE(verified.size() == 1);
    CHECK(verified[0].second.accepted == 3);
    CHECK(verified[0].second.struck == 0);
    CHECK(verified[0].second.behind == 3);
    CHECK(verified[0].second.tokens.size() == 3);
    CHECK(engine.trace().end().lanes[0].used == 0);
}

TEST_CASE("a draft never goes beyond the last token that was asked for", "[engine][draft]") {
    const EngineOn on;
    Engine engine(parts_with_drafter(on), drafting("llama_gqa,k=9"));
    engine.submit(request("A", 5, 4));
    run_to_end(engine);
    CHECK(engine.requests()[0].new_tokens.size() == 4);
    CHECK(engine.requests()[0].stored == 8);
    CHECK(events_of<DraftVerified>(engine.trace())[0].second.k == 2);
}

TEST_CASE("nobody is taken out for a draft, and no token of the budget is missed for one",
          "[engine][draft]") {
    const EngineOn on;
    EngineSettings settings = drafting("llama_gqa,k=8", 8, 2);
    settings.max_batch_tokens = 6;
    Engine engine(parts_with_drafter(on), settings);
    engine.submit(request("A", 5, 4));
    engine.submit(request("B", 5, 4, 20));
    run_to_end(engine);
    for (const Request& r : engine.requests()) {
        CHECK(r.preemptions == 0);
        CHECK(r.new_tokens.size() == 4);
    }
    std::map<std::uint32_t, std::uint64_t> rows;
    for (const auto& [event, done] : events_of<IterationFinished>(engine.trace()))
        CHECK(done.tokens <= 6);
}

TEST_CASE("a pass that checks a draft reads keys and values once", "[engine][draft]") {
    const EngineOn on;
    const auto bytes_of = [&](const std::string& draft) {
        Engine engine(parts_with_drafter(on), drafting(draft));
        engine.submit(request("A", 20, 6));
        engine.advance();
        engine.advance();
        return engine.last_work();
    };
    const Work one = bytes_of("off"), five = bytes_of("llama_gqa,k=4");
    CHECK(one.positions_forwarded == 1);
    CHECK(five.positions_forwarded == 5);
    // One query sees 21 keys; five see 21 to 25, of which 25 are different.
    CHECK(one.score_pairs == 21);
    CHECK(five.score_pairs == 21 + 22 + 23 + 24 + 25);
    CHECK(five.k_bytes_read * 21 == one.k_bytes_read * 25);
    CHECK(five.v_bytes_read * 21 == one.v_bytes_read * 25);
}

TEST_CASE("a residual is what it would have been", "[engine][draft][kivi]") {
    EngineOn on;
    on.model.config.eos = {};  // far enough for it to fill
    for (const std::string backend : {"reference", "cpu"})
        for (const Prefill prefill : {Prefill::Exact, Prefill::Quantized})
            for (const char* draft : {"llama_tied_bias,k=6", "ngram:1,k=5"}) {
                CAPTURE(backend, draft, static_cast<int>(prefill));
                const auto play = [&](const std::string& drafts) {
                    EngineSettings settings = drafting(drafts, 100, 16);
                    settings.backend = backend;
                    settings.prefill = prefill;
                    settings.k_codec = {ElementCode::Int2, ScaleMode::Kivi};
                    settings.v_codec = {ElementCode::Int4, ScaleMode::Kivi};
                    settings.max_batch_tokens = 150;
                    EngineParts parts = parts_with_drafter(on);
                    if (backend == "cpu")
                        parts.make_backend = [&](const std::string&, const PoolSpec& pool) {
                            return make_cpu(on.model.config, on.model.weights, pool);
                        };
                    auto engine = std::make_unique<Engine>(std::move(parts), settings);
                    RequestSpec spec = request("A", 118, 40);
                    for (std::uint32_t& token : spec.prompt) token = 3 + token % 3;
                    engine->submit(spec);
                    while (!engine->done()) {
                        engine->advance();
                        CHECK(engine->observe() == engine->trace().end());
                    }
                    return engine;
                };
                const auto plain = play("off"), drafted = play(draft);
                CHECK(drafted->requests()[0].new_tokens == plain->requests()[0].new_tokens);
                CHECK(drafted->requests()[0].logits == plain->requests()[0].logits);
                // 128 values wait from token 129 on, and there is one row more than these.
                std::uint32_t longest = 0, longest_when_full = 0, rejected_when_full = 0;
                for (const auto& [event, proposed] : events_of<DraftProposed>(drafted->trace())) {
                    const auto k = static_cast<std::uint32_t>(proposed.tokens.size());
                    std::uint32_t& most = proposed.first > 128 ? longest_when_full : longest;
                    most = std::max(most, k);
                }
                for (const auto& [event, verified] : events_of<DraftVerified>(drafted->trace()))
                    rejected_when_full += verified.struck;
                CHECK(longest > 1);
                CHECK(longest_when_full == 1);
                if (std::string(draft).starts_with("llama")) CHECK(rejected_when_full > 0);
            }
}

// Scores add up while a table fills; a row that was struck must leave nothing in them.
TEST_CASE("scores hear of what was accepted, row by row", "[engine][draft][eviction]") {
    EngineOn on;
    on.model.config.eos = {};
    for (const char* policy : {"h2o:8+8", "h2o:4+12,decay=0.9", "tova:16", "random:16"})
        for (const char* draft : {"llama_gqa,k=4", "ngram:1,k=3"}) {
            CAPTURE(policy, draft);
            const auto play = [&](const std::string& drafts) {
                EngineSettings settings = drafting(drafts, 100);
                settings.evict = policy;
                auto engine = std::make_unique<Engine>(parts_with_drafter(on), settings);
                RequestSpec spec = request("A", 4, 40);
                spec.prompt = {3, 4, 3, 3};
                engine->submit(spec);
                run_to_end(*engine);
                return engine;
            };
            const auto plain = play("off"), drafted = play(draft);
            CHECK(drafted->requests()[0].logits == plain->requests()[0].logits);
            CHECK(drafted->requests()[0].kept == plain->requests()[0].kept);
            const auto verified = events_of<DraftVerified>(drafted->trace());
            CHECK_FALSE(verified.empty());
            // Nothing is proposed any more once each step drops a token.
            for (const auto& [event, proposed] : events_of<DraftProposed>(drafted->trace()))
                CHECK(proposed.first <= 16);
        }
}

// The model drafts for itself, so each draft is all right and the next is two longer than four,
// six, ...
TEST_CASE("another drafter begins with drafts of the first length again", "[engine][draft]") {
    const EngineOn on;
    EngineParts parts = on.parts();
    parts.find_drafter = [](const std::string&) { return drafter_of("llama_gqa"); };
    Engine engine(std::move(parts), tiny_settings(40));
    engine.submit(request("A", 5, 60));
    engine.advance();
    const auto newest_length = [&] {
        return events_of<DraftProposed>(engine.trace()).back().second.tokens.size();
    };
    REQUIRE(refusal_of(engine, "itself").empty());
    engine.advance();
    CHECK(newest_length() == 4);
    engine.advance();
    CHECK(newest_length() == 6);
    REQUIRE(refusal_of(engine, "another").empty());
    engine.advance();
    CHECK(newest_length() == 4);
}

TEST_CASE("a pool that the drafter cannot have leaves the run's own as it was", "[engine][draft]") {
    const EngineOn on;
    EngineParts parts = on.parts();
    parts.find_drafter = [](const std::string&) {
        DrafterParts drafter = drafter_of("llama_gqa");
        drafter.make_backend = [make = drafter.make_backend](const PoolSpec& pool) {
            if (pool.n_blocks > 40) throw Error(ErrorCode::World, "There is no room for it.");
            return make(pool);
        };
        return drafter;
    };
    Engine engine(std::move(parts), drafting("itself"));
    const std::uint64_t told = engine.trace().size();
    CHECK(engine.apply(SetSetting{"pool", "41blocks"}) == "There is no room for it.");
    CHECK(engine.backend().layout().n_blocks == 40);
    CHECK(engine.trace().size() == told + 1);  // of the refusal
    engine.submit(request("A", 5, 60));
    run_to_end(engine);
    CHECK(engine.requests()[0].new_tokens.size() == 60);
}

TEST_CASE("a draft that cannot be is refused in a sentence", "[engine][draft]") {
    const EngineOn on;
    EngineParts parts = parts_with_drafter(on);
    parts.find_drafter = [](const std::string& name) -> DrafterParts {
        if (name == "none") throw Error(ErrorCode::Usage, "draft none is no model; write gqa.");
        DrafterParts other = drafter_of("llama_gqa");
        other.same_words = name != "other_words";
        return other;
    };
    Engine engine(std::move(parts), tiny_settings(40));
    engine.submit(request("A", 5, 4));
    engine.advance();
    CHECK(refusal_of(engine, "ngram:0").find("ngram") != std::string::npos);
    CHECK(refusal_of(engine, "ngram:3,k=0").find('k') != std::string::npos);
    CHECK(refusal_of(engine, "none") == "draft none is no model; write gqa.");
    CHECK(refusal_of(engine, "other_words").find("vocabulary") != std::string::npos);
    CHECK(refusal_of(engine, "ngram:3,k=900000").find("context") != std::string::npos);
    CHECK(engine.trace().end().settings.at("draft") == "off");
    CHECK(refusal_of(engine, "ngram:3").empty());
    CHECK(engine.trace().end().settings.at("draft") == "ngram:3,k=auto");

    EngineSettings uncached = drafting("ngram:2");
    uncached.cache = false;
    CHECK(clash_of(uncached, on.model.config).find("cache off") != std::string::npos);
    EngineSettings shifted = drafting("ngram:2");
    shifted.evict = "window:8";
    shifted.share = Sharing::Off;
    shifted.positions = KeyPositions::CacheInPlace;
    CHECK(clash_of(shifted, on.model.config).find("shift") != std::string::npos);
}

namespace {

// Sum of (seen - expected)^2 / expected over cells of at least five, and the number of these.
struct ChiSquared {
    double sum = 0;
    int cells = 0;
    // Four standard deviations above what chance gives.
    bool fits() const { return sum < cells - 1 + 4 * std::sqrt(2.0 * (cells - 1)); }
};

ChiSquared chi_squared(const std::vector<double>& seen, const std::vector<double>& p, double n) {
    ChiSquared result;
    double rare_seen = 0, rare_expected = 0;
    const auto add = [&](double count, double expected) {
        result.sum += (count - expected) * (count - expected) / expected;
        ++result.cells;
    };
    for (std::size_t i = 0; i < p.size(); ++i) {
        if (p[i] * n >= 5) {
            add(seen[i], p[i] * n);
        } else {
            rare_seen += seen[i], rare_expected += p[i] * n;
        }
    }
    if (rare_expected > 0) add(rare_seen, rare_expected);
    return result;
}

}  // namespace

TEST_CASE("judged tokens are distributed as the target's, by chi squared", "[draft][sampler]") {
    constexpr std::uint32_t kVocab = 5, kRuns = 40'000;
    const std::vector<float> row{0.0f, 1.0f, 2.0f, 0.5f, -3.0f};
    const Sampling how{.temperature = 1, .top_k = {}, .top_p = {}, .seed = 3};
    const std::vector<double> p = distribution(row, how);
    const std::vector<double> q{0.1, 0.6, 0.05, 0.25, 0.0};
    std::vector<float> rows = row;
    rows.insert(rows.end(), row.begin(), row.end());
    std::vector<double> first(kVocab), second(kVocab);
    double accepted = 0;
    for (std::uint32_t run = 0; run < kRuns; ++run) {
        const std::uint64_t position = std::uint64_t{2} * run;
        Proposal proposal;
        proposal.tokens = {draw_proposal(q, how, 1, position)};
        proposal.q = {q};
        const DraftVerdict verdict = judge(proposal, rows, kVocab, {how, 1, position},
                                           [](std::uint32_t) { return std::nullopt; });
        first[verdict.tokens[0].token] += 1;
        accepted += verdict.accepted;
        if (verdict.accepted == 1) second[verdict.tokens[1].token] += 1;
    }
    CHECK(chi_squared(first, p, kRuns).fits());
    CHECK(chi_squared(second, p, accepted).fits());
    // Accepted is what p and q have in common.
    double common = 0;
    for (std::uint32_t i = 0; i < kVocab; ++i) common += std::min(p[i], q[i]);
    CHECK(std::abs(accepted / kRuns - common) < 4 * std::sqrt(common * (1 - common) / kRuns));
}

// Each of many requests draws two tokens behind the same prompt; the second one is checked against
// the draft model's. Its exact distribution comes from a pass behind each first token.
TEST_CASE("a run's tokens are distributed as without drafts, by chi squared",
          "[engine][draft][heavy]") {
    const EngineOn on;
    constexpr std::uint32_t kRuns = 3000;
    const std::vector<std::uint32_t> prompt{3, 9, 4, 3, 9};
    Sampling how{.temperature = 2, .top_k = {}, .top_p = {}, .seed = 0};
    const auto backend = make_reference(on.model.config, on.model.weights, {.n_blocks = 64});
    const auto behind = [&](const std::vector<std::uint32_t>& tokens) {
        Sequence sequence(*backend);
        const auto logits = sequence.feed(tokens);
        return distribution(logits_row(logits, tokens.size() - 1, on.model.config.vocab_size), how);
    };
    const std::vector<double> p1 = behind(prompt);
    std::vector<double> p2(p1.size());
    for (std::uint32_t token = 0; token < p1.size(); ++token) {
        if (p1[token] == 0 || token == on.model.config.eos[0]) continue;
        std::vector<std::uint32_t> longer = prompt;
        longer.push_back(token);
        const std::vector<double> next = behind(longer);
        for (std::size_t i = 0; i < p2.size(); ++i) p2[i] += p1[token] * next[i];
    }
    std::vector<double> seen(p2.size());
    double n = 0;
    std::uint64_t accepted = 0, struck = 0;
    for (std::uint32_t first = 0; first < kRuns; first += 100) {
        EngineSettings settings = drafting("llama_tied_bias,k=2", 200);
        settings.max_running = 100;
        settings.max_batch_tokens = 4096;
        EngineParts parts = parts_with_drafter(on);
        parts.payload_bytes = 0;
        Engine engine(std::move(parts), settings);
        for (std::uint32_t i = 0; i < 100; ++i) {
            RequestSpec spec = request("A" + std::to_string(i), 1, 3);
            spec.prompt = prompt;
            spec.sampling = how;
            spec.sampling.seed = first + i;
            engine.submit(spec);
        }
        run_to_end(engine);
        for (const Request& r : engine.requests()) {
            if (r.new_tokens.size() < 2) continue;
            seen[r.new_tokens[1]] += 1;
            n += 1;
        }
        accepted += engine.trace().end().counters.draft_accepted;
        struck += engine.trace().end().counters.draft_struck;
    }
    double mass = 0;
    for (const double each : p2) mass += each;
    for (double& each : p2) each /= mass;
    CHECK(accepted > 50);
    CHECK(struck > 50);
    CHECK(chi_squared(seen, p2, n).fits());
}
