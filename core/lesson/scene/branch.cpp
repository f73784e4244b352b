#include "core/lesson/scene/branch.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/trace/event/event.hpp"

namespace kv {
namespace {

// A token as it appears in a run: of which request, its index there, and when it is there.
struct Made {
    std::string request;
    std::uint32_t index, token;
    std::uint64_t moment;
};

std::vector<Made> tokens_made(const Trace& trace) {
    std::vector<Made> made;
    std::map<std::uint32_t, std::uint32_t> count;  // tokens so far, by SeqId
    trace.each(0, trace.size(), [&](std::uint64_t n, const Event& event) {
        if (const auto* arrived = std::get_if<RequestArrived>(&event.what))
            count[event.request->value] = static_cast<std::uint32_t>(arrived->prompt.size());
        if (const auto* added = std::get_if<TokenAdded>(&event.what))
            made.push_back({trace.end().requests[event.request->index()].name,
                            count[event.request->value]++, added->token, n + 1});
    });
    return made;
}

using ByPlace = std::map<std::pair<std::string, std::uint32_t>, const Made*>;

ByPlace by_place(const std::vector<Made>& all) {
    ByPlace places;
    for (const Made& made : all) places[{made.request, made.index}] = &made;
    return places;
}

const Made* find(const ByPlace& places, const Made& like) {
    const auto found = places.find({like.request, like.index});
    return found == places.end() ? nullptr : found->second;
}

}  // namespace

Scene branch_of(const Scene& scene, std::uint32_t at, const std::vector<EngineCommand>& commands) {
    Scene branch = scene;
    const auto after = std::upper_bound(
        branch.commands.begin(), branch.commands.end(), at,
        [](std::uint32_t iteration, const SceneCommand& c) { return iteration < c.at; });
    std::vector<SceneCommand> added;
    added.reserve(commands.size());
    for (const EngineCommand& command : commands) added.push_back({at, command});
    branch.commands.insert(after, added.begin(), added.end());
    return branch;
}

void keep_known_blocks(EngineSettings& settings, const ModelConfig& config) {
    if (codec_refusal(config, settings)) return;  // the engine says why
    const auto n_blocks = blocks_of(settings.pool, bytes_per_block(config, settings));
    auto& ids = settings.free_list;
    ids.erase(std::remove_if(ids.begin(), ids.end(),
                             [&](std::uint32_t id) { return n_blocks && id >= *n_blocks; }),
              ids.end());
}

std::optional<TokenDifference> first_difference(const Trace& left, const Trace& right) {
    const std::vector<Made> ours = tokens_made(left), theirs = tokens_made(right);
    const ByPlace left_places = by_place(ours), right_places = by_place(theirs);
    for (const Made& made : ours) {
        const Made* other = find(right_places, made);
        if (other != nullptr && other->token == made.token) continue;
        TokenDifference difference{.request = made.request,
                                   .index = made.index,
                                   .left = made.token,
                                   .right = {},
                                   .left_moment = made.moment,
                                   .right_moment = right.size()};
        if (other != nullptr) {
            difference.right = other->token;
            difference.right_moment = other->moment;
        }
        return difference;
    }
    for (const Made& made : theirs)
        if (find(left_places, made) == nullptr)
            return TokenDifference{.request = made.request,
                                   .index = made.index,
                                   .left = {},
                                   .right = made.token,
                                   .left_moment = left.size(),
                                   .right_moment = made.moment};
    return std::nullopt;
}

}  // namespace kv
