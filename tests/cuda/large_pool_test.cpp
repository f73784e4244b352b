// Pools whose bytes and slots need more than 32 bits.

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <memory>

#include "core/base/error.hpp"
#include "cuda/grid/emulated_block.hpp"
#include "cuda/kernels/all_kernels.hpp"
#include "tests/cuda/emulated.hpp"
#include "tests/cuda/view_of.hpp"

using namespace kv;
using namespace kv::gpu;
using namespace kv::test;

namespace {

struct Free {
    void operator()(std::byte* memory) const { ::operator delete(memory, std::align_val_t(256)); }
};

// Twenty tokens of 8 heads of 128 floats in the last two blocks of a pool of which nothing else is
// ever touched, so that the system never gives the rest of it.
class FarTokens {
public:
    static constexpr u32 kTokens = 20, kHeads = 8, kDim = 128, kSize = 16;
    KvLayout layout;

    explicit FarTokens(u32 n_blocks)
        : layout{1,
                 kHeads,
                 kSize,
                 n_blocks,
                 KvOrder::TokenMajor,
                 vector_of(Codec::F32, kDim),
                 vector_of(Codec::F32, kDim)},
          memory_(
              static_cast<std::byte*>(::operator new(layout.pool_bytes(), std::align_val_t(256)))),
          tables_{n_blocks - 1, n_blocks - 2} {
        for (u32 i = 0; i < kTokens; ++i)
            mapping_.push_back(tables_[i / kSize] * kSize + i % kSize);
        for (u32 i = 0; i < kTokens * kHeads * kDim; ++i) {
            k_.push_back(static_cast<float>(i % 97) / 97);
            v_.push_back(static_cast<float>(i % 89) / 89);
        }
        for (u32 i = 0; i < kHeads * kDim; ++i) q_.push_back(static_cast<float>(i % 83) / 83);
    }

    PagedKv cache() {
        return {layout,           Codec::F32,
                Codec::F32,       {memory_.get(), layout.pool_bytes()},
                view_of(scales_), view_of(tables_),
                view_of(zero_),   {1, kHeads},
                LayerId(0)};
    }
    void append() {
        run_emulated(AppendHeads{{cache(), view_of(q_), view_of(k_), view_of(v_), view_of(mapping_),
                                  kTokens, 0, kHeads, false}});
    }
    // Value `token` of head 0 as it should lie in memory, counted here.
    bool has_value(u32 token) const {
        const u64 plane = u64{layout.n_blocks} * kSize * kHeads * kDim * 4;
        const u64 at = plane + u64{mapping_[token]} * kHeads * kDim * 4;
        return std::memcmp(memory_.get() + at, &v_[token * kHeads * kDim], kDim * 4) == 0;
    }
    std::vector<float> attend() {
        std::vector<float> output(kHeads * kDim), partial(kHeads * kDim), states(2 * kHeads);
        std::vector<u32> tickets(kHeads);
        Attended a;
        a.cache = cache();
        a.q = view_of(q_);
        a.attention_output = view_of(output);
        a.rows = a.sequence_of = a.first_row = view_of(zero_);
        a.slots = a.first_slot = view_of(own_);
        a.n_heads = a.n_kv_heads = kHeads;
        run_emulated(DecodeTicket<AnyCoded>{
            a, {1, 1}, {view_of(partial), view_of(states)}, view_of(tickets)});
        return output;
    }
    // The last block onto the one before the two.
    void copy() {
        const u32 to = tables_[1] - 1;
        run_emulated(
            CopyBlock{layout, cache().pool, BlockId(tables_[0]), BlockId(to), layout.block_size});
        tables_[0] = to;
    }

private:
    std::unique_ptr<std::byte, Free> memory_;
    std::vector<u32> tables_, mapping_, zero_{0}, own_{kTokens - 1};
    std::vector<u16> scales_ = std::vector<u16>(2, kNoScale);
    std::vector<float> q_, k_, v_;
};

}  // namespace

// Blocks of 65,536 bytes a side: the last key of 34,000 lies beyond 2^31, the last value beyond
// 2^32.
TEST_CASE("kernels find blocks beyond four GiB", "[emulated]") {
    FarTokens far(34'000), near(4);
    REQUIRE(far.layout.plane_bytes(Side::K) > u64{1} << 31);
    REQUIRE(far.layout.pool_bytes() > u64{1} << 32);
    far.append();
    near.append();
    CHECK(far.has_value(0));
    CHECK(far.has_value(19));
    const auto output = near.attend();
    CHECK(far.attend() == output);
    far.copy();
    CHECK(far.attend() == output);
}

TEST_CASE("a pool of more slots than are counted is refused", "[emulated]") {
    const RandomModel model = random_model({});
    PoolSpec pool = pool_for(8, 4);
    pool.n_blocks = 1u << 27;
    try {
        pool.block_size = 16;
        make_emulated(model.config, model.weights, pool);
        FAIL("2,147,483,648 slots were taken");
    } catch (const Error& error) {
        CHECK(std::string(error.what()).starts_with("A pool of 2,147,483,648 tokens is more than"));
    }
    pool.n_blocks = (1u << 27) - 1;
    try {
        make_emulated(model.config, model.weights, pool);
        FAIL("there is no such memory");
    } catch (const Error& error) {
        CHECK(std::string(error.what()).starts_with("The blocks of the pool need"));
    }
}
