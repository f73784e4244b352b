// kvarium lessons --grade FILE... --table and --sheet: what a class hands in, and what it is
// handed.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>

#include "core/base/files/json.hpp"
#include "tests/cli/run_cli.hpp"

using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

const std::string kRight = R"({"fixed":true,"answers":{"8.1":"3; 5; 4; 69"}})";

std::vector<std::string> lines_in(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find("\r\n", at);
        REQUIRE(end != std::string::npos);  // RFC 4180
        lines.push_back(text.substr(at, end - at));
        at = end + 2;
    }
    return lines;
}

// What stands in a key behind the number of each exercise: "**8.1** 3; 5; 4; 69".
Json answers_of_key(const std::string& sheet) {
    Json answers = Json::object();
    const std::size_t key = sheet.find(": key\n");
    REQUIRE(key != std::string::npos);
    for (std::size_t at = sheet.find("\n**", key); at != std::string::npos;
         at = sheet.find("\n**", at + 1)) {
        const std::size_t id = at + 3, behind = sheet.find("** ", id),
                          end = sheet.find('\n', behind);
        std::string words;
        for (const char c : sheet.substr(behind + 3, end - behind - 3))
            if (c != '\\') words += c;
        answers[sheet.substr(id, behind - id)] = words;
    }
    return answers;
}

}  // namespace

TEST_CASE("a class is graded into one table, a row for each student and exercise",
          "[lessons][class]") {
    const ScratchFolder folder;
    const std::string ada = folder.write("ada.json", kRight);
    const std::string ben = folder.write(
        "ben.json",
        R"({"fixed":true,"answers":{"8.1":"3; 5; 4; 53","8.3":"2 MiB; 12,288; 196,608"}})");
    const Ran ran = run_cli({"lessons", "--grade", ada, ben, "--table"});
    CHECK(ran.code == 0);  // wrong answers are no fault of the files
    CHECK(ran.err.empty());
    const auto lines = lines_in(ran.out);
    REQUIRE(lines.size() == 11);
    CHECK(lines[0] == "student,seed,exercise,points,of,values right,values,slip,note");
    CHECK(lines[1] == "ada,,8.1,1,1,4,4,,");
    CHECK(lines[2] == "ada,,8.2,0,1,0,6,,no answer");
    CHECK(lines[6] == "ben,,8.1,0,1,3,4,the position for the slot: the table was not read,");
    CHECK(lines[8] == "ben,,8.3,1,1,3,3,,");

    const Json json =
        Json::parse(run_cli({"lessons", "--grade", ada, ben, "--table", "--json"}).out);
    CHECK(json["students"][1]["student"] == "ben");
    CHECK(json["students"][1]["points"] == 1);
    CHECK(json["refused"].empty());
}

TEST_CASE("a file that cannot be used is told in one sentence, and loses nobody else",
          "[lessons][class]") {
    const ScratchFolder folder;
    const std::string ada = folder.write("ada.json", kRight);
    const std::string empty = folder.write("empty.json", "\r\n"),
                      bad = folder.write("bad.json", R"({"seed":3,"answers":{"8.1":1}})"),
                      place = folder.file("a_folder");
    std::filesystem::create_directory(place);
    const Ran ran = run_cli(
        {"lessons", "--grade", empty, ada, bad, place, folder.file("none.json"), "--table"});
    CHECK(ran.code == 1);
    CHECK(lines_in(ran.out).size() == 6);
    CHECK(count_lines(ran.err) == 4);
    CHECK_THAT(ran.err, ContainsSubstring("empty.json: is empty; write {"));
    CHECK_THAT(ran.err, ContainsSubstring("bad.json: the answer to 8.1 is not a text"));
    CHECK_THAT(ran.err, ContainsSubstring("a_folder: is a folder; name the file inside it."));
    CHECK_THAT(ran.err, ContainsSubstring("none.json: cannot be opened"));

    const Ran none = run_cli({"lessons", "--grade", empty, "--table"});
    CHECK(none.code == 1);
    CHECK(none.out.empty());
}

TEST_CASE("files of Windows, namesakes and one file twice are graded", "[lessons][class]") {
    const ScratchFolder folder;
    const std::string windows = folder.write(
        "eve.json", "\xef\xbb\xbf{\"fixed\":true,\r\n\"answers\":{\"8.1\":\"3; 5; 4; 69\"}}\r\n");
    const Ran one = run_cli({"lessons", "--grade", windows, "--table"});
    CHECK(one.code == 0);
    CHECK_THAT(one.out, ContainsSubstring("eve,,8.1,1,1,4,4,,\r\n"));

    std::filesystem::create_directory(folder.file("b"));
    const std::string other = folder.write("b/eve.json", kRight);
    const Ran both = run_cli({"lessons", "--grade", windows, other, windows, "--table"});
    CHECK(both.code == 0);
    CHECK(count_lines(both.err) == 2);
    CHECK_THAT(both.err, ContainsSubstring("eve.json stands twice and is graded once."));
    CHECK_THAT(both.err, ContainsSubstring("2 files are named eve; the table names these students "
                                           "by the way to their files."));
    CHECK_THAT(both.out, ContainsSubstring("/b/eve,,8.1,1,1,4,4,,\r\n"));
    CHECK(lines_in(both.out).size() == 11);
    CHECK(run_cli({"lessons", "--grade", windows, windows, "--table", "--quiet"}).err.empty());

    // A spreadsheet would compute a name that begins so.
    const Ran formula =
        run_cli({"lessons", "--grade", folder.write("=1+1.json", kRight), "--table"});
    CHECK_THAT(formula.out, ContainsSubstring("\r\n'=1+1,,8.1,1,"));
}

TEST_CASE("the key of every sheet grades right", "[lessons][class][heavy]") {
    const ScratchFolder folder;
    for (std::size_t lesson = 1; lesson <= 14; ++lesson)
        for (const char* seed : {"1", "30"}) {
            const Ran sheet =
                run_cli({"lessons", "--sheet", std::to_string(lesson), "--seed", seed});
            REQUIRE(sheet.code == 0);
            const Json given{{"seed", std::stoi(seed)}, {"answers", answers_of_key(sheet.out)}};
            INFO("lesson " << lesson << ", seed " << seed);
            const Ran graded =
                run_cli({"lessons", "--grade", folder.write("key.json", given.dump())});
            INFO(graded.out);
            CHECK(graded.code == 0);
            CHECK(given["answers"].size() >= 3);
        }
}

TEST_CASE("a seed gives one sheet, thirty seeds thirty, and the keys come last",
          "[lessons][class]") {
    const ScratchFolder folder;
    const auto html = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words{"lessons", "--sheet", "8", "--out", folder.file("s.html")};
        words.insert(words.end(), more.begin(), more.end());
        const Ran ran = run_cli(words);
        INFO(ran.err);
        REQUIRE(ran.code == 0);
        return read_text(folder.file("s.html"));
    };
    const auto count = [](const std::string& text, const std::string& part) {
        std::size_t n = 0;
        for (std::size_t at = text.find(part); at != std::string::npos;
             at = text.find(part, at + 1))
            ++n;
        return n;
    };
    const std::string third = html({"--seed", "3"});
    CHECK(third == html({"--seed", "3"}));
    CHECK(third == html({"--seeds", "3..3"}));
    CHECK(third != html({"--seed", "4"}));
    const std::string whole_class = html({"--seeds", "1..30"});
    CHECK(count(whole_class, "<section class=\"sheet\"") == 30);
    CHECK(count(whole_class, "<section class=\"key\"") == 30);
    CHECK(whole_class.rfind("<section class=\"sheet\"") <
          whole_class.find("<section class=\"key\""));
    const std::string blank = html({"--seed", "3", "--no-key"});
    CHECK(count(blank, "<section class=\"key\"") == 0);
    CHECK(count(blank, "<input type=\"text\"") == 21);  // a name and 4 + 6 + 3 + 3 + 4 values
    CHECK(blank.find("slot = physical") == std::string::npos);
    for (const std::string& page : {third, whole_class}) {
        CHECK(page.find("http:") == std::string::npos);
        CHECK(page.find("https:") == std::string::npos);
        CHECK(page.find("src=") == std::string::npos);
    }
    CHECK_THAT(run_cli({"lessons", "--sheet", "8", "--fixed"}).out,
               ContainsSubstring("**8.1** 3; 5; 4; 69"));
}

TEST_CASE("wrong words about classes and sheets are refused", "[lessons][class]") {
    const ScratchFolder folder;
    const std::string ada = folder.write("ada.json", kRight);
    const auto refused = [](std::vector<std::string> more, const std::string& part) {
        more.insert(more.begin(), "lessons");
        check_refused(more, 2, part);
    };
    refused({"--grade", ada, ada}, "add --table");
    refused({"--table"}, "add --grade");
    refused({"--list", "8"}, "8 is one argument too many");
    refused({"--sheet", "0"}, "--sheet");
    refused({"--sheet", "15"}, "has no exercises to print");
    refused({"--sheet", "8", "--seeds", "5..1"}, "ends before it begins");
    refused({"--sheet", "8", "--seeds", "1..300"}, "more than 200 sheets");
    refused({"--sheet", "8", "--seeds", "3"}, "is not FIRST..LAST");
    refused({"--sheet", "8", "--seeds", "1..3", "--seed", "3"}, "--seed and --seeds");
    refused({"--sheet", "8", "--fixed", "--seeds", "1..3"}, "--fixed and --seeds");
    refused({"--sheet", "8", "--export", "pdf"}, "write html or md");
    refused({"--sheet", "8", "--out", folder.file("s.txt")}, "end it in .html or .md");
    refused({"--sheet", "8", "--json"}, "--ask 8 --json");
    refused({"--sheet", "8", "--ask", "8"}, "--ask and --sheet");
    refused({"--no-key"}, "add --sheet N");
    refused({"--slides", folder.file("s"), "--lesson", "99"}, "there is no such lesson");
    refused({"--lesson", "8"}, "--slides DIR");
    CHECK(folder.names() == std::vector<std::string>{"ada.json"});
}
