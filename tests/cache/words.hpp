#pragma once
// The books in a form that can be compared with numbers that were worked out by hand.

#include <string>
#include <vector>

#include "core/trace/event/event.hpp"
#include "tests/cache/books.hpp"

namespace kv::test {

using Ids = std::vector<std::uint32_t>;

inline Ids free_of(const Cache& cache) {
    Ids ids;
    for (const BlockId b : Tamper::pool(cache).free_list()) ids.push_back(b.value);
    return ids;
}
inline Ids refs_of(const Cache& cache) {
    Ids counts;
    for (std::uint32_t b = 0; b < cache.spec().n_blocks; ++b)
        counts.push_back(Tamper::pool(cache).ref_count(BlockId(b)));
    return counts;
}
inline Ids table_of(const Cache& cache, SeqId id) {
    Ids ids;
    for (const auto& block : cache.table(id)) ids.push_back(block->value);
    return ids;
}
inline Ids findable_of(const Cache& cache) {
    Ids ids;
    for (std::uint32_t b = 0; b < cache.spec().n_blocks; ++b)
        if (Tamper::index(cache).node_of(BlockId(b))) ids.push_back(b);
    return ids;
}
inline Ids filled_of(const Cache& cache) {
    Ids slots;
    for (std::uint32_t b = 0; b < cache.spec().n_blocks; ++b)
        slots.push_back(Tamper::filled(cache, BlockId(b)));
    return slots;
}

inline std::string listed(const Ids& ids) {
    std::string text;
    for (const std::uint32_t id : ids) text += " " + std::to_string(id);
    return text;
}

// An event of the cache in words; nothing for one that only the test itself adds.
struct InWords {
    static std::string id(std::uint32_t n) { return " " + std::to_string(n); }
    static std::string place(Medium medium, std::uint32_t n) {
        return " " + std::string(name_of(medium)) + id(n);
    }
    static std::string below(Medium medium) { return medium == Medium::Device ? "" : " below"; }

    std::string operator()(const BlockAllocated& e) const {
        return id(e.block.value) + " at" + id(e.entry);
    }
    std::string operator()(const BlockShared& e) const {
        return id(e.block.value) + " at" + id(e.entry);
    }
    std::string operator()(const BlockCopied& e) const {
        return id(e.from.value) + " to" + id(e.to.value) + "," + id(e.slots) + " slots";
    }
    std::string operator()(const BlockFreed& e) const {
        return id(e.block.value) + (e.to_head ? " to the head" : "");
    }
    std::string operator()(const BlockStored& e) const {
        return listed(e.blocks) + below(e.medium);
    }
    std::string operator()(const BlockRemoved& e) const {
        return listed(e.blocks) + below(e.medium);
    }
    std::string operator()(const TransferStarted& e) const {
        return place(e.from, e.from_id) + " to" + place(e.to, e.to_id);
    }
    std::string operator()(const TierPlaceFreed& e) const { return place(e.medium, e.id); }
    std::string operator()(const AllBlocksCleared&) const { return " "; }
    template <class Other>
    std::string operator()(const Other&) const {
        return {};
    }
};

// What the cache has said since event `from`, each with its reason.
inline std::vector<std::string> told_since(const Books& books, std::uint64_t from) {
    std::vector<std::string> lines;
    books.trace().each(from, books.trace().size(), [&](std::uint64_t, const Event& event) {
        const std::string words = std::visit(InWords{}, event.what);
        if (words.empty()) return;
        std::string line(name_of(event.what));
        if (words != " ") line += words;
        line += " (" + std::string(name_of(event.reason.why));
        if (event.reason.request) line += " r" + std::to_string(event.reason.request->value);
        lines.push_back(line + ")");
    });
    return lines;
}

// n tokens: those of a common text first, then of one that is the request's own.
// NOLINTNEXTLINE(bugprone-easily-swappable-parameters): in the order in which they are used.
inline Ids prompt(std::uint32_t common, std::uint32_t own, std::uint32_t name) {
    Ids tokens;
    for (std::uint32_t i = 0; i < common; ++i) tokens.push_back(100 + i);
    for (std::uint32_t i = 0; i < own; ++i) tokens.push_back(1000 * (name + 1) + i);
    return tokens;
}

inline CacheSpec pool_of(std::uint32_t n_blocks, std::uint32_t block_size,
                         Sharing sharing = Sharing::FullBlocksOnly,
                         FreeOrder order = FreeOrder::TailReverse) {
    CacheSpec spec;
    spec.n_blocks = n_blocks;
    spec.block_size = block_size;
    spec.sharing = sharing;
    spec.free_order = order;
    spec.block_bytes = std::uint64_t{block_size} * sizeof(SlotBytes);
    return spec;
}

}  // namespace kv::test
