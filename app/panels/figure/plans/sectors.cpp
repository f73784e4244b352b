// The keys of a layer in memory, twice in each order: once with what an append writes, once with
// what a read of one head wants. Below each strip the sectors that are touched for it.

#include <algorithm>
#include <set>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr std::uint64_t kSector = 32;
constexpr float kOrderHead = 30, kKeyStrip = 40, kSectorStrip = 22;

enum : std::uint32_t { kOneOrder = 1, kBothOrders = 2 };

class SectorsPlan {
public:
    SectorsPlan(const SectorsFacts& facts, const Ask& ask)
        : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        const KvLayout& layout = facts_.token_major;
        sheet_.header(
            fill(text["figure.sectors.title"_t], {{"tokens", with_commas(layout.block_size)},
                                                  {"heads", with_commas(layout.n_kv_heads)}}),
            fill(text["figure.sectors.how"_t],
                 {{"bytes", with_commas(layout.k.bytes)}, {"sector", with_commas(kSector)}}));
        const bool other = facts_.other == FigureWhen::Now || ask_.revealed;
        const float half = std::min(300.0f, (sheet_.bottom() - 30 - sheet_.top()) / 2);
        order(sheet_.top(), half, facts_.token_major, "figure.sectors.token_major"_t,
              "figure.sectors.token_major.how"_t, kOneOrder, true);
        order(sheet_.top() + half, half, facts_.head_major, "figure.sectors.head_major"_t,
              "figure.sectors.head_major.how"_t, kOneOrder, other);
        sheet_.legend(sheet_.left(), sheet_.bottom() - 20,
                      {{Look::Fresh, text["figure.sectors.wanted"_t], 200},
                       {Look::Again, text["figure.sectors.touched"_t], 220}});
        for (const TextId key : {"figure.sectors.key.first"_t, "figure.sectors.key.other"_t})
            sheet_.key_names().push_back(text[key]);
        return sheet_.take();
    }

private:
    static std::uint64_t offset(const KvLayout& layout, std::uint32_t slot, std::uint32_t head) {
        return layout.vector_offset(LayerId(0), Side::K, HeadId(head), BlockId(0), Slot(slot));
    }

    void order(float y, float high, const KvLayout& layout, TextId name, TextId how,
               std::uint32_t from, bool touches) {
        const Texts& text = ask_.text;
        const bool late = touches && from == kOneOrder && &layout == &facts_.head_major &&
                          facts_.other != FigureWhen::Now;
        sheet_.block_head("order", y, kOrderHead, text[name], text[how]);
        const float each = (high - kOrderHead) / 2;
        const std::uint32_t at = late ? static_cast<std::uint32_t>(kBothOrders) : from;
        job(y + kOrderHead, each, layout, "figure.sectors.append"_t, true, touches, at);
        job(y + kOrderHead + each, each, layout, "figure.sectors.read"_t, false, touches, at);
    }

    // An append writes all heads of the last token, a read takes all tokens of the first head.
    void job(float y, float high, const KvLayout& layout, TextId name, bool is_append, bool touches,
             std::uint32_t from) {
        const float label = sheet_.is_narrow() ? 76 : 110, count = sheet_.is_narrow() ? 90 : 130;
        const float x = sheet_.left() + label, wide = sheet_.width() - label - count - 12;
        const float strip = std::min(kKeyStrip, high - kSectorStrip - 14);
        const std::uint64_t bytes =
            std::uint64_t{layout.k.bytes} * layout.block_size * layout.n_kv_heads;
        const auto place = [&](std::uint64_t byte) {
            return x + wide * static_cast<float>(byte) / static_cast<float>(bytes);
        };
        sheet_.words("job", {sheet_.left(), y, label - 10, strip},
                     {{ask_.text[name], Font::Regular, 14, Ink::Strong}}, Edge::Right);
        std::set<std::uint64_t> touched;
        for (std::uint32_t slot = 0; slot < layout.block_size; ++slot)
            for (std::uint32_t head = 0; head < layout.n_kv_heads; ++head) {
                const std::uint64_t begin = offset(layout, slot, head);
                const bool wanted = is_append ? slot + 1 == layout.block_size : head == 0;
                const float left = place(begin), right = place(begin + layout.k.bytes);
                Piece& vector = sheet_.box(wanted ? "wanted" : "vector",
                                           {left, y, std::max(2.0f, right - left - 2), strip},
                                           wanted ? Look::Fresh : Look::Free);
                vector.caption = fill(ask_.text["figure.sectors.vector"_t],
                                      {{"token", with_commas(slot)}, {"head", with_commas(head)}});
                if (!wanted) continue;
                for (std::uint64_t s = begin / kSector; s <= (begin + layout.k.bytes - 1) / kSector;
                     ++s)
                    touched.insert(s);
            }
        if (!touches) return;
        for (std::uint64_t s = 0; s * kSector < bytes; ++s) {
            const float left = place(s * kSector),
                        right = place(std::min(bytes, (s + 1) * kSector));
            Piece& sector =
                sheet_.box("sector", {left, y + strip + 4, right - left - 2, kSectorStrip - 8},
                           touched.contains(s) ? Look::Again : Look::Free);
            sector.from = from;
        }
        Piece& said = sheet_.words(
            "sectors", {sheet_.right() - count, y, count, strip},
            {{fill(ask_.text["figure.sectors.sectors"_t], {{"n", with_commas(touched.size())}}),
              Font::MonoBold, sheet_.is_narrow() ? 13.0f : 17.0f, Ink::Strong}},
            Edge::Right);
        said.from = from;
    }

    const SectorsFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
};

}  // namespace

Keys keys_of(const SectorsFacts& facts) {
    const std::uint32_t open = facts.other == FigureWhen::Now ? kBothOrders : kOneOrder;
    return {.first = kOneOrder, .opens = open, .last = open, .end = kBothOrders};
}

Plan layout_sectors(const SectorsFacts& facts, const Ask& ask) {
    return SectorsPlan(facts, ask).plan();
}

}  // namespace kv::figure
