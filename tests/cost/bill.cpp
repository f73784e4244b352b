// The bill: thirteen names, each there exactly when its inputs are.
#include "core/cost/bill.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "core/cost/model/parameters.hpp"
#include "tests/cost/shapes.hpp"

using namespace kv;
using namespace kv::test;

namespace {

std::set<std::string_view> present(const BillRequest& request) {
    const std::vector<Derived> bill = make_bill(request);
    std::set<std::string_view> names;
    for (const std::string_view name : bill_names()) {
        if (find_result(bill, name)) names.insert(name);
    }
    return names;
}

using Names = std::set<std::string_view>;

BillRequest of_shape() {
    BillRequest request;
    request.cache = uniform_cache(80, 8, 128);
    return request;
}

}  // namespace

TEST_CASE("the thirteen names are those that scripts read", "[bill]") {
    const Names expected{"bytes_per_token",
                         "bytes_per_block",
                         "kv_bytes",
                         "blocks",
                         "tokens_capacity",
                         "sequences_capacity",
                         "fits",
                         "effective_bits",
                         "weight_bytes",
                         "step_time_s",
                         "kv_share",
                         "intensity",
                         "ridge"};
    CHECK(Names(bill_names().begin(), bill_names().end()) == expected);
    CHECK(bill_names().size() == 13);
}

TEST_CASE("a result is there only if its inputs are", "[bill]") {
    const Names always{"bytes_per_token", "bytes_per_block", "effective_bits"};
    BillRequest r = of_shape();
    CHECK(present(r) == always);

    Names expected = always;
    r.tokens = 100;
    expected.insert({"kv_bytes", "blocks"});
    CHECK(present(r) == expected);

    r.pool = PoolBytes{24 * kGiB};
    expected.insert({"tokens_capacity", "sequences_capacity", "fits"});
    CHECK(present(r) == expected);

    r.tokens.reset();
    expected = always;
    expected.insert({"blocks", "tokens_capacity"});
    CHECK(present(r) == expected);

    r.given_weight_bytes = 1000;
    expected.insert("weight_bytes");
    CHECK(present(r) == expected);

    r.tokens = 5;
    r.bandwidth = 1e12;
    expected.insert({"kv_bytes", "sequences_capacity", "fits", "kv_share", "step_time_s"});
    CHECK(present(r) == expected);

    r.flops = 1e12;
    r.n_heads = 64;
    expected.insert({"ridge", "intensity"});
    CHECK(present(r) == expected);
}

TEST_CASE("without a pool, blocks are those that the tokens need", "[bill]") {
    BillRequest r = of_shape();
    r.tokens = 900;
    r.batch = 3;
    CHECK(find_result(make_bill(r), "blocks")->whole() == u64{3} * 57);
    r.pool = PoolBytes{24 * kGiB};
    CHECK(find_result(make_bill(r), "blocks")->whole() == 4915);
}

TEST_CASE("layers that are alike share the cache evenly: 1 GiB each of 80", "[bill][C048]") {
    BillRequest r;
    r.cache = cache_70b_mha();
    r.tokens = 32'768;
    CHECK(find_result(make_bill(r), "kv_bytes_per_layer")->whole() == kGiB);
    r.cache.layers[3] = WindowCache{16};
    CHECK(find_result(make_bill(r), "kv_bytes_per_layer") == nullptr);
}

TEST_CASE("a device alone is asked whether weights and cache fit", "[bill][C058]") {
    BillRequest r = of_shape();
    r.model = model("llama-2-70b");
    r.device_bytes = 80'000'000'000;
    // 137.95 GB of weights: no, before any token is counted.
    CHECK_FALSE(find_result(make_bill(r), "fits")->yes());
    r.device_bytes = 160'000'000'000;
    CHECK(find_result(make_bill(r), "fits") == nullptr);
    r.tokens = 32'768;
    CHECK(find_result(make_bill(r), "fits")->yes());
    r.batch = 3;  // 30 GiB more than there is room for
    CHECK_FALSE(find_result(make_bill(r), "fits")->yes());
}

TEST_CASE("a pool outranks the device in the question whether it fits", "[bill]") {
    BillRequest r = of_shape();
    r.model = model("llama-2-70b");
    r.device_bytes = 1;
    r.tokens = 16;
    r.pool = PoolBlocks{1};
    CHECK(find_result(make_bill(r), "fits")->yes());
}

TEST_CASE("given weights win over those of the model", "[bill]") {
    BillRequest r = of_shape();
    r.model = model("llama-2-70b");
    CHECK(find_result(make_bill(r), "weight_bytes")->whole() == 137'953'296'384);
    r.given_weight_bytes = 35'000'000'000;
    CHECK(find_result(make_bill(r), "weight_bytes")->whole() == 35'000'000'000);
}

TEST_CASE("the calculator's line of lesson 6", "[bill][C079]") {
    BillRequest r;
    r.model = model("llama-2-7b");
    r.cache = r.model->cache;
    r.n_heads = 32;
    r.tokens = 4096;
    r.bandwidth = 2e12;
    r.flops = 312e12;
    const std::vector<Derived> bill = make_bill(r);
    CHECK(find_result(bill, "step_time_s")->real() == Catch::Approx(0.00781).epsilon(0.001));
    CHECK(find_result(bill, "kv_share")->real() == Catch::Approx(0.1374).epsilon(0.001));
    CHECK(find_result(bill, "ridge")->real() == Catch::Approx(156.0));
    CHECK(find_result(bill, "crossover_tokens")->whole() == 25'705);
}

TEST_CASE("a cache that stops growing has no length at which it is as large as the weights",
          "[bill]") {
    BillRequest r = of_shape();
    r.given_weight_bytes = u64{1} << 34U;
    CHECK(find_result(make_bill(r), "crossover_tokens") != nullptr);
    r.cache = with_window(r.cache, 40);
    CHECK(find_result(make_bill(r), "crossover_tokens") == nullptr);
}
