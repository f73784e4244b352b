#pragma once
// The words of two servers that are compared.

#include "app/shell/texts/english_text.hpp"

namespace kv {

// clang-format off
inline constexpr auto kEnglishServers = std::to_array<EnglishText>({
    {"servers.nothing", "No two servers"},
    {"servers.nothing.why", "Watch a server under Attach, and compare it with one of its ranks, another server or a recording."},
    {"servers.name", "{address}, rank {rank}"},
    {"servers.where", "{moment}; {state}"},
    {"servers.scale", "to {oldest} ago on both sides, since the last use"},

    // What differs
    {"servers.cached", "Cached blocks: {left} left, {right} right."},
    {"servers.cached.same", "Cached blocks: {both} on both sides."},
    {"servers.hits", "Prefix hits, last minute: {left} left, {right} right."},
    {"servers.hits.same", "Prefix hits, last minute: {both} on both sides."},
    {"servers.found", "Needed again and still there: {left} left, {right} right."},
    {"servers.found.same", "Needed again and still there: {both} on both sides."},
    {"servers.life", "Median lifetime: {left} left, {right} right."},
    {"servers.life.same", "Median lifetime: {both} on both sides."},
    {"servers.about", "about {n}"},
    {"servers.neither", "Neither of both has said anything yet."},
    {"servers.left_silent", "The left one has said nothing yet."},
    {"servers.right_silent", "The right one has said nothing yet."},

    // Numbers
    {"servers.col.left", "left"},
    {"servers.col.right", "right"},
    {"servers.col.apart", "right, compared"},
    {"servers.more", "{n} more"},
    {"servers.less", "{n} less"},
    {"servers.points", "{n} {n:point|points}"},
    {"servers.same", "the same"},
    {"servers.not_known", "not known"},
    {"servers.row.cached", "Blocks cached"},
    {"servers.row.pool", "Of the pool, cached"},
    {"servers.row.usage", "Of the pool, in use"},
    {"servers.row.hits", "Prefix hit rate, last minute"},
    {"servers.row.found", "Needed again and still there"},
    {"servers.row.life", "Lifetime, median"},
    {"servers.row.idle", "Idle before removal, median"},
    {"servers.row.removed", "Blocks removed"},
    {"servers.row.again", "Tokens computed again"},
    {"servers.row.missed", "Batches missed for good"},

    // Curves
    {"servers.chart.hits", "of the last minute, at each poll"},
    {"servers.chart.usage", "Usage, as the server says"},
    {"servers.silent", "No curve yet"},
    {"servers.silent.why", "Neither server has stored or removed a block, and no metrics were read."},
    {"servers.lives", "{n} {n:block|blocks} removed, median {age}"},
    {"servers.lives.none", "no block was removed"},
    {"servers.one_clock", "one clock for both"},
    {"servers.own_start", "each from its own start"},

    // Panels
    {"panel.servers", "Servers"},
    {"panel.servers.help", "What differs between two watched servers, recordings or ranks: blocks cached, hit rates, lifetimes. The right one is kept at the left one's time."},
    {"panel.servers.leaves", "Why they differ: other requests, another pool, another order of removal."},
    {"panel.servers_left", "Left server"},
    {"panel.servers_left.help", "The first of two: the state of its connection, and one place for each block that its shown rank has cached. Places have one size and shades one scale on both sides."},
    {"panel.servers_left.leaves", "Addresses: events carry no block ids. Hits that store nothing are not announced."},
    {"panel.servers_right", "Right server"},
    {"panel.servers_right.help", "The second of two: the state of its connection, and one place for each block that its shown rank has cached. Places have one size and shades one scale on both sides."},
    {"panel.servers_right.leaves", "Addresses: events carry no block ids. Hits that store nothing are not announced."},
    {"panel.servers.of_left", "Left: {name}"},
    {"panel.servers.of_right", "Right: {name}"},
    {"panel.servers_numbers", "In numbers"},
    {"panel.servers_numbers.help", "What two servers are compared by. A square says that a number was counted from events, hollow while batches are missing; a ring that it was read from the metrics."},
    {"panel.servers_numbers.leaves", "Other ranks of both servers."},
    {"panel.servers_charts", "Over time"},
    {"panel.servers_charts.help", "Curves of both servers, squares for the left one and circles for the right one, on one axis of time and one of values."},
    {"panel.servers_charts.leaves", "What happened between two polls."},
    {"panel.servers_ages", "Lifetimes"},
    {"panel.servers_ages.help", "How long removed blocks had lived, on one axis for both servers and with bars of one scale. The dashed lines are the medians."},
    {"panel.servers_ages.leaves", "Blocks that still live."},
    {"panel.servers_stream", "Both streams"},
    {"panel.servers_stream.help", "What steers both servers, and what happened to each connection. A press goes to that time on both sides."},
    {"panel.servers_stream.leaves", "What is older than the bound of what is kept."},
});
// clang-format on

}  // namespace kv
