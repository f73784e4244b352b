#pragma once
// The surface without a display, or a skipped test with the sentence that says what is missing. To
// be called outside of CHECK and REQUIRE, which would take the skip for a failure.

#include <catch2/catch_test_macros.hpp>

#include "app/shell/surface.hpp"
#include "core/base/error.hpp"

namespace kv {

inline std::unique_ptr<Surface> headless_or_skip(PixelSize size) {
    std::string missing;
    try {
        return open_headless(size);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::Missing) throw;
        missing = error.what();
    }
    SKIP(missing);
    return nullptr;
}

}  // namespace kv
