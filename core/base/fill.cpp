#include "core/base/fill.hpp"

#include <algorithm>

namespace kv {
namespace {

// "n:token|tokens" is no place, but words that agree with the place n.
bool is_agreeing(std::string_view inside) {
    return inside.find(':') != std::string_view::npos;
}

}  // namespace

std::optional<Filling> filling_of(std::string_view inside, std::span<const Place> places) {
    const std::size_t colon = std::min(inside.find(':'), inside.size());
    const auto place =
        std::find_if(places.begin(), places.end(),
                     [name = inside.substr(0, colon)](const Place& p) { return p.first == name; });
    if (place == places.end()) return std::nullopt;
    if (!is_agreeing(inside)) return Filling{place->second};
    const std::string_view words = inside.substr(colon + 1);
    const std::size_t bar = words.find('|');
    if (place->second == "1" || bar == std::string_view::npos)
        return Filling{words.substr(0, bar), false};
    return Filling{words.substr(bar + 1), false};
}

Text fill(std::string_view text, std::span<const Place> places) {
    Text out;
    out.reserve(text.size() + 16);
    while (!text.empty()) {
        const std::size_t open = std::min(text.find('{'), text.size());
        out.append(text.substr(0, open));
        text.remove_prefix(open);
        if (text.empty()) break;
        const std::size_t close = text.find('}');
        std::optional<Filling> filling;
        if (close != std::string_view::npos)
            filling = filling_of(text.substr(1, close - 1), places);
        if (!filling) {
            out.push_back('{');
            text.remove_prefix(1);
            continue;
        }
        out.append(filling->text);
        text.remove_prefix(close + 1);
    }
    return out;
}

std::vector<std::string_view> places_of(std::string_view text) {
    std::vector<std::string_view> places;
    for (std::size_t open = text.find('{'); open != std::string_view::npos;
         open = text.find('{', open + 1)) {
        const std::size_t close = text.find('}', open);
        if (close == std::string_view::npos) break;
        const std::string_view inside = text.substr(open + 1, close - open - 1);
        if (!is_agreeing(inside)) places.push_back(inside);
    }
    return places;
}

}  // namespace kv
