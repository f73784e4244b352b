#pragma once
// Msgpack as a row of heads: a number, a text, or how many values of a list or a map follow.
// Nothing is built and nothing recurses, so neither depth nor a claimed length costs memory. A
// length that the rest of the bytes cannot hold is refused before anybody believes it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kv {

enum class MsgKind : std::uint8_t {
    Nil,
    Bool,
    Whole,
    Negative,
    Real,
    Text,
    Bytes,
    List,
    Map,
    Other
};

struct MsgItem {
    MsgKind kind = MsgKind::Nil;
    std::uint64_t number = 0;  // a whole number, the bits of a negative one, values of a list, or
                               // pairs of a map
    double real = 0;           // of a number of any kind
    std::string_view bytes = {};  // of a text, bytes, and an extension

    std::int64_t signed_number() const { return static_cast<std::int64_t>(number); }
};

class MsgReader {
public:
    explicit MsgReader(std::string_view bytes) : bytes_(bytes) {}

    std::optional<MsgItem> next();  // nothing at the end and where the bytes are no msgpack
    bool skip();                    // one value with all that it holds
    std::size_t at() const { return at_; }
    void go_back(std::size_t at) { at_ = at; }
    bool at_end() const { return at_ == bytes_.size(); }

private:
    std::optional<std::uint64_t> big_endian(std::size_t n_bytes);
    std::optional<MsgItem> piece(MsgKind kind, std::optional<std::uint64_t> length);
    std::optional<MsgItem> many(MsgKind kind, std::optional<std::uint64_t> count);
    std::optional<MsgItem> number_of(unsigned head);

    std::string_view bytes_;
    std::size_t at_ = 0;
};

// The other way, in the shortest forms.
class MsgWriter {
public:
    void list(std::uint64_t n) { head(n, 0x90, 15, 0xDC); }
    void map(std::uint64_t n) { head(n, 0x80, 15, 0xDE); }
    void text(std::string_view text);
    void bytes(std::string_view bytes);
    void whole(std::uint64_t number);
    void whole(std::int64_t number);
    void real(double number);
    void nil() { out_.push_back(static_cast<char>(0xC0)); }
    std::string take() { return std::move(out_); }

private:
    void head(std::uint64_t n, unsigned small, std::uint64_t most_small, unsigned of_16_bits);
    void big_endian(std::uint64_t number, unsigned n_bytes);

    std::string out_;
};

}  // namespace kv
