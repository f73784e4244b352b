// The picture beside the doors: one request of a real run, step by step, and the way of its newest
// key and value into the pool.

#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/frame/start/paint.hpp"
#include "app/frame/start/picture_paint.hpp"
#include "app/panels/view/sentence.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/message.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {
namespace {

std::uint32_t most_rows(const RunView& run, std::uint32_t n_steps) {
    const std::uint32_t page = std::max(1u, run.now.block_size);
    const RequestView& last = run.trace.end().requests[kPictured.index()];
    const std::uint32_t stored = last.n_prompt + (n_steps > 0 ? n_steps - 1 : 0);
    return std::max(1u, (stored + page - 1) / page);
}

Text word_of(const RunView& run, std::uint32_t position) {
    const RequestView& request = run.now.requests[kPictured.index()];
    return bare_word(run.word(request.tokens[position]));
}

List<Run> runs_of(const Ui& ui, const List<SentencePiece>& parts, float size, Color words) {
    List<Run> runs;
    for (const SentencePiece& piece : parts) {
        const TextStyle plain{ui.fonts.regular, size, words};
        runs.push_back(
            {piece.is_value ? colored(with_font(plain, ui.fonts.bold), ui.colors.text) : plain,
             piece.text});
    }
    return runs;
}

List<SentencePiece> sentence_of(const PicturePaint& s) {
    const Texts& text = s.ui.text;
    const Text name = name_of_request(s.run.now, kPictured);
    if (s.stored.n != 1 || s.stored.places.empty())
        return pieces(text["start.now.reads"_t], {{"request", name},
                                                  {"tokens", with_commas(s.stored.n)},
                                                  {"blocks", with_commas(s.lines.size())}});
    const TokenPlace& place = s.stored.places[0];
    const Text word = word_of(s.run, s.stored.first), block = with_commas(place.block.value);
    if (place.slot.value == 0)
        return pieces(text["start.now.new_page"_t],
                      {{"request", name}, {"word", word}, {"block", block}});
    return pieces(text["start.now.stores"_t], {{"request", name},
                                               {"word", word},
                                               {"block", block},
                                               {"slot", with_commas(place.slot.value)}});
}

void paint_head(const PicturePaint& s) {
    const Ui& ui = s.ui;
    const Painter p(ui);
    const float size = s.plan.wide ? 15 : 18;
    const List<SentencePiece> parts = sentence_of(s);
    List<Run> runs = runs_of(ui, parts, size, ui.colors.text2);
    const Text name = name_of_request(s.run.now, kPictured);
    for (Run& run : runs)
        if (run.text == name.view()) run.style.color = s.hue().ink;
    runs_in(p, runs, s.at(s.plan.sentence));
    const Text step = fill(ui.text["start.step_of"_t], {{"step", with_commas(s.run.now.iteration)},
                                                        {"steps", with_commas(s.n_steps)}});
    text_in(p, {ui.fonts.mono, s.plan.wide ? 13.0f : 14.0f, ui.colors.text3, Align::Right},
            s.at(s.plan.step), step);
}

void paint_pool_head(const PicturePaint& s) {
    const Ui& ui = s.ui;
    const Painter p(ui);
    const float size = s.plan.wide ? 13 : 16;
    const KvLayout& layout = s.run.layout;
    const Text all = fill(ui.text["stage.pool.size"_t],
                          {{"blocks", with_commas(layout.n_blocks)},
                           {"each", bytes_binary(bytes_per_block(layout))},
                           {"all", bytes_binary(bytes_per_block(layout) * layout.n_blocks)}});
    const Rect room = s.at(s.plan.pool_head);
    const std::array left{Run{{ui.fonts.semibold, size, ui.colors.text}, ui.text["start.pool"_t]},
                          Run{{ui.fonts.mono, size - 2, ui.colors.text3}, all, 18}};
    runs_in(p, left, room);
    const std::size_t blocks = s.blocks_written();
    if (blocks == 0) return;
    const Text way = blocks == 1
                         ? fill(ui.text["start.way.one"_t],
                                {{"block", with_commas(s.stored.places[0].block.value)}})
                         : fill(ui.text["start.way.many"_t], {{"blocks", with_commas(blocks)}});
    const TextStyle words{ui.fonts.regular, size - 1, ui.colors.text2};
    const float box = ui.px(14), gap = ui.px(8);
    const float value_w = text_width(ui, words, ui.text["start.value"_t]),
                key_w = text_width(ui, words, ui.text["start.key"_t]);
    float x = room.right() - value_w;
    const float y = std::floor(room.center().y - box / 2);
    if (room.right() - room.x - runs_width(ui, left) <
        value_w + key_w + 2 * (box + gap) + ui.px(40))
        return;
    text_in(p, words, {x, room.y, 0, room.h}, ui.text["start.value"_t]);
    x -= box + gap;
    paint_half(p, {x, y, box, box}, Side::V);
    x -= key_w + ui.px(20);
    text_in(p, words, {x, room.y, 0, room.h}, ui.text["start.key"_t]);
    x -= box + gap;
    paint_half(p, {x, y, box, box}, Side::K);
    const TextStyle quiet = colored(words, ui.colors.text3);
    const float left_end = room.x + runs_width(ui, left) + ui.px(20);
    const float way_w = text_width(ui, quiet, way);
    if (x - ui.px(14) - way_w >= left_end)
        text_in(p, quiet, {x - ui.px(14) - way_w, room.y, 0, room.h}, way);
}

void paint_sum(const PicturePaint& s) {
    const Ui& ui = s.ui;
    const Painter p(ui);
    const RequestView& request = s.run.now.requests[kPictured.index()];
    const std::uint64_t each = bytes_per_token(s.run.layout);
    const std::size_t blocks = s.lines.size();
    const std::uint64_t slots = blocks * std::max(1u, s.run.now.block_size) - request.stored;
    const float size = s.plan.wide ? 13 : 15;
    const Text tokens = fill(ui.text["start.tokens"_t], {{"count", with_commas(request.stored)}});
    const List<SentencePiece> product =
        pieces(ui.text["start.bytes"_t], {{"tokens", tokens},
                                          {"each", bytes_exact(each)},
                                          {"all", bytes_exact(each * request.stored)}});
    List<Run> left;
    for (std::size_t i = 0; i < product.size(); ++i) {
        const bool strong = product[i].is_value && product[i].text == tokens.view();
        left.push_back({{strong ? ui.fonts.mono_bold : ui.fonts.mono, size,
                         strong ? ui.colors.text : ui.colors.text2},
                        product[i].text});
    }
    const Text in = fill(
        ui.text[blocks == 1 ? "start.in_block"_t : "start.in_blocks"_t],
        {{"blocks", with_commas(blocks)}, {"each", bytes_binary(bytes_per_block(s.run.layout))}});
    left.push_back({{ui.fonts.regular, size, ui.colors.text2}, in, 10});
    const Rect room = s.at(s.plan.sum);
    const Text count = fill(ui.text[slots == 1 ? "start.slot"_t : "start.slots"_t],
                            {{"count", with_commas(slots)}});
    const TextId id = slots == 0   ? "start.no_slot"_t
                      : slots == 1 ? "start.empty.one"_t
                                   : "start.empty"_t;
    const List<SentencePiece> stays = pieces(ui.text[id], {{"slots", count}});
    const List<Run> right = runs_of(ui, stays, size, ui.colors.text2);
    runs_in(p, left, room);
    if (runs_width(ui, left) + runs_width(ui, right) + ui.px(16) <= room.w)
        runs_in(p, right, room, Align::Right);
    if (s.plan.rule) {
        const Rect rule = s.at(Rect{s.plan.sum.x, *s.plan.rule, s.plan.sum.w, 1});
        hline(p, rule.x, rule.right(), rule.y, ui.colors.line);
    }
    if (!s.plan.prose) return;
    const Text meaning = fill(ui.text["start.far_apart"_t], {{"pages", with_commas(blocks)}});
    wrapped_at(p, {ui.fonts.regular, 16, ui.colors.text3}, 25, s.at(*s.plan.prose), meaning);
}

// A dot for each step, pressed to go there; the line is filled up to the one that is shown.
void draw_steps(const PicturePaint& s, const StartUi& own) {
    const Ui& ui = s.ui;
    const Painter p(ui);
    const Rect room = s.at(s.plan.play);
    ImGui::SetCursorScreenPos(
        {room.x, std::floor(room.center().y - control_height(ui, false) / 2)});
    const bool plays = own.playing && !ui.reduced_motion;
    const char* label = ui.text[plays ? "start.pause"_t : "start.play"_t];
    if (button(ui, "###pause", label, {.enabled = !ui.reduced_motion, .key = "Space"}))
        ui.out.push("start.pause");
    const float taken = button_width(ui, label, {.key = "Space"}) + ui.px(20);
    Rect track = s.at(s.plan.track);
    const float left = std::max(track.x, room.x + taken);
    track = {left, track.y, track.right() - left, track.h};
    if (track.w < ui.px(60)) return;
    const float y = std::floor(track.center().y),
                pitch = s.n_steps > 1 ? track.w / static_cast<float>(s.n_steps - 1) : 0;
    const float now_x = std::round(track.x + pitch * static_cast<float>(own.step - 1));
    hline(p, track.x, track.right(), y, ui.colors.line, 2);
    hline(p, track.x, now_x, y, s.hue().fill, 2);
    for (std::uint32_t i = 0; i < s.n_steps; ++i) {
        const Vec2 at{std::round(track.x + pitch * static_cast<float>(i)), y + ui.px(1)};
        const float reach = ui.px(12);
        ImGui::SetCursorScreenPos({at.x - reach, at.y - reach});
        const Hit hit = hit_item(PartId(i).c_str(), {2 * reach, 2 * reach});
        const float r = ui.px(hit.hovered ? 6.0f : 5.0f);
        p.list.AddCircleFilled(im(at), r, im(i < own.step ? s.hue().fill : ui.colors.panel));
        p.list.AddCircle(im(at), r, im(i < own.step ? s.hue().ink : ui.colors.edge), 0, ui.line());
        if (i + 1 == own.step)
            ring(p, snap({at.x - ui.px(8), at.y - ui.px(13), ui.px(16), ui.px(26)}),
                 {.color = ui.colors.focus, .radius = 2, .width = 2});
        if (hit.focused) focus_ring(p, hit.rect, 12);
        if (hit.pressed) ui.out.push("start.step", std::uint64_t{i} + 1);
    }
}

// Read, computed, or not to be had.
void paint_waiting(const StartPage& page, const Rect& room) {
    const Ui& ui = page.ui;
    const Painter p(ui);
    const StartView& view = page.scene.view;
    Text words = ui.text["start.loading"_t];
    if (!view.problem.empty())
        words = view.problem.in(ui.text);
    else if (view.read || !view.knows_words)
        words = fill(ui.text["start.loading"_t],
                     {{"percent", std::to_string(static_cast<int>(100 * view.read.value_or(0)))}});
    else
        words = fill(ui.text["start.computing"_t], {{"step", with_commas(view.computed)}});
    const TextStyle style{ui.fonts.regular, 15,
                          view.problem.empty() ? ui.colors.text2 : ui.colors.loss.ink,
                          Align::Center};
    outline(p, room, ui.colors.line, 4);
    const float width = std::min(room.w - ui.px(40), ui.px(480));
    const float height = wrapped_height(ui, style, 23, width, words);
    wrapped_at(p, style, 23,
               {std::round(room.center().x - width / 2), std::round(room.center().y - height / 2),
                width, height},
               words);
}

}  // namespace

void draw_picture(const StartPage& page) {
    if (!page.plan.picture) return;
    const StartView& view = page.scene.view;
    if (view.run == nullptr || view.run->now.requests.size() == 0)
        return paint_waiting(page, page.at(*page.plan.picture));
    const RunView& run = *view.run;
    const PicturePlan plan =
        plan_picture(*page.plan.picture, {.page = run.now.block_size,
                                          .n_rows = most_rows(run, view.n_steps),
                                          .n_blocks = run.layout.n_blocks,
                                          .n_steps = view.n_steps});
    const Table* table = run.lane().table(kPictured);
    const PicturePaint s{page,
                         page.ui,
                         run,
                         plan,
                         stored_now(run),
                         table == nullptr ? List<PictureLine>() : lines_of(plan, *table),
                         view.n_steps,
                         page.own().way};
    paint_head(s);
    paint_lines(s, false);
    paint_rows(s);
    paint_blocks(s);
    paint_lines(s, true);
    paint_travellers(s);
    paint_pool_head(s);
    paint_sum(s);
    draw_steps(s, page.own());
}

}  // namespace kv
