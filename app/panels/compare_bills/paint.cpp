#include "app/panels/compare_bills/paint.hpp"

#include <array>

#include "app/widgets/message.hpp"

namespace kv {

List<Run> runs_of(std::span<const SentencePiece> pieces, const TextStyle& words,
                  const TextStyle& values) {
    List<Run> runs;
    for (const SentencePiece& piece : pieces)
        runs.push_back({piece.is_value ? values : words, piece.text});
    return runs;
}

void draw_not_priced(const Ui& ui, std::string_view why) {
    const std::array<std::string_view, 1> lines{why};
    message_centered(ui, "not priced",
                     {.title = ui.text["compare.not_priced"_t], .lines = lines, .refusal = true});
}

}  // namespace kv
