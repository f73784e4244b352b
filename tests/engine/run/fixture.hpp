#pragma once
// An engine over a checkpoint of the fixtures and the reference backend, for tests that tell its
// story.

#include <string>
#include <vector>

#include "core/engine/reference/reference.hpp"
#include "core/engine/run/engine.hpp"
#include "core/trace/event/event.hpp"
#include "tests/engine/small_model.hpp"

namespace kv::test {

struct EngineOn {
    SmallModel model = load_fixture("llama_gqa");

    EngineParts parts() const {
        return {.config = model.config,
                .make_backend = [this](const std::string&, const PoolSpec& pool) {
                    return make_reference(model.config, model.weights, pool);
                }};
    }
};

inline EngineSettings tiny_settings(std::uint32_t blocks, std::uint32_t block_size = 4) {
    EngineSettings settings;
    settings.backend = "reference";
    settings.block_size = block_size;
    settings.pool = {{}, blocks};
    return settings;
}

// NOLINTNEXTLINE(bugprone-easily-swappable-parameters): in the order in which a request has them
inline RequestSpec request(const std::string& name, std::uint32_t n_prompt, std::uint32_t max_new,
                           std::uint32_t first_token = 3, std::uint32_t arrive = 0) {
    RequestSpec spec;
    spec.name = name;
    for (std::uint32_t i = 0; i < n_prompt; ++i) spec.prompt.push_back(first_token + i % 17);
    spec.max_new = max_new;
    spec.arrive = arrive;
    return spec;
}

// The same with that many tokens told to it after the prompt.
inline RequestSpec told_request(const std::string& name, std::uint32_t n_prompt,
                                std::uint32_t n_forced) {
    RequestSpec spec = request(name, n_prompt, 1);
    for (std::uint32_t i = 0; i < n_forced; ++i) spec.forced.push_back(4 + i * 7 % 19);
    return spec;
}
inline void run_to_end(Engine& engine) {
    while (!engine.done()) engine.advance();
}

inline std::vector<std::string> event_names(const Trace& trace, std::uint64_t from = 0) {
    std::vector<std::string> names;
    trace.each(from, trace.size(),
               [&](std::uint64_t, const Event& event) { names.emplace_back(name_of(event.what)); });
    return names;
}

template <class What>
std::vector<std::pair<Event, What>> events_of(const Trace& trace) {
    std::vector<std::pair<Event, What>> found;
    trace.each(0, trace.size(), [&](std::uint64_t, const Event& event) {
        if (const auto* what = std::get_if<What>(&event.what)) found.emplace_back(event, *what);
    });
    return found;
}

inline std::vector<std::uint32_t> ids(const std::vector<std::optional<BlockId>>& table) {
    std::vector<std::uint32_t> out;
    out.reserve(table.size());
    for (const auto& block : table) out.push_back(block ? block->value : 999);
    return out;
}

}  // namespace kv::test
