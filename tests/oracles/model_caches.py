#!/usr/bin/env python3
"""Measures what the classes of `transformers` keep and hold for small random configs of each family.

One line of JSON a config: the config, the model's own count of parameters, and for some lengths the bytes that each
layer's cache has after that many tokens ("kept": keys and values; "states": the rest, which must be alike at all
lengths). "slots" are those of a StaticCache of the given length: between two steps a window may let its oldest token
go, a static cache has a slot for it. Half of the configs are written as they were asked for, so that defaults and old
names count; the others as the class writes them.
"""
import argparse
import json
import random
import sys
import warnings

import torch
import transformers
from transformers import CONFIG_MAPPING, AutoModelForCausalLM, DynamicCache, StaticCache

warnings.filterwarnings("ignore")
transformers.logging.set_verbosity_error()
torch.manual_seed(1)


def heads(r, most=4):
    kv = r.choice([1, 2, most])
    return kv * r.choice([1, 2, 3]), kv


def common(r, layers=None):
    n, kv = heads(r)
    dim = r.choice([8, 16])
    return dict(hidden_size=n * 16, intermediate_size=r.choice([24, 48, 72]),
                num_hidden_layers=layers or r.randint(2, 6), num_attention_heads=n, num_key_value_heads=kv,
                vocab_size=r.choice([50, 64, 99]), max_position_embeddings=256,
                tie_word_embeddings=r.random() < .5)


def maybe(r, **kw):
    return {k: v for k, v in kw.items() if r.random() < .6}


def free_dim(r):
    return maybe(r, head_dim=r.choice([8, 24, 32]))


def window(r):
    return dict(sliding_window=r.choice([4, 7, 16]))


def types(r, n, *kinds):
    if r.random() < .4:
        return {}
    t = [r.choice(kinds) for _ in range(n)]
    for i, k in enumerate(kinds[:n]):
        t[i] = k
    r.shuffle(t)
    return dict(layer_types=t)


def experts(r, name="num_local_experts"):
    n = r.choice([2, 4, 5])
    return {name: n, "num_experts_per_tok": r.randint(1, 2)}


def llama(r):
    return common(r) | free_dim(r) | maybe(r, attention_bias=True, mlp_bias=True)


def llama4_text(r):
    c = common(r) | free_dim(r) | experts(r)
    c["intermediate_size_mlp"] = r.choice([40, 56])
    c["attention_chunk_size"] = r.choice([4, 8, 16])
    c["use_qk_norm"] = r.random() < .5
    c["head_dim"] = r.choice([8, 16])
    c |= types(r, c["num_hidden_layers"], "chunked_attention", "full_attention")
    if "layer_types" not in c:
        c |= maybe(r, no_rope_layer_interval=r.choice([2, 3]))
    c |= maybe(r, attention_bias=True)
    c |= r.choice([{}, dict(interleave_moe_layer_step=2), dict(moe_layers=[0])])
    return c


def mistral(r):
    c = common(r) | free_dim(r)
    return c | r.choice([dict(sliding_window=None), window(r)])


def mixtral(r):
    return mistral(r) | experts(r)


def ministral(r):
    c = common(r) | dict(head_dim=r.choice([16, 32])) | window(r)
    return c | types(r, c["num_hidden_layers"], "sliding_attention", "full_attention")


def ministral3(r):
    return mistral(r) | dict(head_dim=r.choice([16, 32]))


def qwen2(r):
    c = common(r)
    if r.random() < .6:
        c |= window(r) | dict(use_sliding_window=True, max_window_layers=r.randint(0, 3))
    return c


def qwen2_moe(r):
    c = qwen2(r) | experts(r, "num_experts")
    c |= dict(moe_intermediate_size=r.choice([16, 24]), shared_expert_intermediate_size=r.choice([16, 40]))
    c |= maybe(r, decoder_sparse_step=2, mlp_only_layers=[1], qkv_bias=False)
    return c


def qwen3(r):
    return qwen2(r) | maybe(r, head_dim=r.choice([16, 32]), attention_bias=True)


def qwen3_moe(r):
    c = common(r) | experts(r, r.choice(["num_experts", "num_local_experts"]))
    c |= dict(moe_intermediate_size=r.choice([16, 24]))
    c |= maybe(r, decoder_sparse_step=2, mlp_only_layers=[1], attention_bias=True, head_dim=32)
    if r.random() < .4:
        c |= window(r) | dict(use_sliding_window=True)
    return c


def qwen3_next(r):
    c = common(r) | experts(r, "num_experts")
    c["head_dim"] = r.choice([16, 32])
    c |= dict(moe_intermediate_size=16, shared_expert_intermediate_size=r.choice([16, 24]),
              linear_conv_kernel_dim=r.choice([3, 4]), linear_key_head_dim=8, linear_value_head_dim=r.choice([8, 16]),
              linear_num_key_heads=2, linear_num_value_heads=r.choice([2, 4]))
    c |= maybe(r, decoder_sparse_step=2, mlp_only_layers=[1], attention_bias=True)
    c["num_hidden_layers"] = r.randint(4, 6)
    t = types(r, c["num_hidden_layers"], "linear_attention", "full_attention")
    if not t and r.random() < .5:
        t = dict(full_attention_interval=r.choice([2, 3]))
    return c | t


def gemma(r):
    return common(r) | dict(head_dim=r.choice([16, 32])) | maybe(r, attention_bias=True)


def gemma2(r):
    c = gemma(r) | window(r)
    return c | types(r, c["num_hidden_layers"], "sliding_attention", "full_attention")


def gemma3_text(r):
    c = gemma2(r)
    if "layer_types" not in c:
        c |= maybe(r, sliding_window_pattern=r.choice([2, 3]))
    return c


def gemma3n_text(r):
    c = gemma(r) | window(r)
    n = c["num_hidden_layers"] = r.randint(4, 7)
    c |= dict(hidden_size_per_layer_input=r.choice([8, 16]), vocab_size_per_layer_input=40, altup_num_inputs=r.choice([2, 3]),
              num_kv_shared_layers=r.choice([0, 1, 2]), laurel_rank=r.choice([4, 8]), activation_sparsity_pattern=None,
              intermediate_size=r.choice([48, [24 + 8 * (i % 2) for i in range(n)]]))
    t = [r.choice(["sliding_attention", "full_attention"]) for _ in range(n)]
    t[0], t[1] = "sliding_attention", "full_attention"
    return c | dict(layer_types=t, attention_bias=False)


def gpt_oss(r):
    c = common(r) | window(r) | experts(r) | dict(head_dim=r.choice([16, 32]))
    return c | types(r, c["num_hidden_layers"], "sliding_attention", "full_attention") | maybe(r, attention_bias=False)


def phi(r):
    c = common(r)
    return c | maybe(r, qk_layernorm=True)


def phi3(r):
    return common(r) | r.choice([{}, window(r)]) | dict(pad_token_id=0)


def phimoe(r):
    return common(r) | experts(r) | maybe(r, attention_bias=True, lm_head_bias=True, sliding_window=6)


def olmo2(r):
    return common(r) | maybe(r, attention_bias=True) | dict(pad_token_id=0, eos_token_id=1)


def olmo3(r):
    c = olmo2(r) | window(r)
    return c | types(r, c["num_hidden_layers"], "sliding_attention", "full_attention")


def smollm3(r):
    c = common(r) | dict(pad_token_id=0) | maybe(r, attention_bias=True, mlp_bias=True)
    if r.random() < .5:
        c |= window(r) | dict(use_sliding_window=True)
        c |= maybe(r, no_rope_layer_interval=2)
        c |= types(r, c["num_hidden_layers"], "sliding_attention", "full_attention")
    return c


def granite(r):
    return common(r) | maybe(r, attention_bias=True, mlp_bias=True)


def granitemoe(r):
    return common(r) | experts(r) | maybe(r, attention_bias=True)


def mamba2_dims(r, hidden, expand):
    inner = expand * hidden
    d = r.choice([8, 16])
    return inner // d, d


def granitemoehybrid(r):
    c = common(r, r.randint(3, 6)) | experts(r) | maybe(r, attention_bias=True)
    if r.random() < .3:
        c["num_local_experts"] = 0
    h, d = mamba2_dims(r, c["hidden_size"], 2)
    c |= dict(shared_intermediate_size=r.choice([24, 40]), mamba_n_heads=h, mamba_d_head=d, mamba_n_groups=r.choice([1, 2]) if h % 2 == 0 else 1,
              mamba_d_state=r.choice([8, 16]), mamba_d_conv=r.choice([3, 4]), mamba_chunk_size=8)
    c |= maybe(r, mamba_proj_bias=True, mamba_conv_bias=False)
    n = c["num_hidden_layers"]
    t = [r.choice(["mamba", "attention"]) for _ in range(n)]
    t[1], t[0] = "attention", "mamba"
    if r.random() < .5:
        return c | dict(layer_types=t)
    return c | dict(layers_block_type=t) if r.random() < .5 else c | dict(layer_types=["linear_attention" if x == "mamba" else "full_attention" for x in t])


def cohere(r):
    return common(r) | maybe(r, attention_bias=True, use_qk_norm=True) | dict(pad_token_id=0, bos_token_id=1, eos_token_id=2)


def cohere2(r):
    c = common(r) | maybe(r, attention_bias=True) | window(r) | dict(pad_token_id=0, bos_token_id=1, eos_token_id=2) | free_dim(r)
    t = types(r, c["num_hidden_layers"], "sliding_attention", "full_attention")
    return c | (t or maybe(r, sliding_window_pattern=r.choice([2, 3])))


def latent(r):
    c = common(r)
    c["num_key_value_heads"] = c["num_attention_heads"]
    return c | dict(kv_lora_rank=r.choice([16, 24]), q_lora_rank=r.choice([None, 12]), qk_nope_head_dim=r.choice([8, 16]),
                    qk_rope_head_dim=r.choice([8, 16]), v_head_dim=r.choice([8, 16]), n_routed_experts=r.choice([4, 8]),
                    n_shared_experts=r.choice([1, 2]), num_experts_per_tok=2, moe_intermediate_size=r.choice([16, 24]),
                    first_k_dense_replace=r.choice([0, 1, 2]), n_group=1, topk_group=1) | maybe(r, attention_bias=True)


def deepseek_v2(r):
    return latent(r) | dict(topk_method="greedy", norm_topk_prob=False)


def deepseek_v3(r):
    return latent(r)


def deepseek_v32(r):
    c = latent(r)
    c["q_lora_rank"] = 12
    return c | dict(index_topk=r.choice([4, 8]), index_head_dim=c["qk_rope_head_dim"] + r.choice([8, 16]), index_n_heads=r.choice([2, 4]))


def glm4(r):
    return common(r) | maybe(r, attention_bias=False) | dict(head_dim=r.choice([16, 32]), pad_token_id=0)


def glm4_moe(r):
    return common(r) | maybe(r, attention_bias=True, use_qk_norm=True, head_dim=32) | dict(
        n_routed_experts=r.choice([4, 8]), n_shared_experts=r.choice([1, 2]), num_experts_per_tok=2,
        moe_intermediate_size=r.choice([16, 24]), first_k_dense_replace=r.choice([0, 1, 2]), n_group=1, topk_group=1, pad_token_id=0)


def minimax(r):
    c = mixtral(r) | dict(block_size=r.choice([4, 8]))
    return c | types(r, c["num_hidden_layers"], "linear_attention", "full_attention") | dict(sliding_window=None)


def exaone4(r):
    c = common(r) | free_dim(r)
    w = r.random()
    if w < .3:
        return c | dict(sliding_window=None, layer_types=["full_attention"] * c["num_hidden_layers"])
    c |= window(r)
    t = types(r, c["num_hidden_layers"], "sliding_attention", "full_attention")
    return c | (t or dict(sliding_window_pattern=r.choice([2, 3])))


def starcoder2(r):
    return mistral(r) | maybe(r, use_bias=False)


def stablelm(r):
    return common(r) | maybe(r, use_qkv_bias=True, qk_layernorm=True, use_parallel_residual=True)


def falcon(r):
    c = common(r)
    kv = c.pop("num_key_value_heads")
    del c["intermediate_size"]
    form = r.choice(["7b", "rw", "40b"])
    c |= dict(bias=r.random() < .5, alibi=False)
    if form == "7b":
        c |= dict(multi_query=True, parallel_attn=True, new_decoder_architecture=False)
    elif form == "rw":
        c |= dict(multi_query=False, parallel_attn=r.random() < .5, new_decoder_architecture=False)
    else:
        c |= dict(new_decoder_architecture=True, num_kv_heads=kv) | maybe(r, num_ln_in_parallel_attn=1)
    return c | maybe(r, ffn_hidden_size=40)


def falcon_h1(r):
    c = common(r, r.randint(2, 4)) | maybe(r, attention_bias=True, mlp_bias=True, projectors_bias=True)
    c["head_dim"] = r.choice([8, 16, 32])
    ssm = r.choice([None, 32, 64])
    c |= dict(mamba_d_ssm=ssm, mamba_n_groups=r.choice([1, 2]), mamba_d_state=r.choice([8, 16]), mamba_d_conv=r.choice([3, 4]),
              mamba_expand=2, mamba_chunk_size=8, mamba_rms_norm=r.random() < .5)
    inner = ssm or 2 * c["hidden_size"]
    c |= dict(mamba_d_head=8, mamba_n_heads=inner // 8)
    return c | maybe(r, mamba_proj_bias=True, mamba_conv_bias=False)


def gpt2(r):
    n, _ = heads(r)
    return dict(n_embd=n * 16, n_layer=r.randint(2, 5), n_head=n, vocab_size=r.choice([50, 99]), n_positions=r.choice([128, 160]),
                tie_word_embeddings=r.random() < .5) | maybe(r, n_inner=40)


def gpt_neox(r):
    c = common(r)
    del c["num_key_value_heads"]
    return c | maybe(r, attention_bias=False, use_parallel_residual=False)


def bloom(r):
    n, _ = heads(r)
    return dict(hidden_size=n * 16, n_layer=r.randint(2, 5), n_head=n, vocab_size=r.choice([50, 99]), tie_word_embeddings=r.random() < .5)


def mamba(r):
    return dict(hidden_size=r.choice([32, 48]), num_hidden_layers=r.randint(2, 5), vocab_size=50, state_size=r.choice([4, 16]), expand=2,
                conv_kernel=r.choice([3, 4]), tie_word_embeddings=r.random() < .5) | maybe(r, use_bias=True, use_conv_bias=False, time_step_rank=r.choice([3, 5]))


def falcon_mamba(r):
    return mamba(r)


def glm4_moe_lite(r):
    c = latent(r)
    del c["first_k_dense_replace"]
    n = c["num_hidden_layers"]
    return c | dict(mlp_layer_types=["dense"] + ["sparse"] * (n - 1))


def mamba2(r):
    h = r.choice([32, 48])
    d = r.choice([8, 16])
    return dict(hidden_size=h, num_hidden_layers=r.randint(2, 5), vocab_size=50, state_size=r.choice([8, 16]), expand=2, head_dim=d,
                num_heads=2 * h // d, n_groups=r.choice([1, 2]), conv_kernel=r.choice([3, 4]), chunk_size=8,
                tie_word_embeddings=r.random() < .5) | maybe(r, use_bias=True, use_conv_bias=False)


def jamba(r):
    c = common(r, r.randint(4, 6)) | experts(r, "num_experts")
    c |= dict(mamba_d_state=r.choice([4, 16]), mamba_d_conv=r.choice([3, 4]), mamba_expand=2, use_mamba_kernels=False,
              attn_layer_period=r.choice([2, 3]), attn_layer_offset=1, expert_layer_period=2, expert_layer_offset=r.choice([0, 1]))
    return c | maybe(r, mamba_dt_rank=r.choice([3, 6]), mamba_proj_bias=True, mamba_conv_bias=False)


def bamba(r):
    c = common(r, r.randint(3, 6)) | maybe(r, attention_bias=True, mlp_bias=True)
    h, d = mamba2_dims(r, c["hidden_size"], 2)
    c |= dict(mamba_n_heads=h, mamba_d_head=d, mamba_n_groups=r.choice([1, 2]) if h % 2 == 0 else 1, mamba_d_state=r.choice([8, 16]),
              mamba_d_conv=r.choice([3, 4]), mamba_chunk_size=8, attn_layer_indices=[1])
    return c | maybe(r, mamba_proj_bias=True, mamba_conv_bias=False)


def nemotron_h(r):
    c = common(r)
    del c["num_hidden_layers"]
    h = r.choice([2, 4])
    c |= dict(head_dim=r.choice([16, 32]), ssm_state_size=r.choice([8, 16]), mamba_num_heads=h, mamba_head_dim=r.choice([8, 16]), n_groups=r.choice([1, 2]),
              conv_kernel=r.choice([3, 4]), chunk_size=8, n_routed_experts=4, n_shared_experts=1, moe_intermediate_size=24,
              moe_shared_expert_intermediate_size=r.choice([16, 32]), num_experts_per_tok=2, use_mamba_kernels=False)
    k = r.choice(["M*", "ME*-", "M-*M", "MEM*EM*-"])
    names = {"M": "mamba", "*": "attention", "E": "moe", "-": "mlp"}
    c |= dict(hybrid_override_pattern=k, num_hidden_layers=len(k)) if r.random() < .5 else dict(layers_block_type=[names[x] for x in k])
    return c | maybe(r, attention_bias=True, mlp_bias=True, use_bias=True, mamba_proj_bias=True, use_conv_bias=False)


def zamba2(r):
    n, _ = heads(r)
    h = n * 16
    d = r.choice([8, 16])
    c = dict(hidden_size=h, num_hidden_layers=4, layers_block_type=["mamba", "hybrid", "mamba", "hybrid"], num_attention_heads=n,
             num_key_value_heads=n, intermediate_size=r.choice([24, 40]), vocab_size=50, mamba_d_state=r.choice([8, 16]), mamba_d_conv=r.choice([3, 4]),
             mamba_expand=2, mamba_ngroups=r.choice([1, 2]), n_mamba_heads=2 * h // d, chunk_size=8, num_mem_blocks=r.choice([1, 2]),
             use_shared_attention_adapter=r.random() < .5, adapter_rank=r.choice([4, 8]), use_mem_rope=r.random() < .5, use_mamba_kernels=False,
             max_position_embeddings=256, tie_word_embeddings=True)
    return c | maybe(r, add_bias_linear=True, use_conv_bias=False)


def lfm2(r):
    c = common(r) | dict(conv_L_cache=r.choice([3, 4]), conv_bias=r.random() < .5, block_multiple_of=r.choice([8, 16]))
    c |= maybe(r, block_auto_adjust_ff_dim=False, block_ffn_dim_multiplier=1.5)
    n = c["num_hidden_layers"]
    return c | r.choice([dict(full_attn_idxs=[1]), dict(layer_types=["conv"] * (n - 1) + ["full_attention"])])


def rwkv(r):
    return dict(hidden_size=r.choice([32, 48]), num_hidden_layers=r.randint(2, 5), vocab_size=50, context_length=256,
                tie_word_embeddings=r.random() < .5) | maybe(r, intermediate_size=56)


def gemma4_text(r):
    n = r.choice([4, 6])
    c = dict(hidden_size=n * 16, intermediate_size=r.choice([24, 48]), num_hidden_layers=r.randint(3, 7), num_attention_heads=n,
             num_key_value_heads=2, head_dim=r.choice([16, 32]), global_head_dim=r.choice([16, 48]), vocab_size=r.choice([50, 99]),
             vocab_size_per_layer_input=40, hidden_size_per_layer_input=r.choice([0, 8]), max_position_embeddings=256,
             tie_word_embeddings=r.random() < .7) | window(r)
    layers = c["num_hidden_layers"]
    c |= types(r, layers, "sliding_attention", "full_attention")
    if "layer_types" in c:  # the class makes the last one full
        c["layer_types"][-1] = "full_attention"
        if "sliding_attention" not in c["layer_types"]:
            c["layer_types"][0] = "sliding_attention"
    if r.random() < .5:
        c |= dict(attention_k_eq_v=True, num_global_key_value_heads=1)
    if r.random() < .4:
        c |= dict(enable_moe_block=True, num_experts=4, top_k_experts=2, moe_intermediate_size=16)
    elif "layer_types" in c and r.random() < .7:
        c["layer_types"], c["hidden_size_per_layer_input"] = ["full_attention", "sliding_attention"] * 4, 8
        c |= dict(num_hidden_layers=8, num_kv_shared_layers=r.choice([2, 4]), use_double_wide_mlp=r.random() < .5)
        c["layer_types"][-1] = "full_attention"
    return c | maybe(r, attention_bias=True)


def qwen3_5_text(r):
    c = qwen3_next(r)
    for name in ("num_experts", "num_experts_per_tok", "moe_intermediate_size", "shared_expert_intermediate_size", "decoder_sparse_step",
                 "mlp_only_layers"):
        c.pop(name, None)
    return c


def qwen3_5_moe_text(r):
    c = qwen3_next(r)
    for name in ("decoder_sparse_step", "mlp_only_layers", "intermediate_size"):
        c.pop(name, None)
    return c


def kimi_linear(r):
    c = common(r) | dict(kv_lora_rank=r.choice([8, 16]), qk_rope_head_dim=8, qk_nope_head_dim=r.choice([8, 16]), v_head_dim=r.choice([8, 16]),
                         moe_intermediate_size=16, num_local_experts=4, num_experts_per_tok=2, n_shared_experts=r.choice([1, 2]),
                         linear_head_dim=r.choice([8, 16]), linear_num_heads=r.choice([2, 4]), linear_conv_kernel_dim=r.choice([3, 4]))
    c |= dict(num_key_value_heads=c["num_attention_heads"], pad_token_id=0)
    n = c["num_hidden_layers"] = r.randint(5, 7)
    kind = r.randrange(3)
    if kind == 0:  # as the published file has it, layers counted from one
        full = [1 + r.randrange(n)]
        c["linear_attn_config"] = dict(full_attn_layers=full, kda_layers=[i + 1 for i in range(n) if i + 1 not in full],
                                       head_dim=c["linear_head_dim"], num_heads=c["linear_num_heads"],
                                       short_conv_kernel_size=c["linear_conv_kernel_dim"])
    elif kind == 1:
        c |= types(r, n, "linear_attention", "full_attention")
    return c | maybe(r, first_k_dense_replace=2, q_lora_rank=12)


def recurrent_gemma(r):
    n, kv = heads(r)
    return dict(hidden_size=n * 16, intermediate_size=r.choice([24, 48]), num_hidden_layers=r.randint(3, 6), num_attention_heads=n,
                vocab_size=50, attention_window_size=r.choice([4, 7, 16]), conv1d_width=r.choice([3, 4]), max_position_embeddings=256,
                tie_word_embeddings=r.random() < .5) | maybe(r, num_key_value_heads=kv, attention_bias=True,
                                                              block_types=["recurrent", "attention"])


def seed_oss(r):
    return common(r) | maybe(r, attention_bias=False, attention_out_bias=True, mlp_bias=True, head_dim=32)


def ernie4_5(r):
    return common(r) | maybe(r, use_bias=True, head_dim=32)


def olmoe(r):
    return common(r) | experts(r, "num_experts") | maybe(r, attention_bias=True) | dict(pad_token_id=0)


def lfm2_moe(r):
    c = common(r, 4) | dict(conv_L_cache=r.choice([3, 4]), conv_bias=r.random() < .5, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=16,
                         num_dense_layers=r.choice([1, 2]), layer_types=["conv", "full_attention", "conv", "full_attention"])
    return c | maybe(r, use_expert_bias=False)


def minimax_m2(r):
    return common(r) | experts(r) | dict(head_dim=r.choice([16, 32]))


def glm(r):
    return glm4(r)


def olmo(r):
    return common(r) | maybe(r, attention_bias=True) | dict(pad_token_id=0)


def nemotron(r):
    return common(r) | maybe(r, attention_bias=True, mlp_bias=True) | dict(head_dim=r.choice([16, 32]))


FAMILIES = {f.__name__: f for f in [
    llama, llama4_text, mistral, mixtral, ministral, ministral3, qwen2, qwen2_moe, qwen3, qwen3_moe, qwen3_next, gemma, gemma2,
    gemma3_text, gemma3n_text, gpt_oss, phi, phi3, phimoe, olmo, olmo2, olmo3, olmoe, smollm3, granite, granitemoe, granitemoehybrid,
    cohere, cohere2, deepseek_v2, deepseek_v3, deepseek_v32, glm, glm4, glm4_moe, minimax, minimax_m2, exaone4, starcoder2, stablelm,
    falcon, falcon_h1, gpt2, gpt_neox, bloom, mamba, mamba2, jamba, bamba, nemotron, nemotron_h, zamba2, lfm2, lfm2_moe, rwkv,
    seed_oss, ernie4_5, falcon_mamba, glm4_moe_lite, gemma4_text, qwen3_5_text, qwen3_5_moe_text, kimi_linear, recurrent_gemma]}
WRAPPED = {"mistral3": "mistral", "gemma3": "gemma3_text", "gemma3n": "gemma3n_text", "llama4": "llama4_text", "gemma4": "gemma4_text",
           "qwen3_5": "qwen3_5_text", "qwen3_5_moe": "qwen3_5_moe_text"}


def size(t):
    counts = t is not None and t.is_floating_point()  # positions and lengths are no cache
    return t.numel() * t.element_size() if counts else 0


def tensors(x):
    if torch.is_tensor(x):
        yield x
    elif isinstance(x, dict):
        for v in x.values():
            yield from tensors(v)
    elif isinstance(x, (list, tuple)):
        for v in x:
            yield from tensors(v)


def layer_sizes(layer):
    """(keys and values, everything else that the layer keeps) in bytes."""
    kv = st = 0
    for name, v in vars(layer).items():
        n = sum(size(t) for t in tensors(v))
        if name in ("keys", "values"):
            kv += n
        elif name == "_sliding_window_tensor" or name.startswith("cumulative"):
            continue
        else:
            st += n
    return kv, st


def recurrent_rows(model, cache):
    rows = []
    for number, layer in enumerate(model.model.layers):
        block = layer.temporal_block
        state = getattr(block, "conv1d_state", None)
        states = 0 if state is None else size(state) + size(block.rg_lru.recurrent_states)
        kept = 0 if state is not None else layer_sizes(cache.layers[number])[0]
        rows.append([kept, states])
    return rows


def measure(model, T):
    ids = torch.arange(T).unsqueeze(0) % 40
    if model.config.model_type == "recurrent_gemma":  # its states stand in its blocks, and it returns no cache
        cache = DynamicCache(config=model.config)
        with torch.no_grad():
            model(ids, cache=cache, use_cache=True)
        return recurrent_rows(model, cache)
    with torch.no_grad():
        out = model(ids, use_cache=True)
    cache = getattr(out, "past_key_values", None)
    if cache is None:
        cache = getattr(out, "cache_params", None)
    if cache is None:  # rwkv: five tensors with the layers as their last dimension
        n = out.state[0].shape[-1]
        return [[0, sum(size(t) for t in out.state) // n] for _ in range(n)]
    if hasattr(cache, "linear_cache"):  # minimax keeps its states beside the layers
        while len(cache.layers) < len(cache.linear_cache):
            cache.layers.append(type("Nothing", (), {})())
        for layer, state in zip(cache.layers, cache.linear_cache):
            layer.state = state
    layers = getattr(cache, "layers", None)
    if layers is None:
        raise RuntimeError(f"cache {type(cache).__name__}: {list(vars(cache))}")
    return [list(layer_sizes(l)) for l in layers]


def static(model, config, T):
    cache = StaticCache(config=config, max_cache_len=T)
    with torch.no_grad():
        model(torch.arange(T).unsqueeze(0) % 40, past_key_values=cache, use_cache=True)
    return [list(layer_sizes(l)) for l in cache.layers]


def written(config, kwargs, family, full):
    d = config.to_dict() if full else dict(kwargs)
    for k in DROP:
        d.pop(k, None)
    for k in list(d):
        if k.startswith("_") or (isinstance(d[k], float) and k != "block_ffn_dim_multiplier"):
            d.pop(k)
    return {"model_type": family} | d


DROP = """architectures output_hidden_states return_dict chunk_size_feed_forward is_encoder_decoder id2label label2id problem_type
output_attentions initializer_range dtype bos_token_id eos_token_id pad_token_id use_cache rope_parameters attention_dropout hidden_dropout
router_aux_loss_coef output_router_logits transformers_version model_type time_step_limit rope_theta norm_topk_prob cross_attention_hidden_size
summary_type summary_use_proj summary_activation summary_proj_to_labels scale_attn_weights scale_attn_by_inverse_layer_idx reorder_and_upcast_attn
add_cross_attention attn_temperature_tuning floor_scale hidden_act hidden_activation activation_sparsity_pattern query_pre_attn_scalar
use_mamba_kernels pretraining_tp use_mambapy use_associative_scan mamba_chunk_size chunk_size num_logits_to_keep rescale_prenorm_residual residual_in_fp32
mlp_multipliers ssm_multipliers activation_function time_step_init_scheme use_mem_eff_path slow_but_exact rescale_every mamba_hidden_act mlp_hidden_act
altup_active_idx altup_correct_scale logits_soft_cap""".split()


def layer_column(rows, column):
    return [row[column] for row in rows]


def measured(model, config, kwargs):
    """The lengths lie below, at and beyond windows and chunks."""
    window = kwargs.get("sliding_window") or kwargs.get("attention_chunk_size") or kwargs.get("attention_window_size") or 8
    kept, states = [], None
    for tokens in (max(1, window - 2), window, window + 1, 3 * window + 1):
        rows = measure(model, tokens)
        if config.model_type == "deepseek_v32":  # the index's keys grow with the tokens
            rows = [[kv + index, 0] for kv, index in rows]
        if states not in (None, layer_column(rows, 1)):
            raise RuntimeError("a state that grows with the tokens")
        states = layer_column(rows, 1)
        kept.append([tokens, layer_column(rows, 0)])
    result = {"kept": kept}
    if any(states):
        result["states"] = states
    try:
        rows = static(model, config, 3 * window + 1)
        if config.model_type == "deepseek_v32":
            rows = [[kv + index, 0] for kv, index in rows]
        result["slots"] = [3 * window + 1, layer_column(rows, 0)]
    except (ValueError, AttributeError, TypeError, RuntimeError, NotImplementedError):
        pass  # some families have a cache of their own and no static one
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=20, help="configs of each family (20)")
    parser.add_argument("--out", default="-", help="the file of lines (standard output)")
    parser.add_argument("families", nargs="*", help="families to measure (all)")
    given = parser.parse_args()
    out = sys.stdout if given.out == "-" else open(given.out, "w", encoding="utf-8")
    for family in given.families or list(FAMILIES) + list(WRAPPED):
        inner = WRAPPED.get(family, family)
        for number in range(given.count):
            r = random.Random(f"{family} {number}")
            kwargs = FAMILIES[inner](r)
            config = CONFIG_MAPPING[inner](**kwargs)
            model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16).eval().to(torch.bfloat16)
            text = written(config, kwargs, inner, r.random() < 0.5)
            text["dtype"] = "bfloat16"
            if inner != family:
                text = {"model_type": family, "text_config": text, "vision_config": {"hidden_size": 8}}
            row = {"config": text, "parameters": model.num_parameters()} | measured(model, config, kwargs)
            out.write(json.dumps(row, separators=(",", ":")) + "\n")
    out.flush()


if __name__ == "__main__":
    main()
