// A radix tree from left to right, a chip for each token: before a request comes, and after it. The
// keys are what the tree does: it matches, it splits a node, it locks a path, it writes a leaf.

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/pool/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr float kTreeHead = 40, kMostTreeRow = 110, kMostNode = 46, kRootWide = 14;
constexpr std::uint32_t kMatch = 1, kSplit = 2, kLock = 3, kWrite = 4, kGoes = 5;

// How large chips are; where a tree is too wide, they are smaller and then fewer.
struct ChipSize {
    float font = 16, pad = 14, gap = 84;
    std::size_t most = 64;  // words of a node that are drawn
};

class RadixPlan {
public:
    RadixPlan(const RadixFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        const bool one = facts_.is_one;
        sheet_.header(text[one ? "figure.radix.title.one"_t : "figure.radix.title"_t], how());
        fit();
        const std::size_t rows = n_rows(facts_.before) + (one ? 0 : n_rows(facts_.after));
        comes_ = one ? 0 : sheet_.is_low() ? 30.0f : 50.0f;
        const float heads = one ? kTreeHead : 2 * kTreeHead + 14 + comes_;
        row_ = std::min(kMostTreeRow,
                        (sheet_.bottom() - sheet_.top() - heads) / static_cast<float>(rows));
        box_ = std::min(row_ * 0.54f, kMostNode);
        after_ = false, top_ = sheet_.top();
        head(facts_.before, one ? "figure.radix.now"_t : "figure.radix.before"_t);
        tree(facts_.before);
        if (one) return sheet_.take();
        parting();
        for (const TextId key :
             {"figure.radix.key.match"_t, "figure.radix.key.split"_t, "figure.radix.key.lock"_t,
              "figure.radix.key.write"_t, "figure.radix.key.goes"_t})
            if (sheet_.key_names().size() < last_key()) sheet_.key_names().push_back(text[key]);
        const float end = top_ + kTreeHead + row_ * static_cast<float>(n_rows(facts_.before));
        comes(end);
        const float line = end + comes_ + 4;
        after_ = true, top_ = line + 10;
        sheet_.rule(line);
        if (last_key() < kSplit) {
            to_come();
            return sheet_.take();
        }
        head(facts_.after, "figure.radix.after"_t);
        tree(facts_.after);
        return sheet_.take();
    }

private:
    std::uint32_t end_key() const { return facts_.tells_first ? kGoes : kWrite; }
    std::uint32_t last_key() const { return ask_.revealed ? end_key() : facts_.open; }
    std::uint8_t hue() const { return static_cast<std::uint8_t>(facts_.which); }

    Text how() const {
        return facts_.block_size == 1 ? Text(ask_.text["figure.radix.how"_t])
                                      : fill(ask_.text["figure.radix.how.blocks"_t],
                                             {{"n", with_commas(facts_.block_size)}});
    }

    // ---- Sizes: the same in both trees.

    float chip_wide(const std::string& word) const {
        return std::max(size_.font * 1.3f, 0.58f * size_.font * static_cast<float>(word.size())) +
               size_.pad;
    }
    std::size_t drawn(const RadixFacts::Node& node) const {
        return node.words.size() <= size_.most ? node.words.size() : size_.most - 1;
    }
    bool ends_block(const RadixFacts::Node& node, std::size_t i) const {
        return facts_.block_size > 1 && (i + 1) % facts_.block_size == 0 &&
               i + 1 < node.words.size();
    }
    float block_gap() const { return size_.pad * 0.7f; }
    // The way from the left edge of the node to the left edge of its i-th chip.
    float chip_at(const RadixFacts::Node& node, std::size_t i) const {
        float x = 5;
        for (std::size_t k = 0; k < i; ++k)
            x += chip_wide(node.words[k]) + 4 + (ends_block(node, k) ? block_gap() : 0);
        return x;
    }
    float wide(const RadixFacts::Node& node) const {
        const std::size_t n = drawn(node);
        float x = chip_at(node, n) + 1;
        if (n > 0 && ends_block(node, n - 1)) x -= block_gap();
        if (n < node.words.size()) x += more_wide();
        return x;
    }
    float more_wide() const { return 3.2f * size_.font; }

    static bool has_root(const RadixFacts::Tree& tree) {
        return std::count_if(tree.nodes.begin(), tree.nodes.end(),
                             [](const RadixFacts::Node& n) { return !n.parent; }) > 1;
    }
    float left_of(const RadixFacts::Tree& tree, std::size_t i) const {
        const RadixFacts::Node& node = tree.nodes[i];
        if (node.parent)
            return left_of(tree, *node.parent) + wide(tree.nodes[*node.parent]) + size_.gap;
        return sheet_.left() + (has_root(tree) ? kRootWide + size_.gap * 0.7f : 0);
    }
    float widest(const RadixFacts::Tree& tree) const {
        float right = 0;
        for (std::size_t i = 0; i < tree.nodes.size(); ++i)
            right = std::max(right, left_of(tree, i) + wide(tree.nodes[i]));
        return right;
    }
    void fit() {
        const auto fits = [&] {
            return std::max(widest(facts_.before), widest(facts_.after)) <= sheet_.right();
        };
        for (const ChipSize& size : {ChipSize{20, 18, 90, 64}, ChipSize{18, 16, 88, 64}, ChipSize{},
                                     ChipSize{15, 12, 64, 64}, ChipSize{14, 10, 52, 64},
                                     ChipSize{13, 8, 44, 64}, ChipSize{12, 6, 36, 64}}) {
            size_ = size;
            if (fits()) return;
        }
        while (size_.most > 2 && !fits()) --size_.most;
    }

    // A leaf has a row; a node stands in that of its first child.
    static std::size_t n_rows(const RadixFacts::Tree& tree) {
        const auto n = static_cast<std::size_t>(
            std::count_if(tree.nodes.begin(), tree.nodes.end(),
                          [](const RadixFacts::Node& node) { return node.is_leaf; }));
        return std::max<std::size_t>(1, n);
    }
    std::size_t leaves_of(const RadixFacts::Tree& tree, std::size_t i) const {
        if (tree.nodes[i].is_leaf) return 1;
        std::size_t n = 0;
        for (std::size_t k = i + 1; k < tree.nodes.size(); ++k)
            if (tree.nodes[k].parent == i) n += leaves_of(tree, k);
        return n;
    }
    std::size_t row_of(const RadixFacts::Tree& tree, std::size_t i) const {
        std::size_t row = tree.nodes[i].parent ? row_of(tree, *tree.nodes[i].parent) : 0;
        for (std::size_t k = 0; k < i; ++k)
            if (tree.nodes[k].parent == tree.nodes[i].parent) row += leaves_of(tree, k);
        return row;
    }
    Rect place(const RadixFacts::Tree& tree, std::size_t i) const {
        return {left_of(tree, i), top_ + kTreeHead + row_ * static_cast<float>(row_of(tree, i)),
                wide(tree.nodes[i]), box_};
    }

    // ---- What is drawn.

    // Whether a node is on the path of the request. In the tree after, what the request made its
    // own comes key by key.
    bool on_path(const RadixFacts::Node& node) const {
        return after_ &&
               std::any_of(node.holders.begin(), node.holders.end(),
                           [&](const auto& h) { return h.request == facts_.which; }) &&
               node.locks > 0;
    }
    bool is_fresh(const RadixFacts::Node& node) const {
        return on_path(node) && node.first >= facts_.matched;
    }
    bool is_rest(const RadixFacts::Node& node) const {
        const RadixFacts::Node* cut = facts_.cut();
        return after_ && cut != nullptr && cut->id == node.id;
    }

    // The text of who comes, under the tree that it is held against.
    void comes(float y) {
        const float high = std::min(box_, comes_ - 12), tag = sheet_.is_low() ? 15 : 20;
        float x = sheet_.left() + tag + 8;
        sheet_.tag("comes", {sheet_.left() + tag / 2, y + high / 2}, tag, hue());
        for (std::size_t i = 0; i < facts_.asked.size(); ++i) {
            const bool ends = facts_.block_size > 1 && (i + 1) % facts_.block_size == 0;
            const float wide = chip_wide(facts_.asked[i]);
            const bool last = i + 1 == facts_.asked.size();
            if (x + wide > sheet_.right() - (last ? 0 : 30)) {
                sheet_.words("comes.more", {x, y, 28, high}, {{"...", Font::Bold, 14, Ink::Quiet}});
                return;
            }
            Piece& chip = sheet_.box("comes.chip", {x, y, wide, high}, Look::Pill,
                                     {{Text(facts_.asked[i]), Font::Regular,
                                       std::min(size_.font, high * 0.6f), Ink::Strong}});
            chip.radius = 4, chip.names = true;
            x += wide + 4 + (ends ? block_gap() : 0);
        }
    }

    // The room of the tree after, while it is asked.
    void to_come() {
        sheet_.block_head("tree", top_, kTreeHead - 10, ask_.text["figure.radix.after"_t], Text());
        const float high = row_ * static_cast<float>(n_rows(facts_.after)) - row_ * 0.3f;
        sheet_.box("asked", {sheet_.left(), top_ + kTreeHead, sheet_.width(), high},
                   Look::TurnedAway, {{"?", Font::MonoBold, 24, Ink::Quiet}});
    }

    void head(const RadixFacts::Tree& tree, TextId name) {
        const Texts& text = ask_.text;
        const std::uint32_t from = after_ ? kSplit : 0;
        const Text said =
            facts_.is_one || !after_
                ? fill(text["figure.radix.step"_t], {{"step", with_commas(tree.step)}})
                : fill(text["figure.radix.came"_t], {{"step", with_commas(tree.step)},
                                                     {"request", Text(facts_.request)},
                                                     {"found", with_commas(facts_.matched)},
                                                     {"fresh", with_commas(facts_.fresh)}});
        const float right = sheet_.is_narrow() ? 230 : 330;
        Piece& words = sheet_.block_head("tree", top_, kTreeHead - 10, text[name], said);
        words.rect.w = sheet_.width() - right, words.from = from;
        words.names = true;
        const std::uint32_t held_from = after_ ? kWrite : 0;
        if (after_ && last_key() < kWrite) return;
        const float strip = sheet_.is_narrow() ? 100 : 170;
        const Rect bar{sheet_.right() - strip, top_ + 8, strip, 14};
        sheet_
            .words("held", {sheet_.right() - right, top_, right - strip - 10, kTreeHead - 10},
                   {{fill(text[facts_.block_size == 1 ? "figure.radix.held"_t
                                                      : "figure.radix.held.blocks"_t],
                          {{"n", with_commas(tree.held)}, {"all", with_commas(facts_.blocks)}}),
                     Font::Regular, sheet_.is_narrow() ? 12.0f : 14.0f}},
                   Edge::Right)
            .from = held_from;
        for (std::uint32_t i = 0; i < facts_.blocks && facts_.blocks <= 64; ++i) {
            const float pitch = bar.w / static_cast<float>(facts_.blocks);
            Piece& cell = sheet_.box(
                "held.cell",
                {bar.x + pitch * static_cast<float>(i), bar.y, std::max(1.0f, pitch - 1), bar.h},
                i < tree.held ? Look::Amount : Look::Free);
            cell.from = held_from, cell.radius = 0;
        }
    }

    void tree(const RadixFacts::Tree& tree) {
        wires(tree);
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
            const RadixFacts::Node& node = tree.nodes[i];
            if (is_fresh(node) && last_key() < kWrite) continue;
            const std::uint32_t from = !after_ ? 0 : is_fresh(node) ? kWrite : kSplit;
            this->node(place(tree, i), node, from);
            below(place(tree, i), node, from);
        }
    }

    // Draws wires from a node to the right, down, and to each of its children.
    void wires(const RadixFacts::Tree& tree) {
        if (has_root(tree)) {
            const float y = top_ + kTreeHead + box_ / 2;
            Piece& root = sheet_.box(
                "root", {sheet_.left(), y - kRootWide / 2, kRootWide, kRootWide}, Look::Outline);
            root.from = after_ ? kSplit : 0;
            root.radius = kRootWide / 2;
            root.caption = ask_.text["figure.radix.root"_t];
        }
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
            const RadixFacts::Node& node = tree.nodes[i];
            if (!node.parent && !has_root(tree)) continue;
            if (is_fresh(node) && last_key() < kWrite) continue;
            const Rect to = place(tree, i);
            const float begin =
                node.parent ? place(tree, *node.parent).right() : sheet_.left() + kRootWide;
            const float from_y =
                node.parent ? place(tree, *node.parent).center().y : top_ + kTreeHead + box_ / 2;
            const float bend = to.x - size_.gap * 0.45f;
            List<Vec2> points{{begin, from_y}, {bend, from_y}};
            if (to.center().y != from_y) points.push_back({bend, to.center().y});
            points.push_back({to.x, to.center().y});
            const bool mine = on_path(node);
            const std::uint32_t from = !after_ ? 0 : is_fresh(node) ? kWrite : kSplit;
            Piece& plain = sheet_.wire("wire", points, false);
            plain.width = 1.4f, plain.look = Look::Outline, plain.from = from;
            if (!mine || last_key() < kLock) continue;
            Piece& locked = sheet_.wire("wire.locked", points, false);
            locked.width = 3, locked.look = Look::Key, locked.hue = hue();
            locked.from = std::max<std::uint32_t>(from, kLock);
        }
    }

    void node(const Rect& at, const RadixFacts::Node& node, std::uint32_t from) {
        // The rest of a node that was split slides away from its front.
        const Vec2 slide{is_rest(node) ? -size_.gap : 0, 0};
        Piece& frame = sheet_.box("node", at, Look::Config);
        frame.from = from, frame.slide = slide;
        frame.caption =
            fill(ask_.text["figure.radix.node"_t],
                 {{"n", with_commas(node.words.size())}, {"first", with_commas(node.first)}});
        chips(at, node, 0, drawn(node), Look::Chip, Ink::Strong, from, slide);
        more(at, node, from, slide);
        if (!after_ && node.matched > 0 && last_key() >= kMatch)
            chips(at, node, 0, std::min<std::size_t>(node.matched, drawn(node)), Look::Reserved,
                  Ink::Strong, kMatch, {});
        if (!on_path(node) || last_key() < kLock) return;
        const std::uint32_t locked = std::max<std::uint32_t>(from, kLock);
        Piece& lock = sheet_.box("node.locked", at, Look::LockedNode);
        lock.from = locked, lock.hue = hue(), lock.radius = 4;
        chips(at, node, 0, drawn(node), is_fresh(node) ? Look::Fresh : Look::Reserved,
              is_fresh(node) ? Ink::OnHue : Ink::Strong, locked, {});
        more(at, node, locked, {});
    }

    // So many tokens more than are drawn.
    void more(const Rect& at, const RadixFacts::Node& node, std::uint32_t from, Vec2 slide) {
        if (drawn(node) == node.words.size()) return;
        Piece& more = sheet_.words("more", {at.right() - more_wide() - 4, at.y, more_wide(), at.h},
                                   {{fill(ask_.text["figure.radix.more"_t],
                                          {{"n", with_commas(node.words.size() - drawn(node))}}),
                                     Font::Regular, 12, Ink::Quiet}},
                                   Edge::Center);
        more.from = from, more.slide = slide, more.names = true;
    }

    void chips(const Rect& at, const RadixFacts::Node& node, std::size_t first, std::size_t end,
               Look look, Ink ink, std::uint32_t from, Vec2 slide) {
        for (std::size_t i = first; i < end; ++i) {
            Piece& chip = sheet_.box(
                "chip", {at.x + chip_at(node, i), at.y + 5, chip_wide(node.words[i]), at.h - 10},
                look,
                {{Text(node.words[i]), look == Look::Fresh ? Font::Semibold : Font::Regular,
                  std::min(size_.font, at.h * 0.52f), ink}});
            chip.radius = 2, chip.from = from, chip.slide = slide, chip.hue = hue();
            chip.names = true;
        }
    }

    // Says below a node who has it, when it was used last, and what that means for who goes first.
    // Where the next node is near, the words take two lines, or as much of one as there is room
    // for.
    void below(const Rect& at, const RadixFacts::Node& node, std::uint32_t from) {
        const Texts& text = ask_.text;
        const float size = sheet_.is_low() ? 12 : 13, line = sheet_.is_low() ? 15 : 19;
        const float y = at.bottom() + 3, tag = sheet_.is_low() ? 13 : 16;
        const Vec2 slide{is_rest(node) ? -size_.gap : 0, 0};
        if (on_path(node) && last_key() < kLock) return;
        const std::uint32_t held_from = on_path(node) ? std::max(from, kLock) : from;
        float x = at.x;
        for (const RadixFacts::Holder& holder : node.holders) {
            if (!node.is_leaf && node.locks == 0) break;
            Piece& sign = sheet_.tag("holder", {x + tag / 2, y + line / 2}, tag,
                                     static_cast<std::uint8_t>(holder.request));
            sign.look = holder.has_ended ? Look::Kept : Look::None;
            sign.from = held_from, sign.slide = slide;
            x += tag + 4;
        }
        const bool asked = facts_.tells_first && is_rest(node);
        const Word used{text["figure.radix.used"_t], Font::Regular, size, Ink::Plain, 2};
        const Word step{
            fill(text["figure.radix.step.low"_t], {{"step", with_commas(node.last_used)}}),
            Font::MonoBold, size, Ink::Strong, 5};
        const Word locked{text["figure.radix.locked"_t], Font::Regular, size, Ink::Strong, 10};
        List<Word> words{used};
        if (!node.parent && !node.salt.empty())
            words.insert(words.begin(),
                         {fill(text["figure.radix.salt"_t], {{"salt", Text(node.salt)}}),
                          Font::Semibold, size, Ink::Strong, 2}),
                words[1].gap = 12;
        if (!asked) words.push_back(step);
        if (node.locks > 0) words.push_back(locked);
        const float room = node.is_leaf ? sheet_.right() - x : at.right() + size_.gap * 0.5f - x;
        const auto say = [&](List<Word> said, const Rect& where) {
            Piece& piece = sheet_.words("used", where, std::move(said));
            piece.from = held_from, piece.slide = slide, piece.names = true;
        };
        const float said = written(words);
        if (said <= room || asked) {
            say(words, {x, y, std::min(said + 12, room), line});
        } else if (row_ - box_ >= 2 * line + 4) {
            say({used}, {x, y, room, line});
            List<Word> under{step};
            if (node.locks > 0) under.push_back(locked);
            say(under, {at.x - 5, y + line, at.right() + size_.gap * 0.5f - at.x, line});
        } else if (written({step}) <= room) {
            say({step}, {x, y, room, line});
        }
        if (asked) hidden_use({x + said + 12, y, 96, line}, node, from);
        if (!after_ || !facts_.tells_first || !node.goes_first || last_key() < kGoes) return;
        Piece& ring = sheet_.box("goes", {at.x - 4, at.y - 4, at.w + 8, at.h + 8}, Look::WrongLine);
        ring.from = kGoes;
        const float left = x + said + 112;
        Piece& goes =
            sheet_.words("goes.words", {left, y, sheet_.right() - left, line},
                         {{text["figure.radix.goes"_t], Font::Semibold, size, Ink::Loss}});
        goes.from = kGoes;
    }
    static float written(const List<Word>& words) {
        float w = 0;
        for (const Word& word : words) {
            const bool mono = word.font == Font::Mono || word.font == Font::MonoBold;
            w +=
                word.gap + static_cast<float>(word.text.size()) * word.size * (mono ? 0.61f : 0.5f);
        }
        return w;
    }

    // A match is a use of the front; what that means for the rest is what the lesson asks.
    void hidden_use(const Rect& at, const RadixFacts::Node& node, std::uint32_t from) {
        Piece& open = sheet_.box("use.asked", {at.x, at.y, 36, at.h}, Look::TurnedAway,
                                 {{"?", Font::MonoBold, 13, Ink::Strong}});
        open.from = from;
        if (last_key() < kGoes) return;
        open.until = kWrite;
        Piece& used = sheet_.words(
            "use.told", at,
            {{fill(ask_.text["figure.radix.step.low"_t], {{"step", with_commas(node.last_used)}}),
              Font::MonoBold, 13, Ink::Strong}});
        used.from = kGoes, used.names = true;
    }

    // Marks where the text of the request leaves that of the node.
    void parting() {
        const RadixFacts::Node* cut = facts_.cut();
        for (std::size_t i = 0; i < facts_.before.nodes.size(); ++i) {
            const RadixFacts::Node& node = facts_.before.nodes[i];
            const bool has_alike = facts_.alike > node.first &&
                                   facts_.alike < node.first + node.words.size() &&
                                   facts_.alike != facts_.matched;
            if (has_alike) line(i, facts_.alike - node.first, 0, "figure.radix.parts"_t, false);
            if (&node == cut && last_key() >= kMatch)
                line(i, node.matched, kMatch,
                     has_alike ? "figure.radix.found"_t : "figure.radix.parts"_t, true);
        }
    }
    void line(std::size_t i, std::size_t token, std::uint32_t from, TextId words, bool strong) {
        const RadixFacts::Node& node = facts_.before.nodes[i];
        if (token > drawn(node)) return;
        const Rect at = place(facts_.before, i);
        const float gap = ends_block(node, token - 1) ? block_gap() : 0;
        const float x = at.x + chip_at(node, token) - 2 - gap / 2;
        const float line = sheet_.is_low() ? 15 : 19, bottom = at.bottom() + line + 6;
        Piece& cut =
            sheet_.wire("cut", {{x, at.y - 8}, {x, strong ? bottom : at.bottom() + 4}}, false);
        cut.dashed = true, cut.width = strong ? 2.0f : 1.4f, cut.from = from;
        // Above, the words stand clear of the name of the tree; below, of those of the node, which
        // begin at its left edge.
        const float used = 20 * static_cast<float>(node.holders.size()) + 124;
        const float below = std::max(x + 7, at.x + used);
        Piece& said =
            sheet_.words("cut.words",
                         strong ? Rect{below, at.bottom() + 3, sheet_.right() - below, line}
                                : Rect{std::max(x + 6, sheet_.left() + 132), at.y - 24, 220, 16},
                         {{fill(ask_.text[words], {{"request", Text(facts_.request)}}),
                           Font::Semibold, sheet_.is_low() ? 12.0f : 13.0f, Ink::Strong}});
        said.names = true;
        said.from = from;
    }

    const RadixFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    ChipSize size_;
    bool after_ = false;
    float top_ = 0, row_ = 0, box_ = 0, comes_ = 0;
};

}  // namespace

Keys keys_of(const RadixFacts& facts) {
    if (facts.is_one) return {.first = 1, .opens = 1, .last = 1, .end = 1};
    const std::uint32_t end = facts.tells_first ? kGoes : kWrite;
    return {.first = std::min<std::uint32_t>(kMatch, facts.open),
            .opens = facts.open,
            .last = facts.open,
            .end = end};
}

Plan layout_radix(const RadixFacts& facts, const Ask& ask) {
    return RadixPlan(facts, ask).plan();
}

}  // namespace kv::figure
