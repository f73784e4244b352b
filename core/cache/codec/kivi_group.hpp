#pragma once
// Where the codes of a key group lie in the slots of its 32 tokens: see kivi.hpp. Words of 32 bits,
// one per channel and 32 / bits tokens, follow each other through the slots of these tokens; the
// record, scale and zero of each channel, is spread over the ends of all 32 slots. Host and device
// share this.

#include <cstdint>

#include "core/base/kv_hd.hpp"

namespace kv {

// A byte of the group: in the slot of which of its tokens, and which of that slot's bytes.
struct GroupByte {
    std::uint32_t token, byte;
};

struct KeyGroupShape {
    static constexpr std::uint32_t kTokens = 32, kWordBits = 32, kWordBytes = 4, kRecordBytes = 4;
    std::uint32_t bits, dim;

    KV_HD std::uint32_t codes() const { return dim * bits / 8; }  // bytes of codes in a slot
    KV_HD std::uint32_t ends() const { return dim * kRecordBytes / kTokens; }  // of the record
    KV_HD std::uint32_t tokens_of_word() const { return kWordBits / bits; }

    KV_HD GroupByte code(std::uint32_t token, std::uint32_t channel) const {
        const std::uint32_t first = token - token % tokens_of_word();
        const std::uint32_t at = channel * kWordBytes + token % tokens_of_word() * bits / 8;
        return {first + at / codes(), at % codes()};
    }
    KV_HD std::uint32_t shift(std::uint32_t token) const {
        return token % tokens_of_word() * bits % 8;
    }
    // Byte `at` of the records, kRecordBytes for each channel: scale, then zero.
    KV_HD GroupByte record(std::uint32_t at) const { return {at / ends(), codes() + at % ends()}; }
};

}  // namespace kv
