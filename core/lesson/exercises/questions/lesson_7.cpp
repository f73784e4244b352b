// Fewer heads to remember: which KV head a query head reads, and what sharing saves.

#include "core/base/kv_head.hpp"
#include "core/lesson/exercises/cached_model.hpp"
#include "core/lesson/exercises/exercise_writer.hpp"
#include "core/lesson/exercises/kind.hpp"
#include "core/lesson/exercises/words.hpp"

namespace kv {
namespace {

struct Wiring {
    u64 n_heads, n_kv_heads;
    std::vector<u64> heads;  // five
};

u64 kv_head(const Wiring& given, u64 head) {
    return kv_head_of(static_cast<std::uint32_t>(head), given.n_heads, given.n_kv_heads).value;
}

ExerciseWriter ask_wiring(const Wiring& given, const char* more) {
    constexpr const char* kNames[] = {"the first head's", "the second's", "the third's",
                                      "the fourth's", "the fifth's"};
    ExerciseWriter draft("A layer has " + say(given.n_heads) + " query heads and " +
                         say(given.n_kv_heads) +
                         " KV heads, both counted from 0. Which KV heads do the query heads " +
                         say_list(given.heads) + " read?" + more);
    for (std::size_t i = 0; i < given.heads.size(); ++i) {
        const u64 head = given.heads[i];
        draft.count(kNames[i], "", kv_head(given, head))
            .any_value()
            .slip_if_wrong("group count for group size: divided by the number of KV heads",
                           head / given.n_kv_heads)
            .slip_if_wrong("interleaved: neighbours share a KV head, not every n-th",
                           head % given.n_kv_heads);
    }
    return draft.hint("query head / (n_heads / n_kv_heads), rounded down.");
}

Exercise wiring(const Wiring& given) {
    return ask_wiring(given, "").done();
}

double reduction(u64 n_heads, u64 n_kv_heads) {
    return static_cast<double>(n_heads) / static_cast<double>(n_kv_heads);
}

// C097.
Exercise wiring_and_saving(const Wiring& given) {
    return ask_wiring(given, " And how much smaller is the cache than with a KV head for each?")
        .times("the ratio", reduction(given.n_heads, given.n_kv_heads))
        .slip_if_wrong("group count for group size", given.n_kv_heads)
        .done();
}

std::optional<Wiring> draw_wiring(Dice& dice) {
    const u64 kv_heads = dice.pick<u64>({2, 3, 4, 5, 6, 8});
    Wiring given{.n_heads = kv_heads * dice.pick<u64>({3, 4, 5, 6, 7, 8}),
                 .n_kv_heads = kv_heads,
                 .heads = {}};
    if (given.n_heads == kv_heads * kv_heads) return std::nullopt;
    u64 from = 0;
    for (u64 left = 5; left > 0; --left) {
        given.heads.push_back(dice.whole(from, given.n_heads - left));
        from = given.heads.back() + 1;
    }
    const u64 last = given.heads.back();
    const bool slips = last / kv_heads != kv_head(given, last);
    return slips ? std::optional(given) : std::nullopt;
}

struct Saved {
    CachedModel model;
    u64 tokens;
};

Exercise saved(const Saved& given) {
    const CachedModel& m = given.model;
    const u64 group = group_size(m.n_heads, m.n_kv_heads);
    const auto bytes = [&](const CachedModel& of, u64 tokens) {
        return sequence_bytes(of.cache(), of.codecs(), tokens);
    };
    ExerciseWriter draft("A model has " + say(m) +
                         ". What does its cache take for each token and for " + say(given.tokens) +
                         " tokens? And for as many if every query head had a KV head of its own?");
    const auto add = [&](const char* name, u64 tokens) {
        const u64 right = bytes(m, tokens);
        draft.bytes(name, right)
            .slip(kKeysOnly, static_cast<double>(right) / 2)
            .slip(kQueryHeads, bytes(m.with_all_heads(), tokens))
            .slip_if_wrong(kGroupSize, bytes(m.with_kv_heads(group), tokens));
    };
    add("the bytes for each token", 1);
    add("those for all tokens", given.tokens);
    const u64 mha = bytes(m.with_all_heads(), given.tokens);
    return draft.bytes("those with a KV head each", mha)
        .slip(kKeysOnly, static_cast<double>(mha) / 2)
        .slip("n_kv_heads for n_heads", bytes(m, given.tokens))
        .hint("2 x n_layers x n_kv_heads x head_dim x bytes of an element for each token.")
        .done();
}

std::optional<Saved> draw_saved(Dice& dice) {
    return Saved{.model = draw_grouped_model(dice), .tokens = dice.in_steps(1024, 65'536, 1024)};
}

struct TwoConfigs {
    u64 n_heads, n_kv_heads;        // that do not divide
    u64 other_heads, other_groups;  // "G groups"
};

Exercise refusals(const TwoConfigs& given) {
    const auto objection = heads_objection(given.n_heads, given.n_kv_heads);
    ModelShape other;
    other.n_heads = given.other_heads;
    other.cache = uniform_cache(1, given.other_groups, 1);
    const u64 groups = other.cache.n_kv_heads, size = other.group_size();
    return ExerciseWriter("One config asks for " + say(given.n_heads) + " query heads and " +
                          say(given.n_kv_heads) +
                          " KV heads: is it \"accepted\" or \"refused\", and what is left when one "
                          "number is divided by the other? Another has H = " +
                          say(given.other_heads) +
                          " query heads in G = " + say(given.other_groups) +
                          " groups. How many KV heads does each layer of it keep, and which number "
                          "does the reading \"H/G KV heads\" give instead?")
        .word("the verdict", objection ? "refused" : "accepted")
        .slip_word("a group would have a fraction of a head", objection ? "accepted" : "refused")
        .count("the rest", "", given.n_heads % given.n_kv_heads)
        .any_value()
        .slip_if_wrong("the quotient for the rest", given.n_heads / given.n_kv_heads)
        .count("the KV heads", "", groups)
        .any_value()
        .slip(kGroupSize, size)
        .count("the wrong reading", "", size)
        .any_value()
        .slip("the right count for the wrong reading", groups)
        .hint("G groups have one KV head each; H/G is how many query heads share it.")
        .done();
}

std::optional<TwoConfigs> draw_refusals(Dice& dice) {
    const u64 groups = dice.whole(2, 12), size = dice.whole(2, 12);
    const TwoConfigs given{.n_heads = dice.whole(12, 96),
                           .n_kv_heads = dice.whole(3, 11),
                           .other_heads = groups * size,
                           .other_groups = groups};
    const u64 rest = given.n_heads % given.n_kv_heads;
    return groups == size || rest == 0 ? std::nullopt : std::optional(given);
}

// C098.
struct GroupsGiven {
    u64 n_heads, n_groups;
};

Exercise groups(const GroupsGiven& given) {
    ModelShape shape;
    shape.n_heads = given.n_heads;
    shape.cache = uniform_cache(1, given.n_groups, 1);
    const u64 kept = shape.cache.n_kv_heads, size = shape.group_size();
    return ExerciseWriter(
               "A layer has H = " + say(given.n_heads) +
               " query heads in G = " + say(given.n_groups) +
               " groups. How many projections to K has it, and how many query heads share "
               "each? How much smaller is the cache than with a KV head for each, and how "
               "many projections to Q remain?")
        .count("the projections to K", "", kept)
        .any_value()
        .slip(kGroupSize, size)
        .slip("one for each query head: that is MHA", given.n_heads)
        .count("the heads of a group", "", size)
        .any_value()
        .slip("group count for group size", kept)
        .times("the ratio", reduction(given.n_heads, given.n_groups))
        .slip("group count for group size", kept)
        .count("the projections to Q", "", given.n_heads)
        .slip("queries are not shared", kept)
        .hint("G groups have one KV head each; only K and V are shared.")
        .done();
}

std::optional<GroupsGiven> draw_groups(Dice& dice) {
    const u64 groups = dice.whole(2, 12), size = dice.whole(2, 12);
    return groups == size
               ? std::nullopt
               : std::optional(GroupsGiven{.n_heads = groups * size, .n_groups = groups});
}

struct Latent {
    u64 n_layers, d_c, d_rope;
};

Exercise latent(const Latent& given) {
    CacheShape shape;
    shape.layers.assign(given.n_layers, LatentCache{.d_c = given.d_c, .d_rope = given.d_rope});
    const u64 right = bytes_per_token(shape, {});
    const auto bytes = static_cast<double>(right);
    return ExerciseWriter("A model with latent attention (MLA) has " + say(given.n_layers) +
                          " layers. Each keeps, for a token, one vector of " + say(given.d_c) +
                          " compressed elements and " + say(given.d_rope) +
                          " rotated ones, 2 bytes each, for all heads together. What does a token "
                          "take?")
        .bytes("the bytes for each token", right)
        .slip("K and V apart: the latent vector is both", 2 * bytes)
        .slip("the rotated part left out", 2 * given.n_layers * given.d_c)
        .slip(kOneLayer, bytes / static_cast<double>(given.n_layers))
        .hint("n_layers x (compressed + rotated) x 2 bytes; no factor 2 for K and V.")
        .done();
}

std::optional<Latent> draw_latent(Dice& dice) {
    return Latent{.n_layers = dice.whole(16, 80),
                  .d_c = dice.in_steps(128, 1024, 64),
                  .d_rope = dice.pick<u64>({32, 64, 96, 128})};
}

}  // namespace

ExerciseKinds lesson_7_exercises() {
    return {
        exercise_kind<Wiring>("the group size is the group count, or the last head is mapped "
                              "right by dividing by n_kv_heads",
                              {.n_heads = 48, .n_kv_heads = 6, .heads = {0, 5, 17, 30, 47}},
                              draw_wiring, wiring),
        exercise_kind<Saved>("", {.model = {36, 32, 4, 128, "BF16"}, .tokens = 16'384}, draw_saved,
                             saved),
        exercise_kind<TwoConfigs>(
            "the first pair divides, or H/G is G",
            {.n_heads = 40, .n_kv_heads = 6, .other_heads = 32, .other_groups = 4}, draw_refusals,
            refusals),
        exercise_kind<Latent>("", {.n_layers = 61, .d_c = 512, .d_rope = 64}, draw_latent, latent),
        exercise_kind<Wiring>("the group size is the group count, or the last head is mapped "
                              "right by dividing by n_kv_heads",
                              {.n_heads = 64, .n_kv_heads = 8, .heads = {0, 7, 8, 31, 63}},
                              draw_wiring, wiring_and_saving),
        exercise_kind<GroupsGiven>("H/G is G", {.n_heads = 32, .n_groups = 4}, draw_groups,
                                   groups)};
}

}  // namespace kv
