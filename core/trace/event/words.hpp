#pragma once
// The small enumerations of events, and their words in files.

#include <cstdint>
#include <optional>
#include <string_view>

namespace kv {

enum class Finish : std::uint8_t { Length, StopToken, StopText, Refused, Stopped };
enum class Medium : std::uint8_t { Device, Host, File };

// The parts of a pass, in the order in which a decoder makes them.
enum class Op : std::uint8_t {
    Embed,
    Project,  // norm, then queries, keys and values
    Rotate,
    Append,
    Attend,
    Output,  // heads joined, projected, added
    Mlp,
    Logits,
    Sample,
};

std::string_view name_of(Finish finish);  // "stop_token"
std::string_view name_of(Medium medium);
std::string_view name_of(Op op);

// The value with that name; nothing for a word that is none of them.
std::optional<Finish> finish_named(std::string_view name);
std::optional<Medium> medium_named(std::string_view name);
std::optional<Op> op_named(std::string_view name);

}  // namespace kv
