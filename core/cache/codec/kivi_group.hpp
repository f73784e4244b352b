#pragma once
// Where the codes of a key group lie in the slots of its 32 tokens. Host and device share this.
// With int4 and 64 channels a slot is
//
//   | 32 bytes of codes | 8 bytes of records |
//
//   codes     The slots of tokens 8k to 8k + 7 together hold 64 words of 32 bits, a word for each
//             channel: its codes of these 8 tokens, the first in the lowest bits.
//   records   The ends of all 32 slots together hold 64 records of 4 bytes, a record for each
//             channel: its scale, then its zero, two fp16 numbers.

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
    // Bytes of records, at the end of a slot.
    KV_HD std::uint32_t record_bytes() const { return dim * kRecordBytes / kTokens; }
    KV_HD std::uint32_t tokens_of_word() const { return kWordBits / bits; }

    // The byte in which the code of a token and channel begins, shift() bits up from its lowest.
    // Tokens that share words (8 with int4, 16 with int2) have the codes() bytes of their slots
    // behind each other as one run of words, a word for each channel. `at` is the byte in that run;
    // the division says in whose slot it lies.
    KV_HD GroupByte code(std::uint32_t token, std::uint32_t channel) const {
        const std::uint32_t first = token - token % tokens_of_word();
        const std::uint32_t at = channel * kWordBytes + token % tokens_of_word() * bits / 8;
        return {first + at / codes(), at % codes()};
    }
    KV_HD std::uint32_t shift(std::uint32_t token) const {
        return token % tokens_of_word() * bits % 8;
    }
    // Byte `at` of the records, kRecordBytes for each channel: scale, then zero.
    KV_HD GroupByte record(std::uint32_t at) const {
        return {at / record_bytes(), codes() + at % record_bytes()};
    }
};

}  // namespace kv
