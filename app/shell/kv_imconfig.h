#pragma once
// Compile-time settings of Dear ImGui; every file that includes imgui.h sees this one.

namespace kv {
[[noreturn]] void assert_failed(const char* expression, const char* file, int line);
}

// ImGui's own checks stop the program as ours do, so a test sees a misuse as a failure.
#define IM_ASSERT(condition) \
    ((condition) ? static_cast<void>(0) : ::kv::assert_failed(#condition, __FILE__, __LINE__))

// A pool of 100,000 rectangles needs more than 65,536 vertices in one list.
#define ImDrawIdx unsigned int

// What is typed or pasted arrives whole, beyond the first 65,536 characters of Unicode too.
#define IMGUI_USE_WCHAR32

#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS

// Positions of what is drawn come out of these, so they are the project's own where the C library's
// differ from system to system; the rest is exact everywhere.
#define IMGUI_DISABLE_DEFAULT_MATH_FUNCTIONS
#include <cmath>
#include <cstdlib>

#include "core/base/numbers/elementary.hpp"

#define ImFabs(x) std::fabs(x)
#define ImSqrt(x) std::sqrt(x)
#define ImFmod(x, y) std::fmod((x), (y))
#define ImCos(x) ::kv::math::cos(x)
#define ImSin(x) ::kv::math::sin(x)
#define ImAcos(x) ::kv::math::acos(x)
#define ImAtan2(y, x) ::kv::math::atan2((y), (x))
#define ImAtof(text) std::atof(text)
#define ImCeil(x) std::ceil(x)

inline float ImPow(float x, float y) {
    return static_cast<float>(kv::math::pow(double{x}, double{y}));
}
inline double ImPow(double x, double y) {
    return kv::math::pow(x, y);
}
inline float ImLog(float x) {
    return static_cast<float>(kv::math::log(double{x}));
}
inline double ImLog(double x) {
    return kv::math::log(x);
}
inline int ImAbs(int x) {
    return x < 0 ? -x : x;
}
inline float ImAbs(float x) {
    return std::fabs(x);
}
inline double ImAbs(double x) {
    return std::fabs(x);
}
inline float ImSign(float x) {
    return x < 0 ? -1.0f : x > 0 ? 1.0f : 0.0f;
}
inline double ImSign(double x) {
    return x < 0 ? -1.0 : x > 0 ? 1.0 : 0.0;
}
inline float ImRsqrt(float x) {
    return 1.0f / std::sqrt(x);
}
inline double ImRsqrt(double x) {
    return 1.0 / std::sqrt(x);
}
