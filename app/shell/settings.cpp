#include "app/shell/settings.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <system_error>
#include <vector>

#include "app/shell/files.hpp"
#include "core/base/error.hpp"
#include "core/base/files/json.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kLargestFile = 64 * 1024;
constexpr std::size_t kMostRecent = 8;
constexpr auto kReplace = json::error_handler_t::replace;  // a path may be any bytes
constexpr int kVersion = 1, kDeepest = 4;
constexpr int kSmallestSide = 320, kLargestSide = 16384;
constexpr std::array<std::string_view, 5> kLayouts{"learn", "explore", "present", "compare",
                                                   "attach"};

struct FieldPlace {
    std::string_view file, field;
};

// A key out of a file may hold anything; a sentence holds 60 visible bytes of it.
std::string visible(std::string_view text) {
    std::string shown(text.substr(0, 60));
    for (char& c : shown)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
    return shown;
}

[[noreturn]] void refuse(const FieldPlace& place, const std::string& why) {
    std::string where(place.file);
    if (!place.field.empty()) where += ": " + visible(place.field);
    throw Error(ErrorCode::World, where + " " + why);
}

[[noreturn]] void refuse_syntax(std::string_view file, std::optional<std::size_t> byte) {
    const std::string at = byte ? " (at byte " + with_commas(*byte) + ")" : "";
    refuse({file, {}}, "is not JSON" + at + ". Repair or delete it.");
}

[[noreturn]] void refuse_value(const FieldPlace& place, const json& value,
                               const std::string& wanted) {
    std::string shown = value.dump(-1, ' ', true);
    if (shown.size() > 60) shown = shown.substr(0, 57) + "...";
    refuse(place, "is " + shown + "; it must be " + wanted + ".");
}

// nlohmann keeps the last of two equal keys, takes any depth of brackets, and stops at a zero byte,
// all without a word.
json parse_strictly(std::string_view text, std::string_view file) {
    const std::size_t zero = text.find('\0');
    if (zero != std::string_view::npos) refuse_syntax(file, zero + 1);
    std::vector<std::set<std::string>> keys;  // of each object that is open
    const auto watch = [&](int depth, json::parse_event_t event, json& value) {
        if (depth > kDeepest) refuse({file, {}}, "has brackets more than 4 deep. Delete the file.");
        if (event == json::parse_event_t::object_start) keys.emplace_back();
        if (event == json::parse_event_t::object_end) keys.pop_back();
        if (event == json::parse_event_t::key &&
            !keys.back().insert(value.get<std::string>()).second)
            refuse({file, value.get_ref<const std::string&>()}, "stands there twice. Remove one.");
        return true;
    };
    try {
        return json::parse(text, watch);
    } catch (const json::parse_error& error) {
        refuse_syntax(file, error.byte);
    } catch (const json::exception&) {
        refuse_syntax(file, std::nullopt);
    }
}

bool read_bool(const FieldPlace& place, const json& value) {
    if (!value.is_boolean()) refuse_value(place, value, "true or false");
    return value.get<bool>();
}

int read_whole(const FieldPlace& place, const json& value, int min, int max) {
    const std::string wanted = "a whole number from " +
                               with_commas(static_cast<std::uint64_t>(min)) + " to " +
                               with_commas(static_cast<std::uint64_t>(max));
    if (!value.is_number_unsigned()) refuse_value(place, value, wanted);
    const auto number = value.get<std::uint64_t>();
    if (number < static_cast<std::uint64_t>(min) || number > static_cast<std::uint64_t>(max))
        refuse_value(place, value, wanted);
    return static_cast<int>(number);
}

float read_text_scale(const FieldPlace& place, const json& value) {
    const double number = value.is_number() ? value.get<double>() : 0.0;
    const auto scale = static_cast<float>(std::clamp(number, 0.0, 10.0));
    if (!(scale >= kSmallestTextScale && scale <= kLargestTextScale))
        refuse_value(place, value, "a number from 0.8 to 3");
    return scale;
}

ThemeName read_theme(const FieldPlace& place, const json& value) {
    const auto theme =
        value.is_string() ? theme_named(value.get_ref<const std::string&>()) : std::nullopt;
    if (!theme) refuse_value(place, value, "dark, light or contrast");
    return *theme;
}

std::string read_layout(const FieldPlace& place, const json& value) {
    for (const std::string_view layout : kLayouts)
        if (value == layout) return std::string(layout);
    refuse_value(place, value, "learn, explore, present, compare or attach");
}

std::vector<std::string> read_recent(const FieldPlace& place, const json& value,
                                     std::string_view what) {
    const auto is_path = [](const json& path) {
        return path.is_string() && !path.get_ref<const std::string&>().empty();
    };
    if (!value.is_array() || value.size() > kMostRecent ||
        !std::all_of(value.begin(), value.end(), is_path))
        refuse_value(place, value, "a list of at most 8 " + std::string(what));
    return value.get<std::vector<std::string>>();
}

void check_version(std::string_view file, const json& object) {
    const FieldPlace place{file, "version"};
    if (!object.contains("version")) refuse(place, "is missing. Delete the file.");
    const json& version = object["version"];
    if (version.is_number_unsigned() && version.get<std::uint64_t>() > kVersion)
        refuse(place, "is " + version.dump() +
                          ", from a newer KVarium; this one reads version 1. "
                          "Start the newer one, or delete the file.");
    read_whole(place, version, kVersion, kVersion);
}

void read_field(Settings& s, const FieldPlace& place, const json& value) {
    const std::string_view field = place.field;
    if (field == "version") return;
    if (field == "theme")
        s.theme = read_theme(place, value);
    else if (field == "text_scale")
        s.text_scale = read_text_scale(place, value);
    else if (field == "reduced_motion")
        s.reduced_motion = read_bool(place, value);
    else if (field == "layout")
        s.layout = read_layout(place, value);
    else if (field == "first_start_done")
        s.first_start_done = read_bool(place, value);
    else if (field == "window_width")
        s.window.w = read_whole(place, value, kSmallestSide, kLargestSide);
    else if (field == "window_height")
        s.window.h = read_whole(place, value, kSmallestSide, kLargestSide);
    else if (field == "recent_scenes")
        s.recent_scenes = read_recent(place, value, "paths");
    else if (field == "recent_models")
        s.recent_models = read_recent(place, value, "paths");
    else if (field == "recent_servers")
        s.recent_servers = read_recent(place, value, "addresses with what is known of them");
    else
        refuse(place, "is not a setting that this version knows. Remove it.");
}

}  // namespace

void remember(std::vector<std::string>& recent, const std::string& path) {
    std::erase(recent, path);
    recent.insert(recent.begin(), path);
    if (recent.size() > kMostRecent) recent.resize(kMostRecent);
}

Settings load_settings(std::string_view text, std::string_view name) {
    if (text.size() > kLargestFile)
        refuse({name, {}}, "is larger than 64 KiB, so it holds no settings. Delete it.");
    const json object = parse_strictly(text, name);
    if (!object.is_object()) refuse({name, {}}, "is not a JSON object. Repair or delete it.");
    check_version(name, object);
    Settings settings;
    for (const auto& [key, value] : object.items()) read_field(settings, {name, key}, value);
    return settings;
}

std::string print_settings(const Settings& s) {
    // Written by hand, so that numbers read back to the same float and the keys keep this order.
    const auto truth = [](bool b) { return b ? "true" : "false"; };
    return "{\n  \"version\": 1,\n  \"theme\": \"" + std::string(name_of(s.theme)) +
           "\",\n  \"text_scale\": " + round_trip(s.text_scale) +
           ",\n  \"reduced_motion\": " + truth(s.reduced_motion) + ",\n  \"layout\": \"" +
           s.layout + "\",\n  \"first_start_done\": " + truth(s.first_start_done) +
           ",\n  \"window_width\": " + std::to_string(s.window.w) +
           ",\n  \"window_height\": " + std::to_string(s.window.h) +
           ",\n  \"recent_scenes\": " + json(s.recent_scenes).dump(-1, ' ', true, kReplace) +
           ",\n  \"recent_models\": " + json(s.recent_models).dump(-1, ' ', true, kReplace) +
           ",\n  \"recent_servers\": " + json(s.recent_servers).dump(-1, ' ', true, kReplace) +
           "\n}\n";
}

ReadSettings read_settings(const fs::path& file) {
    std::error_code ignored;
    if (fs::symlink_status(file, ignored).type() == fs::file_type::not_found) return {};
    try {
        return {load_settings(read_file(file, kLargestFile), file.string()), std::nullopt};
    } catch (const Error& refused) {
        return {Settings{}, refused.what()};
    }
}

void write_settings(const fs::path& file, const Settings& settings) {
    std::error_code ignored;  // save_file says what is wrong
    fs::create_directories(file.parent_path(), ignored);
    if (read_settings(file).complaint) {
        fs::path kept = file;
        kept += ".bad";
        fs::rename(file, kept, ignored);
    }
    save_file(file, print_settings(settings));
}

}  // namespace kv
