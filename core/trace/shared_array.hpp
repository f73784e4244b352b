#pragma once
// An array whose copies share what they have in common: it is cut into pieces, and a piece is
// copied only when somebody writes to it. A copy of a million elements costs as much as copying the
// list of pieces, which is what lets a trace keep many snapshots of one large pool.

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace kv {

template <class T, std::size_t kPiece = 256>
class SharedArray {
public:
    SharedArray() = default;
    SharedArray(std::size_t size, const T& value) {
        const auto piece = std::make_shared<Piece>(kPiece, value);
        pieces_.assign((size + kPiece - 1) / kPiece, piece);
        size_ = size;
    }
    explicit SharedArray(const std::vector<T>& values) {
        for (const T& value : values) push_back(value);
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const T& operator[](std::size_t i) const {
        KV_ASSERT(i < size_);
        return (*pieces_[i / kPiece])[i % kPiece];
    }
    const T& back() const { return (*this)[size_ - 1]; }

    // The element to write to; other copies of the array keep the old one.
    T& edit(std::size_t i) {
        KV_ASSERT(i < size_);
        std::shared_ptr<Piece>& piece = pieces_[i / kPiece];
        if (piece.use_count() > 1) piece = std::make_shared<Piece>(*piece);
        return (*piece)[i % kPiece];
    }
    void push_back(T value) {
        if (size_ % kPiece == 0) {
            pieces_.push_back(std::make_shared<Piece>());
            pieces_.back()->reserve(kPiece);
        }
        std::shared_ptr<Piece>& piece = pieces_.back();
        if (piece.use_count() > 1) piece = std::make_shared<Piece>(*piece);
        piece->resize(size_ % kPiece, value);
        piece->push_back(std::move(value));
        ++size_;
    }
    void pop_back() {
        KV_ASSERT(size_ > 0);
        if (--size_ % kPiece == 0) pieces_.pop_back();
    }
    void clear() { *this = {}; }

    // `visit` gets each place and its element, in order, piece by piece.
    template <class Visit>
    void each(Visit visit) const {
        for (std::size_t p = 0, i = 0; i < size_; ++p)
            for (const T& value : std::span(*pieces_[p]).first(std::min(kPiece, size_ - i)))
                visit(i++, value);
    }

    // `visit` gets the places at which the two differ, rising; those that only one of them has,
    // too. Pieces that both share are passed over, so the cost is that of what changed.
    template <class Visit>
    static void each_difference(const SharedArray& a, const SharedArray& b, Visit visit) {
        const std::size_t both = std::min(a.size_, b.size_), all = std::max(a.size_, b.size_);
        for (std::size_t p = 0; p * kPiece < both; ++p) {
            if (a.pieces_[p] == b.pieces_[p]) continue;
            const Piece &x = *a.pieces_[p], &y = *b.pieces_[p];
            const std::size_t n = std::min(kPiece, both - p * kPiece);
            for (std::size_t i = 0; i < n; ++i)
                if (!(x[i] == y[i])) visit(p * kPiece + i);
        }
        for (std::size_t i = both; i < all; ++i) visit(i);
    }

    friend bool operator==(const SharedArray& a, const SharedArray& b) {
        if (a.size_ != b.size_) return false;
        for (std::size_t p = 0; p < a.pieces_.size(); ++p) {
            if (a.pieces_[p] == b.pieces_[p]) continue;
            const auto n = static_cast<std::ptrdiff_t>(std::min(kPiece, a.size_ - p * kPiece));
            const Piece &x = *a.pieces_[p], &y = *b.pieces_[p];
            if (!std::equal(x.begin(), x.begin() + n, y.begin())) return false;
        }
        return true;
    }

private:
    using Piece = std::vector<T>;  // of kPiece elements, the last perhaps of fewer or of stale ones
    std::vector<std::shared_ptr<Piece>> pieces_;
    std::size_t size_ = 0;
};

}  // namespace kv
