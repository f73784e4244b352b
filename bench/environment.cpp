#include "bench/environment.hpp"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <thread>
#include <vector>

#include "app/cli/terminal/version.hpp"

namespace kv::bench {
namespace {

constexpr std::string_view kInstructionSets[] = {
    "sse4_2", "avx", "avx2", "fma", "f16c", "avx512f", "avx512_bf16", "avx_vnni", "amx_bf16"};

std::string read_text(const char* path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

// "model name : Example 9000" -> "Example 9000", of the first line that starts with `key`.
std::string value_of(const std::string& cpuinfo, const std::string& key) {
    std::istringstream lines(cpuinfo);
    for (std::string line; std::getline(lines, line);) {
        if (line.compare(0, key.size(), key) != 0) continue;
        const std::size_t start = line.find_first_not_of(" \t", line.find(':') + 1);
        return start == std::string::npos ? "" : line.substr(start);
    }
    return "unknown";
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[16];
    std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
    return text;
}

std::string on_one_line(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    for (std::size_t at; (at = text.find('\n')) != std::string::npos;) text.replace(at, 1, ", ");
    return text;
}

}  // namespace

std::string cpu_name(const std::string& cpuinfo) {
    return value_of(cpuinfo, "model name");
}

std::string instruction_sets(const std::string& cpuinfo) {
    std::istringstream flags(value_of(cpuinfo, "flags"));
    const std::vector<std::string> all{std::istream_iterator<std::string>(flags), {}};
    std::string found;
    for (const std::string_view name : kInstructionSets) {
        if (std::find(all.begin(), all.end(), name) == all.end()) continue;
        found += (found.empty() ? "" : " ") + std::string(name);
    }
    return found;
}

Environment this_environment() {
    const std::string cpuinfo = read_text("/proc/cpuinfo");
    const std::string load = read_text("/proc/loadavg");
    return {.date = today(),
            .cpu = cpu_name(cpuinfo),
            .instruction_sets = instruction_sets(cpuinfo),
            .threads = std::thread::hardware_concurrency(),
            .load = load.substr(0, load.find(' ')),
            .program = on_one_line(build_text() + libraries())};
}

}  // namespace kv::bench
