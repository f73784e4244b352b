#pragma once
// What a panel says when it has nothing to show, when the world failed, or when a rule said no:
// what, why, what next, with at most two buttons.

#include <span>

#include "app/widgets/controls.hpp"

namespace kv {

struct Message {
    std::string_view title = {};
    std::span<const std::string_view> lines = {};   // each wraps
    std::string_view tag = {};                      // quiet, at the right: "device error"
    std::string_view primary = {}, secondary = {};  // button labels; empty: none
    bool refusal = false;                           // vermillion outline
};
enum class MessageAnswer : std::uint8_t { None, Primary, Secondary };

float message_height(const Ui& ui, const Message& message, float width);
MessageAnswer message_card(const Ui& ui, const char* id, const Message& message, float width = 0);
// A message in the middle of the room that is left, at most 460 logical pixels wide.
MessageAnswer message_centered(const Ui& ui, const char* id, const Message& message);

}  // namespace kv
