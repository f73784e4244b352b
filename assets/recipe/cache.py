"""The decoder token by token over a cache that may be cut or coarsened: the experiments of effects.py.

A batch of documents of one length runs in step. `alive` (layers, B, kv_heads, T) says which tokens each head still
holds; a policy is a function that looks at the weights of the last step and clears some of it. Keys keep the position
they were made at (convention A). Arithmetic is float32; a codec rounds K and V as they are stored.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F

import model as llama

Codec = Callable[[torch.Tensor], torch.Tensor]


class Cache:
    def __init__(self, model: llama.Decoder, batch: int, length: int, codec: Codec | None = None):
        shape = self.shape = model.shape
        self.model, self.codec, self.now = model, codec, 0
        slots = (shape.layers, batch, shape.kv_heads, length)
        self.k, self.v = torch.zeros(*slots, shape.head_dim), torch.zeros(*slots, shape.head_dim)
        self.alive = torch.zeros(slots, dtype=torch.bool)
        self.score = torch.zeros(slots)  # what a policy remembers of each token
        self.cos, self.sin = llama.rope_angles(shape, torch.arange(length))

    @torch.no_grad()
    def feed(self, tokens: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Appends (B, n) tokens that see each other causally and whatever is alive. Logits (B, n, vocabulary) and
        weights (layers, B, heads, n, T)."""
        model, shape, n = self.model, self.shape, tokens.shape[1]
        start, end = self.now, self.now + tokens.shape[1]
        self.alive[..., start:end] = True
        causal = torch.arange(self.k.shape[3])[None, :] <= torch.arange(start, end)[:, None]
        x, kept = F.embedding(tokens, model.weights["model.embed_tokens.weight"]), []
        for layer in range(shape.layers):
            name = f"model.layers.{layer}."
            q, k, v = model.heads_of(layer, model.norm(x, name + "input_layernorm.weight"), self.cos[start:end],
                                     self.sin[start:end])
            self.k[layer][:, :, start:end] = self.codec(k) if self.codec else k
            self.v[layer][:, :, start:end] = self.codec(v) if self.codec else v
            q = q.unflatten(1, (shape.kv_heads, -1))  # (B, kv_heads, group, n, head_dim)
            scores = torch.einsum("bkgnd,bktd->bkgnt", q, self.k[layer]) * shape.head_dim ** -0.5
            seen = self.alive[layer][:, :, None, None, :] & causal
            weights = scores.masked_fill(~seen, float("-inf")).softmax(-1)
            out = torch.einsum("bkgnt,bktd->bkgnd", weights, self.v[layer])
            kept.append(weights.flatten(1, 2))
            x = x + F.linear(out.flatten(1, 2).transpose(1, 2).flatten(2), model.weights[name + "self_attn.o_proj.weight"])
            x = x + model.mlp(layer, model.norm(x, name + "post_attention_layernorm.weight"))
        self.now = end
        logits = F.linear(model.norm(x, "model.norm.weight"), model.weights["model.embed_tokens.weight"])
        return logits, torch.stack(kept)

    def live(self) -> int:
        """Tokens that the fullest head holds."""
        return int(self.alive.sum(-1).max())


Policy = Callable[[Cache, torch.Tensor], None]  # after each step, with its weights (layers, B, heads, 1, T)


def group_sum(cache: Cache, weights: torch.Tensor) -> torch.Tensor:
    """(layers, B, heads, T) to (layers, B, kv_heads, T): what a KV head was looked at by its group."""
    return weights.unflatten(2, (cache.shape.kv_heads, -1)).sum(3)


def keep_best(cache: Cache, score: torch.Tensor, count: int, also: torch.Tensor) -> None:
    """Keeps the `count` best of the living tokens for each head, the earlier one of a tie, and those in `also` (T)."""
    candidates = score.masked_fill(~cache.alive | also, float("-inf"))
    order = candidates.argsort(dim=-1, descending=True, stable=True)[..., :count]
    chosen = torch.zeros_like(cache.alive).scatter_(-1, order, True)
    cache.alive &= chosen & (candidates > float("-inf")) | also


def window(size: int, sinks: int = 0) -> Policy:
    """The first `sinks` tokens and the newest of the rest, `size` together."""
    def policy(cache: Cache, _: torch.Tensor) -> None:
        position = torch.arange(cache.alive.shape[-1])
        cache.alive &= (position < sinks) | (position >= cache.now - (size - sinks))
    return policy


def h2o(heavy: int, recent: int) -> Policy:
    def policy(cache: Cache, weights: torch.Tensor) -> None:
        cache.score += group_sum(cache, weights.sum(3))
        if cache.now <= heavy + recent: return
        newest = torch.arange(cache.alive.shape[-1]) >= cache.now - recent
        keep_best(cache, cache.score, heavy, newest)
        cache.score *= cache.alive
    return policy


def chance(recent: int, size: int, seed: int) -> Policy:
    """Keeps the newest `recent` and, of the rest, drops one at random whenever `size` is passed."""
    generator = torch.Generator().manual_seed(seed)

    def policy(cache: Cache, _: torch.Tensor) -> None:
        if cache.now <= size: return
        newest = torch.arange(cache.alive.shape[-1]) >= cache.now - recent
        keep_best(cache, torch.rand(cache.score.shape, generator=generator), size - recent, newest)
    return policy


def snapkv(cache: Cache, weights: torch.Tensor, capacity: int, last: int = 8, kernel: int = 5) -> None:
    """Once, after the prompt: `weights` (layers, B, heads, n, T) of the whole prompt."""
    if cache.now < capacity: return
    looked = group_sum(cache, weights[..., -last:, :].sum(3))
    old = torch.arange(cache.alive.shape[-1]) < cache.now - last
    pooled = F.avg_pool1d((looked * old)[..., :cache.now - last].flatten(0, 2), kernel, 1, kernel // 2)
    score = torch.zeros_like(looked)
    score[..., :cache.now - last] = pooled.unflatten(0, looked.shape[:3])
    keep_best(cache, score, capacity - last, ~old)


def per_token_head(bits: int) -> Codec:
    """Symmetric integers with one stored fp16 scale for each vector."""
    most = 2 ** (bits - 1) - 1

    def codec(x: torch.Tensor) -> torch.Tensor:
        scale = (x.abs().amax(-1, keepdim=True) / most).half().float()
        return torch.where(scale > 0, (x / scale.clamp_min(1e-30)).round().clamp(-most, most) * scale, 0.0)
    return codec


def per_tensor(bits: int, largest: float) -> Codec:
    """The bad example: one scale for everything, set by the largest element ever seen."""
    most = 2 ** (bits - 1) - 1
    scale = largest / most
    return lambda x: (x / scale).round().clamp(-most, most) * scale
