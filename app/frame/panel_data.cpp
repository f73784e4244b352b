#include "app/frame/panel_data.hpp"

#include "app/panels/race/words.hpp"
#include "app/panels/timeline/step_words.hpp"
#include "app/panels/whatif/words.hpp"
#include "app/shell/texts/said.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

// Panels that price a model and show no run.
bool is_of_bill(const PanelRow& row) {
    return row.tables_without_run != nullptr && row.draw_run == nullptr && row.draw_pair == nullptr;
}

std::string caption_of(const PanelDataAsk& ask, PanelId panel) {
    if (panel == PanelId::Race)
        return ask.state.race.race ? std::string(lengths_words(ask.text, *ask.state.race.race))
                                   : std::string();
    if (panel == PanelId::WhatIf)
        return ask.state.whatif.weighed
                   ? std::string(recorded_words(ask.text, *ask.state.whatif.weighed))
                   : std::string();
    if (ask.run == nullptr || is_of_bill(row_of(panel)))
        return panel == PanelId::Glossary ? std::string() : ask.text["export.caption.bill"_t];
    RunHistory& history = ask.state.run.history;
    history.catch_up(*ask.run);
    return fill(ask.text["export.caption"_t],
                {{"scene", ask.run->scene},
                 {"n", with_commas(ask.run->now.iteration)},
                 {"what", step_sentence(ask.text, *ask.run, history)}});
}

std::string list_of_tables(const PanelData& data) {
    std::string names;
    for (const DataTable& table : data.tables) names += (names.empty() ? "" : ", ") + table.name;
    return names;
}

}  // namespace

PanelData panel_data(const PanelDataAsk& ask, PanelId panel) {
    const PanelRow& row = row_of(panel);
    return {.panel = std::string(row.name),
            .title = ask.text[row.title],
            .caption = caption_of(ask, panel),
            .about = ask.text[row.help],
            .leaves_out = ask.text[row.leaves_out],
            .tables = panel_tables(ask, panel)};
}

TableName table_named(std::string_view words) {
    const std::size_t slash = std::min(words.find('/'), words.size());
    const PanelRow* panel = find_panel(words.substr(0, slash));
    if (panel == nullptr || panel->id == PanelId::Help) {
        std::string known;
        for (const PanelRow& other : panel_table())
            if (other.id != PanelId::Help)
                known += (known.empty() ? "" : ", ") + std::string(other.name);
        throw Refused("refused.panel.known"_t,
                      {{"word", shown(words.substr(0, slash))}, {"known", known}});
    }
    return {panel->id,
            std::string(slash < words.size() ? words.substr(slash + 1) : std::string_view())};
}

const DataTable& table_of_panel(const PanelData& data, const std::string& table) {
    if (data.tables.empty()) throw Refused("refused.table.none"_t, {{"panel", data.panel}});
    if (table.empty()) return data.tables.front();
    if (const DataTable* found = data.find(table)) return *found;
    throw Refused("refused.table.unknown"_t,
                  {{"word", shown(table)}, {"panel", data.panel}, {"known", list_of_tables(data)}});
}

}  // namespace kv
