#pragma once
// What a line of `kvarium calc` asks, once its options are understood.

#include <optional>
#include <string>
#include <vector>

#include "app/cli/terminal/options.hpp"
#include "core/base/numbers/units.hpp"
#include "core/cost/bill.hpp"

namespace kv {

struct CalcInput {
    BillRequest request;
    std::string source;                 // "preset", "config" or "shape"
    std::string name, title;            // of the model
    std::string family;                 // the config's model_type; "" for others
    std::vector<std::string> notes;     // what the reader should know besides the numbers
    std::optional<ByteSize> pool_size;  // as it was written
    std::optional<ByteSize> device_size, weight_size;
};

const std::vector<OptionSpec>& calc_options();
// Refuses what is no preset with the nearest name that is one.
ModelShape named_preset(const std::string& name);
CalcInput read_calc(const GivenOptions& given);  // throws kv::Error

}  // namespace kv
