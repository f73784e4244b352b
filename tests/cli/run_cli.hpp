#pragma once
// Runs the built program as a user would and keeps what it said.

#include <map>
#include <string>
#include <vector>

#include "tests/places.hpp"
#include "tests/scratch.hpp"

namespace kv::test {

struct Ran {
    int code = -1;  // 128 + signal when a signal ended it
    std::string out, err;
};

// `environment` is added to our own.
Ran run_cli(const std::vector<std::string>& arguments,
            const std::map<std::string, std::string>& environment = {});

// Runs a shell line in which $KV is the program.
Ran run_shell(const std::string& line);

std::size_t count_lines(const std::string& text);

// It ends with this code, writes nothing, and says why in one line that holds `part`.
void check_refused(const std::vector<std::string>& words, int code, const std::string& part);

// Two layers, two KV heads of 8: in bf16 2 x 2 x 2 x 8 x 2 = 128 bytes a token, 32 for each KV
// head of each layer.
inline const std::string kModel = kv::test::source_dir() + "/tests/engine/fixtures/llama_gqa";

std::string read_text(const std::string& path);

}  // namespace kv::test
