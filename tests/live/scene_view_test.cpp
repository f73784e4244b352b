#include <catch2/catch_test_macros.hpp>

#include "app/live/scene/view.hpp"
#include "app/live/scene/view_fields.hpp"
#include "core/base/error.hpp"

using namespace kv;

TEST_CASE("a view's fields are known by name and kind, their values may be of another run",
          "[live][view]") {
    const auto refusal = [](const char* view) -> std::string {
        try {
            require_view(view, "a.kvscene");
        } catch (const Error& error) {
            CHECK(error.exit_code() == 1);
            return error.what();
        }
        return {};
    };
    CHECK(refusal(R"({"focus": "Z", "layer": 99, "token": 5000, "step": "layer"})").empty());
    CHECK(refusal(R"({"banana": 1})") ==
          "a.kvscene: view.banana is no field that a view has here; leave it out or correct its "
          "name.");
    CHECK(refusal(R"({"stage": {"zom": 2}})").starts_with("a.kvscene: view.stage.zom is no"));
    CHECK(refusal(R"({"layer": "two"})") ==
          "a.kvscene: view.layer is \"two\"; write a whole number.");
    CHECK(refusal(R"({"layer": -1})") == "a.kvscene: view.layer is -1; write a whole number.");
    CHECK(refusal(R"({"step": "century"})") ==
          "a.kvscene: view.step is \"century\"; choose from operation layer token iteration.");
    CHECK(refusal(R"({"hidden_events": ["free", "dance"]})").find("choose from admit") !=
          std::string::npos);
    CHECK(refusal(R"({"marked": 7})") ==
          "a.kvscene: view.marked is 7; write an object with its parts.");
    CHECK(refusal(R"({"marked": {"request": "A", "first": 9, "last": 2}})") ==
          "a.kvscene: view.marked ends before it begins; write first and last in order.");
    AppState state;
    state.run.focus.block = BlockId(3), state.run.roofline = RooflineOf::Bill;
    state.run.events.hidden[2] = true, state.run.stage.pool.zoom = 2;
    CHECK(refusal(view_text(state, Snapshot{}, SceneChange{"set share off", 3}, 7, true).c_str())
              .empty());  // what the window writes it reads
}

TEST_CASE("every mark that the event log hides and every codec of a preview is written and read",
          "[live][view]") {
    const auto opened_again = [](const AppState& state) {
        const std::string written = view_text(state, Snapshot{}, {});
        INFO(written);
        CHECK_NOTHROW(require_view(written, "a.kvscene"));
        AppState again;
        apply_view(again, Snapshot{}, written);
        return again;
    };
    for (std::size_t mark = 0; mark < kEventMarks; ++mark) {
        AppState state;
        state.run.events.hidden[mark] = true;
        CHECK(opened_again(state).run.events.hidden == state.run.events.hidden);
    }
    for (const auto codec : {PreviewCodec::Fp8, PreviewCodec::Int8, PreviewCodec::Int4}) {
        AppState state;
        state.run.bytes.preview = codec;
        CHECK(opened_again(state).run.bytes.preview == codec);
    }
}

TEST_CASE("a pool that is panned without being zoomed is panned again", "[live][view]") {
    AppState state, again;
    state.run.stage.pool.pan = {0, 120};
    apply_view(again, Snapshot{}, view_text(state, Snapshot{}, {}));
    CHECK(again.run.stage.pool.pan.y == 120);
    CHECK(again.run.stage.pool.zoom == 1);
}

TEST_CASE("a view says what the Calculator prices, and undo has what a person had set",
          "[live][view]") {
    AppState state;
    set_tokens(state.bill, 77);
    apply_view(state, Snapshot{},
               R"({"bill": {"model": "llama-2-70b", "tokens": 4096, "batch": 3, "window": 512,
                            "device": "40GB", "cards": 2, "v_codec": "int8"}})");
    CHECK(state.bill.left.shape.name == "llama-2-70b");
    CHECK(state.bill.tokens == 4096);
    CHECK(state.bill.batch == 3);
    CHECK(state.bill.window == 512);
    CHECK(state.bill.device.bytes == 40'000'000'000);
    CHECK(state.bill.cards == 2);
    CHECK(state.bill.left.codecs.v.code == ElementCode::Int8);
    CHECK(state.bill.left.codecs.k.code == ElementCode::Bf16);
    REQUIRE(state.bill_undo.steps_back() == 1);
    CHECK(state.bill_undo.before()->tokens == 77);
    for (std::uint32_t i = 0; i < 300; ++i)
        apply_view(state, Snapshot{}, R"({"bill": {"tokens": 4096}})");
    CHECK(state.bill_undo.steps_back() == 200);
}

TEST_CASE("what the Calculator prices is written into the view as it is read", "[live][view]") {
    AppState state, again;
    CHECK(view_text(state, Snapshot{}, {}).find("bill") == std::string::npos);
    apply_view(state, Snapshot{},
               R"({"bill": {"model": "llama-2-70b", "tokens": 4096, "batch": 3, "window": 512,
                            "device": "1.5TiB", "cards": 8, "ranks": 2, "chart": "fit",
                            "bandwidth": "2.039TB/s", "flops": "312TFLOP/s",
                            "k_codec": "fp8_e4m3", "v_codec": "int8"}})");
    const std::string written = view_text(state, Snapshot{}, {});
    INFO(written);
    CHECK_NOTHROW(require_view(written, "a.kvscene"));
    apply_view(again, Snapshot{}, written);
    CHECK(again.bill.left.shape.name == "llama-2-70b");
    CHECK(again.bill.tokens == 4096);
    CHECK(again.bill.batch == 3);
    CHECK(again.bill.window == 512);
    CHECK(again.bill.device.bytes == state.bill.device.bytes);
    CHECK(again.bill.cards == 8);
    CHECK(again.bill.ranks == 2);
    CHECK(again.bill.chart == BillChart::Fit);
    CHECK(again.bill.bandwidth == 2.039e12);
    CHECK(again.bill.flops == 312e12);
    CHECK(again.bill.left.codecs.k == state.bill.left.codecs.k);
    CHECK(again.bill.left.codecs.v == state.bill.left.codecs.v);
    CHECK(view_text(again, Snapshot{}, {}) == written);
}

TEST_CASE("a view sets the rates of the card, and what Roofline and Prefix show", "[live][view]") {
    AppState state;
    const std::string asked =
        R"({"bill": {"bandwidth": "2TB/s", "flops": "312TFLOP/s"}, "roofline": "bill",
            "prefix": "tree", "step": "layer"})";
    apply_view(state, Snapshot{}, asked);
    CHECK(state.bill.bandwidth == 2e12);
    CHECK(state.bill.flops == 312e12);
    CHECK(state.run.roofline == RooflineOf::Bill);
    CHECK(state.run.prefix.mode == PrefixMode::Tree);
    const std::string written = view_text(state, Snapshot{}, {}, {}, false);
    CHECK(written.find(R"("roofline":"bill")") != std::string::npos);
    CHECK(written.find(R"("prefix":"tree")") != std::string::npos);

    apply_view(state, Snapshot{}, R"({"step": "layer"})");
    CHECK(state.run.roofline == RooflineOf::Run);
    CHECK(state.run.prefix.mode == PrefixMode::Chain);
    CHECK_THROWS_AS(apply_view(state, Snapshot{}, R"({"bill": {"bandwidth": "fast"}})"), Error);
    CHECK(state.bill.bandwidth == 2e12);
}

TEST_CASE("a view without a bill leaves it, and one that cannot be priced is refused",
          "[live][view]") {
    AppState state;
    set_tokens(state.bill, 77);
    apply_view(state, Snapshot{}, R"({"step": "layer"})");
    CHECK(state.bill.tokens == 77);
    CHECK_THROWS_AS(apply_view(state, Snapshot{}, R"({"bill": {"tokens": 5, "model": "gpt-9"}})"),
                    Error);
    CHECK(state.bill.tokens == 77);
    CHECK_FALSE(state.bill_undo.can_undo());
}
