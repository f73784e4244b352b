#pragma once
// Facts of figures about codes: what one large channel does to the others, which tokens KIVI has
// coded, and where the bits of a vector go.

#include <cstdint>
#include <string>
#include <vector>

namespace kv {

// One channel of a vector grows. Its codes twice: with one scale for all channels, and in another
// way: with a scale for every few of them, or turned before it is coded.
struct OutlierFacts {
    enum class Second : std::uint8_t { Groups, Turned };
    struct Coded {
        std::vector<double> values;  // that are coded
        std::vector<double> scales;  // the largest magnitude over the largest code, by group
        std::vector<std::int32_t> codes;
        std::vector<double> errors;  // of what is read back, by channel of the vector
        std::uint32_t distinct = 0;  // codes that the others use
        double rms = 0;              // error of the others
    };
    struct At {
        double value = 0;  // of the channel
        Coded whole, second;
    };
    std::uint32_t channel = 0, group = 0, largest_code = 0;
    std::uint32_t code_bits = 0, scale_bits = 0;
    Second kind = Second::Groups;
    std::vector<At> ticks;   // rising
    std::uint32_t open = 0;  // so many of them are drawn before the reveal
    double whole_bits = 0, second_bits = 0;
    // From this value on, one scale leaves nothing but zeros of the others.
    double vanishes_at = 0;
    bool marks_vanishing = false;  // behind the reveal
    bool second_revealed = false;  // the second way is drawn behind the reveal alone

    std::uint32_t n() const { return static_cast<std::uint32_t>(ticks[0].whole.values.size()); }
};

// A text that grows, under KIVI: the tokens that are coded and those that wait in sixteen bits.
struct ResidualFacts {
    struct At {
        std::uint64_t tokens = 0;
        std::uint64_t coded[2] = {};  // keys, values
        double bits[2] = {};          // of a number, on average
    };
    std::uint64_t group = 0, residual = 0;
    double coded_bits = 0, plain_bits = 0;  // of a number: coded with its share of scales, and not
    std::vector<At> ticks;                  // the lengths that keys stop at, rising
    std::uint32_t open = 0;                 // so many of them are drawn before the reveal
    std::vector<At> curve;                  // of lengths up to the last tick, rising
};

// The bytes of one vector in several codecs: codes, scales, zeros.
struct FieldsFacts {
    struct Row {
        std::string name;
        std::uint64_t codes = 0, scales = 0, zeros = 0;  // bytes
        std::uint64_t total() const { return codes + scales + zeros; }
    };
    std::uint64_t numbers = 0;
    std::vector<Row> rows;
    std::uint32_t open = 0;  // so many rows are drawn before the reveal
    double bits(const Row& row) const {
        return 8.0 * static_cast<double>(row.total()) / static_cast<double>(numbers);
    }
};

}  // namespace kv
