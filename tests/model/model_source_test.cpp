// Models with their KV heads folded, by name: what the name means, what is refused, and that the
// weights are those of the folded heads.

#include "core/model/model_source.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/base/error.hpp"
#include "core/base/sha256.hpp"
#include "core/model/checkpoint/digest.hpp"
#include "core/model/checkpoint/fold_heads.hpp"
#include "core/model/checkpoint/load_weights.hpp"
#include "tests/model/model_folder.hpp"
#include "tests/places.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string kMha = kv::test::source_dir() + "/assets/models/mha";

Weights loaded(const Checkpoint& checkpoint) {
    LoadOptions options;
    options.storage = WeightStorage::Bf16;
    return std::get<Weights>(load_weights(checkpoint, options));
}

std::string sum_of(const Checkpoint& checkpoint) {
    return std::get<std::string>(weights_sha256(checkpoint));
}

}  // namespace

TEST_CASE("a name ends in +kv and a number, or it is a name as a whole", "[fold]") {
    const auto read = [](const std::string& text) {
        const ModelSource source = parse_model_source(text);
        CHECK(source.written() == text);
        return std::pair(source.name, source.kv_heads);
    };
    using Is = std::pair<std::string, std::optional<std::uint64_t>>;
    CHECK(read("mha+kv2") == Is("mha", 2));
    CHECK(read("/a/b+kv1+kv4") == Is("/a/b+kv1", 4));
    CHECK(read("mha") == Is("mha", std::nullopt));
    for (const char* whole : {"mha+kv", "mha+kv-1", "mha+kv2/", "mha+kvx", "mha+2", "+kv2", ""})
        CHECK(read(whole) == Is(whole, std::nullopt));
}

TEST_CASE("a folded checkpoint runs with fewer KV heads and the means of its own", "[fold]") {
    const Checkpoint stored = Checkpoint::open(kMha), folded = Checkpoint::open(kMha + "+kv2");
    CHECK(folded.folder() == kMha);
    CHECK(folded.is_folded());
    CHECK_FALSE(stored.is_folded());
    CHECK(folded.config().n_kv_heads == 2);
    CHECK(folded.stored_config().n_kv_heads == 8);
    const Weights all = loaded(stored), few = loaded(folded);
    const u64 dim = stored.config().head_dim;
    REQUIRE(few.layers[0].k.rows() == 2 * dim);
    for (const u64 row : {u64{0}, dim - 1, dim, 2 * dim - 1}) {
        float sum = 0;
        for (u64 head = 0; head < 4; ++head)
            sum += all.layers[0].v.at((row / dim * 4 + head) * dim + row % dim, 3);
        CHECK(std::abs(few.layers[0].v.at(row, 3) - sum / 4) <= std::abs(sum / 4) / 256);
    }
    CHECK(few.layers[0].q.rows() == 8 * dim);
    // Another model than the one it was made of, and always the same one.
    CHECK(sum_of(folded) == sha256_hex(sum_of(stored) + "+kv2"));
    CHECK_FALSE(Checkpoint::open(kMha + "+kv8").is_folded());
}

TEST_CASE("heads fold to a number that divides theirs", "[fold]") {
    for (const char* heads : {"0", "3", "16", "4294967295"}) {
        try {
            Checkpoint::open(kMha + "+kv" + heads);
            FAIL("was opened");
        } catch (const Error& error) {
            CHECK(error.code() == ErrorCode::Usage);
            CHECK_THAT(error.what(), ContainsSubstring("8 KV heads, which cannot be folded to"));
        }
    }
}

TEST_CASE("a folder that is really called so is opened as it is", "[fold]") {
    const ScratchFolder scratch;
    write_model(scratch, {}, known_tensors({}, "BF16"));
    const std::string named = scratch.file("model+kv1");
    std::filesystem::create_directory(named);
    for (const char* file : {"config.json", "model.safetensors"})
        std::filesystem::rename(scratch.file(file), named + "/" + file);
    const Checkpoint checkpoint = Checkpoint::open(named);
    CHECK(checkpoint.folder() == named);
    CHECK_FALSE(checkpoint.is_folded());
}
