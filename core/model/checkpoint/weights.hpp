#pragma once
// The weights of a model in memory, as plain structs with the shape beside each tensor. A matrix is
// row-major with one row per output, as the file has it, in the storage that the caller chose;
// vectors (norms and biases) are always float, an absent one is empty. Every value is finite.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/numbers/checked.hpp"

namespace kv {

enum class WeightStorage : std::uint8_t { F32, Bf16 };
u64 bytes_of(WeightStorage storage);              // of one number
std::string_view name_of(WeightStorage storage);  // "bf16"

class Matrix {
public:
    static constexpr std::size_t kAlignment = 64;  // a cache line, and the widest vector register

    Matrix() = default;
    Matrix(u64 rows, u64 columns, WeightStorage storage);  // contents not yet written

    u64 rows() const { return rows_; }
    u64 columns() const { return columns_; }
    u64 bytes() const { return rows_ * columns_ * bytes_of(storage_); }
    WeightStorage storage() const { return storage_; }

    // The numbers, for the storage that the matrix has.
    const float* f32() const;
    const std::uint16_t* bf16() const;
    float* f32();
    std::uint16_t* bf16();

    float at(u64 row, u64 column) const;  // whatever the storage

private:
    struct Free {
        void operator()(std::byte* bytes) const;
    };
    u64 rows_ = 0, columns_ = 0;
    WeightStorage storage_ = WeightStorage::F32;
    std::unique_ptr<std::byte[], Free> bytes_;
};

struct LayerWeights {
    std::vector<float> attention_norm;  // (hidden_size)
    Matrix q;                           // (n_heads * head_dim, hidden_size)
    Matrix k, v;                        // (n_kv_heads * head_dim, hidden_size)
    Matrix o;                           // (hidden_size, n_heads * head_dim)
    std::vector<float> q_bias;          // (n_heads * head_dim)
    std::vector<float> k_bias, v_bias;  // (n_kv_heads * head_dim)
    std::vector<float> o_bias;          // (hidden_size)
    std::vector<float> q_norm, k_norm;  // (head_dim), the same for every head

    std::vector<float> mlp_norm;            // (hidden_size)
    Matrix gate, up;                        // (intermediate_size, hidden_size)
    Matrix down;                            // (hidden_size, intermediate_size)
    std::vector<float> gate_bias, up_bias;  // (intermediate_size)
    std::vector<float> down_bias;           // (hidden_size)
};

struct Weights {
    Matrix embedding;  // (vocab_size, hidden_size)
    std::vector<LayerWeights> layers;
    std::vector<float> final_norm;  // (hidden_size)
    std::optional<Matrix> head;     // (vocab_size, hidden_size); none when tied to the embedding

    const Matrix& output() const { return head ? *head : embedding; }
};

}  // namespace kv
