#include "bench/row.hpp"

namespace kv::bench {
namespace {

constexpr bool kOnlyWhenNamed = true;

}  // namespace

const std::vector<Row>& rows() {
    static const std::vector<Row> all{{"startup", measure_startup},
                                      {"picture", measure_picture},
                                      {"ui_frame_100k", measure_ui_frame_100k},
                                      {"ui_llvmpipe_60fps", measure_ui_llvmpipe},
                                      {"ui_leap_1m", measure_ui_leap},
                                      {"idle", measure_idle},
                                      {"cpu_decode_dram", measure_cpu_decode_dram},
                                      {"cpu_decode_cache", measure_cpu_decode_cache},
                                      {"cpu_decode_tiny", measure_cpu_decode_tiny},
                                      {"cpu_verify", measure_cpu_verify},
                                      {"cpu_prefill", measure_cpu_prefill},
                                      {"cpu_kv_attention", measure_cpu_kv_attention},
                                      {"cpu_kv_int8", measure_cpu_kv_int8},
                                      {"cpu_with_cache", measure_cpu_with_cache},
                                      {"gpu_decode_b32", measure_gpu_decode_b32},
                                      {"gpu_decode_b1", measure_gpu_decode_b1},
                                      {"gpu_decode_fp8", measure_gpu_decode_fp8},
                                      {"gpu_decode_int8_int4", measure_gpu_decode_int8},
                                      {"gpu_small_model_e2e", measure_gpu_small_model},
                                      {"gpu_append_overhead", measure_gpu_append},
                                      {"cache_alloc", measure_cache_alloc},
                                      {"cache_prefix", measure_cache_prefix},
                                      {"scheduler", measure_scheduler},
                                      {"trace", measure_trace},
                                      {"attach", measure_attach},
                                      {"attach_books", measure_attach_books},
                                      {"attach_picture", measure_attach_picture},
                                      {"attach_frame", measure_attach_frame},
                                      {"attach_memory", measure_attach_memory},
                                      {"web_decode", measure_web_decode, kOnlyWhenNamed},
                                      {"web_frame", measure_web_frame, kOnlyWhenNamed},
                                      {"web_ready", measure_web_ready, kOnlyWhenNamed},
                                      {"build", measure_build, kOnlyWhenNamed},
                                      {"build_panel", measure_build_panel, kOnlyWhenNamed},
                                      {"build_word", measure_build_word, kOnlyWhenNamed},
                                      {"build_event", measure_build_event, kOnlyWhenNamed}};
    return all;
}

}  // namespace kv::bench
