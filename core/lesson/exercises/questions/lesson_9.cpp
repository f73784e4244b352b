// Sharing pages: runs of a real pool with reference counts and copy-on-write.

#include <utility>

#include "core/base/error.hpp"
#include "core/cache/cache.hpp"
#include "core/cost/cache/capacity.hpp"
#include "core/lesson/exercises/exercise_writer.hpp"
#include "core/lesson/exercises/kind.hpp"
#include "core/lesson/exercises/words.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

std::vector<std::uint32_t> some_prompt(u64 tokens) {
    std::vector<std::uint32_t> prompt(tokens);
    for (std::size_t i = 0; i < prompt.size(); ++i) prompt[i] = static_cast<std::uint32_t>(i);
    return prompt;
}

class CopyCounter final : public EventLog {
public:
    void append(const Event& event) override {
        if (std::holds_alternative<BlockCopied>(event.what)) ++copies;
    }
    u64 copies = 0;
};

// Requests with one prompt, one after another.
class SharedPrompt {
public:
    SharedPrompt(u64 prompt, u64 block_size, u64 users, Sharing sharing)
        : prompt_(some_prompt(prompt)), cache_(spec(prompt, block_size, users, sharing), &log_) {}

    // The next request finds what it can; then all of its prompt is stored.
    Prefix arrive() {
        const SeqId id(next_++);
        cache_.open(id, prompt_);
        Prefix prefix = cache_.find_prefix(id);
        const auto n = static_cast<std::uint32_t>(prompt_.size());
        KV_ASSERT(cache_.grow(id, n, prefix));
        cache_.set_stored(id, n);
        return prefix;
    }
    // Forks of the first request, each with a token of its own to come, and then that request's.
    void fork_and_write(u64 ways) {
        const auto n = static_cast<std::uint32_t>(prompt_.size());
        for (u64 i = 1; i < ways; ++i) {
            const std::uint32_t token = n + next_;
            cache_.open_fork(SeqId(next_++), SeqId(0), {&token, 1});
        }
        for (std::uint32_t id = 1; id < next_; ++id) write(SeqId(id), n + 1);
        cache_.append(SeqId(0), n);
        write(SeqId(0), n + 1);
    }
    u64 used() const { return cache_.spec().n_blocks - cache_.n_free(); }
    u64 copies() const { return log_.copies; }

private:
    static CacheSpec spec(u64 prompt, u64 block_size, u64 users, Sharing sharing) {
        CacheSpec spec;
        spec.block_size = static_cast<std::uint32_t>(block_size);
        spec.n_blocks = static_cast<std::uint32_t>(users * blocks_for(prompt + 1, block_size) + 1);
        spec.sharing = sharing;
        return spec;
    }
    void write(SeqId id, std::uint32_t upto) {
        KV_ASSERT(cache_.grow(id, upto));
        cache_.set_stored(id, upto);
    }

    std::vector<std::uint32_t> prompt_;
    CopyCounter log_;
    Cache cache_;
    std::uint32_t next_ = 0;
};

struct SystemPrompt {
    u64 prompt, block_size, users, block_bytes;
};

Exercise system_prompt(const SystemPrompt& given) {
    SharedPrompt pool(given.prompt, given.block_size, given.users, Sharing::FullBlocksOnly);
    pool.arrive();
    const u64 alone = pool.used();
    const Prefix found = pool.arrive();
    for (u64 user = 2; user < given.users; ++user) pool.arrive();
    const u64 shareable = found.hits.size(), rest = given.prompt - found.tokens;
    const u64 saved = given.users * alone - pool.used();
    const auto size = static_cast<double>(given.block_bytes);
    constexpr const char* kFirstUser = "the first user saves nothing";
    constexpr const char* kPartBlock =
        "the partly filled block counted: only full blocks are shared";
    return ExerciseWriter(
               "A prompt of " + say(given.prompt) + " tokens lies in blocks of " +
               say(given.block_size) +
               "; full blocks are shared and no others. How many of its blocks can be "
               "shared, and how many tokens are left over? With " +
               say(given.users) +
               " users of this prompt, how many blocks are saved, and how many bytes, at " +
               bytes_binary(given.block_bytes) + " a block?")
        .count("the shareable blocks", "blocks", shareable)
        .slip(kPartBlock, shareable + 1)
        .count("the tokens left over", "tokens", rest)
        .any_value()
        .slip_if_wrong("the idle slots for the tokens", given.block_size - rest)
        .count("the blocks saved", "blocks", saved)
        .slip(kFirstUser, given.users * shareable)
        .slip(kPartBlock, (given.users - 1) * (shareable + 1))
        .bytes("the bytes saved", saved * given.block_bytes)
        .within(0.001)  // the course prints them in GiB with two decimals
        .slip(kFirstUser, static_cast<double>(given.users * shareable) * size)
        .slip(kPartBlock, static_cast<double>((given.users - 1) * (shareable + 1)) * size)
        .hint("Whole blocks of the prompt; one user has to store them, the others do not.")
        .done();
}

std::optional<SystemPrompt> draw_system_prompt(Dice& dice) {
    const SystemPrompt given{.prompt = dice.whole(100, 3000),
                             .block_size = dice.pick<u64>({8, 16, 32, 64}),
                             .users = dice.whole(3, 40),
                             .block_bytes = dice.pick<u64>({1, 2, 3, 4, 5, 8, 10}) << 20};
    return given.prompt % given.block_size == 0 ? std::nullopt : std::optional(given);
}

struct Forked {
    u64 prompt, ways, block_size;
};

Exercise forked(const Forked& given) {
    SharedPrompt pool(given.prompt, given.block_size, given.ways, Sharing::CopyOnWrite);
    pool.arrive();
    pool.fork_and_write(given.ways);
    const u64 blocks = blocks_for(given.prompt, given.block_size);
    return ExerciseWriter("A prompt of " + say(given.prompt) + " tokens in blocks of " +
                          say(given.block_size) + " is forked into " + say(given.ways) +
                          " sequences, itself one of them, with copy-on-write. Each then makes one "
                          "token. How many physical blocks are in use, and how many were copied?")
        .count("the physical blocks", "blocks", pool.used())
        .slip("nothing shared", given.ways * blocks)
        .slip("a block for each copy and the old one kept: the last writer writes in place",
              pool.used() + 1)
        .count("the copies", "copies", pool.copies())
        .any_value()
        .slip("everybody copies: the last writer is alone with the block", given.ways)
        .slip_if_wrong("the full blocks copied too", given.ways * blocks)
        .hint(
            "Only the partly filled block is written; whoever writes while others hold it copies.")
        .done();
}

std::optional<Forked> draw_forked(Dice& dice) {
    const Forked given{.prompt = dice.whole(20, 200),
                       .ways = dice.whole(2, 8),
                       .block_size = dice.pick<u64>({4, 8, 16, 32})};
    const bool whole = given.prompt % given.block_size == 0;
    return whole || given.prompt < given.block_size ? std::nullopt : std::optional(given);
}

struct FullHit {
    u64 prompt, block_size;
};

Exercise full_hit(const FullHit& given) {
    SharedPrompt pool(given.prompt, given.block_size, 2, Sharing::FullBlocksOnly);
    pool.arrive();
    const u64 found = pool.arrive().tokens;
    return ExerciseWriter("All " + say(given.prompt) +
                          " tokens of a prompt are cached in full blocks of " +
                          say(given.block_size) +
                          ". The same prompt comes again; at least one of its tokens must be "
                          "computed for the logits. How many are reused?")
        .count("the reused tokens", "tokens", found)
        .slip("all of them: one must be computed", given.prompt)
        .slip("not rounded down to whole blocks", given.prompt - 1)
        .hint("At most prompt - 1 tokens, rounded down to whole blocks.")
        .done();
}

std::optional<FullHit> draw_full_hit(Dice& dice) {
    const u64 block = dice.pick<u64>({4, 8, 16, 32, 64});
    return FullHit{.prompt = block * dice.whole(3, 40), .block_size = block};
}

}  // namespace

ExerciseKinds lesson_9_exercises() {
    return {exercise_kind<SystemPrompt>(
                "no tokens are left over",
                {.prompt = 1000, .block_size = 16, .users = 20, .block_bytes = u64{5} << 20},
                draw_system_prompt, system_prompt),
            exercise_kind<Forked>("the prompt fills whole blocks, or not even one",
                                  {.prompt = 40, .ways = 3, .block_size = 16}, draw_forked, forked),
            exercise_kind<FullHit>("", {.prompt = 64, .block_size = 16}, draw_full_hit, full_hit)};
}

}  // namespace kv
