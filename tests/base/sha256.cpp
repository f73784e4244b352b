// SHA-256 against the examples of FIPS 180-4 and of NIST's test vectors.
#include "core/base/sha256.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace kv;

TEST_CASE("SHA-256 gives the published digests", "[sha256]") {
    CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(sha256_hex("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                     "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu") ==
          "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
    CHECK(sha256_hex(std::string(1'000'000, 'a')) ==
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("SHA-256 does not depend on how the bytes are cut", "[sha256]") {
    const std::string text(200, 'x');
    const std::string whole = sha256_hex(text);
    for (const std::size_t step : {1U, 7U, 63U, 64U, 65U, 130U}) {
        CAPTURE(step);
        Sha256 sum;
        for (std::size_t at = 0; at < text.size(); at += step) {
            sum.update(std::string_view(text).substr(at, step));
        }
        CHECK(sum.hex() == whole);
    }
}

TEST_CASE("SHA-256 can be read on the way, at every length around a block", "[sha256]") {
    // Padding has its edges at 55, 56, 63 and 64 bytes of the last block.
    Sha256 growing;
    std::string text;
    for (int length = 0; length <= 130; ++length) {
        CAPTURE(length);
        CHECK(growing.hex() == sha256_hex(text));
        growing.update("b");
        text += 'b';
    }
    // As sha256sum prints them.
    CHECK(sha256_hex(std::string(55, 'b')) ==
          "eb2c86e932179f4ba13fe8715a26124b77d6bad290b9b4c1cc140cf633300c19");
    CHECK(sha256_hex(std::string(56, 'b')) ==
          "a5fc6e203a4c2b657d0d153885932414b2ffc6a93f0f8bf8b3183315e5a7212c");
    CHECK(sha256_hex(std::string(64, 'b')) ==
          "a0fab1377f49a759b57f63318262ebe89fabfc990e8e93ceac2984561482b9d4");
}
