#pragma once
// What a line of `kvarium run` asks for, read and checked before any weight is loaded: a scene from
// a file, or the scene of one request that the line describes.

#include <optional>
#include <string>
#include <vector>

#include "app/cli/run/publish.hpp"
#include "app/cli/terminal/command.hpp"
#include "core/cost/keep.hpp"
#include "core/lesson/scene/scene.hpp"
#include "core/model/checkpoint/checkpoint.hpp"
#include "core/model/tokenizer/tokenizer.hpp"

namespace kv {

struct RunInput {
    Checkpoint checkpoint;
    std::string model_name;              // the folder's own name, or a shipped one
    std::optional<Tokenizer> tokenizer;  // none in a folder that has no tokenizer.json
    Scene scene;
    std::vector<RequestSpec> requests;   // the scene's, with their texts as tokens
    std::optional<std::string> instead;  // of a GPU: why the CPU was taken
    Keep keep = Keep::KeysAndValues;
    bool keep_logits = false, prove = false, with_times = true, quiet = false;
    std::optional<std::uint32_t> until_step;
    std::optional<std::string> events, metrics, save_scene;
    std::optional<PublishInput> publish = {};  // its events, as a server publishes them
    bool any_weights = false;
    std::vector<DroppedText> dropped;
};

const std::vector<OptionSpec>& run_options();
RunInput read_run(const GivenOptions& given, const CommonOptions& common);

// Blocks that a pool of this model has under these settings.
KvLayout layout_of(const RunInput& input);
// Tokens that any request of it stores at its longest, with what it goes on from.
u64 longest_request(const RunInput& input);

}  // namespace kv
