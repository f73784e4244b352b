#include "core/lesson/recording/place.hpp"

#include <filesystem>
#include <system_error>

#include "core/base/error.hpp"
#include "core/base/shown.hpp"
#include "core/whatif/record/made_up.hpp"

namespace kv {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRecordingEnds = ".jsonl";

bool is_plain_in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

}  // namespace

std::optional<std::string> recording_name_refusal(const std::string& name) {
    if (is_made_up(name)) {
        try {
            made_up_service(name);
        } catch (const Error& error) {
            return std::string("cannot be made up: ") + error.what();
        }
        return std::nullopt;
    }
    for (const char c : name)
        if (!is_plain_in_name(c))
            return "names a file that does not lie in the lesson's own folder";
    if (name.size() <= kRecordingEnds.size() || name.front() == '.' ||
        !name.ends_with(kRecordingEnds))
        return "names no file that ends in .jsonl";
    return std::nullopt;
}

std::string recording_place(const std::string& folder, const std::string& name) {
    if (const auto why = recording_name_refusal(name))
        throw Error(ErrorCode::World, "the recording \"" + shown(name) + "\" " + *why + ".");
    if (is_made_up(name)) return name;
    const fs::path file = fs::path(folder) / name;
    std::error_code failed;
    if (!fs::is_regular_file(file, failed))
        throw Error(ErrorCode::World, "the recording \"" + shown(name) +
                                          "\" is not in the lesson's folder; put it there.");
    const fs::path real = fs::canonical(file, failed), home = fs::canonical(folder, failed);
    if (failed || real.parent_path() != home)
        throw Error(ErrorCode::World, "the recording \"" + shown(name) +
                                          "\" is a link that leaves the lesson's folder; put the "
                                          "file itself there.");
    return file.string();
}

}  // namespace kv
