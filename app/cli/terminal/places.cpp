#include "app/cli/terminal/places.hpp"

#include <algorithm>
#include <array>
#include <system_error>

#include "app/cli/terminal/suggest.hpp"
#include "core/base/error.hpp"
#include "core/base/shown.hpp"
#include "core/model/model_source.hpp"

namespace kv {

namespace fs = std::filesystem;

namespace {

// Whatever stands there, also a link that leads nowhere: opening it then says what is wrong.
bool is_there(const fs::path& path) {
    std::error_code failed;
    return fs::exists(fs::symlink_status(path, failed));
}

}  // namespace

fs::path model_folder(const std::string& model) {
    constexpr std::array<std::string_view, 3> kShipped{"mha", "gqa", "mqa"};
    if (model.empty())
        throw Error(ErrorCode::Usage, "--model has an empty value; write --model DIR.");
    ModelSource source = parse_model_source(model);
    if (is_there(model) ||
        std::find(kShipped.begin(), kShipped.end(), source.name) == kShipped.end())
        return model;
    if (const auto folder = shipped_asset("models/" + source.name)) {
        source.name = folder->string();
        return source.written();
    }
    throw Error(ErrorCode::World, "The shipped model " + source.name +
                                      " is not beside this program. Install it, or give a folder "
                                      "with --model DIR.");
}

bool names_a_scene(const std::string& word) {
    const std::vector<std::string> scenes = shipped_scenes();
    return is_there(word) || std::find(scenes.begin(), scenes.end(), word) != scenes.end();
}

fs::path scene_file(const std::string& scene) {
    const bool is_name = !scene.empty() && scene.find_first_of("/.") == std::string::npos;
    if (is_there(scene) || !is_name) return scene;
    if (const auto file = shipped_asset("scenes/" + scene + ".kvscene")) return *file;
    const auto near = nearest(scene, shipped_scenes());
    throw Error(ErrorCode::World,
                shown(scene) + " is no file here and no shipped scene; " +
                    (near ? "did you mean " + *near + "?" : "give the file's whole name."));
}

fs::path program_file() {
    std::error_code unknown;
    const fs::path file = fs::read_symlink("/proc/self/exe", unknown);
    return unknown ? fs::path() : file;
}

namespace {

std::optional<fs::path> shipped(const fs::path& name) {
    const fs::path folder = program_file().parent_path();
    const std::array<fs::path, 3> places{folder, folder.parent_path() / "share" / "kvarium",
                                         fs::path(KVARIUM_SOURCE_DIR)};
    for (const fs::path& place : places) {
        std::error_code unreadable;
        if (fs::exists(place / name, unreadable)) return place / name;
    }
    return std::nullopt;
}

}  // namespace

fs::path lessons_folder() {
    if (const auto folder = shipped("lessons")) return *folder;
    throw Error(ErrorCode::World,
                "The shipped lessons are not beside this program. Install them, or give a folder "
                "with --folder DIR.");
}

std::vector<std::string> shipped_scenes() {
    std::vector<std::string> names;
    std::error_code failed;  // without scenes there are no names
    const auto folder = shipped_asset("scenes");
    for (const auto& entry : fs::directory_iterator(folder.value_or(""), failed))
        if (entry.path().extension() == ".kvscene") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::optional<fs::path> shipped_asset(std::string_view name) {
    return shipped(fs::path("assets") / name);
}

}  // namespace kv
