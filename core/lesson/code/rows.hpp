#pragma once
// The samples, each beside those of its kind. Internal to the room.

#include "core/lesson/code/sample.hpp"

namespace kv::code_rows {

extern const CodeSample kDecodeLoop, kAppendAttend, kAttend, kVerify, kChunk, kKvHeadOf;
extern const CodeSample kOffset, kPlaceOf, kTranslate, kLoadK;
extern const CodeSample kAllocator, kFork, kCopyOnWrite, kFindPrefix, kRadixSplit;
extern const CodeSample kQuantize, kKeepRecent, kHeavyHitters;
extern const CodeSample kSwapOut, kLoadsDone, kLayerAhead, kAdmission, kPreempt;

}  // namespace kv::code_rows
