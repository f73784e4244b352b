// A tree of prefixes: the radix tree itself says what it holds and what it gives up.

#include <algorithm>

#include "core/base/error.hpp"
#include "core/cache/prefix/radix_tree.hpp"
#include "core/lesson/exercises/exercise_writer.hpp"
#include "core/lesson/exercises/kind.hpp"
#include "core/lesson/exercises/words.hpp"

namespace kv {
namespace {

using TokenList = std::vector<std::uint32_t>;

// A tree that numbers the blocks it is given.
class Prefixes {
public:
    explicit Prefixes(std::uint32_t block_size) : tree_(block_size, RadixOrder::LruStrict) {}

    u64 hit(const TokenList& tokens) const { return tree_.peek("", tokens).n_tokens; }
    RadixNodeId insert(const TokenList& tokens) {
        std::vector<BlockId> blocks;
        for (std::size_t i = 0; i < tokens.size() / tree_.block_size(); ++i)
            blocks.push_back(BlockId(next_++));
        return tree_.insert("", tokens, blocks, 0).node;
    }
    RadixTree& tree() { return tree_; }

private:
    RadixTree tree_;
    std::uint32_t next_ = 0;
};

struct TwoSequences {
    TokenList first, second;
    std::uint32_t block_size;
};

std::string token_text(const TokenList& tokens) {
    std::string text;
    for (const std::uint32_t t : tokens) text += (text.empty() ? "" : " ") + std::to_string(t);
    return text;
}

u64 hit_at(const TwoSequences& given, std::uint32_t block_size) {
    Prefixes prefixes(block_size);
    prefixes.insert(given.first);
    return prefixes.hit(given.second);
}

Exercise split(const TwoSequences& given) {
    Prefixes prefixes(1);
    prefixes.insert(given.first);
    prefixes.insert(given.second);
    const u64 nodes = prefixes.tree().nodes().size() - 1;  // without the root
    const u64 fine = hit_at(given, 1);
    const u64 sum = given.first.size() + given.second.size();
    return ExerciseWriter("A radix tree of tokens, block size 1, gets the sequence " +
                          token_text(given.first) + " and then " + token_text(given.second) +
                          ". How many nodes has it, without the root, and how many tokens do they "
                          "store? How many tokens of the second sequence were found in it, and how "
                          "many would be with a block size of " +
                          say(u64{given.block_size}) + "?")
        .count("the nodes", "nodes", nodes)
        .any_value()
        .slip("no split: one node for each sequence", 2)
        .slip("the root counted", nodes + 1)
        .count("the stored tokens", "tokens", prefixes.tree().total_tokens())
        .any_value()
        .slip("nothing shared", sum)
        .count("the hit", "tokens", fine)
        .any_value()
        .slip("the tokens that were not found", given.second.size() - fine)
        .count("the hit in whole blocks", "tokens", hit_at(given, given.block_size))
        .any_value()
        .slip("not rounded down to whole blocks", fine)
        .hint("Both sequences share a node up to where they part; hits come in whole blocks.")
        .done();
}

std::optional<TwoSequences> draw_split(Dice& dice) {
    const u64 common = dice.whole(2, 11);
    TwoSequences given{.first = {},
                       .second = {},
                       .block_size = static_cast<std::uint32_t>(dice.pick<u64>({2, 3, 4, 5}))};
    for (u64 i = 0; i < common; ++i)
        given.first.push_back(static_cast<std::uint32_t>(dice.whole(1, 60)));
    given.second = given.first;
    const auto grow = [&](TokenList& list, u64 from) {
        for (u64 left = dice.whole(1, 5); left > 0; --left)
            list.push_back(static_cast<std::uint32_t>(from + dice.whole(0, 19)));
    };
    grow(given.first, 61);
    grow(given.second, 81);
    const bool rounds = common % given.block_size != 0;
    const bool halves = given.second.size() == 2 * common;
    return rounds && !halves ? std::optional(given) : std::nullopt;
}

// Tokens that no other run of this exercise has.
TokenList run_of(u64 tokens, std::uint32_t which) {
    TokenList run(tokens);
    for (std::size_t i = 0; i < run.size(); ++i)
        run[i] = which * 1'000'000 + static_cast<std::uint32_t>(i);
    return run;
}

struct Documents {
    u64 system, document_p, document_q, query;
    std::string on;  // "PPQ"
};

TokenList request_on(const Documents& given, char document, u64 query, std::uint32_t number) {
    TokenList tokens = run_of(given.system, 1);
    const bool is_p = document == 'P';
    const TokenList text = run_of(is_p ? given.document_p : given.document_q, is_p ? 2 : 3);
    const TokenList own = run_of(query, 4 + number);
    tokens.insert(tokens.end(), text.begin(), text.end());
    tokens.insert(tokens.end(), own.begin(), own.end());
    return tokens;
}

std::string documents_text(const Documents& given) {
    return "a system prompt of " + say(given.system) + " tokens, document P of " +
           say(given.document_p) + " and document Q of " + say(given.document_q);
}

std::string letters_text(const std::string& letters) {
    std::string text;
    for (const char c : letters) text += std::string(text.empty() ? "" : ", ") + c;
    return text;
}

Exercise saved_by_tree(const Documents& given) {
    Prefixes prefixes(1);
    u64 unshared = 0;
    for (std::size_t i = 0; i < given.on.size(); ++i) {
        const TokenList request =
            request_on(given, given.on[i], given.query, static_cast<std::uint32_t>(i));
        unshared += request.size();
        prefixes.insert(request);
    }
    const u64 held = prefixes.tree().total_tokens();
    const auto saved = static_cast<double>(unshared - held);
    return ExerciseWriter("There are " + documents_text(given) + ". " + say(u64{given.on.size()}) +
                          " requests each consist of the system prompt, a document and a query of "
                          "their own of " +
                          say(given.query) + " tokens; they are about " + letters_text(given.on) +
                          ". How many tokens are stored without sharing, how many in a radix tree, "
                          "and which share of the former is saved?")
        .count("the tokens without sharing", "tokens", unshared)
        .count("the tokens in the tree", "tokens", held)
        .slip_if_wrong("the documents not shared: only the system prompt is",
                       unshared - (given.on.size() - 1) * given.system)
        .percent("the share saved", 100 * saved / static_cast<double>(unshared))
        .slip("saved over what is left, not over what there was",
              100 * saved / static_cast<double>(held))
        .hint("The tree has the system prompt once, each document once and every query.")
        .done();
}

std::optional<Documents> draw_documents(Dice& dice) {
    Documents given{.system = dice.in_steps(64, 1024, 32),
                    .document_p = dice.in_steps(128, 3072, 64),
                    .document_q = dice.in_steps(128, 3072, 64),
                    .query = dice.in_steps(16, 256, 16),
                    .on = ""};
    for (u64 left = dice.whole(3, 5); left > 0; --left) given.on += dice.coin() ? 'P' : 'Q';
    const bool both =
        given.on.find('P') != std::string::npos && given.on.find('Q') != std::string::npos;
    return both && given.document_p != given.document_q ? std::optional(given) : std::nullopt;
}

struct Pressure {
    Documents documents;       // `on`: by query, the last one runs
    std::vector<u64> queries;  // their lengths
    std::vector<u64> by_age;   // the finished ones, used longest ago first, counted from 1
    u64 need;
};

struct Evicted {
    std::vector<u64> queries;  // in order
    u64 tokens = 0;
};

Evicted evict(const Pressure& given) {
    Prefixes prefixes(1);
    std::vector<TokenList> requests;
    for (std::size_t i = 0; i < given.queries.size(); ++i) {
        requests.push_back(request_on(given.documents, given.documents.on[i], given.queries[i],
                                      static_cast<std::uint32_t>(i)));
        const RadixNodeId node = prefixes.insert(requests.back());
        if (i + 1 == given.queries.size()) prefixes.tree().lock(node);
    }
    for (const u64 query : given.by_age) prefixes.tree().match("", requests[query - 1]);
    // One leaf at a time: the tree stops as soon as enough is free.
    Evicted gone;
    while (gone.tokens < given.need) {
        gone.tokens += prefixes.tree().evict(1).size();
        for (const u64 query : given.by_age) {
            const bool told =
                std::find(gone.queries.begin(), gone.queries.end(), query) != gone.queries.end();
            if (!told && prefixes.hit(requests[query - 1]) < requests[query - 1].size())
                gone.queries.push_back(query);
        }
    }
    return gone;
}

Exercise under_pressure(const Pressure& given) {
    const Evicted gone = evict(given);
    KV_ASSERT(gone.queries.size() == 2);
    const auto running = static_cast<double>(given.queries.size());
    const auto newest = static_cast<double>(given.by_age.back());
    return ExerciseWriter(
               "A radix tree with block size 1 holds " + documents_text(given.documents) +
               "; queries 1 to " + say(u64{given.queries.size()}) + " of " +
               say_list(given.queries) + " tokens are about " + letters_text(given.documents.on) +
               ". The last query runs, the others are finished; the order of their last "
               "use, oldest first, is " +
               say_list(given.by_age) + ". " + say(given.need) +
               " tokens must be freed and whole leaves go, the least recently used first. "
               "Which query goes first, which second, and how many tokens are free then?")
        .count("the first query", "", gone.queries[0])
        .any_value()
        .slip_if_wrong("the most recently used first", newest)
        .slip("a running query is locked", running)
        .count("the second query", "", gone.queries[1])
        .any_value()
        .slip("a running query is locked", running)
        .count("the freed tokens", "tokens", gone.tokens)
        .slip("only what was asked for: whole leaves go", given.need)
        .hint("What a running query needs is locked up to the root. A leaf is given up whole.")
        .done();
}

std::optional<Pressure> draw_pressure(Dice& dice) {
    Pressure given{.documents = {.system = dice.in_steps(64, 1024, 64),
                                 .document_p = dice.in_steps(256, 2048, 64),
                                 .document_q = dice.in_steps(256, 2048, 64),
                                 .query = 0,
                                 .on = ""},
                   .queries = {},
                   .by_age = {},
                   .need = 0};
    const u64 finished = dice.whole(3, 5);
    for (u64 query = 1; query <= finished + 1; ++query) {
        given.queries.push_back(dice.in_steps(16, 200, 8));
        given.documents.on += dice.coin() ? 'P' : 'Q';
        if (query <= finished) given.by_age.push_back(query);
    }
    dice.shuffle(given.by_age);
    const u64 first = given.queries[given.by_age[0] - 1],
              second = given.queries[given.by_age[1] - 1];
    given.need = dice.whole(first + 1, first + second - 1);
    const bool sorted = std::is_sorted(given.by_age.begin(), given.by_age.end());
    // A document with one query is one node with it, and would go along.
    const std::string& on = given.documents.on;
    const auto goes_along = [&](u64 query) {
        return std::count(on.begin(), on.end(), on[query - 1]) == 1;
    };
    const bool alone = goes_along(given.by_age[0]) || goes_along(given.by_age[1]);
    return sorted || alone || first == second ? std::nullopt : std::optional(given);
}

}  // namespace

ExerciseKinds lesson_10_exercises() {
    return {
        exercise_kind<TwoSequences>(
            "the shared part is whole blocks, or half of the second "
            "sequence",
            {.first = {1, 2, 3, 4, 5, 6}, .second = {1, 2, 3, 9}, .block_size = 4}, draw_split,
            split),
        exercise_kind<Documents>(
            "one document is not asked about, or both are of one length",
            {.system = 512, .document_p = 1024, .document_q = 2048, .query = 64, .on = "PPQ"},
            draw_documents, saved_by_tree),
        exercise_kind<Pressure>(
            "the queries were last used in their own order, the first two to go are of one "
            "length, or one of these is its document's only query",
            {.documents =
                 {.system = 512, .document_p = 1024, .document_q = 2048, .query = 0, .on = "PPQ"},
             .queries = {64, 64, 64},
             .by_age = {1, 2},
             .need = 100},
            draw_pressure, under_pressure)};
}

}  // namespace kv
