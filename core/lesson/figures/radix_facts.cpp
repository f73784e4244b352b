// Facts about prefixes: the tree that the run keeps, before and after a request comes to it.

#include <algorithm>
#include <map>
#include <utility>

#include "core/lesson/figures/ask.hpp"

namespace kv {
namespace {

constexpr std::size_t kMostNodes = 16, kMostWordsOfNode = 64;

using Tokens = std::vector<std::uint32_t>;

// The tree after an iteration of the run.
const PrefixTreeFacts& prefixes_after(const FigureAsk& ask, std::uint32_t iteration) {
    const IterationFacts* facts = ask.run().facts(iteration);
    if (facts == nullptr || !facts->prefixes)
        ask.given.refuse("wants a run whose prefix_index is radix, after its first step");
    return *facts->prefixes;
}

class RadixReader {
public:
    RadixReader(const FigureAsk& ask, std::string salt) : ask_(ask), salt_(std::move(salt)) {}

    RadixFacts::Tree tree(std::uint32_t iteration, const Tokens& asked) {
        const PrefixTreeFacts& prefixes = prefixes_after(ask_, iteration);
        now_ = ask_.run().trace().at(*ask_.run().moment_after(iteration));
        RadixFacts::Tree tree{iteration, held(), {}};
        if (prefixes.nodes.size() > kMostNodes + 1)
            ask_.given.refuse("wants a tree of at most " + std::to_string(kMostNodes) + " nodes");
        std::map<std::uint32_t, std::size_t> places;
        std::vector<Tokens> texts;
        for (const RadixNodeView& view : prefixes.nodes) {
            if (!view.parent) continue;  // the root has no tokens
            RadixFacts::Node node;
            Tokens text;
            if (const auto above = places.find(view.parent->value); above != places.end()) {
                node.parent = above->second, text = texts[above->second];
                node.salt = tree.nodes[above->second].salt;
                tree.nodes[above->second].is_leaf = false;
            }
            if (!view.salt.empty()) node.salt = view.salt;
            text.insert(text.end(), view.tokens.begin(), view.tokens.end());
            if (view.tokens.size() > kMostWordsOfNode)
                ask_.given.refuse("wants nodes of at most " + std::to_string(kMostWordsOfNode) +
                                  " tokens");
            node.id = view.id.value, node.words = ask_.words(view.tokens);
            node.first = static_cast<std::uint32_t>(view.first);
            if (node.salt == salt_) node.matched = matched(text, view.tokens.size(), asked);
            node.last_used = ask_.run().iteration_of(view.last_access);
            node.locks = view.lock_count,
            node.holders = holders(text, node.salt, view.lock_count > 0);
            node.goes_first = !prefixes.line.empty() && prefixes.line.front() == view.id;
            places[view.id.value] = tree.nodes.size();
            texts.push_back(std::move(text));
            tree.nodes.push_back(std::move(node));
        }
        return tree;
    }

    // The longest beginning that a text of the tree has in common with these tokens.
    std::uint32_t alike(std::uint32_t iteration, const Tokens& asked) const {
        std::map<std::uint32_t, Tokens> texts;
        std::map<std::uint32_t, std::string> salts;
        std::size_t most = 0;
        for (const RadixNodeView& view : prefixes_after(ask_, iteration).nodes) {
            Tokens text = view.parent ? texts[view.parent->value] : Tokens();
            std::string& salt = salts[view.id.value];
            salt = view.salt.empty() && view.parent ? salts[view.parent->value] : view.salt;
            text.insert(text.end(), view.tokens.begin(), view.tokens.end());
            if (salt == salt_) most = std::max(most, common(text, asked));
            texts[view.id.value] = std::move(text);
        }
        return static_cast<std::uint32_t>(most);
    }

private:
    std::uint32_t held() const {
        const LaneView& lane = now_.lanes.at(0);
        return lane.used + lane.cached;
    }
    static std::size_t common(const Tokens& a, const Tokens& b) {
        std::size_t n = 0;
        while (n < a.size() && n < b.size() && a[n] == b[n]) ++n;
        return n;
    }
    // How many of the last `own` tokens of the text are found: whole blocks, and none where the
    // text parts before them.
    std::uint32_t matched(const Tokens& text, std::size_t own, const Tokens& asked) const {
        const std::size_t above = text.size() - own;
        const std::size_t most = asked.empty() ? 0 : asked.size() - 1;  // one is computed anew
        const std::size_t n = std::min(common(text, asked), most);
        const std::size_t whole = n - n % now_.block_size;
        return static_cast<std::uint32_t>(whole > above ? whole - above : 0);
    }
    std::vector<RadixFacts::Holder> holders(const Tokens& text, const std::string& salt,
                                            bool locked) const {
        std::vector<RadixFacts::Holder> all;
        for (std::size_t i = 0; i < now_.requests.size(); ++i) {
            const RequestView& request = now_.requests[i];
            Tokens own;
            for (std::size_t t = 0; t < request.tokens.size(); ++t)
                own.push_back(request.tokens[t]);
            if (ask_.run().engine().requests()[i].spec.salt != salt) continue;
            const bool ended = request.ended.has_value();
            const bool runs = request.state == RequestState::Running;
            if (common(own, text) == text.size() && (locked ? runs : ended))
                all.push_back({static_cast<std::uint32_t>(i), ended});
        }
        return all;
    }

    const FigureAsk& ask_;
    std::string salt_;  // of the request that comes
    Snapshot now_;
};

}  // namespace

// before, after: steps; one tree where they are the same. open: keys before the reveal, of match,
// split, lock and write. first: behind the reveal it is said which leaf goes first.
FigureFacts ask_radix(const FigureAsk& ask) {
    RadixFacts facts;
    const Snapshot opens = (static_cast<void>(ask.run()), ask.at.opened());
    const u64 last = ask.run().last_iteration();
    const u64 before = ask.given.whole_or("before", opens.iteration);
    const u64 after = ask.given.whole_or("after", ask.at.now().iteration);
    if (before == 0 || before > after || after > last)
        ask.given.refuse("wants before from 1 on, and after from before to " +
                         std::to_string(last) + ", the run's last step");
    facts.is_one = before == after;
    facts.block_size = opens.block_size;
    facts.blocks = static_cast<std::uint32_t>(opens.lanes.at(0).blocks.size());
    Tokens asked;
    if (!facts.is_one) {
        facts.request = ask.given.text("request");
        asked = ask.counts(facts.request + ".tokens");
        asked.resize(
            static_cast<std::size_t>(ask.value(facts.request + ".prompt").plain<Number>()->value));
        const auto& all = ask.at.now().requests;
        while (facts.which < all.size() && all[facts.which].name != facts.request) ++facts.which;
    }
    std::string salt;
    for (const Request& request : ask.run().engine().requests())
        if (request.spec.name == facts.request) salt = request.spec.salt;
    facts.asked = ask.words(asked);
    RadixReader reader(ask, salt);
    facts.before = reader.tree(static_cast<std::uint32_t>(before), asked);
    facts.after = reader.tree(static_cast<std::uint32_t>(after), asked);
    for (const RadixFacts::Node& node : facts.before.nodes) facts.matched += node.matched;
    facts.alike = reader.alike(static_cast<std::uint32_t>(before), asked);
    facts.fresh = static_cast<std::uint32_t>(asked.size()) - facts.matched;
    const u64 keys = facts.is_one ? 1 : 4;
    const u64 open = ask.given.whole_or("open", keys);
    if (open > keys) ask.given.refuse("opens with more keys than match, split, lock and write");
    facts.open = static_cast<std::uint32_t>(open);
    facts.tells_first = ask.given.yes_or("first", false);
    return facts;
}

std::string HashesFacts::Block::digits() const {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[(hash >> shift) & 15];
    return text;
}

// requests: their names, one row each; of each its full blocks that can be found.
FigureFacts ask_hashes(const FigureAsk& ask) {
    constexpr std::size_t kMostRows = 3, kMostChain = 8;
    HashesFacts facts;
    const Snapshot now = (static_cast<void>(ask.run()), ask.at.now());
    facts.block_size = now.block_size;
    for (const LessonValue& value : ask.given.list("requests")) {
        const auto* name = value.plain<std::string>();
        std::size_t i = 0;
        while (name != nullptr && i < now.requests.size() && now.requests[i].name != *name) ++i;
        if (name == nullptr || i == now.requests.size() || now.requests[i].tables.empty())
            ask.given.refuse("wants names of requests that hold blocks");
        const RequestView& request = now.requests[i];
        HashesFacts::Row row{request.name,
                             ask.run().engine().requests()[i].spec.salt,
                             static_cast<std::uint32_t>(i),
                             {}};
        for (std::size_t e = 0; e < request.tables[0].size() && e < kMostChain; ++e) {
            const TableEntry entry = request.tables[0][e];
            const auto hash = entry ? now.lanes.at(0).blocks[entry->index()].hash : std::nullopt;
            if (!hash) break;
            Tokens tokens;
            for (std::size_t t = e * now.block_size; t < (e + 1) * now.block_size; ++t)
                tokens.push_back(request.tokens[t]);
            HashesFacts::Block block{ask.words(tokens), *hash};
            if (!facts.rows.empty() && e < facts.rows.back().blocks.size()) {
                const HashesFacts::Block& above = facts.rows.back().blocks[e];
                block.has_same_words = above.words == block.words;
                block.is_alike = above.hash == block.hash;
            }
            row.blocks.push_back(std::move(block));
        }
        if (row.blocks.empty()) ask.given.refuse("wants requests with a full block");
        facts.rows.push_back(std::move(row));
    }
    if (facts.rows.empty() || facts.rows.size() > kMostRows)
        ask.given.refuse("wants 1 to " + std::to_string(kMostRows) + " requests");
    const u64 open = ask.given.whole_or("open", facts.rows.size());
    if (open > facts.rows.size()) ask.given.refuse("opens with more requests than there are");
    facts.open = static_cast<std::uint32_t>(open);
    return facts;
}

}  // namespace kv
