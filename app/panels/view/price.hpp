#pragma once
// What forgetting costs on a text, as the panel Price sees it: rows of codecs and policies, each
// waiting, measured or refused. Plain data; whoever measures fills it between two frames.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/shell/texts/said.hpp"

namespace kv {

struct PriceNumbers {
    std::uint64_t held_bytes = 0;  // keys and values at most, from the first told token on
    std::uint64_t peak_bytes = 0;  // the same with the prompt's steps
    double nll = 0, nll_full = 0;  // per told token, nats: so, and with everything kept in float32
    double kl = 0;                 // from the full run to this one, nats
    double flips = 0, mass_lost = 0;         // shares, 0 to 1
    std::uint32_t found = 0, needles = 0;    // answers that were the most probable token
    std::optional<double> k_error, v_error;  // of the codec: RMS of the error over RMS of the truth
    friend bool operator==(const PriceNumbers&, const PriceNumbers&) = default;
};

struct PriceRow {
    enum class State : std::uint8_t { Waiting, Measuring, Measured, Refused };

    std::string k_codec, v_codec, evict;  // in the words of the settings
    bool of_run = false;                  // as the run has it
    State state = State::Waiting;
    Said why = {};  // it was refused
    PriceNumbers numbers = {};

    bool measured() const { return state == State::Measured; }
    bool drops() const { return evict != "none"; }
};

enum class PriceText : std::uint8_t { Fixed, Request };
inline constexpr std::size_t kPriceTexts = 2;

// One text with its rows.
struct PriceSheet {
    std::uint32_t passages = 0, prompt_tokens = 0, told_tokens = 0, needles = 0;
    std::string request = {};  // whose tokens these are; empty: the fixed text
    Said cannot = {};          // why nothing can be measured on it
    std::vector<PriceRow> rows = {};

    bool any_measured() const {
        for (const PriceRow& row : rows)
            if (row.measured()) return true;
        return false;
    }
    bool all_done() const {
        for (const PriceRow& row : rows)
            if (row.state == PriceRow::State::Waiting || row.state == PriceRow::State::Measuring)
                return false;
        return true;
    }
};

struct PriceView {
    std::array<PriceSheet, kPriceTexts> sheets;
    std::optional<PriceText> measuring = {};  // which of them is being measured
    double progress = 0;                      // of it, 0 to 1

    const PriceSheet& of(PriceText text) const { return sheets[static_cast<std::size_t>(text)]; }
};

}  // namespace kv
