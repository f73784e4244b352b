#pragma once
// A number that may be missing, as JSON: or_null<ordered_json>(value).

#include <optional>

namespace kv {

template <class Json, class T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

}  // namespace kv
