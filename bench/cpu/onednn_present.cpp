// The interface of oneDNN 2: descriptors first, then primitives; the layout of the weights is the
// library's own choice, and they are reordered into it before anything is timed.

#include <algorithm>
#include <cstdint>
#include <oneapi/dnnl/dnnl.hpp>

#include "bench/cpu/onednn.hpp"
#include "core/base/numbers/formats.hpp"
#include "core/base/random.hpp"

namespace kv::bench {
namespace {

using dnnl::memory;

void fill(const memory& plain, std::size_t n, WeightStorage storage, std::uint64_t stream) {
    const Random random(4, stream);
    for (std::size_t i = 0; i < n; ++i) {
        const auto value = static_cast<float>(2 * random.unit(i) - 1);
        if (storage == WeightStorage::F32)
            static_cast<float*>(plain.get_data_handle())[i] = value;
        else
            static_cast<std::uint16_t*>(plain.get_data_handle())[i] = bf16_from_float(value);
    }
}

class Present final : public OneDnn {
public:
    Present(std::size_t n, const std::vector<MatrixShape>& matrices, WeightStorage storage)
        : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {
        for (const MatrixShape& shape : matrices) products_.push_back(product(n, shape, storage));
        stream_.wait();
    }

    void run() override {
        for (const Product& p : products_)
            p.primitive.execute(
                stream_, {{DNNL_ARG_SRC, p.x}, {DNNL_ARG_WEIGHTS, p.weights}, {DNNL_ARG_DST, p.y}});
        stream_.wait();
    }

private:
    struct Product {
        dnnl::matmul primitive;
        memory x, weights, y;
    };

    Product product(std::size_t n, const MatrixShape& shape, WeightStorage storage) {
        const auto count = static_cast<memory::dim>(n), rows = static_cast<memory::dim>(shape.rows),
                   columns = static_cast<memory::dim>(shape.columns);
        const auto type =
            storage == WeightStorage::F32 ? memory::data_type::f32 : memory::data_type::bf16;
        const memory::desc x({count, columns}, type, memory::format_tag::ab),
            plain({columns, rows}, type, memory::format_tag::ba),
            any({columns, rows}, type, memory::format_tag::any),
            y({count, rows}, memory::data_type::f32, memory::format_tag::ab);
        const dnnl::matmul::primitive_desc chosen(dnnl::matmul::desc(x, any, y), engine_);
        Product p{dnnl::matmul(chosen), memory(x, engine_), memory(chosen.weights_desc(), engine_),
                  memory(y, engine_)};
        memory in_rows(plain, engine_);
        const std::uint64_t stream = 2 * products_.size();
        fill(in_rows, shape.rows * shape.columns, storage, stream);
        fill(p.x, n * shape.columns, storage, stream + 1);
        dnnl::reorder(in_rows, p.weights).execute(stream_, in_rows, p.weights);
        stream_.wait();
        return p;
    }

    dnnl::engine engine_;
    dnnl::stream stream_;
    std::vector<Product> products_;
};

}  // namespace

std::unique_ptr<OneDnn> make_onednn(std::size_t n, const std::vector<MatrixShape>& matrices,
                                    WeightStorage storage) {
    return std::make_unique<Present>(n, matrices, storage);
}

std::string onednn_words() {
    const dnnl_version_t& v = *dnnl_version();
    return "oneDNN " + std::to_string(v.major) + "." + std::to_string(v.minor) + "." +
           std::to_string(v.patch);
}

}  // namespace kv::bench
