#include "app/live/scene_view.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/panels/run_facts.hpp"

namespace kv {
namespace {

using Json = nlohmann::ordered_json;

std::optional<std::uint32_t> number(const Json& view, const char* name) {
    const auto found = view.find(name);
    if (found == view.end() || !found->is_number_unsigned()) return std::nullopt;
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(found->get<std::uint64_t>(), UINT32_MAX - 1));
}

std::string word(const Json& view, const char* name) {
    const auto found = view.find(name);
    return found != view.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

void apply_view(AppState& state, const Snapshot& now, const std::string& text) {
    const Json view = Json::parse(text);
    RunFocus focus;
    if (const auto request = request_named(now, word(view, "focus")))
        focus.request = *request;
    else if (!now.running.empty())
        focus.request = now.running.back();
    focus.token = number(view, "token");
    if (const auto block = number(view, "block")) focus.block = BlockId(*block);
    focus.layer = number(view, "layer").value_or(0);
    focus.kv_head = number(view, "kv_head").value_or(0);
    focus.query_head = number(view, "query_head").value_or(0);
    focus.dim = number(view, "dim").value_or(0);
    focus.side = word(view, "side") == "v" ? KvSide::V : KvSide::K;
    state.run.focus = focus;
    state.run.notes.text = word(view, "notes");
    for (const Granularity step :
         {Granularity::Operation, Granularity::Layer, Granularity::Token, Granularity::Iteration})
        if (word(view, "step") == name_of(step)) state.run.playback.step = step;
}

std::optional<SceneChange> change_in_view(const std::string& text, const Snapshot& now) {
    const Json view = Json::parse(text);
    if (std::string words = word(view, "compare"); !words.empty())
        return SceneChange{std::move(words), {}};
    if (std::string words = word(view, "branch"); !words.empty())
        return SceneChange{std::move(words), number(view, "branch_at").value_or(now.iteration)};
    return std::nullopt;
}

std::string view_text(const AppState& state, const Snapshot& now,
                      const std::optional<SceneChange>& change) {
    const RunFocus& focus = state.run.focus;
    Json view = Json::object();
    view["focus"] = name_of_request(now, focus.request);
    if (focus.token) view["token"] = *focus.token;
    if (focus.block) view["block"] = focus.block->value;
    view["layer"] = focus.layer;
    view["kv_head"] = focus.kv_head;
    view["query_head"] = focus.query_head;
    view["side"] = focus.side == KvSide::K ? "k" : "v";
    view["dim"] = focus.dim;
    view["step"] = name_of(state.run.playback.step);
    if (!state.run.notes.text.empty()) view["notes"] = state.run.notes.text;
    if (change) {
        view[change->from ? "branch" : "compare"] = change->words;
        if (change->from) view["branch_at"] = *change->from;
    }
    return view.dump();
}

}  // namespace kv
