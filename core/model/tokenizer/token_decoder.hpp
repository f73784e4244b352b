#pragma once
// From tokens back to text: the decoder of a tokenizer.json, a row of steps that tokens run through
// one by one. What comes out is always valid UTF-8 and is final: nothing is taken back.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/numbers/checked.hpp"

namespace kv {

// Letters to bytes; byte sequences become characters across tokens.
struct DecodeBytes {};
// Runs of <0x00> to <0xFF> to characters; a run that is no UTF-8: one U+FFFD a byte.
struct DecodeByteFallback {};
// What follows sees the whole text instead of tokens.
struct DecodeFuse {};
struct DecodeReplace {
    std::string from, to;  // from is not empty
};
struct DecodeMetaspace {
    std::string mark;  // becomes a blank
    bool drop_in_first_token;
};
struct DecodeStrip {
    std::string character;
    u64 start, stop;  // at most so many of it are taken away
    bool whole_text;  // at the two ends of the text, not of every token
};
struct DecodeSpaced {};  // no decoder at all: tokens with blanks between them
using DecoderStep = std::variant<DecodeBytes, DecodeByteFallback, DecodeFuse, DecodeReplace,
                                 DecodeMetaspace, DecodeStrip, DecodeSpaced>;

class TokenDecoder {
public:
    TokenDecoder() = default;
    explicit TokenDecoder(std::vector<DecoderStep> steps) : steps_(std::move(steps)) {}

    const std::vector<DecoderStep>& steps() const { return steps_; }
    // What one token stands for, whatever is around it: bytes, which alone may be no UTF-8.
    std::string bytes_of(std::string_view token) const;

private:
    std::vector<DecoderStep> steps_;
};

// One step at work on one text. It takes tokens and hands on tokens, sooner or later.
class DecodeStage {
public:
    DecodeStage() = default;
    virtual ~DecodeStage() = default;
    DecodeStage(const DecodeStage&) = delete;
    DecodeStage& operator=(const DecodeStage&) = delete;

    virtual void feed(std::string token, std::vector<std::string>& out) = 0;
    virtual void finish(std::vector<std::string>&) {}  // what was held back
};

// One text being decoded.
class DecoderRun {
public:
    explicit DecoderRun(const TokenDecoder& decoder);

    std::string feed(std::string_view token);
    std::string finish();  // call it once, at the end

private:
    std::string through(std::size_t stage, std::vector<std::string> tokens);

    std::vector<std::unique_ptr<DecodeStage>> stages_;
};

}  // namespace kv
