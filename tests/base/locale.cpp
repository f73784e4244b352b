// Numbers under a locale with a decimal comma. Few machines have one installed, so the test writes
// its own: the file of one category, LC_NUMERIC, is all that the C library wants to see.

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace {

namespace fs = std::filesystem;

std::string four_bytes(std::uint32_t value) {
    return {static_cast<char>(value), static_cast<char>(value >> 8), static_cast<char>(value >> 16),
            static_cast<char>(value >> 24)};
}

// glibc's format: a magic number, the count of fields, the offset of each, then the fields: decimal
// point, thousands separator, grouping, the first two again as wide characters, character set.
std::string comma_category() {
    std::string fields, offsets;
    const auto add = [&](const std::string& field) {
        offsets += four_bytes(static_cast<std::uint32_t>(8 + 6 * 4 + fields.size()));
        fields += field;
    };
    add(std::string(",\0", 2));
    add(std::string(".\0", 2));
    add(std::string("\3\3\0\0", 4));
    add(four_bytes(','));
    add(four_bytes('.'));
    add(std::string("UTF-8\0", 6));
    return four_bytes(0x20031115 ^ LC_NUMERIC) + four_bytes(6) + offsets + fields;
}

// Puts the locale on for one scope and everything back afterwards.
class CommaLocale {
public:
    CommaLocale() : folder_(make_folder()), before_(std::setlocale(LC_NUMERIC, nullptr)) {
        fs::create_directories(folder_ / "kv_comma");
        std::ofstream(folder_ / "kv_comma" / "LC_NUMERIC", std::ios::binary) << comma_category();
        if (const char* path = std::getenv("LOCPATH")) path_before_ = path;
        setenv("LOCPATH", folder_.c_str(), 1);
        is_on_ = std::setlocale(LC_NUMERIC, "kv_comma") != nullptr;
    }
    ~CommaLocale() {
        std::setlocale(LC_NUMERIC, before_.c_str());
        if (path_before_.empty())
            unsetenv("LOCPATH");
        else
            setenv("LOCPATH", path_before_.c_str(), 1);
        fs::remove_all(folder_);
    }
    CommaLocale(const CommaLocale&) = delete;
    CommaLocale& operator=(const CommaLocale&) = delete;

    bool is_on() const { return is_on_; }

private:
    static fs::path make_folder() {
        std::string pattern = (fs::temp_directory_path() / "kvarium-locale-XXXXXX").string();
        return mkdtemp(pattern.data());
    }

    fs::path folder_;
    std::string before_, path_before_;
    bool is_on_ = false;
};

}  // namespace

TEST_CASE("numbers print and read alike under a locale with a decimal comma", "[text][locale]") {
    const CommaLocale locale;
    if (!locale.is_on()) SKIP("This C library does not load a locale from a folder.");

    // The trap is set: the C library itself now writes and expects a comma.
    char printed[16];
    std::snprintf(printed, sizeof printed, "%.1f", 1.5);
    REQUIRE(std::string(printed) == "1,5");
    REQUIRE(std::strtod("1.5", nullptr) == 1.0);

    CHECK(kv::fixed(1234.5, 2) == "1234.50");
    CHECK(kv::significant(0.0068231, 3) == "0.00682");
    CHECK(kv::round_trip(0.1) == "0.1");
    CHECK(kv::round_trip(-2.5e-7) == "-2.5e-7");
    CHECK(kv::round_trip(0.1f) == "0.1");
    CHECK(kv::with_commas(1234567) == "1,234,567");
    CHECK(kv::bytes_binary(1610612736) == "1.5 GiB");
    CHECK(kv::bytes_decimal(137953296384) == "137.95 GB");
    CHECK(kv::rate_text(3.35e12) == "3.35 TB/s");
    CHECK(kv::seconds_text(0.00781) == "7.81 ms");

    std::string why;
    CHECK(kv::parse_decimal("1.5", why) == 1.5);
    CHECK_FALSE(kv::parse_decimal("1,5", why));
    CHECK(kv::parse_bytes("1.5GiB", why)->bytes == 1610612736);
    CHECK_FALSE(kv::parse_bytes("1,5GiB", why));
    CHECK(kv::parse_bandwidth("3.35TB/s", why) == 3350000000000.0);
}
