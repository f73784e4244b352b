#include <cmath>

#include "tests/lesson/exercises/oracle/oracle.hpp"

namespace kv::test {
namespace {

OwnAnswer last_chunk(const QuestionText& q) {
    const double prompt = q.after("prompt of"), chunk = q.after("chunks of");
    double read = 0;
    while (read + chunk < prompt) read += chunk;
    return {own(read), own(prompt - read)};
}

struct Step {
    double weights, cache, bandwidth;
    double ms() const { return 1000 * (weights + cache) / bandwidth; }
    double share() const { return 100 * cache / (weights + cache); }
};

double batch_of(const QuestionText& q) {
    return q.says("one sequence of") ? 1 : q.before("sequences of");
}

Step step_of(const QuestionText& q) {
    const double tokens =
        q.says("one sequence of") ? q.after("one sequence of") : q.after("sequences of");
    return {2 * q.before("parameters"), q.token_bytes() * tokens * batch_of(q), q.sizes()[0]};
}

OwnAnswer meeting(const QuestionText& q) {
    const double one = q.token_bytes() * q.after("sequences of");
    const double equal = 2 * q.before("parameters") / one;
    return {own(std::floor(equal) + 1), own(equal)};
}

// 2 FLOP for the score and 2 for the mix of each element of K and of V, for each query of a group.
OwnAnswer intensities(const QuestionText& q) {
    const double group = q.before("query heads") / q.before("KV heads");
    const double flop = 4, bytes = 4;
    return {own(flop / bytes), own(group * flop / bytes), own(q.sizes()[0] / q.sizes()[1])};
}

OwnAnswer wiring(const QuestionText& q) {
    const double group = q.before("query heads") / q.before("KV heads");
    OwnAnswer answer;
    for (const double head : q.list_after("query heads")) {
        double kv = 0;
        while ((kv + 1) * group <= head) ++kv;
        answer.push_back(own(kv));
    }
    return answer;
}

OwnAnswer saved(const QuestionText& q) {
    const double token = q.token_bytes(), tokens = q.before("tokens");
    const double all = token / q.before("KV heads") * q.before("query heads");
    return {own(token), own(token * tokens), own(all * tokens)};
}

OwnAnswer refusals(const QuestionText& q) {
    double rest = q.before("query heads");
    while (rest >= q.before("KV heads")) rest -= q.before("KV heads");
    const double heads = q.after("H ="), groups = q.after("G =");
    return {rest == 0 ? "accepted" : "refused", own(rest), own(groups), own(heads / groups)};
}

OwnAnswer wiring_and_saving(const QuestionText& q) {
    OwnAnswer answer = wiring(q);
    answer.push_back(own(q.before("query heads") / q.before("KV heads")));
    return answer;
}

OwnAnswer groups(const QuestionText& q) {
    const double heads = q.after("H ="), n = q.after("G =");
    return {own(n), own(heads / n), own(heads / n), own(heads)};
}

OwnAnswer read_and_rest(const QuestionText& q) {
    const double bytes =
        q.says("GiB of") ? q.before("GiB of") * 1073741824 : q.before("GB of") * 1e9;
    const double rate = q.says("GiB of") ? q.sizes()[1] : q.sizes()[0];
    const double ms = 1000 * bytes / rate, step = ms + q.before("ms");
    return {own(ms), own(100 * ms / step), own(bytes / (step / 1000) / 1e12)};
}

OwnAnswer latent(const QuestionText& q) {
    return {own(q.before("layers") * (q.before("compressed") + q.before("rotated")) * 2)};
}

}  // namespace

OwnOracles oracles_of_5_to_7() {
    return {{"5.1",
             [](const auto& q) {
                 const double prompt = q.after("prompt of");
                 return OwnAnswer{own(sum_of(1, prompt)), own(sum_of(1, 2 * prompt))};
             }},
            {"5.2", last_chunk},
            {"5.3",
             [](const auto& q) {
                 const double steps = q.before("tokens") - 1;
                 return OwnAnswer{own(q.before("s,") + steps * q.before("ms") / 1000)};
             }},
            {"6.1",
             [](const auto& q) {
                 return OwnAnswer{own(step_of(q).ms()), own(step_of(q).share())};
             }},
            {"6.2",
             [](const auto& q) {
                 const Step step = step_of(q);
                 return OwnAnswer{own(step.ms()), own(1000 * batch_of(q) / step.ms()),
                                  own(step.share())};
             }},
            {"6.3", meeting},
            {"6.4", intensities},
            {"7.1", wiring},
            {"7.2", saved},
            {"7.3", refusals},
            {"7.4", latent},
            {"6.5", read_and_rest},
            {"7.5", wiring_and_saving},
            {"7.6", groups}};
}

}  // namespace kv::test
