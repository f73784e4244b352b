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

std::vector<DataTable> shares_tables(const SharesFacts& facts, bool revealed) {
    DataTable table{"shares",
                    "Where the slots are, of all slots",
                    {{"rule"},
                     {"whose"},
                     {"tokens"},
                     {"reserved"},
                     {"never used"},
                     {"gaps"},
                     {"free"},
                     {"requests at once"}},
                    {}};
    const auto add = [&](const SharesFacts::Row& row, const std::string& whose) {
        table.add(std::string(name_of(row.kind)), whose, row.tokens, row.reserved, row.never,
                  row.gaps, row.free);
        TableCell& at_once = table.rows.back().emplace_back();
        if (row.at_once) at_once = *row.at_once;
    };
    const std::size_t n = revealed ? facts.rows.size() : facts.open;
    for (std::size_t i = 0; i < n; ++i) {
        add(facts.rows[i], "ours");
        for (const SharesFacts::Row& theirs : facts.published)
            if (theirs.kind == facts.rows[i].kind) add(theirs, facts.source);
    }
    return {table};
}

std::vector<DataTable> radix_tables(const RadixFacts& facts, bool revealed) {
    DataTable table{"nodes",
                    "Nodes of the tree",
                    {{"step"}, {"node"}, {"parent"}, {"first position"}, {"text"}, {"last used"}},
                    {}};
    const auto add = [&](const RadixFacts::Tree& tree) {
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
            const RadixFacts::Node& node = tree.nodes[i];
            table.add(std::uint64_t{tree.step}, std::uint64_t{i});
            TableCell& parent = table.rows.back().emplace_back();
            if (node.parent) parent = std::uint64_t{*node.parent};
            std::string text;
            for (const std::string& word : node.words) text += (text.empty() ? "" : " ") + word;
            table.rows.back().emplace_back(std::uint64_t{node.first});
            table.rows.back().emplace_back(text);
            TableCell& used = table.rows.back().emplace_back();
            const bool asked = facts.tells_first && &tree == &facts.after;
            if (!asked || revealed) used = std::uint64_t{node.last_used};
        }
    };
    add(facts.before);
    constexpr std::uint32_t kAllKeys = 4;  // match, split, lock, write
    if (!facts.is_one && (revealed || facts.open == kAllKeys)) add(facts.after);
    return {table};
}

std::vector<DataTable> walk_tables(const WalkFacts& facts, bool revealed) {
    DataTable table{"table", "The block table", {{"logical block"}, {"physical block"}}, {}};
    for (std::size_t i = 0; i < facts.table.size(); ++i)
        table.add(std::uint64_t{i}, std::uint64_t{facts.table[i]});
    if (facts.way != FigureWhen::Now && !revealed) return {};
    DataTable way{"way",
                  "The way of a token",
                  {{"position"}, {"logical block"}, {"offset"}, {"physical block"}, {"slot"}},
                  {}};
    way.add(std::uint64_t{facts.position}, std::uint64_t{facts.logical()},
            std::uint64_t{facts.offset()}, std::uint64_t{facts.physical()}, facts.slot());
    return {table, way};
}

std::vector<DataTable> last_block_tables(const LastBlockFacts& facts, bool revealed) {
    DataTable table{"last",
                    "Slots of the last block",
                    {{"slots of a block"}, {"tokens in the last block"}, {"idle slots"}},
                    {}};
    const std::size_t n = revealed ? facts.block_sizes.size() : facts.open;
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t size = facts.block_sizes[i];
        if (facts.tokens > 0)
            table.add(size, size - facts.idle(), facts.idle());
        else
            for (std::uint64_t held = 1; held <= size; ++held) table.add(size, held, size - held);
    }
    return {table};
}

std::vector<DataTable> hashes_tables(const HashesFacts& facts, bool revealed) {
    DataTable table{"hashes",
                    "Hashes of full blocks",
                    {{"request"}, {"block of its text"}, {"text"}, {"hash"}},
                    {}};
    const std::size_t n = revealed ? facts.rows.size() : facts.open;
    for (std::size_t r = 0; r < n; ++r)
        for (std::size_t b = 0; b < facts.rows[r].blocks.size(); ++b) {
            const HashesFacts::Block& block = facts.rows[r].blocks[b];
            std::string text;
            for (const std::string& word : block.words) text += (text.empty() ? "" : " ") + word;
            table.add(facts.rows[r].request, std::uint64_t{b}, text, block.digits());
        }
    return {table};
}

std::vector<DataTable> stretches_tables(const StretchesFacts& facts, bool revealed) {
    DataTable table{"texts", facts.title, {{"text"}, {"by itself", "tokens"}}, {}};
    if (revealed) table.columns.push_back({"what is new in it", "tokens"});
    for (std::size_t t = 0; t < facts.texts.size(); ++t) {
        table.add(facts.texts[t].name, facts.length(t, false));
        if (revealed) table.rows.back().emplace_back(facts.length(t, true));
    }
    return {table};
}

}  // namespace kv::figure
