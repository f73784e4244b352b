#pragma once
// Where this tree, its build and its program lie. Functions of one small file, not macros on the
// command line: so the compiler cache knows every other test again in another folder and preset.

#include <string>

namespace kv::test {

std::string source_dir();
std::string binary_dir();
std::string program_file();

}  // namespace kv::test
