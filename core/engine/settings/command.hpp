#pragma once
// What can be asked of a run between two iterations, in the words of scenes, the palette and the
// window. print() and parse() are each other's inverse.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace kv {

struct SetSetting {  // set k_codec f32
    std::string name, value;
    friend bool operator==(const SetSetting&, const SetSetting&) = default;
};
struct StopRequest {  // stop A
    std::string name;
    friend bool operator==(const StopRequest&, const StopRequest&) = default;
};
struct PauseRequest {  // pause A
    std::string name;
    friend bool operator==(const PauseRequest&, const PauseRequest&) = default;
};
struct ResumeRequest {  // resume A
    std::string name;
    friend bool operator==(const ResumeRequest&, const ResumeRequest&) = default;
};
struct ForkRequest {  // fork A B
    std::string parent, name;
    friend bool operator==(const ForkRequest&, const ForkRequest&) = default;
};
struct SetPriority {  // priority A -3
    std::string name;
    std::int32_t priority = 0;
    friend bool operator==(const SetPriority&, const SetPriority&) = default;
};
struct AddRequest {  // add D Greta put the key in the barn.
    std::string name, prompt;
    friend bool operator==(const AddRequest&, const AddRequest&) = default;
};
struct ClearPrefixes {  // clear
    friend bool operator==(const ClearPrefixes&, const ClearPrefixes&) = default;
};

using EngineCommand = std::variant<SetSetting, StopRequest, PauseRequest, ResumeRequest,
                                   ForkRequest, SetPriority, AddRequest, ClearPrefixes>;

std::string print(const EngineCommand& command);
// On a refusal `why` says what is wrong with the text.
std::optional<EngineCommand> parse_engine_command(std::string_view text, std::string& why);

}  // namespace kv
