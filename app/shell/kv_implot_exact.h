#pragma once
// Comes before ImPlot's plots (cmake/Dependencies.cmake): x86's fast 1 / sqrt(x) is an
// approximation, and processors of two makers do not approximate alike, so lines of charts would
// differ by a level. This one is exact, as ImPlot computes it where there is no such instruction.

#if defined(__SSE__) || defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>

inline __m128 kv_exact_rsqrt_ss(__m128 x) {
    return _mm_div_ss(_mm_set_ss(1.0f), _mm_sqrt_ss(x));
}
#define _mm_rsqrt_ss kv_exact_rsqrt_ss
#endif
