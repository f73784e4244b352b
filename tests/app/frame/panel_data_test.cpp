// Panels as tables: the numbers of the run, the same as in its other places, and every panel has
// something to say.

#include "app/frame/panel_data.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/export/table_text.hpp"
#include "app/panels/charts/equation_plan.hpp"
#include "app/panels/view/facts.hpp"
#include "core/base/error.hpp"
#include "core/trace/event/event.hpp"
#include "tests/app/panels/token_run.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

struct Desk {
    test::TokenRun run;
    AppState state;
    Texts texts;

    explicit Desk(std::uint32_t step = 3) {
        run.session().to_iteration(step);
        state.run.exists = true;
    }
    PanelData data(PanelId panel) {
        const RunView view = run.view();
        return panel_data({.text = texts, .state = state, .run = &view}, panel);
    }
};

std::uint64_t whole(const TableCell& cell) {
    return std::get<std::uint64_t>(cell);
}
const std::string& words(const TableCell& cell) {
    return std::get<std::string>(cell);
}
// The row whose first cell says that.
const std::vector<TableCell>& row(const DataTable& table, const std::string& name) {
    for (const auto& r : table.rows)
        if (words(r[0]) == name) return r;
    FAIL(name);
    return table.rows.front();
}

}  // namespace

TEST_CASE("every panel of a run has tables with as many cells as columns", "[export]") {
    Desk desk;
    desk.run.look_back(SeqId(0), 3);
    for (const PanelRow& info : panel_table()) {
        INFO(info.name);
        const PanelData data = desk.data(info.id);
        CHECK(data.panel == info.name);
        CHECK_FALSE(data.title.empty());
        CHECK_FALSE(data.leaves_out.empty());
        for (const DataTable& table : data.tables)
            for (const auto& cells : table.rows) CHECK(cells.size() == table.columns.size());
        const bool has_no_numbers = info.id == PanelId::Lesson || info.id == PanelId::Notes ||
                                    info.id == PanelId::Help || info.id == PanelId::Quality ||
                                    info.id == PanelId::Price || info.id == PanelId::Figure ||
                                    info.id == PanelId::Code ||         // of a lesson
                                    info.id == PanelId::Race ||         // held when it is looked at
                                    info.id == PanelId::WhatIf ||       // of a recording
                                    info.name.starts_with("attach") ||  // of a server
                                    info.name.starts_with("servers");   // of two
        CHECK(data.tables.empty() == has_no_numbers);
    }
}

TEST_CASE("without a run the panels of the bill have its results", "[export]") {
    AppState state;
    const Texts texts;
    const auto per_token = [&](PanelId panel) {
        const PanelData data = panel_data({.text = texts, .state = state}, panel);
        REQUIRE(data.find("results"));
        return whole(row(*data.find("results"), "bytes_per_token")[1]);
    };
    // Llama 3 8B: 2 x 32 layers x 8 KV heads x 128 x 2 B; Llama 2 7B beside it has 32 heads.
    for (const PanelId panel : {PanelId::Calculator, PanelId::Equation, PanelId::Left,
                                PanelId::Memory, PanelId::Settings})
        CHECK(per_token(panel) == 131'072);
    CHECK(per_token(PanelId::Right) == 524'288);
}

TEST_CASE("the table of tokens says where each one lies", "[export]") {
    Desk desk;
    const DataTable table = *desk.data(PanelId::Stage).find("tokens");
    const Snapshot& now = desk.run.view().now;
    const RequestView& a = now.requests[0];
    REQUIRE(table.rows.size() == a.tokens.size());
    const auto& last = table.rows[a.stored - 1];
    CHECK(whole(last[0]) == a.stored - 1);
    CHECK(std::get<bool>(last[3]));
    CHECK(whole(last[4]) == (a.stored - 1) / 16);
    CHECK(whole(last[6]) == (a.stored - 1) % 16);
    // Blocks 11, 22, 44 in this order; slot 0 of the second page holds token 16.
    CHECK(whole(table.rows[16][5]) == 22);
    CHECK(whole(table.rows[16][6]) == 0);
}

TEST_CASE("the pool, the charts and the equation give the same bytes", "[export]") {
    Desk desk;
    const RunView view = desk.run.view();
    const RunBytes bytes = bytes_of_run(view);
    const DataTable equation = *desk.data(PanelId::Equation).find("bytes");
    const DataTable charts = *desk.data(PanelId::Charts).find("now");
    const DataTable counts = *desk.data(PanelId::Stage).find("counts");
    CHECK(whole(row(equation, "allocated")[2]) == bytes.allocated);
    CHECK(whole(row(charts, "allocated")[1]) == bytes.allocated);
    CHECK(whole(row(counts, "used blocks")[2]) == bytes.allocated);
    CHECK(whole(row(equation, "live, measured in the pool")[2]) == whole(row(charts, "live")[1]));
    CHECK(whole(row(counts, "live slots")[2]) == whole(row(charts, "live")[1]));
}

TEST_CASE("the samples of the charts are those of the run, to its recorded end", "[export]") {
    Desk desk;
    const RunView view = desk.run.view();
    const DataTable samples = *desk.data(PanelId::Charts).find("samples");
    REQUIRE(samples.rows.size() == view.samples.size());
    for (std::size_t i = 0; i < samples.rows.size(); ++i) {
        CHECK(whole(samples.rows[i][0]) == view.samples[i].iteration);
        CHECK(whole(samples.rows[i][2]) == view.samples[i].live_tokens * 512);
        CHECK(whole(samples.rows[i][9]) == view.samples[i].kv_bytes_read);
    }
}

TEST_CASE("the bytes of a vector lie where its address says", "[export]") {
    Desk desk;
    desk.state.run.focus.token = 21;
    desk.state.run.focus.layer = 2;
    desk.state.run.focus.kv_head = 0;
    const DataTable bytes = *desk.data(PanelId::Bytes).find("bytes");
    REQUIRE(bytes.rows.size() == 32);  // 16 elements of 2 bytes
    // Layer 2: 2 x 96 KiB; block 22 x 1,024; slot 5 x 64.
    CHECK(whole(bytes.rows[0][0]) == 2 * 96 * 1024 + 22 * 1024 + 5 * 64);
    const DataTable address = *desk.data(PanelId::Inspector).find("address");
    CHECK(whole(address.rows.back()[2]) == whole(bytes.rows[0][0]));
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i + 1 < address.rows.size(); ++i) sum += whole(address.rows[i][2]);
    CHECK(sum == whole(address.rows.back()[2]));
}

TEST_CASE("the weights of a head sum to 1", "[export]") {
    Desk desk;
    desk.run.look_back(SeqId(0), 9);
    const DataTable weights = desk.data(PanelId::Attention).tables.at(0);
    REQUIRE(weights.rows.size() == 9);
    REQUIRE(weights.columns.size() == 2 + 8);
    for (std::size_t head = 0; head < 8; ++head) {
        double sum = 0;
        for (const auto& cells : weights.rows) sum += std::get<double>(cells[2 + head]);
        CHECK(std::abs(sum - 1) < 1e-5);
    }
}

TEST_CASE("the log lists what is not hidden, up to the cursor", "[export]") {
    Desk desk;
    const DataTable log = desk.data(PanelId::Events).tables.at(0);
    const std::uint64_t moment = desk.run.view().moment;
    for (const auto& cells : log.rows) CHECK(whole(cells[0]) < moment);
    desk.state.run.events.hidden[static_cast<std::size_t>(EventMark::Allocate)] = true;
    const auto allocated = std::count_if(log.rows.begin(), log.rows.end(), [](const auto& cells) {
        return words(cells[2]) == "BlockAllocated";
    });
    CHECK(allocated > 0);
    CHECK(desk.data(PanelId::Events).tables.at(0).rows.size() +
              static_cast<std::size_t>(allocated) ==
          log.rows.size());
}

TEST_CASE("a panel or table that is not there is refused by name", "[export]") {
    CHECK(table_named("stage/pool").panel == PanelId::Stage);
    CHECK(table_named("stage/pool").table == "pool");
    CHECK(table_named("charts").table.empty());
    CHECK_THROWS_MATCHES(table_named("moon"), Error,
                         MessageMatches(ContainsSubstring("`moon` is not a panel; use one of")));
    CHECK_THROWS_AS(table_named("help"), Error);
    Desk desk;
    const PanelData stage = desk.data(PanelId::Stage);
    CHECK(table_of_panel(stage, "").name == "tokens");
    CHECK(table_of_panel(stage, "pool").rows.size() == 48);
    CHECK_THROWS_MATCHES(
        table_of_panel(stage, "x"), Error,
        MessageMatches(ContainsSubstring("it has tokens, block_tables, pool, counts")));
    CHECK_THROWS_MATCHES(table_of_panel(desk.data(PanelId::Notes), ""), Error,
                         MessageMatches(ContainsSubstring("has no table at this step")));
}
