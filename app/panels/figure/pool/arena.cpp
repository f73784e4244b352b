// One strip of memory for each rule that hands it out, slot by slot, at a step of the race: what
// holds a token, what will, what never does, and gaps that are too small for who waits. All strips
// share their columns. A piece stays as long as nothing about it changes, so that a step adds only
// what is new in it.

#include <algorithm>
#include <tuple>
#include <utility>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/pool/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr float kRacers = 62, kArenaLegend = 34, kMostRow = 140, kMostStrip = 58,
                kTallStripRow = 250, kTallStrip = 120, kRunningWidth = 70;

// What a slot is, and whose.
struct SlotRole {
    Look look = Look::Free;
    std::uint32_t request = 0;
    std::uint64_t piece = 0;  // address of the region or block

    friend bool operator==(const SlotRole&, const SlotRole&) = default;
};

// Slots in a row that are the same for the same steps.
struct RoleRun {
    SlotRole role;
    std::uint32_t from, until;  // steps
    std::uint64_t first, count;
};

// What is not held, between the pieces of a moment.
struct Gap {
    std::uint64_t first, count;
    friend bool operator==(const Gap&, const Gap&) = default;
};
List<Gap> gaps_of(const FloorMoment& at, std::uint64_t slots) {
    List<Gap> gaps;
    std::uint64_t end = 0;
    for (const FloorPiece& piece : at.pieces) {
        if (piece.address > end) gaps.push_back({end, piece.address - end});
        end = piece.address + piece.slots;
    }
    if (slots > end) gaps.push_back({end, slots - end});
    return gaps;
}

// Blocks of one request side by side, or its region.
struct Owned {
    std::uint32_t request;
    std::uint64_t first, count;
    friend bool operator==(const Owned&, const Owned&) = default;
};
List<Owned> owners_of(const FloorMoment& at) {
    List<Owned> all;
    for (const FloorPiece& piece : at.pieces) {
        const bool goes_on = !all.empty() && all.back().request == piece.request &&
                             all.back().first + all.back().count == piece.address;
        if (goes_on)
            all.back().count += piece.slots;
        else
            all.push_back({piece.request, piece.address, piece.slots});
    }
    return all;
}

// The steps in which a thing is there: it stays while it is in the list of each step.
template <class Thing>
struct Stay {
    Thing thing;
    std::uint32_t from, until;
};
template <class Thing, class ListOf>
List<Stay<Thing>> stays_of(std::uint32_t steps, const ListOf& list_of) {
    List<Stay<Thing>> all;
    for (std::uint32_t step = 1; step <= steps; ++step)
        for (const Thing& thing : list_of(step)) {
            const auto before = std::find_if(all.begin(), all.end(), [&](const auto& one) {
                return one.until + 1 == step && one.thing == thing;
            });
            if (before == all.end())
                all.push_back({thing, step, step});
            else
                before->until = step;
        }
    return all;
}

class ArenaPlan {
public:
    ArenaPlan(const ArenaFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        last_ = ask_.revealed ? facts_.longest() : facts_.until;
        sheet_.header(
            fill(text["figure.arena.title"_t], {{"n", with_commas(facts_.slots)},
                                                {"rules", with_commas(facts_.rules.size())},
                                                {"requests", with_commas(facts_.requests.size())}}),
            text["figure.arena.how"_t]);
        names_ = sheet_.is_narrow() ? 116 : 166;
        pitch_ = (sheet_.width() - names_ - (sheet_.is_narrow() ? 52 : kRunningWidth)) /
                 static_cast<float>(facts_.slots);
        racers();
        const float top = sheet_.top() + kRacers;
        const float room = sheet_.bottom() - kArenaLegend - top;
        const bool few = facts_.rules.size() < 3;
        row_ = std::min(few ? kTallStripRow : kMostRow,
                        room / static_cast<float>(facts_.rules.size()));
        strip_ = std::min(few ? kTallStrip : kMostStrip, row_ - (sheet_.is_low() ? 40.0f : 50.0f));
        const std::size_t drawn = ask_.revealed ? facts_.rules.size() : facts_.open;
        for (std::size_t r = 0; r < facts_.rules.size(); ++r) {
            y_ = top + row_ * static_cast<float>(r);
            name(facts_.rules[r].kind);
            if (r < drawn)
                rule(facts_.rules[r]);
            else
                sheet_.box("asked", strip(0, facts_.slots), Look::TurnedAway,
                           {{"?", Font::MonoBold, 20, Ink::Quiet}});
        }
        foot();
        return sheet_.take();
    }

private:
    float x(std::uint64_t slot) const {
        return sheet_.left() + names_ + pitch_ * static_cast<float>(slot);
    }
    float tag_size() const { return sheet_.is_low() ? 13.0f : 17.0f; }
    float strip_top() const { return y_ + tag_size() + 6; }
    Rect strip(std::uint64_t first, std::uint64_t count) const {
        return {x(first), strip_top(), pitch_ * static_cast<float>(count), strip_};
    }

    // Who asks for what: the prompt solid, the answer outlined, all on one scale.
    void racers() {
        const float y = sheet_.top() - 4;
        const bool narrow = sheet_.is_narrow();
        sheet_.words("racers", {sheet_.left(), y, 84, 18},
                     {{ask_.text["figure.arena.prompt"_t], Font::Regular, 13}});
        sheet_.words("racers", {sheet_.left(), y + 18, 84, 18},
                     {{ask_.text["figure.arena.answer"_t], Font::Regular, 13}});
        std::uint32_t most = 1;
        for (const ArenaFacts::Request& one : facts_.requests)
            most = std::max(most, one.prompt + one.answer);
        const float pitch =
            std::min(148.0f, (sheet_.width() - 84) / static_cast<float>(facts_.requests.size()));
        const float each = std::min(4.0f, (pitch - 22) / static_cast<float>(most));
        for (std::size_t i = 0; i < facts_.requests.size(); ++i) {
            const ArenaFacts::Request& one = facts_.requests[i];
            const float left = sheet_.left() + 84 + pitch * static_cast<float>(i);
            const float size = narrow ? 15 : 19;
            const auto hue = static_cast<std::uint8_t>(i);
            sheet_.tag("racer", {left + size / 2, y + 10}, size, hue);
            sheet_.words(
                "lengths", {left + size + 8, y, pitch - size - 10, 20},
                {{with_commas(one.prompt), Font::Mono, narrow ? 13.0f : 16.0f, Ink::Strong},
                 {"+", Font::Mono, 13, Ink::Quiet, 5},
                 {with_commas(one.answer), Font::Mono, narrow ? 13.0f : 16.0f, Ink::Strong, 5}});
            const float prompt = each * static_cast<float>(one.prompt);
            for (const auto& [from, wide, look] :
                 {std::tuple{left, prompt, Look::Fresh},
                  std::tuple{left + prompt, each * static_cast<float>(one.answer),
                             Look::Reserved}}) {
                Piece& bar = sheet_.box("length", {from, y + 25, wide, 11}, look);
                bar.hue = hue, bar.radius = 1;
            }
        }
    }

    void name(AllocatorKind kind) {
        const bool low = sheet_.is_low();
        Piece& word = sheet_.words(
            "rule", {sheet_.left(), strip_top() - 2, names_ - 10, 24},
            {{Text(std::string(name_of(kind))), Font::Bold, low ? 15.0f : 20.0f, Ink::Strong}});
        word.names = true;
        Piece& how = sheet_.words(
            "rule.how", {sheet_.left(), strip_top() + 22, names_ - 12, low ? 32.0f : 40.0f},
            {{how_of(kind), Font::Regular, low ? 12.0f : 13.0f}});
        how.pitch = low ? 14 : 17, how.names = true;
    }

    Text how_of(AllocatorKind kind) const {
        const Texts& text = ask_.text;
        switch (kind) {
            case AllocatorKind::Max:
                return fill(text["figure.arena.max"_t], {{"n", with_commas(facts_.max_length)}});
            case AllocatorKind::Pow2:
                return text["figure.arena.pow2"_t];
            case AllocatorKind::Oracle:
                return text["figure.arena.oracle"_t];
            case AllocatorKind::FirstFit:
                return text["figure.arena.first_fit"_t];
            case AllocatorKind::Grow:
                return text["figure.arena.grow"_t];
            case AllocatorKind::Paged:
                break;
        }
        return fill(text["figure.arena.paged"_t], {{"n", with_commas(facts_.block_size)}});
    }

    // Behind its last step a rule has nothing to show but that it is done.
    void rule(const ArenaFacts::Rule& rule) {
        const auto steps = std::min(last_, static_cast<std::uint32_t>(rule.steps.size()));
        sheet_.box("floor", strip(0, facts_.slots), Look::Free).radius = 0;
        cells(rule, steps);
        for (const auto& stay :
             stays_of<Owned>(steps, [&](std::uint32_t s) { return owners_of(rule.steps[s - 1]); }))
            owner(stay);
        for (std::uint32_t step = 1; step <= steps; ++step) counts(rule, step);
        if (last_ > steps || ask_.revealed) ended(rule);
    }

    // Each slot's roles over the steps, joined where neighbours have the same.
    void cells(const ArenaFacts::Rule& rule, std::uint32_t steps) {
        List<List<SlotRole>> roles(steps);
        for (std::uint32_t s = 0; s < steps; ++s) {
            const FloorMoment& at = rule.steps[s];
            roles[s].assign(facts_.slots, SlotRole{});
            for (const FloorPiece& piece : at.pieces)
                for (std::uint64_t i = 0; i < piece.slots; ++i)
                    roles[s][piece.address + i] = {i < piece.tokens ? Look::Fresh
                                                   : i < piece.tokens + piece.reserved
                                                       ? Look::Reserved
                                                       : Look::NeverUsed,
                                                   piece.request, piece.address};
        }
        List<RoleRun> runs;
        List<std::size_t> before, here;  // runs that reach up to the slot before, and to this one
        for (std::uint64_t slot = 0; slot < facts_.slots; ++slot) {
            here.clear();
            for (std::uint32_t from = 0; from < steps;) {
                const SlotRole role = roles[from][slot];
                std::uint32_t until = from;
                while (until + 1 < steps && roles[until + 1][slot] == role) ++until;
                if (role.look != Look::Free)
                    here.push_back(join(runs, before, {role, from + 1, until + 1, slot, 1}));
                from = until + 1;
            }
            std::swap(before, here);
        }
        for (const RoleRun& run : runs) cell(run);
        spaces(rule, steps);
    }
    // The number of the run that it has become a part of.
    static std::size_t join(List<RoleRun>& runs, const List<std::size_t>& before,
                            const RoleRun& one) {
        for (const std::size_t i : before) {
            RoleRun& run = runs[i];
            if (run.from != one.from || run.until != one.until || !(run.role == one.role)) continue;
            ++run.count;
            return i;
        }
        runs.push_back(one);
        return runs.size() - 1;
    }

    void cell(const RoleRun& run) {
        const bool never = run.role.look == Look::NeverUsed;
        Rect at = strip(run.first, run.count);
        if (never) at.w -= 1;
        Piece& piece = sheet_.box("cells", at, run.role.look);
        piece.cells = never ? 1 : static_cast<std::uint32_t>(run.count);
        if (piece.cells == 1 && !never) piece.rect.w -= pitch_ >= 4 ? 1.0f : 0.0f;
        piece.radius = 0, piece.hue = static_cast<std::uint8_t>(run.role.request);
        piece.from = run.from, piece.until = run.until;
        const TextId word = never                             ? "figure.arena.never"_t
                            : run.role.look == Look::Reserved ? "figure.arena.reserved"_t
                                                              : "figure.arena.holds"_t;
        piece.caption = fill(
            ask_.text["figure.arena.caption"_t],
            {{"request", Text(facts_.requests[run.role.request].name)}, {"role", ask_.text[word]}});
    }

    // Nobody's slots: gaps with their length where somebody waits and regions are handed out.
    void spaces(const ArenaFacts::Rule& rule, std::uint32_t steps) {
        const bool paged = rule.kind == AllocatorKind::Paged;
        for (const auto& stay : stays_of<Gap>(steps, [&](std::uint32_t s) {
                 const FloorMoment& at = rule.steps[s - 1];
                 const bool gaps = !paged && !at.waiting.empty();
                 return gaps ? gaps_of(at, facts_.slots) : List<Gap>{};
             })) {
            const Rect at = strip(stay.thing.first, stay.thing.count);
            const Text said = with_commas(stay.thing.count);
            const float mid = at.y + at.h / 2;
            List<Word> words;
            if (at.w >= 30) words = {{said, Font::MonoBold, 14, Ink::Loss}};
            Piece& span = sheet_.span("gap", {at.x + 4, mid}, {at.right() - 4, mid}, words);
            span.loss = true, span.from = stay.from, span.until = stay.until;
            span.rect = at;
            span.caption = fill(ask_.text["figure.arena.gap.caption"_t], {{"n", said}});
        }
        if (!paged) return;
        for (const auto& stay : stays_of<Gap>(
                 steps, [&](std::uint32_t s) { return free_blocks(rule.steps[s - 1]); })) {
            Piece& block =
                sheet_.box("free", strip(stay.thing.first, stay.thing.count), Look::Free);
            block.radius = 0, block.from = stay.from, block.until = stay.until;
        }
    }
    List<Gap> free_blocks(const FloorMoment& at) const {
        List<Gap> blocks;
        for (const Gap& gap : gaps_of(at, facts_.slots))
            for (std::uint64_t i = 0; i < gap.count; i += facts_.block_size)
                blocks.push_back({gap.first + i, std::min(facts_.block_size, gap.count - i)});
        return blocks;
    }

    void owner(const Stay<Owned>& stay) {
        const float size = tag_size(), left = x(stay.thing.first), y = y_ + size / 2 + 1;
        const float right = x(stay.thing.first + stay.thing.count) - 4;
        const auto hue = static_cast<std::uint8_t>(stay.thing.request);
        Piece& tag = sheet_.tag("owner", {left + size / 2, y}, size, hue);
        tag.from = stay.from, tag.until = stay.until;
        if (right < left + size + 8) return;
        Piece& line = sheet_.wire("owner.line", {{left + size + 5, y}, {right, y}}, false);
        line.look = Look::Fresh, line.hue = hue, line.width = 1;
        line.from = stay.from, line.until = stay.until;
    }

    void counts(const ArenaFacts::Rule& rule, std::uint32_t step) {
        const Texts& text = ask_.text;
        const FloorMoment& at = rule.steps[step - 1];
        std::uint64_t tokens = 0, reserved = 0, never = 0, held = 0;
        for (const FloorPiece& piece : at.pieces) {
            tokens += piece.tokens, reserved += piece.reserved, never += piece.never();
            held += piece.slots;
        }
        const std::uint64_t rest = facts_.slots - held;
        const bool gaps = rule.kind != AllocatorKind::Paged && !at.waiting.empty();
        const float size = sheet_.is_narrow() ? 12 : 14, y = strip_top() + strip_ + 3;
        List<Word> words;
        const auto add = [&](std::uint64_t n, TextId word, bool loss) {
            if (n == 0 && sheet_.is_narrow()) return;
            const Ink ink = n == 0 ? Ink::Quiet : loss ? Ink::Loss : Ink::Strong;
            words.push_back({with_commas(n), n == 0 ? Font::Mono : Font::MonoBold, size, ink,
                             words.empty() ? 0.0f : 12.0f});
            words.push_back({text[word], Font::Regular, size, n == 0 ? Ink::Quiet : Ink::Plain, 5});
        };
        add(tokens, "figure.arena.tokens"_t, false);
        add(reserved, "figure.arena.reserved.count"_t, false);
        add(never, "figure.arena.never.count"_t, true);
        add(gaps ? rest : 0, "figure.arena.gaps.count"_t, true);
        add(gaps ? 0 : rest, "figure.arena.free.count"_t, false);
        const float strip_w = pitch_ * static_cast<float>(facts_.slots);
        during(step, sheet_.words("counts", {x(0), y, strip_w * 0.54f, 20}, words));
        waits(at, step, {x(0) + strip_w * 0.54f, y, strip_w * 0.46f, 20});
        const float right = x(facts_.slots) + 4;
        during(step, sheet_.words("at_once", {right, strip_top(), sheet_.right() - right, strip_},
                                  {{with_commas(at.running), Font::MonoBold,
                                    sheet_.is_low() ? 26.0f : 40.0f, Ink::Strong}},
                                  Edge::Right));
        during(step, sheet_.words("of_all", {right, y, sheet_.right() - right, 20},
                                  {{fill(text["figure.arena.of_all"_t],
                                         {{"n", with_commas(facts_.requests.size())}}),
                                    Font::Regular, sheet_.is_narrow() ? 12.0f : 13.0f}},
                                  Edge::Right));
    }

    // Who waits, and what the first of them asks for.
    void waits(const FloorMoment& at, std::uint32_t step, const Rect& room) {
        const float size = sheet_.is_low() ? 13 : 17;
        const float tags = (size + 4) * static_cast<float>(at.waiting.size());
        Piece& why = sheet_.words("why", {room.x, room.y, room.w - tags - 6, room.h},
                                  {{why_of(at), Font::Regular, sheet_.is_narrow() ? 12.0f : 14.0f}},
                                  Edge::Right);
        why.names = true;
        during(step, why);
        for (std::size_t i = 0; i < at.waiting.size(); ++i) {
            const float cx = room.right() - tags + (size + 4) * (static_cast<float>(i) + 0.5f);
            Piece& tag = sheet_.tag("waits", {cx, room.y + room.h / 2}, size,
                                    static_cast<std::uint8_t>(at.waiting[i]));
            tag.dashed = true;
            during(step, tag);
        }
    }

    Text why_of(const FloorMoment& at) const {
        const Texts& text = ask_.text;
        if (at.waiting.empty()) return text["figure.arena.nobody"_t];
        if (!at.wanted || sheet_.is_narrow()) return text["figure.arena.waits"_t];
        const Wanted& wanted = *at.wanted;
        std::uint64_t rest = 0, largest = 0;
        for (const Gap& gap : gaps_of(at, facts_.slots))
            rest += gap.count, largest = std::max(largest, gap.count);
        const TextId id = rest == 0                     ? "figure.arena.no_slot"_t
                          : largest < wanted.slots      ? "figure.arena.no_gap"_t
                          : wanted.piece > wanted.slots ? "figure.arena.no_piece"_t
                                                        : "figure.arena.too_few"_t;
        return fill(text[id], {{"request", Text(facts_.requests[at.waiting.front()].name)},
                               {"n", with_commas(wanted.slots)},
                               {"piece", with_commas(wanted.piece)},
                               {"gap", with_commas(largest)},
                               {"longest", with_commas(wanted.longest)}});
    }

    void ended(const ArenaFacts::Rule& rule) {
        const auto last = static_cast<std::uint32_t>(rule.steps.size());
        if (last > last_) return;
        const float right = x(facts_.slots) + 4;
        Piece& words = sheet_.words("ended", strip(0, facts_.slots),
                                    {{ask_.text["figure.arena.ended"_t], Font::Regular, 15},
                                     {with_commas(last), Font::MonoBold, 17, Ink::Strong, 6}},
                                    Edge::Center);
        words.from = last + 1;
        Piece& count = sheet_.words(
            "ended.count", {right, strip_top(), sheet_.right() - right, strip_},
            {{with_commas(last), Font::MonoBold, sheet_.is_low() ? 26.0f : 40.0f, Ink::Strong}},
            Edge::Right);
        count.from = last + 1;
        Piece& word = sheet_.words(
            "ended.word", {right - 30, strip_top() + strip_ + 3, sheet_.right() - right + 30, 20},
            {{ask_.text["figure.arena.steps"_t], Font::Regular,
              sheet_.is_narrow() ? 12.0f : 13.0f}},
            Edge::Right);
        word.from = last + 1;
    }

    static void during(std::uint32_t step, Piece& piece) { piece.from = piece.until = step; }

    void foot() {
        const Texts& text = ask_.text;
        const float y = sheet_.bottom() - 20;
        const bool narrow = sheet_.is_narrow();
        const float room = narrow ? 136 : 172, gap = narrow ? 196 : 222,
                    left = narrow ? sheet_.left() : x(0);
        sheet_.legend(left, y,
                      {{Look::Fresh, text["figure.arena.holds"_t], room - 10, 3},
                       {Look::Reserved, text["figure.arena.reserved"_t], room, 3},
                       {Look::NeverUsed, text["figure.arena.never"_t], room - 20},
                       {Look::Gap, text["figure.arena.gap"_t], gap}});
        if (!ask_.revealed || !facts_.end_of) return;
        const ArenaFacts::Rule& asked = facts_.rules[*facts_.end_of];
        const Text end = with_commas(asked.steps.size());
        const bool differs = !ask_.said.empty() && ask_.said != end;
        const float from = left + 3 * room - 30 + gap + 8;
        Piece& answer = sheet_.words(
            "answer", {from, narrow ? y - 8 : y, sheet_.right() - from, narrow ? 32.0f : 20.0f},
            {{fill(text[differs ? "figure.arena.said"_t : "figure.arena.answer.end"_t],
                   {{"rule", Text(std::string(name_of(asked.kind)))},
                    {"n", end},
                    {"said", ask_.said}}),
              Font::Semibold, 13, Ink::Strong}},
            Edge::Right);
        answer.from = static_cast<std::uint32_t>(asked.steps.size());
        if (narrow) answer.pitch = 16;
    }

    const ArenaFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float names_ = 0, pitch_ = 1, row_ = 0, strip_ = 0, y_ = 0;
    std::uint32_t last_ = 0;  // step that is drawn
};

}  // namespace

// The key behind the last step says when each rule was done.
Keys keys_of(const ArenaFacts& facts) {
    return {.first = 1, .opens = facts.step, .last = facts.until, .end = facts.longest() + 1};
}

Plan layout_arena(const ArenaFacts& facts, const Ask& ask) {
    return ArenaPlan(facts, ask).plan();
}

}  // namespace kv::figure
