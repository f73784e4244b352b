#include "app/panels/view/sentence.hpp"

#include <algorithm>

namespace kv {

List<SentencePiece> pieces(std::string_view text, std::initializer_list<Place> places) {
    List<SentencePiece> out;
    const auto add = [&out](std::string_view part, bool is_value) {
        if (!part.empty()) out.push_back({Text(part), is_value});
    };
    std::size_t words = 0;  // where the words that are not yet out begin
    for (std::size_t open = text.find('{'); open != std::string_view::npos;
         open = text.find('{', open + 1)) {
        const std::size_t close = text.find('}', open);
        if (close == std::string_view::npos) break;
        const std::string_view name = text.substr(open + 1, close - open - 1);
        const auto place = std::find_if(places.begin(), places.end(),
                                        [name](const Place& p) { return p.first == name; });
        if (place == places.end()) continue;
        add(text.substr(words, open - words), false);
        add(place->second, true);
        words = close + 1;
    }
    add(text.substr(words), false);
    return out;
}

}  // namespace kv
