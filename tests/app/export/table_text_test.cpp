// Tables as files: RFC 4180, JSON that reads back, Markdown that stays a table.

#include "app/export/table_text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/base/files/json.hpp"

using namespace kv;

namespace {

DataTable sample() {
    DataTable table{"t", "A | table", {{"step"}, {"live", "B"}, {"share"}, {"word"}, {"on"}}, {}};
    table.add(std::uint64_t{1}, std::uint64_t{216064}, 0.1, std::string("a, \"b\"\nc"), true);
    table.add(std::uint64_t{2}, TableCell(), std::nan(""), std::string("▁Zoë | x"), false);
    return table;
}
PanelData panel() {
    return {.panel = "stage",
            .title = "Stage",
            .caption = "first, step 2",
            .about = "What it shows.",
            .leaves_out = "The rest.",
            .tables = {sample()}};
}

}  // namespace

TEST_CASE("CSV is quoted as RFC 4180 says, and what is unknown is empty", "[export]") {
    CHECK(table_csv(sample()) ==
          "step,live (B),share,word,on\r\n"
          "1,216064,0.1,\"a, \"\"b\"\"\nc\",yes\r\n"
          "2,,,▁Zoë | x,no\r\n");
}

TEST_CASE("JSON has the numbers themselves", "[export]") {
    const auto json = nlohmann::json::parse(panel_json(panel()));
    CHECK(json["kvarium_panel"] == 1);
    CHECK(json["panel"] == "stage");
    const auto& table = json["tables"][0];
    CHECK(table["columns"][1] == nlohmann::json{{"name", "live"}, {"unit", "B"}});
    CHECK(table["columns"][0]["unit"].is_null());
    CHECK(table["rows"][0][1] == 216064);
    CHECK(table["rows"][0][2].get<double>() == 0.1);
    CHECK(table["rows"][1][1].is_null());
    CHECK(table["rows"][1][2].is_null());
    CHECK(table["rows"][0][4] == true);
    const auto both = nlohmann::json::parse(panels_json({panel(), panel()}));
    CHECK(both["kvarium_panels"].size() == 2);
}

TEST_CASE("numbers of every size read back as what they were", "[export]") {
    DataTable table{"t", "t", {{"x"}}, {}};
    for (const double x : {0.1, 1e-300, 12.778761061946902, 3.0000000000000004, -0.0}) table.add(x);
    table.add(~std::uint64_t{0});
    const auto rows =
        nlohmann::json::parse(panel_json({"p", "p", "", "", "", {table}}))["tables"][0]["rows"];
    CHECK(rows[0][0].get<double>() == 0.1);
    CHECK(rows[1][0].get<double>() == 1e-300);
    CHECK(rows[2][0].get<double>() == 12.778761061946902);
    CHECK(rows[3][0].get<double>() == 3.0000000000000004);
    CHECK(rows[5][0].get<std::uint64_t>() == ~std::uint64_t{0});
}

TEST_CASE("Markdown has title, caption, table, and what is left out", "[export]") {
    CHECK(panel_markdown(panel()) ==
          "# Stage\n\n**first, step 2**\n\nWhat it shows.\n\n## A \\| table\n\n"
          "| step | live (B) | share | word | on |\n"
          "|---:|---:|---:|---|---|\n"
          "| 1 | 216,064 | 0.1 | a, \"b\" c | yes |\n"
          "| 2 |  |  | ▁Zoë \\| x | no |\n\n"
          "*Leaves out:* The rest.\n");
}

TEST_CASE("a long table is cut in Markdown, and says so", "[export]") {
    PanelData long_one = panel();
    const std::string text = panel_markdown(long_one, 1);
    CHECK(text.find("| 2 |") == std::string::npos);
    CHECK(text.find("The first 1 of 2 rows; CSV and JSON have them all.") != std::string::npos);
    long_one.tables.clear();
    CHECK(panel_markdown(long_one).find("There is nothing to list at this step.") !=
          std::string::npos);
}
