#pragma once
// The books of a cache without any cleverness: no hashes, no links, no counters. Who holds a block
// is asked by walking all tables, the longest known beginning is found by comparing whole token
// lists, and the free list is a plain vector with the next block in front. Written from the rules
// alone, so that core/cache can be compared with it after every command, down to the block ids.

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/cache/blocks/spec.hpp"

namespace kv::test {

class NaiveCache {
public:
    using Ids = std::vector<std::uint32_t>;
    using Id = std::uint32_t;

    // All tokens from the start to the end of a block, and the namespace that they belong to.
    struct Content {
        std::string salt;
        Ids tokens;
        friend bool operator==(const Content&, const Content&) = default;
    };
    struct Block {
        std::optional<Content> findable;
        std::uint64_t since = 0;
        std::uint32_t filled = 0;
    };
    struct Place {  // of a request, or of a content, or free
        std::optional<Id> request;
        std::optional<Content> content;
        std::uint32_t entry = 0, slots = 0;
        std::uint64_t since = 0;
        bool leaving = false;
        bool is_free() const { return !request && !content; }
    };
    struct Request {
        Ids tokens;
        std::string salt;
        std::uint32_t stored = 0;
        std::uint32_t published = 0;
        bool publishes = true;
        Ids table, places;
        bool loading = false;
    };
    struct Hit {
        std::optional<Id> block, place;
    };

    CacheSpec spec;
    std::vector<Block> blocks;
    std::vector<Place> places;  // host first
    Ids free;                   // the next one in front
    std::map<Id, Request> requests;

    explicit NaiveCache(const CacheSpec& like)
        : spec(like),
          blocks(like.n_blocks),
          places(like.n_host + like.n_file),
          free(like.free_list) {
        for (Id b = 0; b < spec.n_blocks; ++b)
            if (std::find(free.begin(), free.end(), b) == free.end()) free.push_back(b);
    }

    std::size_t owners(Id block) const {
        std::size_t n = 0;
        for (const auto& [id, r] : requests)
            n += static_cast<std::size_t>(std::count(r.table.begin(), r.table.end(), block));
        return n;
    }
    std::uint32_t entries(std::uint32_t tokens) const {
        return (tokens + spec.block_size - 1) / spec.block_size;
    }

    void open(Id id, const Ids& tokens, const std::string& salt) {
        requests[id].tokens = tokens;
        requests[id].salt = salt;
    }
    void append(Id id, std::uint32_t token) { requests.at(id).tokens.push_back(token); }

    void fork(Id id, Id parent, const Ids& more) {
        const Request& p = requests.at(parent);
        Request child;
        child.tokens = p.tokens;
        child.tokens.insert(child.tokens.end(), more.begin(), more.end());
        child.salt = p.salt;
        const bool whole_blocks = spec.sharing == Sharing::FullBlocksOnly;
        std::uint32_t n = std::min(p.stored, static_cast<std::uint32_t>(child.tokens.size() - 1));
        if (whole_blocks) n = n / spec.block_size * spec.block_size;
        if (spec.sharing == Sharing::Off || p.table.empty() || p.loading) n = 0;
        child.table.assign(p.table.begin(), p.table.begin() + entries(n));
        child.stored = n;
        if (n > 0) {
            const std::uint32_t full = n / spec.block_size;
            child.published = std::min(full, p.published);
            child.publishes = p.publishes && child.published == full;
        }
        requests[id] = child;
    }

    std::vector<Hit> find(Id id) const {
        std::vector<Hit> hits;
        const Request& r = requests.at(id);
        if (spec.sharing == Sharing::Off || !r.publishes) return hits;
        // Behind full blocks that it holds and that are known.
        const std::uint32_t size = spec.block_size;
        if (r.published != r.table.size() || r.published * size != r.stored) return hits;
        for (std::uint32_t end = r.stored + size; end < r.tokens.size(); end += size) {
            const Content content = beginning(r, end);
            const Hit hit{oldest_block(content), place_of(content)};
            if (!hit.block && !hit.place) break;
            hits.push_back(hit);
        }
        return hits;
    }

    bool grow(Id id, std::uint32_t upto, const std::vector<Hit>& hits) {
        Request& r = requests.at(id);
        const bool copies = writes_shared_tail(r, upto);
        std::size_t available = free.size(), needed = copies ? 1 : 0;
        needed += std::max<std::size_t>(entries(upto), r.table.size()) - r.table.size();
        for (const Hit& hit : hits) {
            if (!hit.block) continue;
            --needed;
            if (owners(*hit.block) == 0) --available;
        }
        if (needed > available) return false;
        take_hits(r, hits);
        if (copies) copy_tail(r);
        while (r.table.size() < entries(upto)) r.table.push_back(take());
        publish(r, upto);
        return true;
    }

    void set_stored(Id id, std::uint32_t upto) {
        Request& r = requests.at(id);
        for (std::uint32_t t = r.stored; t < upto; ++t) {
            Block& block = blocks[r.table[t / spec.block_size]];
            block.filled = std::max(block.filled, t % spec.block_size + 1);
        }
        r.stored = upto;
    }

    void let_go(Id id) {
        Request& r = requests.at(id);
        if (r.loading) finish_loads(id);
        withdraw(r);
        give_back(r);
        for (const Id p : r.places) places[p] = {};
        r.places.clear();
        r.stored = r.published = 0;
        r.publishes = true;
    }
    void close(Id id) {
        let_go(id);
        requests.erase(id);
    }

    void swap_out(Id id) {
        Request& r = requests.at(id);
        withdraw(r);
        Ids to(entries(r.stored));
        for (auto entry = static_cast<std::uint32_t>(to.size()); entry-- > 0;) {
            to[entry] = any_place();
            Place& place = places[to[entry]];
            place.request = id;
            place.entry = entry;
            place.slots = std::min(spec.block_size, r.stored - entry * spec.block_size);
        }
        give_back(r);
        r.places = to;
        r.published = 0;
        r.publishes = true;
    }
    void begin_loads(Id id) {
        Request& r = requests.at(id);
        for (const Id p : r.places) {
            const Id block = take();
            r.table.push_back(block);
            places[p].leaving = true;
        }
        r.loading = true;
    }
    void finish_loads(Id id) {
        Request& r = requests.at(id);
        for (std::size_t entry = 0; entry < r.places.size(); ++entry) {
            blocks[r.table[entry]].filled = places[r.places[entry]].slots;
            places[r.places[entry]] = {};
        }
        r.places.clear();
        r.loading = false;
    }

    void clear() {
        for (Block& b : blocks) b.findable.reset();
        for (const Id b : free) blocks[b].filled = 0;
        for (Place& p : places)
            if (p.content) p = {};
        for (auto& [id, r] : requests)
            if (r.published > 0) r.publishes = false;
    }

    // May it be given up now: nobody else counts on a block that it published and has not computed.
    bool is_relied_on(Id id) const {
        const Request& r = requests.at(id);
        for (std::uint32_t k = 0; r.publishes && k < r.published; ++k)
            if ((k + 1) * spec.block_size > r.stored && !is_computed(r, k) &&
                owners(r.table[k]) > 1)
                return true;
        return false;
    }
    // Everything that it counts as stored has been computed, by itself or by whom it shares with.
    bool is_all_computed(Id id) const {
        const Request& r = requests.at(id);
        for (std::uint32_t k = 0; k < r.table.size(); ++k)
            if (blocks[r.table[k]].filled < slots_of(r, k)) return false;
        return true;
    }
    std::size_t places_to_have() const {
        return static_cast<std::size_t>(std::count_if(
            places.begin(), places.end(), [](const Place& p) { return !p.request && !p.leaving; }));
    }

private:
    static constexpr std::uint32_t kHost = 0, kFile = 1;

    Content beginning(const Request& r, std::uint32_t end) const {
        return {r.salt, Ids(r.tokens.begin(), r.tokens.begin() + end)};
    }
    std::uint32_t slots_of(const Request& r, std::uint32_t entry) const {
        return std::min(spec.block_size, r.stored - std::min(r.stored, entry * spec.block_size));
    }
    bool is_computed(const Request& r, std::uint32_t entry) const {
        return blocks[r.table[entry]].filled == spec.block_size;
    }
    std::optional<Id> oldest_block(const Content& content) const {
        std::optional<Id> oldest;
        for (Id b = 0; b < blocks.size(); ++b)
            if (blocks[b].findable == content &&
                (!oldest || blocks[b].since < blocks[*oldest].since))
                oldest = b;
        return oldest;
    }
    std::optional<Id> place_of(const Content& content) const {
        for (Id p = 0; p < places.size(); ++p)
            if (places[p].content == content) return p;
        return std::nullopt;
    }

    Id take() {
        const Id b = free.front();
        const std::optional<Content> lost = blocks[b].findable;
        if (lost) {
            const auto copies =
                std::count_if(blocks.begin(), blocks.end(),
                              [&](const Block& other) { return other.findable == lost; });
            if (spec.keep_cold && copies == 1 && !place_of(*lost)) keep_in_host(*lost);
        }
        free.erase(free.begin());
        blocks[b] = {};
        return b;
    }
    void publish_block(Id b, const Content& content) {
        blocks[b].findable = content;
        blocks[b].since = ++clock_;
    }

    void take_hits(Request& r, const std::vector<Hit>& hits) {
        for (const Hit& hit : hits) {
            if (hit.block)
                free.erase(std::remove(free.begin(), free.end(), *hit.block), free.end());
            else
                places[*hit.place].leaving = true;
        }
        for (const Hit& hit : hits) {
            if (hit.block) {
                r.table.push_back(*hit.block);
                continue;
            }
            const Id b = take();
            blocks[b].filled = places[*hit.place].slots;
            publish_block(b, *places[*hit.place].content);
            places[*hit.place] = {};
            r.table.push_back(b);
        }
        if (hits.empty()) return;
        r.published += static_cast<std::uint32_t>(hits.size());
        r.stored = r.published * spec.block_size;
    }
    bool writes_shared_tail(const Request& r, std::uint32_t upto) const {
        const std::uint32_t entry = r.stored / spec.block_size;
        if (upto <= r.stored || r.stored % spec.block_size == 0 || entry < r.published)
            return false;
        return entry < r.table.size() && owners(r.table[entry]) > 1;
    }
    void copy_tail(Request& r) {
        const Id to = take();
        r.table[r.stored / spec.block_size] = to;
        blocks[to].filled = r.stored % spec.block_size;
    }
    void publish(Request& r, std::uint32_t upto) {
        if (spec.sharing == Sharing::Off || !r.publishes) return;
        for (; (r.published + 1) * spec.block_size <= upto; ++r.published) {
            const Id b = r.table[r.published];
            if (!blocks[b].findable)
                publish_block(b, beginning(r, (r.published + 1) * spec.block_size));
        }
    }
    void withdraw(Request& r) {
        while (r.publishes && r.published * spec.block_size > r.stored) {
            const std::uint32_t entry = --r.published;
            Block& block = blocks[r.table[entry]];
            if (!is_computed(r, entry) &&
                block.findable == beginning(r, (entry + 1) * spec.block_size))
                block.findable.reset();
        }
    }
    void give_back(Request& r) {
        Ids table = std::exchange(r.table, {});
        const bool by_hash = spec.free_order == FreeOrder::UnhashedFirst;
        for (const Id b : table)
            if (by_hash && !blocks[b].findable && owners(b) == 0) free.insert(free.begin(), b);
        std::reverse(table.begin(), table.end());
        for (const Id b : table)
            if ((!by_hash || blocks[b].findable) && owners(b) == 0) free.push_back(b);
        for (const Id b : table)
            if (!blocks[b].findable && owners(b) == 0) blocks[b].filled = 0;
    }

    // Tiers.
    Id first_of(std::uint32_t tier) const { return tier == kHost ? 0 : spec.n_host; }
    Id end_of(std::uint32_t tier) const {
        return tier == kHost ? spec.n_host : spec.n_host + spec.n_file;
    }
    std::optional<Id> free_place(std::uint32_t tier) const {
        for (Id p = first_of(tier); p < end_of(tier); ++p)
            if (places[p].is_free()) return p;
        return std::nullopt;
    }
    std::optional<Id> oldest_content(std::uint32_t tier) const {
        std::optional<Id> oldest;
        for (Id p = first_of(tier); p < end_of(tier); ++p)
            if (places[p].content && !places[p].leaving &&
                (!oldest || places[p].since < places[*oldest].since))
                oldest = p;
        return oldest;
    }
    void put(Id place, const Content& content) {
        places[place].content = content;
        places[place].slots = spec.block_size;
        places[place].since = ++clock_;
    }
    void keep_in_host(const Content& content) {
        if (!free_place(kHost)) {
            const std::optional<Id> oldest = oldest_content(kHost);
            if (!oldest) return;
            if (!free_place(kFile))
                if (const auto lost = oldest_content(kFile)) places[*lost] = {};
            if (const auto below = free_place(kFile)) put(*below, *places[*oldest].content);
            places[*oldest] = {};
        }
        put(*free_place(kHost), content);
    }
    Id any_place() {
        for (const std::uint32_t tier : {kHost, kFile})
            if (const auto p = free_place(tier)) return *p;
        for (const std::uint32_t tier : {kFile, kHost})
            if (const auto p = oldest_content(tier)) {
                places[*p] = {};
                return *p;
            }
        return end_of(kFile);  // the caller has asked whether there is room
    }

    std::uint64_t clock_ = 0;
};

}  // namespace kv::test
