#include <algorithm>
#include <array>

#include "core/lesson/code/rows.hpp"

namespace kv {
namespace {

constexpr std::array kSamples{
    &code_rows::kDecodeLoop,   &code_rows::kAppendAttend, &code_rows::kAttend,
    &code_rows::kOffset,       &code_rows::kPlaceOf,      &code_rows::kPreempt,
    &code_rows::kChunk,        &code_rows::kVerify,       &code_rows::kKvHeadOf,
    &code_rows::kTranslate,    &code_rows::kLoadK,        &code_rows::kAllocator,
    &code_rows::kFork,         &code_rows::kCopyOnWrite,  &code_rows::kFindPrefix,
    &code_rows::kRadixSplit,   &code_rows::kQuantize,     &code_rows::kKeepRecent,
    &code_rows::kHeavyHitters, &code_rows::kSwapOut,      &code_rows::kLoadsDone,
    &code_rows::kLayerAhead,   &code_rows::kAdmission};

}  // namespace

std::span<const CodeSample* const> code_samples() {
    return kSamples;
}

const CodeSample* find_code(std::string_view name) {
    const auto found = std::find_if(kSamples.begin(), kSamples.end(),
                                    [name](const CodeSample* one) { return one->name == name; });
    return found == kSamples.end() ? nullptr : *found;
}

}  // namespace kv
