#pragma once
// Recordings that are made when they are asked for, by a name in place of a file:
//
//   service:pool=1200                          an hour of the service of service.hpp
//   service:pool=1200,seed=3,seconds=600       with rate=, block= and tokens as well
//
// The same name is the same bytes on every machine, so a lesson or a command line can name an hour
// that nobody had to record, send or keep.

#include <functional>
#include <string>
#include <string_view>

#include "core/whatif/record/service.hpp"

namespace kv {

bool is_made_up(std::string_view name);

// Throws kv::Error (Usage) for a name that is none, and for an hour that is too long to make.
ServiceRules made_up_service(const std::string& name);

// Lines of the recording; false when `go_on`, which is told how much is done, said no.
bool make_up(const std::string& name, const std::function<bool(double)>& go_on,
             const std::function<void(std::string_view)>& take);

}  // namespace kv
