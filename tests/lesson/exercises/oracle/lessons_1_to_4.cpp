#include <cmath>

#include "tests/lesson/exercises/oracle/oracle.hpp"

namespace kv::test {
namespace {

// What the first pass and every later one feeds; the last new token is never fed.
double fed(double prompt, double new_tokens, bool cached) {
    return cached ? prompt + new_tokens - 1 : sum_of(prompt, prompt + new_tokens - 1);
}

OwnAnswer both(double prompt, double new_tokens) {
    return {own(fed(prompt, new_tokens, false)), own(fed(prompt, new_tokens, true))};
}

OwnAnswer break_even(const QuestionText& q) {
    const double prompt = q.before("tokens"), ratio = q.after("more than");
    double n = 1;
    while (fed(prompt, n, false) <= ratio * fed(prompt, n, true)) ++n;
    return {own(n)};
}

OwnAnswer score_work(const QuestionText& q) {
    const double width = q.before("heads of") * q.after("head_dim");
    const double keys = sum_of(q.after("see"), q.before("keys"));
    return {own(2 * width * keys * q.before("layers")), "attention"};
}

std::vector<double> numbers_in(const std::string& text, std::size_t bracket) {
    std::vector<double> all;
    std::size_t at = 0;
    for (std::size_t k = 0; k <= bracket; ++k) at = text.find('(', at) + 1;
    std::string inside = text.substr(at, text.find(')', at) - at);
    for (std::size_t comma = 0; comma != std::string::npos;) {
        comma = inside.find(',');
        all.push_back(std::stod(inside.substr(0, comma)));
        if (comma != std::string::npos) inside = inside.substr(comma + 1);
    }
    return all;
}

OwnAnswer attention(const QuestionText& q) {
    std::vector<std::vector<double>> v;  // query, key, key, value, value, key, value
    for (std::size_t i = 0; i < 7; ++i) v.push_back(numbers_in(q.text(), i));
    const auto raised = [&](std::size_t key) {
        double dot = 0;
        for (std::size_t i = 0; i < 4; ++i) dot += v[0][i] * v[key][i];
        return std::exp(dot / 2);
    };
    const double a = raised(1), b = raised(2), c = raised(5);
    const auto channel = [&](std::size_t i) {
        return (a * v[3][i] + b * v[4][i] + c * v[6][i]) / (a + b + c);
    };
    return {own(a / (a + b)), own(b / (a + b)), own(channel(0)), own(channel(1))};
}

OwnAnswer offsets(const QuestionText& q) {
    const double heads = q.before("KV heads"), dim = q.after("head_dim"),
                 tokens = q.before("tokens");
    const double token = q.after("of token"), head = q.after("KV head"),
                 channel = q.after("channel");
    const double element = q.element_bytes();
    return {own(((token * heads + head) * dim + channel) * element),
            own(((head * tokens + token) * dim + channel) * element)};
}

OwnAnswer layer_bytes(const QuestionText& q) {
    const double keys =
        q.before("tokens") * q.before("KV heads") * q.after("head_dim") * q.element_bytes();
    return {own(keys), own(2 * keys)};
}

OwnAnswer strides(const QuestionText& q) {
    const double vector = q.after("head_dim") * q.element_bytes();
    return {own(q.before("KV heads") * vector), own(vector)};
}

// Sign, exponent and fraction by hand.
double bf16(const std::string& text, std::size_t at) {
    const auto bits = static_cast<unsigned>(std::stoul(text.substr(at, 6), nullptr, 16));
    const double significand = 1 + (bits & 0x7F) / 128.0;
    const double value = std::ldexp(significand, static_cast<int>(bits >> 7 & 0xFF) - 127);
    return (bits >> 15) != 0 ? -value : value;
}

OwnAnswer payloads(const QuestionText& q) {
    const std::size_t first = q.text().find("0x"), second = q.text().find("0x", first + 1);
    return {own(bf16(q.text(), first)), own(bf16(q.text(), second))};
}

OwnAnswer of_batch(const QuestionText& q) {
    const double token = q.token_bytes();
    const double batch = q.says("one sequence") ? 1 : q.before("sequences");
    return {own(token), own(token * batch * q.before("tokens"))};
}

OwnAnswer capacity(const QuestionText& q) {
    const double pool = q.sizes()[0], token = q.sizes()[1];
    const double block = q.after("blocks of"), length = q.after("sequences of");
    const double blocks = std::floor(pool / (token * block));
    return {own(blocks), own(blocks * block), own(std::floor(blocks / std::ceil(length / block)))};
}

OwnAnswer crossover(const QuestionText& q) {
    const double tokens = std::floor(2 * q.before("parameters") / q.token_bytes());
    return {own(tokens), own(std::floor(tokens / q.before("users")))};
}

// Layers are counted one by one.
OwnAnswer hybrid(const QuestionText& q) {
    const double layers = q.before("layers"), every = q.after("One layer in");
    const double state = q.before("heads of") * q.after("heads of") * q.after("heads of") * 4;
    const double token = 2 * q.before("KV heads") * q.after("head_dim") * 2;
    double states = 0, tokens = 0;
    for (double layer = 1; layer <= layers; ++layer) {
        const bool full = std::fmod(layer, every) == 0;
        (full ? tokens : states) += full ? token : state;
    }
    return {own(states), own(states + tokens * q.after("cache take for")),
            own(std::floor(states / tokens))};
}

}  // namespace

OwnOracles oracles_of_1_to_4() {
    return {
        {"1.1", [](const auto& q) { return both(q.after("prompt of"), q.before("new ones")); }},
        {"1.2", break_even},
        {"1.3", [](const auto& q) { return both(q.after("prompt of"), q.before("new tokens")); }},
        {"1.4", score_work},
        {"2.1", attention},
        {"2.2", [](const auto& q) { return OwnAnswer{own(q.after("position"))}; }},
        {"2.3",
         [](const auto& q) {
             return OwnAnswer{own(q.before("query heads")), "1", own(q.after("position") + 1)};
         }},
        {"3.1", offsets},
        {"3.2", layer_bytes},
        {"3.3", strides},
        {"3.4", payloads},
        {"4.1",
         [](const auto& q) {
             const double token = q.token_bytes();
             return OwnAnswer{own(token), own(token * q.before("tokens")),
                              own(token * q.before("tokens", 1))};
         }},
        {"4.2", of_batch},
        {"4.3", capacity},
        {"4.4", crossover},
        {"4.5", of_batch},
        {"4.6", of_batch},
        {"4.7", hybrid}};
}

}  // namespace kv::test
