#pragma once
// How the cache's own files write to its log.

#include <utility>

#include "core/cache/cache.hpp"

namespace kv {

template <class What>
void Cache::tell(SeqId id, const Reason& reason, What what) {
    if (log_ != nullptr) log_->append({iteration_, id, reason, std::move(what)});
}

template <class What>
void Cache::tell(const Reason& reason, What what) {
    if (log_ != nullptr) log_->append({iteration_, std::nullopt, reason, std::move(what)});
}

}  // namespace kv
