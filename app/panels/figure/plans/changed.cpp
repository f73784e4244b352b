// Left who may read whom, right which keys become others when one token does: the same columns
// twice. A change goes from a row of the map to the next one along the cells of the mask.

#include <algorithm>
#include <cmath>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

class Changed {
public:
    Changed(const ChangedFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(text["figure.changed.title"_t],
                      text[facts_.is_late ? "figure.changed.late.how"_t : "figure.changed.how"_t]);
        const float gap = sheet_.is_narrow() ? 24 : 48, y = sheet_.top();
        const float left = (sheet_.width() - gap) * 0.43f, right = sheet_.width() - gap - left;
        const float high = sheet_.bottom() - 34 - y - 74;
        const auto n = static_cast<float>(facts_.words.size());
        label_ = sheet_.is_narrow() ? 70 : 92;
        pitch_ = std::min({64.0f, (left - label_) / n, high / n});
        mask(sheet_.left(), y, left);
        pitch_ = std::min(64.0f, (right - label_) / n);
        map(sheet_.left() + left + gap, y, right, high);
        legend();
        sheet_.key_names().push_back(text["figure.changed.input"_t]);
        for (std::uint32_t layer = 0; layer < facts_.n_layers(); ++layer)
            sheet_.key_names().push_back(
                fill(text["figure.changed.layer"_t], {{"n", with_commas(layer)}}));
        return sheet_.take();
    }

private:
    std::uint32_t n() const { return static_cast<std::uint32_t>(facts_.words.size()); }
    bool may_read(std::uint32_t query, std::uint32_t key) const {
        // The first token has nobody else to look at.
        if (facts_.is_late) return key < query || (key == 0 && query == 0);
        return !facts_.is_causal || key <= query;
    }

    // Where numbers would run together every second one stands, or every third; that of the change
    // always, and then not those that would touch it.
    void columns(float x, float y) {
        const float wide = 7.2f * static_cast<float>(with_commas(n() - 1).size()) + 4;
        const auto step = static_cast<std::uint32_t>(std::ceil(wide / pitch_));
        for (std::uint32_t t = 0; t < n(); ++t) {
            const bool is_it = t == facts_.position;
            const std::uint32_t off = std::max(t, facts_.position) - std::min(t, facts_.position);
            if (!is_it && (t % step > 0 || off < step)) continue;
            Piece& name =
                sheet_.words("column", {x + pitch_ * static_cast<float>(t) - 6, y, pitch_ + 10, 20},
                             {{with_commas(t), is_it ? Font::MonoBold : Font::Mono, 12,
                               is_it ? Ink::Strong : Ink::Quiet}},
                             Edge::Center);
            name.names = true, name.caption = facts_.words[t];
        }
    }

    void mask(float x, float y, float half) {
        sheet_
            .block_head("mask", y, 28, ask_.text["figure.changed.mask"_t],
                        ask_.text["figure.changed.mask.how"_t])
            .rect = {x, y, half, 28};
        y += 40;
        columns(x + label_, y);
        y += 22;
        const float cell = pitch_ - (pitch_ > 24 ? 4.0f : 2.0f);
        for (std::uint32_t q = 0; q < n(); ++q, y += pitch_) {
            const bool is_it = q == facts_.position;
            sheet_
                .words("row", {x, y, label_ - 10, cell},
                       {{facts_.words[q], is_it ? Font::Bold : Font::Regular, 13,
                         is_it ? Ink::Strong : Ink::Plain}},
                       Edge::Right)
                .names = true;
            for (std::uint32_t k = 0; k < n(); ++k) {
                const Rect box{x + label_ + pitch_ * static_cast<float>(k), y, cell, cell};
                const bool reads = may_read(q, k);
                sheet_
                    .box(reads ? "mask.read" : "mask.hidden", box,
                         reads ? Look::Readable : Look::Free)
                    .radius = 2;
                if (facts_.is_late && k == q && !reads)
                    sheet_.box("mask.not_itself", box, Look::WrongLine).radius = 2;
                if (reads && k == facts_.position)
                    sheet_.box("mask.reads_it", box, Look::Fresh).radius = 2;
            }
        }
        if (facts_.is_late) return;
        const float top = y - pitch_ * static_cast<float>(n());
        sheet_.brackets("mask.column",
                        {x + label_ + pitch_ * static_cast<float>(facts_.position), top, cell,
                         pitch_ * static_cast<float>(n()) - (pitch_ - cell)});
    }

    // The text, and the keys of each layer under it.
    void map(float x, float y, float half, float high) {
        const auto rows = static_cast<float>(facts_.n_layers() + 1);
        sheet_
            .block_head("map", y, 28, ask_.text["figure.changed.map"_t],
                        ask_.text["figure.changed.map.how"_t])
            .rect = {x, y, half, 28};
        columns(x + label_, y + 40);
        const float top = y + 62, step = high / rows, cell_h = std::min(46.0f, step * 0.55f);
        row_name(x, top, cell_h, ask_.text["figure.changed.input"_t], Text(), 0);
        for (std::uint32_t t = 0; t < n(); ++t) input_cell(x, top, cell_h, t);
        if (!ask_.revealed) {
            sheet_
                .words("open", {x, top + step, half, 44},
                       {{ask_.text["figure.changed.open"_t], Font::Regular, 14, Ink::Quiet}})
                .pitch = 21;
            return;
        }
        for (std::uint32_t layer = 0; layer < facts_.n_layers(); ++layer) {
            const float at = top + step * static_cast<float>(layer + 1);
            row_name(x, at, cell_h,
                     fill(ask_.text["figure.changed.layer"_t], {{"n", with_commas(layer)}}),
                     ask_.text["figure.changed.keys"_t], layer + 1);
            wires(x, at - step + cell_h, at, layer);
            for (std::uint32_t t = 0; t < n(); ++t) key_cell(x, at, cell_h, layer, t);
        }
    }

    void row_name(float x, float y, float h, const Text& name, const Text& what,
                  std::uint32_t key) {
        sheet_
            .words("row", {x, y, label_ - 10, what.empty() ? h : h * 0.55f},
                   {{name, Font::Regular, 14, Ink::Strong}})
            .from = key;
        if (!what.empty())
            sheet_
                .words("row.what", {x, y + h * 0.5f, label_ - 10, h * 0.5f},
                       {{what, Font::Regular, 12}})
                .from = key;
    }

    Rect map_cell(float x, float y, float h, std::uint32_t t) const {
        return {x + label_ + pitch_ * static_cast<float>(t), y,
                pitch_ - (pitch_ > 24 ? 4.0f : 2.0f), h};
    }

    void input_cell(float x, float y, float h, std::uint32_t t) {
        const bool is_it = t == facts_.position;
        Piece& cell = sheet_.box("input", map_cell(x, y, h, t), is_it ? Look::Fresh : Look::Free);
        cell.radius = 2, cell.caption = facts_.words[t];
    }

    // A cell of the key: from 0, bit for bit the same, to the largest change of the map.
    void key_cell(float x, float y, float h, std::uint32_t layer, std::uint32_t t) {
        const std::uint32_t key = layer + 1;
        const bool is_new = t >= facts_.change[layer].size();
        const double change = is_new ? 0 : facts_.change[layer][t];
        const bool moved = is_new || change > 0;
        const Rect box = map_cell(x, y, h, t);
        Piece& cell = sheet_.box(moved ? "moved" : "same", box,
                                 is_new  ? Look::Fresh
                                 : moved ? Look::Changed
                                         : Look::Free);
        cell.radius = 2, cell.from = key, cell.share = change / most();
        const Text value = is_new ? Text() : moved ? Text(shown(change)) : Text("0");
        if (box.w >= (moved ? 30.0f : 12.0f))
            cell.words = {{value, Font::Mono, 12,
                           moved && cell.share > 0.55 ? Ink::OnHue
                           : moved                    ? Ink::Strong
                                                      : Ink::Quiet}};
        cell.caption = is_new ? Text(ask_.text["figure.changed.new"_t]) : value;
    }

    double most() const {
        double most = 0;
        for (const auto& row : facts_.change)
            for (const double change : row) most = std::max(most, change);
        return most > 0 ? most : 1;
    }
    static Text shown(double change) {
        const auto hundredths = static_cast<std::uint64_t>(std::lround(change * 100));
        const Text rest = with_commas(hundredths % 100);
        return with_commas(hundredths / 100) + (rest.size() < 2 ? ".0" : ".") + rest;
    }

    bool is_moved(std::uint32_t layer, std::uint32_t t) const {
        return t >= facts_.change[layer].size() || facts_.change[layer][t] > 0;
    }

    // Keys of the first layer know their own token alone; those of a later one were made from all
    // that their token read in the layer before.
    void wires(float x, float top, float bottom, std::uint32_t layer) {
        for (std::uint32_t to = 0; to < n(); ++to)
            for (std::uint32_t from = 0; from < n(); ++from) {
                const bool carries = layer == 0 ? from == to && from == facts_.position
                                                : may_read(to, from) && is_moved(layer - 1, from) &&
                                                      is_moved(layer, to);
                if (!carries) continue;
                const Rect a = map_cell(x, top, 0, from), b = map_cell(x, bottom, 0, to);
                Piece& wire =
                    sheet_.wire("carries", {{a.center().x, top}, {b.center().x, bottom}}, false);
                wire.from = layer + 1, wire.look = Look::Fresh, wire.width = n() > 10 ? 1.0f : 1.6f;
            }
    }

    void legend() {
        const Texts& text = ask_.text;
        const float y = sheet_.bottom() - 22, w = sheet_.is_narrow() ? 124 : 150;
        const Text reads =
            fill(text["figure.changed.reads_it"_t], {{"n", with_commas(facts_.position)}});
        sheet_.legend(sheet_.left(), y,
                      {{Look::Readable, text["figure.changed.read"_t], w},
                       facts_.is_late ? Sheet::Entry{Look::WrongLine,
                                                     text["figure.changed.itself"_t], 1.5f * w}
                                      : Sheet::Entry{Look::Fresh, reads, 1.5f * w},
                       {Look::Free, text["figure.changed.hidden"_t], 1.5f * w}});
        if (!ask_.revealed) return;
        sheet_
            .words("scale",
                   {sheet_.right() - 500, y - (sheet_.is_narrow() ? 22.0f : 0.0f), 500, 20},
                   {{text["figure.changed.scale"_t], Font::Regular, 12}}, Edge::Right)
            .from = 1;
    }

    const ChangedFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float label_ = 0, pitch_ = 0;
};

}  // namespace

Keys keys_of(const ChangedFacts& facts) {
    return {.first = 0, .opens = 0, .last = 0, .end = facts.n_layers()};
}

Plan layout_changed(const ChangedFacts& facts, const Ask& ask) {
    return Changed(facts, ask).plan();
}

}  // namespace kv::figure
