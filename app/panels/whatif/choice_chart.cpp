// Hit rate over block sizes or orders of eviction: each stands in a place of its own, in half of
// the memory, in that of the pool that all is held against, and in twice of it. Every mark was
// replayed.

#include <cmath>

#include "app/panels/whatif/choice_words.hpp"
#include "app/panels/whatif/paint.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

class ChoiceChart {
public:
    ChoiceChart(const WhatIfFrame& frame, const Rect& room)
        : ui_(frame.ui),
          p_(frame.ui),
          weighed_(frame.weighed),
          view_(frame.own.view),
          choices_(*frame.choices()),
          room_(room) {
        for (std::size_t i = 0; i < kChoiceMemories.size(); ++i)
            beside_ = std::max(beside_, text_width(ui_, memory_style(i), memory_words(i)));
        const float pitch = (room.w - ui_.px(40 + 24) - beside_) /
                            static_cast<float>(std::max<std::size_t>(1, choices_.size()));
        place_captions(pitch);
        for (const WhatIfChoice& choice : choices_)
            if (text_width(ui_, type::number(ui_), choice_name(view_, choice.setting)) >
                pitch - ui_.px(4))
                name_size_ = kSmallName;
        const float below = ui_.px(5 + 18 + 20 + 6) + captions_;
        plot_.plot = {room.x + ui_.px(40), room.y + ui_.px(40), room.w - ui_.px(40 + 24) - beside_,
                      room.h - ui_.px(40) - below};
        fit_choices(choices_, plot_);
    }

    void draw() {
        if (plot_.plot.w < ui_.px(120) || plot_.plot.h < ui_.px(40)) return;
        draw_rates();
        for (std::size_t i = 0; i < choices_.size(); ++i) draw_place(i);
        draw_most();
        for (const std::size_t memory : {0, 2, 1}) draw_memory(static_cast<std::size_t>(memory));
        draw_memory_names();
    }

private:
    float x(std::size_t i) const { return std::round(choice_x(plot_.plot, i, choices_.size())); }
    float y(double rate) const { return std::round(plot_.y(rate)); }
    float pitch() const { return plot_.plot.w / static_cast<float>(choices_.size()); }

    void draw_rates() const {
        const TextStyle style = aligned(type::tick_label(ui_), Align::Right);
        const double step = plot_.high - plot_.low > 0.55 ? 0.2 : 0.1;
        const auto steps = static_cast<int>((plot_.high - plot_.low + 1e-6) / step);
        for (int i = 0; i <= steps; ++i) {
            const double rate = plot_.low + i * step;
            hline(p_, plot_.plot.x, plot_.plot.right(), y(rate), ui_.colors.line);
            text_in(p_, style, {room_.x, y(rate) - ui_.px(8), ui_.px(34), ui_.px(16)},
                    fixed(100 * rate, 0) + "%");
        }
        hline(p_, plot_.plot.x, plot_.plot.right(), plot_.plot.bottom(), ui_.colors.edge);
    }

    // What an order gives up first takes two lines where they are wide enough for all of them.
    void place_captions(float pitch) {
        if (room_.h < ui_.px(200)) return;
        for (const WhatIfChoice& choice : choices_)
            captions_ = std::max(captions_, wrapped_height(ui_, type::caption(ui_), kCaptionPitch,
                                                           pitch - ui_.px(8), caption(choice)));
        if (captions_ > ui_.px(3 * kCaptionPitch + 1)) captions_ = 0;
    }
    Text caption(const WhatIfChoice& choice) const {
        if (view_ == WhatIfView::Order) return goes_first_words(ui_.text, choice.setting.order);
        const std::string blocks = choice.here() ? with_commas(choice.here()->blocks) : "0";
        return fill(ui_.text["whatif.blocks"_t], {{"n", blocks}});
    }
    void draw_place(std::size_t i) const {
        const WhatIfChoice& choice = choices_[i];
        const bool is_recorded = is_as_recorded(weighed_, choice.setting);
        if (is_recorded) draw_recorded(i);
        const float left = x(i) - pitch() / 2, bottom = plot_.plot.bottom();
        vline(p_, x(i), bottom, bottom + ui_.px(4), ui_.colors.edge);
        TextStyle name = sized(aligned(type::number(ui_), Align::Center), name_size_);
        if (is_recorded) name = with_font(colored(name, ui_.colors.text), ui_.fonts.mono_bold);
        float down = bottom + ui_.px(5);
        text_in(p_, name, {left, down, pitch(), ui_.px(18)}, choice_name(view_, choice.setting));
        down += ui_.px(18);
        const TextStyle rate = aligned(sized(type::number_strong(ui_), 13), Align::Center);
        text_in(p_, choice.here() ? rate : aligned(type::caption(ui_), Align::Center),
                {left, down, pitch(), ui_.px(18)},
                choice.here() ? share_words(choice.here()->outcome.hit_rate())
                              : std::string(ui_.text["whatif.no_room"_t]));
        if (captions_ == 0) return;
        down += ui_.px(20);
        const Text words = caption(choice);
        wrapped_at(p_, aligned(type::caption(ui_), Align::Center), kCaptionPitch,
                   {left + ui_.px(4), down, pitch() - ui_.px(8), captions_}, words);
    }
    void draw_recorded(std::size_t i) const {
        vline(p_, x(i), room_.y + ui_.px(20), plot_.plot.bottom(), ui_.colors.focus, 2);
        const Text flag(ui_.text[view_ == WhatIfView::Order ? "whatif.choice.today"_t
                                                            : "whatif.choice.recorded"_t]);
        const TextStyle style = colored(sized(type::strong(ui_), 12), ui_.colors.panel);
        const float w = text_width(ui_, style, flag) + ui_.px(16);
        const float left = std::clamp(x(i) - w / 2, room_.x, room_.right() - w);
        const Rect r = snap({left, room_.y + ui_.px(6), w, ui_.px(20)});
        fill(p_, r, ui_.colors.focus, 3);
        text_in(p_, aligned(style, Align::Center), r, flag);
    }

    // What could be hit if nothing were ever removed; the same for all orders.
    void draw_most() const {
        const float half = pitch() / 2;
        for (std::size_t i = 0; i < choices_.size(); ++i)
            dotted_line(p_, {x(i) - half, y(choices_[i].most)}, {x(i) + half, y(choices_[i].most)},
                        ui_.colors.text2);
        // Above its beginning, where no line comes near it, and beside what stands upright there.
        const TextStyle style = type::caption(ui_);
        const std::string_view words = ui_.text["whatif.choice.never"_t];
        const Rect room = snap({x(0) + ui_.px(8), y(choices_.front().most) - ui_.px(17),
                                text_width(ui_, style, words) + ui_.px(4), ui_.px(16)});
        fill(p_, room, ui_.colors.panel);
        text_in(p_, style, room, words);
    }

    Color color_of(std::size_t memory) const {
        return memory == kChoiceHere ? ui_.colors.text : ui_.colors.text2;
    }
    std::optional<Vec2> at(std::size_t i, std::size_t memory) const {
        const auto& point = choices_[i].points[memory];
        if (!point) return std::nullopt;
        return Vec2{x(i), y(point->outcome.hit_rate())};
    }
    // Sizes have an order of their own, and a line through them. Orders of eviction have none: a
    // level line stands for what the recorded one finds.
    void draw_memory(std::size_t memory) const {
        const Color color = color_of(memory);
        const bool is_here = memory == kChoiceHere;
        for (std::size_t i = 1; i < choices_.size() && view_ == WhatIfView::BlockSize; ++i)
            if (const auto a = at(i - 1, memory), b = at(i, memory); a && b)
                stroke(p_, *a, *b, color, is_here ? 2.0f : 1.5f);
        for (std::size_t i = 0; i < choices_.size() && view_ == WhatIfView::Order; ++i)
            if (const auto here = at(i, memory);
                here && is_as_recorded(weighed_, choices_[i].setting))
                hline(p_, plot_.plot.x, plot_.plot.right(), here->y, ui_.colors.text3);
        for (std::size_t i = 0; i < choices_.size(); ++i) {
            const auto middle = at(i, memory);
            if (!middle) continue;
            const float side = ui_.px(is_here ? 10 : 8);
            const Rect r = snap({middle->x - side / 2, middle->y - side / 2, side, side});
            fill(p_, r, ui_.colors.panel);
            outline(p_, r, color, 0, is_here ? 2.0f : 1.5f);
        }
    }

    TextStyle memory_style(std::size_t memory) const {
        if (memory != kChoiceHere) return type::caption(ui_);
        return sized(type::strong(ui_), 12);
    }
    Text memory_words(std::size_t memory) const {
        const double factor = kChoiceMemories[memory];
        const auto base = static_cast<double>(weighed_.base().bytes);
        const std::string size = pool_bytes_words(static_cast<u64>(std::llround(factor * base)));
        if (memory == kChoiceHere && weighed_.knows_today())
            return fill(ui_.text["whatif.choice.here"_t], {{"size", size}});
        return fill(ui_.text["whatif.choice.memory"_t],
                    {{"n", times_words(factor)}, {"size", size}});
    }
    // The end of the line of a memory: at the last size, or as high as the recorded order.
    std::optional<Vec2> end_of_line(std::size_t memory) const {
        std::optional<Vec2> end;
        for (std::size_t i = 0; i < choices_.size(); ++i)
            if (view_ == WhatIfView::BlockSize || is_as_recorded(weighed_, choices_[i].setting))
                if (const auto here = at(i, memory)) end = here;
        return end;
    }
    // Draws names beside the ends, one under the other where they come close.
    void draw_memory_names() const {
        const float line = ui_.px(16);
        float above = plot_.plot.y - line;
        for (std::size_t memory = kChoiceMemories.size(); memory-- > 0;) {
            const auto last = end_of_line(memory);
            if (!last) continue;
            const float top = std::max(last->y - line / 2, above + line);
            above = top;
            text_in(p_, memory_style(memory),
                    {plot_.plot.right() + ui_.px(16), top, beside_ + 1, line},
                    memory_words(memory));
        }
    }

    static constexpr float kCaptionPitch = 15, kSmallName = 11;

    const Ui& ui_;
    Painter p_;
    const WeighedRecording& weighed_;
    WhatIfView view_;
    const WhatIfChoices& choices_;
    Rect room_;
    MemoryPlot plot_;
    float beside_ = 0, captions_ = 0, name_size_ = 13;
};

}  // namespace

void draw_choice_chart(const WhatIfFrame& frame, const Rect& room) {
    ChoiceChart(frame, room).draw();
}

}  // namespace kv
