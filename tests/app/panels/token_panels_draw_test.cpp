// Inspector, Bytes and Attention on the null surface: they draw at every size and moment, and the
// mouse and the keyboard ask for what they point at.
#include <imgui.h>

#include <catch2/catch_test_macros.hpp>

#include "app/panels/token/attention/attention.hpp"
#include "app/panels/token/bytes/bytes.hpp"
#include "app/panels/token/inspector/inspector.hpp"
#include "tests/app/panel_bench.hpp"
#include "tests/app/panels/token_run.hpp"

using namespace kv;
using namespace kv::test;

namespace {

struct TokenBench : PanelBench {
    explicit TokenBench(PixelSize size, ThemeName theme = ThemeName::Dark, float unit = 1)
        : PanelBench(size, theme, unit) {
        focus.token = 37, focus.layer = 2, focus.kv_head = 1, focus.query_head = 5;
    }
    BytesUi bytes;
};

void show_inspector(TokenBench& bench) {
    bench.draw = [&](const Ui& ui, const RunView& run) { draw_inspector(ui, run, bench.focus); };
}
void show_bytes(TokenBench& bench) {
    bench.draw = [&](const Ui& ui, const RunView& run) {
        draw_bytes(ui, run, bench.focus, bench.bytes);
    };
}
void show_attention(TokenBench& bench) {
    bench.draw = [&](const Ui& ui, const RunView& run) { draw_attention(ui, run, bench.focus); };
}
constexpr std::array kPanels{show_inspector, show_bytes, show_attention};

using Asked = std::vector<std::string>;

}  // namespace

TEST_CASE("the panels of a token draw at every size, theme and scale", "[bytes][draw]") {
    TokenRun run;
    run.session().to_iteration(2);
    run.look_back(SeqId(0), 40);
    const RunView view = run.view();
    for (const ThemeName theme : kThemeNames)
        for (const float unit : {0.8f, 2.0f, 3.0f})
            for (const PixelSize size :
                 {PixelSize{1, 1}, {60, 40}, {340, 300}, {468, 744}, {4000, 3000}}) {
                TokenBench bench(size, theme, unit);
                for (const auto show : kPanels) {
                    show(bench);
                    CHECK_NOTHROW(bench.frames(view, 2));
                }
                CHECK(bench.asked().empty());
            }
}

TEST_CASE("the panels of a token draw every moment of a run", "[bytes][draw]") {
    TokenRun run;
    run.session().to_end();
    run.look_back(SeqId(0), 20);
    const std::uint64_t n = run.session().moment();
    TokenBench bench({468, 744});
    bench.texts.pseudo();
    for (std::uint64_t moment = 0; moment <= n; moment += 1 + n / 60) {
        run.session().to_moment(moment);
        const RunView view = run.view();
        for (const auto show : kPanels) {
            show(bench);
            CHECK_NOTHROW(bench.frames(view, 1));
        }
    }
}

TEST_CASE("before anything is stored the panels say so", "[bytes][draw]") {
    TokenRun run;
    const RunView view = run.view();
    TokenBench bench({468, 744});
    bench.focus.token.reset();
    show_inspector(bench);
    bench.frames(view, 2);
    CHECK(bench.find("Nothing is selected") != nullptr);
    show_bytes(bench);
    bench.frames(view, 2);
    CHECK(bench.find("No bytes yet") != nullptr);
    show_attention(bench);
    bench.frames(view, 2);
    CHECK(bench.find("No attention yet") != nullptr);
}

TEST_CASE("the inspector writes out the address of the token", "[bytes][draw][C116]") {
    TokenRun run;
    run.session().to_iteration(1);
    const RunView view = run.view();
    TokenBench bench({468, 744});
    show_inspector(bench);
    bench.frames(view, 2);
    for (const char* text : {"37", "16", "5", "table A [2]", "44", "0x30000", "0x0B000", "0x00140",
                             "0x00020", "0x3B160"})
        CHECK(bench.find(text) != nullptr);
    CHECK(bench.find("8-bit exponent") != nullptr);
}

TEST_CASE("a term points at what it counts", "[bytes][draw]") {
    TokenRun run;
    run.session().to_iteration(1);
    const RunView view = run.view();
    TokenBench bench({468, 744});
    show_inspector(bench);
    bench.frames(view, 2);
    const auto point_at = [&](const char* text) {
        const WrittenText* at = bench.find(text);
        REQUIRE(at != nullptr);
        bench.move(view, at->rect.x + 3, at->rect.y + 5);
    };
    point_at("0x00140");
    CHECK(bench.focus.next_pointed.token == TokenAt{SeqId(0), 37});
    point_at("table A [2]");
    CHECK(bench.focus.next_pointed.block == BlockId(44));
    point_at("0x0B000");
    CHECK(bench.focus.next_pointed.block == BlockId(44));
    point_at("0x00020");
    CHECK(bench.focus.next_pointed.factor == BillFactor::KvHeads);
}

TEST_CASE("the byte map rings what the factor that is pointed at counts", "[tokens][draw]") {
    TokenRun told;
    told.session().to_iteration(1);
    TokenBench bench({468, 744});
    show_inspector(bench);
    const auto vertices = [&](std::optional<BillFactor> factor) {
        bench.focus.next_pointed.factor = factor;
        bench.frames(told.view(), 1);
        return ImGui::GetDrawData()->TotalVtxCount;
    };
    bench.frames(told.view(), 2);
    const int plain = vertices({});
    const int sides = vertices(BillFactor::Sides) - plain;  // a ring for K, one for V
    CHECK(sides > 0);
    CHECK(vertices(BillFactor::KvHeads) - plain == 2 * sides);  // two heads on both
    CHECK(vertices(BillFactor::HeadDim) - plain == sides);
    REQUIRE(bench.find("16 of 16 slots written") != nullptr);
    CHECK(vertices(BillFactor::Tokens) - plain == 16 * sides);
    CHECK(vertices(BillFactor::Requests) == plain);
}

TEST_CASE("the bytes ring what a factor counts, and light their token", "[bytes][draw]") {
    TokenRun told;
    told.session().to_iteration(1);
    TokenBench bench({384, 512});
    show_bytes(bench);
    const RunView& view = told.view();
    const auto vertices = [&](std::optional<BillFactor> factor) {
        bench.focus.next_pointed.factor = factor;
        bench.frames(view, 1);
        return ImGui::GetDrawData()->TotalVtxCount;
    };
    bench.frames(view, 2);
    const int plain = vertices({});
    for (const BillFactor factor : {BillFactor::Sides, BillFactor::KvHeads, BillFactor::HeadDim})
        CHECK(vertices(factor) > plain);
    CHECK(vertices(BillFactor::Requests) == plain);

    bench.frames(view, 2);
    const WrittenText* address = bench.find("0x3B160");
    REQUIRE(address != nullptr);
    bench.move(view, address->rect.right() + 20, address->rect.center().y);
    CHECK(bench.focus.next_pointed.token == TokenAt{SeqId(0), 37});
}

TEST_CASE("clicks in the inspector ask for what was clicked", "[bytes][draw]") {
    TokenRun run;
    run.session().to_iteration(1);
    const RunView view = run.view();
    TokenBench bench({468, 744});
    show_inspector(bench);
    bench.frames(view, 2);
    const WrittenText* values = bench.find("V");
    REQUIRE(values != nullptr);
    bench.click(view, values->rect.x + 3, values->rect.y + 5);
    CHECK(bench.asked() == Asked{"select.values"});
    const WrittenText* head = bench.find("head 0");  // the map begins below it
    REQUIRE(head != nullptr);
    bench.click(view, head->rect.x, head->rect.bottom() + 4);
    const Asked asked = bench.asked();
    REQUIRE(asked.size() >= 2);
    CHECK(asked.front() == "select.kv_head 0");
    CHECK(asked.back() == "select.token 32");  // slot 0 of the third block
}

TEST_CASE("arrows go from element to element, and nowhere else", "[bytes][draw]") {
    TokenRun run;
    run.session().to_iteration(1);
    const RunView view = run.view();
    TokenBench bench({468, 744});
    show_inspector(bench);
    bench.focus.dim = 3;
    bench.frames(view, 2);
    Asked asked;
    for (int i = 0; i < 40 && asked != Asked{"select.dim 4"}; ++i) {
        bench.press(view, ImGuiKey_Tab);
        bench.sink.take();
        bench.press(view, ImGuiKey_RightArrow);
        asked = bench.asked();
    }
    CHECK(asked == Asked{"select.dim 4"});
    bench.press(view, ImGuiKey_DownArrow);  // eight to a row
    CHECK(bench.asked() == Asked{"select.dim 11"});
    bench.press(view, ImGuiKey_LeftArrow);
    CHECK(bench.asked() == Asked{"select.dim 2"});
}

TEST_CASE("a block by itself shows who holds it", "[bytes][draw]") {
    TokenRun run;
    run.session().to_iteration(1);
    const RunView view = run.view();
    TokenBench bench({468, 744});
    show_inspector(bench);
    bench.focus.block = BlockId(22);
    bench.frames(view, 2);
    CHECK(bench.find("A [1]") != nullptr);
    CHECK(bench.find("16 of 16") != nullptr);
    bench.focus.block = BlockId(40);  // never used
    bench.frames(view, 2);
    CHECK(bench.find("nobody") != nullptr);
    CHECK(bench.find("0 of 16") != nullptr);
    CHECK(bench.find("not written yet") != nullptr);
}

TEST_CASE("a typed address asks for its owner, and a wrong one is refused", "[bytes][draw]") {
    TokenRun run;
    run.session().to_iteration(1);
    const RunView view = run.view();
    TokenBench bench({384, 484});
    show_bytes(bench);
    bench.frames(view, 2);
    const auto type = [&](const char* text) {
        const WrittenText* lie = bench.find("Preview as");  // the field stands above it
        REQUIRE(lie != nullptr);
        bench.click(view, 384 - 20 - 50, lie->rect.y - 30);
        ImGui::GetIO().AddInputCharactersUTF8(text);
        bench.frames(view, 2);
        bench.press(view, ImGuiKey_Enter);
        return bench.asked();
    };
    CHECK(type("0x35940") == Asked{"select.address 0x35940"});
    CHECK_FALSE(bench.bytes.address_refused);
    CHECK(type("0x60000").empty());  // the end of the pool
    CHECK(bench.bytes.address_refused);
}

TEST_CASE("the bytes of a vector stand as they lie", "[bytes][draw]") {
    TokenRun run;
    run.session().to_iteration(1);
    const RunView view = run.view();
    TokenBench bench({384, 484});
    show_bytes(bench);
    bench.frames(view, 2);
    CHECK(bench.find("0x3B160") != nullptr);
    const std::vector<std::byte> lie = [&] {
        std::vector<std::byte> bytes(2);
        run.session().engine().backend().read_pool(0x3B160, bytes);
        return bytes;
    }();
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string first;
    for (const std::byte byte : lie) {
        first += kDigits[std::to_integer<std::size_t>(byte) >> 4];
        first += kDigits[std::to_integer<std::size_t>(byte) & 15];
    }
    CHECK(bench.find(first) != nullptr);
}

TEST_CASE("attention tells its largest weights and points at tokens", "[bytes][draw]") {
    TokenRun run;
    run.session().to_iteration(2);
    run.look_back(SeqId(0), 40);
    const RunView view = run.view();
    TokenBench bench({384, 392});
    show_attention(bench);
    bench.frames(view, 2);
    // Half of the weight, and a fortieth of the other half.
    CHECK(bench.find("0.512") != nullptr);
    CHECK(bench.find("36 others") != nullptr);
    CHECK(bench.find("0.450") != nullptr);  // 36 / 80
    const WrittenText* q2 = bench.find("q2");
    REQUIRE(q2 != nullptr);
    bench.click(view, q2->rect.right() + 14, q2->rect.y + 6);
    CHECK(bench.focus.next_pointed.token == TokenAt{SeqId(0), 0});
    CHECK(bench.asked() == Asked{"select.query_head 2", "select.token 0"});
}
