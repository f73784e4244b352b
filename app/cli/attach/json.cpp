#include "app/cli/attach/json.hpp"

#include <algorithm>
#include <map>

#include "app/cli/terminal/or_null.hpp"
#include "app/cli/terminal/version.hpp"
#include "core/attach/metrics/line.hpp"
#include "core/attach/picture/labels.hpp"
#include "core/attach/picture/tank_picture.hpp"
#include "core/base/files/json.hpp"
#include "core/model/tokenizer/token_words.hpp"
#include "core/trace/server/hash.hpp"

namespace kv {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kPrefixes = 24;

// A server that writes its numbers with a sign finds them here as it writes them.
std::string text_of_hash(const ServerHash& hash, bool with_sign) {
    if (!hash.number || !with_sign) return hash_text(hash);
    return std::to_string(static_cast<std::int64_t>(low_bits(hash)));
}

Json texts_of(const std::vector<ServerHash>& hashes, bool with_sign) {
    std::vector<std::string> texts;
    texts.reserve(hashes.size());
    for (const ServerHash& hash : hashes) texts.push_back(text_of_hash(hash, with_sign));
    std::sort(texts.begin(), texts.end());
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    return texts;
}

// Of all ranks that spoke, and of those that were listened to in vain.
std::map<std::int64_t, RankTank> all_ranks(const Tank& tank,
                                           const std::vector<StreamStatus>& streams) {
    std::map<std::int64_t, RankTank> ranks = tank.ranks();
    for (const StreamStatus& stream : streams)
        if (ranks.count(stream.rank) == 0) ranks[stream.rank].rank = stream.rank;
    return ranks;
}

Json server_json(const AttachInput& input, const std::map<std::int64_t, RankTank>& ranks,
                 const std::vector<StreamStatus>& streams) {
    Json out{{"topic", input.plan.topic},
             {"ranks", Json::array()},
             {"first_sequence", Json::array()},
             {"last_sequence", Json::array()},
             {"missed", Json::array()},
             {"restarts", Json::array()},
             {"began_in_the_middle", Json::array()},
             {"asked_again", Json::array()},
             {"exact", Json::array()},
             {"unreadable", Json::array()}};
    for (const auto& [number, rank] : ranks) {
        out["ranks"].push_back(number);
        out["first_sequence"].push_back(or_null<Json>(rank.first_sequence));
        out["last_sequence"].push_back(or_null<Json>(rank.last_sequence));
        out["missed"].push_back(rank.missed);
        out["restarts"].push_back(rank.restarts);
        out["began_in_the_middle"].push_back(rank.began_in_the_middle);
        out["asked_again"].push_back(rank.gaps_asked);
        out["exact"].push_back(rank.exact());
        std::uint64_t unreadable = 0;
        for (const StreamStatus& stream : streams)
            if (stream.rank == number) unreadable += stream.unreadable;
        out["unreadable"].push_back(unreadable);
    }
    return out;
}

// By name: rank, then group, then medium.
Json cached_json(const Tank& tank) {
    std::vector<ShelfRef> order;
    for (std::size_t place = 0; place < tank.shelves().size(); ++place)
        order.push_back(static_cast<ShelfRef>(place));
    std::sort(order.begin(), order.end(), [&](ShelfRef a, ShelfRef b) {
        return tank.shelves()[a].name < tank.shelves()[b].name;
    });
    Json out = Json::array();
    for (const ShelfRef place : order) {
        const Shelf& shelf = tank.shelves()[place];
        Json row{{"rank", shelf.name.rank},        {"group", shelf.name.group},
                 {"medium", shelf.name.medium},    {"blocks", shelf.blocks},
                 {"block_size", shelf.block_size}, {"tokens", shelf.tokens},
                 {"distinct", shelf.distinct},     {"placeholders", shelf.placeholders},
                 {"kind", shelf.layer_kind},       {"window", or_null<Json>(shelf.window)}};
        // With one shelf, these are all there are.
        if (tank.shelves().size() > 1)
            row["hashes"] = texts_of(tank.cached(place), tank.negative_hashes());
        out.push_back(std::move(row));
    }
    return out;
}

Json hashes_json(const Tank& tank) {
    std::vector<ServerHash> all;
    for (std::size_t place = 0; place < tank.shelves().size(); ++place) {
        const auto of_shelf = tank.cached(static_cast<ShelfRef>(place));
        all.insert(all.end(), of_shelf.begin(), of_shelf.end());
    }
    return texts_of(all, tank.negative_hashes());
}

Json events_json(const Tank& tank) {
    RankTank sum;
    for (const auto& [number, rank] : tank.ranks()) {
        sum.stored_events += rank.stored_events;
        sum.removed_events += rank.removed_events;
        sum.cleared_events += rank.cleared_events;
        sum.blocks_stored += rank.blocks_stored;
        sum.blocks_removed += rank.blocks_removed;
        sum.removed_unknown += rank.removed_unknown;
        sum.passed_over += rank.passed_over;
        sum.blocks_again += rank.blocks_again;
        sum.tokens_again += rank.tokens_again;
    }
    Json unknown = Json::object();
    for (const auto& [kind, n] : tank.unknown()) unknown[kind] = n;
    return {{"stored", sum.stored_events},
            {"removed", sum.removed_events},
            {"cleared", sum.cleared_events},
            {"unknown", std::move(unknown)},
            {"blocks_stored", sum.blocks_stored},
            {"blocks_removed", sum.blocks_removed},
            {"removed_unknown", sum.removed_unknown},
            {"passed_over", sum.passed_over},
            {"blocks_again", sum.blocks_again},
            {"tokens_again", sum.tokens_again}};
}

Json ages_json(const TankPicture& picture) {
    const auto one = [](const AgeHistogram& ages) {
        return Json{{"blocks", ages.total()}, {"median_s", or_null<Json>(ages.median_s())}};
    };
    return {{"lifetime", one(picture.lifetimes)},
            {"idle_before_removal", one(picture.idle)},
            {"found_again", one(picture.found)},
            {"came_too_late", one(picture.too_late)}};
}

Json prefixes_json(const AttachInput& input, const Tank& tank, const TankPicture& picture) {
    Json out = Json::array();
    for (const TankPrefixRow& row : picture.hottest) {
        Json one{{"rank", row.rank},
                 {"group", row.group},
                 {"hash", text_of_hash(row.hash, tank.negative_hashes())},
                 {"tokens", row.tokens},
                 {"from_start", row.from_start},
                 {"hits", row.hits},
                 {"blocks_beneath", row.blocks_beneath},
                 {"last_use_s", row.last_use_s}};
        if (input.show_tokens) one["token_ids"] = row.token_ids;
        if (input.words) one["words"] = input.words->text(row.token_ids);
        out.push_back(std::move(one));
    }
    return out;
}

Json pools_json(const AttachInput& input, const Tank& tank) {
    Json out = Json::array();
    for (const auto& [number, rank] : tank.ranks())
        out.push_back(or_null<Json>(
            input.pool ? input.pool : server_pool_of(tank.newest_samples().samples, number)));
    return out;
}

Json facts_json(const SideSeen& side) {
    const std::optional<TankFacts> facts = facts_of(side);
    Json out{{"address", side.name}, {"rank", or_null<Json>(side.rank)}};
    if (!facts) {
        out["problem"] = side.problem;
        return out;
    }
    out["exact"] = facts->exact;
    out["cached_blocks"] = facts->cached;
    out["pool"] = or_null<Json>(facts->pool);
    out["usage"] = or_null<Json>(facts->usage);
    out["prefix_hit_rate_60s"] = or_null<Json>(facts->hit_rate);
    out["needed_again"] = facts->needed_again;
    out["still_there"] = or_null<Json>(facts->found_share);
    out["lifetime_s"] = or_null<Json>(facts->lifetime_s);
    out["idle_before_removal_s"] = or_null<Json>(facts->idle_s);
    out["blocks_stored"] = facts->blocks_stored;
    out["blocks_removed"] = facts->blocks_removed;
    out["tokens_again"] = facts->tokens_again;
    out["missed"] = facts->missed;
    return out;
}

Json compared_json(const std::array<SideSeen, 2>& sides) {
    return {{"left", facts_json(sides[0])}, {"right", facts_json(sides[1])}};
}

Json object_of(const AttachInput& input, const Tank& tank,
               const std::vector<StreamStatus>& streams) {
    const TankPicture picture =
        tank_picture_of(tank, {.most_texels = 1, .most_rows = kPrefixes}, input.pool);
    Json metrics = Json::object();
    for (const auto& [name, value] : named_values(tank.newest_samples().samples))
        metrics[name] = value;
    Json json{{"kvarium", version()},
              {"server", server_json(input, all_ranks(tank, streams), streams)},
              {"cached", cached_json(tank)},
              {"hashes", hashes_json(tank)},
              {"events", events_json(tank)},
              {"metrics", std::move(metrics)},
              {"pool", pools_json(input, tank)},
              {"ages", ages_json(picture)},
              {"prefixes", prefixes_json(input, tank, picture)}};
    if (input.against_rank) json["compared"] = compared_json(ranks_seen(input, tank, streams));
    return json;
}

std::string attach_text_of(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string attach_json(const AttachInput& input, const Tank& tank,
                        const std::vector<StreamStatus>& streams) {
    return attach_text_of(object_of(input, tank, streams));
}

std::string pair_json(const std::array<SideSeen, 2>& sides) {
    const auto of = [](const SideSeen& side) {
        if (side.tank == nullptr) return Json{{"problem", side.problem}};
        return object_of(*side.input, *side.tank, *side.streams);
    };
    return attach_text_of({{"kvarium", version()},
                           {"left", of(sides[0])},
                           {"right", of(sides[1])},
                           {"compared", compared_json(sides)}});
}

}  // namespace kv
