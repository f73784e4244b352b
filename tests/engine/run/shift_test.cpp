// Keys that are rotated on in place: they stand where a single rotation would put them, up to
// rounding that adds up, what is rewritten is counted, and the books and the trace stay one story.

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>

#include "core/base/error.hpp"
#include "core/engine/reference/rope.hpp"
#include "core/trace/event/event.hpp"
#include "tests/engine/run/fixture.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::uint32_t kPrompt = 6, kNew = 60, kStored = kPrompt + kNew - 2;

EngineSettings settings_of(const std::string& evict, const std::string& positions,
                           const std::string& codec = "f32") {
    EngineSettings s = tiny_settings(40);
    for (const auto& [name, value] : {std::pair{"evict", evict},
                                      {"positions", positions},
                                      {"k_codec", codec},
                                      {"share", "off"}})
        REQUIRE(find_setting(name)->read(s, value).empty());
    return s;
}

// Its tokens are given, so that every run stores the same ones.
RequestSpec told() {
    RequestSpec spec = request("A", kPrompt, 1);
    for (std::uint32_t i = 0; i < kNew; ++i) spec.forced.push_back(4 + i * 7 % 19);
    return spec;
}

// The key of layer 0 and KV head 1, which depends on nothing but the token and its place.
std::vector<float> first_key(const Engine& engine, std::uint32_t position) {
    const KvLayout& layout = engine.backend().layout();
    const std::uint32_t slot = engine.cache().slots(SeqId(0)).slot_of(position);
    const BlockId block = *engine.cache().table(SeqId(0))[slot / layout.block_size];
    std::vector<std::byte> bytes(layout.k.bytes);
    engine.backend().read_pool(
        layout.vector_offset(LayerId(0), Side::K, HeadId(1), block, Slot(slot % layout.block_size)),
        bytes);
    std::vector<float> key(layout.k.dim);
    decode_vector(engine.settings().k_codec, bytes.data(), layout.k.dim, key.data());
    return key;
}

// Stopped before its last token, while its blocks are held.
std::unique_ptr<Engine> played(const EngineOn& on, const EngineSettings& settings) {
    auto engine = std::make_unique<Engine>(on.parts(), settings);
    engine->submit(told());
    while (engine->cache().is_open(SeqId(0)) == false ||
           engine->cache().stored(SeqId(0)) < kStored) {
        engine->advance();
        REQUIRE(differences(engine->observe(), engine->trace().end()) ==
                std::vector<std::string>{});
        for (const Violation& broken : engine->check()) FAIL_CHECK(broken.what);
    }
    return engine;
}

// The largest distance of a kept key from the same key rotated once, in doubles.
double drift(const EngineOn& on, const std::string& evict, const std::string& codec) {
    const auto exact = played(on, settings_of(evict, "cache")),
               shifted = played(on, settings_of(evict, "shift", codec));
    const auto frequencies = rope_frequencies(on.model.config);
    const auto kept = shifted->cache().slots(SeqId(0)).kept(kStored);
    CHECK(kept == exact->cache().slots(SeqId(0)).kept(kStored));
    double worst = 0;
    for (std::uint32_t rank = 0; rank < kept.size(); ++rank) {
        const std::vector<float> plain = first_key(*exact, kept[rank]),
                                 rotated = first_key(*shifted, kept[rank]);
        std::vector<double> once(plain.begin(), plain.end());
        rotate_head(once.data(), frequencies, rank);
        for (std::size_t i = 0; i < once.size(); ++i)
            worst = std::max(worst, std::abs(once[i] - static_cast<double>(rotated[i])));
    }
    return worst;
}

}  // namespace

TEST_CASE("keys shifted in place stand at their rank, and rounding adds up", "[engine][shift]") {
    const EngineOn on;
    for (const char* evict : {"window:24", "streaming:2+20"}) {
        CAPTURE(evict);
        const double fine = drift(on, evict, "f32"), coarse = drift(on, evict, "fp16");
        CHECK(fine > 0);
        CHECK(fine < 1e-5);
        CHECK(coarse > 100 * fine);
        CHECK(coarse < 0.1);
    }
}

TEST_CASE("a run that shifts in place says nearly what one with cache positions says",
          "[engine][shift]") {
    const EngineOn on;
    const auto logits_of = [&](const std::string& positions, const std::string& codec) {
        std::vector<float> all;
        EngineParts parts = on.parts();
        parts.on_logits = [&](SeqId, const SeenTokens&, std::span<const float> logits) {
            all.insert(all.end(), logits.begin(), logits.end());
        };
        Engine engine(std::move(parts), settings_of("streaming:2+20", positions, codec));
        engine.submit(told());
        run_to_end(engine);
        return all;
    };
    const auto distance = [](const std::vector<float>& a, const std::vector<float>& b) {
        REQUIRE(a.size() == b.size());
        float most = 0;
        for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
        return most;
    };
    const auto exact = logits_of("cache", "f32");
    const float in_place = distance(logits_of("shift", "f32"), exact),
                in_fp16 = distance(logits_of("shift", "fp16"), exact),
                elsewhere = distance(logits_of("true", "f32"), exact);
    CHECK(in_place > 0);
    CHECK(in_place < 1e-4f);
    CHECK(in_fp16 > in_place);
    CHECK(elsewhere > 100 * in_place);
}

// Streaming keeps 2 + 5 and drops one token behind each step that stores an eighth: 5 keys go back.
// A window of 7 makes room before the next token comes: 6 keys go back.
TEST_CASE("every key that goes back is counted and recorded", "[engine][shift]") {
    const EngineOn on;
    for (const auto& [evict, each] : {std::pair{"streaming:2+5", 5u}, {"window:7", 6u}}) {
        const auto engine = played(on, settings_of(evict, "shift", "fp16"));
        const KvLayout& layout = engine->backend().layout();
        const std::uint64_t key =
            std::uint64_t{layout.n_layers} * layout.n_kv_heads * layout.k.bytes;
        std::uint64_t keys = 0, bytes = 0;
        for (const auto& [event, what] : events_of<BlockRecoded>(engine->trace())) {
            CHECK(event.reason.why == Why::KeysShifted);
            CHECK(event.reason.a == 1);
            keys += event.reason.b, bytes += what.bytes;
        }
        CHECK(keys == (kStored - 7) * each);
        CHECK(bytes == keys * key);
        CHECK(engine->trace().end().counters.bytes_copied == bytes);
    }
}

TEST_CASE("shifting in place is refused where it would harm others", "[engine][shift]") {
    const EngineOn on;
    EngineSettings shared = settings_of("streaming:2+5", "shift");
    shared.share = Sharing::FullBlocksOnly;
    const auto said = [&](const EngineSettings& settings) -> std::string {
        try {
            Engine engine(on.parts(), settings);
        } catch (const Error& error) {
            CHECK(error.code() == ErrorCode::Usage);
            return error.what();
        }
        return {};
    };
    CHECK_THAT(said(shared), ContainsSubstring("set share to off"));
    for (const char* evict : {"none", "h2o:4+4", "knorm:0.5"})
        CHECK_THAT(said(settings_of(evict, "shift")), ContainsSubstring("needs evict window"));
    CHECK(said(settings_of("window:7", "shift")).empty());
}
