#include "app/live/scene/view_fields.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "app/shell/texts/said.hpp"
#include "core/base/files/json.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

using Json = nlohmann::ordered_json;

enum class ViewKind : std::uint8_t { Word, Whole, Number, YesOrNo, Words, Object };

struct ViewField {
    std::string_view name;
    ViewKind kind = ViewKind::Word;
    std::string_view one_of = {};           // the words that it may be, with blanks between them
    std::span<const ViewField> parts = {};  // of an object
};

constexpr auto kMarked =
    std::to_array<ViewField>({{"request"}, {"first", ViewKind::Whole}, {"last", ViewKind::Whole}});
constexpr auto kStage = std::to_array<ViewField>({{"zoom", ViewKind::Number},
                                                  {"x", ViewKind::Number},
                                                  {"y", ViewKind::Number},
                                                  {"rows", ViewKind::Number}});
constexpr auto kCharts =
    std::to_array<ViewField>({{"first", ViewKind::Number}, {"last", ViewKind::Number}});
constexpr auto kBill = std::to_array<ViewField>({{"model"},
                                                 {"device"},
                                                 {"tokens", ViewKind::Whole},
                                                 {"batch", ViewKind::Whole},
                                                 {"window", ViewKind::Whole},
                                                 {"cards", ViewKind::Whole},
                                                 {"ranks", ViewKind::Whole},
                                                 {"chart", ViewKind::Word, "growth fit"},
                                                 {"bandwidth"},
                                                 {"flops"},
                                                 {"k_codec"},
                                                 {"v_codec"}});
constexpr auto kView = std::to_array<ViewField>({
    {"focus"},
    {"token", ViewKind::Whole},
    {"block", ViewKind::Whole},
    {"layer", ViewKind::Whole},
    {"kv_head", ViewKind::Whole},
    {"query_head", ViewKind::Whole},
    {"dim", ViewKind::Whole},
    {"side", ViewKind::Word, "k v"},
    {"marked", ViewKind::Object, {}, kMarked},
    {"step", ViewKind::Word, "operation layer token iteration"},
    {"moment", ViewKind::Whole},
    {"stage", ViewKind::Object, {}, kStage},
    {"charts", ViewKind::Object, {}, kCharts},
    {"roofline", ViewKind::Word, "run bill"},
    {"prefix", ViewKind::Word, "chain tree"},
    {"hidden_events", ViewKind::Words, kEventMarkWords},
    {"preview", ViewKind::Word, kPreviewWords},
    {"notes"},
    {"proved", ViewKind::YesOrNo},
    {"compare"},
    {"branch"},
    {"branch_at", ViewKind::Whole},
    {"bill", ViewKind::Object, {}, kBill},
});

bool is_word_of(std::string_view words, const std::string& word) {
    const std::string padded = " " + std::string(words) + " ";
    return words.empty() || (word.find(' ') == word.npos && !word.empty() &&
                             padded.find(" " + word + " ") != padded.npos);
}

bool fits_field(const Json& value, const ViewField& field) {
    switch (field.kind) {
        case ViewKind::Word:
            return value.is_string() && is_word_of(field.one_of, value.get<std::string>());
        case ViewKind::Whole:
            return value.is_number_unsigned();
        case ViewKind::Number:
            return value.is_number();
        case ViewKind::YesOrNo:
            return value.is_boolean();
        case ViewKind::Words:
            return value.is_array() &&
                   std::all_of(value.begin(), value.end(), [&](const Json& word) {
                       return word.is_string() && is_word_of(field.one_of, word.get<std::string>());
                   });
        case ViewKind::Object:
            return value.is_object();
    }
    return false;
}

TextId rule_of_field(ViewKind kind) {
    switch (kind) {
        case ViewKind::Word:
            return "refused.view.word"_t;
        case ViewKind::Whole:
            return "refused.view.whole"_t;
        case ViewKind::Number:
            return "refused.view.number"_t;
        case ViewKind::YesOrNo:
            return "refused.view.yes_or_no"_t;
        case ViewKind::Words:
            return "refused.view.words"_t;
        case ViewKind::Object:
            break;
    }
    return "refused.view.object"_t;
}

void require_fields(const Json& object, std::span<const ViewField> fields, const std::string& path,
                    const std::string& place) {
    for (const auto& item : object.items()) {
        const Json& value = item.value();
        const std::string whole = path + "." + shown(item.key());
        const auto field = std::find_if(fields.begin(), fields.end(),
                                        [&](const ViewField& f) { return f.name == item.key(); });
        if (field == fields.end())
            throw Refused("refused.view.unknown"_t, {{"file", shown(place)}, {"field", whole}},
                          ErrorCode::World);
        if (!fits_field(value, *field)) {
            const bool is_choice = field->kind == ViewKind::Word && !field->one_of.empty();
            throw Refused(
                is_choice ? "refused.view.words"_t : rule_of_field(field->kind),
                {{"file", shown(place)},
                 {"field", whole},
                 {"value", shown(value.dump(-1, ' ', false, Json::error_handler_t::replace))},
                 {"known", std::string(field->one_of)}},
                ErrorCode::World);
        }
        if (field->kind == ViewKind::Object) require_fields(value, field->parts, whole, place);
    }
}

}  // namespace

std::string_view word_at(std::string_view words, std::size_t index) {
    for (; index > 0; --index) words.remove_prefix(std::min(words.find(' '), words.size() - 1) + 1);
    return words.substr(0, words.find(' '));
}

void require_view(const std::string& text, const std::string& place) {
    const Json view = parsed_ordered_json(text);
    require_fields(view, kView, "view", place);
    const auto marked = view.find("marked");
    if (marked == view.end()) return;
    const auto first = marked->find("first"), last = marked->find("last");
    if (first != marked->end() && last != marked->end() &&
        first->get<std::uint64_t>() > last->get<std::uint64_t>())
        throw Refused("refused.view.marked"_t, {{"file", shown(place)}}, ErrorCode::World);
}

}  // namespace kv
