#include <algorithm>
#include <array>

#include "core/lesson/code/rows.hpp"

namespace kv {
namespace {

using namespace code_rows;

constexpr std::array kSamples{
    &kDecodeLoop,   &kAppendAttend, &kAttend,     &kOffset,     &kPlaceOf,  &kPreempt,
    &kChunk,        &kVerify,       &kKvHeadOf,   &kTranslate,  &kLoadK,    &kAllocator,
    &kFork,         &kCopyOnWrite,  &kFindPrefix, &kRadixSplit, &kQuantize, &kKeepRecent,
    &kHeavyHitters, &kSwapOut,      &kLoadsDone,  &kLayerAhead, &kAdmission};

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
