#pragma once
// Pictures of lessons: one step, or all of them at once.

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/options.hpp"
#include "app/cli/shot.hpp"

namespace kv {

// "--lesson 8 --step 3" as the command that opens it; nothing without --lesson.
std::optional<std::string> lesson_command(const GivenOptions& given);

// Every step as NN-STEP-ID.png in --out-dir, before its reveal and, where it has one, after it.
int shot_all_lessons(const ShotOptions& options, std::optional<std::uint64_t> lesson);

}  // namespace kv
