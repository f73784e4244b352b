#pragma once
// One text told to both sides of a comparison (teacher forcing), so that both are judged by the
// same words: the answer that the model gives behind a cache in float32 that keeps everything. Each
// side is played anew with that answer forced upon its request, beside all its other requests. Safe
// on any thread.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/live/looks/looks.hpp"
#include "app/session/loaded_model.hpp"
#include "core/lesson/scene/scene.hpp"

namespace kv {

struct ToldAsk {
    struct Side {
        std::shared_ptr<const LoadedModel> model;
        Scene scene;
    };
    std::array<Side, 2> sides;
    std::string place;       // of the scene, for refusals
    std::string request;     // its name, on both sides
    SeqId id{0};             // of it on the left side
    std::uint32_t most = 0;  // tokens of the answer, at least one
};

// Whether the request can be told anything: it comes with the scene, and with its own prompt.
bool can_be_told(const Scene& scene, const std::string& request);

// The answer with the judgement of all three. Nothing when `go_on`, asked before each iteration,
// says no, or when a side did not come to the end of the answer.
std::optional<FullText> tell_both(const ToldAsk& ask, const LookSpec& spec,
                                  const std::function<bool()>& go_on);

}  // namespace kv
