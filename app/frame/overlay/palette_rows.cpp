// What the palette lists. Pure: no drawing, so tests type into it.

#include <algorithm>
#include <array>

#include "app/frame/overlay/asked.hpp"
#include "app/frame/overlay/fuzzy.hpp"
#include "app/frame/overlay/overlays.hpp"
#include "app/frame/overlay/path_rows.hpp"
#include "core/base/numbers/codec.hpp"
#include "core/cost/model/presets.hpp"

namespace kv {
namespace {

constexpr int kWholeLine = 1 << 20;  // above whatever letters alone can score
constexpr int kNoFit = -1000;        // for a label or a name that the letters do not fit
// Of equal fits the label comes before the name.
constexpr int kNameBelowLabel = kFuzzyPoint / 2;

struct Scored {
    int score;
    PaletteRow row;
};

// The best fit first. While nothing was typed nothing fits better, and the order stays that of the
// table of commands.
std::vector<PaletteRow> best_first(std::string_view query, std::vector<Scored> scored) {
    if (!query.empty())
        std::stable_sort(scored.begin(), scored.end(),
                         [](const Scored& a, const Scored& b) { return a.score > b.score; });
    std::vector<PaletteRow> rows;
    rows.reserve(scored.size());
    for (Scored& s : scored) rows.push_back(std::move(s.row));
    return rows;
}

// The values that a command offers by name; any other value can be typed.
std::vector<std::pair<std::string, std::string>> offered_values(const Texts& text,
                                                                std::string_view command) {
    std::vector<std::pair<std::string, std::string>> values;
    if (command == "bill.model" || command == "other.model")
        for (std::string_view name : preset_names()) values.emplace_back(name, preset_title(name));
    if (command.ends_with("_codec"))
        for (const std::string& name : codec_examples()) values.emplace_back(name, "");
    for (const std::string_view value : example_values(command))
        values.emplace_back(value, text["palette.example"_t]);
    if (command == "theme")
        for (ThemeName theme : kThemeNames) values.emplace_back(name_of(theme), "");
    if (command == "panel.show")
        for (const PanelRow& panel : panel_table())
            values.emplace_back(panel.name, text[panel.title]);
    if (command == "export.panel" || command == "export.table" || command == "export.copy")
        for (const PanelRow& panel : panel_table())
            if (panel.id != PanelId::Help) values.emplace_back(panel.name, text[panel.title]);
    return values;
}

std::vector<PaletteRow> value_rows(const Texts& text, const PaletteUi& palette) {
    std::vector<Scored> scored;
    for (const auto& [value, title] : offered_values(text, palette.pending)) {
        std::string words = value;
        words.append(" ").append(title);
        if (const auto score = fuzzy_score(palette.query, words))
            scored.push_back({*score,
                              {.label = value,
                               .detail = title,
                               .key = "",
                               .command = palette.pending + " " + value}});
    }
    std::vector<PaletteRow> rows = best_first(palette.query, std::move(scored));
    const bool listed = std::any_of(rows.begin(), rows.end(),
                                    [&](const PaletteRow& r) { return r.label == palette.query; });
    if (!palette.query.empty() && !listed)
        rows.insert(rows.begin(), {.label = palette.query,
                                   .detail = "",
                                   .key = "",
                                   .command = palette.pending + " " + palette.query});
    return rows;
}

// A whole line with its value, as scripts write it.
void add_whole_line(const Texts& text, const std::string& query, std::vector<Scored>& scored) {
    Said why;
    const auto line = parse_command(query, why);
    if (!line || std::holds_alternative<std::monostate>(line->argument)) return;
    scored.push_back(
        {kWholeLine,
         {.label = query, .detail = text[row_of(line->id).help], .key = {}, .command = query}});
}

// A command is found by its label or by its name, whichever the letters fit better.
std::optional<int> score_of(std::string_view query, const CommandRow& command,
                            std::string_view label) {
    const auto by_label = fuzzy_score(query, label);
    const auto by_name = fuzzy_score(query, command.name);
    if (!by_label && !by_name) return std::nullopt;
    return std::max(by_label.value_or(kNoFit), by_name.value_or(kNoFit) - kNameBelowLabel);
}

// A command that may have a value has two rows: "Save a picture" does it at once, and "Save a
// picture…" asks for the file's name. One that needs a value has the second only.
void add_command(const Texts& text, const CommandRow& command, const std::string& label, int score,
                 std::vector<Scored>& scored) {
    if (!asks_for_value(command.kind))
        scored.push_back({score,
                          {.label = label,
                           .detail = text[command.help],
                           .key = key_text(command.key),
                           .command = std::string(command.name)}});
    if (command.kind != ArgKind::None)
        scored.push_back(
            {score,
             {.label = label + "…",
              .detail = text[command.help],
              .key = asks_for_value(command.kind) ? key_text(command.key) : std::string(),
              .command = std::string(command.name),
              .lacks_value = true}});
}

}  // namespace

std::vector<PaletteRow> palette_rows(const Texts& text, const PaletteUi& palette,
                                     const Settings& settings) {
    if (const auto kind = path_kind(palette.pending))
        return path_rows(text, palette, *kind, settings);
    if (!palette.pending.empty()) return value_rows(text, palette);
    std::vector<Scored> scored;
    add_whole_line(text, palette.query, scored);
    for (const CommandRow& command : command_table()) {
        const std::string label = text[command.id.label()];
        if (const auto score = score_of(palette.query, command, label))
            add_command(text, command, label, *score, scored);
    }
    return best_first(palette.query, std::move(scored));
}

}  // namespace kv
