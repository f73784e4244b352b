#include "core/engine/run/request/pass_book.hpp"

#include <algorithm>

namespace kv {

void PassBook::add(SeqId id, std::uint32_t first, std::uint32_t count, const Hashes& hashes) {
    Book& book = books_[id.value];
    for (std::uint32_t entry = book.stored / block_size_; book.stored < first; ++entry) {
        if (const auto known = entry < hashes.size() && hashes[entry]
                                   ? by_hash_.find(*hashes[entry])
                                   : by_hash_.end();
            known != by_hash_.end())
            for (const std::uint32_t start : known->second)
                book.starts.push_back(entry * block_size_ + start);
        book.stored = std::min(first, (entry + 1) * block_size_);
    }
    book.starts.push_back(first);
    book.stored = first + count;
    for (std::uint32_t entry = first / block_size_; (entry + 1) * block_size_ <= book.stored;
         ++entry) {
        if (entry >= hashes.size() || !hashes[entry]) continue;
        std::vector<std::uint32_t>& inside = by_hash_[*hashes[entry]];
        inside.clear();
        for (const std::uint32_t start : book.starts)
            if (start / block_size_ == entry) inside.push_back(start % block_size_);
    }
}

void PassBook::fork(SeqId child, SeqId parent, std::uint32_t shared) {
    Book book;
    book.stored = shared;
    for (const std::uint32_t start : passes(parent))
        if (start < shared) book.starts.push_back(start);
    books_[child.value] = std::move(book);
}

void PassBook::forget(SeqId id) {
    books_.erase(id.value);
}

std::span<const std::uint32_t> PassBook::passes(SeqId id) const {
    const auto found = books_.find(id.value);
    if (found == books_.end()) return {};
    return found->second.starts;
}

}  // namespace kv
