#pragma once
// A small real run for the panels that look at one token: the demonstration model with pages of 16
// in a pool of 48, whose first blocks are 11, 22 and 44. The weights of its attention picture are
// made up, so that tests know them.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/live/scene/view_of.hpp"
#include "app/panels/view/run.hpp"
#include "app/session/run_session.hpp"
#include "tests/app/run_bench.hpp"

namespace kv::test {

inline std::string token_scene(std::string_view more_settings = "") {
    return R"({"version": 1, "name": "token", "seed": 7, "model": {"name": "gqa"},
 "settings": {"block_size": 16, "pool": "48blocks", "free_list": [11, 22, 44])" +
           std::string(more_settings) + R"(},
 "requests": [{"id": "A", "prompt": "Once upon a time Mia and Tom lived in a small village. Mia hid the gold key in the barn. It rained all day and the roads were wet. Where is the key?", "max_new": 6}],
 "commands": []})";
}

class TokenRun {
public:
    explicit TokenRun(std::string_view more_settings = "")
        : session_(loaded_gqa(), parse_scene(token_scene(more_settings), "token"), "token") {}

    RunSession& session() { return session_; }
    // Of every layer and head over `n_keys` tokens: half of it on token 0, the rest even.
    void look_back(SeqId request, std::uint32_t n_keys) {
        picture_ = {.request = request,
                    .position = n_keys - 1,
                    .n_layers = 4,
                    .n_heads = 8,
                    .weights = std::vector<float>(std::size_t{32} * n_keys,
                                                  0.5f / static_cast<float>(n_keys))};
        for (std::size_t i = 0; i < 32; ++i) picture_.weights[i * n_keys] += 0.5f;
        has_picture_ = true;
    }
    AttentionPicture& picture() { return picture_; }

    RunView view() {
        RunView view = view_of(session_, 1, {});
        view.attention = has_picture_ ? &picture_ : nullptr;
        return view;
    }

private:
    RunSession session_;
    AttentionPicture picture_;
    bool has_picture_ = false;
};

}  // namespace kv::test
