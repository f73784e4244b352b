#pragma once
// What a picture is, said as plainly as it can be: walks along the tree, a list of all blocks in
// order, nothing remembered from one question to the next. Too slow for a million blocks.

#include "core/attach/picture/tank_picture.hpp"

namespace kv::test {

// The pool, the tree, and the rows of the hottest and the lost prefixes; nothing else.
TankPicture slow_picture(const Tank& tank, const PictureAsk& ask);

}  // namespace kv::test
