#pragma once
// Channels: how large each channel of the stored keys and values is, and what a smaller format
// would make of it. A channel that is much larger than its neighbours spoils the scale of all of
// them.

#include "app/panels/token/channel_facts.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

// The map of the moment, gathered anew when it changes.
class ChannelsUi {
public:
    PreviewCodec codec = PreviewCodec::Int8;

    const ChannelMap& follow(const RunView& run, const RunFocus& focus);

private:
    struct Key {
        std::uint64_t run = 0, moment = 0;
        SeqId request{0};
        std::uint32_t layer = 0;
        PreviewCodec codec = PreviewCodec::Int8;
        friend bool operator==(const Key&, const Key&) = default;
    };
    std::optional<Key> key_;
    ChannelMap map_;
};

void draw_channels(const Ui& ui, const RunView& run, RunFocus& focus, ChannelsUi& own);

}  // namespace kv
