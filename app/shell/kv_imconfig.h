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
