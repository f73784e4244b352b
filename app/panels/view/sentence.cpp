#include "app/panels/view/sentence.hpp"

#include <span>
#include <utility>

#include "core/trace/event/reason_text.hpp"

namespace kv {

List<SentencePiece> pieces(std::string_view text, std::initializer_list<Place> places) {
    List<SentencePiece> out;
    Text words;  // since the last value
    const auto add = [&out](Text part, bool is_value) {
        if (!part.empty()) out.push_back({std::move(part), is_value});
    };
    std::size_t from = 0;
    for (std::size_t open = text.find('{'); open != std::string_view::npos;
         open = text.find('{', open + 1)) {
        const std::size_t close = text.find('}', open);
        if (close == std::string_view::npos) break;
        const auto filling = filling_of(text.substr(open + 1, close - open - 1),
                                        std::span(places.begin(), places.size()));
        if (!filling) continue;
        words.append(text.substr(from, open - from));
        from = close + 1;
        if (!filling->is_value) {
            words.append(filling->text);
            continue;
        }
        add(std::exchange(words, {}), false);
        add(Text(filling->text), true);
    }
    add(words.append(text.substr(from)), false);
    return out;
}

Text reason_in(const Texts& text, const Reason& reason, const NameOfRequest& name) {
    return reason_text(reason, name,
                       [&text](std::string_view english) { return text.phrase(english); });
}

}  // namespace kv
