// A build without oneDNN: the row says so.

#include "bench/cpu/onednn.hpp"

namespace kv::bench {

std::unique_ptr<OneDnn> make_onednn(std::size_t, const std::vector<MatrixShape>&, WeightStorage) {
    return nullptr;
}

std::string onednn_words() {
    return "oneDNN: not present";
}

}  // namespace kv::bench
