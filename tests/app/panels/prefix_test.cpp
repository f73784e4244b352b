// The Prefix panel: what can be found, against a lookup in the cache itself; the tree of a known
// case; and how it draws.
#include "app/panels/prefix/prefix.hpp"

#include <imgui.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "app/shell/surface/gui.hpp"
#include "core/trace/event/event.hpp"
#include "tests/app/run_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

constexpr std::uint64_t kAll = UINT64_MAX;

// Built at once rather than followed from moment to moment.
std::vector<PrefixRow> all_rows(const Trace& trace, const Snapshot& now, std::uint64_t moment,
                                PrefixMode mode) {
    PrefixForest forest;
    forest.follow(1, trace, {now}, moment);
    const auto rows = forest.rows(mode, trace, 0, kAll);
    REQUIRE(rows.size() == forest.size(mode));
    return rows;
}

std::vector<std::uint64_t> signature(const PrefixRow& row) {
    std::vector<std::uint64_t> all{row.column, row.branches, row.goes_on,
                                   row.first,  row.n_tokens, static_cast<std::uint64_t>(row.place),
                                   row.copies, row.hash};
    for (const std::uint32_t column : row.passes) all.push_back(column);
    for (const std::uint32_t token : row.tokens) all.push_back(1000 + token);
    for (const std::uint32_t id : row.ids) all.push_back(2000 + id);
    for (const SeqId holder : row.holders) all.push_back(3000 + holder.value);
    return all;
}
std::vector<std::vector<std::uint64_t>> signatures(const std::vector<PrefixRow>& rows) {
    std::vector<std::vector<std::uint64_t>> all;
    for (const PrefixRow& row : rows) all.push_back(signature(row));
    return all;
}

struct Told : ToldRun {
    Told() : ToldRun(16, 4, 4) {}
    // A run of full blocks that `request` published; tokens count up from `first`.
    void publish(SeqId request, std::vector<std::uint64_t> hashes,
                 std::optional<std::uint64_t> parent, std::uint32_t first,
                 std::vector<std::uint32_t> blocks) {
        TokenIds tokens;
        for (std::uint32_t i = 0; i < 4 * hashes.size(); ++i) tokens.push_back(first + i);
        tell(BlockStored{std::move(hashes), parent, tokens, 4, Medium::Device, std::move(blocks)},
             request);
    }
    std::vector<PrefixRow> rows(PrefixMode mode) const {
        return all_rows(trace, trace.end(), trace.size(), mode);
    }
};

// A and B begin with the same two blocks; A has one more, B two others.
Told two_that_share() {
    Told told;
    const SeqId a = told.add(12, 12, {0, 1, 2});
    told.publish(a, {10, 11, 12}, std::nullopt, 100, {0, 1, 2});
    const SeqId b = told.add(16, 16, {0, 1, 5, 6});
    told.publish(b, {21, 22}, 11, 200, {5, 6});
    return told;
}

std::vector<std::vector<std::uint32_t>> ids_of(const std::vector<PrefixRow>& rows) {
    std::vector<std::vector<std::uint32_t>> ids;
    for (const PrefixRow& row : rows) ids.push_back(row.ids);
    return ids;
}

using Ids = std::vector<std::vector<std::uint32_t>>;

}  // namespace

TEST_CASE("the chain has a line per block, and parts where the texts do", "[prefix]") {
    const auto rows = two_that_share().rows(PrefixMode::Chain);
    REQUIRE(ids_of(rows) == Ids{{0}, {1}, {2}, {5}, {6}});
    CHECK(rows[0].column == 0);
    CHECK(rows[1].goes_on);
    CHECK(rows[1].holders.size() == 2);
    // A's third block and B's both go on from the second one.
    CHECK((rows[2].branches && rows[2].column == 1));
    CHECK(rows[2].passes == std::vector<std::uint32_t>{0});
    CHECK((rows[3].branches && rows[3].passes.empty()));
    CHECK((rows[4].goes_on && rows[4].column == 1));
    CHECK(rows[4].first == 12);
    CHECK(rows[4].tokens == TokenIds{204, 205, 206, 207});
    CHECK(rows[2].holders == std::vector{SeqId(0)});
}

TEST_CASE("the tree has a node per run that the same requests hold", "[prefix]") {
    const auto rows = two_that_share().rows(PrefixMode::Tree);
    REQUIRE(ids_of(rows) == Ids{{0, 1}, {2}, {5, 6}});
    CHECK(rows[0].tokens.size() == 8);
    CHECK(rows[0].n_tokens == 8);
    CHECK(rows[0].hash == 11);
    CHECK(rows[2].first == 8);
}

TEST_CASE("what nobody holds is there until it is reclaimed, then only what goes on shows it",
          "[prefix]") {
    Told told = two_that_share();
    for (std::uint32_t entry = 3; entry-- > 0;)
        told.tell(BlockFreed{LaneId(0), BlockId(entry), entry, false}, SeqId(0));
    auto rows = told.rows(PrefixMode::Chain);
    REQUIRE(ids_of(rows) == Ids{{0}, {1}, {2}, {5}, {6}});
    CHECK(rows[2].holders.empty());
    told.tell(BlockRemoved{{12}, Medium::Device, {2}, false});
    CHECK(ids_of(told.rows(PrefixMode::Chain)) == Ids{{0}, {1}, {5}, {6}});
    // The beginning is given up while something goes on from it.
    for (std::uint32_t entry = 2; entry-- > 0;)
        told.tell(BlockFreed{LaneId(0), BlockId(entry), entry, false}, SeqId(1));
    told.tell(BlockRemoved{{10}, Medium::Device, {0}, false});
    rows = told.rows(PrefixMode::Chain);
    REQUIRE(rows.size() == 4);
    CHECK(rows[0].place == PrefixPlace::GivenUp);
    CHECK(rows[0].ids.empty());
    CHECK(rows[0].tokens == TokenIds{100, 101, 102, 103});
    CHECK(rows[1].goes_on);
}

TEST_CASE("the panel shows what the cache would find, at every step of a run", "[prefix]") {
    for (const char* name : {"explore", "learn"}) {
        PlayedRun run(scene_named(name));
        while (run.session.forward(Granularity::Iteration)) {
            const Snapshot& now = run.session.now();
            const auto all = [&](PrefixMode mode) {
                return all_rows(run.session.trace(), now, run.session.moment(), mode);
            };
            const auto rows = all(PrefixMode::Chain);
            // Every block with a hash is on one line, once, with the tokens of whoever holds it.
            std::set<std::uint64_t> hashes, said;
            for (std::uint32_t i = 0; i < now.lanes[0].blocks.size(); ++i)
                if (const auto hash = now.lanes[0].blocks[i].hash) hashes.insert(*hash);
            for (const PrefixRow& row : rows)
                if (row.place == PrefixPlace::Device) CHECK(said.insert(row.hash).second);
            REQUIRE(said == hashes);
            for (const PrefixRow& row : rows)
                for (const SeqId id : row.holders) {
                    const auto& tokens = now.requests[id.index()].tokens;
                    for (std::uint32_t t = 0; t < row.tokens.size(); ++t)
                        REQUIRE(tokens[row.first + t] == row.tokens[t]);
                }
            // A tree holds the same tokens.
            std::size_t chain = 0, tree = 0;
            for (const PrefixRow& row : rows) chain += row.n_tokens;
            for (const PrefixRow& row : all(PrefixMode::Tree)) tree += row.n_tokens;
            REQUIRE(chain == tree);
        }
    }
}

TEST_CASE("following a run forwards and backwards gives what building it at once gives",
          "[prefix]") {
    PlayedRun run(scene_named("explore"));
    run.session.to_end();
    const Trace& trace = run.session.trace();
    PrefixForest forest;
    std::uint64_t moment = 0, seed = 7;
    for (int i = 0; i < 150; ++i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        // Small steps on, and now and then a leap to anywhere.
        moment = i % 10 == 9 ? (seed >> 33) % trace.size()
                             : std::min(trace.size(), moment + (seed >> 33) % 60);
        const Snapshot now = trace.at(moment);
        forest.follow(1, trace, {now}, moment);
        for (const PrefixMode mode : {PrefixMode::Chain, PrefixMode::Tree}) {
            const auto rows = all_rows(trace, now, moment, mode);
            REQUIRE(forest.size(mode) == rows.size());
            REQUIRE(signatures(forest.rows(mode, trace, 0, kAll)) == signatures(rows));
            // A window on it is a part of it.
            const std::uint64_t from = rows.empty() ? 0 : (seed >> 40) % rows.size();
            const auto some = signatures(forest.rows(mode, trace, from, 3));
            const std::uint64_t n = std::min<std::uint64_t>(3, rows.size() - from);
            REQUIRE(some.size() == n);
            for (std::uint64_t k = 0; k < n; ++k) REQUIRE(some[k] == signature(rows[from + k]));
        }
    }
}

TEST_CASE("following in small goes ends where following at once does", "[prefix]") {
    PlayedRun run(scene_named("explore"));
    run.session.to_end();
    const Trace& trace = run.session.trace();
    PrefixForest forest;
    std::uint64_t seed = 11;
    int n_behind = 0;
    const auto draw = [&](std::uint64_t below) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        return (seed >> 33) % below;
    };
    for (int i = 0; i < 60; ++i) {
        // While it is behind, the cursor may move on to somewhere else.
        std::uint64_t moment = draw(trace.size() + 1);
        for (int go = 0;; ++go) {
            if (draw(3) == 0 && go < 4) moment = draw(trace.size() + 1);
            int left = static_cast<int>(draw(3));
            const Snapshot now = trace.at(moment);
            forest.follow(1, trace, {now}, moment, [&] { return left-- > 0; });
            if (!forest.behind()) break;
            ++n_behind;
        }
        const Snapshot now = trace.at(moment);
        for (const PrefixMode mode : {PrefixMode::Chain, PrefixMode::Tree})
            REQUIRE(signatures(forest.rows(mode, trace, 0, kAll)) ==
                    signatures(all_rows(trace, now, moment, mode)));
    }
    CHECK(n_behind > 60);
}

TEST_CASE("a parent that is published after what goes on from it gets its child", "[prefix]") {
    Told told;
    const SeqId a = told.add(8, 8, {0, 1});
    told.publish(a, {11}, 10, 104, {1});
    PrefixForest forest;
    forest.follow(1, told.trace, {told.trace.end()}, told.trace.size());
    CHECK(ids_of(forest.rows(PrefixMode::Chain, told.trace, 0, kAll)) == Ids{{1}});
    told.publish(a, {10}, std::nullopt, 100, {0});
    CHECK(forest.follow(1, told.trace, {told.trace.end()}, told.trace.size()));
    const auto rows = forest.rows(PrefixMode::Chain, told.trace, 0, kAll);
    CHECK(ids_of(rows) == Ids{{0}, {1}});
    CHECK(rows.back().goes_on);
}

TEST_CASE("the panel draws at odd sizes, and a press selects the block", "[prefix][draw]") {
    PlayedRun run(scene_named("explore"));
    run.session.to_iteration(112);
    const Texts text;
    for (const ThemeName theme : kThemeNames)
        for (const PixelSize size : {PixelSize{1, 1}, {120, 300}, {388, 420}, {2000, 1500}}) {
            const auto surface = open_null(size);
            Gui gui(*surface);
            gui.set_style(palette(theme), 1);
            PrefixUi own;
            CommandSink sink;
            RunFocus focus;
            const auto frame = [&] {
                gui.begin_frame();
                focus.new_frame();
                const Ui ui{palette(theme), gui.fonts(), text, sink, 1, true};
                ImGui::SetNextWindowPos({0, 0});
                ImGui::SetNextWindowSize(ImGui::GetMainViewport()->Size);
                ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
                draw_prefix(ui, run.view(), focus, own);
                ImGui::End();
                gui.end_frame(palette(theme).app);
            };
            for (int i = 0; i < 3; ++i) frame();
            own.mode = PrefixMode::Tree;
            for (int i = 0; i < 2; ++i) frame();
            CHECK(sink.empty());
            if (size.w != 388) continue;
            // Press every row that is seen.
            own.mode = PrefixMode::Chain;
            for (float y = 150; y < 400; y += 10) {
                ImGui::GetIO().AddMousePosEvent(200, y);
                frame();
                ImGui::GetIO().AddMouseButtonEvent(0, true);
                frame();
                ImGui::GetIO().AddMouseButtonEvent(0, false);
                frame();
            }
            std::set<std::string> asked;
            for (const Command& command : sink.take()) asked.insert(print(command));
            for (const std::string& command : asked) CHECK(command.rfind("select.block ", 0) == 0);
            // The first eight rows lie in the host tier; the others can be selected.
            ImGui::GetIO().AddMousePosEvent(200, 300);
            ImGui::GetIO().AddMouseWheelEvent(0, -10);
            for (int i = 0; i < 4; ++i) frame();
            ImGui::GetIO().AddMouseButtonEvent(0, true);
            frame();
            ImGui::GetIO().AddMouseButtonEvent(0, false);
            frame();
            const auto after = sink.take();
            REQUIRE_FALSE(after.empty());
            CHECK(print(after[0]).rfind("select.block ", 0) == 0);
        }
}
