// Steps as rows, positions as columns: what a step computes for the first time, what it computes
// again, and what it only reads. Both blocks share their columns, and all bars one scale.

#include <algorithm>
#include <numeric>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

using Counts = std::vector<std::uint32_t>;

constexpr float kLegend = 34, kHead = 40, kRow = 38, kTallRow = 56;

struct Table {
    float label_w, cells_x, pitch, row, total_w, bar_w;
    std::uint32_t rows, columns;
    double full;  // positions of the longest bar
};

class WithoutCache {
public:
    WithoutCache(const WithoutCacheFacts& facts, const Ask& ask)
        : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        const bool both = shows_cache() || facts_.cache == FigureWhen::Revealed;
        const Text rows = with_commas(n_rows());
        sheet_.header(
            fill(text[both ? "figure.without_cache.title"_t : "figure.without_cache.alone"_t],
                 {{"n", rows}}),
            text["figure.without_cache.how"_t]);
        measure(both);
        float y = words_row(sheet_.top());
        y = block("without", y, text["figure.without_cache.without"_t],
                  text["figure.without_cache.without.how"_t], false);
        if (both) {
            y += sheet_.is_low() ? 6.0f : 22.0f;
            block("with", y, text["figure.without_cache.with"_t],
                  text["figure.without_cache.with.how"_t], true);
        }
        foot(both);
        return sheet_.take();
    }

private:
    bool shows_cache() const {
        return facts_.cache == FigureWhen::Now ||
               (facts_.cache == FigureWhen::Revealed && ask_.revealed);
    }
    std::uint32_t n_rows() const { return ask_.revealed ? facts_.asked : facts_.steps; }

    void measure(bool both) {
        const bool narrow = sheet_.is_narrow();
        t_.rows = n_rows(), t_.columns = facts_.without[t_.rows - 1];
        t_.label_w = narrow ? 62 : 78;
        t_.total_w = narrow ? 56 : 80, t_.bar_w = narrow ? 60 : 104;
        const float room = sheet_.width() - t_.label_w - 2 * t_.total_w - t_.bar_w - 16;
        t_.pitch = std::min(48.0f, room / static_cast<float>(t_.columns));
        t_.cells_x = sheet_.left() + t_.label_w;
        const float blocks = both ? 2 : 1;
        const float high = sheet_.bottom() - kLegend - sheet_.top() - words_height() -
                           blocks * kHead - (both ? (sheet_.is_low() ? 6.0f : 22.0f) : 0);
        t_.row = std::min(both ? kRow : kTallRow, high / (blocks * static_cast<float>(t_.rows)));
        const auto total = [&](const Counts& counts) {
            return std::accumulate(counts.begin(), counts.begin() + t_.rows, 0.0);
        };
        t_.full = total(facts_.without);
    }

    bool words_fit() const { return t_.pitch >= 44; }
    float words_height() const { return 54; }
    Rect cell(std::uint32_t column, float y, float height) const {
        const float gap = t_.pitch >= 20 ? 4.0f : 2.0f;
        return {t_.cells_x + t_.pitch * static_cast<float>(column), y, t_.pitch - gap, height};
    }

    // The text over the columns: words where they fit, else positions.
    float words_row(float y) {
        const float prompt = t_.pitch * static_cast<float>(facts_.prompt);
        const float rest = t_.pitch * static_cast<float>(t_.columns - facts_.prompt);
        const Text given =
            fill(ask_.text["figure.without_cache.prompt"_t], {{"n", with_commas(facts_.prompt)}});
        sheet_.words("prompt", {t_.cells_x, y, prompt, 20},
                     {{given, Font::Regular, 12, Ink::Quiet}});
        if (rest >= 150)
            sheet_.words("written", {t_.cells_x + prompt, y, rest + t_.total_w, 20},
                         {{fill(ask_.text["figure.without_cache.written"_t],
                                {{"n", with_commas(t_.rows - 1)}}),
                           Font::Regular, 12, Ink::Quiet}});
        for (std::uint32_t i = 0; i < t_.columns; ++i) {
            const bool word = words_fit() && i < facts_.words.size();
            // In narrow columns every fifth number stands.
            const bool is_counted = t_.pitch >= 20 || i % 5 == 0;
            const Text label = word         ? Text(facts_.words[i])
                               : is_counted ? Text(with_commas(i))
                                            : Text();
            Piece& chip = sheet_.box("token", cell(i, y + 22, 24),
                                     i < facts_.prompt ? Look::Chip : Look::Pill,
                                     {{label, word ? Font::Regular : Font::Mono,
                                       word || t_.pitch > 26 ? 12.0f : 11.0f, Ink::Strong}});
            chip.names = true;
            if (i >= facts_.prompt) chip.from = i - facts_.prompt + 1;
            if (i < facts_.words.size()) chip.caption = facts_.words[i];
        }
        return y + words_height();
    }

    // Steps that come with the reveal have keys behind those that were there before it.
    float block(const char* id, float y, const char* name, const char* how, bool is_with) {
        const Counts& counts = is_with ? facts_.with : facts_.without;
        const bool comes_late = is_with && facts_.cache == FigureWhen::Revealed;
        const std::uint32_t rows = comes_late && !ask_.revealed ? 0 : t_.rows;
        const std::uint32_t before = comes_late ? t_.rows : 0;
        const float numbers = sheet_.right() - t_.bar_w - 16;
        const float head = sheet_.width() - t_.bar_w - 2 * t_.total_w - 16;
        Piece& heading = sheet_.block_head(id, y, kHead, name, how);
        heading.rect.w = head;
        for (const auto& [words, x] :
             {std::pair{ask_.text["figure.without_cache.step_count"_t], numbers - t_.total_w},
              std::pair{ask_.text["figure.without_cache.so_far"_t], numbers}})
            sheet_.words("head", {x - t_.total_w, y, t_.total_w, kHead},
                         {{words, Font::Regular, 12, Ink::Quiet}}, Edge::Right);
        y += kHead;
        std::uint32_t sum = 0;
        for (std::uint32_t r = 0; r < rows; ++r, y += t_.row)
            row(y, r, facts_.without[r], counts[r], sum += counts[r], before + r + 1, is_with);
        return y;
    }

    void row(float y, std::uint32_t r, std::uint32_t length, std::uint32_t computed,
             std::uint32_t sum, std::uint32_t key, bool is_with) {
        const float height = t_.row - (t_.row >= 26 ? 8.0f : 3.0f);
        const float size = t_.row >= 24 ? 15.5f : 12.0f;
        Piece& now = sheet_.box("now", {sheet_.left() - 12, y - 3, sheet_.width() + 24, height + 6},
                                Look::NowRow);
        now.from = now.until = key;
        const Text step =
            fill(ask_.text["figure.without_cache.step"_t], {{"n", with_commas(r + 1)}});
        Piece& label = sheet_.words("step", {sheet_.left(), y, t_.label_w - 12, height},
                                    {{step, Font::Mono, 12, Ink::Quiet}}, Edge::Right);
        label.from = key, label.now = key, label.names = true;
        for (std::uint32_t c = 0; c < length; ++c) {
            const bool is_new = r == 0 || c + 1 == length;
            const bool is_kept = is_with && c + computed < length;
            Piece& one = sheet_.box(is_with ? "with.cell" : "without.cell", cell(c, y, height),
                                    is_kept  ? Look::Kept
                                    : is_new ? Look::Fresh
                                             : Look::Again);
            one.from = key;
        }
        const float numbers = sheet_.right() - t_.bar_w - 16;
        const auto number = [&](const char* name, std::uint32_t count, float right) {
            Piece& piece =
                sheet_.words(name, {right - t_.total_w, y, t_.total_w, height},
                             {{with_commas(count), Font::Mono, size, Ink::Plain}}, Edge::Right);
            piece.from = key, piece.now = key;
        };
        number("count", computed, numbers - t_.total_w);
        number("sum", sum, numbers);
        const auto share = static_cast<float>(sum / t_.full);
        const float bar = std::min(16.0f, height);
        Piece& amount = sheet_.box("bar",
                                   {sheet_.right() - t_.bar_w, y + (height - bar) / 2,
                                    std::max(1.0f, t_.bar_w * share), bar},
                                   Look::Amount);
        amount.from = key, amount.now = key;
    }

    void foot(bool both) {
        const Texts& text = ask_.text;
        const float y = sheet_.bottom() - 20;
        List<Sheet::Entry> entries{{Look::Fresh, text["figure.without_cache.fresh"_t], 220},
                                   {Look::Again, text["figure.without_cache.again"_t], 170}};
        if (both) entries.push_back({Look::Kept, text["figure.without_cache.kept"_t], 230});
        sheet_.legend(t_.cells_x, y, entries);
        if (!ask_.revealed || facts_.asked == facts_.steps) return;
        const Text count = with_commas(facts_.without[facts_.asked - 1]);
        const Text step = with_commas(facts_.asked);
        const bool differs = !ask_.said.empty() && ask_.said != count;
        const Text words =
            differs ? fill(text["figure.without_cache.said"_t],
                           {{"step", step}, {"n", count}, {"said", ask_.said}})
                    : fill(text["figure.without_cache.answer"_t], {{"step", step}, {"n", count}});
        Piece& answer = sheet_.words("answer", {sheet_.right() - 480, y, 480, 20},
                                     {{words, Font::Semibold, 13, Ink::Strong}}, Edge::Right);
        answer.from = facts_.asked;
    }

    const WithoutCacheFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    Table t_{};
};

}  // namespace

Keys keys_of(const WithoutCacheFacts& facts) {
    const std::uint32_t late = facts.cache == FigureWhen::Revealed ? facts.asked : 0;
    return {.first = 1, .opens = facts.steps, .last = facts.steps, .end = facts.asked + late};
}

Plan layout_without_cache(const WithoutCacheFacts& facts, const Ask& ask) {
    return WithoutCache(facts, ask).plan();
}

}  // namespace kv::figure
