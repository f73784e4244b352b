// Price: its words, its frontier, where its labels stand, and the panel on the null surface.

#include "app/panels/price/price.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/frame/panel_data.hpp"
#include "app/frame/state/app_state.hpp"
#include "app/panels/tables/tables.hpp"
#include "core/base/error.hpp"
#include "tests/app/panel_bench.hpp"
#include "tests/app/panels/token_run.hpp"
#include "tests/app/seen.hpp"

using namespace kv;
using namespace kv::test;

namespace {

PriceRow measured(const std::string& codec, const std::string& policy, std::uint64_t bytes,
                  double kl, double nll = 1) {
    PriceRow row{codec, codec, policy};
    row.state = PriceRow::State::Measured;
    row.numbers.held_bytes = row.numbers.peak_bytes = bytes;
    row.numbers.kl = kl, row.numbers.nll = nll;
    row.numbers.found = 2, row.numbers.needles = 6;
    row.numbers.k_error = 0.0042, row.numbers.v_error = 0;
    return row;
}

PriceView some_view() {
    PriceView view;
    PriceSheet& sheet = view.sheets[0];
    sheet.passages = 6, sheet.prompt_tokens = 858, sheet.told_tokens = 96, sheet.needles = 6;
    sheet.rows = {measured("f32", "none", 160 << 10, 0),
                  measured("bf16", "none", 80 << 10, 0.00002),
                  measured("int8", "none", 45 << 10, 0.0003),
                  measured("int4", "none", 25 << 10, 0.05),
                  measured("int2", "none", 15 << 10, 1.5),
                  measured("bf16", "window:44", 22 << 10, 0.9),
                  measured("bf16", "snapkv:44,window=14", 30 << 10, 0.2)};
    PriceRow refused{"int4:g32", "int4:g32", "none"};
    refused.state = PriceRow::State::Refused;
    refused.why = Said::as_is(
        "This model's keys cannot be stored so: 16 is no multiple of 32; choose another.");
    sheet.rows.push_back(refused);
    sheet.rows.push_back({"int3", "int3", "none", true});
    return view;
}

class PriceBench : public PanelBench {
public:
    explicit PriceBench(PixelSize size, ThemeName theme = ThemeName::Dark, float unit = 1)
        : PanelBench(size, theme, unit) {
        run_.session().to_iteration(3);
        draw = [this](const Ui& ui, const RunView& run) { draw_price(ui, run, own); };
    }
    void frame() { frames(run(), 1); }
    void click(const WrittenText* at) {
        REQUIRE(at);
        const Vec2 middle = at->rect.center();
        PanelBench::click(run(), middle.x, middle.y);
    }

    PriceView view = some_view();
    PriceUi own;

private:
    RunView run() {
        RunView run = run_.view();
        run.price = &view;
        return run;
    }

    TokenRun run_;
};

}  // namespace

TEST_CASE("rows of Price are named by what sets them apart", "[price]") {
    CHECK(price_name({"int4", "int4", "none"}) == "int4");
    CHECK(price_name({"int8", "int4", "none"}) == "int8 + int4");
    CHECK(price_name({"bf16", "bf16", "window:48"}) == "window:48");
    CHECK(price_name({"int8", "int8", "h2o:4+4"}) == "int8, h2o:4+4");
    CHECK(price_label({"int8", "int8", "h2o:4+4,decay=0.5"}) == "int8, h2o");
}

TEST_CASE("a policy that hides inside the prompt has a mark of its own", "[price]") {
    const auto shape = [](const char* policy) { return shape_of({"bf16", "bf16", policy}); };
    CHECK(shape("none") == PriceShape::Circle);
    for (const char* policy : {"window:48", "streaming:4+44"})
        CHECK(shape(policy) == PriceShape::Diamond);
    for (const char* policy :
         {"h2o:24+24", "snapkv:48", "pyramidkv:48", "adakv:48", "tova:48", "knorm:0.5",
          "keydiff:0.5", "lagkv:0.5", "expected:0.5", "random:48", "quest:48"})
        CHECK(shape(policy) == PriceShape::Square);
    CHECK(!has_price_legend({}));
    CHECK(has_price_legend(some_view().sheets[0]));
}

TEST_CASE("the legend of Price takes two lines where one is too short", "[price]") {
    const PriceLegend wide = price_legend(500, {200, 220});
    CHECK(wide.at[1] == Vec2{224, 0});
    CHECK(wide.height == 20);
    const PriceLegend narrow = price_legend(443, {200, 220});
    CHECK(narrow.at[1] == Vec2{0, 20});
    CHECK(narrow.height == 40);
}

TEST_CASE("cells of Price say what is small and what is nothing", "[price]") {
    PriceNumbers n = measured("bf16", "none", 1536, 0.00002, 1.23456).numbers;
    CHECK(price_cell(n, PriceColumn::Held) == "1.5");
    CHECK(price_cell(n, PriceColumn::Kl) == "<0.0001");
    CHECK(price_cell(n, PriceColumn::Nll) == "1.2346");
    CHECK(price_cell(n, PriceColumn::Needles) == "2/6");
    CHECK(price_cell(n, PriceColumn::KError) == "0.42");
    CHECK(price_cell(n, PriceColumn::VError) == "0");
    n.kl = 0, n.needles = 0, n.k_error.reset();
    CHECK(price_cell(n, PriceColumn::Kl) == "0");
    CHECK(price_cell(n, PriceColumn::Needles).empty());
    CHECK(price_cell(n, PriceColumn::KError).empty());
}

// snapkv holds more than int4 and costs more; window is smaller than int4 and better than int2.
TEST_CASE("on the frontier nothing else is smaller and as good", "[price]") {
    const PriceSheet sheet = some_view().sheets[0];
    const std::vector<bool> on = price_frontier(sheet, PriceScale::Kl);
    CHECK(on == std::vector<bool>{true, true, true, true, true, true, false, false, false});
    // All NLLs are alike, so only the smallest is.
    const std::vector<bool> nll = price_frontier(sheet, PriceScale::Nll);
    CHECK(std::count(nll.begin(), nll.end(), true) == 1);
    CHECK(nll[4]);
}

TEST_CASE("the axis of KL has a line for 0 below all others", "[price]") {
    const PriceSheet sheet = some_view().sheets[0];
    const PriceAxes axes = price_axes(sheet, PriceScale::Kl, 300);
    CHECK(axes.log_y);
    CHECK(axes.min_y == 1e-6);  // the smallest is 2e-5
    CHECK(axes.y(0) == 1e-6);
    CHECK(axes.y_ticks.front().label == "0");
    CHECK(axes.y_ticks[1].label == "0.00001");
    CHECK(axes.max_y == 10);
    CHECK(axes.min_x == 8);  // 15 KiB to 160 KiB
    CHECK(axes.max_x == 256);
    const PriceAxes none = price_axes({}, PriceScale::Kl, 300);
    CHECK(!none.log_y);
    CHECK(none.max_x > none.min_x);
}

TEST_CASE("labels in the picture stand apart from each other and from the marks", "[price]") {
    std::vector<PriceMark> marks;
    for (int i = 0; i < 16; ++i) {  // a heap of them
        const Vec2 at{200 + 18 * static_cast<float>(i % 4), 150 + 14 * static_cast<float>(i / 4)};
        marks.push_back({at, 6, {70, 16}});
    }
    const Rect room{0, 0, 640, 400};
    const auto places = place_labels(marks, room, 3);
    REQUIRE(places.size() == marks.size());
    int placed = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!places[i]) continue;
        ++placed;
        const Rect& r = places[i]->rect;
        CHECK((r.x >= 0 && r.y >= 0 && r.right() <= room.right() && r.bottom() <= room.bottom()));
        for (const PriceMark& mark : marks)
            CHECK(!overlap(r, {mark.at.x - 6, mark.at.y - 6, 12, 12}));
        for (std::size_t j = i + 1; j < places.size(); ++j)
            CHECK(!(places[j] && overlap(r, places[j]->rect)));
    }
    CHECK(placed >= 10);
    // Not over a line while there is room beside it.
    const std::vector<PriceMark> lone{{{300, 200}, 6, {70, 16}}};
    const std::vector<PriceLine> right{{{300, 200}, {600, 200}}};
    CHECK(place_labels(lone, room, 3, right)[0]->rect.right() < 300);
    const std::vector<PriceMark> one{{{50, 50}, 6, {70, 16}}};
    CHECK(!place_labels(one, {0, 0, 640, 400}, 3)[0]->led);
    CHECK(!place_labels(one, {0, 0, 60, 60}, 3)[0]);  // no room at all
}

TEST_CASE("table and picture share the room, or take turns", "[price]") {
    const PriceLayout wide = price_layout({1200, 300}, false);
    CHECK((wide.table && wide.chart));
    CHECK(wide.table_room.right() < wide.chart_room.x);
    CHECK(wide.chart_room.right() == 1200);
    const PriceLayout tall = price_layout({600, 700}, false);
    CHECK((tall.table && tall.chart));
    CHECK(tall.table_room.bottom() < tall.chart_room.y);
    CHECK(tall.chart_room.bottom() == 700);
    CHECK((price_layout({600, 200}, false).table && !price_layout({600, 200}, false).chart));
    CHECK((price_layout({600, 200}, true).chart && !price_layout({600, 200}, true).table));
    CHECK(price_table_widths(800).columns == 8);
    CHECK(price_table_widths(400).columns == 4);  // (400 - 156) / 58
    CHECK(price_table_widths(10).columns == 1);
}

TEST_CASE("the switches of Price go on in another row where one is too short", "[price]") {
    const std::array<float, 3> widths{180, 150, 90};
    const auto one = price_strip(widths, 500, 12);
    CHECK(one[2].row == 0);
    CHECK(one[2].x == 354);  // 180 + 12 + 150 + 12
    const auto two = price_strip(widths, 350, 12);
    CHECK((two[1].row == 0 && two[2].row == 1 && two[2].x == 0));
    const auto three = price_strip(widths, 160, 12);
    CHECK(three[0].width == 160);  // wider than the room: all of it
    CHECK((three[1].row == 1 && three[2].row == 2));
    for (const StripPart& part : three) CHECK(part.x + part.width <= 160);
}

TEST_CASE("Price draws at every size, theme and unit", "[price][draw]") {
    for (const PixelSize size : {PixelSize{1, 1}, PixelSize{640, 200}, PixelSize{320, 240},
                                 PixelSize{1200, 500}, PixelSize{4000, 3000}})
        for (const ThemeName theme : {ThemeName::Dark, ThemeName::Light, ThemeName::Contrast})
            for (const float unit : {0.8f, 1.0f, 3.0f}) {
                PriceBench bench(size, theme, unit);
                for (const PriceScale scale : {PriceScale::Kl, PriceScale::Nll}) {
                    bench.own.scale = scale;
                    bench.own.chart = !bench.own.chart;
                    bench.frame(), bench.frame();
                }
                bench.view.measuring = PriceText::Fixed;
                bench.view.progress = 0.4;
                bench.frame();
                bench.view = {};
                bench.frame();
            }
}

TEST_CASE("Price says why a row is refused and which is the run's", "[price][draw]") {
    PriceBench bench({1500, 500});
    bench.frame(), bench.frame();
    CHECK(bench.find("int4:g32"));
    CHECK(std::any_of(bench.written.begin(), bench.written.end(), [](const WrittenText& t) {
        return t.text.find("16 is no multiple of 32") != std::string::npos;
    }));
    CHECK(bench.find("this run"));
    CHECK(bench.find("not measured"));
    CHECK(bench.find("<0.0001"));
    CHECK(bench.find("snapkv"));  // in the picture
    for (const char* words : {"hides far tokens inside the prompt as well",
                              "reads the prompt or a chunk whole, then drops"}) {
        const WrittenText* legend = bench.find(words);
        REQUIRE(legend);
        CHECK(legend->rect.bottom() <= 500);
    }
}

TEST_CASE("the buttons of Price ask to measure and to stop", "[price][draw]") {
    PriceBench bench({900, 400});
    bench.frame(), bench.frame();
    bench.click(bench.find("Measure"));
    CHECK(bench.asked() == std::vector<std::string>{"price.measure"});
    bench.view.measuring = PriceText::Fixed;
    bench.view.progress = 0.37;
    bench.frame(), bench.frame();
    CHECK(bench.find("37 %"));
    bench.click(bench.find("Cancel"));
    CHECK(bench.asked() == std::vector<std::string>{"price.cancel"});
    bench.click(bench.find("Chart"));
    CHECK(bench.own.chart);
    bench.click(bench.find("NLL"));
    CHECK(bench.own.scale == PriceScale::Nll);
    bench.view = {};
    bench.frame(), bench.frame();
    bench.click(bench.find("Measure"));  // of the empty state
    CHECK(bench.asked() == std::vector<std::string>{"price.measure"});
}

TEST_CASE("Price as tables has a row for each combination", "[price][export]") {
    TokenRun run;
    run.session().to_iteration(3);
    RunView view = run.view();
    CHECK(price_tables(view, PriceText::Fixed).empty());
    PriceView price = some_view();
    view.price = &price;
    const DataTables tables = price_tables(view, PriceText::Request);
    REQUIRE(tables.size() == 1);
    CHECK(tables[0].name == "fixed");
    REQUIRE(tables[0].rows.size() == 9);
    for (const auto& row : tables[0].rows) CHECK(row.size() == tables[0].columns.size());
    CHECK(std::get<std::uint64_t>(tables[0].rows[1][6]) == 80 << 10);
    CHECK(std::get<double>(tables[0].rows[3][10]) == 0.05);
    CHECK(std::get<bool>(tables[0].rows[5].back()));  // window:44 hides inside the prompt
    CHECK(!std::get<bool>(tables[0].rows[6].back()));
    CHECK(std::get<std::string>(tables[0].rows[7][4]) == "refused");
    CHECK(std::holds_alternative<std::monostate>(tables[0].rows[7][6]));
}

TEST_CASE("words that are no text and no scale are refused", "[price]") {
    AppState state;
    state.run.exists = true;
    apply(state, {"price.text", std::string("request")});
    CHECK(state.run.price.text == PriceText::Request);
    apply(state, {"price.scale", std::string("nll")});
    CHECK(state.run.price.scale == PriceScale::Nll);
    CHECK_THROWS_AS(apply(state, {"price.text", std::string("other")}), Error);
    CHECK(state.run.price.text == PriceText::Request);
}
