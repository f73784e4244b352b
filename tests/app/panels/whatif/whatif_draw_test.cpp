// What a person reads in the panel What if, in rooms of many sizes: it asks for all that its answer
// rests on, cuts nothing of that, and writes no words of the curve over others.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>

#include "app/panels/whatif/whatif.hpp"
#include "tests/app/picture.hpp"
#include "tests/app/seen.hpp"

using namespace kv;
using namespace kv::test;

namespace {

WhatIfPoint replayed_point(double gib, double rate) {
    WhatIfPoint point;
    point.pool = point.blocks = static_cast<u64>(gib * 512);
    point.bytes = static_cast<u64>(gib * (u64{1} << 30));
    point.outcome.asked_tokens = 781'296;
    point.outcome.hit_tokens = static_cast<u64>(rate * 781'296);
    point.first_token = FirstTokenSeconds{0.0159, 0.03, 0.164};
    return point;
}

// Four lines, one of them bent as a curve of hits is, and rows of three pools.
WhatIfUi weighed_hour() {
    const auto line = [](WhatIfLine which, double more) {
        WhatIfCurve curve{which, {}, replayed_point(5, 0.50 + more)};
        for (const auto& [gib, rate] :
             {std::pair{2.5, 0.42}, {5.0, 0.50}, {10.0, 0.63}, {20.0, 0.77}, {40.0, 0.83}})
            curve.points.push_back(replayed_point(gib, std::min(0.83, rate + more)));
        return curve;
    };
    WeighedRecording weighed;
    weighed.ask.file = "hour.jsonl";
    WhatIfSummary& summary = weighed.summary;
    summary.today = {2500, TodayFrom::ServerMetrics};
    summary.at_today = replayed_point(5, 0.50);
    summary.twice = replayed_point(10, 0.63);
    summary.knee = replayed_point(22, 0.79);
    summary.without_end = replayed_point(40, 0.83);
    summary.distinct = 20'480, summary.requests = 1'030, summary.seconds = 3'600;
    summary.by_server = {789'164, 393'344};
    weighed.curves = {line(WhatIfLine::Recorded, 0), line(WhatIfLine::Codec, 0.12),
                      line(WhatIfLine::Host, 0.33), line(WhatIfLine::BlockSize, -0.01)};
    for (const double factor : {1.0, 1.5, 2.0})
        weighed.rows.push_back(
            {WhatIfLine::Recorded, factor, false, replayed_point(5 * factor, 0.4 + factor / 10)});
    WhatIfUi own;
    own.ask = weighed.ask;
    own.weighed = std::make_shared<const WeighedRecording>(weighed);
    return own;
}

std::vector<WrittenText> written_in(PixelSize size) {
    const std::unique_ptr<Surface> surface = open_null(size);
    Gui gui(*surface);
    const Texts texts;
    CommandSink sink;
    WhatIfUi own = weighed_hour();
    std::vector<WrittenText> written;
    const Ui ui{palette(ThemeName::Dark), gui.fonts(), texts, sink, 1, true, &written};
    gui.set_style(ui.colors, 1);
    for (int frame = 0; frame < 3; ++frame) {
        surface->wait_events(0.0);
        gui.begin_frame();
        written.clear();
        draw_full_window([&own](const Ui& on) { draw_whatif(on, own); }, ui);
        gui.end_frame(ui.colors.app);
    }
    return written;
}

// Words of one sentence share the blank between them, and lines their leading.
Rect inside(const Rect& r) {
    return {r.x + 2, r.y + 3, r.w - 4, r.h - 6};
}

}  // namespace

TEST_CASE("What if shows all that its answer rests on, whole, in any room", "[whatif]") {
    for (const PixelSize size : {PixelSize{1000, 760}, PixelSize{1120, 900}, PixelSize{1280, 720},
                                 PixelSize{1600, 1000}, PixelSize{1920, 1080}}) {
        CAPTURE(size.w, size.h);
        const std::vector<WrittenText> written = written_in(size);
        for (const char* label :
             {"model", "card", "share of", "host link", "host tier", "keys, values"}) {
            CAPTURE(label);
            const auto at =
                std::find_if(written.begin(), written.end(),
                             [&](const WrittenText& one) { return one.text.starts_with(label); });
            CHECK(at != written.end());
            if (at == written.end()) continue;
            CHECK(at->rect.bottom() + 26 <=
                  static_cast<float>(size.h));  // its field stands below it
        }
        CHECK(says_in_lines(written, "bandwidth) + host bytes ÷ link"));
        for (const char* value : {"llama-3-8b", "h100", "50 %", "55 GB/s", "64 GiB", "int8"}) {
            CAPTURE(value);
            CHECK(std::any_of(written.begin(), written.end(),
                              [&](const WrittenText& one) { return one.text == value; }));
        }
        for (std::size_t i = 0; i < written.size(); ++i)
            for (std::size_t k = 0; k < i; ++k) {
                CAPTURE(written[i].text, written[k].text);
                CHECK_FALSE(overlap(inside(written[i].rect), written[k].rect));
            }
    }
}
