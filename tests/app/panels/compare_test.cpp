#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "app/panels/bill/panels.hpp"
#include "app/panels/compare_bills/layout.hpp"
#include "app/panels/compare_bills/view.hpp"
#include "app/panels/view/byte_axis.hpp"
#include "core/cost/model/presets.hpp"
#include "tests/app/picture.hpp"

using namespace kv;
using Catch::Approx;

namespace {

CompareView compare_view_of(const BillInputs& in) {
    std::string why;
    auto view = view_compare(in, why);
    REQUIRE(view);
    return std::move(*view);
}

std::string joined(const std::vector<SentencePiece>& pieces) {
    std::string text;
    for (const SentencePiece& piece : pieces) text += piece.text;
    return text;
}

const CostRow& row_of(const std::vector<CostRow>& rows, std::string_view result) {
    for (const CostRow& row : rows)
        if (row.row.result == result) return row;
    FAIL("no row " << result);
    return rows.front();
}

}  // namespace

TEST_CASE("a sentence falls into words and values", "[compare]") {
    const auto got = pieces("Left {a}, {unknown} {b}", {{"a", "16 GiB"}, {"b", "4"}});
    CHECK(got == std::vector<SentencePiece>{
                     {"Left ", false}, {"16 GiB", true}, {", {unknown} ", false}, {"4", true}});
    CHECK(joined(got) == fill("Left {a}, {unknown} {b}", {{"a", "16 GiB"}, {"b", "4"}}));
    CHECK(pieces("{a}", {{"a", ""}}).empty());
    CHECK(joined(pieces("an open {a", {{"a", "x"}})) == "an open {a");
}

TEST_CASE("the summary says both bills and their ratio", "[compare][C042]") {
    // Llama 3 8B: 128 KiB per token, Llama 2 7B: 512 KiB; 8,192 tokens in each of 16 requests.
    const Texts text;
    BillInputs in = default_bill();
    CHECK(joined(load_sentence(in, text)) == "8,192 tokens × 16 requests.");
    CHECK(joined(verdict_sentence(compare_view_of(in), text)) ==
          "Left 16 GiB, right 64 GiB: 4.0 times as much.");
    std::swap(in.left, in.right);
    CHECK(joined(verdict_sentence(compare_view_of(in), text)) ==
          "Right 16 GiB, left 64 GiB: 4.0 times as much.");
    in.left = in.right;
    set_batch(in, 1);
    CHECK(joined(load_sentence(in, text)) == "8,192 tokens in one request.");
    CHECK(joined(verdict_sentence(compare_view_of(in), text)) == "Both sides need 1 GiB.");
}

TEST_CASE("a ratio near one keeps the digits that tell it from one", "[compare]") {
    CHECK(ratio_text(64, 16) == "4.0");
    CHECK(ratio_text(1001, 1000) == "1.001");
    CHECK(ratio_text(123'456, 10) == "12,346");
}

TEST_CASE("costs are bars relative to the larger side", "[compare]") {
    const Texts text;
    const CompareView view = compare_view_of(default_bill());
    const auto left = cost_rows(view, BillSide::Left, text);
    const auto right = cost_rows(view, BillSide::Right, text);
    REQUIRE(left.size() == 5);
    for (std::string_view name :
         {"bytes_per_token", "request_bytes", "kv_bytes", "allocated_bytes"}) {
        CHECK(row_of(left, name).share == 0.25);
        CHECK(row_of(left, name).other_share == 1.0);
        CHECK(row_of(right, name).share == 1.0);
        CHECK(row_of(right, name).other_share == 0.25);
    }
    CHECK(row_of(left, "bytes_per_token").row.value == "128 KiB");
    CHECK(row_of(right, "request_bytes").row.value == "4 GiB");
    // 2 x 6,738,415,616 bytes against 2 x 8,030,261,248.
    CHECK(row_of(left, "weight_bytes").share == 1.0);
    CHECK(row_of(right, "weight_bytes").share == Approx(0.83913).epsilon(1e-4));
}

TEST_CASE("a side whose codec keeps tokens beside the blocks has no cost in pages", "[compare]") {
    const Texts text;
    BillInputs in = default_bill();
    set_codec(in, BillSide::Left, Side::K, "int4:kivi");
    const CompareView view = compare_view_of(in);
    CHECK(cost_rows(view, BillSide::Left, text).size() == 4);
    const auto right = cost_rows(view, BillSide::Right, text);
    CHECK(row_of(right, "allocated_bytes").share == 1.0);
    CHECK(!row_of(right, "allocated_bytes").other_share);
}

TEST_CASE("the words of a side name how its heads share the cache", "[compare][C086][C087][C088]") {
    const Texts text;
    const auto sharing = [&](const char* name) {
        BillInputs in = default_bill();
        set_model(in, BillSide::Left, name);
        const BillView view = std::move(compare_view_of(in).left);
        return sharing_text(view.own, view.current_attention(), text);
    };
    CHECK(sharing("llama-2-7b") == "each query head has its own");
    CHECK(sharing("llama-2-70b") == "8 query heads share one");
    CHECK(sharing("deepseek-v3") == "all query heads share a latent vector");
    BillInputs in = default_bill();
    set_kv_heads(in, BillSide::Left, 1);
    const CompareView view = compare_view_of(in);
    CHECK(sharing_text(view.left.own, view.left.current_attention(), text) ==
          "all query heads share one");
    CHECK(heads_text(view.left.shape, text) == "32 query heads read 1 KV head");
    CHECK(heads_text(view.right.shape, text) == "32 query heads read 32 KV heads");
}

TEST_CASE("the drawn wiring is the table of query and KV heads", "[compare][C089]") {
    const HeadsPlan plan = layout_heads(64, 8, 960, 1);
    REQUIRE(plan.query.size() == 64);
    REQUIRE(plan.kv.size() == 8);
    CHECK(plan.query[8] == Rect{120, 0, 13, 14});
    for (std::size_t kv = 0; kv < 8; ++kv) {  // heads 8 kv to 8 kv + 7, by hand
        CHECK(plan.kv[kv].first == plan.query[8 * kv].center().x);
        CHECK(plan.kv[kv].last == plan.query[8 * kv + 7].center().x);
        CHECK(plan.kv[kv].box.w == plan.query[0].w);
    }
    CHECK(plan.kv[7].last == 951.5f);
}

TEST_CASE("the row of KV heads is as wide as the cache is large", "[compare][C090]") {
    const auto ink = [](u64 n_kv) {
        float sum = 0;
        for (const HeadsPlan::KvHead& kv : layout_heads(32, n_kv, 900, 1).kv) sum += kv.box.w;
        return sum;
    };
    CHECK(ink(32) == 4 * ink(8));
    CHECK(ink(32) == 32 * ink(1));
}

TEST_CASE("heads stay apart and inside, down to a pixel each", "[compare]") {
    for (const u64 n : {1u, 8u, 14u, 96u, 128u, 300u}) {
        const HeadsPlan plan = layout_heads(n, n, 600, 1);
        for (std::size_t i = 0; i + 1 < plan.query.size(); ++i)
            CHECK(plan.query[i].right() < plan.query[i + 1].x + 1);
        CHECK(plan.query.back().right() <= 600.0f);
        CHECK(plan.query.back().w >= 1);
    }
}

TEST_CASE("a side at its design size stacks everything in its room", "[compare]") {
    const SidePlan plan = layout_side({922, 526}, 1, {490, 59, 51, 5});
    CHECK(plan.mark == Rect{0, 10, 12, 12});
    CHECK(plan.model == Rect{24, 0, 280, 32});
    CHECK(plan.codecs == Rect{432, 3, 490, 26});  // at the right end of the first row
    CHECK(!plan.form);
    REQUIRE(plan.heads);
    CHECK(*plan.heads == Rect{0, 52, 922, 76});
    CHECK(!plan.small_equation);
    CHECK(plan.equation == Rect{0, 148, 922, 87});
    CHECK(plan.costs == Rect{0, 255, 922, 248});  // 28 and five rows of 44
    CHECK(plan.height == 503);
}

TEST_CASE("a low and narrow side leaves the heads out and still fits", "[compare]") {
    const SidePlan plan = layout_side({602, 263}, 1, {490, 59, 51, 5});
    CHECK(!plan.heads);
    CHECK(plan.form == Rect{320, 0, 282, 32});
    CHECK(plan.codecs == Rect{0, 40, 490, 26});
    CHECK(plan.small_equation);
    CHECK(plan.equation == Rect{0, 74, 602, 73});
    CHECK(plan.costs == Rect{0, 155, 602, 107});
    CHECK(plan.height == 262);
    CHECK(layout_side({1204, 526}, 2, {980, 118, 102, 5}).height == 524);
}

TEST_CASE("an axis of bytes counts round numbers of one unit", "[compare]") {
    const auto labels_of = [](const ByteAxis& axis) {
        std::vector<std::string> labels;
        for (const AxisMark& mark : axis.marks) labels.push_back(mark.label);
        return labels;
    };
    const ByteAxis gib = byte_axis(64ull << 30, UnitSystem::Binary, 4);
    CHECK(gib.unit == "GiB");
    CHECK(labels_of(gib) == std::vector<std::string>{"0", "16", "32", "48", "64"});
    CHECK(gib.max() == Approx(64.0 * 1073741824.0));
    const ByteAxis gb = byte_axis(64ull << 30, UnitSystem::Decimal, 4);
    CHECK(gb.unit == "GB");
    CHECK(labels_of(gb) == std::vector<std::string>{"0", "20", "40", "60", "80"});
    CHECK(byte_axis(0, UnitSystem::Binary, 4).unit == "B");
    CHECK(byte_axis(1023, UnitSystem::Binary, 4).unit == "B");
    CHECK(byte_axis(1024, UnitSystem::Binary, 4).marks.back().label == "1");
}

TEST_CASE("Swap sides is reached by keyboard", "[compare]") {
    const auto surface = open_null({954, 60});
    Gui gui(*surface);
    const Texts texts;
    CommandSink sink;
    const Ui ui{palette(ThemeName::Light), gui.fonts(), texts, sink};
    const BillInputs in = default_bill();
    for (const auto& [key, down] : {std::pair{ImGuiKey_Tab, false},
                                    {ImGuiKey_Tab, true},
                                    {ImGuiKey_Tab, false},
                                    {ImGuiKey_Space, true},
                                    {ImGuiKey_Space, false},
                                    {ImGuiKey_Space, false}}) {
        ImGui::GetIO().AddKeyEvent(key, down);
        gui.begin_frame();
        draw_full_window([&](const Ui& u) { draw_summary(u, in); }, ui);
        gui.end_frame(ui.colors.app);
    }
    const auto commands = sink.take();
    REQUIRE(commands.size() == 1);
    CHECK(print(commands[0]) == "compare.swap");
}

TEST_CASE("Compare draws every model and theme", "[compare]") {
    BillInputs in = default_bill();
    BillFocus focus;
    const auto surface = open_null({954, 578});
    Gui gui(*surface);
    for (const std::string_view name : preset_names()) {
        set_model(in, BillSide::Right, name);
        const ThemeName theme = kThemeNames[name.size() % kThemeNames.size()];
        draw_frames(*surface, gui, theme, name.size() % 2 == 0 ? 1.0f : 2.0f, [&](const Ui& ui) {
            draw_summary(ui, in);
            draw_side(ui, in, BillSide::Right, focus);
            draw_memory(ui, in);
        });
        CHECK(ImGui::GetDrawData()->TotalVtxCount > 0);
    }
}
