// Which lines a key of a figure about blocks, prefixes, policies or stages stands for.

#include "app/panels/code/tank_beats.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

std::string count_text(std::uint64_t n) {
    return std::to_string(n);
}
// The amount of a bar that counts something, as text.
std::string amount_text(double amount) {
    return count_text(static_cast<std::uint64_t>(std::llround(amount)));
}
std::string entry_text(std::size_t entry, std::uint32_t block) {
    return "table[" + count_text(entry) + "] = " + count_text(block);
}
std::string refs_text(const BlocksFacts::State& state, std::uint32_t block) {
    const std::uint32_t refs = block < state.blocks.size() ? state.blocks[block].refs : 0;
    return "ref_count[" + count_text(block) + "] = " + count_text(refs);
}

const BlocksFacts::Request* find_request(const BlocksFacts::State& state, const std::string& name) {
    const auto found = std::find_if(state.requests.begin(), state.requests.end(),
                                    [&](const BlocksFacts::Request& r) { return r.name == name; });
    return found == state.requests.end() ? nullptr : &*found;
}

bool holds_block(const BlocksFacts::Request& request, std::uint32_t block) {
    return std::find(request.table.begin(), request.table.end(), std::optional(block)) !=
           request.table.end();
}

// The second key of such a figure is the state behind the step.
constexpr std::uint32_t kStateBehind = 2;

}  // namespace

CodeBeatList walk_through_table(const WalkFacts& facts, std::uint32_t key) {
    enum : std::uint32_t { Position = 1, Divide, LookUp, InPool };
    const std::string position = count_text(facts.position), size = count_text(facts.block_size);
    const CodeBeat entry{
        "entry", "entry = " + position + " // " + size + " = " + count_text(facts.logical())},
        slot{"slot", "slot = " + position + " % " + size + " = " + count_text(facts.offset())},
        block{"block", "block = table[" + count_text(facts.logical()) +
                           "] = " + count_text(facts.physical())};
    if (key == Divide) return {entry, slot};
    if (key == LookUp) return {block};
    if (key == InPool) return {entry, slot, block};
    return {};
}

CodeBeatList split_of_node(const RadixFacts& facts, std::uint32_t key) {
    enum : std::uint32_t { Match = 1, Split };
    if (key == Match)
        return {{"child", ""},
                {"same", "same = " + count_text(facts.alike)},
                {"whole", "same = " + count_text(facts.matched)}};
    if (key == Split && facts.cut() != nullptr)
        return {{"split", ""},
                {"upper", "len = " + count_text(facts.cut()->matched)},
                {"rest", "len = " + count_text(facts.cut()->words.size() - facts.cut()->matched)},
                {"parent", ""}};
    return {};
}

CodeBeatList prefix_in_tree(const RadixFacts& facts, std::uint32_t key) {
    if (key != 1) return {};
    const std::uint32_t hits = facts.matched / std::max(1u, facts.block_size);
    CodeBeatList beats{
        {"chunk", "len(tokens) = " + count_text(facts.asked.size())}, {"hash", ""}, {"get", ""}};
    if (hits > 0) beats.push_back({"same", ""});
    beats.push_back({hits > 0 ? "hit" : "miss", "len(hits) = " + count_text(hits)});
    return beats;
}

// A row a key: the first one fills the index, the next ones look into it.
CodeBeatList prefix_in_chain(const HashesFacts& facts, std::uint32_t key) {
    if (key == 0 || key > facts.rows.size() || facts.rows[key - 1].blocks.empty()) return {};
    const auto& blocks = facts.rows[key - 1].blocks;
    const CodeBeat chunk{"chunk", "len(chunk) = " + count_text(facts.block_size)},
        hash{"hash", "key = " + blocks.front().digits().substr(0, 4)};
    if (key == 1) return {chunk, hash};
    const auto hits = static_cast<std::uint64_t>(std::count_if(
        blocks.begin(), blocks.end(), [](const HashesFacts::Block& b) { return b.is_alike; }));
    CodeBeatList beats{chunk, hash, {"get", ""}};
    if (hits > 0) beats.push_back({"same", ""});
    beats.push_back({hits > 0 ? "hit" : "miss", "len(hits) = " + count_text(hits)});
    return beats;
}

CodeBeatList heaviest_stay(const HeavyFacts& facts, std::uint32_t key) {
    enum : std::uint32_t { Scores = 1, Spared, Dropped };
    const std::uint32_t n = static_cast<std::uint32_t>(facts.scores.size()),
                        heavy = facts.keep - std::min(facts.keep, facts.newest);
    if (key == Scores) return {{"add", ""}, {"room", "n = " + count_text(n)}};
    if (key == Spared)
        return {{"spare", "old = range(" + count_text(n - std::min(n, facts.newest)) + ")"}};
    if (key != Dropped || facts.dropped.empty()) return {};
    const std::uint32_t gone = facts.dropped.front();
    return {{"best", "heavy = " + count_text(heavy)},
            {"drop", "scores[" + count_text(gone) + "] = " + significant(facts.scores[gone], 3)}};
}

// A layer a key. The rule that is wrong attends before it appends.
CodeBeatList layer_of_map(const ChangedFacts& facts, std::uint32_t key) {
    if (key == 0 || key > facts.n_layers()) return {};
    const std::string at = "layer = " + count_text(key - 1);
    CodeBeatList beats{
        {"project", at}, {"rotate", at}, {"append", at}, {"attend", at}, {"output", at}};
    if (facts.is_late) std::swap(beats[2], beats[3]);
    return beats;
}

CodeBeatList stage_of_step(const StagesFacts& facts, std::uint32_t key) {
    enum : std::uint32_t { Project = 2, Rotate, Append, Attend, Output };
    switch (key) {
        case Project:
            return {{"project", ""}};
        case Rotate:
            return {{"rotate", "position = " + count_text(facts.stored - 1)}};
        case Append:
            return {{"append", "len(cache) = " + count_text(facts.stored)}};
        case Attend:
            return {{"attend", "keys = " + count_text(facts.stored)}};
        case Output:
            return {{"output", ""}};
        default:
            return {};
    }
}

CodeBeatList codes_of_vector(const FieldsFacts& facts, std::uint32_t key) {
    if (key == 0 || key > facts.rows.size()) return {};
    const FieldsFacts::Row& row = facts.rows[key - 1];
    if (row.scales == 0) return {};  // nothing is divided by a scale
    return {{"largest", "n = " + count_text(facts.numbers)},
            {"scale", count_text(row.scales) + " B"},
            {"codes", count_text(row.codes) + " B"},
            {"stored", count_text(row.total()) + " B"}};
}

// Entries that tables got, and blocks that ended requests gave back, last entry first.
CodeBeatList blocks_handed_out(const BlocksFacts& facts, std::uint32_t key) {
    CodeBeatList beats;
    if (key != kStateBehind) return beats;
    for (const BlocksFacts::Request& now : facts.end.requests) {
        const BlocksFacts::Request* was = find_request(facts.open, now.name);
        if (was != nullptr && now.has_ended && !was->has_ended)
            for (std::size_t entry = was->table.size(); entry-- > 0;) {
                if (!was->table[entry]) continue;
                const std::uint32_t block = *was->table[entry];
                beats.push_back({"last_first", "entry = " + count_text(entry)});
                beats.push_back({"let_go", refs_text(facts.end, block)});
                if (facts.end.blocks[block].refs == 0)
                    beats.push_back({"free", "push(" + count_text(block) + ", tail)"});
            }
        for (std::size_t entry = was == nullptr ? 0 : was->table.size(); entry < now.table.size();
             ++entry) {
            if (!now.table[entry]) continue;
            const std::uint32_t block = *now.table[entry];
            beats.push_back({"take", "block = " + count_text(block)});
            beats.push_back({"hold", refs_text(facts.end, block)});
            beats.push_back({"enter", entry_text(entry, block)});
        }
    }
    return beats;
}

// The first request whose table repeats that of an older one, at the key at which it does.
CodeBeatList forked_table(const BlocksFacts& facts, std::uint32_t key) {
    const BlocksFacts::State& state = key == kStateBehind ? facts.end : facts.open;
    if (state.requests.size() < 2) return {};
    const BlocksFacts::Request &parent = state.requests[0], &child = state.requests[1];
    CodeBeatList beats;
    for (std::size_t entry = 0; entry < child.table.size(); ++entry) {
        if (!child.table[entry] || !holds_block(parent, *child.table[entry])) continue;
        const std::uint32_t block = *child.table[entry];
        beats.push_back({"block", "block = " + count_text(block)});
        beats.push_back({"hold", refs_text(state, block)});
        beats.push_back({"enter", "child." + entry_text(entry, block)});
    }
    if (!beats.empty()) beats.push_back({"stored", "stored = " + count_text(child.stored)});
    return beats;
}

// A request whose table is empty behind the step has gone to the host.
CodeBeatList blocks_put_aside(const BlocksFacts& facts, std::uint32_t key) {
    CodeBeatList beats;
    if (key != kStateBehind) return beats;
    for (const BlocksFacts::Request& was : facts.open.requests) {
        const BlocksFacts::Request* now = find_request(facts.end, was.name);
        if (was.table.empty() || now == nullptr || !now->table.empty() || now->has_ended) continue;
        for (std::size_t entry = was.table.size(); entry-- > 0;) {
            if (!was.table[entry]) continue;
            beats.push_back({"place", ""});
            beats.push_back({"out", "copy(" + count_text(*was.table[entry]) + ", place)"});
        }
        beats.push_back({"give_back", "n = " + count_text(was.table.size())});
    }
    return beats;
}

// The bars of that question: free blocks, those that are held back, and what each prompt needs.
CodeBeatList prompts_at_the_door(const BarsFacts& facts, std::uint32_t key) {
    enum : std::uint32_t { Free = 1, HeldBack, FirstPrompt };
    if (facts.bars.size() < FirstPrompt || key == 0 || key > facts.bars.size()) return {};
    const BarsFacts::Bar& bar = facts.bars[key - 1];
    if (key == Free) return {{"room", "n_free = " + bar.said}};
    if (key == HeldBack) return {{"spare", "spare = " + bar.said}};
    const double sum = bar.amount + facts.bars[HeldBack - 1].amount, free = facts.bars[0].amount;
    CodeBeatList beats{{"needed", "needed = " + bar.said},
                       {"room", amount_text(sum) + " > " + amount_text(free)}};
    if (sum > free) {
        beats.push_back({"wait", ""});
    } else {
        beats.push_back({"out", ""});
        beats.push_back({"run", ""});
    }
    return beats;
}

// The bars of that question: the keys that the last query of each chunk sees.
CodeBeatList chunks_of_prompt(const BarsFacts& facts, std::uint32_t key) {
    if (key == 0 || key > facts.bars.size()) return {};
    const double before = key == 1 ? 0 : facts.bars[key - 2].amount,
                 count = facts.bars[key - 1].amount - before;
    return {{"left", ""},
            {"count", "count = " + amount_text(count)},
            {"schedule", "schedule(A, " + amount_text(before) + ", " + amount_text(count) + ")"},
            {"budget", ""}};
}

}  // namespace kv
