// `kvarium calc --json`: names, types and values, by hand.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <set>

#include "core/base/files/json.hpp"
#include "tests/cli/run_cli.hpp"
#include "tests/places.hpp"

using namespace kv::test;
using Catch::Approx;
using Json = nlohmann::json;

namespace {

const std::vector<std::string> kNames{"bytes_per_token",
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

Json calc(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "calc");
    arguments.emplace_back("--json");
    const Ran ran = run_cli(arguments);
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    REQUIRE(ran.err.empty());
    return Json::parse(ran.out);
}

void check_present(const Json& bill, const std::set<std::string>& present) {
    for (const std::string& name : kNames) {
        CAPTURE(name);
        REQUIRE(bill.contains(name));
        CHECK(bill[name].is_null() == (present.count(name) == 0));
    }
}

std::string data(const std::string& name) {
    return kv::test::source_dir() + "/tests/model/data/" + name + ".json";
}

constexpr std::int64_t kGiB = 1024LL * 1024 * 1024;

}  // namespace

TEST_CASE("all thirteen names are there, null where nothing was given", "[calc][json]") {
    const Json bill = calc({"--layers", "80", "--kv-heads", "8", "--head-dim", "128"});
    check_present(bill, {"bytes_per_token", "bytes_per_block", "effective_bits"});
    CHECK(bill["bytes_per_token"] == 327'680);
    CHECK(bill["bytes_per_block"] == 16 * 327'680);
    CHECK(bill["effective_bits"] == 16.0);
    CHECK(bill["kvarium"].is_string());
}

TEST_CASE("a preset with everything answers everything", "[calc][json][C042][C079]") {
    const Json bill = calc({"--preset", "llama-2-7b", "--tokens", "4096", "--pool", "24GiB",
                            "--bandwidth", "2TB/s", "--flops", "312TFLOP/s"});
    check_present(bill, {kNames.begin(), kNames.end()});
    CHECK(bill["bytes_per_token"] == 524'288);
    CHECK(bill["kv_bytes"] == 2 * kGiB);
    CHECK(bill["blocks"] == 3072);
    CHECK(bill["tokens_capacity"] == 49'152);
    CHECK(bill["sequences_capacity"] == 12);
    CHECK(bill["fits"] == true);
    CHECK(bill["weight_bytes"] == 13'476'831'232);
    CHECK(bill["step_time_s"].get<double>() == Approx(0.0078122).epsilon(0.0001));
    CHECK(bill["kv_share"].get<double>() == Approx(0.13745).epsilon(0.0001));
    CHECK(bill["intensity"].get<double>() == Approx(1.0));
    CHECK(bill["ridge"].get<double>() == Approx(156.0));
}

TEST_CASE("the exercise of lesson 4: 24 GiB, 320 KiB per token, sequences of 3,000",
          "[calc][json][lesson4]") {
    const Json bill = calc({"--preset", "llama-2-70b", "--pool", "24GiB", "--tokens", "3000"});
    CHECK(bill["blocks"] == 4915);
    CHECK(bill["tokens_capacity"] == 78'640);
    CHECK(bill["sequences_capacity"] == 26);
    CHECK(bill["fits"] == true);
    const Json many =
        calc({"--preset", "llama-2-70b", "--pool", "24GiB", "--tokens", "3000", "--batch", "27"});
    CHECK(many["fits"] == false);
}

TEST_CASE("without a pool, blocks are those that the tokens need", "[calc][json][C115]") {
    const Json bill = calc({"--preset", "llama-2-70b", "--tokens", "900", "--batch", "2"});
    CHECK(bill["blocks"] == 114);
    CHECK(bill["kv_bytes"] == 2 * 900 * 327'680LL);
    CHECK(bill["tokens_capacity"].is_null());
}

TEST_CASE("GB and GiB are different pools", "[calc][json][C059]") {
    const std::vector<std::string> shape{"--preset", "llama-2-70b", "--block-size", "1", "--pool"};
    const auto capacity = [&](const char* pool) {
        std::vector<std::string> arguments = shape;
        arguments.emplace_back(pool);
        return calc(arguments)["tokens_capacity"].get<std::int64_t>();
    };
    CHECK(capacity("40GB") == 122'070);
    CHECK(capacity("40GiB") == 131'072);
    CHECK(capacity("48blocks") == 48);
}

TEST_CASE("codecs and their effective bits", "[calc][json][C135]") {
    const Json bill =
        calc({"--layers", "80", "--kv-heads", "8", "--head-dim", "128", "--codec", "int8"});
    CHECK(bill["bytes_per_token"] == 166'400);
    CHECK(bill["effective_bits"].get<double>() == Approx(8.125));
    const Json mixed = calc({"--layers", "1", "--kv-heads", "1", "--head-dim", "128",
                             "--k-codec=int8", "--v-codec=int4:g32"});
    CHECK(mixed["bytes_per_token"] == 130 + 80);
    CHECK(mixed["effective_bits"].get<double>() == Approx((8.125 + 5.0) / 2));
    CHECK(mixed["settings"]["k_codec"] == "int8");
    CHECK(mixed["settings"]["v_codec"] == "int4:g32");
    const Json kivi = calc({"--preset", "llama-2-7b", "--codec", "int2:kivi", "--tokens", "256"});
    CHECK(kivi["effective_bits"].get<double>() == Approx(6.25));
}

TEST_CASE("a device without a pool: weights and cache within it", "[calc][json][C058]") {
    CHECK(calc({"--preset", "llama-2-70b", "--device-memory", "80GB", "--tokens", "1"})["fits"] ==
          false);
    CHECK(calc({"--preset", "llama-2-7b", "--device-memory", "40GB", "--tokens", "4096", "--batch",
                "8"})["fits"] == true);
    CHECK(calc({"--preset", "llama-2-7b", "--device-memory", "30GB", "--tokens", "4096", "--batch",
                "8"})["fits"] == false);
}

TEST_CASE("weights given by hand win", "[calc][json]") {
    const Json bill = calc({"--preset", "llama-2-7b", "--weights", "3.5GB", "--tokens", "4096"});
    CHECK(bill["weight_bytes"] == 3'500'000'000);
    CHECK(bill["kv_share"].get<double>() == Approx(2147.483648 / (2147.483648 + 3500)));
}

TEST_CASE("configs of files are priced like presets", "[calc][json]") {
    CHECK(calc({"--config", data("qwen3_0_6b")})["bytes_per_token"] == 114'688);
    CHECK(calc({"--config", data("deepseek_v3")})["bytes_per_token"] == 70'272);
    CHECK(calc({"--config", data("llama_3_2_1b_v5")})["weight_bytes"] == 2 * 1'235'814'400LL);
    const Json windowed = calc({"--config", data("mistral_7b_v0_1"), "--tokens", "32768"});
    CHECK(windowed["kv_bytes"] == 4096 * 131'072LL);
    CHECK(windowed["bytes_per_token"] == 131'072);
    CHECK(windowed["notes"].size() == 1);
}

TEST_CASE("what if the model had other KV heads, or a window", "[calc][json][C094]") {
    const Json gpt = calc({"--preset", "gpt-3", "--kv-heads", "8"});
    CHECK(gpt["bytes_per_token"] == 393'216);
    CHECK(gpt["model"]["n_kv_heads"] == 8);
    CHECK(gpt["notes"] ==
          Json::array({"What if: gpt-3 has 96 KV heads; such a model would have to be trained."}));
    CHECK(calc({"--preset", "gpt-3", "--kv-heads", "96"})["notes"].empty());
    const Json window = calc({"--preset", "llama-3-8b", "--window", "1028", "--tokens", "100000"});
    CHECK(2 * window["kv_bytes"].get<std::int64_t>() == 257LL * 1024 * 1024);
}

TEST_CASE("the derivation spells out every result that is not null", "[calc][json]") {
    const Json bill = calc({"--preset", "qwen3-0.6b", "--tokens", "100", "--pool", "1GiB",
                            "--bandwidth", "1TB/s", "--flops", "10TFLOP/s"});
    for (const std::string& name : kNames) {
        CAPTURE(name);
        bool found = false;
        for (const Json& entry : bill["derivation"]) {
            for (const char* key : {"name", "expression", "unit"}) REQUIRE(entry[key].is_string());
            if (entry["name"] != name) continue;
            found = true;
            CHECK(entry["value"] == bill[name]);
            for (const Json& operand : entry["operands"]) {
                CHECK(entry["expression"].get<std::string>().find(
                          operand["name"].get<std::string>()) != std::string::npos);
            }
        }
        CHECK(found);
    }
}

TEST_CASE("presets are listed by name, as text and as JSON", "[calc][list]") {
    const std::vector<std::string> names{
        "llama-2-7b", "llama-2-13b",  "llama-2-70b",  "llama-2-70b-mha", "gpt-3",      "opt-13b",
        "llama-3-8b", "llama-3-70b",  "llama-3.2-1b", "qwen2.5-0.5b",    "qwen3-0.6b", "qwen3-4b",
        "mistral-7b", "smollm2-135m", "smollm2-360m", "tinyllama-1.1b",  "deepseek-v3"};
    const Ran text = run_cli({"calc", "--list"});
    CHECK(text.code == 0);
    const Json list = calc({"--list"});
    CHECK(count_lines(text.out) == list["presets"].size());
    REQUIRE(list["presets"].size() > names.size());  // those of 2023 to 2026 follow
    std::size_t line_start = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
        CHECK(list["presets"][i]["name"] == names[i]);
        CHECK(text.out.compare(line_start, names[i].size() + 1, names[i] + " ") == 0);
        line_start = text.out.find('\n', line_start) + 1;
    }
}

TEST_CASE("numbers do not depend on the locale", "[calc][json]") {
    const std::vector<std::string> line{"calc",   "--preset", "llama-2-7b",  "--tokens", "1000",
                                        "--pool", "1.5GiB",   "--bandwidth", "3.35TB/s", "--json"};
    const Ran plain = run_cli(line), german = run_cli(line, {{"LC_ALL", "de_DE.UTF-8"}});
    CHECK(german.code == 0);
    CHECK(plain.out == german.out);
    CHECK(run_cli(line).out == plain.out);
}

TEST_CASE("groups add up to the cache, and say what each kind keeps", "[calc][json]") {
    const Json bill = calc({"--preset", "gemma-3-27b", "--tokens", "131072", "--batch", "2"});
    REQUIRE(bill["groups"].size() == 2);
    const Json& window = bill["groups"][0];
    const Json& full = bill["groups"][1];
    CHECK(window["kind"] == "window");
    CHECK(window["window"] == 1024);
    CHECK(window["n_layers"] == 52);
    CHECK(window["stored_tokens"] == 1024);
    CHECK(window["bytes"] == 2LL * 52 * 1024 * 8192);
    CHECK(window["ceiling_bytes"] == 52LL * 1024 * 8192);
    CHECK(window["bytes_between_steps"] == 2LL * 52 * 1023 * 8192);
    CHECK(full["kind"] == "full");
    CHECK(full["layers"] == Json({5, 11, 17, 23, 29, 35, 41, 47, 53, 59}));
    CHECK(full["ceiling_bytes"].is_null());
    CHECK(window["bytes"].get<std::int64_t>() + full["bytes"].get<std::int64_t>() ==
          bill["kv_bytes"].get<std::int64_t>());
    CHECK(bill["all_full_bytes"] == 2LL * 62 * 131'072 * 8192);
    CHECK(bill["state_bytes"] == 0);
    CHECK(bill["served"]["layers_per_page"] == 10);
    CHECK(bill["served"]["groups"][0]["padded_layers"] == 8);
}

TEST_CASE("a state stays what it is, whatever the length and the codec", "[calc][json]") {
    const auto state = [](const char* tokens, const char* codec) {
        const Json bill =
            calc({"--preset", "qwen3-next-80b-a3b", "--tokens", tokens, "--codec", codec});
        CHECK(bill["groups"][0]["kind"] == "state");
        CHECK(bill["groups"][0]["stored_tokens"] == 0);
        return bill["groups"][0]["bytes"].get<std::int64_t>();
    };
    CHECK(state("1", "bf16") == 77'856'768);
    CHECK(state("100000", "int4") == 77'856'768);
}

TEST_CASE("configs of families that are only priced", "[calc][json]") {
    const ScratchFolder scratch;
    const Json wrapped = calc(
        {"--config",
         scratch.write("config.json",
                       R"({"model_type":"gemma3","text_config":{"model_type":"gemma3_text",)"
                       R"("num_hidden_layers":6,"sliding_window":512,"sliding_window_pattern":3},)"
                       R"("vision_config":{"hidden_size":8}})"),
         "--tokens", "1000"});
    CHECK(wrapped["model"]["family"] == "gemma3_text");
    CHECK(wrapped["groups"][0]["layers"] == Json({0, 1, 3, 4}));
    CHECK(wrapped["kv_bytes"] == 2LL * 4 * 256 * 2 * (4 * 512 + 2 * 1000));
    CHECK(wrapped["notes"][0].get<std::string>().find("vision tower") != std::string::npos);
}

TEST_CASE("a named card gives memory, bandwidth and peak; options win", "[calc][json]") {
    const Json bill = calc({"--preset", "llama-3-8b", "--tokens", "8192", "--card", "h100"});
    CHECK(bill["ridge"].get<double>() == Approx(989 / 3.35));
    CHECK(bill["fits"] == true);
    const Json& fit = bill["fit"];
    CHECK(fit["budget_bytes"] == 80'000'000'000 - 16'060'522'496);
    CHECK(fit["sequences_by_length"][0]["sequences"] ==
          (80'000'000'000 - 16'060'522'496) / (1024LL * 131'072));
    CHECK(calc({"--preset", "llama-3-8b", "--card", "h100", "--bandwidth", "1TB/s"})["ridge"]
              .get<double>() == Approx(989));
}

TEST_CASE("models are compared by the same options", "[calc][json]") {
    const Ran ran =
        run_cli({"calc", "--compare", "gpt-oss-20b", "qwen3-8b", "--tokens", "8192", "--json"});
    REQUIRE(ran.code == 0);
    const Json both = Json::parse(ran.out)["compare"];
    REQUIRE(both.size() == 2);
    CHECK(both[0]["name"] == "gpt-oss-20b");
    CHECK(both[0]["kv_bytes"] == 195LL * 1024 * 1024);
    CHECK(both[1]["kv_bytes"] == 8192LL * 147'456);
    const Ran page = run_cli({"calc", "--compare", "gpt-oss-20b", "qwen3-8b", "--markdown"});
    CHECK(page.out.rfind("| | GPT-OSS 20B | Qwen3 8B |\n|---|---:|---:|\n", 0) == 0);
}
