#pragma once
// A model of the fixtures that drafts for another: their words are the same 61 tokens.

#include <memory>
#include <string>

#include "core/engine/reference/reference.hpp"
#include "core/engine/run/memory/parts.hpp"
#include "tests/engine/small_model.hpp"

namespace kv::test {

inline DrafterParts drafter_of(const std::string& fixture) {
    const auto model = std::make_shared<SmallModel>(load_fixture(fixture));
    return {&model->config, [model](const PoolSpec& pool) {
                return make_reference(model->config, model->weights, pool);
            }};
}

}  // namespace kv::test
