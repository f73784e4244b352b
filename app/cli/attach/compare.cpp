#include "app/cli/attach/compare.hpp"

#include "app/cli/terminal/columns.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

using Both = std::array<std::optional<TankFacts>, 2>;

std::string percent_text(const std::optional<double>& share) {
    return share ? fixed(100 * *share, 1) + " %" : "-";
}
std::string seconds_or_none(const std::optional<double>& seconds) {
    return seconds ? significant(*seconds, 3) + " s" : "-";
}

// What was counted while batches were missing is about right.
std::string count_text(const TankFacts& facts, std::uint64_t n) {
    return (facts.exact ? "" : "about ") + with_commas(n);
}

template <class Write>
TextRow row_of(const char* what, const Both& both, const Write& write) {
    TextRow row{what};
    for (const auto& facts : both) row.push_back(facts ? write(*facts) : "-");
    return row;
}

}  // namespace

std::optional<TankFacts> facts_of(const SideSeen& side) {
    if (side.tank == nullptr) return std::nullopt;
    PictureAsk ask;
    if (side.rank) ask.ranks = {*side.rank};
    ask.most_texels = 1, ask.most_bars = 1, ask.most_rows = 1;
    return tank_facts_of(tank_picture_of(*side.tank, ask, side.input->pool), side.rank);
}

std::array<SideSeen, 2> ranks_seen(const AttachInput& input, const Tank& tank,
                                   const std::vector<StreamStatus>& streams) {
    SideSeen one{.name = input.address, .input = &input, .tank = &tank, .streams = &streams};
    one.rank = 0;
    SideSeen other = one;
    other.rank = input.against_rank;
    return {one, other};
}

std::string compared_text(const std::array<SideSeen, 2>& sides) {
    const Both both{facts_of(sides[0]), facts_of(sides[1])};
    TextRow head{"compared"};
    for (std::size_t i = 0; i < 2; ++i)
        head.push_back(sides[i].rank ? "rank " + std::to_string(*sides[i].rank)
                                     : std::string(i == 0 ? "left" : "right"));
    const auto count = [&](const char* what, std::uint64_t TankFacts::*n) {
        return row_of(what, both, [&](const TankFacts& f) { return count_text(f, f.*n); });
    };
    const auto share = [&](const char* what, std::optional<double> TankFacts::*x) {
        return row_of(what, both, [&](const TankFacts& f) { return percent_text(f.*x); });
    };
    const auto seconds = [&](const char* what, std::optional<double> TankFacts::*x) {
        return row_of(what, both, [&](const TankFacts& f) { return seconds_or_none(f.*x); });
    };
    return aligned_columns({head, count("blocks cached", &TankFacts::cached),
                            share("server's usage", &TankFacts::usage),
                            share("prefix hit rate, last minute", &TankFacts::hit_rate),
                            share("needed again and still there", &TankFacts::found_share),
                            seconds("lifetime, median", &TankFacts::lifetime_s),
                            seconds("idle before removal, median", &TankFacts::idle_s),
                            count("blocks removed", &TankFacts::blocks_removed),
                            count("tokens computed again", &TankFacts::tokens_again),
                            row_of("batches missed for good", both,
                                   [](const TankFacts& f) { return with_commas(f.missed); })});
}

}  // namespace kv
