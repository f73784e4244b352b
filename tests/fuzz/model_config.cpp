// config.json of a model. The parser never throws; what it accepts has a shape that can be priced
// or is refused as too large, and a refusal is one line of text.

#include <string>
#include <variant>

#include "core/base/error.hpp"
#include "core/model/config/config.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using kv::fuzz::expect;

void check_refusal(const kv::ConfigRefusal& refusal) {
    expect(!refusal.rule.empty() && !refusal.advice.empty(), "a refusal has a rule and an advice");
    expect(refusal.rule.find('\n') == std::string::npos, "a refusal is one line");
}

void check_config(const kv::ModelConfig& config) {
    expect(config.n_layers > 0 && config.n_heads > 0 && config.head_dim > 0,
           "an accepted shape is real");
    expect(config.n_kv_heads > 0 && config.n_heads % config.n_kv_heads == 0,
           "KV heads divide the heads");
    expect(config.sliding_layers.empty() || config.sliding_layers.size() == config.n_layers,
           "one sliding flag per layer");
    kv::shape_of(config);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto parsed = kv::parse_model_config(kv::fuzz::text_of(data, size), "planted");
    if (const auto* refusal = std::get_if<kv::ConfigRefusal>(&parsed))
        check_refusal(*refusal);
    else
        check_config(std::get<kv::ModelConfig>(parsed));
    return 0;
}
