#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>
#include <vector>

#include "app/panels/bill/glossary/entries.hpp"
#include "app/panels/bill/glossary/layout.hpp"
#include "app/panels/bill/panels.hpp"
#include "tests/app/picture.hpp"

using namespace kv;

namespace {

const GlossaryEntry* entry_named(std::string_view name) {
    for (const GlossaryGroup& group : glossary())
        for (const GlossaryEntry& entry : group.entries)
            if (entry.name == name) return &entry;
    return nullptr;
}

bool has(const GlossaryEntry& entry, std::string_view symbol) {
    return entry.name == symbol ||
           std::find(entry.others.begin(), entry.others.end(), symbol) != entry.others.end();
}

}  // namespace

TEST_CASE("the glossary knows the five notations of the size formula", "[glossary][C039]") {
    struct Row {
        std::string_view name;
        std::vector<std::string_view> symbols;
    };
    const std::vector<Row> rows{
        {"batch", {"B"}},
        {"kv_len", {"S", "T", "n", "seq_len"}},
        {"n_layers", {"L", "N_L"}},
        {"n_heads", {"H_q"}},
        {"n_kv_heads", {"H_kv", "G"}},
        {"head_dim", {"D_h", "d_head", "d_k"}},
        {"element_bytes", {"dtype_bytes", "P"}},
    };
    for (const Row& row : rows) {
        const GlossaryEntry* entry = entry_named(row.name);
        INFO(row.name);
        REQUIRE(entry != nullptr);
        for (std::string_view symbol : row.symbols) {
            INFO(symbol);
            CHECK(has(*entry, symbol));
        }
    }
}

TEST_CASE("the glossary explains the words of the pages", "[glossary][C039]") {
    for (std::string_view name : {"block", "block_size", "block_table", "slot", "pos", "ref_count"})
        CHECK(entry_named(name) != nullptr);
    REQUIRE(entry_named("block") != nullptr);
    CHECK(has(*entry_named("block"), "page"));
    REQUIRE(entry_named("group_size") != nullptr);
    CHECK(has(*entry_named("group_size"), "G"));
}

TEST_CASE("every factor of the equation has exactly one row, in its order", "[glossary]") {
    std::vector<BillFactor> factors;
    std::set<std::string_view> names;
    for (const GlossaryGroup& group : glossary())
        for (const GlossaryEntry& entry : group.entries) {
            if (entry.factor) factors.push_back(*entry.factor);
            CHECK(names.insert(entry.name).second);
            CHECK(!entry.others.empty());
        }
    CHECK(factors == std::vector{BillFactor::Sides, BillFactor::Layers, BillFactor::KvHeads,
                                 BillFactor::HeadDim, BillFactor::ValueBytes, BillFactor::Tokens,
                                 BillFactor::Requests});
}

TEST_CASE("symbols stand at the right end of the name's line when they fit", "[glossary]") {
    const std::array chips{30.0f, 40.0f};
    const GlossaryRowPlan plan = layout_glossary_row(60, chips, 36, 400, GlossaryMetrics{});
    CHECK(plan.name == Rect{8, 8, 60, 22});
    REQUIRE(plan.chips.size() == 2);
    CHECK(plan.chips[0] == Rect{318, 9, 30, 20});
    CHECK(plan.chips[1] == Rect{352, 9, 40, 20});
    CHECK(plan.meaning == Rect{8, 32, 384, 36});
    CHECK(plan.height == 76);
}

TEST_CASE("symbols get lines of their own in a narrow panel and never leave it", "[glossary]") {
    const std::array chips{60.0f, 60.0f, 500.0f};
    const GlossaryRowPlan plan = layout_glossary_row(60, chips, 20, 120, GlossaryMetrics{});
    REQUIRE(plan.chips.size() == 3);
    CHECK(plan.chips[0] == Rect{8, 31, 60, 20});
    CHECK(plan.chips[1] == Rect{8, 53, 60, 20});
    CHECK(plan.chips[2] == Rect{8, 75, 104, 20});
    CHECK(plan.meaning == Rect{8, 98, 104, 20});
}

TEST_CASE("the keyboard reaches a row and lights its factor", "[glossary]") {
    const auto surface = open_null({436, 772});
    Gui gui(*surface);
    const Texts texts;
    CommandSink sink;
    const Ui ui{palette(ThemeName::Dark), gui.fonts(), texts, sink};
    BillFocus focus;
    const auto frame = [&](bool tab) {
        ImGui::GetIO().AddKeyEvent(ImGuiKey_Tab, tab);
        gui.begin_frame();
        focus.new_frame();
        draw_full_window([&](const Ui& u) { draw_glossary(u, focus); }, ui);
        gui.end_frame(ui.colors.app);
    };
    frame(false);
    CHECK(!focus.next_factor);
    for (int i = 0; i < 2; ++i) {  // the first Tab reaches the first row, the next the one after
        frame(true);
        frame(false);
        frame(false);
        CHECK(focus.next_factor == (i == 0 ? BillFactor::Sides : BillFactor::Layers));
    }
}
