#include "tests/gates/kv_heads.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/places.hpp"

using kv::gates::check_kv_heads;
using kv::gates::text_file;
using Findings = std::vector<std::string>;

TEST_CASE("one function says which KV head a query head reads", "[gates]") {
    CHECK(check_kv_heads(kv::gates::read_tree(kv::test::source_dir())) == Findings{});
}

TEST_CASE("a second division of query heads is refused", "[gates]") {
    CHECK(check_kv_heads({text_file("core/x.cpp", "g = config.n_heads / config.n_kv_heads;")}) ==
          Findings{"core/x.cpp:1: divides heads; call group_size or kv_head_of of "
                   "core/base/kv_head.hpp"});
    for (const char* line :
         {"g = n_heads_ / lanes.n_kv_heads;", "k = head / a.group();", "k = query_head / group;",
          "k = place.head * mask_->lanes.n_kv_heads / picture_.n_heads;",
          "r = static_cast<double>(m.n_heads) / static_cast<double>(m.n_kv_heads);"})
        CHECK(check_kv_heads({text_file("cuda/x.hpp", line)}).size() == 1);
    for (const char* line : {"n = unit / a.n_kv_heads;", "k = x;  // head / group",
                             "text = commas(m.n_heads) + \" / \" + commas(m.n_kv_heads);",
                             "record = i / codec.group;"})
        CHECK(check_kv_heads({text_file("app/x.cpp", line)}).empty());
    CHECK(check_kv_heads({text_file("core/lesson/exercises/questions/x.cpp",
                                    "slip(m.n_heads / m.n_kv_heads);")})
              .empty());
}
