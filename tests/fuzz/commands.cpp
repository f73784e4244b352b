// The words of the palette and of scripts: parse(print(c)) == c for whatever was read.

#include "app/shell/commands.hpp"

#include <optional>
#include <string>

#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using kv::fuzz::expect;
    std::string why;
    const std::optional<kv::Command> command =
        kv::parse_command(kv::fuzz::text_of(data, size), why);
    expect(command || !why.empty(), "a refused command has a reason");
    if (command)
        expect(kv::parse_command(kv::print(*command), why) == command, "a command reads back");
    return 0;
}
