// The self-test that ends the course (C160): a question for each take-away. What is right is a
// matter of words here, so the answers are stated; the order of the choices is drawn.

#include <utility>

#include "core/lesson/exercises/exercise_writer.hpp"
#include "core/lesson/exercises/kind.hpp"

namespace kv {
namespace {

struct SelfTestQuestion {
    const char* text;
    const char* right;
    std::vector<std::pair<const char*, const char*>> wrong;  // a statement, and its slip
    const char* hint;
};

const std::vector<SelfTestQuestion>& questions() {
    static const std::vector<SelfTestQuestion> all{
        {"Why are queries not cached?",
         "a query is used at its own step and never again",
         {{"queries are larger than keys", "size is not the reason"},
          {"queries change whenever a token is appended",
           "a row of the past never changes under a causal mask"},
          {"queries are the same for all tokens", "each token has a query of its own"}},
         "Ask who reads it later."},
        {"Of which numbers is the size of a full cache the product?",
         "2, layers, KV heads, head_dim, tokens, bytes of an element",
         {{"2, layers, query heads, head_dim, tokens, bytes of an element",
           "n_heads for n_kv_heads"},
          {"layers, KV heads, head_dim, tokens, bytes of an element",
           "K only: the values are missing"},
          {"2, layers, hidden size squared, bytes of an element",
           "that is the size of weights, which no token changes"}},
         "Count the vectors that one token leaves behind."},
        {"Which waste is left when slots are handed out in fixed blocks?",
         "slots of the last block of each sequence",
         {{"slots reserved up to the longest answer", "that is a contiguous reservation"},
          {"gaps between sequences that nothing fits into",
           "any free block serves any sequence, so no gap is too small"},
          {"none", "the last block is rarely full"}},
         "Where can a handed-out slot stay empty?"},
        {"Two requests may share cached blocks of their prompts when",
         "the prompts are equal from the first token to the end of the block",
         {{"the block's own tokens are equal, wherever they stand",
           "keys and values depend on everything before them"},
          {"the prompts have one length", "length says nothing about content"},
          {"both requests have finished", "blocks are shared while both run"}},
         "What do the K and V of a token depend on?"},
        {"Eight-bit codes with a 16-bit scale for each vector of 128 elements make room for",
         "a little less than twice the tokens",
         {{"exactly twice the tokens", "the scale left out"},
          {"four times the tokens", "that is a code of 4 bits"},
          {"as many tokens: only reads are faster", "shorter codes take less room, too"}},
         "Add the scale to the codes."},
        {"What happens when a policy drops the first tokens of a text that the model leans on?",
         "attention is spread differently at once and the predictions suffer",
         {{"nothing: the first tokens are oldest and matter least",
           "many models park attention on the first tokens"},
          {"only the first words can no longer be quoted",
           "the sink matters to every later token, not for what it says"},
          {"memory grows, since they must be computed again", "what is dropped stays dropped"}},
         "Softmax must put its weight somewhere."},
        {"What do sinks with a recent window give?",
         "constant memory, without the middle of the text",
         {{"a longer context in constant memory", "what left the window cannot be looked up"},
          {"constant memory and every token still in reach",
           "what left the window cannot be looked up"},
          {"memory that grows with the logarithm of the text",
           "sinks and window are both of fixed size"}},
         "Which tokens can the next query see?"},
        {"What is paid for moving the cache of a paused chat to host memory?",
         "the time to bring it back when the chat goes on",
         {{"precision: blocks are rounded on the way", "blocks come back bit by bit"},
          {"device memory, which stays taken", "device blocks are what becomes free"},
          {"another prefill in any case", "that is recomputing, the other choice"}},
         "What has to happen before the next token?"},
        {"Hit rate falls while the usage of the pool stays at its top. What is likely?",
         "cached prefixes are given up for room before they are asked for again",
         {{"the pool is too large", "a pool that is too large keeps its prefixes"},
          {"no two prompts ever had anything in common",
           "then the hit rate would have been low from the start"},
          {"decode has become faster", "speed changes neither hits nor blocks"}},
         "What does a full pool do with blocks that nobody holds?"},
        {"What does the cache take off a decode step?",
         "projecting the past to keys and values once more",
         {{"reading the past: attention costs the same at every length",
           "decode still reads all history"},
          {"reading the weights", "weights are read at every step"},
          {"the MLP of the new token", "the new token goes through every layer"}},
         "Which work would be done twice?"},
        {"How does the cache of one sequence grow when every layer keeps every token?",
         "in proportion to its tokens",
         {{"with the square of its tokens", "pairs grow so, stored rows do not"},
          {"not at all during decode", "each step appends one row"},
          {"in proportion to its tokens times its queries", "queries are not stored"}},
         "One token more: how many vectors more?"},
        {"At batch 1 and a short context, what does a decode step mostly read?",
         "the weights",
         {{"the cache", "the cache overtakes the weights at a certain length and batch"},
          {"the logits", "one row of the vocabulary is small"},
          {"the block tables", "a table has 4 bytes for a whole block"}},
         "Compare gigabytes."},
        {"A model has 64 query heads. Its cache, against one KV head for each, is",
         "1/64 with MQA, and 1/8 with 8 KV heads",
         {{"1/8 with MQA, and 1/64 with 8 KV heads", "MQA has a single KV head"},
          {"1/64 with MQA, and 1/64 with 8 KV heads", "8 KV heads are 8 times one"},
          {"as large: heads share weights alone", "shared heads are stored once"}},
         "Divide KV heads by query heads."},
        {"Which sentence about the two phases holds?",
         "prefill fills the cache in parallel, decode appends one row and reads all of them",
         {{"prefill reads the cache, decode fills it", "the wrong way round"},
          {"decode costs the same at every length, since the past is cached",
           "decode still reads all history"},
          {"both are limited by arithmetic",
           "decode does a few operations for each byte it reads"}},
         "Who writes many rows at once, and who reads many for one query?"}};
    return all;
}

Exercise question(const SelfTestQuestion& q, const std::vector<std::size_t>& order) {
    std::vector<Choice> choices;
    for (const std::size_t i : order) {
        if (i == 0)
            choices.push_back({q.right});
        else
            choices.push_back({q.wrong[i - 1].first, q.wrong[i - 1].second});
    }
    return choice_exercise(q.text, choices, q.hint);
}

std::vector<std::size_t> in_order(const SelfTestQuestion& q) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i <= q.wrong.size(); ++i) order.push_back(i);
    return order;
}

}  // namespace

ExerciseKinds self_test_questions() {
    ExerciseKinds kinds;
    for (std::size_t i = 0; i < questions().size(); ++i) {
        const auto fixed = [i] {
            std::vector<std::size_t> order = in_order(questions()[i]);
            // In print the right one is not always the first.
            std::swap(order[0], order[i % order.size()]);
            return question(questions()[i], order);
        };
        const auto draw = [i](Dice& dice) -> std::optional<Exercise> {
            std::vector<std::size_t> order = in_order(questions()[i]);
            dice.shuffle(order);
            return question(questions()[i], order);
        };
        kinds.push_back({"", fixed, draw});
    }
    return kinds;
}

}  // namespace kv
