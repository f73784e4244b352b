#pragma once
// What a line of `kvarium attach` asks for, read and checked before anything is connected to.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/attach/client.hpp"
#include "app/cli/terminal/command.hpp"
#include "core/attach/tank/tank.hpp"

namespace kv {

class TokenWords;

struct AttachInput {
    std::string address;        // as it was typed
    bool is_recording = false;  // the address is a file, or the name of a made-up hour
    AttachPlan plan = {};
    TankSettings tank = {};
    std::optional<std::uint64_t> pool = {};
    std::optional<std::string> record = {};
    std::optional<double> for_s = {};
    std::optional<std::uint64_t> until_sequence = {};
    std::shared_ptr<const TokenWords> words = {};   // null: ids stay numbers
    std::optional<std::int64_t> against_rank = {};  // compared with rank 0
    std::shared_ptr<const AttachInput> against =
        {};  // another server that this one is compared with
    bool show_tokens = false, quiet = false, json = false;
};

const std::vector<OptionSpec>& attach_options();
AttachInput read_attach(const GivenOptions& given, const CommonOptions& common);

}  // namespace kv
