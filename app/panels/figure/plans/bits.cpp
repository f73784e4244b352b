// Sixteen bits as BF16 has them: sign, exponent and fraction, and the number that they make.

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr std::uint32_t kBits = 16, kExponentBits = 8, kFractionBits = 7, kBias = 127;

// The keys: the digits, what their fields are, what these mean, the number.
enum : std::uint32_t { kDigits = 0, kFields = 1, kMeant = 2, kWhole = 3 };

// Logical pixels: the boxes of the bits, and lines below the upper edge of them.
constexpr float kWidestPitch = 72, kBetweenBits = 6, kBitHeight = 64;
constexpr float kFieldLine = 78, kStoredLine = 106, kMeantLine = 146, kNumberLine = 206;

class BitsPlan {
public:
    BitsPlan(const BitsFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(fill(text["figure.bits.title"_t], {{"hex", hex()}}),
                      text["figure.bits.how"_t]);
        shows_ = facts_.value == FigureWhen::Now || ask_.revealed;
        pitch_ = std::min(kWidestPitch, sheet_.width() / static_cast<float>(kBits));
        y_ = sheet_.top() + (sheet_.is_low() ? 24.0f : 70.0f);
        for (std::uint32_t i = 0; i < kBits; ++i) bit(i);
        field(0, 1, "figure.bits.sign"_t, with_commas(facts_.sign()),
              facts_.sign() == 0 ? Text("+") : Text("-"));
        field(1, kExponentBits, "figure.bits.exponent"_t, with_commas(facts_.exponent()),
              fill(text["figure.bits.unbiased"_t], {{"stored", with_commas(facts_.exponent())},
                                                    {"bias", with_commas(kBias)},
                                                    {"n", Text(fixed(exponent(), 0))}}));
        field(1 + kExponentBits, kFractionBits, "figure.bits.fraction"_t,
              fill(text["figure.bits.parts"_t], {{"n", with_commas(facts_.fraction())},
                                                 {"all", with_commas(1u << kFractionBits)}}),
              fill(text["figure.bits.with_one"_t], {{"n", Text(significant(mantissa(), 7))}}));
        if (shows_) number();
        for (const TextId key : {"figure.bits.key.bits"_t, "figure.bits.key.fields"_t,
                                 "figure.bits.key.meant"_t, "figure.bits.key.number"_t})
            sheet_.key_names().push_back(text[key]);
        return sheet_.take();
    }

private:
    double exponent() const { return static_cast<double>(facts_.exponent()) - kBias; }
    double mantissa() const {
        return 1 + static_cast<double>(facts_.fraction()) / (1u << kFractionBits);
    }
    Text hex() const {
        Text all = "0x";
        for (int shift = 12; shift >= 0; shift -= 4)
            all += "0123456789ABCDEF"[facts_.bits >> shift & 0xF];
        return all;
    }
    float x(std::uint32_t bit) const { return sheet_.left() + pitch_ * static_cast<float>(bit); }

    void bit(std::uint32_t i) {
        const bool set = (facts_.bits >> (kBits - 1 - i) & 1) != 0;
        const Look look = i == 0               ? Look::Strong
                          : i <= kExponentBits ? Look::KeyWash
                                               : Look::ValueWash;
        sheet_.box("bit", {x(i), y_, pitch_ - kBetweenBits, kBitHeight}, look,
                   {{set ? "1" : "0", Font::MonoBold, 28, i == 0 ? Ink::OnStrong : Ink::Strong}});
    }

    // What the bits of a field say: as they are stored, and below it what is meant.
    void field(std::uint32_t first, std::uint32_t n, TextId name, const Text& stored,
               const Text& meant) {
        const float w = pitch_ * static_cast<float>(n) - kBetweenBits, at = x(first);
        const auto line = [&](const char* id, float y, float size, const Text& words, Font font,
                              std::uint32_t from) {
            Piece& piece =
                sheet_.words(id, {at, y, w, size + 10}, {{words, font, size, Ink::Strong}});
            piece.from = from;
        };
        line("field", y_ + kFieldLine, 15, ask_.text[name], Font::Semibold, kFields);
        line("stored", y_ + kStoredLine, 18, stored, Font::Mono, kFields);
        if (shows_) line("meant", y_ + kMeantLine, 18, meant, Font::MonoBold, kMeant);
    }

    void number() {
        const float y = y_ + kNumberLine;
        sheet_.rule(y - 8).from = kWhole;
        Piece& result = sheet_.words(
            "number", {sheet_.left(), y, sheet_.width(), 48},
            {{fill(ask_.text["figure.bits.product"_t],
                   {{"sign", facts_.sign() == 0 ? Text() : Text("-")},
                    {"fraction", Text(significant(mantissa(), 7))},
                    {"exponent", Text(fixed(exponent(), 0))}}),
              Font::Mono, sheet_.is_narrow() ? 18.0f : 22.0f, Ink::Strong},
             {Text(significant(facts_.number, 7)), Font::MonoBold, 28, Ink::Strong, 14}});
        result.from = kWhole;
    }

    const BitsFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    bool shows_ = false;
    float pitch_ = 0, y_ = 0;
};

}  // namespace

Keys keys_of(const BitsFacts& facts) {
    // Where the number answers the question, what the fields mean waits for the reveal with it.
    const std::uint32_t last = facts.value == FigureWhen::Now ? kWhole : kFields;
    return {.first = kDigits, .opens = last, .last = last, .end = kWhole};
}

Plan layout_bits(const BitsFacts& facts, const Ask& ask) {
    return BitsPlan(facts, ask).plan();
}

}  // namespace kv::figure
