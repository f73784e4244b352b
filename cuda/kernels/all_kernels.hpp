#pragma once
// Every kernel by name, so that whoever starts kernels (a card, or the CPU in a card's place) needs
// one function for all of them.

#include <variant>

#include "cuda/kernels/attention_decode/v1_three_kernels.hpp"
#include "cuda/kernels/attention_decode/v2_online.hpp"
#include "cuda/kernels/attention_decode/v3_grouped.hpp"
#include "cuda/kernels/attention_decode/v4_split.hpp"
#include "cuda/kernels/attention_decode/v5_staged.hpp"
#include "cuda/kernels/attention_decode/v6_ticket.hpp"
#include "cuda/kernels/attention_listed/judge_blocks.hpp"
#include "cuda/kernels/attention_listed/v1_listed.hpp"
#include "cuda/kernels/attention_prefill/v1_tile.hpp"
#include "cuda/kernels/blocks/copy_block.hpp"
#include "cuda/kernels/blocks/multiply_all.hpp"
#include "cuda/kernels/blocks/read_all.hpp"
#include "cuda/kernels/elementwise/argmax.hpp"
#include "cuda/kernels/elementwise/embed.hpp"
#include "cuda/kernels/elementwise/rms_norm.hpp"
#include "cuda/kernels/matmul/v1_thread_per_output.hpp"
#include "cuda/kernels/matmul/v2_warp_per_output.hpp"
#include "cuda/kernels/matmul/v3_tile.hpp"
#include "cuda/kernels/residual/v1_residual.hpp"
#include "cuda/kernels/rope_append/angles.hpp"
#include "cuda/kernels/rope_append/v1_separate.hpp"
#include "cuda/kernels/rope_append/v2_fused.hpp"

namespace kv::gpu {

using AnyKernel =
    std::variant<Embed, Angles, RmsNorm, MatmulThreadPerOutput, MatmulWarpPerOutput, MatmulTile,
                 RotateHeads, HadamardHeads, TakeScale, AppendHeads, RopeQuantizeAppend,
                 KeepResidual, DecodeScores, DecodeSoftmax, DecodeWeighValues, DecodeOnline,
                 DecodeGrouped, DecodeSplit, MergeSplits, DecodeStaged<AnyCoded>,
                 DecodeTicket<AnyCoded>, DecodeTicket<Bf16Coded>, DecodeTicket<Fp8E4m3Coded>,
                 DecodeTicket<IntCoded<8>>, DecodeTicket<IntCoded<4>>, PrefillTile, ListedAttention,
                 JudgeBlocks, CopyBlock, ReadAll, MultiplyAll, Argmax>;

}  // namespace kv::gpu
