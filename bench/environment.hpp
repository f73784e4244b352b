#pragma once
// The machine that the numbers belong to: without it they mean nothing.

#include <string>

namespace kv::bench {

struct Environment {
    std::string date;  // UTC, "2026-01-31"
    std::string cpu;   // as the system names it
    // The ones that some code path of ours or of the renderer may pick.
    std::string instruction_sets;
    unsigned threads = 0;
    // One-minute average before the first measurement: an idle machine has about 0.
    std::string load;
    std::string program;  // version, commit, build type
};
Environment this_environment();

// Out of the text of /proc/cpuinfo.
std::string cpu_name(const std::string& cpuinfo);
std::string instruction_sets(const std::string& cpuinfo);

}  // namespace kv::bench
