#include "app/panels/stage/paint.hpp"

namespace kv {

std::optional<BlockId> StagePicture::selected_block() const {
    if (focus.block) return focus.block;
    if (!focus.token) return std::nullopt;
    const auto place = place_of_token(lane(), {focus.request, *focus.token});
    return place ? std::optional(place->block) : std::nullopt;
}

std::optional<BlockId> StagePicture::entry(SeqId request, std::uint32_t index) const {
    const Table* table = lane().table(request);
    return table != nullptr && index < table->size() ? (*table)[index] : std::nullopt;
}

bool StagePicture::is_shared(BlockId block) const {
    return lane().blocks()[block.index()].ref_count > 1;
}

Hue quieter(const Palette& colors, Hue hue) {
    return {mix(colors.panel, hue.ink, 0.8), mix(colors.panel, hue.fill, 0.72)};
}

}  // namespace kv
