#pragma once
// Memory for what is made anew all the time: the plans, scratch and words of every frame. What is
// let go is not given back to the heap but kept, by size and by thread, for the next one; so a
// frame like the one before it asks the heap for nothing. Nothing is cleared at the end of a frame:
// a value lives as long as its owner, as with any other container. A build with AddressSanitizer
// keeps nothing, or it would not see who reads what was let go.

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

namespace kv {

void* take_memory(std::size_t bytes);
void keep_memory(void* memory, std::size_t bytes) noexcept;  // `bytes` as it was taken

template <class T>
struct Reused {
    using value_type = T;

    Reused() = default;
    template <class Other>
    Reused(const Reused<Other>&) {}

    T* allocate(std::size_t n) {
        static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
        if (n > static_cast<std::size_t>(-1) / kEach) throw std::bad_array_new_length();
        return static_cast<T*>(take_memory(n * kEach));
    }
    void deallocate(T* memory, std::size_t n) noexcept { keep_memory(memory, n * kEach); }

    template <class Other>
    friend bool operator==(const Reused&, const Reused<Other>&) {
        return true;
    }

private:
    // NOLINTNEXTLINE(bugprone-sizeof-expression): where T is a pointer, its size is meant
    static constexpr std::size_t kEach = sizeof(T);
};

// A vector like any other. It turns into a std::vector, and the other way round, where somebody
// wants to keep one; functions take a std::span, which both are.
template <class T>
class List : public std::vector<T, Reused<T>> {
    using Base = std::vector<T, Reused<T>>;

public:
    using Base::Base;
    List() = default;
    List(const std::vector<T>& other) : Base(other.begin(), other.end()) {}
    operator std::vector<T>() const { return std::vector<T>(this->begin(), this->end()); }

    template <class Other>
    friend bool operator==(const List& a, const std::vector<Other>& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }
};

}  // namespace kv
