// What building costs, against compiling Dear ImGui and ImPlot alone on the same machine: the
// script bench/build/measure builds, this reads what it says. Minutes long, so these rows are
// measured only when they are named.

#include "bench/row.hpp"
#include "bench/script.hpp"

namespace kv::bench {
namespace {

Measured measure(const char* what) {
    return run_script("bench/build/measure", {what});
}

Figure figure(const char* name, const char* unit, double value) {
    return {name, unit, spread_of({value})};
}

// Seconds against those of Dear ImGui and ImPlot.
Result against_imgui(Result result, const char* figure_name) {
    const Measured measured = measure(figure_name);
    result.skipped = measured.skipped;
    if (result.skipped) return result;
    const double ours = measured.figures.at(figure_name).front();
    const Spread imgui = spread_of(measured.figures.at("imgui"));
    result.figures = {figure(figure_name, "s", ours), {"imgui and implot", "s", imgui}};
    result.ratio = ours / imgui.median;
    return result;
}

Result units(Result result, const char* what, double most) {
    const Measured measured = measure(what);
    result.skipped = measured.skipped;
    if (result.skipped) return result;
    const double n = measured.figures.at("units").front();
    result.figures = {figure("rebuilt", "units", n), figure("at most", "units", most)};
    result.ratio = n / most;
    result.goal = 1;
    return result;
}

}  // namespace

Result measure_build(const Programs&, std::size_t) {
    Result result;
    result.row = "build";
    result.what = "processor time of building the program, against Dear ImGui and ImPlot alone";
    return against_imgui(std::move(result), "program");
}

Result measure_build_panel(const Programs&, std::size_t) {
    Result result;
    result.row = "build_panel";
    result.what = "from a touched panel to the linked program, against the same";
    return against_imgui(std::move(result), "panel");
}

Result measure_build_word(const Programs&, std::size_t) {
    Result result;
    result.row = "build_word";
    result.what = "compiled units when one English word changes, against 20";
    return units(std::move(result), "word", 20);
}

Result measure_build_event(const Programs&, std::size_t) {
    Result result;
    result.row = "build_event";
    result.what = "compiled units when the list of events changes, against 60";
    return units(std::move(result), "event", 60);
}

}  // namespace kv::bench
