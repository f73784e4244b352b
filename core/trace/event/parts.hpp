#pragma once
// What events and snapshots are both made of.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/ids.hpp"
#include "core/trace/event/words.hpp"

namespace kv {

using TokenIds = std::vector<std::uint32_t>;
using Hashes = std::vector<std::uint64_t>;

// One part of a pass, for all tokens of the iteration.
struct Operation {
    Op op = Op::Embed;
    std::optional<LayerId> layer = {};
    std::uint64_t flops = 0, bytes_read = 0, bytes_written = 0;
    double us = 0;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("op", e.op), visit("layer", e.layer), visit("flops", e.flops);
        visit("bytes_read", e.bytes_read), visit("bytes_written", e.bytes_written);
        visit("us", e.us);
    }
    friend bool operator==(const Operation&, const Operation&) = default;
};

}  // namespace kv
