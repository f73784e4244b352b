#include <cmath>

#include "tests/lesson/exercises/oracle/oracle.hpp"

namespace kv::test {
namespace {

double code_bits(const QuestionText& q) {
    for (const int bits : {8, 4, 2})
        if (q.says("INT" + std::to_string(bits))) return bits;
    return 0;
}

OwnAnswer with_scale(const QuestionText& q) {
    const double dim = q.after("head_dim"), codes = dim * code_bits(q) / 8;
    const double scale = q.says("one scale of FP32") ? 4 : 2;
    return {own(codes + scale), own(2 * dim / (codes + scale)), own(100 * scale / codes)};
}

OwnAnswer grouped(const QuestionText& q) {
    const double dim = q.after("head_dim"),
                 bytes = dim * code_bits(q) / 8 + 4 * dim / q.after("every");
    return {own(bytes), own(2 * dim / bytes)};
}

OwnAnswer outlier(const QuestionText& q) {
    const double value = q.after("another one is");
    const auto code = [&](double largest) { return std::round(value * 127 / largest); };
    return {own(code(q.after("largest element is"))), own(code(q.after("an element of")))};
}

OwnAnswer coded_pool(const QuestionText& q) {
    const double vectors = 2 * q.before("layers") * q.before("KV heads"), dim = q.after("head_dim");
    const double pool = q.sizes()[0];
    return {own(std::floor(pool / (vectors * dim * 2))),
            own(std::floor(pool / (vectors * (dim * code_bits(q) / 8 + 2))))};
}

OwnAnswer heavy_hitters(const QuestionText& q) {
    const std::vector<double> sums = q.list_after("has had:");
    const auto judged = sums.size() - static_cast<std::size_t>(q.after("the", 0));
    std::size_t lowest = 0;
    for (std::size_t i = 1; i < judged; ++i)
        if (sums[i] < sums[lowest]) lowest = i;
    return {own(static_cast<double>(lowest))};
}

OwnAnswer positions(const QuestionText& q) {
    const double sinks = q.before("as") + 1;
    const double first = q.after("and tokens"), last = q.after("to", 1);
    return {own(sinks + last - first + 1), own(last + 1)};
}

OwnAnswer moves(const QuestionText& q) {
    const double bytes = q.before("blocks") * q.sizes()[0];
    OwnAnswer answer;
    for (std::size_t i = 1; i <= 3; ++i) answer.push_back(own(1000 * bytes / q.sizes()[i]));
    return answer;
}

OwnAnswer resume(const QuestionText& q) {
    const double tokens = q.after("request of");
    const double fetch = 1000 * tokens * q.token_bytes() / q.sizes()[0];
    const double again = 1000 * 2 * q.before("parameters") * tokens / q.sizes()[1];
    return {own(fetch), own(again), fetch < again ? "fetch" : "recompute"};
}

}  // namespace

OwnOracles oracles_of_11_to_13() {
    return {{"11.1", with_scale},
            {"11.2", grouped},
            {"11.3", outlier},
            {"11.4", coded_pool},
            {"12.1",
             [](const auto& q) {
                 return OwnAnswer{own((q.before("tokens") + q.after("newest")) * q.token_bytes())};
             }},
            {"12.2", heavy_hitters},
            {"12.3", positions},
            {"12.4",
             [](const auto& q) {
                 const double kept = q.before("positions") + q.after("the last");
                 return OwnAnswer{own(100 * kept / q.after("prompt of"))};
             }},
            {"13.1", moves},
            {"13.2", resume},
            {"13.3", resume}};
}

}  // namespace kv::test
