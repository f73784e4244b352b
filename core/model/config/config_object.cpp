#include "core/model/config/config_object.hpp"

#include "core/base/files/bounded_file.hpp"
#include "core/base/files/json.hpp"
#include "core/base/files/strict_json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/model/config/fields.hpp"
#include "core/model/config/refused_file.hpp"

namespace kv {
namespace {

constexpr u64 kMaxConfigDepth = 8;

}  // namespace

std::string config_text(const std::string& path) {
    auto data = read_bounded_file(path, kMaxConfigBytes);
    if (const auto* no = std::get_if<FileRefusal>(&data))
        refuse_file(shown(path) + " ", no->rule, no->advice);
    return std::get<std::string>(std::move(data));
}

std::variant<nlohmann::json, ConfigRefusal> config_object(std::string_view text) {
    auto parsed = parse_strict_json(text, kMaxConfigDepth);
    if (const auto* refusal = std::get_if<JsonRefusal>(&parsed)) {
        return ConfigRefusal{
            "the text " + refusal->rule + " near byte " + with_commas(refusal->offset),
            kAsPublished};
    }
    auto& root = std::get<nlohmann::json>(parsed);
    if (!root.is_object()) {
        return ConfigRefusal{"the text holds " + shown_json(root) + " where an object belongs",
                             "use the config.json of a Hugging Face model folder"};
    }
    return std::move(root);
}

}  // namespace kv
