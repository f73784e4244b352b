#pragma once
// What figures of the pool show: rules that hand out slots, prefixes in a tree, tokens in blocks.
// Part of facts.hpp, which everybody includes.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/sim/race_floor.hpp"

namespace kv {

// When a figure shows something: at once, with the reveal, or not at all.
enum class FigureWhen : std::uint8_t { Now, Revealed, Never };

// The same requests in the same memory, under several rules that hand out its slots, step by step.
struct ArenaFacts {
    struct Request {
        std::string name;
        std::uint32_t prompt = 0, answer = 0;  // tokens
    };
    struct Rule {
        AllocatorKind kind = AllocatorKind::Paged;
        std::vector<FloorMoment> steps;  // from step 1 on; none runs behind the last
    };
    std::uint64_t slots = 0, block_size = 0, max_length = 0;
    std::vector<Request> requests;
    std::vector<Rule> rules;
    std::uint32_t open = 0;               // so many rules are drawn before the reveal
    std::uint32_t step = 1, until = 1;    // where it opens; the last step before the reveal
    std::optional<std::uint32_t> end_of;  // the rule whose last step is asked

    std::uint32_t longest() const {
        std::size_t steps = 0;
        for (const Rule& rule : rules) steps = std::max(steps, rule.steps.size());
        return static_cast<std::uint32_t>(steps);
    }
};

// Where the slots of a pool were on average, rule by rule, and what others have measured.
struct SharesFacts {
    struct Row {
        AllocatorKind kind = AllocatorKind::Paged;
        double tokens = 0, reserved = 0, never = 0, gaps = 0, free = 0;  // of 1
        std::optional<double> at_once;                                   // requests, on average
    };
    std::uint64_t slots = 0, requests = 0;
    std::vector<Row> rows, published;  // of the same rules; published ones may lack some
    std::string source;                // whose they are; empty: none are drawn
    std::uint32_t open = 0;            // so many rules are drawn before the reveal
};

// What a pool can find again, as a radix tree before and after a request comes to it.
struct RadixFacts {
    struct Holder {
        std::uint32_t request = 0;  // in order of arrival
        bool has_ended = false;
    };
    struct Node {
        std::uint32_t id = 0;
        std::string salt;  // of the texts that begin here or above
        std::vector<std::string> words;
        std::optional<std::size_t> parent;  // in the same list; none: it begins a text
        std::uint32_t first = 0;            // position of its first token
        std::uint32_t matched = 0;          // so many of its tokens the request finds
        std::uint32_t last_used = 0, locks = 0;
        std::vector<Holder> holders;  // requests with this text that run, else those that ended
        bool goes_first = false;      // of the leaves that may be given up
        bool is_leaf = true;
    };
    struct Tree {
        std::uint32_t step = 0, held = 0;  // blocks that hold something
        std::vector<Node> nodes;           // parents first
    };
    std::uint32_t block_size = 1, blocks = 0;
    Tree before, after;
    bool is_one = false;             // before and after are one moment, and one tree is drawn
    std::string request;             // who comes; empty where one tree is drawn
    std::vector<std::string> asked;  // its prompt
    std::uint32_t which = 0, matched = 0, alike = 0, fresh = 0;  // tokens
    std::uint32_t open = 0;                                      // keys before the reveal
    bool tells_first = false;  // behind the reveal it says which leaf goes first
    // The node that is split, in the tree before; the rest keeps its id.
    const Node* cut() const {
        for (const Node& node : before.nodes)
            if (node.matched > 0 && node.matched < node.words.size()) return &node;
        return nullptr;
    }
};

// A token's way from its position through the block table to its slot.
struct WalkFacts {
    std::uint32_t position = 0, block_size = 1;
    std::vector<std::uint32_t> table;  // physical blocks by logical ones
    FigureWhen way = FigureWhen::Now;  // when it is gone: row, entry, slot

    std::uint32_t logical() const { return position / block_size; }
    std::uint32_t offset() const { return position % block_size; }
    std::uint32_t physical() const { return table[logical()]; }
    std::uint64_t slot() const { return std::uint64_t{physical()} * block_size + offset(); }
};

// The last block of a request: of one with so many tokens, or of all that it could have.
struct LastBlockFacts {
    std::uint64_t tokens = 0;                // 0: all lengths, each as likely
    std::vector<std::uint32_t> block_sizes;  // one where tokens are given
    std::uint32_t open = 0;                  // so many are told before the reveal

    std::uint64_t blocks() const { return ceil_div(tokens, block_sizes[0]); }
    std::uint64_t idle() const { return blocks() * block_sizes[0] - tokens; }
};

// The full blocks of requests with the hashes by which they are found.
struct HashesFacts {
    struct Block {
        std::vector<std::string> words;
        std::uint64_t hash = 0;
        bool is_alike = false;  // the same tokens as the block above it, and nothing before differs
        bool has_same_words = false;

        std::string digits() const;  // 16 of them; radix_facts.cpp
    };
    struct Row {
        std::string request, salt;
        std::uint32_t which = 0;  // in order of arrival
        std::vector<Block> blocks;
    };
    std::uint32_t block_size = 0;
    std::vector<Row> rows;
    std::uint32_t open = 0;  // so many rows are drawn before the reveal
};

// Texts that are made of stretches: each by itself, and each stretch once.
struct StretchesFacts {
    struct Stretch {
        std::string name;
        std::uint64_t tokens = 0;
    };
    struct Text {
        std::string name;
        std::vector<std::size_t> parts;  // of the stretches
    };
    std::string title, how;
    std::vector<Stretch> stretches;
    std::vector<Text> texts;

    // Whether the beginning of that text up to this part stands in a text above.
    bool is_again(std::size_t text, std::size_t part) const {
        for (std::size_t t = 0; t < text; ++t) {
            const auto& above = texts[t].parts;
            if (above.size() > part &&
                std::equal(above.begin(), above.begin() + static_cast<std::ptrdiff_t>(part) + 1,
                           texts[text].parts.begin()))
                return true;
        }
        return false;
    }
    std::uint64_t length(std::size_t text, bool once) const {
        std::uint64_t sum = 0;
        for (std::size_t p = 0; p < texts[text].parts.size(); ++p)
            if (!once || !is_again(text, p)) sum += stretches[texts[text].parts[p]].tokens;
        return sum;
    }
    std::uint64_t total(bool once) const {
        std::uint64_t sum = 0;
        for (std::size_t t = 0; t < texts.size(); ++t) sum += length(t, once);
        return sum;
    }
};

}  // namespace kv
