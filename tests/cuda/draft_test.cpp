// Drafts over the emulated GPU: a pass that checks proposals has the bits of the steps that it
// stands for, in every codec and policy, and nobody's tokens depend on who else drafts.

#include <catch2/catch_test_macros.hpp>

#include "core/engine/run/engine.hpp"
#include "core/trace/event/event.hpp"
#include "tests/base/dice.hpp"
#include "tests/cuda/emulated.hpp"
#include "tests/engine/run/fixture.hpp"
#include "tests/engine/tap_recorder.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// A step of one token and a pass of several take the same sums in the same order only if keys are
// split alike and products have at most as many rows as a warp adds up side by side.
constexpr gpu::GpuOptions kSameSums{.splits = 1};
constexpr std::uint32_t kMostRows = gpu::MatmulWarpPerOutput::kRows;

EngineParts parts_of_same_sums(const SmallModel& model) {
    return {.config = model.config,
            .make_backend =
                [&model](const std::string&, const PoolSpec& pool) {
                    return make_emulated(model.config, model.weights, pool, kSameSums);
                },
            .keep_logits = true};
}

struct Store {
    const char *codec, *evict;
    std::uint32_t block_size;
    Prefill prefill;
};

EngineSettings settings_of(const Store& store) {
    EngineSettings settings = tiny_settings(320 / store.block_size, store.block_size);
    settings.prefill = store.prefill;
    for (const auto& [name, value] :
         {std::pair("k_codec", store.codec), {"v_codec", store.codec}, {"evict", store.evict}})
        REQUIRE(find_setting(name)->read(settings, value).empty());
    return settings;
}

void set_draft(EngineSettings& settings, const std::string& draft) {
    REQUIRE(find_setting("draft")->read(settings, draft).empty());
}

// Tokens that repeat themselves, so that a look back finds something.
RequestSpec song(const std::string& name, std::uint32_t n_prompt, std::uint32_t max_new,
                 Dice& dice) {
    RequestSpec spec = request(name, n_prompt, max_new);
    for (std::uint32_t& token : spec.prompt) token = 3 + dice.below(4);
    return spec;
}

const Counters& counted(const Engine& engine) {
    return engine.trace().end().counters;
}

}  // namespace

TEST_CASE("a draft on the device changes no bit of what comes out",
          "[emulated][draft][I26][heavy]") {
    const EngineOn on;
    std::uint64_t accepted = 0, struck = 0;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const Prefill prefill = seed % 2 == 0 ? Prefill::Exact : Prefill::Quantized;
        for (const Store& store :
             {Store{"f32", "none", 4, prefill}, Store{"bf16", "window:9", 2, prefill},
              Store{"int8", "none", 3, prefill}, Store{"int4:g8", "streaming:2+7", 4, prefill},
              Store{"int8:tensor", "none", 8, prefill}, Store{"fp8_e4m3", "h2o:6+6", 4, prefill},
              Store{"bf16", "quest:8", 4, prefill}, Store{"int8", "quest:8,skip=0", 4, prefill},
              Store{"int8", "snapkv:9,window=3,kernel=3", 4, prefill}}) {
            CAPTURE(store.codec, store.evict, store.block_size, seed);
            Dice dice(seed, 17);
            EngineSettings settings = settings_of(store);
            const RequestSpec spec = song("A", dice.between(1, 25), 40, dice);
            Engine plain(parts_of_same_sums(on.model), settings);
            plain.submit(spec);
            run_to_end(plain);
            set_draft(settings, "ngram:" + std::to_string(dice.between(1, 2)) +
                                    ",k=" + std::to_string(dice.between(2, kMostRows - 1)));
            REQUIRE(clash_of(settings, on.model.config).empty());
            Engine drafted(parts_of_same_sums(on.model), settings);
            drafted.submit(spec);
            run_to_end(drafted);
            CHECK(drafted.requests()[0].new_tokens == plain.requests()[0].new_tokens);
            CHECK(drafted.requests()[0].logits == plain.requests()[0].logits);
            CHECK(drafted.last_held().state_hash == plain.last_held().state_hash);
            accepted += counted(drafted).draft_accepted;
            struck += counted(drafted).draft_struck;
        }
    }
    CHECK(accepted > 200);  // or nothing was shown
    CHECK(struck > 100);
}

// Keys wait in fp16 until 32 of them are coded together: a token of a draft sees those before it as
// they lie at its own moment, and what is struck is as if it had never waited.
TEST_CASE("a draft on the device leaves a residual as it would have been",
          "[emulated][draft][kivi]") {
    const EngineOn on;
    for (const Prefill prefill : {Prefill::Exact, Prefill::Quantized}) {
        CAPTURE(static_cast<int>(prefill));
        Dice dice(5, 18);
        EngineSettings settings = settings_of({"int4:kivi", "none", 32, prefill});
        settings.max_batch_tokens = 60;
        const RequestSpec spec = song("A", 90, 90, dice);
        Engine plain(parts_of_same_sums(on.model), settings);
        plain.submit(spec);
        run_to_end(plain);
        set_draft(settings, "ngram:1,k=5");
        Engine drafted(parts_of_same_sums(on.model), settings);
        drafted.submit(spec);
        run_to_end(drafted);
        CHECK(drafted.requests()[0].new_tokens == plain.requests()[0].new_tokens);
        CHECK(drafted.requests()[0].logits == plain.requests()[0].logits);
        CHECK(counted(drafted).draft_accepted > 5);
    }
}

// Weights of attention are computed once more for who looks at them, from what each token saw.
TEST_CASE("taps of a checked draft on the device show what its tokens saw", "[emulated][draft]") {
    const RandomModel model = random_model({});
    const auto tokens = random_tokens(20, model.config.vocab_size, 8);
    const std::vector<std::uint32_t> before(tokens.begin(), tokens.end() - 4),
        draft(tokens.end() - 4, tokens.end());
    for (const Codec codec : {Codec::F32, Codec::Int4}) {
        CAPTURE(codec_name(codec));
        const PoolSpec pool = pool_for(20, 4, codec);
        TapRecorder expected, seen;
        const auto reference = make_reference(model.config, model.weights, pool);
        Sequence there(*reference);
        there.feed(before);
        there.check(draft, &expected);
        const auto backend = make_emulated(model.config, model.weights, pool);
        Sequence here(*backend);
        here.feed(before);
        here.check(draft, &seen);
        REQUIRE(seen.taken.size() == expected.taken.size());
        for (const auto& [place, values] : expected.taken) {
            REQUIRE(seen.taken[place].size() == values.size());
            CHECK(distance(seen.taken[place], values).difference <= 1e-3);
        }
    }
}

// One reads its prompt while another checks a draft: tokens that attend one by one and a chunk that
// attends as a whole, in the same pass. The reference does the same with the same schedule.
TEST_CASE("drafts and prompts share a pass on the device", "[emulated][draft][I29]") {
    const EngineOn on;
    for (const char* codec : {"f32", "int8", "int4:kivi"})
        for (const Prefill prefill : {Prefill::Exact, Prefill::Quantized}) {
            CAPTURE(codec, static_cast<int>(prefill));
            Dice dice(9, 19);
            EngineSettings settings = settings_of({codec, "none", 32, prefill});
            settings.max_batch_tokens = 12;
            set_draft(settings, "ngram:1,k=3");
            Engine here(parts_of_same_sums(on.model), settings), reference(on.parts(), settings);
            for (std::uint32_t i = 0; i < 3; ++i) {
                RequestSpec spec =
                    song(std::string(1, static_cast<char>('A' + i)), 12 + 19 * i, 30 - 4 * i, dice);
                spec.arrive = 5 * i;
                here.submit(spec);
                reference.submit(spec);
            }
            run_to_end(here);
            run_to_end(reference);
            CHECK(counted(here).draft_accepted > 5);
            CHECK(counted(here) == counted(reference));
            for (std::uint32_t i = 0; i < 3; ++i)
                CHECK(here.requests()[i].new_tokens == reference.requests()[i].new_tokens);
        }
}
