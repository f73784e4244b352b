#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/frame/overlay/asked.hpp"
#include "app/frame/overlay/fuzzy.hpp"
#include "app/frame/overlay/overlays.hpp"
#include "app/frame/top_bar/top_bar.hpp"
#include "core/cost/model/presets.hpp"

using namespace kv;

TEST_CASE("fuzzy letters must come in order, and word starts win", "[palette]") {
    CHECK(fuzzy_score("", "anything"));
    CHECK(fuzzy_score("lex", "Explore layout") == std::nullopt);
    CHECK(fuzzy_score("exl", "Explore layout"));
    CHECK(*fuzzy_score("tl", "Text larger") > *fuzzy_score("tl", "Subtotal"));
    CHECK(*fuzzy_score("theme", "Next theme") > *fuzzy_score("theme", "The hole empire"));
    CHECK(*fuzzy_score("TOK", "tokens") == *fuzzy_score("tok", "tokens"));
}

TEST_CASE("an empty palette lists every command, a typed one the best first", "[palette]") {
    const Texts texts;
    // What may have a value stands there twice: at once, and asking for it.
    const auto twice =
        std::count_if(command_table().begin(), command_table().end(),
                      [](const CommandRow& c) { return c.kind == ArgKind::OptionalWord; });
    CHECK(twice == 6);
    CHECK(palette_rows(texts, {}).size() ==
          command_table().size() + static_cast<std::size_t>(twice));
    const auto rows = palette_rows(texts, {.query = "larger"});
    REQUIRE_FALSE(rows.empty());
    CHECK(rows.front().command == "text.larger");
    CHECK(palette_rows(texts, {.query = "qqqq"}).empty());
    CHECK(palette_rows(texts, {.query = "bill.tok"}).front().command == "bill.tokens");
    CHECK(palette_rows(texts, {.query = "bill.tok"}).front().lacks_value);
    // A whole line is taken as it is; one whose value is wrong is not.
    const auto line = palette_rows(texts, {.query = "run.set pool 8blocks"});
    REQUIRE(line.size() == 1);
    CHECK(line.front().command == "run.set pool 8blocks");
    CHECK(palette_rows(texts, {.query = "bill.tokens many"}).empty());
}

TEST_CASE("a command that needs a value offers known values and takes others", "[palette]") {
    const Texts texts;
    const auto models = palette_rows(texts, {.pending = "bill.model"});
    CHECK(models.size() == preset_names().size());
    const auto seventy = palette_rows(texts, {.query = "70b-mha", .pending = "bill.model"});
    CHECK(std::any_of(seventy.begin(), seventy.end(), [](const PaletteRow& r) {
        return r.command == "bill.model llama-2-70b-mha";
    }));
    const auto typed = palette_rows(texts, {.query = "131072", .pending = "bill.tokens"});
    REQUIRE(typed.size() == 1);
    CHECK(typed.front().command == "bill.tokens 131072");
    CHECK(palette_rows(texts, {.pending = "theme"}).size() == 3);
    const auto panels = palette_rows(texts, {.pending = "export.panel"});  // as the menu has them
    for (std::size_t i = 0; i < panels.size(); ++i) CHECK(panels[i].label == panel_table()[i].name);
}

TEST_CASE("every palette row runs as a command once its value is there", "[palette]") {
    const Texts texts;
    for (const PaletteRow& row : palette_rows(texts, {})) {
        std::string why;
        const std::string text = row.lacks_value ? row.command + " 1" : row.command;
        INFO(text);
        CHECK(parse_command(text, why));
    }
}

TEST_CASE("the top bar drops whole pieces, badge last", "[top_bar]") {
    const TopBarWidths w{
        .fixed = 500, .key_caps = 100, .readout = 300, .badge_text = 90, .badge = 110};
    const TopBarPlan all = plan_top_bar(w, 1100);
    CHECK((all.badge && all.key_caps && all.readout && all.badge_text));
    const TopBarPlan tight = plan_top_bar(w, 1099);
    CHECK((tight.badge && tight.key_caps && tight.readout));
    CHECK_FALSE(tight.badge_text);
    const TopBarPlan narrow = plan_top_bar(w, 720);
    CHECK((narrow.badge && narrow.key_caps));
    CHECK_FALSE(narrow.readout);
    const TopBarPlan none = plan_top_bar(w, 500);
    CHECK_FALSE((none.badge || none.key_caps || none.readout || none.badge_text));
}

TEST_CASE("in a very narrow window the name makes room for the menus", "[top_bar]") {
    const TopBarWidths w{.fixed = 500, .name = 80, .badge = 110};
    CHECK(plan_top_bar(w, 500).name);
    CHECK_FALSE(plan_top_bar(w, 500).badge);
    CHECK_FALSE(plan_top_bar(w, 499).name);
    CHECK_FALSE(plan_top_bar(w, 499).badge);
}

TEST_CASE("where their tabs have no room the layouts are a menu beside the badge", "[top_bar]") {
    const TopBarWidths w{
        .fixed = 500, .tabs = 200, .key_caps = 10, .readout = 300, .badge_text = 90, .badge = 110};
    const TopBarPlan all = plan_top_bar(w, 820);
    CHECK((all.badge && all.tabs && all.key_caps));
    CHECK_FALSE(all.readout);
    const TopBarPlan menu = plan_top_bar(w, 809);
    CHECK((menu.badge && !menu.tabs));
    CHECK_FALSE(menu.key_caps);  // keys stand on tabs
}

TEST_CASE("a command that needs a value says which, with an example", "[palette]") {
    const Texts texts;
    CHECK(asked_words(texts, "run.until") ==
          "Run until: an event (copy, free), a request (B) or block 7; Enter");
    CHECK(asked_words(texts, "export.film").find("20..40") != Text::npos);
    CHECK(asked_words(texts, "run.branch").find("set share off") != Text::npos);
    for (const CommandRow& row : command_table()) {
        if (!asks_for_value(row.kind)) continue;
        INFO(row.name);
        CHECK(asked_value(row.id));
    }
}

TEST_CASE("values to begin with are listed until something else is typed", "[palette]") {
    const Texts texts;
    const auto until = palette_rows(texts, {.pending = "run.until"});
    REQUIRE(until.size() > 3);
    CHECK(until.front().command == "run.until copy");
    CHECK_FALSE(palette_rows(texts, {.pending = "run.branch"}).empty());
    const auto film = palette_rows(texts, {.pending = "export.film"});
    REQUIRE_FALSE(film.empty());
    CHECK(film.front().command == "export.film 1..20");
    CHECK(palette_rows(texts, {.query = "3..9", .pending = "export.film"}).front().command ==
          "export.film 3..9");
}

TEST_CASE("a whole word is found before letters that are strewn over others", "[palette]") {
    const Texts texts;
    CHECK(palette_rows(texts, {.query = "film"}).front().command == "export.film");
    CHECK(palette_rows(texts, {.query = "undo"}).front().command.ends_with("undo_set"));
    CHECK(palette_rows(texts, {.query = "save"}).front().command == "file.save_scene");
    CHECK(palette_rows(texts, {.query = "quit"}).front().command == "app.quit");
    CHECK(palette_rows(texts, {.query = "picture"}).front().command.starts_with("export.picture"));
}
