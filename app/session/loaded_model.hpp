#pragma once
// A model ready to run: its folder, its weights in memory, its words, and what identifies it. The
// command line and the window load models here, so that both refuse the same things in the same
// sentences.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/session/backends.hpp"
#include "core/model/checkpoint/checkpoint.hpp"
#include "core/model/checkpoint/weights.hpp"
#include "core/model/tokenizer/tokenizer.hpp"

namespace kv {

// What is being done and how far it is, from 0 to 1. False stops it.
using ModelProgress = std::function<bool(const char* doing, double done)>;

struct LoadedWeights {
    Weights weights;
    std::string sha256;
    std::uint64_t parameters = 0;
};

struct LoadedModel {
    Checkpoint checkpoint;
    std::optional<Tokenizer> tokenizer;  // none in a folder that has no tokenizer.json
    LoadedWeights loaded;

    const ModelConfig& config() const { return checkpoint.config(); }
};

// `beside_bytes`: what else has to fit into memory: pools and their books. Throws kv::Error when it
// does not fit or cannot be read; nothing when it was stopped.
std::optional<LoadedWeights> load_checkpoint(const Checkpoint& checkpoint,
                                             std::uint64_t beside_bytes,
                                             const ModelProgress& progress);

// The tokenizer.json of a folder, if there is one.
std::optional<Tokenizer> tokenizer_of(const std::string& folder);

}  // namespace kv
