#pragma once
// The functions of the lesson language that depend on their arguments alone: the cost model, the
// layout, the codecs, the prefix tree, the allocator race, and lists. What reads a run is in
// evaluate.hpp. Every function is a row of a table with a line of help, which `kvarium lessons
// --functions` prints for authors.

#include <functional>
#include <span>
#include <string_view>

#include "core/lesson/language/arguments.hpp"
#include "core/lesson/language/value.hpp"
#include "core/sim/allocator.hpp"
#include "core/sim/workload.hpp"

namespace kv {

struct LessonFunction {
    std::string_view name, arguments, help;
    LessonValue (*call)(LessonArguments& arguments);
};

std::span<const LessonFunction> cost_functions();   // functions/cost.cpp
std::span<const LessonFunction> work_functions();   // functions/work.cpp
std::span<const LessonFunction> cache_functions();  // functions/cache.cpp
std::span<const LessonFunction> codec_functions();  // functions/codec.cpp
std::span<const LessonFunction> sim_functions();    // functions/sim.cpp
std::span<const LessonFunction> list_functions();   // functions/list.cpp
std::span<const LessonFunction> strip_functions();  // functions/strips.cpp

// Arguments of the race, for whoever lets rules race as well: requests=[[prompt, output], ...], and
// the rule of that name. functions/sim.cpp
Workload requests_of(LessonArguments& arguments);
AllocatorKind allocator_named(LessonArguments& arguments, const std::string& name);

const LessonFunction* find_function(std::string_view name);
void each_function(const std::function<void(const LessonFunction&)>& visit);

}  // namespace kv
