#include "app/panels/compare_servers/words.hpp"

#include <cmath>

#include "app/panels/attach/plan.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

Text percent(double share, const Texts& text) {
    return fill(text["attach.percent"_t], {{"n", fixed(100 * share, 1)}});
}

void append(List<SentencePiece>& sentence, const List<SentencePiece>& more) {
    if (!sentence.empty()) sentence.push_back({" ", false});
    sentence.insert(sentence.end(), more.begin(), more.end());
}

// Both values once where they are the same as they are written.
void say(List<SentencePiece>& sentence, const Texts& text, TextId differ, TextId same,
         const Text& left, const Text& right) {
    if (left == right)
        append(sentence, pieces(text[same], {{"both", left}}));
    else
        append(sentence, pieces(text[differ], {{"left", left}, {"right", right}}));
}

// A count of a side whose batches are not all there.
Text about(const TankFacts& facts, const Text& n, const Texts& text) {
    return facts.exact ? n : fill(text["servers.about"_t], {{"n", n}});
}

// clang 14 loses an id that stands in a template.
constexpr TextId kSame = "servers.same"_t, kMore = "servers.more"_t, kLess = "servers.less"_t,
                 kNotKnown = "servers.not_known"_t;

// Rows of one unit: how it is written, and what stands between both.
class RowsOfTwo {
public:
    RowsOfTwo(const Texts& text, const TankFacts& left, const TankFacts& right)
        : text_(text), left_(left), right_(right) {}

    void count(TextId what, std::uint64_t left, std::uint64_t right) {
        add(what, NumberSource::Exact, with_commas(left), with_commas(right),
            apart(
                left, right, [](std::uint64_t n) { return Text(with_commas(n)); }, left == right));
    }
    void share(TextId what, NumberSource source, const std::optional<double>& left,
               const std::optional<double>& right) {
        real(
            what, source, left, right, [&](double share) { return percent(share, text_); },
            [&](double share) {
                return fill(text_["servers.points"_t], {{"n", fixed(100 * share, 1)}});
            });
    }
    void seconds(TextId what, const std::optional<double>& left,
                 const std::optional<double>& right) {
        const auto write = [](double s) { return age_of(s); };
        real(what, NumberSource::Exact, left, right, write, write);
    }
    List<ServersRow> take() { return std::move(rows_); }

private:
    template <class Value, class Write>
    Text apart(Value left, Value right, const Write& write, bool is_same) const {
        if (is_same) return text_[kSame];
        const Text far = write(right > left ? right - left : left - right);
        return fill(text_[right > left ? kMore : kLess], {{"n", far}});
    }
    // What is the same as it is written is the same.
    template <class Write, class Apart>
    void real(TextId what, NumberSource source, const std::optional<double>& left,
              const std::optional<double>& right, const Write& write, const Apart& write_apart) {
        const auto one = [&](const std::optional<double>& value) {
            return value ? Text(write(*value)) : Text(text_[kNotKnown]);
        };
        add(what, source, one(left), one(right),
            left && right ? apart(*left, *right, write_apart, write(*left) == write(*right))
                          : Text(),
            left && right);
    }
    NumberSource of(NumberSource source, const TankFacts& facts) const {
        return source == NumberSource::Exact && !facts.exact ? NumberSource::ExactInGap : source;
    }
    void add(TextId what, NumberSource source, const Text& left, const Text& right,
             const Text& apart, bool is_known = true) {
        rows_.push_back({.what = text_[what],
                         .left = left,
                         .right = right,
                         .apart = apart,
                         .left_from = of(source, left_),
                         .right_from = of(source, right_),
                         .is_known = is_known});
    }

    const Texts& text_;
    const TankFacts &left_, &right_;
    List<ServersRow> rows_;
};

std::optional<double> cached_share(const TankFacts& facts) {
    if (!facts.pool || *facts.pool == 0) return std::nullopt;
    return static_cast<double>(facts.cached) / static_cast<double>(*facts.pool);
}

}  // namespace

TankFacts facts_of(const ServerView& view) {
    return tank_facts_of(view.tank, view.rank);
}

Text name_of_server(const ServerView& view, const Texts& text) {
    return fill(text["servers.name"_t],
                {{"address", view.address}, {"rank", std::to_string(view.rank)}});
}

List<SentencePiece> servers_sentence(const ServerView& left, const ServerView& right,
                                     const Texts& text) {
    if (left.events == 0 || right.events == 0) {
        const bool neither = left.events == 0 && right.events == 0;
        return pieces(text[neither            ? "servers.neither"_t
                           : left.events == 0 ? "servers.left_silent"_t
                                              : "servers.right_silent"_t],
                      {});
    }
    const TankFacts a = facts_of(left), b = facts_of(right);
    List<SentencePiece> sentence;
    say(sentence, text, "servers.cached"_t, "servers.cached.same"_t,
        about(a, with_commas(a.cached), text), about(b, with_commas(b.cached), text));
    if (a.hit_rate && b.hit_rate)
        say(sentence, text, "servers.hits"_t, "servers.hits.same"_t, percent(*a.hit_rate, text),
            percent(*b.hit_rate, text));
    else if (a.found_share && b.found_share)
        say(sentence, text, "servers.found"_t, "servers.found.same"_t,
            about(a, percent(*a.found_share, text), text),
            about(b, percent(*b.found_share, text), text));
    if (a.lifetime_s && b.lifetime_s)
        say(sentence, text, "servers.life"_t, "servers.life.same"_t,
            about(a, age_of(*a.lifetime_s), text), about(b, age_of(*b.lifetime_s), text));
    return sentence;
}

List<ServersRow> servers_rows(const ServerView& left, const ServerView& right, const Texts& text) {
    const TankFacts a = facts_of(left), b = facts_of(right);
    RowsOfTwo rows(text, a, b);
    rows.count("servers.row.cached"_t, a.cached, b.cached);
    rows.share("servers.row.pool"_t, NumberSource::Sampled, cached_share(a), cached_share(b));
    rows.share("servers.row.usage"_t, NumberSource::Sampled, a.usage, b.usage);
    rows.share("servers.row.hits"_t, NumberSource::Sampled, a.hit_rate, b.hit_rate);
    rows.share("servers.row.found"_t, NumberSource::Exact, a.found_share, b.found_share);
    rows.seconds("servers.row.life"_t, a.lifetime_s, b.lifetime_s);
    rows.seconds("servers.row.idle"_t, a.idle_s, b.idle_s);
    rows.count("servers.row.removed"_t, a.blocks_removed, b.blocks_removed);
    rows.count("servers.row.again"_t, a.tokens_again, b.tokens_again);
    rows.count("servers.row.missed"_t, a.missed, b.missed);
    return rows.take();
}

}  // namespace kv
