#pragma once
// Plays what a line asks for: a scene on the engine, or, where something else than keys and values
// is kept between steps, its one request by itself.

#include <span>
#include <string>

#include "app/cli/run/result.hpp"
#include "app/cli/terminal/progress_line.hpp"
#include "app/session/loaded_model.hpp"
#include "core/model/checkpoint/weights.hpp"

namespace kv {

// Weights are finite one by one; their products may still leave the range of a float. Throws.
void refuse_infinite(std::span<const float> logits, const RunInput& input, std::uint32_t step);

void play_scene(const RunInput& input, const Weights& weights, const SayProgress& progress,
                RunResult& result);
void play_without_cache(const RunInput& input, const Weights& weights, const SayProgress& progress,
                        RunResult& result);

}  // namespace kv
