// A stack of its own in WebAssembly, where no program can move its stack away: binaryen's Asyncify
// lets every function that can be on it leave and be entered again in the middle. The functions
// below it, those of the frame, are never left so, and need nothing.

#include <emscripten/emscripten.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/base/background/own_stack.hpp"

namespace kv {
namespace {

// What Asyncify is given: where the frames go that are left, and where the C stack stood meanwhile.
struct LeftFrames {
    std::byte *at, *end;
    std::uint32_t c_stack;
};

constexpr std::size_t kCStack = std::size_t{2} << 20, kFrames = std::size_t{256} << 10;
struct Room {
    alignas(16) std::array<std::byte, kCStack> c_stack;
    alignas(16) std::array<std::byte, kFrames> frames;
};
// Most work follows the one before it, so one room is kept.
std::unique_ptr<Room> take_room(std::unique_ptr<Room> back = nullptr) {
    static std::unique_ptr<Room> kept;
    if (back != nullptr) return kept = std::move(back), nullptr;
    return kept != nullptr ? std::move(kept) : std::unique_ptr<Room>(new Room);
}

LeftFrames* going_on = nullptr;

}  // namespace
}  // namespace kv

// clang-format off
EM_JS(void, kv_stop_here, (void* left), {
    if (Module.kvComesBack) {
        Module.kvComesBack = false;
        return Module['_asyncify_stop_rewind']();
    }
    Module.kvLeaves = true;
    HEAPU32[left + 8 >> 2] = stackSave();  // left->c_stack, the third word
    Module['_asyncify_start_unwind'](left);
});

// True when it stopped.
EM_JS(int, kv_enter_stack, (void* left, void* c_stack, int again, void* work), {
    const below = stackSave();
    if (again) {
        Module.kvComesBack = true;
        Module['_asyncify_start_rewind'](left);
    }
    stackRestore(again ? HEAPU32[left + 8 >> 2] : c_stack);
    Module['_kv_do_work'](work);
    stackRestore(below);
    if (!Module.kvLeaves) return 0;
    Module.kvLeaves = false;
    Module['_asyncify_stop_unwind']();
    return 1;
});
// clang-format on

extern "C" EMSCRIPTEN_KEEPALIVE void kv_do_work(void* work) {
    (*static_cast<std::function<void()>*>(work))();
}

namespace kv {

struct OwnStack::Inside {
    std::function<void()> work;
    std::unique_ptr<Room> room;  // while it has begun and is not over
    LeftFrames left = {};
};

OwnStack::OwnStack(std::function<void()> work) : inside_(new Inside{std::move(work), {}}) {}

OwnStack::~OwnStack() = default;

bool OwnStack::go_on() {
    Inside& in = *inside_;
    const bool again = in.room != nullptr;
    if (!again) {
        in.room = take_room();
        in.left = {in.room->frames.data(), in.room->frames.data() + kFrames, 0};
    }
    LeftFrames* const below = std::exchange(going_on, &in.left);
    const bool stopped =
        kv_enter_stack(&in.left, in.room->c_stack.data() + kCStack, again, &in.work) != 0;
    going_on = below;
    if (!stopped) take_room(std::move(in.room));
    return !stopped;
}

void OwnStack::stop() {
    kv_stop_here(going_on);
}

}  // namespace kv
