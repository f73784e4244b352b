#include "app/web/ask.hpp"

#include <limits>

#include "core/base/error.hpp"
#include "core/base/files/json.hpp"

namespace kv {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const char* what) {
    throw Error(ErrorCode::Usage, std::string(what) + "; the page's own documentation says how.");
}

std::vector<std::string> texts_in(const json& list, const char* what) {
    if (!list.is_array()) refuse(what);
    std::vector<std::string> texts;
    for (const json& text : list) {
        if (!text.is_string()) refuse(what);
        texts.push_back(text.get<std::string>());
    }
    return texts;
}

std::optional<std::string> text_at(const json& ask, const char* key) {
    const auto found = ask.find(key);
    if (found == ask.end() || found->is_null()) return std::nullopt;
    if (!found->is_string()) refuse("a name in the address is no text");
    return found->get<std::string>();
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
    return texts_in(parsed_json(text), "kvarium.cli takes a list of words, each a text");
}

PageAsk page_ask(std::string_view text) {
    const json ask = parsed_json(text);
    if (!ask.is_object()) refuse("what the page is asked for is no object of JSON");
    PageAsk page;
    page.window.scene = text_at(ask, "scene");
    page.window.layout = text_at(ask, "layout").value_or("");
    page.window.theme = text_at(ask, "theme").value_or("");
    page.only = text_at(ask, "only");
    if (const auto step = ask.find("step"); step != ask.end() && !step->is_null()) {
        if (!step->is_number_unsigned() ||
            step->get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
            refuse("the step in the address is no whole number");
        page.window.step = step->get<std::uint32_t>();
    }
    if (const auto commands = ask.find("commands"); commands != ask.end())
        page.window.commands = texts_in(*commands, "commands is a list of texts");
    return page;
}

}  // namespace kv
