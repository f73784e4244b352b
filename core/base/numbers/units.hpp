#pragma once
// Byte counts and rates as people write them. Everything is counted in bytes; KiB, MiB, GiB and TiB
// are powers of 1,024, kB, MB, GB and TB powers of 1,000, and a bare "GB" is never taken for the
// other one.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kv {

enum class UnitSystem { Binary, Decimal };

// The largest unit that leaves at least one whole of it. Trailing zeros are dropped, thousands
// carry commas, and a number that rounds up to the next unit is printed in that unit ("1 MiB",
// never "1,024 KiB").
//   binary   exact when three decimals can say it ("512 KiB", "3.125 GiB", "1.5 GiB"), otherwise
//            rounded to four significant digits ("28.55 GiB")
//   decimal  at most two decimals, which is at least three significant digits ("3.36 GB", "137.95
//   GB")
std::string bytes_binary(std::uint64_t bytes);
std::string bytes_decimal(std::uint64_t bytes);
std::string bytes_exact(std::uint64_t bytes);  // "3,355,443,200 B"
inline std::string bytes_in(UnitSystem system, std::uint64_t bytes) {
    return system == UnitSystem::Binary ? bytes_binary(bytes) : bytes_decimal(bytes);
}

struct ByteSize {
    std::uint64_t bytes;
    UnitSystem unit;  // which one was understood, so that the program can say it; Binary for "B"
    std::string spelled;  // the text as understood, with a space: "1.5 GiB"
};
// "1.5GiB", "384KiB", "80GB", "4096B". A unit is required; a fraction must come out as whole bytes.
// "0B" is a size: the caller knows the smallest one that makes sense.
std::optional<ByteSize> parse_bytes(std::string_view text, std::string& why);

// "2TB/s", "3.35TB/s", "25GB/s", "1GiB/s" -> bytes per second; "989TFLOP/s", "312TFLOPS",
// "520GFLOP/s"
// -> FLOP per second. The result is finite and larger than zero, so that a time can be divided by
// it.
std::optional<double> parse_bandwidth(std::string_view text, std::string& why);
std::optional<double> parse_flops(std::string_view text, std::string& why);

// Rounded to four significant digits (seconds: three), trailing zeros dropped; whole numbers keep
// all their digits. Milliseconds are used from 0.1 ms up, microseconds from 0.1 us up.
std::string rate_text(double bytes_per_second);  // "2 TB/s"
std::string flops_text(double flop_per_second);  // "989 TFLOP/s"
std::string seconds_text(double seconds);        // "7.81 ms", "0.157 ms", "1.2 s", "12 us"

}  // namespace kv
