#pragma once
// nlohmann JSON as every file includes it. Its two kinds, with their parser and their writer, are
// compiled once, in json.cpp: each library that compiled them again would take three seconds
// longer.

#include <nlohmann/json.hpp>
#include <string_view>

extern template nlohmann::json::basic_json(initializer_list_t, bool, value_t);
extern template nlohmann::json::basic_json(const nlohmann::json&);
extern template nlohmann::json::string_t nlohmann::json::dump(int, char, bool,
                                                              error_handler_t) const;
extern template void nlohmann::json::json_value::destroy(value_t);
extern template nlohmann::ordered_json::basic_json(initializer_list_t, bool, value_t);
extern template nlohmann::ordered_json::basic_json(const nlohmann::ordered_json&);
extern template nlohmann::ordered_json::string_t nlohmann::ordered_json::dump(
    int, char, bool, error_handler_t) const;
extern template void nlohmann::ordered_json::json_value::destroy(value_t);

namespace kv {

// `is_discarded()` where the text is no JSON. What strangers wrote goes through strict_json.hpp.
nlohmann::json parsed_json(std::string_view text);
nlohmann::ordered_json parsed_ordered_json(std::string_view text);

}  // namespace kv
