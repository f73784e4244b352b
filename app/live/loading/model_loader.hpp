#pragma once
// A checkpoint read beside the window.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "app/live/loading/background_load.hpp"
#include "app/session/loaded_model.hpp"
#include "core/engine/settings/settings.hpp"

namespace kv {

using ModelLoader = BackgroundLoad<std::shared_ptr<const LoadedModel>>;

// `beside`: the bytes of the pool that has to fit beside these weights.
using BesideWeights = std::function<std::uint64_t(const ModelConfig&)>;
void start_loading(ModelLoader& loader, const std::string& folder, BesideWeights beside);

// The bytes of the pool that these settings ask for.
std::uint64_t pool_bytes(const ModelConfig& config, const EngineSettings& settings);

}  // namespace kv
