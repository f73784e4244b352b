#pragma once
// Vectors as the pool holds them, read and made element by element: what
// core/cache/codec/vector_codec.hpp says of whole vectors, for threads that each do a part.
// AnyCoded looks at the codec at run time and serves all; the others know it when they are
// compiled, and leave the scale of a vector to be multiplied once instead of with every element.

#include "core/base/numbers/formats.hpp"
#include "core/cache/codec/int_codes.hpp"
#include "core/cache/codec/vector_codec.hpp"
#include "cuda/grid/view.hpp"

namespace kv::gpu {

struct AnyCoded {
    Codec codec;
    u32 dim = 0, bits = 0;
    u16 shared_scale = kNoScale;

    KV_HD u32 code_bytes() const { return (bits * dim + 7) / 8; }
    KV_HD float scale(const std::byte*) const { return 1; }

    KV_HD float at(const std::byte* vector, u32 i) const {
        switch (codec.code) {
            case ElementCode::F32:
                return float_of(get_fp16(vector + 4 * i) | u32{get_fp16(vector + 4 * i + 2)} << 16);
            case ElementCode::Bf16:
                return bf16_to_float(get_fp16(vector + 2 * i));
            case ElementCode::Fp16:
                return fp16_to_float(get_fp16(vector + 2 * i));
            case ElementCode::Fp8E4m3:
                return fp8_e4m3_to_float(static_cast<std::uint8_t>(vector[i]));
            case ElementCode::Fp8E5m2:
                return fp8_e5m2_to_float(static_cast<std::uint8_t>(vector[i]));
            default:
                return integer_at(vector, i);
        }
    }

private:
    KV_HD float integer_at(const std::byte* vector, u32 i) const {
        const u32 code = get_code(vector, bits, i);
        if (codec.scale == ScaleMode::Groups) {
            const std::byte* record = vector + code_bytes() + i / codec.group * 4;
            return static_cast<float>(code) * fp16_to_float(get_fp16(record)) +
                   fp16_to_float(get_fp16(record + 2));
        }
        const u16 scale =
            codec.scale == ScaleMode::Tensor ? shared_scale : get_fp16(vector + code_bytes());
        return fp16_to_float(scale) * static_cast<float>(meant_code(code, bits));
    }
};

struct Bf16Coded {
    KV_HD explicit Bf16Coded(const AnyCoded&) {}
    KV_HD static bool serves(const Codec& codec) { return codec.code == ElementCode::Bf16; }
    KV_HD float scale(const std::byte*) const { return 1; }
    KV_HD float at(const std::byte* vector, u32 i) const {
        return bf16_to_float(load<u16>(vector + 2 * i));
    }
};

struct Fp8E4m3Coded {
    KV_HD explicit Fp8E4m3Coded(const AnyCoded&) {}
    KV_HD static bool serves(const Codec& codec) { return codec.code == ElementCode::Fp8E4m3; }
    KV_HD float scale(const std::byte*) const { return 1; }
    KV_HD float at(const std::byte* vector, u32 i) const {
        return fp8_e4m3_to_float(static_cast<std::uint8_t>(vector[i]));
    }
};

// Integers with one scale behind the codes of each vector.
template <u32 kBits>
struct IntCoded {
    u32 dim;
    KV_HD explicit IntCoded(const AnyCoded& any) : dim(any.dim) {}
    KV_HD static bool serves(const Codec& codec) {
        return codec.code == (kBits == 8 ? ElementCode::Int8 : ElementCode::Int4) &&
               codec.scale == ScaleMode::PerVector;
    }
    KV_HD float scale(const std::byte* vector) const {
        return fp16_to_float(get_fp16(vector + (kBits * dim + 7) / 8));
    }
    KV_HD float at(const std::byte* vector, u32 i) const {
        return static_cast<float>(meant_code(get_code(vector, kBits, i), kBits));
    }
};

// The scales of a vector that is about to be coded: with PerVector and Tensor one, else a scale and
// a zero for each group.
struct CodeScales {
    float scale = 0, zero = 0;
};

// Byte `b` of the codes. at(i): the number that becomes element i; scales(i): what it is coded
// with. Every byte is made by one thread, so codes of less than a byte do not meet.
template <class At, class Scales>
KV_HD std::byte coded_byte(const AnyCoded& coded, u32 b, const At& at, const Scales& scales) {
    const u32 width = coded.bits;
    if (width >= 8) {  // an element is one or several bytes
        const u32 i = b * 8 / width, shift = b * 8 % width;
        u32 code = 0;
        const float x = at(i);
        switch (coded.codec.code) {
            case ElementCode::F32:
                code = bits_of(x);
                break;
            case ElementCode::Bf16:
                code = bf16_from_float(x);
                break;
            case ElementCode::Fp16:
                code = fp16_from_float(x);
                break;
            case ElementCode::Fp8E4m3:
                code = fp8_e4m3_from_float(x);
                break;
            case ElementCode::Fp8E5m2:  // too large becomes the largest
                code = fp8_e5m2_from_float(held_between(-57344.0f, x, 57344.0f));
                break;
            default:
                code = coded.codec.scale == ScaleMode::Groups
                           ? asymmetric_code(x, scales(i).scale, scales(i).zero, width)
                           : stored_code(symmetric_code(x, scales(i).scale, width), width);
        }
        return static_cast<std::byte>(code >> shift & 0xFF);
    }
    u32 byte = 0;
    for (u32 i = b * 8 / width; i < coded.dim && i * width < b * 8 + 8; ++i) {
        const float x = at(i);
        const u32 code = coded.codec.scale == ScaleMode::Groups
                             ? asymmetric_code(x, scales(i).scale, scales(i).zero, width)
                             : stored_code(symmetric_code(x, scales(i).scale, width), width);
        byte |= i * width >= b * 8 ? code << (i * width - b * 8) : code >> (b * 8 - i * width);
    }
    return static_cast<std::byte>(byte & 0xFF);
}

}  // namespace kv::gpu
