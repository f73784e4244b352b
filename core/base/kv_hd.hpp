#pragma once
// KV_HD marks a function that the CPU code and the CUDA kernels both call: __host__ __device__
// under nvcc, nothing elsewhere. It is one of the two macros of the project (the other is
// KV_ASSERT). A KV_HD function has its body in a header and uses no standard library beyond memcpy.

#if defined(__CUDACC__)
#define KV_HD __host__ __device__
#else
#define KV_HD
#endif
