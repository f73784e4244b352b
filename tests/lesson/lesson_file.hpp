#pragma once
// A small lesson as a text, to be spoilt in one place at a time.

#include <string>

namespace kv::test {

inline const std::string kFront =
    "---\nnumber: 3\ntitle: Bytes\nminutes: 20\nprerequisites: 1, 2\nobjective: Count.\n"
    "source paper: Somebody, arXiv 1234.56789\nleaves out: Everything else.\n---\n";

// A step over the scene that the player's test plays.
inline const std::string kStep =
    "\n## first: The first step\n\nscene: run.kvscene\nat: 1\nto: 3\nshows: C040\n"
    "expect: A.stored == 7\n\nIt stores {A.stored} tokens in [a table](request:A).\n\n"
    "> predict: How many are stored after the step?\n> answer: A.stored\n> unit: tokens\n"
    "> why: One a step, from {before(A.stored)} on.\n\n### Then\n\nNow it stores {A.stored}.\n";

inline std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace kv::test
