// What the answer rests on: recorded, replayed, modelled. What is modelled can be changed, and the
// charts follow.

#include <array>

#include "app/panels/whatif/paint.hpp"
#include "app/widgets/controls.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cost/model/presets.hpp"
#include "core/cost/time/cards.hpp"

namespace kv {
namespace {

constexpr std::array<u64, 6> kShares{20, 30, 40, 50, 60, 80};      // percent
constexpr std::array<u64, 5> kLinks{12, 25, 55, 200, 450};         // GB/s
constexpr std::array<u64, 6> kHostGib{16, 32, 64, 128, 256, 512};  // GiB

std::vector<std::string> card_names() {
    std::vector<std::string> names;
    for (const Card& card : cards())
        if (card.bf16) names.emplace_back(card.name);
    return names;
}

// A list, and in it what is chosen; another one that a command has set stands at the end.
struct Choices {
    std::vector<std::string> words;
    std::size_t chosen = 0;

    void choose(const std::string& word) {
        const auto found = std::find(words.begin(), words.end(), word);
        chosen = static_cast<std::size_t>(found - words.begin());
        if (found == words.end()) words.push_back(word);
    }
};

template <std::size_t N>
Choices numbers(const std::array<u64, N>& all, const char* unit, u64 chosen) {
    Choices choices;
    for (const u64 n : all) choices.words.push_back(std::to_string(n) + unit);
    choices.choose(std::to_string(chosen) + unit);
    return choices;
}

class Assumptions {
public:
    Assumptions(const WhatIfFrame& frame, const Rect& room)
        : frame_(frame), ui_(frame.ui), p_(frame.ui), room_(room), y_(room.y + ui_.px(6)) {
        columns_ = room_.w > ui_.px(640) ? kFields : kFields / 2;
        const auto rows = static_cast<float>(kFields / columns_);
        // Three groups, five facts, the fields, and the formula.
        const auto height = [&](float group, float fact, float field) {
            return ui_.px(6 + 3 * group + 5 * fact + rows * field) + formula_height();
        };
        tight_ = height(24, 21, 50) > room.h;
        low_ = height(18, 16, 40) > room.h;
    }

    void draw() {
        group(WhatIfMark::Exact, "whatif.assumptions.recorded"_t);
        for (const WhatIfFact& each : recorded_facts(ui_.text, frame_.weighed)) fact(each);
        group(WhatIfMark::Replayed, "whatif.assumptions.replayed"_t);
        // A low room has place for the check alone.
        const std::vector<WhatIfFact> replayed =
            replayed_facts(ui_.text, frame_.weighed, frame_.own.view);
        for (const WhatIfFact& each : replayed) {
            if (low_ && &each != &replayed.front()) break;
            fact(each);
        }
        group(WhatIfMark::Modelled, "whatif.assumptions.modelled"_t);
        fields();
        formula();
    }

private:
    TextStyle formula_style() const { return type::caption(ui_); }
    float formula_height() const {
        return std::max(ui_.px(18), wrapped_height(ui_, formula_style(), kPitch, room_.w,
                                                   ui_.text["whatif.formula"_t]));
    }
    // In as many lines as it takes; where they don't fit, its beginning in one.
    void formula() {
        const std::string_view words = ui_.text["whatif.formula"_t];
        const float one = ui_.px(18);
        if (y_ + formula_height() <= room_.bottom())
            wrapped_at(p_, formula_style(), kPitch,
                       {room_.x, y_ + (one - ui_.px(kPitch)) / 2, room_.w, 0}, words);
        else if (y_ + one <= room_.bottom())
            text_in(p_, formula_style(), {room_.x, y_, room_.w, one}, words);
    }
    void group(WhatIfMark mark, TextId words) {
        const float h = ui_.px(tight_ ? 18 : 24);
        known_mark(p_, mark, {room_.x + ui_.px(5), y_ + h / 2}, ui_.colors.text);
        text_in(p_, type::section(ui_), {room_.x + ui_.px(20), y_, room_.w, h}, ui_.text[words]);
        y_ += h;
    }
    void fact(const WhatIfFact& each) {
        const float h = ui_.px(tight_ ? 16 : 21), left = ui_.px(20);
        const float value = std::min(room_.w * 0.45f, ui_.px(330));
        text_in(p_, type::body(ui_), {room_.x + left, y_, value - left - ui_.px(8), h}, each.label);
        text_in(p_, with_font(type::number(ui_), ui_.fonts.mono_bold),
                {room_.x + value, y_, room_.w - value, h}, each.value);
        y_ += h;
    }

    void fields() {
        const WhatIfModel& model = frame_.own.ask.model;
        Choices models, codecs;
        for (const std::string_view name : preset_names()) models.words.emplace_back(name);
        models.choose(model.preset);
        codecs.words = {"fp8_e4m3", "int8", "int4", "int2"};
        codecs.choose(codec_name(frame_.own.ask.codec));
        Choices of_cards;
        of_cards.words = card_names();
        of_cards.choose(model.card);
        const auto percent = static_cast<u64>(std::llround(100 * model.share));
        const auto link = static_cast<u64>(std::llround(model.link / 1e9));
        field("model", "whatif.model"_t, models,
              [&](std::size_t i) { ui_.out.push("whatif.model", models.words[i]); });
        field("card", "whatif.card"_t, of_cards,
              [&](std::size_t i) { ui_.out.push("whatif.card", of_cards.words[i]); });
        field("share", "whatif.share"_t, numbers(kShares, " %", percent), [&](std::size_t i) {
            if (i < kShares.size()) ui_.out.push("whatif.share", kShares[i]);
        });
        field("link", "whatif.link"_t, numbers(kLinks, " GB/s", link), [&](std::size_t i) {
            if (i < kLinks.size()) ui_.out.push("whatif.link", kLinks[i]);
        });
        field("host", "whatif.host_tier"_t,
              numbers(kHostGib, " GiB", frame_.own.ask.host_bytes >> 30), [&](std::size_t i) {
                  if (i < kHostGib.size()) ui_.out.push("whatif.host", kHostGib[i]);
              });
        field("codec", "whatif.keys_values"_t, codecs,
              [&](std::size_t i) { ui_.out.push("whatif.codec", codecs.words[i]); });
        y_ += ui_.px(tight_ ? 40 : 50);
    }
    // The first of a row, a model's name, is wider than the others.
    template <class Chosen>
    void field(const char* id, TextId label, const Choices& choices, Chosen chosen) {
        const float gap = ui_.px(8);
        const auto n = static_cast<float>(columns_);
        const float unit = (room_.w - gap * (n - 1)) / (n + 0.6f);
        const std::size_t column = fields_ % columns_;
        if (fields_ > 0 && column == 0) y_ += ui_.px(tight_ ? 40 : 50);
        ++fields_;
        const float before = static_cast<float>(column) * (unit + gap);
        const float x = std::floor(room_.x + before + (column > 0 ? 0.6f * unit : 0));
        const float w = std::floor(column > 0 ? unit : 1.6f * unit);
        text_in(p_, type::caption(ui_), {x, y_, w, ui_.px(14)}, ui_.text[label]);
        std::vector<std::string_view> words(choices.words.begin(), choices.words.end());
        ImGui::SetCursorScreenPos({x, y_ + ui_.px(14)});
        if (const auto i = dropdown(ui_, id, words, choices.chosen, {.width = w})) chosen(*i);
    }

    const WhatIfFrame& frame_;
    const Ui& ui_;
    Painter p_;
    Rect room_;
    float y_;
    bool tight_ = false, low_ = false;  // low: tight, and not all facts have place
    std::size_t columns_, fields_ = 0;

    static constexpr std::size_t kFields = 6;
    static constexpr float kPitch = 15;  // of the formula's lines
};

}  // namespace

void draw_whatif_assumptions(const WhatIfFrame& frame) {
    const Painter p(frame.ui);
    const Rect room =
        whatif_head(p, frame.px(frame.plan.assumptions), frame.ui.text["whatif.assumptions"_t],
                    frame.ui.text["whatif.assumptions.how"_t]);
    Assumptions(frame, room).draw();
}

}  // namespace kv
