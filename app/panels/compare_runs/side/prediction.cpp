// What the model of one side thought of the token that was sampled last.

#include <algorithm>
#include <array>

#include "app/panels/compare_runs/side/paint.hpp"
#include "app/panels/view/facts.hpp"
#include "app/panels/view/pair/full_rows.hpp"
#include "app/widgets/chart/bars.hpp"
#include "core/base/numbers/logits.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

struct Guess {
    std::uint32_t token;
    double ours;
    std::optional<double> theirs;
};

// The most probable tokens of this side, the last of them making room for the first of what it is
// held against.
List<Guess> guesses(const JudgedRow& row, const std::vector<float>* against, std::size_t n) {
    const List<double> ours = probabilities_of(row.logits);
    List<double> theirs;
    if (against != nullptr && against->size() == row.logits.size())
        theirs = probabilities_of(*against);
    List<std::uint32_t> order(ours.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    n = std::min(n, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n), order.end(),
                      [&](std::uint32_t a, std::uint32_t b) {
                          return ours[a] != ours[b] ? ours[a] > ours[b] : a < b;
                      });
    order.resize(n);
    if (!theirs.empty() && n > 0) {
        const std::uint32_t first = top_token(*against);
        if (std::find(order.begin(), order.end(), first) == order.end()) order.back() = first;
    }
    List<Guess> out;
    for (const std::uint32_t token : order)
        out.push_back(
            {token, ours[token], theirs.empty() ? std::nullopt : std::optional(theirs[token])});
    return out;
}

}  // namespace

void draw_pair_predictions(const SidePicture& s) {
    const Ui& ui = s.ui;
    const Rect head = s.on_screen(s.parts().prediction_head),
               room = s.on_screen(s.parts().prediction);
    const JudgedRow* row = row_at_cursor(s.run(), s.request);
    if (row == nullptr)
        return static_cast<void>(
            text_in(Painter(ui), type::body(ui), head,
                    fill(ui.text["pair.prediction.none"_t], {{"name", s.now.name}})));
    const JudgedRow* other = s.pair.alone ? nullptr : row_like(s.other(), s.now.name, *row);
    const std::vector<float>* full = full_after(s.pair.left, s.focus.request, row->seen);
    const std::vector<float>* against = full != nullptr    ? full
                                        : other != nullptr ? &other->logits
                                                           : nullptr;
    const TextId key = s.pair.alone       ? "pair.prediction.likely"_t
                       : full != nullptr  ? "pair.prediction.key.full"_t
                       : other != nullptr ? "pair.prediction.key"_t
                                          : "pair.prediction.alone"_t;
    const Text title = fill(ui.text["pair.prediction"_t], {{"n", with_commas(row->seen.size())}});
    const std::array runs{Run{type::section(ui), title}, Run{type::caption(ui), ui.text[key], 10}};
    runs_in(Painter(ui), runs, head);

    const List<Guess> found = guesses(*row, against, s.parts().n_bars);
    const bool parts_here =
        s.parting != nullptr && s.parting->index == row->seen.size() && !says_as_full(s);
    const std::uint32_t* drawn =
        row->seen.size() < s.tokens.size() ? &s.tokens[row->seen.size()] : nullptr;
    List<Text> values, words;
    for (const Guess& guess : found) {
        values.push_back(fixed(guess.ours, 3));
        words.push_back(spoken_word(s.run(), guess.token));
    }
    List<Bar> bars;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const bool is_drawn = drawn != nullptr && found[i].token == *drawn;
        bars.push_back({.label = words[i],
                        .value = values[i],
                        .amount = found[i].ours,
                        .emphasised = is_drawn,
                        .color = is_drawn && parts_here
                                     ? ui.colors.loss.fill
                                     : mix(ui.colors.panel, ui.colors.text, 0.65),
                        .tick = found[i].theirs});
    }
    ImGui::SetCursorScreenPos(im(room.min()));
    draw_bars(ui, "prediction", bars,
              {.full = 1,
               .pitch = s.parts().bar_pitch / ui.unit,
               .thickness = s.parts().bar_pitch / ui.unit * 0.55f,
               .label_width = s.parts().label_width});
}

}  // namespace kv
