#pragma once
// What a page is asked for: by its script, and by the address that it was opened with.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/window/window.hpp"

namespace kv {

// The words of a line, a JSON list of texts. Throws kv::Error (Usage) for anything else.
std::vector<std::string> words_of(std::string_view json);

struct PageAsk {
    WindowOptions window;
    std::optional<std::string> only;  // a panel in place of a layout
};
// An object of JSON: "scene" a name or a file that lies here, "step", "layout", "theme", "only",
// and "commands", a list.
PageAsk page_ask(std::string_view json);

}  // namespace kv
