#include "app/live/start/own_sentence.hpp"

#include <algorithm>
#include <vector>

#include "app/frame/start/sentence.hpp"
#include "app/panels/view/run.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr std::uint32_t kAnswer = 6;              // tokens
constexpr std::uint64_t kPoolBytes = 384 * 1024;  // a smaller cache visibly holds more in them

EngineSettings own_settings() {
    EngineSettings settings;
    settings.backend = "reference";
    settings.block_size = kOwnPage;
    settings.pool = {.bytes = kPoolBytes};
    return settings;
}

}  // namespace

Scene scene_of_sentence(const std::string& sentence) {
    Scene scene;
    scene.name = kOwnScene;
    scene.settings = own_settings();
    SceneRequest request;
    request.id = "A";
    request.prompt = sentence;
    request.max_new = kAnswer;
    scene.requests.push_back(std::move(request));
    scene.step = 1;  // the sentence is read
    return scene;
}

std::uint32_t own_blocks(const ModelConfig& config) {
    const EngineSettings settings = own_settings();
    return blocks_of(settings.pool, bytes_per_block(config, settings)).value_or(0);
}

std::uint64_t most_prompt_tokens(const ModelConfig& config) {
    if (config.max_positions == 0) return 0;
    const std::uint64_t most =
        std::min<std::uint64_t>(config.max_positions, std::uint64_t{kOwnPage} * own_blocks(config));
    return most < kAnswer ? 1 : most - kAnswer + 1;  // the last one is said, not stored
}

void require_readable(const std::string& sentence, const LoadedModel& model) {
    if (!model.tokenizer)
        throw Refused("refused.sentence.no_words"_t, {{"model", model.checkpoint.folder()}});
    if (const auto problem = problem_of(facts_of(*model.tokenizer, sentence), sentence,
                                        most_prompt_tokens(model.config())))
        throw Refused(*problem);
}

void require_room(const std::string& prompt, const LoadedModel& model, const KvLayout& layout) {
    if (!model.tokenizer) return;  // the engine says it
    const std::uint64_t n = model.tokenizer->encode(prompt, Additions::OfFile).ids.size();
    const std::uint64_t longest =
        n + RequestSpec().max_new - 1;  // the last one is said, not stored
    const std::uint64_t positions = model.config().max_positions,
                        slots = std::uint64_t{layout.n_blocks} * layout.block_size;
    if (positions > 0 && longest > positions)
        throw Refused("refused.sentence.long"_t,
                      {{"tokens", with_commas(n)},
                       {"most", with_commas(positions - std::min(positions, longest - n))}});
    if (longest > slots)
        throw Refused("refused.prompt.pool"_t,
                      {{"tokens", with_commas(n)}, {"slots", with_commas(slots)}});
}

std::optional<std::uint32_t> first_look(const RunSession& session) {
    const Snapshot& now = session.now();
    if (now.requests.empty() || now.requests[0].stored == 0) return std::nullopt;
    const RequestView& request = now.requests[0];
    const std::uint32_t n = std::min(request.n_prompt, request.stored);
    if (!session.model().tokenizer) return n - 1;
    std::vector<TokenId> prompt;
    for (std::uint32_t i = 0; i < n; ++i) prompt.push_back(request.tokens[i]);
    const std::vector<WordPieces> words = words_of(bytes_of(*session.model().tokenizer, prompt));
    const auto last = std::find_if(words.rbegin(), words.rend(),
                                   [](const WordPieces& word) { return word.n == 1; });
    return last == words.rend() ? n - 1 : last->first;
}

}  // namespace kv
