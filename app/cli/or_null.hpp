#pragma once
// A number that may be missing, as JSON.

#include <nlohmann/json.hpp>
#include <optional>

namespace kv {

template <class T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace kv
