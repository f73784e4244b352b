#pragma once
// What a run is made of: who computes, for which model, and who else wants to know.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/engine/pool/spec.hpp"
#include "core/engine/run/memory/recorder.hpp"
#include "core/engine/run/request/pass_book.hpp"
#include "core/engine/seam/backend.hpp"
#include "core/model/config/config.hpp"
#include "core/model/tokenizer/tokenizer.hpp"

namespace kv {

// Makes the backend of a run, with that pool; called again when a setting changes the pool.
using BackendMaker =
    std::function<std::unique_ptr<Backend>(const std::string& name, const PoolSpec&)>;

// A model that drafts for the run's: who computes with it, and whether its tokens are the same
// words. `config` lives as long as what is bound to make_backend.
struct DrafterParts {
    const ModelConfig* config = nullptr;
    std::function<std::unique_ptr<Backend>(const PoolSpec&)> make_backend;
    bool same_words = true;
};
// Finds a model by its name, or throws an Error (Usage) that says what is wrong with it.
using DrafterFinder = std::function<DrafterParts(const std::string& name)>;

struct EngineParts {
    const ModelConfig& config;
    BackendMaker make_backend;
    const Tokenizer* tokenizer = nullptr;  // for stop texts and for requests given as text
    std::string model_id = {};             // what may not share blocks with other models
    bool keep_logits = false;
    std::uint64_t payload_bytes = 64u << 20;  // for the bytes of past moments; 0 keeps none
    BytesWritten on_bytes = {};               // told of them as well, or instead
    std::optional<unsigned char> poison_fresh_blocks = {};
    bool keep_seen = false;  // what each query saw, for whoever computes it once more
    // Each row of logits that a token is drawn from or judged by, with all tokens that led to it.
    std::function<void(SeqId, const SeenTokens& seen, std::span<const float> logits)> on_logits =
        {};
    std::function<double()> clock_us = {};  // the time that is measured; steady by default
    DrafterFinder find_drafter = {};        // none: no model can draft
};

}  // namespace kv
