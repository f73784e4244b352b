#include "core/sim/generator.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

using namespace kv;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

constexpr u64 kDraws = 100'000;

double quantile(std::vector<std::uint32_t> lengths, double p) {
    const auto at = static_cast<std::ptrdiff_t>(p * static_cast<double>(lengths.size()));
    std::nth_element(lengths.begin(), lengths.begin() + at, lengths.end());
    return lengths[static_cast<std::size_t>(at)];
}

}  // namespace

TEST_CASE("medians and 90 % quantiles of 100,000 draws are within 2 % of the table",
          "[generator]") {
    for (const WorkloadModel& model : workload_models()) {
        if (!model.quantiles) continue;
        for (const u64 seed : {0, 7}) {
            std::vector<std::uint32_t> prompts, outputs;
            for (const SimRequest& request : generate(model, kDraws, seed)) {
                prompts.push_back(request.prompt);
                outputs.push_back(request.output);
            }
            CAPTURE(model.name, seed);
            CHECK_THAT(quantile(prompts, 0.5), WithinRel(model.quantiles->prompt[5], 0.02));
            CHECK_THAT(quantile(prompts, 0.9), WithinRel(model.quantiles->prompt[7], 0.02));
            CHECK_THAT(quantile(outputs, 0.5), WithinRel(model.quantiles->output[5], 0.02));
            CHECK_THAT(quantile(outputs, 0.9), WithinRel(model.quantiles->output[7], 0.02));
        }
    }
}

TEST_CASE("the inverse of a table is linear between its quantiles", "[generator]") {
    const QuantileRow row{2, 29, 181, 207, 396, 1020, 1189, 2735, 4083, 4142, 14050};
    for (std::size_t i = 0; i < row.size(); ++i) CHECK(length_at(row, kQuantiles[i]) == row[i]);
    CHECK(length_at(row, 0.375) == 708);   // half way from 396 to 1,020
    CHECK(length_at(row, 0.995) == 9096);  // half way from 4,142 to 14,050
    CHECK(length_at(row, 0.0025) == 9);    // 2 + 27 / 4 = 8.75
}

TEST_CASE("the ShareGPT-like lengths: published means before the cut, 119 and 304 after it",
          "[generator]") {
    const WorkloadModel& model = *find_workload_model("sharegpt-like");
    double prompt = 0, output = 0;
    for (const SimRequest& request : generate(model, kDraws, 3)) {
        CHECK(request.prompt <= 1024);
        CHECK(request.total() <= 2048);
        prompt += request.prompt;
        output += request.output;
    }
    CHECK_THAT(prompt / kDraws, WithinAbs(119, 2));
    CHECK_THAT(output / kDraws, WithinAbs(304, 3));
}

TEST_CASE("arrivals come at the rate of the model, and times between them are exponential",
          "[generator]") {
    const WorkloadModel& model = *find_workload_model("azure-conv-like");
    const Workload workload = generate(model, kDraws, 1);
    const double seconds = static_cast<double>(workload.back().arrival_ns) / 1e9;
    CHECK_THAT(kDraws / seconds, WithinRel(5.5, 0.02));
    u64 before = 0, long_waits = 0;
    for (const SimRequest& request : workload) {
        CHECK(request.arrival_ns >= before);
        const double wait = static_cast<double>(request.arrival_ns - before) / 1e9;
        if (wait > 1 / 5.5) ++long_waits;  // longer than the mean: 1/e of them
        before = request.arrival_ns;
    }
    CHECK_THAT(static_cast<double>(long_waits) / kDraws, WithinAbs(0.3679, 0.01));
}

TEST_CASE("a seed says it all, and more requests change none of the first ones", "[generator]") {
    for (const WorkloadModel& model : workload_models()) {
        const Workload some = generate(model, 50, 5), more = generate(model, 80, 5),
                       other = generate(model, 50, 6);
        bool differs = false;
        for (std::size_t i = 0; i < some.size(); ++i) {
            CHECK(some[i].prompt == more[i].prompt);
            CHECK(some[i].output == more[i].output);
            CHECK(some[i].arrival_ns == more[i].arrival_ns);
            CHECK(some[i].prompt >= 1);
            CHECK(some[i].output >= 1);
            differs = differs || some[i].prompt != other[i].prompt;
        }
        CHECK(differs);
        CHECK(find_workload_model(model.name) == &model);
    }
    CHECK(find_workload_model("sharegpt") == nullptr);
    CHECK(generate(workload_models().front(), 0, 0).empty());
}
