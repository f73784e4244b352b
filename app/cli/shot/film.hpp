#pragma once
// `kvarium shot --steps`: the steps of a scene as a film, or as pictures in a folder.

#include "app/cli/shot/shot.hpp"

namespace kv {

// "20..40": both ends are shown. Throws kv::Error (Usage) that begins with `what`.
struct StepSpan {
    std::uint32_t first = 0, last = 0;
};
StepSpan read_steps(const std::string& text, const std::string& what);

int run_film(const ShotOptions& options);

}  // namespace kv
