#include "core/model/checkpoint/weights.hpp"

#include <new>

#include "core/base/error.hpp"
#include "core/base/numbers/formats.hpp"

namespace kv {

u64 bytes_of(WeightStorage storage) {
    return storage == WeightStorage::F32 ? 4 : 2;
}

std::string_view name_of(WeightStorage storage) {
    return storage == WeightStorage::F32 ? "f32" : "bf16";
}

void Matrix::Free::operator()(std::byte* bytes) const {
    ::operator delete[](bytes, std::align_val_t{kAlignment});
}

Matrix::Matrix(u64 rows, u64 columns, WeightStorage storage)
    : rows_(rows), columns_(columns), storage_(storage) {
    const u64 size = product_or_throw("bytes of a matrix", {rows, columns, bytes_of(storage)});
    bytes_.reset(static_cast<std::byte*>(
        ::operator new[](static_cast<std::size_t>(size), std::align_val_t{kAlignment})));
}

const float* Matrix::f32() const {
    KV_ASSERT(storage_ == WeightStorage::F32);
    return reinterpret_cast<const float*>(bytes_.get());
}

const std::uint16_t* Matrix::bf16() const {
    KV_ASSERT(storage_ == WeightStorage::Bf16);
    return reinterpret_cast<const std::uint16_t*>(bytes_.get());
}

float* Matrix::f32() {
    KV_ASSERT(storage_ == WeightStorage::F32);
    return reinterpret_cast<float*>(bytes_.get());
}

std::uint16_t* Matrix::bf16() {
    KV_ASSERT(storage_ == WeightStorage::Bf16);
    return reinterpret_cast<std::uint16_t*>(bytes_.get());
}

float Matrix::at(u64 row, u64 column) const {
    KV_ASSERT(row < rows_ && column < columns_);
    const u64 index = row * columns_ + column;
    return storage_ == WeightStorage::F32 ? f32()[index] : bf16_to_float(bf16()[index]);
}

}  // namespace kv
