#include "core/model/tokenizer/token_decoder.hpp"

#include <algorithm>
#include <optional>

#include "core/base/files/utf8.hpp"
#include "core/model/tokenizer/text_normalizer.hpp"
#include "core/model/tokenizer/unicode/byte_letters.hpp"

namespace kv {
namespace {

using Tokens = std::vector<std::string>;

std::string bytes_or_itself(std::string_view token) {
    auto bytes = bytes_of_letters(token);
    return bytes ? std::move(*bytes) : std::string(token);
}

std::optional<unsigned> hex_digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
    return std::nullopt;
}

// "<0x0A>" -> 10
std::optional<char> fallback_byte(std::string_view token) {
    if (token.size() != 6 || token.substr(0, 3) != "<0x" || token[5] != '>') return std::nullopt;
    const auto high = hex_digit(token[3]), low = hex_digit(token[4]);
    if (!high || !low) return std::nullopt;
    return static_cast<char>(*high << 4U | *low);
}

class Bytes : public DecodeStage {
public:
    void feed(std::string token, Tokens& out) override {
        out.push_back(repair_.feed(bytes_or_itself(token)));
    }
    void finish(Tokens& out) override { out.push_back(repair_.finish()); }

private:
    Utf8Repair repair_;
};

// A run is one text or none: whether its first byte is a character may depend on its last one, so
// nothing of it is handed on before it ends.
class ByteFallback : public DecodeStage {
public:
    void feed(std::string token, Tokens& out) override {
        if (const auto byte = fallback_byte(token)) {
            run_ += *byte;
            return;
        }
        finish(out);
        out.push_back(std::move(token));
    }
    void finish(Tokens& out) override {
        if (run_.empty()) return;
        if (valid_utf8_prefix(run_) == run_.size()) {
            out.push_back(run_);
        } else {
            out.insert(out.end(), run_.size(), std::string(kReplacementCharacter));
        }
        run_.clear();
    }

private:
    std::string run_;
};

class Fuse : public DecodeStage {
public:
    void feed(std::string token, Tokens& out) override { out.push_back(std::move(token)); }
};

class Replace : public DecodeStage {
public:
    explicit Replace(DecodeReplace how) : how_(std::move(how)) {}
    void feed(std::string token, Tokens& out) override {
        out.push_back(replaced(token, how_.from, how_.to));
    }

private:
    DecodeReplace how_;
};

class Metaspace : public DecodeStage {
public:
    explicit Metaspace(DecodeMetaspace how) : how_(std::move(how)) {}
    void feed(std::string token, Tokens& out) override {
        const bool drop = first_ && how_.drop_in_first_token;
        out.push_back(replaced(token, how_.mark, drop ? "" : " "));
        first_ = false;
    }

private:
    DecodeMetaspace how_;
    bool first_ = true;
};

// Takes the character away at both ends of a text that arrives in parts: what may be the end is
// held back until more follows.
class StripEnds {
public:
    explicit StripEnds(const DecodeStrip& how) : how_(&how), left_(how.start) {}

    std::string feed(std::string text) {
        const std::string& c = how_->character;
        std::size_t cut = 0;
        for (; left_ > 0 && text.compare(cut, c.size(), c) == 0; --left_) cut += c.size();
        if (cut < text.size()) left_ = 0;
        text = held_ + text.substr(cut);
        std::size_t end = text.size();
        for (u64 n = 0; n < how_->stop && ends_with(text, end, c); ++n) end -= c.size();
        held_ = text.substr(end);
        return text.substr(0, end);
    }

private:
    static bool ends_with(const std::string& text, std::size_t end, const std::string& c) {
        return end >= c.size() && text.compare(end - c.size(), c.size(), c) == 0;
    }

    const DecodeStrip* how_;
    u64 left_;
    std::string held_;
};

class Strip : public DecodeStage {
public:
    explicit Strip(DecodeStrip how) : how_(std::move(how)), ends_(how_) {}
    void feed(std::string token, Tokens& out) override {
        if (!how_.whole_text) ends_ = StripEnds(how_);
        out.push_back(ends_.feed(std::move(token)));
    }

private:
    DecodeStrip how_;
    StripEnds ends_;
};

class Spaced : public DecodeStage {
public:
    void feed(std::string token, Tokens& out) override {
        out.push_back(first_ ? std::move(token) : ' ' + token);
        first_ = false;
    }

private:
    bool first_ = true;
};

using Stage = std::unique_ptr<DecodeStage>;
Stage stage_of(const DecodeBytes&) {
    return std::make_unique<Bytes>();
}
Stage stage_of(const DecodeByteFallback&) {
    return std::make_unique<ByteFallback>();
}
Stage stage_of(const DecodeFuse&) {
    return std::make_unique<Fuse>();
}
Stage stage_of(const DecodeReplace& how) {
    return std::make_unique<Replace>(how);
}
Stage stage_of(const DecodeMetaspace& how) {
    return std::make_unique<Metaspace>(how);
}
Stage stage_of(const DecodeStrip& how) {
    return std::make_unique<Strip>(how);
}
Stage stage_of(const DecodeSpaced&) {
    return std::make_unique<Spaced>();
}

}  // namespace

std::string TokenDecoder::bytes_of(std::string_view token) const {
    std::string bytes(token);
    for (const DecoderStep& step : steps_) {
        if (std::holds_alternative<DecodeBytes>(step)) {
            bytes = bytes_or_itself(bytes);
        } else if (std::holds_alternative<DecodeByteFallback>(step)) {
            if (const auto byte = fallback_byte(bytes)) return {*byte};
        } else if (const auto* replace = std::get_if<DecodeReplace>(&step)) {
            bytes = replaced(bytes, replace->from, replace->to);
        } else if (const auto* metaspace = std::get_if<DecodeMetaspace>(&step)) {
            bytes = replaced(bytes, metaspace->mark, " ");
        }
    }
    return bytes;
}

DecoderRun::DecoderRun(const TokenDecoder& decoder) {
    for (const DecoderStep& step : decoder.steps()) {
        stages_.push_back(std::visit([](const auto& known) { return stage_of(known); }, step));
    }
}

std::string DecoderRun::through(std::size_t stage, Tokens tokens) {
    for (; stage < stages_.size(); ++stage) {
        Tokens next;
        for (std::string& token : tokens) stages_[stage]->feed(std::move(token), next);
        tokens = std::move(next);
    }
    std::string text;
    for (const std::string& token : tokens) text += token;
    return text;
}

std::string DecoderRun::feed(std::string_view token) {
    return through(0, {std::string(token)});
}

std::string DecoderRun::finish() {
    std::string text;
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        Tokens held;
        stages_[stage]->finish(held);
        text += through(stage + 1, std::move(held));
    }
    return text;
}

}  // namespace kv
