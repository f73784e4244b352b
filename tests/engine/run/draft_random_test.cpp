// Random scenes with drafts against the same without: whatever proposes, however long, and whatever
// else goes on, no request gets another token, no rule of the books is broken at any step, and
// nothing is left over. A request that is alone also has the same logits, bit by bit, and the same
// bytes, free list and hashes at its end.

#include <catch2/catch_test_macros.hpp>

#include "core/engine/cpu/backend.hpp"
#include "core/engine/run/engine.hpp"
#include "core/trace/applicable.hpp"
#include "core/trace/event/event.hpp"
#include "tests/base/dice.hpp"
#include "tests/engine/run/drafter.hpp"
#include "tests/engine/run/fixture.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// A full model that has been read once, for all scenes.
const DrafterParts& shared_drafter(const std::string& fixture) {
    static std::map<std::string, DrafterParts> all;
    const auto found = all.find(fixture);
    return found != all.end() ? found->second
                              : all.emplace(fixture, drafter_of(fixture)).first->second;
}

std::string random_draft(Dice& dice, bool by_model) {
    const std::string source = by_model ? (dice.one_in(3) ? "llama_tied_bias" : "llama_gqa")
                                        : "ngram:" + std::to_string(dice.between(1, 3));
    return source + (dice.one_in(3) ? ",k=auto" : ",k=" + std::to_string(dice.between(1, 9)));
}

struct Counted {
    std::uint64_t drafts = 0, accepted = 0, struck = 0, behind = 0;
    void add(const Counters& c) {
        drafts += c.drafts, accepted += c.draft_accepted;
        struck += c.draft_struck, behind += c.draft_behind;
    }
};

EngineParts parts_of(const SmallModel& model) {
    EngineParts parts{.config = model.config,
                      .make_backend = [&model](const std::string& name,
                                               const PoolSpec& pool) -> std::unique_ptr<Backend> {
                          if (name == "cpu") return make_cpu(model.config, model.weights, pool);
                          return make_reference(model.config, model.weights, pool);
                      },
                      .keep_logits = true,
                      .payload_bytes = 1u << 16};
    parts.find_drafter = [](const std::string& name) { return shared_drafter(name); };
    return parts;
}

void check_books(const Engine& engine) {
    const Snapshot seen = engine.observe();
    REQUIRE(differences(seen, engine.trace().end()) == std::vector<std::string>{});
    REQUIRE(seen == engine.trace().end());
    for (const Violation& broken : engine.check()) FAIL_CHECK(broken.what);
}

// A file that says the same is taken, event by event.
void check_readable(const Trace& trace) {
    Snapshot state;
    trace.each(0, trace.size(), [&](std::uint64_t n, const Event& event) {
        const auto refusal = why_not_applicable(state, event);
        CAPTURE(n, name_of(event.what));
        if (refusal) FAIL_CHECK(refusal->field + " " + refusal->rule);
        apply(state, event);
    });
}

void check_nothing_is_left(Engine& engine) {
    check_readable(engine.trace());
    engine.apply(ClearPrefixes{});
    const Snapshot now = engine.observe();
    for (const LaneView& lane : now.lanes) {
        CHECK(lane.used == 0);
        CHECK(lane.cached == 0);
    }
    for (std::size_t i = 0; i < now.requests.size(); ++i)
        CHECK(now.requests[i].drafter_blocks.empty());
}

// Codecs, policies, positions and a backend, for a request that is alone.
EngineSettings random_store(Dice& dice) {
    EngineSettings s;
    s.backend = dice.one_in(2) ? "cpu" : "reference";
    s.block_size = std::vector<std::uint32_t>{1, 2, 4, 8, 16}[dice.below(5)];
    s.pool = {{}, 200};
    const auto set = [&](const char* name, const std::string& value) {
        CAPTURE(name, value);
        REQUIRE(find_setting(name)->read(s, value).empty());
    };
    const std::vector<std::string> codecs{"f32",     "bf16",    "fp16",       "fp8_e4m3",
                                          "int8",    "int4",    "int3",       "int2",
                                          "int8:g8", "int4:g8", "int8:tensor"};
    for (const char* side : {"k_codec", "v_codec"})
        if (!dice.one_in(3))
            set(side, codecs[dice.below(static_cast<std::uint32_t>(codecs.size()))]);
    s.prefill = dice.one_in(2) ? Prefill::Exact : Prefill::Quantized;
    if (dice.one_in(4)) s.rotation = Rotation::Hadamard;
    if (dice.one_in(3)) s.order = KvOrder::HeadMajor;
    const std::vector<std::string> policies{"window:9",
                                            "streaming:2+7",
                                            "h2o:6+6",
                                            "h2o:4+8,decay=0.9",
                                            "tova:12",
                                            "random:11",
                                            "knorm:0.5",
                                            "snapkv:9,window=3,kernel=3",
                                            "adakv:8,window=2,kernel=3",
                                            "expected:0.5,sinks=2",
                                            "lagkv:0.5,sinks=2,lag=3",
                                            "quest:16",
                                            "quest:16"};
    if (dice.one_in(2))
        set("evict", policies[dice.below(static_cast<std::uint32_t>(policies.size()))]);
    if (s.evict != "none" && dice.one_in(3))
        set("positions", std::vector<std::string>{"true", "cache", "original"}[dice.below(3)]);
    s.compact = dice.one_in(2);
    return s;
}

Counted play_alone(const SmallModel& model, std::uint64_t seed) {
    Dice dice(seed, 91);
    EngineSettings settings = random_store(dice);
    if (codec_refusal(model.config, settings) || !clash_of(settings, model.config).empty())
        return {};
    RequestSpec spec = request("A", dice.between(1, 30), dice.between(2, 40), dice.below(40));
    if (dice.one_in(2))
        for (std::uint32_t& token : spec.prompt) token = 3 + dice.below(4);
    if (dice.one_in(4)) spec.forced = {5, 9, 5, 9};
    CAPTURE(seed, settings.backend, codec_name(settings.k_codec), codec_name(settings.v_codec),
            settings.evict, settings.block_size, static_cast<int>(settings.prefill),
            settings.compact);
    Engine plain(parts_of(model), settings);
    plain.submit(spec);
    run_to_end(plain);
    std::string why;
    settings.draft = *parse_draft(random_draft(dice, dice.one_in(3)), why);
    CAPTURE(draft_text(settings.draft));
    Engine drafted(parts_of(model), settings);
    drafted.submit(spec);
    while (!drafted.done()) {
        drafted.advance();
        check_books(drafted);
    }
    const Request &is = drafted.requests()[0], &was = plain.requests()[0];
    REQUIRE(is.new_tokens == was.new_tokens);
    CHECK(is.finish == was.finish);
    CHECK(is.logits == was.logits);
    CHECK(is.kept == was.kept);
    CHECK(drafted.iteration() <= plain.iteration());
    CHECK(drafted.last_held().state_hash == plain.last_held().state_hash);
    check_nothing_is_left(drafted);
    Counted counted;
    counted.add(drafted.trace().end().counters);
    return counted;
}

// Many requests on a small pool; what is stored is exact, so nobody's tokens depend on others.
EngineSettings random_service(Dice& dice) {
    EngineSettings s;
    s.backend = dice.one_in(4) ? "cpu" : "reference";
    s.block_size = std::vector<std::uint32_t>{1, 2, 3, 4, 8}[dice.below(5)];
    s.pool = {{}, (dice.between(30, 70) + s.block_size - 1) / s.block_size};
    s.share = static_cast<Sharing>(dice.below(3));
    if (dice.one_in(2)) s.free_order = FreeOrder::UnhashedFirst;
    if (dice.one_in(3)) s.prefix_rule = PrefixRule::Radix;
    s.radix_order = static_cast<RadixOrder>(dice.below(9));
    if (dice.one_in(2)) s.preempt = Preemption::Swap;
    if (dice.one_in(2)) s.host_blocks = dice.between(1, 30);
    if (dice.one_in(2)) s.cold_blocks = ColdBlocks::KeepInHost;
    s.prefetch = dice.one_in(2);
    s.max_batch_tokens = dice.between(2, 40);
    s.max_running = dice.between(1, 6);
    s.watermark_blocks = dice.one_in(3) ? dice.between(1, 4) : 0;
    if (dice.one_in(4))
        find_setting("evict")->read(s, dice.one_in(2) ? "window:9" : "streaming:2+7");
    return s;
}

void command(Engine& engine, Dice& dice, std::uint32_t n_requests) {
    const std::string name(1, static_cast<char>('A' + dice.below(n_requests)));
    switch (dice.below(12)) {
        case 0:
            engine.apply(PauseRequest{name});
            break;
        case 1:
        case 2:
            engine.apply(ResumeRequest{name});
            break;
        case 3:
            engine.apply(SetSetting{"draft", dice.one_in(3) ? "off" : random_draft(dice, false)});
            break;
        case 4:
            engine.apply(SetSetting{"max_batch_tokens", std::to_string(dice.between(1, 20))});
            break;
        default:
            break;
    }
}

Counted play_together(const SmallModel& model, std::uint64_t seed) {
    Dice dice(seed, 92);
    EngineSettings settings = random_service(dice);
    std::vector<RequestSpec> specs;
    const std::uint32_t n = dice.between(2, 7);
    for (std::uint32_t i = 0; i < n; ++i) {
        RequestSpec spec = request(std::string(1, static_cast<char>('A' + i)), dice.between(1, 16),
                                   dice.between(1, 14), 3 + 5 * dice.below(2), dice.below(10));
        for (std::size_t t = dice.below(16); t < spec.prompt.size(); ++t)
            spec.prompt[t] = 3 + dice.below(5);
        if (dice.one_in(4)) spec.sampling = {1.0, {}, {}, 11};
        spec.priority = dice.one_in(3) ? static_cast<std::int32_t>(dice.below(3)) : 0;
        if (i > 0 && dice.one_in(4)) {
            spec.fork_of = std::string(1, static_cast<char>('A' + dice.below(i)));
            spec.prompt.resize(dice.below(3) + 1);
            spec.arrive = dice.between(4, 20);
        }
        specs.push_back(spec);
    }
    if (!clash_of(settings, model.config).empty()) return {};
    std::string why;
    settings.draft = *parse_draft(random_draft(dice, dice.one_in(3)), why);
    const bool samples_with_model = !settings.draft.model.empty();
    CAPTURE(seed, draft_text(settings.draft), settings.block_size, settings.pool.blocks,
            settings.evict, settings.backend);
    Engine engine(parts_of(model), settings);
    for (RequestSpec& spec : specs) {
        if (samples_with_model) spec.sampling = {};
        engine.submit(spec);
    }
    for (std::uint32_t steps = 0; !engine.done(); ++steps) {
        REQUIRE(steps < 2000);
        engine.advance();
        check_books(engine);
        if (!samples_with_model) command(engine, dice, n);
    }
    for (const Request& r : engine.requests()) {
        if (r.state == RequestState::Refused || r.state == RequestState::Paused) continue;
        RequestSpec spec = r.spec;
        spec.prompt = r.prompt;
        spec.fork_of.reset();
        spec.arrive = 0;
        EngineSettings alone = settings;
        alone.draft = {};
        alone.pool = {{}, 96};
        alone.share = Sharing::Off;
        alone.prefix_rule = PrefixRule::Chain;
        alone.max_batch_tokens = 64;
        alone.watermark_blocks = 0;
        Engine one(parts_of(model), alone);
        // Draws depend on the request's number.
        const auto number = static_cast<std::size_t>(&r - engine.requests().data());
        for (std::size_t i = 0; i < number; ++i)
            one.submit(request("no" + std::to_string(i), 1, 1));
        one.submit(spec);
        run_to_end(one);
        CAPTURE(r.spec.name, r.preemptions, r.cached_prompt);
        CHECK(r.new_tokens == one.requests()[number].new_tokens);
    }
    Counted counted;
    counted.add(engine.trace().end().counters);
    for (const Request& r : engine.requests())
        if (!r.finish) engine.apply(StopRequest{r.spec.name});
    check_nothing_is_left(engine);
    return counted;
}

void play(std::uint64_t first, std::uint64_t last) {
    const SmallModel model = load_fixture("llama_gqa");
    Counted all;
    const auto add = [&](const Counted& one) {
        all.drafts += one.drafts, all.accepted += one.accepted;
        all.struck += one.struck, all.behind += one.behind;
    };
    for (std::uint64_t seed = first; seed <= last; ++seed) {
        add(play_alone(model, seed));
        add(play_together(model, seed));
    }
    // Scenes in which nothing is proposed, accepted or struck prove nothing.
    const std::uint64_t scenes = last - first + 1;
    CHECK(all.drafts > 2 * scenes);
    CHECK(all.accepted > 2 * scenes);
    CHECK(all.struck > scenes);
    CHECK(all.behind > scenes);
}

}  // namespace

TEST_CASE("drafts change no token, no bit and no rule", "[engine][draft][I26][I29]") {
    play(1, 60);
}

TEST_CASE("drafts change no token in a thousand scenes", "[engine][draft][slow]") {
    play(61, 1060);
}
