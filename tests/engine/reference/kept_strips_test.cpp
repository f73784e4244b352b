// Strips that are kept give the bits of a projection that widens its matrix anew.

#include "core/engine/reference/kept_strips.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include "core/base/random.hpp"

using namespace kv;

namespace {

Matrix random_matrix(u64 rows, u64 columns, WeightStorage storage) {
    Matrix w(rows, columns, storage);
    const Random random(rows * 100 + columns, 0);
    for (u64 i = 0; i < rows * columns; ++i) {
        const auto value = static_cast<float>(random.unit(i) - 0.5);
        if (storage == WeightStorage::F32)
            w.f32()[i] = value;
        else
            w.bf16()[i] = bf16_from_float(value);
    }
    return w;
}

template <class Real>
std::vector<Real> numbers_of(const Rows<Real>& rows) {
    return {rows[0], rows[0] + rows.size() * rows.columns()};
}

}  // namespace

TEMPLATE_TEST_CASE("a matrix is projected to the same bits at every pass", "[reference]", float,
                   double) {
    // Rows that are no multiple of a strip, one token and several.
    for (const WeightStorage storage : {WeightStorage::F32, WeightStorage::Bf16})
        for (const u64 n_rows : {u64{1}, u64{8}, u64{19}})
            for (const std::size_t tokens : {1u, 3u}) {
                const Matrix w = random_matrix(n_rows, 21, storage);
                Rows<TestType> x(tokens, 21);
                for (std::size_t i = 0; i < tokens; ++i)
                    for (std::size_t c = 0; c < 21; ++c)
                        x[i][c] = static_cast<TestType>(Random(7, i).unit(c) - 0.5);
                std::vector<float> bias(n_rows, 0.25f);
                const auto truth = numbers_of(project(x, w, bias));
                KeptStrips<TestType> strips;
                for (int pass = 0; pass < 3; ++pass) {
                    INFO("pass " << pass);
                    CHECK(numbers_of(strips.project(x, w, bias)) == truth);
                }
            }
}
