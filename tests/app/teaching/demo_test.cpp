// docs/demo.md, played: every key of the script is pressed in a window without a display, and what
// the script says is to be seen must be seen right then. What is said must fit into its time.
#include <imgui.h>

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <optional>
#include <regex>

#include "app/cli/screen/screen.hpp"
#include "app/cli/screen/start_state.hpp"
#include "app/shell/files.hpp"
#include "tests/app/seen.hpp"
#include "tests/places.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// A row of the script: "| 0:20 | `F3` | words | "what is seen" |".
struct DemoRow {
    std::size_t line = 0;
    int seconds = 0;
    std::vector<std::string> keys;
    std::string words;
    std::vector<std::string> seen;
};

// What stands between pairs of that mark.
std::vector<std::string> between_marks(const std::string& text, char mark) {
    std::vector<std::string> parts;
    for (std::size_t at = text.find(mark); at != std::string::npos;) {
        const std::size_t end = text.find(mark, at + 1);
        REQUIRE(end != std::string::npos);
        parts.push_back(text.substr(at + 1, end - at - 1));
        at = text.find(mark, end + 1);
    }
    return parts;
}

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    for (std::size_t at = 1; at < line.size();) {
        const std::size_t end = std::min(line.find('|', at), line.size());
        cells.push_back(line.substr(at, end - at));
        at = end + 1;
    }
    return cells;
}

struct DemoScript {
    std::string start;  // the command line
    int ends = 0;       // seconds
    std::vector<DemoRow> rows;
};

int demo_seconds(const std::string& time) {
    std::smatch found;
    REQUIRE(std::regex_search(time, found, std::regex("([0-9]+):([0-9]{2})")));
    return 60 * std::stoi(found[1]) + std::stoi(found[2]);
}

DemoScript read_demo() {
    const std::string text =
        read_file(kv::test::source_dir() + "/docs/demo.md", std::size_t{1} << 20);
    DemoScript script;
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        at = end + 1, ++number;
        if (line.starts_with("kvarium ")) script.start = line;
        if (!line.starts_with("| ") || line.find(':') == std::string::npos) continue;
        const std::vector<std::string> cells = cells_of(line);
        INFO("docs/demo.md:" << number);
        REQUIRE(cells.size() >= 4);
        if (cells[1].find("the end") != std::string::npos) {
            script.ends = demo_seconds(cells[0]);
            continue;
        }
        script.rows.push_back({number, demo_seconds(cells[0]), between_marks(cells[1], '`'),
                               cells[2], between_marks(cells[3], '"')});
    }
    return script;
}

const std::map<std::string, ImGuiKey>& named_keys() {
    static const std::map<std::string, ImGuiKey> keys{{"F1", ImGuiKey_F1},
                                                      {"F2", ImGuiKey_F2},
                                                      {"F3", ImGuiKey_F3},
                                                      {"F4", ImGuiKey_F4},
                                                      {"Enter", ImGuiKey_Enter},
                                                      {"Esc", ImGuiKey_Escape},
                                                      {"Right", ImGuiKey_RightArrow},
                                                      {"Left", ImGuiKey_LeftArrow},
                                                      {"Home", ImGuiKey_Home},
                                                      {"End", ImGuiKey_End},
                                                      {"Page Down", ImGuiKey_PageDown},
                                                      {"Page Up", ImGuiKey_PageUp},
                                                      {"Space", ImGuiKey_Space},
                                                      {"Tab", ImGuiKey_Tab}};
    return keys;
}

class DemoWindow {
public:
    explicit DemoWindow(const std::string& start)
        : screen_(open_null({1920, 1080}), AppState(), Texts()) {
        std::smatch found;
        REQUIRE(std::regex_match(start, found,
                                 std::regex("kvarium --lesson ([0-9]+) --step ([0-9]+)")));
        carry_out(screen_.frame().state(),
                  {"lesson.open " + found[1].str() + ":" + found[2].str()});
        settle();
    }
    // A key by its name, a letter or a digit, with Ctrl before it, or `type words`.
    void press(const std::string& what) {
        ImGuiIO& io = ImGui::GetIO();
        if (what.starts_with("type ")) {
            io.AddInputCharactersUTF8(what.substr(5).c_str());
            return settle();
        }
        const bool with_ctrl = what.starts_with("Ctrl+");
        const std::string name = with_ctrl ? what.substr(5) : what;
        const std::optional<ImGuiKey> key = key_named(name);
        INFO("key " << what);
        REQUIRE(key);
        if (with_ctrl) io.AddKeyEvent(ImGuiMod_Ctrl, true);
        io.AddKeyEvent(*key, true);
        screen_.draw(true);
        io.AddKeyEvent(*key, false);
        if (with_ctrl) io.AddKeyEvent(ImGuiMod_Ctrl, false);
        settle();
    }
    std::vector<WrittenText> seen() {
        std::vector<WrittenText> all;
        screen_.draw(true, 1, &all);
        return all;
    }
    const std::optional<Notice>& notice() const { return screen_.frame().state().notice; }

private:
    static std::optional<ImGuiKey> key_named(const std::string& name) {
        if (const auto known = named_keys().find(name); known != named_keys().end())
            return known->second;
        if (name.size() != 1) return std::nullopt;
        if (name[0] >= '0' && name[0] <= '9')
            return static_cast<ImGuiKey>(ImGuiKey_0 + (name[0] - '0'));
        if (name[0] >= 'A' && name[0] <= 'Z')
            return static_cast<ImGuiKey>(ImGuiKey_A + (name[0] - 'A'));
        return std::nullopt;
    }
    void settle() {
        for (int i = 0; i < 4; ++i) {
            screen_.draw(true);
            screen_.finish_run();
        }
        screen_.draw(true);
    }

    Screen screen_;
};

std::string all_written(const std::vector<WrittenText>& written) {
    std::string all;
    for (const WrittenText& one : written) all += "  " + one.text + "\n";
    return all;
}

std::size_t count_spoken(const std::string& text) {
    static const std::regex kWord("[A-Za-z0-9'-]+");
    return static_cast<std::size_t>(
        std::distance(std::sregex_iterator(text.begin(), text.end(), kWord), {}));
}

}  // namespace

TEST_CASE("every key of the demo does what the script says", "[demo]") {
    const DemoScript script = read_demo();
    REQUIRE(script.rows.size() >= 8);
    DemoWindow window(script.start);
    for (const DemoRow& row : script.rows) {
        INFO("docs/demo.md:" << row.line);
        for (const std::string& key : row.keys) window.press(key);
        const auto seen = window.seen();
        CHECK_FALSE((window.notice() && window.notice()->refused));
        CHECK_FALSE(row.seen.empty());
        for (const std::string& words : row.seen) {
            INFO("\"" << words << "\" is not among:\n" << all_written(seen));
            CHECK(says_in_lines(seen, words));
        }
    }
}

TEST_CASE("the demo takes five minutes, and what is said fits into them", "[demo]") {
    constexpr double kWordsEachSecond = 2.6;  // as people speak to a room
    const DemoScript script = read_demo();
    CHECK(script.ends == 300);
    std::size_t keys = 0;
    for (std::size_t i = 0; i < script.rows.size(); ++i) {
        const DemoRow& row = script.rows[i];
        const int next = i + 1 < script.rows.size() ? script.rows[i + 1].seconds : script.ends;
        INFO("docs/demo.md:" << row.line << ", " << count_spoken(row.words) << " words");
        CHECK(next > row.seconds);
        CHECK(static_cast<double>(count_spoken(row.words)) <=
              kWordsEachSecond * (next - row.seconds));
        keys += row.keys.size();
    }
    CHECK(script.rows.front().seconds == 0);
    CHECK(keys >= 10);
}
