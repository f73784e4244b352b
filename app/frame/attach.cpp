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

constexpr std::uint64_t kMostRanks = 64;

// One word of "tcp://HOST:PORT replay=tcp://HOST:PORT ranks=2 bind".
void read_word(AttachAsk& ask, const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    const std::optional<std::uint64_t> ranks = read_number(value, 1, kMostRanks);
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
    else
        throw Refused("refused.attach.word"_t, {{"word", word}});
}

// Without a value it calls what stands in the fields; with one it fills them first, so that
// nothing is left of another server.
void open(AttachUi& attach, const Command& c) {
    if (!attach.can_connect) throw Refused("refused.attach.page"_t);
    AttachAsk ask = attach.ask;
    if (const auto* words = std::get_if<std::string>(&c.argument)) {
        ask = {};
        std::istringstream in(*words);
        for (std::string word; in >> word;) read_word(ask, word);
    }
    if (ask.address.empty()) throw Refused("refused.attach.address"_t);
    attach.ask = std::move(ask);
    wish(attach, c);
}

void choose_rank(AttachUi& attach, const Command& c) {
    require_server(attach);
    const auto rank = whole_argument(c);
    if (!attach.shows_server()) return wish(attach, c);
    Text known;
    for (const RankCard& card : attach.view->tank.ranks) {
        if (static_cast<std::uint64_t>(card.rank.rank) == rank) return wish(attach, c);
        if (!known.empty()) known += ", ";
        known += std::to_string(card.rank.rank);
    }
    throw Refused("refused.attach.rank"_t, {{"n", std::to_string(rank)}, {"known", known}});
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

}  // namespace kv
