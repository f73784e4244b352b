#include "core/model/available_memory.hpp"

#include <fstream>

namespace kv {

std::optional<u64> available_memory(const std::string& meminfo) {
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

}  // namespace kv
