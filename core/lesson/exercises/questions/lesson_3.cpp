// Where the bytes are: offsets and strides from the program's one address function.

#include <array>
#include <cmath>

#include "core/base/numbers/formats.hpp"
#include "core/cache/codec/vector_codec.hpp"
#include "core/lesson/exercises/exercise_writer.hpp"
#include "core/lesson/exercises/kind.hpp"
#include "core/lesson/exercises/words.hpp"

namespace kv {
namespace {

struct Stored {
    const char* name;
    Codec codec;
};
const std::vector<Stored>& storages() {
    static const std::vector<Stored> all{{"BF16", Codec::Bf16},
                                         {"FP16", Codec::Fp16},
                                         {"FP32", Codec::F32},
                                         {"FP8", Codec::Fp8E4m3}};
    return all;
}

// One layer whose tokens all lie in one block.
KvLayout one_block(u64 tokens, u64 n_kv_heads, u64 head_dim, const Stored& stored, KvOrder order) {
    const KvVector vector = vector_of(stored.codec, static_cast<std::uint32_t>(head_dim));
    return {.n_layers = 1,
            .n_kv_heads = static_cast<std::uint32_t>(n_kv_heads),
            .block_size = static_cast<std::uint32_t>(tokens),
            .n_blocks = 1,
            .order = order,
            .k = vector,
            .v = vector};
}

struct Cell {
    u64 tokens, n_kv_heads, head_dim;
    Stored stored;
    u64 token, head, channel;
};

u64 offset_of(const Cell& given, KvOrder order) {
    const KvLayout layout =
        one_block(given.tokens, given.n_kv_heads, given.head_dim, given.stored, order);
    const auto head = HeadId(static_cast<std::uint32_t>(given.head));
    const auto slot = Slot(static_cast<std::uint32_t>(given.token));
    return layout.vector_offset(LayerId(0), Side::K, head, BlockId(0), slot) +
           given.channel * layout.k.element_bits / 8;
}

Exercise offset(const Cell& given) {
    const u64 by_token = offset_of(given, KvOrder::TokenMajor);
    const u64 by_head = offset_of(given, KvOrder::HeadMajor);
    const u64 element = given.stored.codec.bits() / 8;
    constexpr const char* kElements = "elements for bytes";
    return ExerciseWriter("The keys of one layer hold " + say(given.tokens) + " tokens of " +
                          say(given.n_kv_heads) + " KV heads with head_dim " + say(given.head_dim) +
                          " in " + given.stored.name + ". At which byte of the keys does channel " +
                          say(given.channel) + " of token " + say(given.token) + ", KV head " +
                          say(given.head) +
                          " begin (all counted from 0), in token-major and in head-major order?")
        .bytes("the offset in token-major order", by_token)
        .slip(kElements, by_token / element)
        .bytes("the offset in head-major order", by_head)
        .slip(kElements, by_head / element)
        .hint(
            "Token-major: (token x n_kv_heads + head) x head_dim + channel elements. Head-major: "
            "(head x tokens + token) x head_dim + channel.")
        .done();
}

std::optional<Cell> draw_cell(Dice& dice) {
    Cell given{.tokens = dice.whole(3, 9),
               .n_kv_heads = dice.pick<u64>({2, 3, 4, 8}),
               .head_dim = dice.pick<u64>({4, 8, 16, 64}),
               .stored = dice.pick<Stored>({storages()[0], storages()[1], storages()[2]}),
               .token = 0,
               .head = 0,
               .channel = 0};
    given.token = dice.whole(1, given.tokens - 1);
    given.head = dice.whole(0, given.n_kv_heads - 1);
    given.channel = dice.whole(0, given.head_dim - 1);
    return given;
}

struct LayerBytes {
    u64 tokens, n_kv_heads, head_dim;
    Stored stored;
};

Exercise layer_sizes(const LayerBytes& given) {
    const KvLayout layout = one_block(given.tokens, given.n_kv_heads, given.head_dim, given.stored,
                                      KvOrder::TokenMajor);
    const auto keys = static_cast<double>(layout.plane_bytes(Side::K));
    return ExerciseWriter(
               "One layer caches " + say(given.tokens) + " tokens of " + say(given.n_kv_heads) +
               " KV heads with head_dim " + say(given.head_dim) + " in " + given.stored.name +
               ". How many bytes do the keys take, and how many keys and values together?")
        .bytes("the bytes of K", layout.plane_bytes(Side::K))
        .slip("elements for bytes", keys * 8 / given.stored.codec.bits())
        .slip("keys and values together", layout.layer_bytes())
        .bytes("the bytes in all", layout.layer_bytes())
        .slip(kKeysOnly, keys)
        .hint("tokens x n_kv_heads x head_dim x bytes of an element, once for K and once for V.")
        .done();
}

std::optional<LayerBytes> draw_layer(Dice& dice) {
    return LayerBytes{.tokens = dice.whole(2, 60),
                      .n_kv_heads = dice.whole(2, 12),
                      .head_dim = dice.pick<u64>({4, 8, 16, 32, 64, 128}),
                      .stored = dice.pick<Stored>({storages()[0], storages()[1], storages()[2]})};
}

struct Strides {
    u64 n_kv_heads, head_dim;
    Stored stored;
};

Exercise strides(const Strides& given) {
    constexpr u64 kTokens = 16;  // their count is in no slot stride
    const auto stride = [&](KvOrder order) {
        return one_block(kTokens, given.n_kv_heads, given.head_dim, given.stored, order)
            .slot_stride(Side::K);
    };
    return ExerciseWriter("A block of keys has " + say(given.n_kv_heads) +
                          " KV heads with head_dim " + say(given.head_dim) + " in " +
                          given.stored.name +
                          ". From one token to the next of the same KV head, how many bytes is it "
                          "in token-major order, where a token's heads lie together, and in "
                          "head-major order, where a head's tokens do?")
        .bytes("the step in token-major order", stride(KvOrder::TokenMajor))
        .slip("K and V: they lie in planes of their own",
              2.0 * static_cast<double>(stride(KvOrder::TokenMajor)))
        .slip("elements for bytes", given.n_kv_heads * given.head_dim)
        .bytes("the step in head-major order", stride(KvOrder::HeadMajor))
        .slip("elements for bytes", given.head_dim)
        .hint("Whatever lies between two tokens of a head is stepped over.")
        .done();
}

std::optional<Strides> draw_strides(Dice& dice) {
    return Strides{.n_kv_heads = dice.pick<u64>({2, 4, 8, 16, 32, 40}),
                   .head_dim = dice.pick<u64>({32, 64, 80, 96, 128, 256}),
                   .stored = dice.pick<Stored>({storages()[0], storages()[1], storages()[2]})};
}

struct Payloads {
    std::uint16_t first, second;
};

std::string hex_text(std::uint16_t payload) {
    constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string text = "0x";
    for (int shift = 12; shift >= 0; shift -= 4) text += kHex[payload >> shift & 0xF];
    return text;
}

Exercise payloads(const Payloads& given) {
    ExerciseWriter draft("Two cached elements have the BF16 payloads " + hex_text(given.first) +
                         " and " + hex_text(given.second) + ". Which numbers are they?");
    for (const auto& [name, payload] : {std::pair("the first number", given.first),
                                        std::pair("the second number", given.second)}) {
        const double value = bf16_to_float(payload);
        draft.number(name, value)
            .slip("the sign bit overlooked, or seen where there is none", -value)
            .slip("off by one in the exponent", 2 * value)
            .slip("off by one in the exponent", value / 2)
            .slip("without the leading 1 of the significand",
                  value - std::ldexp(value < 0 ? -1 : 1, std::ilogb(value)));
    }
    return draft
        .hint(
            "One sign bit, 8 bits of exponent with bias 127, 7 bits of fraction behind a leading "
            "1.")
        .done();
}

// k / 8 with at most 8 significant bits: exact in BF16, and short when written down.
std::optional<Payloads> draw_payloads(Dice& dice) {
    std::array<std::uint16_t, 2> payload{};
    for (std::uint16_t& p : payload) {
        const u64 eighths = dice.whole(3, 255) << dice.whole(0, 3);
        const auto value = static_cast<float>(eighths) / 8.0f;
        p = bf16_from_float(dice.coin() ? -value : value);
    }
    if (payload[0] >> 15 == payload[1] >> 15) return std::nullopt;
    return Payloads{.first = payload[0], .second = payload[1]};
}

}  // namespace

ExerciseKinds lesson_3_exercises() {
    const Stored bf16 = storages()[0], fp16 = storages()[1];
    return {
        exercise_kind<Cell>("",
                            {.tokens = 3,
                             .n_kv_heads = 2,
                             .head_dim = 4,
                             .stored = bf16,
                             .token = 1,
                             .head = 0,
                             .channel = 2},
                            draw_cell, offset),
        exercise_kind<LayerBytes>("", {.tokens = 5, .n_kv_heads = 3, .head_dim = 8, .stored = fp16},
                                  draw_layer, layer_sizes),
        exercise_kind<Strides>("", {.n_kv_heads = 8, .head_dim = 128, .stored = bf16}, draw_strides,
                               strides),
        exercise_kind<Payloads>("both numbers have one sign", {.first = 0x3FC0, .second = 0xC248},
                                draw_payloads, payloads)};
}

}  // namespace kv
