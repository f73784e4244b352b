#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "tests/lesson/exercises/oracle/oracle.hpp"

namespace kv::test {
namespace {

OwnAnswer walk(const QuestionText& q) {
    const std::vector<double> table = q.list_after("block table is");
    const double size = q.before("slots"), token = q.after("token");
    const double logical = std::floor(token / size), offset = token - logical * size;
    const double physical = table[static_cast<std::size_t>(logical)];
    return {own(logical), own(offset), own(physical), own(physical * size + offset)};
}

OwnAnswer tails(const QuestionText& q) {
    const std::vector<double> lengths = q.list_after("sequences hold");
    OwnAnswer answer;
    for (const double size : {q.after("blocks of"), q.after("blocks of", 1)}) {
        double blocks = 0, tokens = 0;
        for (const double length : lengths) {
            blocks += std::ceil(length / size);
            tokens += length;
        }
        const double idle = blocks * size - tokens;
        answer.insert(answer.end(), {own(blocks), own(idle), own(100 * idle / (blocks * size))});
    }
    return answer;
}

OwnAnswer block_bytes(const QuestionText& q) {
    const double size = q.after("A block holds"), bytes = q.token_bytes() * size;
    const double blocks = std::floor(q.sizes()[0] / bytes);
    return {own(bytes), own(blocks), own(blocks * size)};
}

OwnAnswer reserved(const QuestionText& q) {
    const double use = q.after("ends after"), size = q.after("blocks of");
    const double blocks = std::ceil(use / size);
    return {own(100 * use / q.after("reserves")), own(100 * use / (blocks * size)), own(blocks)};
}

OwnAnswer held(const QuestionText& q) {
    const double tokens = q.before("tokens"), size = q.after("blocks of"), token = q.token_bytes();
    const double blocks = std::ceil(tokens / size), idle = blocks * size - tokens;
    return {own(blocks), own(blocks * size * token), own(idle), own(idle * token)};
}

OwnAnswer system_prompt(const QuestionText& q) {
    const double prompt = q.after("prompt of"), size = q.after("blocks of"),
                 users = q.before("users");
    const double shareable = std::floor(prompt / size), saved = shareable * (users - 1);
    return {own(shareable), own(prompt - shareable * size), own(saved), own(saved * q.sizes()[0])};
}

// Each writer but the last finds others on the partly filled block.
OwnAnswer forked(const QuestionText& q) {
    const double prompt = q.after("prompt of"), size = q.after("blocks of"), ways = q.after("into");
    double copies = 0;
    for (double holders = ways; holders > 1;) {
        --holders;
        ++copies;
    }
    return {own(std::ceil(prompt / size) + copies), own(copies)};
}

OwnAnswer full_hit(const QuestionText& q) {
    const double prompt = q.after("All"), size = q.after("blocks of");
    double reused = 0;
    while (reused + size <= prompt - 1) reused += size;
    return {own(reused)};
}

std::vector<int> sequence_after(const QuestionText& q, const std::string& words) {
    std::istringstream in(q.text().substr(q.text().find(words) + words.size()));
    std::vector<int> tokens;
    for (int token = 0; in >> token;) tokens.push_back(token);
    return tokens;
}

// A trie of single tokens: a node of the radix tree is a run without a branch.
OwnAnswer split(const QuestionText& q) {
    const std::vector<int> first = sequence_after(q, "the sequence "),
                           second = sequence_after(q, "and then ");
    std::size_t same = 0;
    while (same < first.size() && same < second.size() && first[same] == second[same]) ++same;
    double nodes = same > 0 ? 1 : 0;
    if (first.size() > same) ++nodes;
    if (second.size() > same) ++nodes;
    const auto hit = static_cast<double>(same), size = q.after("block size of");
    return {own(nodes), own(static_cast<double>(first.size() + second.size()) - hit), own(hit),
            own(std::floor(hit / size) * size)};
}

std::string letters_after(const QuestionText& q, const std::string& words) {
    std::string letters;
    for (std::size_t at = q.text().find(words) + words.size(); q.text()[at] != '.'; ++at)
        if (q.text()[at] == 'P' || q.text()[at] == 'Q') letters += q.text()[at];
    return letters;
}

OwnAnswer documents(const QuestionText& q) {
    const double system = q.after("system prompt of"), query = q.after("their own of");
    std::map<char, double> length{{'P', q.after("document P of")}, {'Q', q.after("document Q of")}};
    double unshared = 0, held = system;
    std::set<char> seen;
    for (const char document : letters_after(q, "they are about ")) {
        unshared += system + length[document] + query;
        held += query + (seen.insert(document).second ? length[document] : 0);
    }
    return {own(unshared), own(held), own(100 * (unshared - held) / unshared)};
}

OwnAnswer pressure(const QuestionText& q) {
    const std::string marker = "queries 1 to ";
    const QuestionText rest(q.text().substr(q.text().find(marker)));
    const std::vector<double> lengths = rest.list_after("of");
    double freed = 0;
    OwnAnswer answer;
    for (const double query : q.list_after("oldest first, is")) {
        if (freed >= q.before("tokens must")) break;
        answer.push_back(own(query));
        freed += lengths[static_cast<std::size_t>(query) - 1];
    }
    answer.push_back(own(freed));
    return answer;
}

}  // namespace

OwnOracles oracles_of_8_to_10() {
    return {{"8.1", walk},   {"8.2", tails},         {"8.3", block_bytes}, {"8.4", reserved},
            {"8.5", held},   {"9.1", system_prompt}, {"9.2", forked},      {"9.3", full_hit},
            {"10.1", split}, {"10.2", documents},    {"10.3", pressure}};
}

}  // namespace kv::test
