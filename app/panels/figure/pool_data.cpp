// Tables of the figures about who gets which slots.

#include "app/panels/figure/data.hpp"
#include "core/sim/allocator.hpp"

namespace kv::figure {

std::vector<DataTable> arena_tables(const ArenaFacts& facts, bool revealed) {
    DataTable table{"steps",
                    "Where the slots are",
                    {{"rule"},
                     {"step"},
                     {"run"},
                     {"wait"},
                     {"tokens", "slots"},
                     {"reserved", "slots"},
                     {"never used", "slots"},
                     {"not held", "slots"}},
                    {}};
    const std::size_t rules = revealed ? facts.rules.size() : facts.open;
    for (std::size_t r = 0; r < rules; ++r) {
        const auto& steps = facts.rules[r].steps;
        const std::size_t n =
            revealed ? steps.size() : std::min<std::size_t>(facts.until, steps.size());
        for (std::size_t s = 0; s < n; ++s) {
            std::uint64_t tokens = 0, reserved = 0, never = 0, held = 0;
            for (const FloorPiece& piece : steps[s].pieces) {
                tokens += piece.tokens, reserved += piece.reserved, never += piece.never();
                held += piece.slots;
            }
            table.add(std::string(name_of(facts.rules[r].kind)), std::uint64_t{s} + 1,
                      steps[s].running, std::uint64_t{steps[s].waiting.size()}, tokens, reserved,
                      never, facts.slots - held);
        }
    }
    return {table};
}

}  // namespace kv::figure
