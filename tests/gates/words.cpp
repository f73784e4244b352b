#include "tests/gates/words.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>

namespace kv::gates {
namespace {

constexpr std::array<std::string_view, 5> kWindow{"app/frame/", "app/live/", "app/panels/",
                                                  "app/widgets/", "app/cli/window/"};
constexpr std::string_view kTable = "app/shell/texts/", kRefusal = "refused.";

bool is_of_window(std::string_view path) {
    return std::any_of(kWindow.begin(), kWindow.end(),
                       [&](std::string_view room) { return path.starts_with(room); });
}

using Places = std::set<std::string>;
struct Row {
    std::string where;
    Places places;
    bool is_said = false;
};
using Table = std::map<std::string, Row>;

std::string first_group(const std::smatch& match) {
    return match[1].str();
}

// What the first group of the pattern finds, over and over.
Places all_found(const std::string& text, const std::regex& pattern) {
    Places found;
    for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
        found.insert(first_group(*at));
    return found;
}

Table read_table(const Tree& tree) {
    static const std::regex kRow("^ *\\{\"([^\"]+)\", \"(.*)\"\\},"), kPlace("\\{(\\w+)\\}");
    Table table;
    for (const TextFile& file : tree) {
        if (!file.path.starts_with(kTable)) continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            std::smatch match;
            if (std::regex_search(file.lines[i], match, kRow))
                table[first_group(match)] = {place(file, i), all_found(match[2].str(), kPlace)};
        }
    }
    return table;
}

void add_words_of_its_own(const TextFile& file, std::vector<std::string>& findings) {
    static const std::regex kThrown("\\bthrow (kv::)?Error\\b|\\bError[({]ErrorCode::"),
        kAsIs("\\bas_is\\(\\s*\""), kEnglish("\\bTexts(\\(\\)|\\{\\})");
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
        const std::string line(without_comment(file.lines[i]));
        if (std::regex_search(line, kThrown) || std::regex_search(line, kAsIs))
            findings.push_back(place(file, i) +
                               "throws words of its own; throw Refused with an id of "
                               "app/shell/texts/refused.hpp");
        if (std::regex_search(line, kEnglish))
            findings.push_back(place(file, i) +
                               "builds the English table; say it with a Said, or take the "
                               "window's Texts");
    }
}

// From an opening parenthesis to the one that closes it, strings passed over.
std::string in_parentheses(const std::string& text, std::size_t open) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (in_string && text[i] == '\\')
            ++i;
        else if (text[i] == '"')
            in_string = !in_string;
        else if (!in_string && text[i] == '(')
            ++depth;
        else if (!in_string && text[i] == ')' && --depth == 0)
            return text.substr(open, i - open);
    }
    return text.substr(open);
}

// Where a sentence is said with its id beside it: Said("run.added"_t, {{"name", name}}).
void check_places(const TextFile& file, const Table& table, std::vector<std::string>& findings) {
    constexpr std::size_t kMostLines = 16;
    static const std::regex kSaid("\\b(?:Said|Refused)(\\()\\s*\"([^\"]+)\"_t"),
        kGiven("\\{\"(\\w+)\",");
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
        std::string text;
        const std::size_t end = std::min(i + kMostLines, file.lines.size());
        if (file.lines[i].find("Said(") == std::string::npos &&
            file.lines[i].find("Refused(") == std::string::npos)
            continue;
        for (std::size_t n = i; n < end; ++n) text += file.lines[n] + "\n";
        const auto first_line = static_cast<std::ptrdiff_t>(file.lines[i].size());
        for (std::sregex_iterator at(text.begin(), text.end(), kSaid), none; at != none; ++at) {
            if (at->position() > first_line) break;
            const auto row = table.find((*at)[2].str());
            if (row == table.end()) continue;  // does not compile
            const Places given =
                all_found(in_parentheses(text, static_cast<std::size_t>(at->position(1))), kGiven);
            for (const std::string& wanted : row->second.places)
                if (!given.contains(wanted))
                    findings.push_back(place(file, i) + row->first + " leaves {" + wanted +
                                       "} open");
            for (const std::string& other : given)
                if (!row->second.places.contains(other))
                    findings.push_back(place(file, i) + row->first + " has no place {" + other +
                                       "}");
        }
    }
}

void mark_said(const TextFile& file, Table& table) {
    static const std::regex kId("\"(refused\\.[^\"]+)\"_t");
    for (const std::string& line : file.lines) {
        if (line.find(kRefusal) == std::string::npos) continue;
        for (const std::string& id : all_found(line, kId))
            if (const auto row = table.find(id); row != table.end()) row->second.is_said = true;
    }
}

}  // namespace

std::vector<std::string> check_words(const Tree& tree) {
    Table table = read_table(tree);
    std::vector<std::string> findings;
    for (const TextFile& file : tree) {
        if (!is_source(file.path) || !file.path.starts_with("app/")) continue;
        if (is_of_window(file.path)) add_words_of_its_own(file, findings);
        check_places(file, table, findings);
        mark_said(file, table);
    }
    for (const auto& [id, row] : table)
        if (id.starts_with(kRefusal) && !row.is_said)
            findings.push_back(row.where + "nobody says " + id);
    return findings;
}

}  // namespace kv::gates
