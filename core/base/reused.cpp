#include "core/base/reused.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "core/base/sanitizers.hpp"

#if defined(KV_ADDRESS_SANITIZER)
#define KV_KEEPS_MEMORY 0
#else
#define KV_KEEPS_MEMORY 1
#endif

namespace kv {
namespace {

// Powers of two, from 32 bytes to 256 KiB; what is larger comes from the heap and goes there.
constexpr int kLeast = 5, kMost = 18;
constexpr std::size_t kMostKept = std::size_t{1} << 20;  // bytes of each size

struct Piece {
    Piece* next;
};
struct Pieces {
    Piece* first = nullptr;
    std::size_t bytes = 0;
};

// The thread has ended. A value of static lifetime may be let go after that; it goes to the heap.
constinit thread_local bool is_over = false;

struct Kept {
    std::array<Pieces, kMost - kLeast + 1> by_size{};
    constexpr Kept() = default;
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;
    ~Kept() {
        is_over = true;
        for (Pieces& pieces : by_size)
            while (Piece* piece = pieces.first) {
                pieces.first = piece->next;
                ::operator delete(piece);
            }
    }
};
constinit thread_local Kept kept;

int size_class(std::size_t bytes) {
    return std::max(kLeast, static_cast<int>(std::bit_width(bytes - 1)));
}

bool is_kept(std::size_t bytes) {
    return KV_KEEPS_MEMORY != 0 && bytes > 0 && bytes <= std::size_t{1} << kMost && !is_over;
}

}  // namespace

void* take_memory(std::size_t bytes) {
    if (!is_kept(bytes)) return ::operator new(bytes);
    const int size = size_class(bytes);
    Pieces& pieces = kept.by_size[static_cast<std::size_t>(size - kLeast)];
    const std::size_t whole = std::size_t{1} << size;
    if (pieces.first == nullptr) return ::operator new(whole);
    Piece* piece = pieces.first;
    pieces.first = piece->next;
    pieces.bytes -= whole;
    return piece;
}

void keep_memory(void* memory, std::size_t bytes) noexcept {
    if (!is_kept(bytes)) return ::operator delete(memory);
    const int size = size_class(bytes);
    Pieces& pieces = kept.by_size[static_cast<std::size_t>(size - kLeast)];
    const std::size_t whole = std::size_t{1} << size;
    if (pieces.bytes + whole > kMostKept) return ::operator delete(memory);
    pieces.first = new (memory) Piece{pieces.first};
    pieces.bytes += whole;
}

}  // namespace kv
