#pragma once
// What was looked at while the cursor stands before its request came. Pure.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "app/panels/view/focus.hpp"

namespace kv {

class AwayFocus {
public:
    // While the request in focus is not there yet, the first one takes its place, until it is there
    // again or another one is chosen: so a step back and forward shows the same picture twice.
    void settle(std::uint64_t run, std::size_t n_requests, RunFocus& focus);

private:
    std::uint64_t run_ = 0;
    struct Away {
        SeqId request;
        std::optional<std::uint32_t> token;
    };
    std::optional<Away> away_;
};

}  // namespace kv
