#include "core/trace/server/msgpack.hpp"

#include <cstring>

namespace kv {
namespace {

constexpr unsigned kBits = 8;

double double_of(std::uint64_t bits) {
    double out = 0;
    std::memcpy(&out, &bits, sizeof out);
    return out;
}

float float_of(std::uint64_t bits) {
    const auto low = static_cast<std::uint32_t>(bits);
    float out = 0;
    std::memcpy(&out, &low, sizeof out);
    return out;
}

MsgItem whole_item(std::uint64_t number) {
    return {.kind = MsgKind::Whole, .number = number, .real = static_cast<double>(number)};
}

MsgItem signed_item(std::int64_t number) {
    if (number >= 0) return whole_item(static_cast<std::uint64_t>(number));
    return {.kind = MsgKind::Negative,
            .number = static_cast<std::uint64_t>(number),
            .real = static_cast<double>(number)};
}

// The number that the low `n_bytes` bytes hold in two's complement.
std::int64_t with_sign(std::uint64_t bits, unsigned n_bytes) {
    const unsigned unused = 64 - n_bytes * kBits;
    return static_cast<std::int64_t>(bits << unused) >> unused;
}

}  // namespace

std::optional<std::uint64_t> MsgReader::big_endian(std::size_t n_bytes) {
    if (bytes_.size() - at_ < n_bytes) return std::nullopt;
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < n_bytes; ++i)
        number = number << kBits | static_cast<unsigned char>(bytes_[at_++]);
    return number;
}

std::optional<MsgItem> MsgReader::piece(MsgKind kind, std::optional<std::uint64_t> length) {
    if (!length || *length > bytes_.size() - at_) return std::nullopt;
    MsgItem item{.kind = kind, .bytes = bytes_.substr(at_, static_cast<std::size_t>(*length))};
    at_ += item.bytes.size();
    return item;
}

// Each value takes a byte at least.
std::optional<MsgItem> MsgReader::many(MsgKind kind, std::optional<std::uint64_t> count) {
    const std::uint64_t per = kind == MsgKind::Map ? 2 : 1;
    if (!count || *count > (bytes_.size() - at_) / per) return std::nullopt;
    return MsgItem{.kind = kind, .number = *count};
}

// Floats from 0xCA, then unsigned from 0xCC and signed from 0xD0, each with 1, 2, 4 and 8 bytes.
std::optional<MsgItem> MsgReader::number_of(unsigned head) {
    if (head < 0xCC) {
        const auto bits = big_endian(head == 0xCA ? 4 : 8);
        if (!bits) return std::nullopt;
        return MsgItem{
            .kind = MsgKind::Real,
            .real = head == 0xCA ? static_cast<double>(float_of(*bits)) : double_of(*bits)};
    }
    const unsigned n_bytes = 1U << (head & 3U);
    const auto bits = big_endian(n_bytes);
    if (!bits) return std::nullopt;
    return head < 0xD0 ? whole_item(*bits) : signed_item(with_sign(*bits, n_bytes));
}

std::optional<MsgItem> MsgReader::next() {
    const auto first = big_endian(1);
    if (!first) return std::nullopt;
    const auto head = static_cast<unsigned>(*first);
    if (head < 0x80) return whole_item(head);
    if (head < 0x90) return many(MsgKind::Map, head & 0xFU);
    if (head < 0xA0) return many(MsgKind::List, head & 0xFU);
    if (head < 0xC0) return piece(MsgKind::Text, head & 0x1FU);
    if (head >= 0xE0) return signed_item(with_sign(head, 1));
    if (head >= 0xCA && head <= 0xD3) return number_of(head);
    switch (head) {
        case 0xC0:
            return MsgItem{};
        case 0xC2:
            return MsgItem{.kind = MsgKind::Bool, .number = 0};
        case 0xC3:
            return MsgItem{.kind = MsgKind::Bool, .number = 1};
        case 0xC4:
            return piece(MsgKind::Bytes, big_endian(1));
        case 0xC5:
            return piece(MsgKind::Bytes, big_endian(2));
        case 0xC6:
            return piece(MsgKind::Bytes, big_endian(4));
        case 0xD9:
            return piece(MsgKind::Text, big_endian(1));
        case 0xDA:
            return piece(MsgKind::Text, big_endian(2));
        case 0xDB:
            return piece(MsgKind::Text, big_endian(4));
        case 0xDC:
            return many(MsgKind::List, big_endian(2));
        case 0xDD:
            return many(MsgKind::List, big_endian(4));
        case 0xDE:
            return many(MsgKind::Map, big_endian(2));
        case 0xDF:
            return many(MsgKind::Map, big_endian(4));
        // Extensions: a byte that says of what kind, then as many bytes as stand before it.
        case 0xC7:
        case 0xC8:
        case 0xC9:
            if (const auto length = big_endian(1U << (head - 0xC7)))
                return piece(MsgKind::Other, *length + 1);
            return std::nullopt;
        case 0xD4:
        case 0xD5:
        case 0xD6:
        case 0xD7:
        case 0xD8:
            return piece(MsgKind::Other, (1U << (head - 0xD4)) + 1U);
        default:
            return std::nullopt;  // 0xC1 is never used
    }
}

bool MsgReader::skip() {
    for (std::uint64_t left = 1; left > 0; --left) {
        const auto item = next();
        if (!item) return false;
        if (item->kind == MsgKind::List) left += item->number;
        if (item->kind == MsgKind::Map) left += 2 * item->number;
    }
    return true;
}

void MsgWriter::big_endian(std::uint64_t number, unsigned n_bytes) {
    for (unsigned i = n_bytes; i > 0; --i)
        out_.push_back(static_cast<char>(number >> (i - 1) * kBits & 0xFFU));
}

// NOLINTNEXTLINE(bugprone-easily-swappable-parameters): three callers, each with its own heads
void MsgWriter::head(std::uint64_t n, unsigned small, std::uint64_t most_small,
                     unsigned of_16_bits) {
    if (n <= most_small) return big_endian(small + n, 1);
    const bool short_one = n <= 0xFFFF;
    big_endian(short_one ? of_16_bits : of_16_bits + 1, 1);
    big_endian(n, short_one ? 2 : 4);
}

void MsgWriter::text(std::string_view text) {
    if (text.size() > 31 && text.size() <= 0xFF) {
        big_endian(0xD9, 1);
        big_endian(text.size(), 1);
    } else {
        head(text.size(), 0xA0, 31, 0xDA);
    }
    out_ += text;
}

void MsgWriter::bytes(std::string_view bytes) {
    const unsigned log2 = bytes.size() <= 0xFF ? 0 : bytes.size() <= 0xFFFF ? 1 : 2;
    big_endian(0xC4 + log2, 1);
    big_endian(bytes.size(), 1U << log2);
    out_ += bytes;
}

void MsgWriter::whole(std::uint64_t number) {
    if (number < 0x80) return big_endian(number, 1);
    const unsigned log2 = number <= 0xFF ? 0 : number <= 0xFFFF ? 1 : number <= 0xFFFFFFFF ? 2 : 3;
    big_endian(0xCC + log2, 1);
    big_endian(number, 1U << log2);
}

void MsgWriter::whole(std::int64_t number) {
    if (number >= 0) return whole(static_cast<std::uint64_t>(number));
    if (number >= -32) return big_endian(static_cast<std::uint64_t>(number) & 0xFFU, 1);
    big_endian(0xD3, 1);
    big_endian(static_cast<std::uint64_t>(number), 8);
}

void MsgWriter::real(double number) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    big_endian(0xCB, 1);
    big_endian(bits, 8);
}

}  // namespace kv
