// An answer of HTTP, and the text of a server's metrics in it or by itself.

#include <string>

#include "core/attach/metrics/http.hpp"
#include "core/attach/metrics/line.hpp"
#include "core/attach/metrics/prometheus.hpp"
#include "core/attach/picture/labels.hpp"
#include "core/base/files/json.hpp"
#include "tests/fuzz/fuzz.hpp"

using kv::fuzz::expect;

namespace {

std::string body_of(std::string_view bytes, std::size_t cut, std::string& wrong) {
    kv::HttpAnswer answer;
    for (std::size_t at = 0; at < bytes.size() && wrong.empty() && !answer.done(); at += cut)
        wrong = answer.feed(bytes.substr(at, cut));
    if (wrong.empty() && !answer.done()) wrong = answer.finish();
    return answer.body();
}

void check_text(std::string_view text) {
    const kv::MetricsText metrics = kv::read_metrics(text);
    for (const kv::MetricSample& sample : metrics.samples)
        expect(sample.value - sample.value == 0, "a value is a finite number");
    static_cast<void>(kv::server_usage_of(metrics.samples, 0));
    static_cast<void>(kv::server_pool_of(metrics.samples, 0));
    const auto line = kv::parsed_json(kv::metrics_line_text(1, metrics.samples));
    expect(!line.is_discarded() && line.contains("metrics"), "a recorded line is JSON");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = kv::fuzz::text_of(data, size);
    std::string wrong, wrong_too;
    const std::string body = body_of(bytes, bytes.size() + 1, wrong);
    const std::string same = body_of(bytes, 5, wrong_too);
    expect(wrong.empty() == wrong_too.empty(), "where bytes are cut does not change the verdict");
    if (wrong.empty()) expect(body == same, "nor the body");
    check_text(body);
    check_text(bytes);
    return 0;
}
