#include "app/live/scene/picture_note.hpp"

#include <algorithm>
#include <array>
#include <fstream>

#include "app/frame/state/layout.hpp"
#include "app/shell/files.hpp"
#include "app/shell/texts/said.hpp"
#include "core/base/files/json.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kScene = "kvarium-scene", kDrawn = "kvarium-shot";  // keywords of texts
constexpr std::size_t kMostPictureBytes = std::size_t{1} << 28;
constexpr std::int64_t kMostPixels = 16'384;
constexpr std::size_t kMostCommands = 1'000;

// A picture may come from anywhere, so its commands change what is shown and nothing else: none
// that writes a file or ends the program.
constexpr std::array<std::string_view, 14> kAllowed{
    "layout.", "theme", "text.",  "panel.",   "run.",       "present.",    "focus.",
    "select.", "bill.", "other.", "compare.", "file.open_", "lesson.open", "lesson.go_on"};
bool may_be_given(std::string_view command) {
    return std::any_of(kAllowed.begin(), kAllowed.end(),
                       [&](std::string_view start) { return command.starts_with(start); });
}

Json drawn_json(const DrawnAs& drawn) {
    Json json{{"version", 1}, {"layout", drawn.layout}, {"theme", drawn.theme}};
    if (drawn.panel) json["panel"] = *drawn.panel;
    json["pixels"] = {drawn.pixels.w, drawn.pixels.h};
    json["scale"] = drawn.scale;
    json["text_scale"] = drawn.text_scale;
    if (!drawn.language.empty()) json["language"] = drawn.language;
    json["commands"] = Json::array();
    for (const std::string& command : drawn.commands)
        if (may_be_given(command)) json["commands"].push_back(command);
    return json;
}

// How a picture was drawn, out of its text. Reads one field after the other and names the one that
// does not fit.
class DrawnReader {
public:
    DrawnReader(const std::string& text, std::string place)
        : json_(parsed_ordered_json(text)), place_(std::move(place)) {
        if (!json_.is_object()) refuse("refused.note.object"_t);
        const Json* version = find("version");
        if (version == nullptr || !version->is_number_unsigned())
            refuse("refused.note.no_version"_t);
        if (*version != 1) refuse("refused.note.newer"_t);
    }

    DrawnAs read() const {
        DrawnAs drawn;
        drawn.layout = word("layout").value_or(drawn.layout);
        if (!layout_named(drawn.layout)) refuse("refused.note.layout"_t);
        drawn.theme = word("theme").value_or(drawn.theme);
        if (!theme_named(drawn.theme)) refuse("refused.note.theme"_t);
        drawn.panel = word("panel");
        drawn.pixels = pixels();
        drawn.scale = scale_named("scale", 0.5, 4);
        drawn.text_scale = scale_named("text_scale", 0.8, 3);
        drawn.language = word("language").value_or("");
        drawn.commands = commands();
        return drawn;
    }

private:
    [[noreturn]] void refuse(TextId why, std::string_view field = {}) const {
        throw Refused(why, {{"file", place_}, {"field", field}}, ErrorCode::World);
    }
    const Json* find(const char* name) const {
        const auto found = json_.find(name);
        return found == json_.end() ? nullptr : &*found;
    }
    std::optional<std::string> word(const char* name) const {
        const Json* value = find(name);
        if (value == nullptr) return std::nullopt;
        if (!value->is_string()) refuse("refused.note.no_text"_t, name);
        return value->get<std::string>();
    }
    double scale_named(const char* name, double least, double most) const {
        const Json* value = find(name);
        if (value == nullptr) return 1;
        const double x = value->is_number() ? value->get<double>() : 0;
        if (!(x >= least && x <= most)) refuse("refused.note.range"_t, name);
        return x;
    }
    PixelSize pixels() const {
        const Json* value = find("pixels");
        if (value == nullptr) return DrawnAs().pixels;
        const auto side = [&](std::size_t i) {
            const Json& n = value->at(i);
            const bool fits = n.is_number_unsigned() && n <= kMostPixels && n >= 1;
            if (!fits) refuse("refused.note.pixels"_t);
            return n.get<int>();
        };
        if (!value->is_array() || value->size() != 2) refuse("refused.note.no_pair"_t);
        return {side(0), side(1)};
    }
    std::vector<std::string> commands() const {
        const Json* list = find("commands");
        if (list == nullptr) return {};
        if (!list->is_array() || list->size() > kMostCommands) refuse("refused.note.no_list"_t);
        std::vector<std::string> commands;
        commands.reserve(list->size());
        for (const Json& command : *list) {
            if (!command.is_string()) refuse("refused.note.command"_t);
            commands.push_back(command.get<std::string>());
            if (!may_be_given(commands.back())) refuse("refused.note.forbidden"_t);
        }
        return commands;
    }

    Json json_;
    std::string place_;
};

bool starts_like_a_png(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    constexpr std::size_t kSignature = 8;  // bytes
    std::string start(kSignature, '\0');
    in.read(start.data(), kSignature);
    return in && is_png(start);
}

}  // namespace

std::vector<PngText> texts_of(const PictureNote& note) {
    std::vector<PngText> texts;
    if (note.scene) texts.push_back({std::string(kScene), scene_text(*note.scene)});
    texts.push_back({std::string(kDrawn),
                     drawn_json(note.drawn).dump(-1, ' ', false, Json::error_handler_t::replace)});
    return texts;
}

PictureNote picture_note(std::string_view png, const std::string& place) {
    const auto drawn = png_text(png, kDrawn, place);
    if (!drawn) throw Refused("refused.picture.not_ours"_t, {{"file", place}}, ErrorCode::World);
    PictureNote note{.scene = {}, .drawn = DrawnReader(*drawn, place).read()};
    const auto scene = png_text(png, kScene, place);
    if (!scene) return note;
    if (scene->size() > kMostSceneBytes)
        throw Refused("refused.picture.large"_t, {{"file", place}}, ErrorCode::World);
    note.scene = parse_scene(*scene, place);
    return note;
}

std::optional<PictureNote> read_picture_note(const std::filesystem::path& file) {
    std::error_code unknown;
    // A pipe is no picture, and looking at its start would take it away.
    if (!std::filesystem::is_regular_file(file, unknown) || !starts_like_a_png(file))
        return std::nullopt;
    return picture_note(read_file(file, kMostPictureBytes), shown(file.string()));
}

Scene read_scene_or_picture(const std::string& path) {
    auto note = read_picture_note(path);
    if (!note) return read_scene(path);
    if (!note->scene)
        throw Refused("refused.picture.no_scene"_t, {{"file", shown(path)}}, ErrorCode::World);
    return std::move(*note->scene);
}

}  // namespace kv
