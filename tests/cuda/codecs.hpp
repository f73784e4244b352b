#pragma once
// Every codec that stores token by token, for the tests that go through all of them.

#include <vector>

#include "core/cache/codec/vector_codec.hpp"

namespace kv::test {

inline std::vector<Codec> every_codec() {
    return {Codec::F32,
            Codec::Bf16,
            Codec::Fp16,
            Codec::Fp8E4m3,
            Codec::Fp8E5m2,
            Codec::Int8,
            Codec::Int4,
            Codec::Int3,
            Codec::Int2,
            {ElementCode::Int8, ScaleMode::Groups, 8},
            {ElementCode::Int4, ScaleMode::Groups, 8},
            {ElementCode::Int8, ScaleMode::Tensor},
            {ElementCode::Int4, ScaleMode::Tensor}};
}

}  // namespace kv::test
