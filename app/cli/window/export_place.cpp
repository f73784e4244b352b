#include "app/cli/window/export_place.hpp"

#include <system_error>

#include "app/shell/texts/said.hpp"
#include "app/shell/xdg.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

namespace fs = std::filesystem;

bool is_picture(const std::string& ending) {
    return ending == "png" || ending == "svg" || ending == "gif" || ending == "mp4";
}

fs::path folder_for(const std::string& ending) {
    const auto pictures = is_picture(ending) ? pictures_folder() : std::nullopt;
    return pictures ? *pictures / "kvarium" : user_folders().data / "exports";
}

std::string stem_of(const Screen& screen) {
    const RunView* run = screen.run().view();
    if (run == nullptr) return "kvarium";
    return file_words(run->scene) + "-step-" + std::to_string(run->now.iteration);
}

}  // namespace

std::string file_words(const std::string& name) {
    constexpr std::size_t kMost = 48;
    std::string words;
    for (const char c : name) {
        const bool upper = c >= 'A' && c <= 'Z';
        if (upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            words += upper ? static_cast<char>(c - 'A' + 'a') : c;
        else if (!words.empty() && words.back() != '-')
            words += '-';
        if (words.size() == kMost) break;
    }
    while (!words.empty() && words.back() == '-') words.pop_back();
    return words.empty() ? "scene" : words;
}

fs::path export_path(const std::string& typed, const Screen& screen, const std::string& what,
                     const std::string& ending) {
    std::error_code unknown;
    if (!typed.empty()) {
        fs::path file = typed;
        if (file.extension().empty()) file += "." + ending;
        if (fs::exists(file, unknown))
            throw Refused("refused.export.exists"_t, {{"file", shown(file.string())}},
                          ErrorCode::World);
        return file;
    }
    const fs::path folder = folder_for(ending);
    fs::create_directories(folder, unknown);
    const std::string stem = stem_of(screen) + (what.empty() ? "" : "-" + what);
    for (int n = 1;; ++n) {
        fs::path file = folder / (stem + (n == 1 ? "" : "-" + std::to_string(n)) + "." + ending);
        if (!fs::exists(file, unknown)) return file;
    }
}

}  // namespace kv
