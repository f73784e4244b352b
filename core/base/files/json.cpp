#include "core/base/files/json.hpp"

template nlohmann::json::basic_json(initializer_list_t, bool, value_t);
template nlohmann::json::basic_json(const nlohmann::json&);
template nlohmann::json::string_t nlohmann::json::dump(int, char, bool, error_handler_t) const;
template void nlohmann::json::json_value::destroy(value_t);
template nlohmann::ordered_json::basic_json(initializer_list_t, bool, value_t);
template nlohmann::ordered_json::basic_json(const nlohmann::ordered_json&);
template nlohmann::ordered_json::string_t nlohmann::ordered_json::dump(int, char, bool,
                                                                       error_handler_t) const;
template void nlohmann::ordered_json::json_value::destroy(value_t);

namespace kv {

nlohmann::json parsed_json(std::string_view text) {
    return nlohmann::json::parse(text, nullptr, false);
}

nlohmann::ordered_json parsed_ordered_json(std::string_view text) {
    return nlohmann::ordered_json::parse(text, nullptr, false);
}

}  // namespace kv
