#include "cuda/device/check.cuh"

#include <string>

namespace kv {

void check(cudaError_t status, Where where) {
    if (status == cudaSuccess) return;
    throw Error{ErrorCode::World,
                std::string("CUDA: ") + cudaGetErrorString(status) + " (" +
                    cudaGetErrorName(status) + ", at " + where.file + ":" +
                    std::to_string(where.line) + "). The CPU engine needs no GPU.",
                where};
}

}  // namespace kv
