#pragma once
// One line of the table of benchmarks: what was measured, against what, and how the two compare. A
// ratio is of two things measured in the same run, since a machine's own speed moves from hour to
// hour; but where a person, a server or a budget sets the limit, it is of one thing to a constant:
// trace, ui_leap_1m, gpu_append_overhead, attach, build_word, build_event.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/spread.hpp"

namespace kv::bench {

struct Figure {
    std::string name;  // "kvarium"
    std::string unit;  // "ms"
    Spread spread;
};

struct Result {
    std::string row;   // "startup"
    std::string what;  // one sentence
    std::vector<Figure> figures;
    // What the row's function made of its figures; its file says of which.
    std::optional<double> ratio;
    std::optional<double> goal;          // the ratio is to be at most this
    std::optional<double> noise;         // the same ratio, of one program measured twice
    std::string done_by;                 // renderer, processor or card; in JSON "renderer"
    std::optional<std::string> skipped;  // why nothing was measured on this machine

    bool met() const { return !ratio || !goal || *ratio <= *goal; }
};

struct Programs {
    std::string kvarium, bare_window;
};

struct Row {
    std::string name;
    Result (*measure)(const Programs& programs, std::size_t samples);
    bool only_when_named = false;  // it takes minutes
};
const std::vector<Row>& rows();

Result measure_startup(const Programs& programs, std::size_t samples);
Result measure_picture(const Programs& programs, std::size_t samples);
Result measure_ui_frame_100k(const Programs& programs, std::size_t samples);
Result measure_ui_llvmpipe(const Programs& programs, std::size_t samples);
Result measure_ui_leap(const Programs& programs, std::size_t samples);
Result measure_idle(const Programs& programs, std::size_t samples);
Result measure_cpu_decode_dram(const Programs& programs, std::size_t samples);
Result measure_cpu_decode_cache(const Programs& programs, std::size_t samples);
Result measure_cpu_decode_tiny(const Programs& programs, std::size_t samples);
Result measure_cpu_verify(const Programs& programs, std::size_t samples);
Result measure_cpu_prefill(const Programs& programs, std::size_t samples);
Result measure_cpu_kv_attention(const Programs& programs, std::size_t samples);
Result measure_cpu_kv_int8(const Programs& programs, std::size_t samples);
Result measure_cpu_with_cache(const Programs& programs, std::size_t samples);
Result measure_gpu_decode_b32(const Programs& programs, std::size_t samples);
Result measure_gpu_decode_b1(const Programs& programs, std::size_t samples);
Result measure_gpu_decode_fp8(const Programs& programs, std::size_t samples);
Result measure_gpu_decode_int8(const Programs& programs, std::size_t samples);
Result measure_gpu_small_model(const Programs& programs, std::size_t samples);
Result measure_gpu_append(const Programs& programs, std::size_t samples);
Result measure_cache_alloc(const Programs& programs, std::size_t samples);
Result measure_cache_prefix(const Programs& programs, std::size_t samples);
Result measure_scheduler(const Programs& programs, std::size_t samples);
Result measure_trace(const Programs& programs, std::size_t samples);
Result measure_attach(const Programs& programs, std::size_t samples);
Result measure_attach_books(const Programs& programs, std::size_t samples);
Result measure_attach_picture(const Programs& programs, std::size_t samples);
Result measure_attach_frame(const Programs& programs, std::size_t samples);
Result measure_attach_memory(const Programs& programs, std::size_t samples);
Result measure_web_decode(const Programs& programs, std::size_t samples);
Result measure_web_frame(const Programs& programs, std::size_t samples);
Result measure_web_ready(const Programs& programs, std::size_t samples);
Result measure_build(const Programs& programs, std::size_t samples);
Result measure_build_panel(const Programs& programs, std::size_t samples);
Result measure_build_word(const Programs& programs, std::size_t samples);
Result measure_build_event(const Programs& programs, std::size_t samples);

}  // namespace kv::bench
