#pragma once
// A table of numbers whose rows begin at cache lines, so that no vector of a row straddles two. It
// only grows; what was in it is lost when it does.

#include <cstddef>
#include <memory>
#include <new>

namespace kv::cpu {

template <class T>
class AlignedRows {
public:
    void resize(std::size_t rows, std::size_t columns) {
        constexpr std::size_t kLine = kAlignment / sizeof(T);
        stride_ = (columns + kLine - 1) / kLine * kLine;
        if (rows * stride_ <= room_) return;
        room_ = rows * stride_;
        values_.reset();
        values_.reset(new (std::align_val_t{kAlignment}) T[room_]);
    }
    std::size_t stride() const { return stride_; }
    T* operator[](std::size_t row) { return values_.get() + row * stride_; }
    const T* operator[](std::size_t row) const { return values_.get() + row * stride_; }

private:
    static constexpr std::size_t kAlignment = 64;
    struct Free {
        void operator()(T* values) const {
            ::operator delete[](values, std::align_val_t{kAlignment});
        }
    };
    std::size_t stride_ = 0, room_ = 0;
    std::unique_ptr<T[], Free> values_;
};

}  // namespace kv::cpu
