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
//
// Channel 50 of token 77, number 13 of the group from 64 on: the high half of byte 10 in the slot
// of token 78; its scale and zero are bytes 32 to 35 in that of token 89. With int2 a word has the
// codes of 16 tokens, and a slot 16 bytes of codes and 8 of records. Then the code is bits 2 and 3
// of byte 11 in the slot of token 76, and scale and zero are bytes 16 to 19 in that of token 89.

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

    // Bytes of codes in a slot, and of records at its end.
    KV_HD constexpr std::uint32_t codes() const { return dim * bits / 8; }
    KV_HD constexpr std::uint32_t record_bytes() const { return dim * kRecordBytes / kTokens; }
    KV_HD constexpr std::uint32_t tokens_of_word() const { return kWordBits / bits; }

    // The byte in which the code of a token and channel begins, shift() bits up from its lowest.
    // Tokens that share words (8 with int4, 16 with int2) have the codes() bytes of their slots
    // behind each other as one run of words, a word for each channel. `at` is the byte in that run;
    // the division says in whose slot it lies.
    KV_HD constexpr GroupByte code(std::uint32_t token, std::uint32_t channel) const {
        const std::uint32_t first = token - token % tokens_of_word();
        const std::uint32_t at = channel * kWordBytes + token % tokens_of_word() * bits / 8;
        return {first + at / codes(), at % codes()};
    }
    KV_HD constexpr std::uint32_t shift(std::uint32_t token) const {
        return token % tokens_of_word() * bits % 8;
    }
    // Byte `at` of the records, kRecordBytes for each channel: scale, then zero.
    KV_HD constexpr GroupByte record(std::uint32_t at) const {
        return {at / record_bytes(), codes() + at % record_bytes()};
    }
};

}  // namespace kv
