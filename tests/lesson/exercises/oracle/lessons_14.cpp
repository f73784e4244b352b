#include <cmath>
#include <cstdio>

#include "tests/lesson/exercises/oracle/oracle.hpp"

namespace kv::test {
namespace {

OwnAnswer admission(const QuestionText& q) {
    const double usable = q.before("free blocks") - q.before("of them"), size = q.before("slots");
    OwnAnswer answer;
    for (const double tokens : {q.after("prompt of"), q.after("another one with")}) {
        const double needed = std::ceil(tokens / size);
        answer.push_back(own(needed));
        answer.push_back(needed <= usable ? "yes" : "no");
    }
    return answer;
}

OwnAnswer matching(const QuestionText& q) {
    static const std::map<std::string, std::string> kReduces{
        {"GQA", "bytes per token"}, {"MQA", "bytes per token"}, {"quantisation", "bytes per token"},
        {"window", "tokens kept"},  {"H2O", "tokens kept"},     {"paging", "idle bytes"},
        {"sharing", "copies"}};
    const std::size_t from = q.text().find(": ") + 2;
    std::string names = q.text().substr(from, q.text().find('?') - from) + ", ";
    OwnAnswer answer;
    while (!names.empty()) {
        answer.push_back(kReduces.at(names.substr(0, names.find(','))));
        names = names.substr(names.find(',') + 2);
    }
    return answer;
}

OwnAnswer planned(const QuestionText& q) {
    const double prompt = q.before("tokens each"), size = q.after("blocks of");
    const double each = std::ceil(prompt / size);
    return {own(q.before("requests") * each), own(each * size - prompt)};
}

// A read of 2 bytes against 2 FLOP for each sequence.
OwnAnswer compute_bound(const QuestionText& q) {
    const double flops = q.sizes()[0], bandwidth = q.sizes()[1];
    double batch = 1;
    while (2 * batch / flops < 2 / bandwidth) ++batch;
    return {own(flops / bandwidth), own(batch)};
}

OwnAnswer longest(const QuestionText& q) {
    const double token = q.token_bytes(), giga = q.before("GB");
    return {own(std::floor(giga * 1e9 / token)), own(std::floor(giga * 1073741824 / token))};
}

OwnAnswer vectors(const QuestionText& q) {
    const double each = 2 * q.before("layers") * q.before("KV heads");
    return {own(each), own(each * (q.after("position") + 1))};
}

OwnAnswer naive(const QuestionText& q) {
    return {own(sum_of(1, q.before("tokens"))), own(q.before("tokens"))};
}

}  // namespace

OwnOracles oracles_of_14() {
    return {{"14.1",
             [](const auto& q) {
                 return OwnAnswer{
                     own(100 * q.before("tokens") / (q.before("blocks") * q.before("slots")))};
             }},
            {"14.2",
             [](const auto& q) {
                 return OwnAnswer{own(100 * q.before("of these") / q.before("prompt tokens"))};
             }},
            {"14.3", admission},
            {"14.4", matching},
            {"14.5", planned},
            {"14.6", compute_bound},
            {"14.8", longest},
            {"14.9", vectors},
            {"14.10",
             [](const auto& q) {
                 const double token = q.token_bytes();
                 return OwnAnswer{own(token),
                                  own(std::floor(q.sizes()[0] / q.before("users") / token))};
             }},
            {"14.11", naive},
            {"14.26", [](const auto& q) {
                 const double uses = q.before("blocks of");
                 return OwnAnswer{own(q.after("pool has") / uses),
                                  own(uses * q.after("still there after"))};
             }}};
}

OwnOracles all_oracles() {
    OwnOracles all;
    for (const OwnOracles& some : {oracles_of_1_to_4(), oracles_of_5_to_7(), oracles_of_8_to_10(),
                                   oracles_of_11_to_13(), oracles_of_14(), oracles_of_16()})
        all.insert(some.begin(), some.end());
    return all;
}

double sum_of(double first, double last) {
    double sum = 0;
    for (auto n = static_cast<long>(first); n <= static_cast<long>(last); ++n)
        sum += static_cast<double>(n);
    return sum;
}

std::string own(double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%.15g", value);
    return text;
}

const std::map<std::string, std::string>& right_words() {
    static const std::map<std::string, std::string> words{
        {"5.4", "begins like one whose blocks are still cached|second chunk"},
        {"14.7", "project the new token, append its K and V, attend"},
        {"14.12", "never again"},
        {"14.13", "2, layers, KV heads"},
        {"14.14", "last block"},
        {"14.15", "from the first token"},
        {"14.16", "a little less"},
        {"14.17", "predictions suffer"},
        {"14.18", "without the middle"},
        {"14.19", "time to bring it back"},
        {"14.20", "given up for room"},
        {"14.21", "projecting the past"},
        {"14.22", "in proportion to its tokens"},
        {"14.23", "the weights"},
        {"14.24", "1/64 with MQA, and 1/8"},
        {"14.25", "prefill fills"}};
    return words;
}

}  // namespace kv::test
