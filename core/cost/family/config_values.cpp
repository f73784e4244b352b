#include "core/cost/family/config_values.hpp"

#include <cstdlib>

#include "core/base/error.hpp"

namespace kv {
namespace {

std::vector<std::string> split_at(std::string_view text, char separator) {
    std::vector<std::string> parts;
    std::string part;
    for (const char c : text) {
        if (c != separator && c != '\n') {
            part += c;
            continue;
        }
        if (!part.empty()) parts.push_back(part);
        part.clear();
    }
    if (!part.empty()) parts.push_back(part);
    return parts;
}

ConfigScalar scalar_of(const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (!text.empty() && *end == '\0') return number;
    return text;
}

std::vector<ConfigScalar> list_of(const std::string& text) {
    std::vector<ConfigScalar> list;
    for (const std::string& entry : split_at(text, ',')) {
        const std::size_t star = entry.rfind('*');
        const bool repeated = star != std::string::npos && star > 0 && star + 1 < entry.size();
        const long times = repeated ? std::atol(entry.c_str() + star + 1) : 1;
        for (long i = 0; i < times; ++i) {
            list.push_back(scalar_of(repeated ? entry.substr(0, star) : entry));
        }
    }
    return list;
}

}  // namespace

ConfigValues config_values(std::string_view text) {
    ConfigValues values;
    for (const std::string& field : split_at(text, ' ')) {
        const std::size_t equals = field.find('=');
        KV_ASSERT(equals != std::string::npos && equals > 0);
        const std::string name = field.substr(0, equals), value = field.substr(equals + 1);
        if (value == "null") {
            values[name] = ConfigNull{};
        } else if (value.find(',') != std::string::npos) {
            values[name] = list_of(value);
        } else {
            const ConfigScalar scalar = scalar_of(value);
            if (const double* number = std::get_if<double>(&scalar)) values[name] = *number;
            if (const auto* word = std::get_if<std::string>(&scalar)) values[name] = *word;
        }
    }
    return values;
}

}  // namespace kv
