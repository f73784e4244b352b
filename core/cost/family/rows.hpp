#pragma once
// The table of families in three parts. Internal to the families.

#include "core/cost/family/family.hpp"

namespace kv {

const std::vector<FamilyRow>& plain_family_rows();
const std::vector<FamilyRow>& expert_family_rows();
const std::vector<FamilyRow>& state_family_rows();

}  // namespace kv
