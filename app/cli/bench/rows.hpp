#pragma once
// The rows of `kvarium bench`, by name: the help of this program lists them, and the benches, which
// this program does not contain, measure them in this order.

#include <array>
#include <string_view>

namespace kv {

struct BenchRow {
    std::string_view name, help;
};

constexpr std::array<BenchRow, 36> kBenchRows{
    {{"startup", "from the start of the program to its first frame"},
     {"picture", "from the start to the first frame in which every panel is filled"},
     {"ui_frame_100k", "building the Stage over 100,000 blocks against a rectangle per block"},
     {"ui_llvmpipe_60fps", "a frame of all panels drawn in software against an empty window"},
     {"ui_leap_1m", "the longest frame over a record of a million blocks, against 50 ms"},
     {"idle", "what a window costs that nobody touches"},
     {"cpu_decode_dram", "a token of a 110M model against reading its bytes from memory"},
     {"cpu_decode_cache", "a token of a 15M model against reading its bytes from the last cache"},
     {"cpu_decode_tiny", "a token of a 1M model against reading its bytes"},
     {"cpu_verify", "a pass that checks four drafted tokens against a pass of one"},
     {"cpu_prefill", "a prompt through a 110M model, against a naive loop and oneDNN"},
     {"cpu_kv_attention", "attention over pages against one block and against reading"},
     {"cpu_kv_int8", "attention over an int8 cache against an fp16 one"},
     {"cpu_with_cache", "the next token with a cache, against computing the whole text again"},
     {"gpu_decode_b32", "attention of 32 tokens on a GPU, every rung, against copying its bytes"},
     {"gpu_decode_b1", "attention of one token on a GPU, against copying its bytes"},
     {"gpu_decode_fp8", "the same over fp8 keys and values against bf16"},
     {"gpu_decode_int8_int4", "the same over int8 and int4 against bf16"},
     {"gpu_small_model_e2e", "a token of a 1B model on a GPU, against copying its bytes"},
     {"gpu_append_overhead", "a token's way into the pool on a GPU, in one launch"},
     {"cache_alloc", "a block taken and given back, in a large pool against a small one"},
     {"cache_prefix", "a block found by its tokens, against a plain unordered_map"},
     {"scheduler", "an iteration of 256 requests, with a large pool against a small one"},
     {"trace", "memory of a million events, and the time to any moment of them"},
     {"attach", "10,000 events of a server with a million cached blocks, against a second"},
     {"attach_books", "the same events, against reading their msgpack alone"},
     {"attach_picture", "a picture of a million blocks, against looking at each once"},
     {"attach_frame", "all panels of a server with a million blocks, against ten thousand"},
     {"attach_memory", "memory after 600,000 events, against after a tenth of them"},
     {"web_decode", "a token in the page, against one thread of this program; only when named"},
     {"web_frame", "a frame of Explore in the page, against this program; only when named"},
     {"web_ready", "the page's first picture, against compiling it; only when named"},
     {"build", "building the program against Dear ImGui alone; only when named: minutes"},
     {"build_panel", "a touched panel to the linked program; only when named"},
     {"build_word", "units rebuilt for one English word; only when named"},
     {"build_event", "units rebuilt for the list of events; only when named"}}};

}  // namespace kv
