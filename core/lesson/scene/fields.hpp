#pragma once
// One JSON object of a scene, read field by field: types and ranges are checked as a field is asked
// for, and what nobody asked for is refused at the end. Every refusal names the place. Internal to
// the scene reader.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

class SceneFields {
public:
    // `file` and `path` name the object: "first.kvscene", "requests[2]".
    SceneFields(const nlohmann::json& object, std::string file, std::string path);

    const nlohmann::json* any(std::string_view name);  // or null when it is absent
    std::optional<std::string> text(std::string_view name);
    std::optional<std::uint64_t> whole(std::string_view name, std::uint64_t min, std::uint64_t max);
    std::optional<std::int64_t> whole_signed(std::string_view name, std::int64_t most);
    std::optional<double> number(std::string_view name, double min, double max);
    std::vector<std::uint32_t> tokens(std::string_view name);
    std::vector<std::string> texts(std::string_view name);
    const nlohmann::json* list(std::string_view name);

    void refuse_unknown() const;
    [[noreturn]] void refuse(std::string_view name, const std::string& rule,
                             const std::string& advice) const;
    std::string path_of(std::string_view name) const;
    const std::string& file() const { return file_; }

private:
    const nlohmann::json& object_;
    std::string file_, path_;
    std::set<std::string, std::less<>> asked_;
};

}  // namespace kv
