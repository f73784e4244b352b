#include "core/model/available_memory.hpp"

#include <algorithm>
#include <fstream>

namespace kv {
namespace {

// One part in sixteen of what Linux estimates is left alone: the estimate is hopeful, other
// programs grow while this one runs, and who takes the last page is ended without a word.
constexpr u64 kLeftAlone = 16;

std::optional<u64> first_number(const std::string& path) {
    std::ifstream file(path);
    u64 number = 0;
    if (file >> number) return number;
    return std::nullopt;
}

// "name 123" on a line of its own.
u64 line_of(const std::string& path, const std::string& wanted) {
    std::ifstream lines(path);
    std::string name;
    u64 number = 0;
    while (lines >> name >> number)
        if (name == wanted) return number;
    return 0;
}

std::optional<u64> of_system(const std::string& meminfo) {
    std::ifstream lines(meminfo);
    std::string name, unit;
    u64 amount = 0;
    // "MemAvailable:   12345678 kB", where a kB has 1,024 bytes.
    while (lines >> name >> amount) {
        std::getline(lines, unit);
        if (name == "MemAvailable:") return checked_mul(amount, 1024);
    }
    return std::nullopt;
}

// What one group leaves; files that were read count as used there and are given back at need.
std::optional<u64> of_group(const std::string& folder) {
    const auto limit = first_number(folder + "/memory.max");  // "max" is no number: no limit
    const auto used = first_number(folder + "/memory.current");
    if (!limit || !used) return std::nullopt;
    const u64 files = line_of(folder + "/memory.stat", "inactive_file");
    const u64 kept = *used - std::min(*used, files);
    return *limit - std::min(*limit, kept);
}

// "0::/a/b" is the line of version 2; a limit of any group above holds, too.
std::optional<u64> of_groups(const MemoryPlaces& places) {
    std::ifstream lines(places.own_group);
    std::string path;
    while (std::getline(lines, path) && path.rfind("0::/", 0) != 0) path.clear();
    if (path.empty()) return std::nullopt;
    path.erase(0, std::string("0::").size());
    std::optional<u64> least;
    for (;;) {
        if (const auto left = of_group(places.groups + path))
            least = std::min(*left, least.value_or(*left));
        if (path.empty()) return least;
        path.erase(path.rfind('/'));
    }
}

}  // namespace

std::optional<u64> available_memory(const MemoryPlaces& places) {
    auto all = of_system(places.meminfo);
    const auto groups = of_groups(places);
    if (groups) all = std::min(*groups, all.value_or(*groups));
    if (all) *all -= *all / kLeftAlone;
    return all;
}

}  // namespace kv
