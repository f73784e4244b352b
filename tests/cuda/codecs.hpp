#pragma once
// Every codec that stores token by token, for the tests that go through all of them.

#include <vector>

#include "core/cache/codec/kv_format.hpp"

namespace kv::test {

inline std::vector<KvFormat> every_codec() {
    return {KvFormat::F32,
            KvFormat::Bf16,
            KvFormat::Fp16,
            KvFormat::Fp8E4m3,
            KvFormat::Fp8E5m2,
            KvFormat::Int8,
            KvFormat::Int4,
            KvFormat::Int3,
            KvFormat::Int2,
            {KvCode::Int8, ScaleMode::Groups, 8},
            {KvCode::Int4, ScaleMode::Groups, 8},
            {KvCode::Int8, ScaleMode::Tensor},
            {KvCode::Int4, ScaleMode::Tensor}};
}

}  // namespace kv::test
