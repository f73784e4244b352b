#include "app/live/attach/words.hpp"

namespace kv {
namespace {

std::string words_of_ids(const std::vector<std::uint32_t>& ids, const TokenWords* tokenizer) {
    if (tokenizer != nullptr) return tokenizer->text(ids);
    std::string out;
    for (const std::uint32_t id : ids) out += (out.empty() ? "" : " ") + std::to_string(id);
    return out;
}

template <class Each>
void each_text(TankPicture& tank, const Each& each) {
    for (TankPrefixRow& row : tank.hottest) each(row);
    for (TankPrefixRow& row : tank.lost) each(row);
    for (TreeBar& bar : tank.tree.bars) each(bar);
    for (TankLogRow& row : tank.log) each(row);
}

}  // namespace

bool put_words(TankPicture& tank, const TokenWords* tokenizer) {
    bool any = false;
    each_text(tank, [&](auto& one) {
        one.words = words_of_ids(one.token_ids, tokenizer);
        any = any || !one.token_ids.empty();
    });
    return any;
}

void hide_tokens(TankPicture& tank) {
    each_text(tank, [](auto& one) {
        one.token_ids.clear();
        one.words.clear();
    });
}

}  // namespace kv
