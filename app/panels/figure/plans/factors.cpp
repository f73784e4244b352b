// A product as a row of boxes, a factor a key, and under each box what the factors up to it make.

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"

namespace kv::figure {
namespace {

constexpr float kSign = 36, kMostBox = 230, kMostBoxHigh = 150;
constexpr float kNameHigh = 52, kProductHigh = 70, kResultHigh = 70;

class FactorsPlan {
public:
    FactorsPlan(const FactorsFacts& facts, const Ask& ask)
        : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        sheet_.header(Text(facts_.title), Text(facts_.how));
        const auto n = static_cast<float>(facts_.factors.size());
        sign_ = sheet_.is_narrow() ? 22.0f : kSign;
        box_ = std::min(kMostBox, (sheet_.width() - sign_ * (n - 1)) / n);
        const float around = kNameHigh + kProductHigh + kResultHigh;
        const float room = sheet_.bottom() - sheet_.top() - around;
        high_ = std::clamp(room * 0.4f, 64.0f, kMostBoxHigh);
        y_ = sheet_.top() + std::max(0.0f, (room - high_) * 0.35f);
        const bool multiplied = facts_.products == FigureWhen::Now ||
                                (facts_.products == FigureWhen::Revealed && ask_.revealed);
        for (std::size_t i = 0; i < facts_.factors.size(); ++i) factor(i);
        if (multiplied) {
            for (std::size_t i = 1; i < facts_.factors.size(); ++i) product(i);
            result();
        }
        for (const FactorsFacts::Factor& one : facts_.factors)
            sheet_.key_names().push_back(Text(one.name));
        if (facts_.products == FigureWhen::Revealed && ask_.revealed)
            sheet_.key_names().push_back(ask_.text["figure.factors.product"_t]);
        return sheet_.take();
    }

private:
    float x(std::size_t i) const { return sheet_.left() + (box_ + sign_) * static_cast<float>(i); }
    std::uint32_t n() const { return static_cast<std::uint32_t>(facts_.factors.size()); }
    // What is asked comes behind all factors.
    std::uint32_t key_of_product(std::size_t i) const {
        return facts_.products == FigureWhen::Revealed ? n() + 1
                                                       : static_cast<std::uint32_t>(i + 1);
    }

    void factor(std::size_t i) {
        const FactorsFacts::Factor& one = facts_.factors[i];
        const auto key = static_cast<std::uint32_t>(i + 1);
        const bool is_strong = key == facts_.strong;
        Piece& name = sheet_.words(
            "factor.name", {x(i), y_, box_, kNameHigh - 4},
            {{Text(one.name), is_strong ? Font::Bold : Font::Regular,
              sheet_.is_narrow() ? 15.0f : 17.0f, is_strong ? Ink::Strong : Ink::Plain}},
            Edge::Center);
        name.from = key, name.pitch = sheet_.is_narrow() ? 19.0f : 22.0f;
        Piece& box = sheet_.box("factor", {x(i), y_ + kNameHigh, box_, high_},
                                is_strong ? Look::Strong : Look::Outline,
                                {{Text(one.said), Font::MonoBold, size_of(one.said),
                                  is_strong ? Ink::OnStrong : Ink::Strong}});
        box.from = key;
        if (i == 0) return;
        Piece& sign = sheet_.words("sign", {x(i) - sign_, y_ + kNameHigh, sign_, high_},
                                   {{"x", Font::Regular, 22, Ink::Plain}}, Edge::Center);
        sign.from = key;
    }
    float size_of(const std::string& said) const {
        return std::clamp(box_ / (0.66f * static_cast<float>(said.size())), 12.0f, 40.0f);
    }

    void product(std::size_t i) {
        const FactorsFacts::Factor& one = facts_.factors[i];
        const float y = y_ + kNameHigh + high_;
        Piece& tick =
            sheet_.wire("tick", {{x(i) + box_ / 2, y + 4}, {x(i) + box_ / 2, y + 22}}, false);
        tick.from = key_of_product(i);
        Piece& product = sheet_.words(
            "product", {x(i) - sign_ / 2, y + 26, box_ + sign_, 30},
            {{Text(one.product), Font::Mono, std::min(20.0f, size_of(one.product)), Ink::Strong}},
            Edge::Center);
        product.from = key_of_product(i);
    }

    void result() {
        const float y = y_ + kNameHigh + high_ + kProductHigh;
        Piece& result = sheet_.words(
            "result", {sheet_.left(), y, sheet_.width(), kResultHigh},
            {{ask_.text["figure.factors.together"_t], Font::Regular, 18, Ink::Plain},
             {Text(facts_.factors.back().product), Font::MonoBold, 40, Ink::Strong, 16}});
        result.from = key_of_product(facts_.factors.size() - 1);
    }

    const FactorsFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float sign_ = 0, box_ = 0, high_ = 0, y_ = 0;
};

}  // namespace

Keys keys_of(const FactorsFacts& facts) {
    const auto n = static_cast<std::uint32_t>(facts.factors.size());
    return {.first = 1,
            .opens = n,
            .last = n,
            .end = facts.products == FigureWhen::Revealed ? n + 1 : n};
}

Plan layout_factors(const FactorsFacts& facts, const Ask& ask) {
    return FactorsPlan(facts, ask).plan();
}

}  // namespace kv::figure
