#include "app/frame/attach.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <sstream>

#include "core/base/error.hpp"

namespace kv {
namespace {

// One that was just asked for will be there when the wish is carried out.
void require_server(const AttachUi& attach) {
    const bool comes = std::any_of(attach.wishes.begin(), attach.wishes.end(), opens_attach);
    if (!attach.shows_server() && !comes) throw Refused("refused.attach.none"_t);
}

void wish(AttachUi& attach, const Command& c) {
    attach.wishes.push_back(c);
}
void wish_of_server(AttachUi& attach, const Command& c) {
    require_server(attach);
    wish(attach, c);
}

constexpr std::uint64_t kMostRanks = 64, kMostRankNumber = 1'000'000;

// One word of "tcp://HOST:PORT replay=tcp://HOST:PORT ranks=2 bind".
void read_word(AttachAsk& ask, const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    const std::optional<std::uint64_t> ranks = read_number(value, 1, kMostRanks),
                                       pool = read_number(value, 1, kMostPoolBlocks),
                                       kept = read_number(value, TankSettings::kFewestBlocks,
                                                          TankSettings::kMostBlocks);
    if (word.starts_with("tcp://"))
        ask.address = word;
    else if (word == "bind")
        ask.bind = true;
    else if (word == "tokens")
        ask.show_tokens = true;
    else if (name == "replay" && !value.empty())
        ask.replay = value;
    else if (name == "metrics" && !value.empty())
        ask.metrics = value;
    else if (name == "topic")
        ask.topic = value;
    else if (name == "tokenizer" && !value.empty())
        ask.tokenizer = value;
    else if (name == "ranks" && ranks)
        ask.ranks = *ranks;
    else if (name == "pool" && pool)
        ask.pool = pool;
    else if (name == "most_blocks" && kept)
        ask.most_blocks = kept;
    else if (name == "report" && (value == "full" || value == "incremental"))
        ask.full_reports = value == "full";
    else
        throw Refused("refused.attach.word"_t, {{"word", word}});
}

// Without a value it calls what stands in the fields; with one it fills them first, so that
// nothing is left of another server.
void open(AttachUi& attach, const Command& c) {
    if (!attach.can_connect) throw Refused("refused.attach.page"_t);
    AttachAsk ask = attach.ask;
    if (const auto* words = std::get_if<std::string>(&c.argument)) ask = read_attach_ask(*words);
    if (ask.address.empty()) throw Refused("refused.attach.address"_t);
    attach.ask = std::move(ask);
    wish(attach, c);
}

// One that the server has, as far as that is known by now.
void require_rank_of(const ServerView& server, std::uint64_t rank) {
    if (server.phase == AttachPhase::Connecting) return;
    Text known;
    for (const RankCard& card : server.tank.ranks) {
        if (static_cast<std::uint64_t>(card.rank.rank) == rank) return;
        if (!known.empty()) known += ", ";
        known += std::to_string(card.rank.rank);
    }
    throw Refused("refused.attach.rank"_t, {{"n", std::to_string(rank)}, {"known", known}});
}

void require_rank(const AttachUi& attach, std::uint64_t rank) {
    require_server(attach);
    if (attach.view) require_rank_of(*attach.view, rank);
}

void choose_rank(AttachUi& attach, const Command& c) {
    require_rank(attach, whole_argument(c));
    wish(attach, c);
}

void choose_group(AttachUi& attach, const Command& c) {
    require_server(attach);
    const auto group = whole_argument(c);
    if (!attach.shows_server()) return wish(attach, c);
    Text known;
    for (const ShelfCard& card : attach.view->groups()) {
        if (static_cast<std::uint64_t>(card.shelf.name.group) == group) return wish(attach, c);
        if (!known.empty()) known += ", ";
        known += std::to_string(card.shelf.name.group);
    }
    throw Refused("refused.attach.group"_t, {{"n", std::to_string(group)}, {"known", known}});
}

// A server that is still called may be compared as well: it is shown once it answers.
void compare(AttachUi& attach, const Command& c) {
    const std::string& word = word_argument(c);
    if (!attach.view) require_server(attach);
    if (const auto rank = rank_beside(word)) {
        require_rank(attach, static_cast<std::uint64_t>(*rank));
    } else if (is_address(word)) {
        if (!attach.can_connect) throw Refused("refused.attach.page"_t);
        const AttachAsk ask = read_attach_ask(word);
    } else if (word.starts_with("rank:")) {
        throw Refused("refused.attach.against"_t, {{"word", word}});
    }
    wish(attach, c);
}

void wish_of_pair(AttachUi& attach, const Command& c) {
    const bool comes = std::any_of(attach.wishes.begin(), attach.wishes.end(),
                                   [](const Command& w) { return compares_servers(w); });
    if (!attach.other && !comes) throw Refused("refused.attach.alone"_t);
    wish(attach, c);
}

void choose_rank_beside(AttachUi& attach, const Command& c) {
    if (attach.other) require_rank_of(*attach.other, whole_argument(c));
    wish_of_pair(attach, c);
}

template <class Value, std::size_t n>
Value chosen(const std::array<std::string_view, n>& names, const Command& c, TextId refusal) {
    const auto found = std::find(names.begin(), names.end(), word_argument(c));
    if (found == names.end()) throw Refused(refusal, {{"word", word_argument(c)}});
    return static_cast<Value>(found - names.begin());
}

void choose_order(AttachUi& attach, const Command& c) {
    constexpr std::array<std::string_view, 3> kOrders{"prefix", "last_use", "stored"};
    attach.order = chosen<PoolOrder>(kOrders, c, "refused.attach.order"_t);
    wish(attach, c);
}
void choose_step(AttachUi& attach, const Command& c) {
    constexpr std::array<std::string_view, 3> kSteps{"batch", "second", "minute"};
    attach.step = chosen<AttachStep>(kSteps, c, "refused.attach.step"_t);
}

// Pressed once more, it is let go.
void select(AttachUi& attach, const Command& c) {
    require_server(attach);
    const auto plate = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(whole_argument(c), std::numeric_limits<std::uint32_t>::max()));
    attach.selected = attach.selected == plate ? 0 : plate;
}

void turn_tokens(AttachUi& attach, const Command& c) {
    attach.ask.show_tokens = !attach.ask.show_tokens;
    wish(attach, c);
}

void set_tokenizer(AttachUi& attach, const Command& c) {
    attach.ask.tokenizer = word_argument(c);
    wish(attach, c);
}

struct AttachHandler {
    CommandId id;
    void (*run)(AttachUi&, const Command&);
};

constexpr std::array kAttachHandlers = std::to_array<AttachHandler>({
    {"attach.open", open},
    {"attach.close", wish},
    {"attach.file", wish},
    {"attach.rank", choose_rank},
    {"attach.rank_beside", choose_rank_beside},
    {"attach.group", choose_group},
    {"attach.against", compare},
    {"attach.swap", wish_of_pair},
    {"attach.alone", wish_of_pair},
    {"attach.order", choose_order},
    {"attach.select", select},
    {"attach.step", choose_step},
    {"attach.pause", wish_of_server},
    {"attach.back", wish_of_server},
    {"attach.forward", wish_of_server},
    {"attach.first", wish_of_server},
    {"attach.live", wish_of_server},
    {"attach.goto", wish_of_server},
    {"attach.record", wish_of_server},
    {"attach.stop_recording", wish_of_server},
    {"attach.tokens", turn_tokens},
    {"attach.tokenizer", set_tokenizer},
});

}  // namespace

void ask_attach(AttachUi& attach, const Command& command) {
    const auto handler = std::find_if(kAttachHandlers.begin(), kAttachHandlers.end(),
                                      [&](const AttachHandler& h) { return h.id == command.id; });
    KV_ASSERT(handler != kAttachHandlers.end());
    handler->run(attach, command);
}

bool opens_attach(const Command& command) {
    return command.id == "attach.open" || command.id == "attach.file";
}

bool compares_servers(const Command& command) {
    return command.id == "attach.against";
}

std::optional<std::int64_t> rank_beside(const std::string& word) {
    constexpr std::string_view kRank = "rank:";
    if (!word.starts_with(kRank)) return std::nullopt;
    const auto rank = read_number(word.substr(kRank.size()), 0, kMostRankNumber);
    return rank ? std::optional(static_cast<std::int64_t>(*rank)) : std::nullopt;
}

bool is_address(const std::string& word) {
    return word.starts_with("tcp://");
}

AttachAsk read_attach_ask(const std::string& words) {
    AttachAsk ask;
    std::istringstream in(words);
    for (std::string word; in >> word;) read_word(ask, word);
    return ask;
}

std::string words_of(const AttachAsk& ask) {
    std::string words = ask.address;
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty()) words += " " + std::string(name) + "=" + value;
    };
    add("replay", ask.replay);
    add("metrics", ask.metrics);
    add("topic", ask.topic);
    if (ask.ranks > 1) add("ranks", std::to_string(ask.ranks));
    if (ask.pool) add("pool", std::to_string(*ask.pool));
    if (ask.most_blocks) add("most_blocks", std::to_string(*ask.most_blocks));
    if (ask.full_reports) add("report", "full");
    add("tokenizer", ask.tokenizer);
    if (ask.bind) words += " bind";
    return words;
}

}  // namespace kv
