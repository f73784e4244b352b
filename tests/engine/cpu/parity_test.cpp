// The cpu backend against PyPI `transformers`, on every path that runs here, with float32 weights.

#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "core/base/files/json.hpp"
#include "core/base/numbers/logits.hpp"
#include "tests/engine/cpu/model.hpp"
#include "tests/engine/small_model.hpp"

using namespace kv;
using namespace kv::test;

namespace {}  // namespace

TEST_CASE("the cpu backend computes the logits of transformers and goes on with its tokens",
          "[parity][cpu]") {
    for (const std::string& name : fixture_names())
        for (const CpuPath path : paths_here()) {
            CAPTURE(name, name_of(path));
            const SmallModel model = load_fixture(name);
            std::ifstream file(fixture_folder(name) + "/expected.json");
            const auto expected = nlohmann::json::parse(file);
            const auto backend = make_cpu(model.config, model.weights, pool_for(44, 4), {1, path});
            Sequence sequence(*backend);
            const std::size_t width = model.config.vocab_size;
            auto logits = sequence.feed(expected.at("tokens"));
            const std::vector<std::size_t> rows = expected.at("rows");
            for (std::size_t i = 0; i < rows.size(); ++i)
                CHECK(distance(logits_row(logits, rows[i], width), expected.at("logits").at(i))
                          .relative() <= 2e-3);
            const std::vector<std::uint32_t> greedy = expected.at("greedy");
            std::vector<std::uint32_t> chosen;
            while (chosen.size() < greedy.size()) {
                chosen.push_back(top_token(logits_row(logits, logits.size() / width - 1, width)));
                logits = sequence.feed({chosen.back()});
            }
            CHECK(chosen == greedy);
        }
}
