#pragma once
// The words of a picture that may show tokens.

#include "core/attach/picture/tank_picture.hpp"
#include "core/model/tokenizer/token_words.hpp"

namespace kv {

// Into every row, bar and line of the log that has token ids; without a tokenizer the ids
// themselves. Whether there were any.
bool put_words(TankPicture& tank, const TokenWords* tokenizer);
// Takes the tokens out of a picture, so that nothing of them is left.
void hide_tokens(TankPicture& tank);

}  // namespace kv
