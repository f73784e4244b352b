"""The decoder in the plain Llama form, in PyTorch: what is trained here is what the C++ engine runs."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file

BOS, EOS = 0, 1


@dataclass(frozen=True)
class Shape:
    kv_heads: int = 8
    layers: int = 4
    heads: int = 8
    head_dim: int = 16
    d_model: int = 128
    d_mlp: int = 384
    vocabulary: int = 512
    context: int = 512
    rope_base: float = 10_000.0
    eps: float = 1e-5


def rope_angles(shape: Shape, positions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """cos and sin, (T, head_dim): the two halves of a head turn together (rotate-half)."""
    powers = torch.arange(0, shape.head_dim, 2, dtype=torch.float32) / shape.head_dim
    angles = positions.float()[:, None] / shape.rope_base ** powers
    return torch.cat([angles, angles], -1).cos(), torch.cat([angles, angles], -1).sin()


def rotate(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat([-second, first], -1) * sin


class Decoder:
    """Weights by their Hugging Face names, and the forward pass. The embedding is also the output matrix."""

    def __init__(self, shape: Shape, weights: dict[str, torch.Tensor]):
        self.shape, self.weights = shape, weights

    @staticmethod
    def fresh(shape: Shape, seed: int) -> "Decoder":
        generator = torch.Generator().manual_seed(seed)
        residual = 1 / math.sqrt(2 * shape.layers)

        def matrix(rows: int, columns: int, scale: float = 1.0) -> torch.Tensor:
            return torch.randn(rows, columns, generator=generator) * scale / math.sqrt(columns)

        d, kv = shape.d_model, shape.kv_heads * shape.head_dim
        weights = {"model.embed_tokens.weight": matrix(shape.vocabulary, d, 0.5), "model.norm.weight": torch.ones(d)}
        for layer in range(shape.layers):
            name = f"model.layers.{layer}."
            weights |= {
                name + "input_layernorm.weight": torch.ones(d),
                name + "self_attn.q_proj.weight": matrix(shape.heads * shape.head_dim, d),
                name + "self_attn.k_proj.weight": matrix(kv, d),
                name + "self_attn.v_proj.weight": matrix(kv, d),
                name + "self_attn.o_proj.weight": matrix(d, shape.heads * shape.head_dim, residual),
                name + "post_attention_layernorm.weight": torch.ones(d),
                name + "mlp.gate_proj.weight": matrix(shape.d_mlp, d),
                name + "mlp.up_proj.weight": matrix(shape.d_mlp, d),
                name + "mlp.down_proj.weight": matrix(d, shape.d_mlp, residual),
            }
        return Decoder(shape, weights)

    def norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return F.rms_norm(x, (self.shape.d_model,), self.weights[name], self.shape.eps)

    def heads_of(self, layer: int, x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor):
        """q (B, heads, T, head_dim), k and v (B, kv_heads, T, head_dim), of the layer's normalised input."""
        name = f"model.layers.{layer}.self_attn."

        def split(which: str) -> torch.Tensor:
            return F.linear(x, self.weights[name + which + "_proj.weight"]).unflatten(
                -1, (-1, self.shape.head_dim)).transpose(1, 2)

        q, k, v = split("q").float(), split("k").float(), split("v").float()
        return rotate(q, cos, sin), rotate(k, cos, sin), v

    def mlp(self, layer: int, x: torch.Tensor) -> torch.Tensor:
        name = f"model.layers.{layer}.mlp."
        gate = F.silu(F.linear(x, self.weights[name + "gate_proj.weight"]))
        return F.linear(gate * F.linear(x, self.weights[name + "up_proj.weight"]), self.weights[name + "down_proj.weight"])

    def forward(self, tokens: torch.Tensor, mask: torch.Tensor | None = None, want_rest: bool = False,
                heads: list | None = None) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Logits (B, T, vocabulary) and, when wanted, how much each query rests on position 0 (layers, B, heads, T).

        `mask` (B or 1, 1, T, T) says what a query may see; without it, everything up to itself. The mass on position 0 is
        an extra coordinate that the values carry: 1 for position 0, 0 for the others. `heads` is filled with each layer's
        (q, k).
        """
        shape, x = self.shape, F.embedding(tokens, self.weights["model.embed_tokens.weight"])
        cos, sin = rope_angles(shape, torch.arange(tokens.shape[1]))
        rests = []
        for layer in range(shape.layers):
            name = f"model.layers.{layer}."
            q, k, v = self.heads_of(layer, self.norm(x, name + "input_layernorm.weight"), cos, sin)
            if heads is not None: heads.append((q, k))
            if want_rest:
                q, k, v = F.pad(q, (0, 16)), F.pad(k, (0, 16)), F.pad(v, (0, 16))
                v = v + at_first(v)
            groups = shape.heads // shape.kv_heads
            k, v = k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1)
            with torch.autocast("cpu", enabled=False):  # in bf16 this one operation is several times slower on a CPU
                out = F.scaled_dot_product_attention(q, k, v, mask, is_causal=mask is None,
                                                     scale=shape.head_dim ** -0.5)
            if want_rest: rests.append(out[..., shape.head_dim])
            out = out[..., :shape.head_dim].transpose(1, 2).flatten(2)
            x = x + F.linear(out, self.weights[name + "self_attn.o_proj.weight"])
            x = x + self.mlp(layer, self.norm(x, name + "post_attention_layernorm.weight"))
        logits = F.linear(self.norm(x, "model.norm.weight"), self.weights["model.embed_tokens.weight"])
        return logits, torch.stack(rests) if want_rest else None


def at_first(v: torch.Tensor) -> torch.Tensor:
    ones = torch.zeros_like(v)
    ones[..., 0, 16] = 1
    return ones


def fold(parent: Decoder, kv_heads: int) -> Decoder:
    """Fewer K/V heads: each is the mean of the parent's heads that its group of query heads used."""
    shape, folded = replace(parent.shape, kv_heads=kv_heads), dict(parent.weights)
    for name, weight in parent.weights.items():
        if ".k_proj." in name or ".v_proj." in name:
            heads = weight.unflatten(0, (kv_heads, -1, shape.head_dim))
            folded[name] = heads.mean(1).flatten(0, 1)
    return Decoder(shape, folded)


def config_of(shape: Shape) -> dict:
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": shape.vocabulary,
        "hidden_size": shape.d_model,
        "intermediate_size": shape.d_mlp,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.kv_heads,
        "head_dim": shape.head_dim,
        "hidden_act": "silu",
        "max_position_embeddings": shape.context,
        "rms_norm_eps": shape.eps,
        "rope_theta": shape.rope_base,
        "tie_word_embeddings": True,
        "attention_bias": False,
        "mlp_bias": False,
        "bos_token_id": BOS,
        "eos_token_id": EOS,
        "torch_dtype": "bfloat16",
    }


def save(model: Decoder, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config_of(model.shape), indent=2) + "\n")
    weights = {name: weight.detach().to(torch.bfloat16).contiguous() for name, weight in model.weights.items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def load(folder: Path) -> Decoder:
    config = json.loads((folder / "config.json").read_text())
    shape = Shape(kv_heads=config["num_key_value_heads"])
    return Decoder(shape, {name: weight.float() for name, weight in load_file(folder / "model.safetensors").items()})
