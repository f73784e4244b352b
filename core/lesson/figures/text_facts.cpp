// Facts of texts: the stages that a token goes through, and two runs that part.

#include "core/lesson/figures/ask.hpp"

namespace kv {
namespace {

constexpr u64 kMostStageRows = 128;  // that are drawn one by one

std::vector<std::string> two_names(const FigureAsk& ask) {
    std::vector<std::string> names;
    for (const LessonValue& name : ask.given.list("names")) {
        const auto* text = name.plain<std::string>();
        if (text == nullptr) break;
        names.push_back(*text);
    }
    if (names.size() != 2) ask.given.refuse("wants two names, of the run and of the one beside it");
    return names;
}

}  // namespace

// stored: the rows of a layer when the step ends, its own among them.
FigureFacts ask_stages(const FigureAsk& ask) {
    const u64 stored = ask.given.whole("stored", 1);
    if (stored > kMostStageRows)
        ask.given.refuse("draws at most " + std::to_string(kMostStageRows) + " rows");
    static_cast<void>(ask.run());
    const auto number = [&](const std::string& e) {
        return static_cast<u64>(ask.value(e).plain<Number>()->value);
    };
    const u64 layers = number("model.n_layers");
    return StagesFacts{layers, stored, number("bytes.per_token") / layers};
}

// What both runs have written up to where the step opens is drawn before the reveal.
FigureFacts ask_two_texts(const FigureAsk& ask) {
    static_cast<void>(ask.run());
    const std::string request = ask.given.text_or("request", "A");
    const std::vector<std::string> names = two_names(ask);
    TwoTextsFacts facts{names[0], names[1], ask.words(ask.counts(request + ".new_tokens")),
                        ask.words(ask.counts("other(" + request + ".new_tokens)")), 0};
    const auto open =
        static_cast<u64>(ask.value("before(" + request + ".new)").plain<Number>()->value);
    if (open > facts.same()) ask.given.refuse("wants runs that are one up to where the step opens");
    if (facts.longest() == 0) ask.given.refuse("wants runs that have written something");
    facts.open = static_cast<std::uint32_t>(open);
    return facts;
}

}  // namespace kv
