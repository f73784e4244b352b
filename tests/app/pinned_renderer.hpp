#pragma once
// Pictures that are compared to the pixel belong to one rasteriser; on any other the test skips,
// because nobody has looked at its output.

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "app/shell/surface.hpp"
#include "core/base/error.hpp"

namespace kv::test {

inline void require_pinned_renderer() {
    constexpr const char* kPinned = "Mesa 22.3.6";
    std::string renderer;
    try {
        renderer = open_headless({64, 64})->renderer();
    } catch (const Error& none) {
        SKIP(none.what());
    }
    if (renderer.find(kPinned) == std::string::npos ||
        renderer.find("llvmpipe") == std::string::npos)
        SKIP("golden pictures belong to llvmpipe of " << kPinned << "; this is " << renderer);
}

}  // namespace kv::test
