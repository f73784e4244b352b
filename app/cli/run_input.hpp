#pragma once
// What a line of `kvarium run` asks for, read and checked before any weight is loaded.

#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "core/engine/generation.hpp"
#include "core/engine/pool_spec.hpp"
#include "core/model/checkpoint.hpp"
#include "core/model/tokenizer.hpp"

namespace kv {

enum class BackendName : std::uint8_t { Reference, Cpu };
std::string_view name_of(BackendName backend);

struct RunInput {
    Checkpoint checkpoint;
    std::string model_name;              // the folder's own name, or a shipped one
    std::optional<Tokenizer> tokenizer;  // none in a folder that has no tokenizer.json
    GenerationRequest request;
    std::vector<std::string> stop_texts;
    PoolSpec pool;
    BackendName backend = BackendName::Cpu;
    bool prove = false, with_times = true, quiet = false;
    bool fits = true;  // without it the request is refused: a normal outcome
    std::vector<DroppedText> dropped;
};

const std::vector<OptionSpec>& run_options();
RunInput read_run(const GivenOptions& given, const CommonOptions& common);

}  // namespace kv
