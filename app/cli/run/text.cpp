#include "core/base/numbers/text.hpp"

#include "app/cli/run/result.hpp"

namespace kv {
namespace {

std::string words_of(const RunInput& input, const RequestResult& request) {
    if (request.refused_because)
        return "refused: " + *request.refused_because +
               "; shorten the prompt, or give the pool more blocks.";
    if (input.tokenizer) return request.text;
    std::string out;
    for (const std::uint32_t token : request.output)
        out += (out.empty() ? "" : ",") + std::to_string(token);
    return out;
}

}  // namespace

// One request prints its text alone, so that it can be piped on.
std::string run_text(const RunInput& input, const RunResult& result) {
    std::string out;
    for (const RequestResult& request : result.requests)
        out +=
            (result.requests.size() > 1 ? request.id + ": " : "") + words_of(input, request) + "\n";
    if (result.has_dropped)
        out += "proof: equal to a full run that hides what was dropped up to " +
               round_trip(result.masked.max_abs_difference) +
               "; lossy: " + round_trip(result.proof.max_abs_difference) +
               " from one that drops nothing\n";
    else if (result.proof.checked)
        out += "proof: largest difference to recomputing everything " +
               round_trip(result.proof.max_abs_difference) + "\n";
    return out;
}

}  // namespace kv
