#pragma once
// The lines that a key of a figure stands for, figure by figure; figure_beats.cpp joins each of
// these functions to the sample that it tells. Pure. Internal to the room.

#include "app/panels/code/beats.hpp"
#include "core/lesson/figures/facts.hpp"

namespace kv {

using CodeBeatList = std::vector<CodeBeat>;

CodeBeatList walk_through_table(const WalkFacts& facts, std::uint32_t key);
CodeBeatList split_of_node(const RadixFacts& facts, std::uint32_t key);
CodeBeatList prefix_in_tree(const RadixFacts& facts, std::uint32_t key);
CodeBeatList prefix_in_chain(const HashesFacts& facts, std::uint32_t key);
CodeBeatList heaviest_stay(const HeavyFacts& facts, std::uint32_t key);
CodeBeatList layer_of_map(const ChangedFacts& facts, std::uint32_t key);
CodeBeatList stage_of_step(const StagesFacts& facts, std::uint32_t key);
CodeBeatList codes_of_vector(const FieldsFacts& facts, std::uint32_t key);
CodeBeatList blocks_handed_out(const BlocksFacts& facts, std::uint32_t key);
CodeBeatList forked_table(const BlocksFacts& facts, std::uint32_t key);
CodeBeatList blocks_put_aside(const BlocksFacts& facts, std::uint32_t key);
CodeBeatList prompts_at_the_door(const BarsFacts& facts, std::uint32_t key);
CodeBeatList chunks_of_prompt(const BarsFacts& facts, std::uint32_t key);

}  // namespace kv
