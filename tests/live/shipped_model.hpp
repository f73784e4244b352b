#pragma once
// The model that most scenes run, read once.

#include <memory>
#include <string>
#include <utility>

#include "app/session/loaded_model.hpp"
#include "tests/places.hpp"

namespace kv {

inline std::shared_ptr<const LoadedModel> shipped_gqa() {
    static const std::shared_ptr<const LoadedModel> model = [] {
        const std::string folder = kv::test::source_dir() + "/assets/models/gqa";
        Checkpoint checkpoint = Checkpoint::open(folder);
        auto loaded = load_checkpoint(checkpoint, 0, [](const char*, double) { return true; });
        return std::make_shared<const LoadedModel>(
            LoadedModel{std::move(checkpoint), tokenizer_of(folder), std::move(*loaded)});
    }();
    return model;
}

}  // namespace kv
