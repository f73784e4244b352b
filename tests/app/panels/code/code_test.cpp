// Code beside a lesson: what a key and an event light, where lines stand, and that nothing is cut.
#include <imgui.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/frame/panel_data.hpp"
#include "app/panels/code/plan.hpp"
#include "app/panels/figure/figure.hpp"
#include "tests/app/panels/figure/facts.hpp"
#include "tests/app/seen.hpp"
#include "tests/app/window_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

std::vector<CodeBeat> beats_at(std::string_view sample, const FigureFacts& facts,
                               std::uint32_t key) {
    ShownStep step;
    step.figure = facts;
    const auto beats = figure_beats(*find_code(sample), step, key);
    REQUIRE(beats);
    for (const CodeBeat& beat : *beats)
        CHECK(shown_code(*find_code(sample)).mark(beat.mark) != nullptr);
    return *beats;
}

std::string value_of(const std::vector<CodeBeat>& beats, std::string_view mark) {
    const auto found = std::find_if(beats.begin(), beats.end(),
                                    [mark](const CodeBeat& b) { return b.mark == mark; });
    return found == beats.end() ? "not there" : found->value;
}

struct CodeWindow : WindowBench {
    CodeWindow() : WindowBench({1920, 1080}) {}
    CodeUi& code() { return state().run.code; }
    std::string mark() {
        return code().at ? std::string(code().beats.all[*code().at].mark) : std::string();
    }
};

const char* const kCodeRoomId = "/code";

}  // namespace

TEST_CASE("a key of a figure lights the lines that it stands for, with their values", "[code]") {
    WithoutCacheFacts steps;
    steps.words = {"a", "b", "c", "d", "e", "f"};
    steps.prompt = 3, steps.steps = 2, steps.asked = 2;
    steps.without = {3, 4}, steps.with = {3, 1};
    CHECK(beats_at("decode_loop", steps, 2) == std::vector<CodeBeat>{{"whole", "len(text) = 4"},
                                                                     {"append", "text += \"e\""},
                                                                     {"forget"}});
    // Behind the steps without a cache come those with one.
    CHECK(beats_at("decode_loop", steps, 3)[0] == CodeBeat{"fresh", "len(fresh) = 3"});
    CHECK(beats_at("decode_loop", steps, 4) == std::vector<CodeBeat>{{"fresh", "len(fresh) = 1"},
                                                                     {"keep", "len(cache) = 4"},
                                                                     {"draw", "fresh = [\"e\"]"}});

    // Three tokens, two KV heads of four numbers in sixteen bits, as in lesson 3: 2 * 16 + 0 + 2.
    ByteMapFacts bytes;
    bytes.token_major.n_layers = bytes.token_major.n_blocks = 1;
    bytes.token_major.n_kv_heads = 2, bytes.token_major.block_size = 3;
    bytes.token_major.k.dim = 4, bytes.token_major.k.element_bits = 16;
    bytes.token_major.k.bytes = 8;
    bytes.token_major.v = bytes.token_major.k;
    bytes.head_major = bytes.token_major;
    bytes.head_major.order = KvOrder::HeadMajor;
    bytes.token = 2, bytes.dim = 1;
    CHECK(beats_at("offset", bytes, 0).empty());
    CHECK(value_of(beats_at("offset", bytes, 2), "outer") == "0 + 2 * 16 = 32");
    CHECK(value_of(beats_at("offset", bytes, 4), "sum") == "0 + 32 + 0 + 2");
    // By head the same number lies at byte 2 * 8 + 2 = 18, in vector 2: head 0, slot 2.
    CHECK(value_of(beats_at("place_of", bytes, 3), "vector") == "divmod(18, 8) = 2, 2");
    CHECK(value_of(beats_at("place_of", bytes, 4), "by_head") == "divmod(2, 3) = 0, 2");

    WiringFacts heads;
    heads.models = {{.title = "GQA", .n_heads = 8, .n_kv_heads = 2}};
    heads.real = WiringModel{.title = "70B", .n_heads = 64, .n_kv_heads = 8};
    heads.head = 37;
    CHECK(value_of(beats_at("kv_head_of", heads, 1), "group") == "group = 8 // 2 = 4");
    CHECK(value_of(beats_at("kv_head_of", heads, 1), "head") == "7 // 4 = 1");
    CHECK(value_of(beats_at("kv_head_of", heads, 2), "head") == "37 // 8 = 4");

    // 37 = 2 * 16 + 5, and row 2 of the table holds 44.
    const WalkFacts walk{.position = 37, .block_size = 16, .table = {91, 17, 44, 203}};
    CHECK(beats_at("translate", walk, 1).empty());
    CHECK(value_of(beats_at("translate", walk, 2), "entry") == "entry = 37 // 16 = 2");
    CHECK(value_of(beats_at("translate", walk, 3), "block") == "block = table[2] = 44");

    CHECK(value_of(beats_at("append_attend", stages_facts(), 4), "append") == "len(cache) = 16");
    CHECK(value_of(beats_at("append_attend", stages_facts(), 5), "attend") == "keys = 16");

    // The rule that is wrong attends before it appends.
    ChangedFacts late;
    late.is_late = true, late.change = {{0, 0}, {0, 1}};
    const auto wrong = beats_at("append_attend", late, 1);
    CHECK(wrong[2] == CodeBeat{"attend", "layer = 0"});
    CHECK(wrong[3] == CodeBeat{"append", "layer = 0"});

    CHECK(value_of(beats_at("heavy_hitters", heavy_facts(), 3), "best") == "heavy = 3");
    CHECK(value_of(beats_at("heavy_hitters", heavy_facts(), 3), "drop") == "scores[2] = 0.500");
    CHECK(beats_at("quantize", fields_facts(), 1).empty());  // no scale
    CHECK(value_of(beats_at("quantize", fields_facts(), 2), "stored") == "130 B");

    // Three of a node's tokens are found, and no block is of one row in both texts.
    CHECK(value_of(beats_at("radix_split", radix_facts(), 1), "whole") == "same = 3");
    CHECK(value_of(beats_at("find_prefix", hashes_facts(), 2), "miss") == "len(hits) = 0");

    // A ends: its last entry goes first, and only block 5 is held by nobody else.
    const auto freed = beats_at("allocator", blocks_facts(), 2);
    CHECK(freed[0] == CodeBeat{"last_first", "entry = 2"});
    CHECK(value_of(freed, "free") == "push(5, tail)");
    CHECK(std::count_if(freed.begin(), freed.end(),
                        [](const CodeBeat& b) { return b.mark == "free"; }) == 1);
    CHECK(beats_at("allocator", blocks_facts(), 1).empty());
    CHECK(value_of(beats_at("fork", blocks_facts(), 1), "hold") == "ref_count[7] = 2");

    BarsFacts door;
    door.bars = {
        {"free", "40", 40}, {"held back", "4", 4}, {"first", "36", 36}, {"second", "37", 37}};
    CHECK(value_of(beats_at("admission", door, 3), "run").empty());
    CHECK(value_of(beats_at("admission", door, 3), "wait") == "not there");
    CHECK(value_of(beats_at("admission", door, 4), "wait").empty());
    BarsFacts chunks;
    chunks.bars = {{"first", "24", 24}, {"second", "48", 48}};
    CHECK(value_of(beats_at("chunk", chunks, 2), "schedule") == "schedule(A, 24, 24)");

    ShownStep step;
    step.figure = BitsFacts{};
    CHECK_FALSE(figure_beats(*find_code("offset"), step, 1));
}

TEST_CASE("a plan lights a statement in both listings and keeps room for values", "[code]") {
    const ShownCode& code = shown_code(*find_code("translate"));
    const std::vector<CodeBeat> beats{{"entry", "entry = 37 // 16 = 2"},
                                      {"slot", "slot = 37 % 16 = 5"},
                                      {"block", "block = table[2] = 44"}};
    const CodePlan before = plan_code(code, beats, {}, {}), second = plan_code(code, beats, 1, {});
    CHECK_FALSE(before.idea_now);
    REQUIRE(second.idea_now);
    CHECK(second.idea[*second.idea_now].text ==
          "    slot = position % block_size  # slot of its block");
    CHECK(second.idea[*second.idea_now].lit == CodeLit::Now);
    REQUIRE(second.ours_now);
    CHECK(second.ours[*second.ours_now].text.find("return {table[entry]") !=
          std::string_view::npos);
    // Lines never move as the code runs.
    CHECK(before.idea.size() == second.idea.size());
    CHECK(std::none_of(before.idea.begin(), before.idea.end(),
                       [](const CodeRow& row) { return !row.value.empty(); }));
    std::size_t values = 0;
    for (const CodeRow& row : second.idea) values += row.value.empty() ? 0 : 1;
    CHECK(values == 2);
}

TEST_CASE("no line of any sample is longer than its room", "[code]") {
    for (const CodeSample* sample : code_samples())
        for (const std::uint32_t columns : {62u, 50u, 40u, 1u}) {
            INFO(sample->name << " in " << columns << " columns");
            const ShownCode& code = shown_code(*sample);
            const CodePlan plan = plan_code(code, {}, {}, {columns, columns});
            const std::uint32_t room = std::max(columns, 16u);
            std::string all, whole;
            for (const List<CodeRow>* rows : {&plan.idea, &plan.ours})
                for (const CodeRow& row : *rows) {
                    if (row.kind == CodeRow::Kind::FileName) continue;
                    CHECK(row.column + row.text.size() <= room);
                    for (const char c : row.text)
                        if (c != ' ') all += c;
                    std::size_t written = 0;
                    for (const CodeSpan& span : code_spans(row.text, row.in_comment))
                        written += span.text.size();
                    CHECK(written == row.text.size());
                }
            for (const std::string& line : code.idea) whole += line;
            for (const ShownExcerpt& excerpt : code.ours)
                for (const SourceLine& line : excerpt.lines) whole += line.text;
            std::erase(whole, ' ');
            CHECK(all == whole);
        }
}

TEST_CASE("words and comments have a tone of their own", "[code]") {
    const auto spans = code_spans("    return n // 2  # \"half\"");
    REQUIRE(spans.size() == 4);
    CHECK(spans[0].text == "    ");
    CHECK((spans[1].text == "return" && spans[1].tone == CodeTone::Word));
    CHECK(spans[2].text == " n // 2  ");  // in Python a division
    CHECK(code_spans("x = 1  // so").back().tone == CodeTone::Comment);
    CHECK(code_spans("say(\"# no\")").size() == 1);
    CHECK(code_spans("goes on", true).front().tone == CodeTone::Comment);
}

TEST_CASE("a key shows the code of a step and its words again", "[code]") {
    CodeWindow window;
    window.ask("lesson.open 1:off");
    CHECK(says(window.written(), "Code: The loop that writes an answer"));
    CHECK_FALSE(window.code().is_drawn);
    window.press(ImGuiKey_C);
    CHECK(window.code().is_drawn);
    CHECK(says(window.written(), "logits"));
    CHECK(says(window.written(), "core/engine/run/engine.cpp:"));
    window.press(ImGuiKey_C);
    CHECK_FALSE(window.code().is_drawn);
    window.ask("lesson.open 1:formula");
    window.press(ImGuiKey_C);
    CHECK(says(window.written(), "No code"));
}

TEST_CASE("the code moves with the picture, and stepping through it moves the picture", "[code]") {
    CodeWindow window;
    window.ask("lesson.open 1:off");
    window.ask("panel.show code");
    window.written();
    REQUIRE(window.lesson().figure_key == 8);
    REQUIRE(window.code().at);
    CHECK(value_of(window.code().beats.all, "whole") == "len(text) = 19");  // 12 + 7
    window.press(ImGuiKey_LeftArrow);
    CHECK(window.lesson().figure_key == 7);
    CHECK(value_of(window.code().beats.all, "whole") == "len(text) = 18");
    CHECK(window.mark() == "forget");
    window.press(ImGuiKey_LeftArrow, ImGuiMod_Shift);
    CHECK(window.mark() == "append");
    window.press(ImGuiKey_LeftArrow, ImGuiMod_Shift);
    CHECK((window.mark() == "whole" && window.lesson().figure_key == 7));
    window.press(ImGuiKey_LeftArrow, ImGuiMod_Shift);
    CHECK((window.mark() == "forget" && window.lesson().figure_key == 6));
    window.press(ImGuiKey_RightArrow, ImGuiMod_Shift);
    CHECK((window.mark() == "whole" && window.lesson().figure_key == 7));
}

TEST_CASE("events of a run light code, and stepping through it moves the run", "[code]") {
    CodeWindow window;
    window.ask("lesson.open 9:where");
    window.ask("panel.show code");
    window.written();
    window.ask("lesson.go_on");
    window.ask("figure.last");
    for (int i = 0; i < 12; ++i) window.written();
    REQUIRE(window.code().beats.of_run);
    const std::vector<CodeBeat>& beats = window.code().beats.all;
    REQUIRE(beats.size() >= 5);
    const auto first = std::find_if(beats.begin(), beats.end(),
                                    [](const CodeBeat& b) { return b.mark == "shared"; });
    REQUIRE(first != beats.end());
    // Four answers share it; the first to write leaves three holders behind.
    CHECK(first->value.ends_with("] = 4"));
    CHECK((first + 2)->value.ends_with("] = 3"));
    CHECK((first + 4)->value.starts_with("copy("));
    window.code().since.reset();
    window.code().at = 0;
    window.press(ImGuiKey_RightArrow, ImGuiMod_Shift);
    CHECK(window.code().at == 1u);
    CHECK(window.run().moment == *beats[1].moment);
}

TEST_CASE("code stands beside the picture in front of an audience", "[code]") {
    CodeWindow window;
    window.ask("lesson.open 8:walk");
    window.ask("layout.present");
    CHECK_FALSE(says(window.written(), "place_in"));
    window.press(ImGuiKey_C);
    CHECK(says(window.written(), "place_in"));
    window.press(ImGuiKey_C);
    CHECK_FALSE(says(window.written(), "place_in"));
}

TEST_CASE("a code panel is written as tables", "[code]") {
    CodeWindow window;
    window.ask("lesson.open 7:map");
    window.written();
    const Texts english;
    const PanelData data = panel_data({.text = english,
                                       .state = window.state(),
                                       .run = window.screen.run().view(),
                                       .lesson = &window.lesson()},
                                      PanelId::Code);
    REQUIRE(data.tables.size() == 2);
    CHECK(data.tables[0].rows.size() == shown_code(*find_code("kv_head_of")).idea.size());
    CHECK(data.find("source")->rows.size() > 5);
}

TEST_CASE("code is drawn at every size without cuts", "[code][slow]") {
    CodeWindow window;
    const auto look = [&](PixelSize size) {
        window.screen.surface().resize(size);
        std::size_t lines = 0;
        for (const WrittenText& text : window.written()) {
            if (text.place.find(kCodeRoomId) == std::string::npos) continue;
            ++lines;
            INFO(text.text << " at " << size.w);
            CHECK(text.text.find("…") == std::string::npos);
            CHECK((text.rect.x >= 0 && text.rect.right() <= static_cast<float>(size.w)));
        }
        CHECK(lines > 10);
    };
    window.ask("lesson.close");
    for (const LessonHead& head : std::vector<LessonHead>(window.lesson().shelf))
        for (const std::string& id : head.ids) {
            window.ask("lesson.open " + std::to_string(head.number) + ":" + id);
            if (!has_code(window.lesson())) continue;
            INFO("lesson " << head.number << ":" << id);
            window.ask("panel.show code");
            for (const PixelSize size : {PixelSize{1920, 1080}, {1280, 720}, {900, 600}})
                look(size);
        }
}
