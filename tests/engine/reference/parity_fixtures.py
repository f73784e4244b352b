"""Makes tests/engine/fixtures: tiny checkpoints with random weights, one for each family and trap, and the logits that
PyPI `transformers` computes with them in float32. Needs torch, transformers and safetensors; run it only to renew the
fixtures.

    python3 tests/engine/reference/parity_fixtures.py
"""

import json
import shutil
from pathlib import Path

import torch
import transformers
from safetensors.torch import load_file, save_file
from transformers import (LlamaConfig, LlamaForCausalLM, MistralConfig, MistralForCausalLM, Qwen2Config,
                          Qwen2ForCausalLM, Qwen3Config, Qwen3ForCausalLM)

HERE = Path(__file__).resolve().parent.parent / "fixtures"
SMALL = dict(vocab_size=61, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
             num_key_value_heads=2, max_position_embeddings=4096, bos_token_id=0, eos_token_id=1)
STORED = {"llama_gqa": torch.float32, "llama_fp16": torch.float16}  # the others are bf16
LLAMA3 = dict(rope_type="llama3", factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0,
              original_max_position_embeddings=64)


def llama(**more):
    return LlamaForCausalLM(LlamaConfig(**SMALL | more))


def cases():
    yield "llama_gqa", llama(), {}
    yield "llama_mqa_head40", llama(head_dim=40, num_key_value_heads=1, num_hidden_layers=3), {}
    yield "llama_tied_bias", llama(tie_word_embeddings=True, attention_bias=True, mlp_bias=True), {}
    yield "llama3_scaling", llama(rope_parameters=LLAMA3 | {"rope_theta": 500000.0}), {}
    yield "llama_linear", llama(rope_parameters={"rope_type": "linear", "factor": 2.0, "rope_theta": 10000.0}), {}
    yield "mistral_window", MistralForCausalLM(MistralConfig(**SMALL, sliding_window=7)), {}
    yield "qwen2_bias", Qwen2ForCausalLM(Qwen2Config(**SMALL)), {}
    yield "qwen3_norms", Qwen3ForCausalLM(Qwen3Config(**SMALL, head_dim=24)), {}
    yield "llama_shards", llama(), {"max_shard_size": "20KB"}
    yield "llama_fp16", llama(), {}


def randomise(model):
    """Larger than the usual start, so that softmax is not flat and every part matters; norms and biases too."""
    generator = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            noise = torch.randn(weight.shape, generator=generator)
            if name.endswith("norm.weight"): weight.copy_(1 + 0.3 * noise)
            else: weight.copy_(noise * (0.3 if weight.ndim == 1 else 1.5 / weight.shape[-1] ** 0.5))


@torch.no_grad()
def write(name, model, options):
    folder = HERE / name
    shutil.rmtree(folder, ignore_errors=True)
    randomise(model)
    model.to(STORED.get(name, torch.bfloat16))
    model.save_pretrained(folder, **options)
    for extra in ("generation_config.json",): (folder / extra).unlink(missing_ok=True)
    truth = type(model).from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
    generator = torch.Generator().manual_seed(3)
    tokens = torch.randint(2, SMALL["vocab_size"], (1, 24), generator=generator)
    logits = truth(tokens).logits[0]
    greedy = truth.generate(tokens, attention_mask=torch.ones_like(tokens), max_new_tokens=8, do_sample=False,
                            eos_token_id=None, pad_token_id=1)[0, 24:]
    expected = {"transformers": transformers.__version__, "torch": torch.__version__, "tokens": tokens[0].tolist(),
                "logits": [[float(f"{x:.9g}") for x in row] for row in logits[[0, 1, 11, 23]].tolist()],
                "rows": [0, 1, 11, 23], "greedy": greedy.tolist()}
    (folder / "expected.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    torch.manual_seed(0)
    for case in cases():
        write(*case)
        print(case[0])
