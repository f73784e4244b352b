#include "app/frame/overlay/path_rows.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "app/frame/overlay/fuzzy.hpp"
#include "core/base/numbers/units.hpp"
#include "core/sim/generator.hpp"

namespace kv {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRows = 200;       // more are found by typing on
constexpr std::size_t kMostEntries = 5'000;  // of a folder that are looked at

// The scenes that come along, those to begin with first, each with what it shows.
struct StockScene {
    std::string_view name;
    TextId shows;
};
constexpr auto kStockScenes = std::to_array<StockScene>({
    {"first", "scene.first"_t},
    {"first-page", "scene.first_page"_t},
    {"first-minute", "scene.first_minute"_t},
    {"learn", "scene.learn"_t},
    {"explore", "scene.explore"_t},
    {"present", "scene.present"_t},
    {"compare", "scene.compare"_t},
    {"needle", "scene.needle"_t},
    {"two-models", "scene.two_models"_t},
    {"fold", "scene.fold"_t},
    {"drafts", "scene.drafts"_t},
    {"paper-figure-6", "scene.paper_figure_6"_t},
    {"paper-figure-7", "scene.paper_figure_7"_t},
    {"paper-figure-8", "scene.paper_figure_8"_t},
    {"paper-figure-9", "scene.paper_figure_9"_t},
    {"frozen-h2o", "scene.frozen_h2o"_t},
    {"repeated-heads", "scene.repeated_heads"_t},
    {"rope-drift", "scene.rope_drift"_t},
    {"sinks-not-turned", "scene.sinks_not_turned"_t},
});
constexpr std::array<std::string_view, 5> kSiblings{"mha", "gqa", "mqa", "mha+kv2", "mha+kv1"};

struct Typed {
    std::string folder;  // as it was typed, up to the last slash; may be empty
    std::string rest;
    fs::path at;  // the folder itself
};

fs::path home() {
    const char* folder = std::getenv("HOME");
    return folder == nullptr ? fs::path("/") : fs::path(folder);
}

Typed split(const std::string& query) {
    const std::size_t slash = query.rfind('/');
    Typed typed;
    typed.rest = slash == query.npos ? query : query.substr(slash + 1);
    typed.folder = slash == query.npos ? "" : query.substr(0, slash + 1);
    const bool from_home = typed.folder.rfind("~/", 0) == 0;
    typed.at = typed.folder.empty() ? fs::path(".")
               : from_home          ? home() / typed.folder.substr(2)
                                    : fs::path(typed.folder);
    return typed;
}

// What a shell would make of it, since the command gets the path as it is.
std::string full(const std::string& typed) {
    return typed.rfind("~/", 0) == 0 ? (home() / typed.substr(2)).string() : typed;
}

bool is_wanted(const fs::directory_entry& entry, PathKind kind) {
    const std::string extension = entry.path().extension().string();
    switch (kind) {
        case PathKind::Scene:  // a picture of a scene opens like it, and so does a file of events
            return extension == ".kvscene" || extension == ".png" || extension == ".jsonl";
        case PathKind::NewScene:
            return extension == ".kvscene";
        case PathKind::Config:
            return extension == ".json";
        case PathKind::NewPicture:
            return extension == ".png" || extension == ".svg";
        case PathKind::WorkloadFile:
            return extension == ".csv" || extension == ".jsonl";
        case PathKind::ModelFolder:
            return false;  // folders alone
    }
    return false;
}

bool is_checkpoint(const fs::path& folder) {
    std::error_code none;
    return fs::exists(folder / "config.json", none);
}

class Lister {
public:
    Lister(const Texts& text, const PaletteUi& palette, PathKind kind, const Settings& settings)
        : text_(text), palette_(palette), kind_(kind), settings_(settings) {}

    std::vector<PaletteRow> rows() {
        const Typed typed = split(palette_.query);
        if (palette_.query.empty()) add_recent();
        if (typed.folder.empty()) add_brought_along();
        add_folder(typed);
        offer_as_typed();
        return std::move(rows_);
    }

private:
    void add(std::string label, TextId detail, const std::string& path) {
        rows_.push_back({.label = std::move(label),
                         .detail = text_[detail],
                         .key = "",
                         .command = palette_.pending + " " + full(path)});
    }
    void add_recent() {
        const bool scenes = kind_ == PathKind::Scene || kind_ == PathKind::NewScene;
        if (!scenes && kind_ != PathKind::ModelFolder) return;
        for (const std::string& path : scenes ? settings_.recent_scenes : settings_.recent_models)
            if (kind_ != PathKind::NewScene || fs::path(path).extension() == ".kvscene")
                add(path, "palette.recent"_t, path);
    }
    // Adds a shipped file, which is found by its name or by a few of its letters.
    void add_stock(std::string_view name, TextId detail) {
        if (fuzzy_score(palette_.query, name)) add(std::string(name), detail, std::string(name));
    }
    void add_brought_along() {
        if (kind_ == PathKind::Scene)
            for (const StockScene& scene : kStockScenes) add_stock(scene.name, scene.shows);
        if (kind_ == PathKind::WorkloadFile)
            for (const WorkloadModel& model : workload_models())
                add_stock(model.name, "palette.stock_workload"_t);
        if (kind_ == PathKind::ModelFolder)
            for (const std::string_view name : kSiblings) add_stock(name, "palette.stock_model"_t);
    }

    // Folders first, each in the order of names; hidden ones only when they are asked for.
    void add_folder(const Typed& typed) {
        std::vector<PaletteRow> folders, files;
        std::error_code error;
        fs::directory_iterator at(typed.at, error);
        for (std::size_t n = 0; !error && at != fs::directory_iterator() && n < kMostEntries;
             at.increment(error), ++n)
            take(typed, *at, folders, files);
        const auto by_label = [](const PaletteRow& a, const PaletteRow& b) {
            return a.label < b.label;
        };
        for (auto* list : {&folders, &files}) {
            std::sort(list->begin(), list->end(), by_label);
            rows_.insert(rows_.end(), list->begin(), list->end());
        }
        if (rows_.size() > kMostRows) rows_.resize(kMostRows);
        // Last, so that Enter never goes up by itself.
        if (typed.rest.empty() || typed.rest == "..")
            rows_.push_back(into("../", typed.folder + "../"));
    }
    void take(const Typed& typed, const fs::directory_entry& entry,
              std::vector<PaletteRow>& folders, std::vector<PaletteRow>& files) {
        const std::string name = entry.path().filename().string();
        if (name.front() == '.' && typed.rest.rfind('.', 0) != 0) return;
        if (!fuzzy_score(typed.rest, name)) return;
        std::error_code none;
        if (entry.is_directory(none)) {
            folders.push_back(into(name + "/", typed.folder + name + "/"));
            if (kind_ == PathKind::ModelFolder && is_checkpoint(entry.path()))
                files.push_back({.label = name,
                                 .detail = text_["palette.checkpoint"_t],
                                 .key = "",
                                 .command = palette_.pending + " " + full(typed.folder + name)});
        } else if (is_wanted(entry, kind_)) {
            const auto bytes = entry.file_size(none);
            files.push_back({.label = name,
                             .detail = none ? std::string() : bytes_binary(bytes),
                             .key = "",
                             .command = palette_.pending + " " + full(typed.folder + name)});
        }
    }
    PaletteRow into(std::string label, std::string query) const {
        return {.label = std::move(label),
                .detail = text_["palette.folder"_t],
                .key = "",
                .command = "",
                .query = std::move(query)};
    }

    // Whatever was typed can be asked for: the command says what is wrong with it. It comes first
    // unless the list has it, or it is nothing but the way into a folder.
    void offer_as_typed() {
        const std::string& query = palette_.query;
        if (query.empty() || query == "~" || query.ends_with("..")) return;
        const std::string command = palette_.pending + " " + full(query);
        const bool listed = std::any_of(rows_.begin(), rows_.end(), [&](const PaletteRow& row) {
            return row.command == command;
        });
        const bool inside = query.back() == '/';
        if (listed || (inside && kind_ != PathKind::ModelFolder)) return;
        if (inside && !is_checkpoint(full(query))) return;
        const PaletteRow row{.label = query, .detail = "", .key = "", .command = command};
        const bool is_new = kind_ == PathKind::NewScene || kind_ == PathKind::NewPicture;
        rows_.insert(is_new || inside ? rows_.begin() : rows_.end(), row);
    }

    const Texts& text_;
    const PaletteUi& palette_;
    PathKind kind_;
    const Settings& settings_;
    std::vector<PaletteRow> rows_;
};

}  // namespace

std::optional<PathKind> path_kind(std::string_view command) {
    if (command == "file.open_scene") return PathKind::Scene;
    if (command == "file.open_model") return PathKind::ModelFolder;
    if (command == "file.open_config" || command == "attach.tokenizer") return PathKind::Config;
    if (command == "file.save_scene") return PathKind::NewScene;
    if (command == "race.workload" || command == "whatif.file") return PathKind::WorkloadFile;
    if (command == "export.picture" || command == "export.drawing") return PathKind::NewPicture;
    return std::nullopt;
}

std::string new_scene_path() {
    const std::string folder = ::access(".", W_OK) == 0 ? "" : "~/";
    std::error_code unknown;
    for (int n = 1;; ++n) {
        const std::string path =
            folder + "my-run" + (n == 1 ? "" : "-" + std::to_string(n)) + ".kvscene";
        if (!fs::exists(full(path), unknown)) return path;
    }
}

std::vector<PaletteRow> path_rows(const Texts& text, const PaletteUi& palette, PathKind kind,
                                  const Settings& settings) {
    return Lister(text, palette, kind, settings).rows();
}

}  // namespace kv
