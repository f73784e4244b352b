#include "app/panels/whatif/choice_words.hpp"

#include <algorithm>
#include <array>

namespace kv {
namespace {

struct GoesFirst {
    std::string_view order;
    TextId words;
};
constexpr std::array kGoesFirst{
    GoesFirst{"lru", "whatif.first.lru"_t},
    GoesFirst{"fifo", "whatif.first.fifo"_t},
    GoesFirst{"lfu", "whatif.first.lfu"_t},
    GoesFirst{"mru", "whatif.first.mru"_t},
    GoesFirst{"filo", "whatif.first.filo"_t},
    GoesFirst{"lru-sglang", "whatif.first.lru_sglang"_t},
    GoesFirst{"lru-strict", "whatif.first.lru_strict"_t},
    GoesFirst{"slru", "whatif.first.slru"_t},
};

}  // namespace

std::string choice_name(WhatIfView view, const WhatIfSetting& setting) {
    return view == WhatIfView::Order ? std::string(setting.order.name)
                                     : std::to_string(setting.block_size);
}

Text goes_first_words(const Texts& text, const ReplayOrder& order) {
    const auto found =
        std::find_if(kGoesFirst.begin(), kGoesFirst.end(),
                     [&](const GoesFirst& each) { return each.order == order.name; });
    KV_ASSERT(found != kGoesFirst.end());
    return Text(text[found->words]);
}

Text choice_words(const Texts& text, WhatIfView view, const WhatIfSetting& setting) {
    const std::string name = choice_name(view, setting);
    if (view == WhatIfView::BlockSize) return fill(text["whatif.choice.block"_t], {{"n", name}});
    return fill(text["whatif.choice.order"_t],
                {{"order", name}, {"first", goes_first_words(text, setting.order)}});
}

bool is_as_recorded(const WeighedRecording& weighed, const WhatIfSetting& setting) {
    return setting.block_size == weighed.block_size && setting.order.is_plain_lru();
}

const WhatIfChoice* recorded_choice(const WeighedRecording& weighed, const WhatIfChoices& choices) {
    for (const WhatIfChoice& choice : choices)
        if (is_as_recorded(weighed, choice.setting)) return &choice;
    return nullptr;
}

Text question_words(const Texts& text, WhatIfView view) {
    switch (view) {
        case WhatIfView::Pool:
            break;
        case WhatIfView::BlockSize:
            return Text(text["whatif.title.block_size"_t]);
        case WhatIfView::Order:
            return Text(text["whatif.title.order"_t]);
    }
    return Text(text["whatif.title"_t]);
}

Text replayed_words(const Texts& text, const WeighedRecording& weighed, WhatIfView view) {
    const std::string size = std::to_string(weighed.block_size);
    switch (view) {
        case WhatIfView::Pool:
            break;
        case WhatIfView::BlockSize:
            return Text(text["whatif.replayed.block_size"_t]);
        case WhatIfView::Order:
            return fill(text["whatif.replayed.order"_t], {{"size", size}});
    }
    return fill(text["whatif.replayed"_t], {{"size", size}});
}

Text not_asked_words(const Texts& text, const WeighedRecording& weighed, WhatIfView view) {
    switch (view) {
        case WhatIfView::Pool:
            break;
        case WhatIfView::BlockSize:
            return fill(text[weighed.has_tokens ? "whatif.not_asked.block_size"_t
                                                : "whatif.not_asked.block_size.hashes"_t],
                        {{"size", std::to_string(weighed.block_size)}});
        case WhatIfView::Order:
            return Text(text["whatif.not_asked.order"_t]);
    }
    return Text(text["whatif.not_asked"_t]);
}

Text choice_answer(const Texts& text, const WeighedRecording& weighed, WhatIfView view,
                   const WhatIfChoices& choices) {
    const WhatIfChoice *recorded = recorded_choice(weighed, choices), *best = best_choice(choices);
    if (recorded == nullptr || !recorded->here() || best == nullptr) return Text();
    return whatif_beside_answer(text, {.by_order = view == WhatIfView::Order,
                                       .recorded = *recorded->here(),
                                       .best = *best->here(),
                                       .seconds = weighed.summary.seconds,
                                       .knows_today = weighed.knows_today()});
}

}  // namespace kv
