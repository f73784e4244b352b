#include "app/frame/panel_data.hpp"

#include "app/panels/tables/tables.hpp"
#include "app/panels/timeline/step_words.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

DataTables tables_of_pair(const PanelDataAsk& ask, PanelId panel) {
    RunState& own = ask.state.run;
    follow_pair(own.pair, *ask.run, *ask.other, own.focus);
    const PairView pair{*ask.run, *ask.other, own.pair};
    switch (panel) {
        case PanelId::Summary:
            return pair_summary_tables(pair);
        case PanelId::Left:
            return pair_side_tables(pair, CompareSide::Left, own.focus);
        case PanelId::Right:
            return pair_side_tables(pair, CompareSide::Right, own.focus);
        case PanelId::Quality:
            return pair_quality_tables(pair, own.focus);
        default:
            return pair_memory_tables(pair);
    }
}

bool is_of_pair(PanelId panel) {
    return panel == PanelId::Summary || panel == PanelId::Left || panel == PanelId::Right ||
           panel == PanelId::Quality || panel == PanelId::Memory;
}

// Made of bytes or of weights, which a record of a run does not have.
bool is_of_engine(PanelId panel) {
    return panel == PanelId::Bytes || panel == PanelId::Inspector || panel == PanelId::Attention ||
           panel == PanelId::Equation || panel == PanelId::Roofline;
}

DataTables tables_of_run(const PanelDataAsk& ask, PanelId panel) {
    RunState& own = ask.state.run;
    const RunView& run = *ask.run;
    if (!run.has_engine && is_of_engine(panel)) return {};
    own.history.catch_up(run);
    switch (panel) {
        case PanelId::Stage:
            return stage_tables(run, own.focus);
        case PanelId::Requests:
            return requests_tables(run, ask.text);
        case PanelId::Events:
            return events_tables(run, own.history, own.events, ask.text);
        case PanelId::Transport:
            return transport_tables(run, own.history);
        case PanelId::Prefix:
            return prefix_tables(run, own.prefix.mode);
        case PanelId::Xray:
            own.xray.follow(run, own.focus, ask.text);
            return xray_tables(run, own.focus, own.xray.xray());
        case PanelId::Settings:
            return run_settings_tables(run);
        case PanelId::Price:
            return price_tables(run, own.price.text);
        case PanelId::Charts:
        case PanelId::MiniCharts:
            return charts_tables(run, own.history);
        case PanelId::Equation:
            return run_equation_tables(run, ask.text);
        case PanelId::Roofline:
            return own.roofline == RooflineOf::Bill
                       ? bill_roofline_tables(ask.state.bill, ask.text)
                       : run_roofline_tables(run, own.history, ask.text);
        case PanelId::Inspector:
            return inspector_tables(run, own.focus, ask.text);
        case PanelId::Bytes:
            return bytes_tables(run, own.focus, own.bytes.preview, ask.text);
        case PanelId::Channels:
            return channels_tables(own.channels.follow(run, own.focus), own.channels.codec);
        case PanelId::Attention:
            return attention_tables(run, own.focus);
        default:
            return {};
    }
}

DataTables tables_of_bill(const PanelDataAsk& ask, PanelId panel) {
    const BillInputs& bill = ask.state.bill;
    switch (panel) {
        case PanelId::Calculator:
        case PanelId::Equation:
        case PanelId::Settings:
        case PanelId::Left:
            return bill_tables(bill, BillSide::Left);
        case PanelId::Right:
            return bill_tables(bill, BillSide::Right);
        case PanelId::Roofline:
            return bill_roofline_tables(bill, ask.text);
        case PanelId::Summary:
        case PanelId::Memory: {
            DataTables both = bill_tables(bill, BillSide::Left);
            for (DataTable& table : bill_tables(bill, BillSide::Right)) {
                table.name += "_right";
                both.push_back(std::move(table));
            }
            return both;
        }
        case PanelId::Glossary:
            return glossary_tables(ask.text);
        default:
            return {};
    }
}

bool is_of_bill(PanelId panel) {
    return panel == PanelId::Calculator || panel == PanelId::Glossary;
}

std::string caption_of(const PanelDataAsk& ask, PanelId panel) {
    if (ask.run == nullptr || is_of_bill(panel))
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
    const PanelInfo& info = info_of(panel);
    PanelData data{.panel = std::string(info.name),
                   .title = ask.text[info.title],
                   .caption = caption_of(ask, panel),
                   .about = ask.text[info.help],
                   .leaves_out = ask.text[info.leaves_out],
                   .tables = {}};
    const bool has_run = ask.run != nullptr && !is_of_bill(panel);
    if (has_run && !is_of_pair(panel))
        data.tables = tables_of_run(ask, panel);
    else if (has_run && ask.other != nullptr)
        data.tables = tables_of_pair(ask, panel);
    else if (!has_run || panel != PanelId::Quality)
        data.tables = tables_of_bill(ask, panel);
    return data;
}

TableName table_named(std::string_view words) {
    const std::size_t slash = std::min(words.find('/'), words.size());
    const PanelInfo* panel = find_panel(words.substr(0, slash));
    if (panel == nullptr || panel->id == PanelId::Help) {
        std::string known;
        for (const PanelInfo& other : panel_table())
            if (other.id != PanelId::Help)
                known += (known.empty() ? "" : ", ") + std::string(other.name);
        throw Error(ErrorCode::Usage, "`" + shown(words.substr(0, slash)) +
                                          "` is not a panel; use one of " + known + ".");
    }
    return {panel->id,
            std::string(slash < words.size() ? words.substr(slash + 1) : std::string_view())};
}

const DataTable& table_of_panel(const PanelData& data, const std::string& table) {
    if (data.tables.empty())
        throw Error(ErrorCode::Usage,
                    "The panel " + data.panel + " has no table at this step; nothing was written.");
    if (table.empty()) return data.tables.front();
    if (const DataTable* found = data.find(table)) return *found;
    throw Error(ErrorCode::Usage, "`" + shown(table) + "` is not a table of the panel " +
                                      data.panel + "; it has " + list_of_tables(data) + ".");
}

}  // namespace kv
