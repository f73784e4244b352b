// One SHA-256 for a checkpoint.
#include "core/model/checkpoint/digest.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/base/error.hpp"
#include "core/base/sha256.hpp"
#include "tests/model/model_folder.hpp"

using namespace kv;
using namespace kv::test;
namespace fs = std::filesystem;

namespace {

std::string digest(const std::string& folder) {
    return std::get<std::string>(weights_sha256(Checkpoint::open(folder)));
}

}  // namespace

TEST_CASE("the digest of one file is the file's", "[digest]") {
    const ScratchFolder here, there;
    const auto tensors = known_tensors({}, "BF16");
    const std::string expected = sha256_hex(safetensors_bytes(tensors));
    CHECK(digest(write_model(here, {}, tensors)) == expected);
    CHECK(digest(write_model(there, {}, tensors)) == expected);
    auto changed = tensors;
    changed[3].data[5] = static_cast<char>(changed[3].data[5] ^ 1);
    CHECK(digest(write_model(there, {}, changed)) != expected);
}

TEST_CASE("the digest of shards is that of their sums, in order of their names", "[digest]") {
    const ScratchFolder scratch;
    const auto tensors = known_tensors({}, "BF16");
    const std::vector<FileTensor> first(tensors.begin(), tensors.begin() + 4);
    const std::vector<FileTensor> second(tensors.begin() + 4, tensors.end());
    std::string map;
    for (const FileTensor& each : second) map += "\"" + each.name + "\":\"a\",";
    for (const FileTensor& each : first) map += "\"" + each.name + "\":\"b\",";
    map.pop_back();
    scratch.write("config.json", config_text({}));
    scratch.write("b", safetensors_bytes(first));
    scratch.write("a", safetensors_bytes(second));
    scratch.write("model.safetensors.index.json", R"({"weight_map":{)" + map + "}}");
    const std::string lines = sha256_hex(safetensors_bytes(second)) + "  a\n" +
                              sha256_hex(safetensors_bytes(first)) + "  b\n";
    CHECK(digest(scratch.file(".")) == sha256_hex(lines));
}

TEST_CASE("summing reports, stops when asked to and notices a file cut short", "[digest]") {
    const ScratchFolder scratch;
    const Changes larger{{"vocab_size", "8192"}};
    const Checkpoint checkpoint =
        Checkpoint::open(write_model(scratch, larger, known_tensors(larger, "F32")));
    const u64 size = fs::file_size(scratch.file("model.safetensors"));
    u64 last = 0;
    const auto whole = weights_sha256(checkpoint, [&](u64 done, u64 total) {
        CHECK(total == size);
        CHECK(done > last);
        last = done;
        return true;
    });
    CHECK(std::holds_alternative<std::string>(whole));
    CHECK(last == size);
    CHECK(std::holds_alternative<LoadCancelled>(
        weights_sha256(checkpoint, [](u64, u64) { return false; })));
    fs::resize_file(scratch.file("model.safetensors"), size - 1);
    CHECK_THROWS_AS(weights_sha256(checkpoint), Error);
}
