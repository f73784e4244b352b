// The text of /metrics and the HTTP around it.
#include <catch2/catch_test_macros.hpp>

#include "core/attach/metrics/http.hpp"
#include "core/attach/metrics/line.hpp"
#include "core/attach/metrics/prometheus.hpp"
#include "core/attach/picture/labels.hpp"

using namespace kv;

namespace {

constexpr const char* kText =
    "# HELP vllm:kv_cache_usage_perc KV-cache usage.\n"
    "# TYPE vllm:kv_cache_usage_perc gauge\n"
    "vllm:kv_cache_usage_perc{engine=\"0\",model_name=\"m\"} 0.3125\n"
    "vllm:kv_cache_usage_perc{model_name=\"m\",engine=\"1\"} 1e-2\n"
    "vllm:prefix_cache_hits_total{engine=\"0\",model_name=\"a \\\"b\\\" {,}\"} 1.5e+06 "
    "1395066363000\n"
    "vllm:cache_config_info{block_size=\"16\",engine=\"0\",num_gpu_blocks=\"26114\"} 1.0\n"
    "vllm:time_to_first_token_seconds_bucket{engine=\"0\",le=\"+Inf\"} 7\n"
    "vllm:broken{engine=\"0\" 3\n"
    "vllm:not_a_number NaN\n"
    "python_gc_objects_collected_total{generation=\"0\"} 9\n"
    "sglang:token_usage 0.5";

std::string answer(const std::string& bytes, std::size_t cut, std::string& wrong) {
    HttpAnswer http;
    for (std::size_t at = 0; at < bytes.size() && wrong.empty(); at += cut)
        wrong = http.feed(std::string_view(bytes).substr(at, cut));
    if (wrong.empty() && !http.done()) wrong = http.finish();
    return http.body();
}

std::string body_of(const std::string& bytes) {
    std::string wrong, first;
    for (std::size_t cut = 1; cut < 30; ++cut) {
        const std::string body = answer(bytes, cut, wrong);
        REQUIRE(wrong.empty());
        if (cut == 1) first = body;
        REQUIRE(body == first);
    }
    return first;
}

std::string http_refusal(const std::string& bytes) {
    std::string wrong;
    static_cast<void>(answer(bytes, 7, wrong));
    return wrong;
}

}  // namespace

TEST_CASE("samples of a server are kept with their labels in order", "[attach][metrics]") {
    const MetricsText text = read_metrics(kText);
    CHECK(text.passed_over == 3);
    REQUIRE(text.samples.size() == 6);
    CHECK(text.samples[0].name == "sglang:token_usage");
    CHECK(text.samples[1] == MetricSample{"vllm:cache_config_info",
                                          "block_size=\"16\",engine=\"0\",num_gpu_blocks=\"26114\"",
                                          1});
    CHECK(text.samples[2] == MetricSample{"vllm:kv_cache_usage_perc", "engine=\"0\"", 0.3125});
    CHECK(text.samples[3] == MetricSample{"vllm:kv_cache_usage_perc", "engine=\"1\"", 0.01});
    CHECK(text.samples[4].value == 1.5e6);
}

TEST_CASE("each rank's usage and pool are its engine's", "[attach][metrics]") {
    const MetricSamples samples = read_metrics(kText).samples;
    CHECK(server_pool_of(samples, 0) == 26'113U);  // the server keeps one for itself
    CHECK_FALSE(server_pool_of(samples, 1));
    CHECK(server_usage_of(samples, 1) == 0.01);
    CHECK(server_usage_of(read_metrics("vllm:kv_cache_usage_perc 0.25").samples, 0) == 0.25);
}

TEST_CASE("a value stands under its name, or with labels where there are several",
          "[attach][metrics]") {
    const auto values = named_values(read_metrics(kText).samples);
    REQUIRE(values.size() == 5);  // no bars of histograms
    CHECK(values[0] == std::pair<std::string, double>{"sglang:token_usage", 0.5});
    CHECK(values[1].first.find("vllm:cache_config_info{block_size=\"16\"") == 0);
    CHECK(values[2] ==
          std::pair<std::string, double>{"vllm:kv_cache_usage_perc{engine=\"0\"}", 0.3125});
    CHECK(metrics_line_text(2.5, {{"vllm:x", "", 1}}) == R"({"ts":2.5,"metrics":{"vllm:x":1.0}})");
}

TEST_CASE("a body of known length, in chunks, and to the end", "[attach][http]") {
    CHECK(body_of("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello") == "hello");
    CHECK(body_of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                  "3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nTrailer: 1\r\n\r\n") == "hello");
    CHECK(body_of("HTTP/1.0 200 OK\r\n\r\nhello") == "hello");
    CHECK(body_of("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").empty());
}

TEST_CASE("an answer that is none is one sentence", "[attach][http]") {
    CHECK(http_refusal("SSH-2.0-OpenSSH\r\n\r\n") == "does not answer as HTTP does");
    CHECK(http_refusal("HTTP/1.1 404 Not Found\r\n\r\n") == "answers 404 Not Found");
    CHECK(http_refusal("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n") ==
          "answers with a length that is larger than 8,388,608");
    CHECK(http_refusal("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel") ==
          "ends in the middle of its answer");
    CHECK(http_refusal("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n") ==
          "answers with more than 8,388,608 bytes");
    CHECK(http_refusal("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n") ==
          "answers in a coding that was not asked for");
    CHECK(http_refusal(std::string(70'000, 'x')) == "does not answer as HTTP does");
    CHECK(http_refusal("HTTP/1.1 200 OK\r\n\r\n" + std::string(9'000'000, 'x')) ==
          "answers with more than 8,388,608 bytes");
}
