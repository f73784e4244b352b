#pragma once
// What the card under a backend can do at most, measured on it. It takes some tenths of a second
// and half of the memory that is free there.

#include <optional>
#include <string>

namespace kv {

struct CardRoofs {
    double bytes_per_second = 0, flops_per_second = 0;
};
// The roofs of the card that `backend` names; nothing where the card cannot be had.
std::optional<CardRoofs> card_roofs(const std::string& backend);

}  // namespace kv
