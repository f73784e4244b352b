#include "app/frame/whatif.hpp"

#include <algorithm>
#include <array>

#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cost/model/presets.hpp"
#include "core/cost/time/cards.hpp"

namespace kv {
namespace {

constexpr u64 kMostTodaysBlocks = 1'000'000'000;
constexpr u64 kMostHostGib = 1'000'000;

void set_file(WhatIfUi& own, const Command& c) {
    if (own.ask.file == word_argument(c)) ++own.again;
    own.ask.file = word_argument(c);
    own.ask.today.reset();
}

void set_codec_beside(WhatIfUi& own, const Command& c) {
    std::string why;
    const auto codec = parse_codec(word_argument(c), why);
    if (!codec) throw Refused("refused.whatif.codec"_t, {{"word", word_argument(c)}});
    WhatIfAsk ask = own.ask;
    ask.codec = *codec;
    const auto shape = preset(ask.model.preset);
    if (shape && cache_objection(shape->cache, {*codec, *codec}))
        throw Refused("refused.whatif.codec"_t, {{"word", word_argument(c)}});
    own.ask = ask;
}

void set_model_asked(WhatIfUi& own, const Command& c) {
    const auto shape = preset(word_argument(c));
    if (!shape || cache_objection(shape->cache, {own.ask.codec, own.ask.codec}))
        throw Refused("refused.whatif.model"_t, {{"word", word_argument(c)}});
    own.ask.model.preset = word_argument(c);
}

void set_card_asked(WhatIfUi& own, const Command& c) {
    const Card* card = find_card(word_argument(c));
    if (card == nullptr || !card->bf16) {
        std::string known;
        for (const Card& each : cards())
            if (each.bf16) known += (known.empty() ? "" : ", ") + std::string(each.name);
        throw Refused("refused.whatif.card"_t, {{"word", word_argument(c)}, {"known", known}});
    }
    own.ask.model.card = word_argument(c);
}

// The view that is shown already is weighed once more where that was stopped or refused.
void set_view(WhatIfUi& own, const Command& c) {
    const auto* const view =
        std::find(kWhatIfViewNames.begin(), kWhatIfViewNames.end(), word_argument(c));
    if (view == kWhatIfViewNames.end()) {
        std::string known;
        for (const std::string_view name : kWhatIfViewNames)
            known += (known.empty() ? "" : ", ") + std::string(name);
        throw Refused("refused.whatif.view"_t, {{"word", word_argument(c)}, {"known", known}});
    }
    own.view = static_cast<WhatIfView>(view - kWhatIfViewNames.begin());
    own.side().stopped = false;
    own.side().refused = {};
}

struct WhatIfHandler {
    CommandId id;
    void (*run)(WhatIfUi&, const Command&);
};

constexpr std::array kWhatIfHandlers = std::to_array<WhatIfHandler>({
    {"whatif.file", set_file},
    {"whatif.today",
     [](WhatIfUi& own, const Command& c) {
         own.ask.today = whole_argument(c, 1, kMostTodaysBlocks);
     }},
    {"whatif.codec", set_codec_beside},
    {"whatif.host",
     [](WhatIfUi& own, const Command& c) {
         own.ask.host_bytes = whole_argument(c, 1, kMostHostGib) << 30;
     }},
    {"whatif.model", set_model_asked},
    {"whatif.card", set_card_asked},
    {"whatif.share",
     [](WhatIfUi& own, const Command& c) {
         own.ask.model.share = static_cast<double>(whole_argument(c, 1, 100)) / 100;
     }},
    {"whatif.link",
     [](WhatIfUi& own, const Command& c) {
         own.ask.model.link = 1e9 * static_cast<double>(whole_argument(c, 1, 100'000));
     }},
    {"whatif.view", set_view},
    {"whatif.stop", [](WhatIfUi& own, const Command&) { own.stop = true; }},
});

}  // namespace

void ask_whatif(WhatIfUi& own, const Command& command) {
    const auto handler = std::find_if(kWhatIfHandlers.begin(), kWhatIfHandlers.end(),
                                      [&](const WhatIfHandler& h) { return h.id == command.id; });
    KV_ASSERT(handler != kWhatIfHandlers.end());
    handler->run(own, command);
}

}  // namespace kv
