#pragma once
// A block of threads on the CPU, one thread after the other, and stricter than a card: every access
// to shared memory is held against its size, shared memory begins as NaN, a copy arrives only when
// it is waited for, and two threads that meet in one word without a barrier between them, one of
// them writing, are a race and stop the run. Threads go up or down: a body may not care.

#include <algorithm>
#include <vector>

#include "cuda/grid/block.hpp"

namespace kv::gpu {

// The shared memory of a block and who touched it since the last barrier, word by word. Time is
// counted in epochs, which a barrier ends: what a word knows of an earlier epoch does not count.
class SharedArena {
public:
    static constexpr u32 kNobody = 0xFFFFFFFF;   // outside of each(): the code of all threads
    static constexpr u32 kSeveral = 0xFFFFFFFE;  // readers

    explicit SharedArena(u32 n_bytes) : bytes_(n_bytes, std::byte{0xFF}), words_(n_bytes / 4 + 1) {}

    std::byte* take(u32 n) {
        const u32 at = used_;
        used_ += static_cast<u32>(ceil_of(n, kPiece) * kPiece);
        KV_ASSERT(used_ <= bytes_.size());  // more shared memory than the launch asked for
        return bytes_.data() + at;
    }
    void barrier() { ++epoch_; }
    void set_thread(u32 thread) { thread_ = thread; }
    u32 thread() const { return thread_; }

    void read(const std::byte* at, u32 n) { touch(at, n, &SharedArena::note_read); }
    void write(std::byte* at, u32 n) { touch(at, n, &SharedArena::note_write); }

private:
    struct Word {
        u32 read_epoch = 0, reader = kNobody, write_epoch = 0, writer = kNobody;
    };
    void touch(const std::byte* at, u32 n, void (SharedArena::*note)(Word&)) {
        const auto first = static_cast<std::size_t>(at - bytes_.data());
        for (std::size_t w = first / 4; w <= (first + n - 1) / 4; ++w) (this->*note)(words_[w]);
    }
    void note_read(Word& word) {
        const bool written_by_other = word.write_epoch == epoch_ && word.writer != thread_;
        KV_ASSERT(!written_by_other);  // a barrier is missing before this read
        const bool another = word.read_epoch == epoch_ && word.reader != thread_;
        word.reader = another ? kSeveral : thread_;
        word.read_epoch = epoch_;
    }
    void note_write(Word& word) {
        const bool read_by_other = word.read_epoch == epoch_ && word.reader != thread_;
        const bool written_by_other = word.write_epoch == epoch_ && word.writer != thread_;
        KV_ASSERT(!read_by_other && !written_by_other);  // a barrier is missing before this write
        KV_ASSERT(thread_ != kNobody);                   // all threads would write here
        word.writer = thread_;
        word.write_epoch = epoch_;
    }

    std::vector<std::byte> bytes_;
    std::vector<Word> words_;
    u32 used_ = 0, epoch_ = 1, thread_ = kNobody;
};

template <class T>
class SharedOfHost {
public:
    SharedOfHost(SharedArena& arena, u32 n)
        : arena_(&arena), n_(n), at_(arena.take(n * sizeof(T))) {}

    class Cell {
    public:
        Cell(SharedArena& arena, std::byte* at) : arena_(arena), at_(at) {}
        operator T() const {
            arena_.read(at_, sizeof(T));
            T value;
            std::memcpy(&value, at_, sizeof value);
            return value;
        }
        Cell& operator=(T value) {
            arena_.write(at_, sizeof(T));
            std::memcpy(at_, &value, sizeof value);
            return *this;
        }
        // NOLINTNEXTLINE: a value moves from word to word, and both places stay where they are
        Cell& operator=(const Cell& other) { return *this = static_cast<T>(other); }
        Cell(const Cell&) = default;

    private:
        SharedArena& arena_;
        std::byte* at_;
    };
    Cell operator[](u64 i) const {
        KV_ASSERT(i < n_);
        return {*arena_, at_ + i * sizeof(T)};
    }

private:
    SharedArena* arena_;
    u32 n_;
    std::byte* at_;
};

class SharedBytesOfHost {
public:
    SharedBytesOfHost(SharedArena& arena, u32 n) : arena_(&arena), n_(n), at_(arena.take(n)) {}
    const std::byte* read(u32 first, u32 n) const {
        KV_ASSERT(first <= n_ && n <= n_ - first);
        arena_->read(at_ + first, n);
        return at_ + first;
    }
    std::byte* place(u32 first, u32 n) const {
        KV_ASSERT(first <= n_ && n <= n_ - first);
        return at_ + first;
    }

private:
    SharedArena* arena_;
    u32 n_;
    std::byte* at_;
};

class EmulatedBlock {
public:
    using Floats = SharedOfHost<float>;
    using Words = SharedOfHost<u32>;
    using Bytes = SharedBytesOfHost;
    template <class T>
    using PerThread = std::vector<T>;

    // NOLINTNEXTLINE(bugprone-easily-swappable-parameters): as a launch says them
    EmulatedBlock(u64 index, u32 n_threads, u32 shared, bool downwards)
        : arena_(shared), index_(index), n_threads_(n_threads), downwards_(downwards) {}

    u64 index() const { return index_; }
    u32 size() const { return n_threads_; }

    template <class F>
    void each(const F& f) {
        for (u32 i = 0; i < n_threads_; ++i) {
            const u32 thread = downwards_ ? n_threads_ - 1 - i : i;
            arena_.set_thread(thread);
            f(thread);
        }
        arena_.set_thread(SharedArena::kNobody);
    }
    void sync() { arena_.barrier(); }

    template <class T>
    std::vector<T> per_thread(T first) {
        return std::vector<T>(n_threads_, first);
    }
    void sum_lanes(std::vector<float>& x, u32 width) {
        butterfly(x, width, [](float a, float b) { return a + b; });
    }
    template <u32 kN>
    void sum_lanes(std::vector<Array<float, kN>>& x, u32 width) {
        butterfly(x, width, [](Array<float, kN> a, const Array<float, kN>& b) {
            for (u32 i = 0; i < kN; ++i) a[i] += b[i];
            return a;
        });
    }
    // Like fmaxf: where one number is NaN, the other one.
    void max_lanes(std::vector<float>& x, u32 width) {
        butterfly(x, width, [](float a, float b) { return b > a || a != a ? b : a; });
    }

    Floats floats(u32 n) { return {arena_, n}; }
    Words words(u32 n) { return {arena_, n}; }
    Bytes bytes(u32 n) { return {arena_, n}; }

    // Until somebody waits, the place holds NaN and not what is on its way. Asking writes there,
    // and so does arriving, in the name of the thread that asked.
    void copy_async(const SharedBytesOfHost& to, u32 at, const std::byte* from, u32 n) {
        KV_ASSERT(n == kPiece && at % kPiece == 0);
        KV_ASSERT(reinterpret_cast<std::uintptr_t>(from) % kPiece == 0);
        std::byte* place = to.place(at, n);
        arena_.write(place, n);  // whoever still reads there is in the way
        std::memset(place, 0xFF, n);
        open_.push_back({place, from, arena_.thread()});
    }
    void commit_copies() { groups_.push_back(std::move(open_)), open_.clear(); }
    template <u32 kLeft>
    void wait_copies() {
        while (groups_.size() > kLeft) {
            for (const Copy& copy : groups_.front()) {
                arena_.set_thread(copy.thread);
                arena_.write(copy.to, kPiece);
                std::memcpy(copy.to, copy.from, kPiece);
            }
            groups_.erase(groups_.begin());
        }
        arena_.set_thread(SharedArena::kNobody);
    }
    bool comes_last(u32& counter, u32 n) {
        sync();
        return ++counter == n;
    }

private:
    struct Copy {
        std::byte* to;
        const std::byte* from;
        u32 thread;
    };
    // What __shfl_xor_sync does on a card: log2(width) rounds in which each thread joins its value
    // with that of the one whose number differs in one bit.
    template <class T, class Join>
    void butterfly(std::vector<T>& x, u32 width, const Join& join) {
        KV_ASSERT(width <= kWarp && n_threads_ % kWarp == 0);
        for (u32 other = width / 2; other > 0; other /= 2) {
            std::vector<T> next(x);
            for (u32 t = 0; t < n_threads_; ++t) next[t] = join(x[t], x[t ^ other]);
            x = std::move(next);
        }
    }

    SharedArena arena_;
    u64 index_;
    u32 n_threads_;
    bool downwards_;
    std::vector<Copy> open_;                 // asked for, not yet committed
    std::vector<std::vector<Copy>> groups_;  // committed, the oldest first
};

// In which order blocks and threads come: a result may not depend on it.
enum class GridOrder { Upwards, Downwards };

template <class Kernel>
void run_emulated(const Kernel& kernel, GridOrder order = GridOrder::Upwards) {
    const LaunchShape shape = kernel.shape();
    KV_ASSERT(shape.n_threads % kWarp == 0 && shape.n_threads <= 1024);
    for (u64 i = 0; i < shape.n_blocks; ++i) {
        const bool down = order == GridOrder::Downwards;
        EmulatedBlock block(down ? shape.n_blocks - 1 - i : i, shape.n_threads, shape.shared_bytes,
                            down);
        kernel.run(block);
    }
}

}  // namespace kv::gpu
