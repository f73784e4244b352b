#include "app/live/lessons/tank_setup.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace kv;

TEST_CASE("a step brings its layout and its panels behind the lesson's words", "[live][lesson]") {
    AppState state;
    TankSetup setup;
    setup.layout = "compare", setup.panels = {"events", "nonsense"};
    arrange(state, setup);
    CHECK(state.layout == LayoutName::Compare);
    CHECK(state.bring_to_front == List<PanelId>{PanelId::Lesson, PanelId::Events});
    // Code that was asked for together with the step stays in front.
    state.bring_to_front = {PanelId::Code};
    arrange(state, setup);
    CHECK(state.bring_to_front == List<PanelId>{PanelId::Code, PanelId::Events});
    state.layout = LayoutName::Present;
    arrange(state, setup);
    CHECK(state.layout == LayoutName::Present);  // whoever presents goes on
}

TEST_CASE("a task over a recording stands before the question that it asks", "[live][lesson]") {
    AppState state;
    TankSetup setup;
    setup.layout = "explore", setup.asks = RecordingAsk{};
    arrange(state, setup);
    CHECK_FALSE(state.whatif.spread);
    setup.is_task = true;
    arrange(state, setup);
    CHECK(state.whatif.spread);
    CHECK(state.bring_to_front == List<PanelId>{PanelId::WhatIf});
}

TEST_CASE("of a request that has gone somebody who lives is looked at", "[live][lesson]") {
    Snapshot now;
    for (const RequestState was : {RequestState::Finished, RequestState::Running}) {
        RequestView request;
        request.state = was;
        now.requests.push_back(request);
    }
    now.running = {SeqId(1)};
    RunFocus focus;
    focus.token = 3;
    look_at_the_living(focus, now);
    CHECK(focus.request == SeqId(1));
    CHECK_FALSE(focus.token);
    focus.token = 4;
    look_at_the_living(focus, now);  // it lives
    CHECK(focus.token == 4u);
    now.running.clear();
    focus.request = SeqId(0);
    look_at_the_living(focus, now);  // nobody else does
    CHECK(focus.request == SeqId(0));
    CHECK(focus.token == 4u);
}

TEST_CASE("what a step asks of a recording comes back from the question that it puts",
          "[live][lesson]") {
    const RecordingAsk step{.codec = Codec::Int4, .host_bytes = 123};
    WhatIfAsk ask = what_if_ask_of("run.jsonl", step);
    CHECK(ask.file == "run.jsonl");
    CHECK(recording_ask_of(ask) == step);
    ask.today = 4096;
    CHECK(recording_ask_of(ask).other_model);
}
