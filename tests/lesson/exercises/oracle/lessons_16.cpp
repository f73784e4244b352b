#include <algorithm>
#include <cmath>

#include "tests/lesson/exercises/oracle/oracle.hpp"

namespace kv::test {
namespace {

OwnAnswer mixed_layers(const QuestionText& q) {
    const double layers = q.before("layers"), full = layers / q.after("One layer in");
    const double tokens = q.after("take for"), newest = q.after("the newest");
    const double each = 2 * q.before("KV heads") * q.after("head_dim") * 2;
    const double kept = full * tokens + (layers - full) * std::min(tokens, newest);
    return {own(kept * each), own(100 * kept / (layers * tokens))};
}

OwnAnswer four_bits(const QuestionText& q) {
    const double n = q.after("vector of"), bits = 4 * n + 8 * n / q.after("every");
    return {own(bits / 8), own(bits / n), own(16 * n / bits)};
}

OwnAnswer budget(const QuestionText& q) {
    const double left = q.after("at most") - q.before("requests decode");
    double steps = 0;
    for (double read = 0; read < q.after("prompt of"); read += left) ++steps;
    return {own(left), own(steps)};
}

// Played layer by layer.
OwnAnswer hand_over(const QuestionText& q) {
    const double bytes = q.after("A prompt of") * q.token_bytes(), layers = q.before("layers");
    const double link = 1000 * bytes / q.sizes()[0], read = q.after("Reading takes");
    double computed = 0, sent = 0;
    for (double layer = 0; layer < layers; ++layer) {
        computed += read / layers;
        sent = std::max(computed, sent) + link / layers;
    }
    return {own(bytes), own(link), own(sent)};
}

}  // namespace

OwnOracles oracles_of_16() {
    return {{"16.1", mixed_layers}, {"16.2", four_bits}, {"16.3", budget}, {"16.4", hand_over}};
}

}  // namespace kv::test
