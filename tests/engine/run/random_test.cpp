// Random scenes on tiny pools: whatever is shared, taken out, swapped, chunked or forked, the state
// is what the trace says, no rule of the books is broken, and no request gets another token than it
// would have got alone.

#include "core/base/random.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/engine/measure/generation.hpp"
#include "core/engine/reference/reference.hpp"
#include "core/engine/run/engine.hpp"
#include "tests/base/dice.hpp"
#include "tests/engine/small_model.hpp"

using namespace kv;
using namespace kv::test;

namespace {

EngineSettings random_settings(Dice& dice) {
    EngineSettings s;
    s.backend = "reference";
    s.block_size = std::vector<std::uint32_t>{1, 2, 3, 4, 8}[dice.below(5)];
    s.pool = {{}, (dice.between(24, 56) + s.block_size - 1) / s.block_size};
    s.share = std::vector<Sharing>{Sharing::Off, Sharing::FullBlocksOnly,
                                   Sharing::CopyOnWrite}[dice.below(3)];
    if (dice.one_in(2)) s.free_order = FreeOrder::UnhashedFirst;
    if (dice.one_in(3)) s.prefix_rule = PrefixRule::Radix;
    s.radix_order = static_cast<RadixOrder>(dice.below(9));
    if (dice.one_in(2)) s.preempt = Preemption::Swap;
    if (dice.one_in(2)) s.host_blocks = dice.between(1, 30);
    if (dice.one_in(3)) s.file_blocks = dice.between(1, 12);
    if (dice.one_in(2)) s.cold_blocks = ColdBlocks::KeepInHost;
    s.prefetch = dice.one_in(2);
    if (dice.one_in(2)) s.transfer_latency_us = dice.between(1, 30) * s.step_us;
    s.max_batch_tokens = dice.between(2, 40);
    s.max_running = dice.between(1, 6);
    s.watermark_blocks = dice.one_in(3) ? dice.between(1, 4) : 0;
    s.cache = !dice.one_in(8);
    return s;
}

RequestSpec random_request(Dice& dice, std::uint32_t i, std::uint32_t vocab) {
    RequestSpec spec;
    spec.name = std::string(1, static_cast<char>('A' + i));
    spec.arrive = dice.below(12);
    // Many begin alike, and part somewhere.
    const std::uint32_t n = dice.between(1, 18), alike = dice.below(n + 1);
    for (std::uint32_t t = 0; t < n; ++t)
        spec.prompt.push_back(t < alike ? 5 + t % 3 : dice.below(vocab));
    for (std::uint32_t t = dice.below(3); t > 0; --t) spec.forced.push_back(dice.below(vocab));
    spec.max_new = dice.between(1, 9);
    if (dice.one_in(3)) spec.sampling = {1.0, {}, {}, 11};
    spec.priority = dice.one_in(3) ? static_cast<std::int32_t>(dice.below(3)) : 0;
    if (dice.one_in(6)) spec.salt = "other";
    return spec;
}

std::vector<EngineCommand> random_commands(Dice& dice, std::uint32_t n_requests) {
    const std::string name(1, static_cast<char>('A' + dice.below(n_requests)));
    switch (dice.below(14)) {
        case 0:
            return {PauseRequest{name}};
        case 1:
        case 2:
            return {ResumeRequest{name}};
        case 3:
            return {StopRequest{name}};
        case 4:
            return {ClearPrefixes{}};
        case 5:
            return {SetSetting{"max_batch_tokens", std::to_string(dice.between(1, 20))}};
        case 6:
            return {SetSetting{"preempt", dice.one_in(2) ? "swap" : "recompute"}};
        default:
            return {};
    }
}

std::vector<std::uint32_t> alone(const SmallModel& model, const Request& r, std::size_t id) {
    GenerationRequest request;
    request.prompt = r.prompt;
    request.forced = r.spec.forced;
    request.max_new = r.spec.max_new;
    request.sampling = r.spec.sampling;
    request.stream = id;
    request.stop_tokens = model.config.eos;
    const auto backend = make_reference(model.config, model.weights, {.n_blocks = 96});
    Generation generation(*backend, model.config, request);
    while (generation.advance()) {
    }
    return generation.new_tokens();
}

void play(const SmallModel& model, std::uint64_t seed) {
    Dice dice(seed, 77);
    EngineSettings settings = random_settings(dice);
    CAPTURE(seed, settings.block_size, settings.pool.blocks, name_of(settings.share),
            name_of(settings.prefix_rule));
    Engine engine({.config = model.config,
                   .make_backend =
                       [&](const std::string&, const PoolSpec& pool) {
                           return make_reference(model.config, model.weights, pool);
                       }},
                  settings);
    const std::uint32_t n = dice.between(1, 7);
    const auto vocab = static_cast<std::uint32_t>(model.config.vocab_size);
    for (std::uint32_t i = 0; i < n; ++i) {
        RequestSpec spec = random_request(dice, i, vocab);
        if (i > 0 && dice.one_in(4)) {
            spec.fork_of = std::string(1, static_cast<char>('A' + dice.below(i)));
            spec.prompt.resize(dice.below(3));
            spec.salt.clear();
            spec.arrive = dice.between(4, 20);
        }
        engine.submit(spec);
    }
    bool commanded = false;
    for (std::uint32_t steps = 0; !engine.done(); ++steps) {
        REQUIRE(steps < 2000);
        engine.advance();
        const Snapshot seen = engine.observe();
        REQUIRE(differences(seen, engine.trace().end()) == std::vector<std::string>{});
        REQUIRE(seen == engine.trace().end());
        for (const Violation& broken : engine.check()) FAIL_CHECK(broken.what);
        for (const EngineCommand& command : random_commands(dice, n)) {
            commanded = true;
            engine.apply(command);
            REQUIRE(differences(engine.observe(), engine.trace().end()) ==
                    std::vector<std::string>{});
            for (const Violation& broken : engine.check()) FAIL_CHECK(broken.what);
        }
    }
    for (std::size_t i = 0; i < engine.requests().size(); ++i) {
        const Request& r = engine.requests()[i];
        if (r.state == RequestState::Refused || r.state == RequestState::Paused) continue;
        const std::vector<std::uint32_t> expected = alone(model, r, i);
        CAPTURE(r.spec.name, r.preemptions, r.cached_prompt, commanded);
        if (r.finish == Finish::Stopped) {
            REQUIRE(r.new_tokens.size() <= expected.size());
            CHECK(std::equal(r.new_tokens.begin(), r.new_tokens.end(), expected.begin()));
        } else {
            CHECK(r.new_tokens == expected);
        }
    }
}

}  // namespace

TEST_CASE("no scene breaks a rule or changes a token", "[engine][I26][I27][I29]") {
    const SmallModel model = load_fixture("llama_gqa");
    for (std::uint64_t seed = 1; seed <= 400; ++seed) play(model, seed);
}
