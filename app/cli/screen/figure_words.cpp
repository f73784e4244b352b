#include "app/cli/screen/figure_words.hpp"

#include <algorithm>

#include "app/frame/panel_data.hpp"
#include "app/panels/figure/figure.hpp"
#include "app/panels/view/facts.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr std::size_t kMostSaidRequests = 4, kMostSaidBlocks = 12;

bool holds(const Dock& dock, PanelId panel) {
    return std::find(dock.tabs.begin(), dock.tabs.end(), panel) != dock.tabs.end();
}

Rect around(const Rect& a, const Rect& b) {
    if (a.w <= 0) return b;
    const float x = std::min(a.x, b.x), y = std::min(a.y, b.y);
    return {x, y, std::max(a.x + a.w, b.x + b.w) - x, std::max(a.y + a.h, b.y + b.h) - y};
}

// What the step brings to the front of a dock.
PanelId front_of(const Dock& dock, const LessonStep& step) {
    for (const std::string& name : step.panels)
        if (const PanelRow* info = find_panel(name); info != nullptr && holds(dock, info->id))
            return info->id;
    return dock.front;
}

std::string listed(const std::vector<std::string>& words) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i)
        out += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return out;
}

std::string blocks_of(const Table& table) {
    if (table.size() > kMostSaidBlocks) return std::to_string(table.size()) + " blocks";
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < table.size(); ++i)
        if (const TableEntry entry = table[i]) ids.push_back(std::to_string(entry->value));
    return ids.empty() ? "" : (ids.size() == 1 ? "block " : "blocks ") + listed(ids);
}

// "A stores 17 tokens in blocks 7, 2 and 9."
std::string requests_in_words(const LaneAt& lane) {
    const Snapshot& now = lane.now;
    std::string out;
    std::size_t said = 0, more = 0;
    for (std::size_t i = 0; i < now.requests.size(); ++i) {
        const RequestView& request = now.requests[i];
        if (request.stored == 0) continue;
        if (said == kMostSaidRequests) {
            ++more;
            continue;
        }
        const Table* table = lane.table(SeqId(static_cast<std::uint32_t>(i)));
        const std::string blocks = table == nullptr ? "" : blocks_of(*table);
        if (blocks.empty()) continue;
        out += " " + request.name + " stores " + std::to_string(request.stored) +
               (request.stored == 1 ? " token in " : " tokens in ") + blocks + ".";
        ++said;
    }
    if (more > 0) out += " " + std::to_string(more) + " more store tokens.";
    return out;
}

std::string pool_in_words(const Snapshot& now) {
    const PoolCounts counts = count_pool(now);
    return " Of " + with_commas(counts.blocks) + " blocks " + with_commas(counts.used) +
           " are used, " + with_commas(counts.cached) + " cached and " + with_commas(counts.free) +
           " free.";
}

std::string titles_of(const std::vector<PanelId>& panels) {
    const Texts english;
    std::vector<std::string> titles;
    titles.reserve(panels.size());
    for (const PanelId panel : panels) titles.emplace_back(english[row_of(panel).title]);
    return listed(titles);
}

std::string titles_and_caption(Screen& screen, const std::vector<PanelId>& panels) {
    const Texts english;
    const PanelDataAsk ask{.text = english,
                           .state = screen.frame().state(),
                           .run = screen.run().view(),
                           .other = screen.run().other_view(),
                           .lesson = &screen.run().lesson()};
    const std::string caption = panel_data(ask, panels.front()).caption;
    return titles_of(panels) + (caption.empty() ? "" : ": " + caption) + ".";
}

// Title, and how it is read: the first two pieces of any plan.
std::string words_of_lesson_figure(const LessonView& lesson) {
    const Texts english;
    const figure::Plan plan =
        figure_plan(lesson, {figure::kLeastWidth, figure::kLeastHeight}, english);
    return std::string(plan.pieces[0].words[0].text) + ". " +
           std::string(plan.pieces[1].words[0].text);
}

}  // namespace

FigurePlaces figure_places(const AppState& state, PixelSize window) {
    FigurePlaces places;
    const Vec2 size{static_cast<float>(window.w), static_cast<float>(window.h)};
    for (const DockPlace& place : planned_docks(state, size)) {
        if (place.dock.front == PanelId::MiniCharts && !place.dock.tab_bar) {
            places.charts = place.rect;
            continue;
        }
        if (holds(place.dock, PanelId::Lesson) || holds(place.dock, PanelId::Transport)) continue;
        places.panels = around(places.panels, place.rect);
        places.fronts.push_back(place.dock);
    }
    if (places.fronts.empty()) {  // Present has no docks: one picture fills the window
        places.panels = {0, 0, size.x, size.y};
        places.fronts.push_back({.tabs = {PanelId::Stage}, .front = PanelId::Stage});
    }
    return places;
}

std::string words_of_figure(Screen& screen, const LessonStep& step,
                            const std::vector<Dock>& fronts) {
    std::vector<PanelId> panels;
    panels.reserve(fronts.size());
    for (const Dock& dock : fronts) panels.push_back(front_of(dock, step));
    if (panels.front() == PanelId::Figure) return words_of_lesson_figure(screen.run().lesson());
    if (step.recording) return titles_of(panels) + " of a recorded server.";
    std::string words = titles_and_caption(screen, panels);
    const RunView* run = screen.run().view();
    const bool shows_blocks =
        std::find(panels.begin(), panels.end(), PanelId::Stage) != panels.end();
    const RunView* other = screen.run().other_view();
    if (other != nullptr) words += " The other side: " + other->scene + ".";
    if (run != nullptr && shows_blocks)
        words += requests_in_words(run->lane()) + pool_in_words(run->now);
    return words;
}

std::string words_of_charts(Screen& screen) {
    return titles_and_caption(screen, {PanelId::MiniCharts});
}

}  // namespace kv
