#pragma once
// A stream of commands for a cache, played to core/cache and to the naive model at the same time.
// Four bytes make a command, and any bytes make some command: numbers are taken modulo what there
// is, and a command that the rules forbid at that moment does nothing. So a stream can be shortened
// anywhere, and a fuzzer can write one.

#include <array>
#include <exception>
#include <span>
#include <sstream>

#include "tests/cache/books.hpp"
#include "tests/cache/naive_cache.hpp"

namespace kv::test {

enum class Do : std::uint8_t {
    Open,
    Grow,
    Store,
    Run,
    Say,
    Fork,
    LetGo,
    Close,
    SwapOut,
    BeginLoads,
    FinishLoads,
    Clear,
    FreeOrder,
};
inline constexpr std::array<const char*, 13> kDoNames{
    "open",  "grow",     "store",      "run",         "say",   "fork",      "let_go",
    "close", "swap_out", "begin_load", "finish_load", "clear", "free_order"};
// How often each is drawn, of 32.
inline constexpr std::array<Do, 32> kDraws{
    Do::Open,        Do::Open,       Do::Open,    Do::Open,    Do::Open,       Do::Grow,
    Do::Grow,        Do::Grow,       Do::Store,   Do::Store,   Do::Run,        Do::Run,
    Do::Run,         Do::Run,        Do::Run,     Do::Say,     Do::Say,        Do::Say,
    Do::Fork,        Do::Fork,       Do::Fork,    Do::LetGo,   Do::LetGo,      Do::Close,
    Do::Close,       Do::Close,      Do::SwapOut, Do::SwapOut, Do::BeginLoads, Do::BeginLoads,
    Do::FinishLoads, Do::FinishLoads};

struct Command {
    std::uint8_t what = 0, x = 0, y = 0, z = 0;
    Do kind() const {
        if (what == 255) return Do::Clear;
        if (what == 254) return Do::FreeOrder;
        return kDraws[what % kDraws.size()];
    }
};

inline CacheSpec spec_from(std::span<const std::uint8_t, 8> bytes) {
    constexpr std::array<std::uint32_t, 5> kSizes{1, 2, 3, 4, 16};
    constexpr std::array<std::uint32_t, 4> kHost{0, 2, 4, 9}, kFile{0, 0, 2, 5};
    CacheSpec spec;
    spec.n_blocks = 4 + bytes[0] % 17;
    spec.block_size = kSizes[bytes[1] % 5];
    spec.sharing = bytes[2] % 8 == 0   ? Sharing::Off
                   : bytes[2] % 8 <= 3 ? Sharing::FullBlocksOnly
                                       : Sharing::CopyOnWrite;
    spec.free_order = bytes[3] % 2 == 0 ? FreeOrder::TailReverse : FreeOrder::UnhashedFirst;
    spec.n_host = kHost[bytes[4] % 4];
    spec.n_file = kFile[bytes[5] % 4];
    spec.keep_cold = bytes[6] % 2 == 0;
    if (bytes[7] % 2 == 0) spec.free_list = {spec.n_blocks - 1, 0, spec.n_blocks / 2};
    spec.block_bytes = std::uint64_t{spec.block_size} * sizeof(SlotBytes);
    return spec;
}

inline std::string text_of(const CacheSpec& spec) {
    std::ostringstream out;
    out << spec.n_blocks << " blocks of " << spec.block_size << ", " << name_of(spec.sharing)
        << ", " << name_of(spec.free_order) << ", host " << spec.n_host << ", file " << spec.n_file
        << (spec.keep_cold ? ", keep_cold" : "") << (spec.free_list.empty() ? "" : ", free_list");
    return out.str();
}

class Player {
public:
    using Ids = std::vector<std::uint32_t>;
    enum class Care { EveryCommand, NowAndThen };

    Player(const CacheSpec& spec, Care care)
        : care_(care),
          model_(spec),
          books_(spec, care == Care::EveryCommand, care != Care::EveryCommand) {}

    std::uint64_t n_done() const { return n_done_; }
    // What one command did, for a person.
    const std::string& log() const { return log_; }
    const Books& books() const { return books_; }

    // Throws when cache and model disagree, or the cache disagrees with itself.
    void play(const Command& c) {
        log_.clear();
        if (!perform(c)) return;
        ++n_done_;
        compare(c);
        if (care_ == Care::NowAndThen && c.z % 16 == 0) books_.audit();
    }
    void finish() {
        while (!model_.requests.empty()) {
            const auto before = model_.requests.size();
            for (auto r = model_.requests.begin(); r != model_.requests.end(); ++r)
                if (!model_.is_relied_on(r->first)) {
                    const SeqId id(r->first);
                    model_.close(r->first);
                    books_.close(id);
                    break;
                }
            if (model_.requests.size() == before) throw std::runtime_error("a ring of waiting");
        }
        model_.clear();
        books_.clear();
        books_.audit();
        compare({});
        const BlockPool& pool = Tamper::pool(books_.cache());
        if (pool.n_free() != pool.size() || Tamper::index(books_.cache()).n_nodes() != 0 ||
            books_.cache().tiers().n_free() != books_.cache().tiers().size())
            throw std::runtime_error("I30: something is left at the end");
    }

private:
    using Request = NaiveCache::Request;

    std::optional<SeqId> chosen(std::uint8_t x) const {
        if (model_.requests.empty()) return std::nullopt;
        auto r = model_.requests.begin();
        std::advance(r, x % model_.requests.size());
        return SeqId(r->first);
    }
    const Request& of(SeqId id) const { return model_.requests.at(id.value); }
    static std::uint32_t n_tokens(const Request& r) {
        return static_cast<std::uint32_t>(r.tokens.size());
    }
    void say(const std::string& text) { log_ += text; }

    // Texts that are equal, equal up to a block's boundary, or different in one token.
    Ids text(const Command& c) const {
        const std::uint32_t size = model_.spec.block_size, kind = c.x % 4;
        const std::uint32_t blocks = 1 + c.y / 8 % 5;
        const std::uint32_t n = std::max(1u, blocks * size + c.y % 3 - 1);
        Ids tokens(n);
        for (std::uint32_t i = 0; i < n; ++i) {
            tokens[i] = i % 3;
            if (kind == 1 && i >= size) ++tokens[i];
            if (kind == 2 && i + 1 == 2 * size) tokens[i] = 9;
            if (kind == 3) tokens[i] = 1;
        }
        if (c.z >= 192) tokens[c.z % n] = 7;
        return tokens;
    }

    bool perform(const Command& c) {
        if (c.kind() == Do::Open) return open(c);
        if (c.kind() == Do::Clear) return clear();
        if (c.kind() == Do::FreeOrder) return turn_order();
        const std::optional<SeqId> id = chosen(c.x);
        if (!id) return false;
        say(std::string(kDoNames[static_cast<std::size_t>(c.kind())]) + " r" +
            std::to_string(id->value));
        switch (c.kind()) {
            case Do::Grow:
                return grow(*id, c);
            case Do::Store:
                return store(*id, c);
            case Do::Run:
                return run(*id);
            case Do::Say:
                model_.append(id->value, c.y % 4);
                books_.append(*id, c.y % 4);
                return true;
            case Do::Fork:
                return fork(*id, c);
            case Do::LetGo:
                return let_go(*id);
            case Do::Close:
                return close(*id);
            case Do::SwapOut:
                return swap_out(*id);
            case Do::BeginLoads:
                return begin_loads(*id);
            default:
                return finish_loads(*id);
        }
    }

    bool open(const Command& c) {
        if (model_.requests.size() >= kMostRequests) return false;
        const Ids tokens = text(c);
        const std::string salt = c.x >= 224 ? "s" : "";
        const std::uint32_t id = books_.n_opened();
        say("open r" + std::to_string(id) + " " + std::to_string(tokens.size()) +
            " tokens of text " + std::to_string(c.x % 4) + " " + salt);
        model_.open(id, tokens, salt);
        books_.open(tokens, salt);
        return true;
    }
    bool clear() {
        say("clear");
        model_.clear();
        books_.clear();
        return true;
    }
    bool turn_order() {
        const FreeOrder turned = model_.spec.free_order == FreeOrder::TailReverse
                                     ? FreeOrder::UnhashedFirst
                                     : FreeOrder::TailReverse;
        say("free order " + std::string(name_of(turned)));
        model_.spec.free_order = turned;
        books_.cache().set_free_order(turned);
        return true;
    }

    bool may_grow(const Request& r) const { return r.places.empty() && !r.loading; }
    bool grow(SeqId id, const Command& c) {
        const Request& r = of(id);
        if (!may_grow(r)) return false;
        const bool look_up = c.z % 8 != 0;
        const auto hits = look_up ? model_.find(id.value) : std::vector<NaiveCache::Hit>{};
        compare_hits(id, model_.find(id.value));
        const auto from =
            r.stored + static_cast<std::uint32_t>(hits.size()) * model_.spec.block_size;
        if (n_tokens(r) <= from) return false;
        const std::uint32_t upto = from + 1 + c.y % (n_tokens(r) - from);
        return expect_same(
            model_.grow(id.value, upto, hits),
            r.table.empty() || look_up ? books_.admit(id, upto, look_up) : books_.grow(id, upto),
            upto);
    }
    bool expect_same(bool modelled, bool grown, std::uint32_t upto) {
        say(" to " + std::to_string(upto) + (grown ? "" : ": no room"));
        if (modelled != grown) throw std::runtime_error("grow() against the model");
        return true;
    }
    bool store(SeqId id, const Command& c) {
        const Request& r = of(id);
        if (!may_grow(r) || books_.room(id) <= r.stored) return false;
        const std::uint32_t all = books_.room(id) - r.stored;
        return store_upto(id, r.stored + (c.y % 4 == 0 ? 1 + c.z % all : all));
    }
    bool store_upto(SeqId id, std::uint32_t upto) {
        say(" store to " + std::to_string(upto));
        model_.set_stored(id.value, upto);
        books_.store(id, upto);
        return true;
    }
    bool run(SeqId id) {
        const Request& r = of(id);
        const std::uint32_t all = n_tokens(r);
        if (!may_grow(r) || r.stored == all) return false;
        const bool held = !r.table.empty();
        const auto hits = held ? std::vector<NaiveCache::Hit>{} : model_.find(id.value);
        if (!held) compare_hits(id, hits);
        const bool modelled = model_.grow(id.value, all, hits);
        expect_same(modelled, held ? books_.grow(id, all) : books_.admit(id, all), all);
        return !modelled || store_upto(id, all);
    }
    bool fork(SeqId parent, const Command& c) {
        const Request& p = of(parent);
        if (model_.requests.size() >= kMostRequests || p.tokens.size() > kLongest) return false;
        if (p.loading || !model_.is_all_computed(parent.value)) return false;
        if (!p.table.empty() && books_.room(parent) > p.stored) return false;
        const Ids more(c.y % 3, c.z % 4);
        say(" into r" + std::to_string(books_.n_opened()) + " with " + std::to_string(more.size()));
        model_.fork(books_.n_opened(), parent.value, more);
        books_.fork(parent, more);
        return true;
    }
    bool let_go(SeqId id) {
        if (model_.is_relied_on(id.value)) return false;
        model_.let_go(id.value);
        books_.let_go(id);
        return true;
    }
    bool close(SeqId id) {
        if (model_.is_relied_on(id.value)) return false;
        model_.close(id.value);
        books_.close(id);
        return true;
    }
    bool swap_out(SeqId id) {
        const Request& r = of(id);
        if (r.table.empty() || r.loading || model_.is_relied_on(id.value)) return false;
        if (!model_.is_all_computed(id.value)) return false;
        const bool fits = model_.entries(r.stored) <= model_.places_to_have();
        if (fits != (books_.cache().places_needed(id) <= books_.cache().places_free()))
            throw std::runtime_error("places_free() against the model");
        if (!fits) return false;
        model_.swap_out(id.value);
        books_.swap_out(id);
        return true;
    }
    bool begin_loads(SeqId id) {
        const Request& r = of(id);
        if (r.places.empty() || r.loading || r.places.size() > model_.free.size()) return false;
        model_.begin_loads(id.value);
        books_.begin_loads(id);
        return true;
    }
    bool finish_loads(SeqId id) {
        if (!of(id).loading) return false;
        model_.finish_loads(id.value);
        books_.finish_loads(id);
        return true;
    }

    // Cache against model.
    static void expect(bool holds, const std::string& what) {
        if (!holds) throw std::runtime_error(what + " against the model");
    }
    void compare_hits(SeqId id, const std::vector<NaiveCache::Hit>& hits) const {
        const Prefix prefix = books_.cache().find_prefix(id);
        expect(prefix.hits.size() == hits.size(), "the number of hits");
        const std::size_t found = hits.size() * model_.spec.block_size;
        expect(prefix.tokens == (found > 0 ? of(id).stored + found : 0), "the tokens found");
        for (std::size_t i = 0; i < hits.size(); ++i) {
            const auto& block = prefix.hits[i].block;
            expect(block.has_value() == hits[i].block.has_value() &&
                       (!block || block->value == *hits[i].block),
                   "the block of a hit");
            expect(block || prefix.hits[i].place == hits[i].place, "the place of a hit");
        }
    }
    void compare(const Command& c) const {
        const Cache& cache = books_.cache();
        for (const auto& [id, r] : model_.requests) compare_request(SeqId(id), r);
        const BlockPool& pool = Tamper::pool(cache);
        const std::vector<BlockId> free = pool.free_list();
        expect(free.size() == model_.free.size(), "the length of the free list");
        for (std::size_t i = 0; i < free.size(); ++i)
            expect(free[i].value == model_.free[i], "the order of the free list");
        for (std::uint32_t b = 0; b < pool.size(); ++b) compare_block(BlockId(b));
        for (std::uint32_t p = 0; p < model_.places.size(); ++p) compare_place(p);
        if (const auto id = chosen(c.z); id && of(*id).table.empty())
            compare_hits(*id, model_.find(id->value));
    }
    void compare_request(SeqId id, const Request& r) const {
        const Cache& cache = books_.cache();
        const std::string name = " of r" + std::to_string(id.value);
        expect(cache.stored(id) == r.stored, "stored" + name);
        expect(cache.is_loading(id) == r.loading, "loading" + name);
        expect(cache.is_swapped(id) == !r.places.empty(), "swapped" + name);
        const auto& table = cache.table(id);
        expect(table.size() == r.table.size(), "the table's length" + name);
        for (std::size_t i = 0; i < r.table.size(); ++i)
            expect(table[i] && table[i]->value == r.table[i], "the table" + name);
    }
    void compare_block(BlockId b) const {
        const std::string name = " of block " + std::to_string(b.value);
        const NaiveCache::Block& block = model_.blocks[b.index()];
        expect(Tamper::pool(books_.cache()).ref_count(b) == model_.owners(b.value),
               "holders" + name);
        expect(Tamper::filled(books_.cache(), b) == block.filled, "filled slots" + name);
        const PrefixIndex& index = Tamper::index(books_.cache());
        const auto node = index.node_of(b);
        expect(node.has_value() == block.findable.has_value(), "findable" + name);
        if (node) expect(path(index, *node) == block.findable->tokens, "the content" + name);
    }
    void compare_place(std::uint32_t p) const {
        const std::string name = " of place " + std::to_string(p);
        const NaiveCache::Place& place = model_.places[p];
        const Tiers::Place& seen = books_.cache().tiers()[p];
        expect((seen.state == PlaceState::Free) == place.is_free(), "free" + name);
        expect((seen.state == PlaceState::Leaving) == place.leaving, "leaving" + name);
        expect(seen.request.has_value() == place.request.has_value(), "the request" + name);
        if (seen.request) expect(seen.request->value == *place.request, "the request" + name);
        expect(seen.slots == place.slots && seen.entry == place.entry, "slots or entry" + name);
        expect(seen.node.has_value() == place.content.has_value(), "content" + name);
        if (seen.node)
            expect(path(Tamper::index(books_.cache()), *seen.node) == place.content->tokens,
                   "the content" + name);
    }
    static Ids path(const PrefixIndex& index, PrefixId node) {
        Ids tokens;
        for (; !index.is_root(node); node = *index.parent(node))
            tokens.insert(tokens.begin(), index.tokens(node).begin(), index.tokens(node).end());
        return tokens;
    }

    static constexpr std::size_t kMostRequests = 9, kLongest = 120;

    Care care_;
    NaiveCache model_;
    Books books_;
    std::uint64_t n_done_ = 0;
    std::string log_;
};

struct Played {
    std::uint64_t n_done = 0;
    std::optional<std::string> wrong;
    std::size_t at = 0;  // the command that it was found after
    std::map<std::string, std::uint64_t> told;
};

inline Played play(const CacheSpec& spec, std::span<const Command> commands, Player::Care care,
                   std::string* log = nullptr) {
    Played played;
    try {
        Player player(spec, care);
        for (; played.at < commands.size(); ++played.at) {
            player.play(commands[played.at]);
            if (log != nullptr && !player.log().empty()) *log += "  " + player.log() + "\n";
        }
        player.finish();
        played.n_done = player.n_done();
        played.told = player.books().told();
    } catch (const std::exception& broken) {
        played.wrong = broken.what();
    }
    return played;
}

// The shortest stream that still goes wrong, found by leaving out ever smaller pieces.
inline std::vector<Command> shrunk(const CacheSpec& spec, std::vector<Command> commands) {
    const auto fails = [&](const std::vector<Command>& some) {
        return play(spec, some, Player::Care::EveryCommand).wrong.has_value();
    };
    for (std::size_t piece = std::max<std::size_t>(commands.size() / 2, 1);; piece /= 2) {
        bool shorter = false;
        for (std::size_t at = 0; at + piece <= commands.size();) {
            std::vector<Command> rest = commands;
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at),
                       rest.begin() + static_cast<std::ptrdiff_t>(at + piece));
            if (fails(rest)) {
                commands = std::move(rest);
                shorter = true;
            } else {
                at += piece;
            }
        }
        if (piece > 1) continue;
        if (!shorter) return commands;
        piece = 2;
    }
}

// In words and in bytes, what went wrong and how to see it again.
inline std::string report(const CacheSpec& spec, const std::vector<Command>& failing) {
    if (!play(spec, failing, Player::Care::EveryCommand).wrong)
        return "it goes wrong only in a longer stream";
    const std::vector<Command> few = shrunk(spec, failing);
    std::string log;
    const Played played = play(spec, few, Player::Care::EveryCommand, &log);
    std::ostringstream out;
    out << text_of(spec) << "\n" << log << "  -> " << *played.wrong << "\n";
    for (const Command& c : few)
        out << "{" << +c.what << ", " << +c.x << ", " << +c.y << ", " << +c.z << "}, ";
    return out.str();
}

}  // namespace kv::test
