#include "tests/gates/arrows.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace kv::gates {

namespace {

// A folder may include itself and the folders named beside it; "core" is all of core. A folder
// without a row may include nothing but itself.
struct Arrows {
    std::string_view folder, may_include;
};
constexpr Arrows kArrows[] = {
    {"core/base", ""},
    {"core/trace", "core/base"},
    {"core/attach", "core/base core/trace"},
    {"core/cost", "core/base"},
    {"core/model", "core/base core/cost"},
    {"core/cache", "core/base core/trace core/cost"},
    {"core/engine", "core/base core/trace core/cost core/model core/cache"},
    {"core/sim", "core/base core/trace core/cost core/cache"},
    {"core/whatif", "core/base core/trace core/cost core/cache core/sim"},
    {"core/lesson", "core"},
    {"cuda", "core"},
    {"app/shell", "core/base"},
    {"app/export", "core/base app/shell"},
    {"app/widgets", "core/base app/shell"},
    {"app/session", "core cuda"},
    {"app/attach", "core/base core/trace core/attach"},
    {"app/panels",
     "core/base core/trace core/attach core/cost core/model core/cache core/sim core/whatif "
     "core/lesson app/shell app/export app/widgets"},
    {"app/frame",
     "core/base core/trace core/attach core/cost core/model core/cache core/sim core/whatif "
     "core/lesson app/shell app/export app/widgets app/panels"},
    {"app/live",
     "core app/session app/attach app/shell app/export app/widgets app/panels app/frame"},
    {"app/cli", "core cuda app"},
    {"app/web", "core cuda app"},
    {"bench", "core cuda app"},
    {"tests", "core cuda app bench"},
};

// Where a third-party header may be included; tests may include all of them. A header belongs to
// the first row that has a prefix of its name.
enum class Place { AnyFile, OnlyCpp };
struct ThirdParty {
    std::string_view library, prefixes, folders;
    Place place = Place::AnyFile;
};
constexpr ThirdParty kThirdParty[] = {
    {"Dear ImGui's back ends", "imgui_impl_", "app/shell bench"},
    {"Dear ImGui", "imgui imstb_", "app bench"},
    {"ImPlot", "implot", "app"},
    {"md4c", "md4c", "app"},
    {"stb", "stb", "app"},
    {"GLFW", "GLFW/", "app/shell"},
    {"emscripten", "emscripten/", "app/shell app/web core/base", Place::OnlyCpp},
    {"OpenGL", "glad/ GL/ GLES EGL/ KHR/", "app/shell bench"},
    {"CLI11", "CLI/", "app/cli"},
    {"nlohmann JSON, declared", "nlohmann/json_fwd.hpp", "core app bench"},
    {"nlohmann JSON", "nlohmann/", "core/base"},
    {"PCRE2", "pcre2", "core/model", Place::OnlyCpp},
    {"CUDA", "cuda cub/ thrust/ cooperative_groups mma.h nvtx3/ nvrtc", "cuda"},
    {"Catch2", "catch2/", "tests"},
    {"RapidCheck", "rapidcheck", "tests"},
};

struct Include {
    std::string_view header;
    bool quoted;
};

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    return text;
}

std::optional<Include> include_of(std::string_view line) {
    line = trimmed(line);
    if (!line.starts_with('#')) return std::nullopt;
    line = trimmed(line.substr(1));
    if (!line.starts_with("include")) return std::nullopt;
    line = trimmed(line.substr(7));
    if (line.empty() || (line.front() != '"' && line.front() != '<')) return std::nullopt;
    const bool quoted = line.front() == '"';
    const std::size_t end = line.find(quoted ? '"' : '>', 1);
    return Include{line.substr(1, end - 1), quoted};
}

std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> found;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (end > 0) found.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return found;
}

// "core/base/numbers/units.hpp" -> "core/base"; "cuda/device.cu" -> "cuda"; "tests/app/x.cpp" ->
// "tests". Empty for a path outside the house.
std::string_view folder_of(std::string_view path) {
    const std::size_t first = path.find('/');
    if (first == std::string_view::npos) return {};
    const std::string_view top = path.substr(0, first);
    if (top == "cuda" || top == "bench" || top == "tests") return top;
    if (top != "core" && top != "app") return {};
    const std::size_t second = path.find('/', first + 1);
    return second == std::string_view::npos ? top : path.substr(0, second);
}

bool is_within(std::string_view folder, std::string_view allowed) {
    return folder == allowed ||
           (folder.starts_with(allowed) && folder.substr(allowed.size()).starts_with('/'));
}

bool allows(std::string_view allowed, std::string_view folder) {
    const std::vector<std::string_view> list = words(allowed);
    return std::any_of(list.begin(), list.end(),
                       [=](std::string_view a) { return is_within(folder, a); });
}

const ThirdParty* library_of(std::string_view header) {
    for (const ThirdParty& row : kThirdParty)
        for (const std::string_view prefix : words(row.prefixes))
            if (header.starts_with(prefix)) return &row;
    return nullptr;
}

// The three refuse functions answer nothing when the line is allowed, else the words that stand
// before the header's name.
using Refusal = std::optional<std::string>;

// Through this header nlohmann JSON is included, which is long.
constexpr std::string_view kJsonHeader = "core/base/files/json.hpp";

Refusal refuse_project_header(std::string_view from, std::string_view path,
                              std::string_view header) {
    if (header == kJsonHeader && !path.ends_with(".cpp"))
        return "nlohmann JSON stays out of headers; a .cpp file may include ";
    const std::string_view to = folder_of(header);
    if (from == to) return std::nullopt;
    for (const Arrows& row : kArrows)
        if (row.folder == from && allows(row.may_include, to)) return std::nullopt;
    return std::string(from) + " may not include ";
}

Refusal refuse_third_party(std::string_view from, std::string_view path, const ThirdParty& row) {
    if (from == "tests") return std::nullopt;
    if (!allows(row.folders, from)) return std::string(from) + " may not include ";
    if (row.place == Place::OnlyCpp && !path.ends_with(".cpp"))
        return std::string(row.library) + " stays out of headers; a .cpp file may include ";
    return std::nullopt;
}

Refusal refuse(std::string_view from, std::string_view path, const Include& include) {
    if (include.quoted && !folder_of(include.header).empty())
        return refuse_project_header(from, path, include.header);
    if (const ThirdParty* row = library_of(include.header))
        return refuse_third_party(from, path, *row);
    if (include.quoted) return "includes of our own are rooted at the project: ";
    return std::nullopt;
}

}  // namespace

std::vector<std::string> check_arrows(const Tree& tree) {
    std::vector<std::string> findings;
    for (const TextFile& file : tree) {
        const std::string_view from = folder_of(file.path);
        if (from.empty() || !is_source(file.path)) continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::optional<Include> include = include_of(file.lines[i]);
            if (!include) continue;
            if (const Refusal refusal = refuse(from, file.path, *include))
                findings.push_back(place(file, i) + *refusal + std::string(include->header));
        }
    }
    return findings;
}

std::vector<std::string> check_core_subset(const Tree& tree) {
    static constexpr std::string_view kBanned[] = {
        "<ranges>",        "<source_location>", "<format>",        "<coroutine>",
        "<stop_token>",    "<memory_resource>", "std::bit_cast",   "std::jthread",
        "std::ranges::",   "std::format",       "std::expected",   "std::source_location",
        "std::stop_token", "setlocale",         "using namespace",
    };
    std::vector<std::string> findings;
    for (const TextFile& file : tree) {
        if (!file.path.starts_with("core/") || !is_source(file.path)) continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i)
            for (const std::string_view word : kBanned)
                if (without_comment(file.lines[i]).find(word) != std::string_view::npos)
                    findings.push_back(place(file, i) + "core may not use " + std::string(word));
    }
    return findings;
}

}  // namespace kv::gates
