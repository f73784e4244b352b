#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/frame/state/app_state.hpp"
#include "core/base/error.hpp"
#include "tests/app/panels/attach/made_view.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;

namespace {
Command command(std::string_view text) {
    std::string why;
    auto parsed = parse_command(text, why);
    INFO(text << ": " << why);
    REQUIRE(parsed);
    return *parsed;
}
Texts stretched_texts() {
    Texts texts;
    texts.pseudo();
    return texts;
}
void refused(AppState& state, std::string_view text, const char* rule) {
    const u64 tokens = state.bill.tokens;
    const std::string model = state.bill.left.shape.name;
    const std::size_t undo = state.bill_undo.steps_back();
    state.notice.reset();
    CHECK_FALSE(apply_or_explain(state, command(text)));
    REQUIRE(state.notice);
    CHECK(state.notice->refused);
    CHECK_THAT(state.notice->said.english(), ContainsSubstring(rule));
    CHECK(state.notice->said.english().find('{') == std::string::npos);  // every place is filled
    CHECK(state.notice->said.in(stretched_texts()).starts_with("["));
    CHECK(state.bill.tokens == tokens);
    CHECK(state.bill.left.shape.name == model);
    CHECK(state.bill_undo.steps_back() == undo);
}
}  // namespace

TEST_CASE("every command of the table does something or asks for its value", "[apply]") {
    const auto view = test::made_view();
    for (const CommandRow& info : command_table()) {
        AppState state;
        INFO(info.name);
        state.run.exists = true;
        state.question = DropQuestion{{"theme.next", {}}};
        state.attach.ask.address = "tcp://localhost:5557";
        state.attach.view = state.attach.other = view;
        CHECK_NOTHROW(apply(state, {info.id, {}}));
        if (asks_for_value(info.kind)) {
            CHECK(state.palette.open);
            CHECK(state.palette.pending == info.name);
        }
    }
}

TEST_CASE("the bill's changes can be taken back and done again", "[apply]") {
    AppState state;
    apply(state, command("bill.model llama-2-70b"));
    apply(state, command("bill.tokens 4096"));
    apply(state, command("bill.kv_heads 64"));
    CHECK(state.bill.left.kv_heads == 64);
    apply(state, command("bill.undo"));
    CHECK_FALSE(state.bill.left.kv_heads);
    apply(state, command("bill.undo"));
    apply(state, command("bill.undo"));
    CHECK(state.bill.left.shape.name == "llama-3-8b");
    apply(state, command("bill.undo"));  // nothing left: nothing happens
    CHECK(state.bill.left.shape.name == "llama-3-8b");
    apply(state, command("bill.redo"));
    CHECK(state.bill.left.shape.name == "llama-2-70b");
    apply(state, command("bill.tokens 5"));  // a new change forgets what was undone
    CHECK_FALSE(state.bill_undo.can_redo());
}

TEST_CASE("what cannot be priced is refused and nothing changes", "[apply]") {
    AppState state;
    refused(state, "bill.model llama-9", "`llama-9` is not a known model");
    refused(state, "bill.tokens 0", "Tokens 0 is outside 1 to 16,777,216");
    refused(state, "bill.tokens 16777217", "outside");
    refused(state, "bill.block_size 1025", "Page size 1,025 is outside 1 to 1,024");
    refused(state, "bill.batch 0", "Requests 0 is outside 1 to");
    refused(state, "bill.window 16777217", "Window 16,777,217 is outside 0 to 16,777,216");
    refused(state, "bill.cards 0", "Cards 0 is outside 1 to");
    refused(state, "bill.kv_heads 3", "3");
    refused(state, "bill.k_codec int9", "`int9`");
    refused(state, "bill.k_codec int4:g48", "48");
    refused(state, "bill.device 80", "Device memory `80`");
    refused(state, "theme sepia", "not a theme");
    refused(state, "text.scale 3.5", "outside 0.8 to 3");
    refused(state, "panel.show cellar", "not a panel");
    refused(state, "file.open_config /nowhere/config.json", "/nowhere/config.json");
}

TEST_CASE("what a run does not have is not selected, and no run is played so", "[apply]") {
    AppState state;
    refused(state, "select.block 0", "There is no run to step through; open a scene first.");
    state.run.exists = true;
    state.run.bounds = {.requests = {"A"},
                        .n_layers = 4,
                        .n_kv_heads = 2,
                        .n_heads = 8,
                        .head_dim = 16,
                        .n_blocks = 1'200};
    refused(state, "select.block 1200", "Block 1,200 does not exist; choose one from 0 to 1,199.");
    refused(state, "select.layer 4", "Layer 4 does not exist; choose one from 0 to 3.");
    refused(state, "select.kv_head 2", "KV head 2 does not exist; choose one from 0 to 1.");
    refused(state, "select.query_head 8", "Query head 8 does not exist; choose one from 0 to 7.");
    refused(state, "select.dim 16", "Element 16 does not exist; choose one from 0 to 15.");
    refused(state, "focus.request Z", "`Z` is not a request of this run.");
    refused(state, "mark.tokens 9-3",
            "`9-3` are no tokens to mark; write two positions, such as 28-35.");
    refused(state, "run.step mile",
            "`mile` is not a step; use operation, layer, token or iteration.");
    refused(state, "run.speed 0.01", "Speed 0.01 is outside 0.1 to 1,000; it stays as it was.");
    refused(state, "price.text moon", "`moon` is neither fixed nor request; use one of them.");
}

TEST_CASE("what is refused leaves the page of the first start open", "[apply][start]") {
    AppState state;
    apply(state, command("window.first_start"));
    for (const char* wrong : {"select.block 0", "run.forward", "panel.show cellar"}) {
        INFO(wrong);
        CHECK_FALSE(apply_or_explain(state, command(wrong)));
        CHECK(state.start.open);
        CHECK_FALSE(state.settings.first_start_done);
    }
    apply(state, command("panel.show charts"));
    CHECK_FALSE(state.start.open);
    CHECK(state.settings.first_start_done);
}

TEST_CASE("text steps stop at both ends", "[apply]") {
    AppState state;
    for (int i = 0; i < 20; ++i) apply(state, command("text.larger"));
    CHECK(state.settings.text_scale == 3.0f);
    for (int i = 0; i < 20; ++i) apply(state, command("text.smaller"));
    CHECK(state.settings.text_scale == 0.8f);
    apply(state, command("text.reset"));
    CHECK(state.settings.text_scale == 1.0f);
}

TEST_CASE("themes go round, sides swap, units switch", "[apply]") {
    AppState state;
    const ThemeName first = state.settings.theme;
    for (int i = 0; i < 3; ++i) apply(state, command("theme.next"));
    CHECK(state.settings.theme == first);
    const std::string left = state.bill.left.shape.name, right = state.bill.right.shape.name;
    apply(state, command("compare.swap"));
    CHECK(state.bill.left.shape.name == right);
    CHECK(state.bill.right.shape.name == left);
    apply(state, command("bill.units"));
    CHECK(state.bill.units == UnitSystem::Decimal);
}

TEST_CASE("showing a panel that the layout lacks goes to another layout that has it", "[apply]") {
    AppState state;
    apply(state, command("layout.compare"));
    apply(state, command("panel.show memory"));
    CHECK(state.layout == LayoutName::Compare);
    apply(state, command("panel.show calculator"));
    CHECK(state.layout == LayoutName::Explore);
    CHECK(state.bring_to_front == std::vector{PanelId::Calculator});
    apply(state, command("layout.present"));
    apply(state, command("panel.show glossary"));
    CHECK(state.layout == LayoutName::Learn);
}
