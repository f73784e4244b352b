// Running the service: the gauges, admission, and what each technique is good for.

#include <algorithm>

#include "core/cost/cache/capacity.hpp"
#include "core/lesson/exercises/exercise_writer.hpp"
#include "core/lesson/exercises/kind.hpp"
#include "core/lesson/exercises/words.hpp"
#include "core/sim/allocator.hpp"

namespace kv {
namespace {

struct StoredTokens {
    u64 tokens, block_size;
};

Exercise utilisation(const StoredTokens& given) {
    const auto paged = make_allocator(
        AllocatorKind::Paged,
        {.slots = 2 * (given.tokens + given.block_size), .block_size = given.block_size});
    const bool held = paged->admit({given.tokens, 0}, true).has_value();
    const u64 slots = held ? paged->held() : given.tokens;
    return ExerciseWriter(
               say(given.tokens) + " tokens lie in " + say(slots / given.block_size) +
               " blocks of " + say(given.block_size) +
               " slots. What does the gauge of cache utilisation show, tokens over slots "
               "that are held?")
        .percent("the utilisation", 100 * used_share(given.tokens, slots))
        .hint("Held slots are blocks times block size.")
        .done();
}

std::optional<StoredTokens> draw_utilisation(Dice& dice) {
    const StoredTokens given{.tokens = dice.whole(20, 2000),
                             .block_size = dice.pick<u64>({8, 16, 32, 64, 128})};
    const bool nearly_full = 50 * idle_slots(given.tokens, given.block_size) < given.tokens / 2;
    return nearly_full ? std::nullopt : std::optional(given);
}

struct Asked {
    u64 prompt_tokens, hit_tokens;
};

Exercise hit_rate(const Asked& given) {
    const auto hits = static_cast<double>(given.hit_tokens);
    return ExerciseWriter("The requests of an hour had " + say(given.prompt_tokens) +
                          " prompt tokens, and " + say(given.hit_tokens) +
                          " of these were found in the cache. What is the prefix hit rate?")
        .percent("the hit rate", 100 * used_share(given.hit_tokens, given.prompt_tokens))
        .slip("hits over misses, not over all",
              100 * hits / (static_cast<double>(given.prompt_tokens) - hits))
        .hint("Found tokens over tokens that were looked up.")
        .done();
}

std::optional<Asked> draw_asked(Dice& dice) {
    const u64 prompts = dice.whole(2000, 90'000);
    return Asked{.prompt_tokens = prompts,
                 .hit_tokens = dice.whole(prompts / 10, prompts * 9 / 10)};
}

struct Admission {
    u64 free_blocks, held_back, block_size, tokens, more_tokens;
};

Exercise admission(const Admission& given) {
    ExerciseWriter writer(
        "A pool has " + say(given.free_blocks) + " free blocks of " + say(given.block_size) +
        " slots, and while others run " + say(given.held_back) +
        " of them are held back. One request comes with a cold prompt of " + say(given.tokens) +
        " tokens; instead of it, another one with " + say(given.more_tokens) +
        ". How many blocks does each need, and is it admitted, \"yes\" or \"no\"?");
    const auto add = [&](u64 tokens, const char* blocks_name, const char* verdict_name) {
        const u64 needed = blocks_for(tokens, given.block_size);
        const bool yes = admits(needed, given.free_blocks, given.held_back);
        const bool by_free_alone = admits(needed, given.free_blocks, 0);
        writer.count(blocks_name, "blocks", needed)
            .slip_if_wrong("rounded down", tokens / given.block_size)
            .word(verdict_name, yes ? "yes" : "no")
            .slip_word(!yes && by_free_alone ? "the blocks held back are overlooked"
                                             : "the comparison the wrong way round",
                       yes ? "no" : "yes");
    };
    add(given.tokens, "the blocks of the first", "the first verdict");
    add(given.more_tokens, "the blocks of the second", "the second verdict");
    return writer.hint("Admitted when what it needs leaves the blocks that are held back.").done();
}

std::optional<Admission> draw_admission(Dice& dice) {
    Admission given{.free_blocks = dice.whole(200, 6000),
                    .held_back = 0,
                    .block_size = dice.pick<u64>({8, 16, 32}),
                    .tokens = 0,
                    .more_tokens = 0};
    given.held_back = dice.whole(given.free_blocks / 100 + 2, given.free_blocks / 10);
    const u64 usable = given.free_blocks - given.held_back;
    const auto some_tokens = [&] {
        const u64 room = usable * given.block_size;
        return dice.coin() ? dice.whole(room / 2, room)
                           : dice.whole(room + 1, given.free_blocks * given.block_size);
    };
    given.tokens = some_tokens();
    given.more_tokens = some_tokens();
    const bool whole =
        given.tokens % given.block_size == 0 || given.more_tokens % given.block_size == 0;
    return whole ? std::nullopt : std::optional(given);
}

// The one table that no oracle of the engine has: what a technique reduces.
struct Technique {
    const char* name;
    const char* reduces;
    const char* not_this;  // what it is often taken for
    const char* slip;
};
constexpr const char* kTokenBytes = "bytes per token";
constexpr const char* kTokensKept = "tokens kept";
constexpr const char* kIdleBytes = "idle bytes";
constexpr const char* kCopies = "copies";
const std::vector<Technique>& techniques() {
    static const std::vector<Technique> all{
        {"GQA", kTokenBytes, kTokensKept, "fewer KV heads, and every token stays"},
        {"MQA", kTokenBytes, kTokensKept, "one KV head, and every token stays"},
        {"quantisation", kTokenBytes, kTokensKept, "shorter codes, and every token stays"},
        {"window", kTokensKept, kTokenBytes, "a kept token takes what it took"},
        {"H2O", kTokensKept, kTokenBytes, "a kept token takes what it took"},
        {"paging", kIdleBytes, kTokenBytes, "paging does not compress"},
        {"sharing", kCopies, kIdleBytes, "shared blocks are full: nothing in them is idle"}};
    return all;
}

Exercise matching(const std::vector<std::size_t>& chosen) {
    std::string names;
    for (const std::size_t i : chosen)
        names += (names.empty() ? "" : ", ") + std::string(techniques()[i].name);
    ExerciseWriter writer("What does each of these reduce: " + names +
                          "? Choose for each from \"bytes per token\", \"tokens kept\", \"idle "
                          "bytes\" and \"copies\".");
    for (const std::size_t i : chosen) {
        const Technique& technique = techniques()[i];
        writer.word(technique.name, technique.reduces)
            .slip_word(technique.slip, technique.not_this);
    }
    return writer.hint("Ask what stays the same: the tokens, or what one of them takes.").done();
}

std::optional<std::vector<std::size_t>> draw_matching(Dice& dice) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < techniques().size(); ++i) chosen.push_back(i);
    dice.shuffle(chosen);
    chosen.resize(static_cast<std::size_t>(dice.whole(3, 5)));
    return chosen;
}

}  // namespace

ExerciseKinds lesson_14_exercises() {
    return {
        exercise_kind<StoredTokens>("less than one slot in a hundred is idle",
                                    {.tokens = 900, .block_size = 16}, draw_utilisation,
                                    utilisation),
        exercise_kind<Asked>("", {.prompt_tokens = 5824, .hit_tokens = 2048}, draw_asked, hit_rate),
        exercise_kind<Admission>("a prompt fills whole blocks",
                                 {.free_blocks = 4915,
                                  .held_back = 50,
                                  .block_size = 16,
                                  .tokens = 77'000,
                                  .more_tokens = 78'000},
                                 draw_admission, admission),
        exercise_kind<std::vector<std::size_t>>("", {0, 1, 2, 3, 4, 5, 6}, draw_matching,
                                                matching)};
}

}  // namespace kv
