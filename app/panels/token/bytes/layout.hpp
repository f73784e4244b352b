#pragma once
// Where things stand in Bytes. Pure: no imgui.h. Pixels from the upper left corner of the room.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "app/shell/geometry.hpp"
#include "core/base/reused.hpp"

namespace kv {

struct BytesNeeds {
    float title_w = 0, switches_w = 0, field_w = 0;
    float address_w = 0, element_w = 0;  // of a hexadecimal row
    float sentence_height = 0;           // of what is said instead of bytes; 0: there are bytes
    std::uint32_t dim = 0;
    std::array<float, 6> columns{};  // of the table, the widest text of each
};
struct BytesPlan {
    Rect title, switches;
    List<Rect> addresses;  // one per row
    List<Rect> elements;   // the bytes of one element
    Rect lie, field;       // a sentence in two lines; the address to go to
    Rect sentence;
    float divider = 0;
    Rect preview;
    Rect head;                      // of the table
    std::array<float, 6> rights{};  // where its columns end
    List<Rect> rows;
    float foot_rule = 0;
    std::array<Rect, 2> foot;
    float height = 0;
};
BytesPlan layout_bytes(Vec2 room, float unit, const BytesNeeds& needs);

// "0x35940", a whole address below the end of the pool; nothing else.
std::optional<std::uint64_t> read_address(std::string_view text, std::uint64_t end);

}  // namespace kv
