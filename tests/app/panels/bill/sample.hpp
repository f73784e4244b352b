#pragma once
// Bills that the tests of the panels share.

#include <catch2/catch_test_macros.hpp>

#include "app/panels/bill/view.hpp"

namespace kv::test {

inline BillInputs bill_of(std::string_view model, u64 tokens, u64 batch) {
    BillInputs in = default_bill();
    set_model(in, BillSide::Left, model);
    set_tokens(in, tokens);
    set_batch(in, batch);
    return in;
}

inline Codec codec_of(std::string_view name) {
    std::string why;
    const auto codec = parse_codec(name, why);
    REQUIRE(codec);
    return *codec;
}

inline BillView view_of(const BillInputs& in) {
    std::string why;
    auto view = view_bill(in, BillSide::Left, why);
    INFO(why);
    REQUIRE(view);
    return *view;
}

inline constexpr u64 kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;

}  // namespace kv::test
