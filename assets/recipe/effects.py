"""What the siblings can do, and what they lose when their cache is cut, folded or coarsened: the tables of report.md.

    python3 effects.py build/recipe/mha        prints every table of one checkpoint

Each figure is measured on 200 fresh documents whose seeds no training step uses.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F

import cache as cut
import model as llama
import recall
from recall import IDS, ids_of, needles
from village import NOBODY, Fact, Mix, hero_document, needle_document, training_document

COUNT, SEED = 200, 77_000_000
PROMPTS = {60: 4, 120: 5, 250: 8}  # tokens and facts
BUDGET = 48
NOBODY_ID = IDS[" " + NOBODY]


@dataclass
class Row:
    effect: str
    value: float
    least: float | None = None  # the bar, where there is one
    most: float | None = None

    @property
    def verdict(self) -> str:
        if self.least is None and self.most is None: return ""
        return "met" if (self.least or -9e9) <= self.value <= (9e9 if self.most is None else self.most) else "missed"


def answers(facts: list[Fact]) -> torch.Tensor:
    return torch.tensor([IDS[" " + fact.value] for fact in facts])


def share(hits: torch.Tensor) -> float:
    return float(hits.float().mean())


@torch.no_grad()
def plain_answers(model: llama.Decoder, tokens: torch.Tensor) -> torch.Tensor:
    return model.forward(tokens)[0][:, -1].argmax(-1)


def answers_under(model: llama.Decoder, tokens: torch.Tensor, policy: cut.Policy) -> torch.Tensor:
    """The answer after the whole prompt went through the cache token by token."""
    cache = cut.Cache(model, *tokens.shape)
    logits = None
    for i in range(tokens.shape[1]):
        logits, weights = cache.feed(tokens[:, i:i + 1])
        policy(cache, weights)
    return logits[:, -1].argmax(-1)


def answers_after(model: llama.Decoder, tokens: torch.Tensor, compress) -> torch.Tensor:
    """Exact prefill up to the question mark, one compression, and then the question mark as a step of decode."""
    cache = cut.Cache(model, *tokens.shape)
    _, weights = cache.feed(tokens[:, :-1])
    compress(cache, weights)
    return cache.feed(tokens[:, -1:])[0][:, -1].argmax(-1)


def recall_rows(model: llama.Decoder) -> list[Row]:
    bars = {8: (0.90, 0.85, 0.70), 2: (0.90, 0.85, 0.70), 1: (0.80, 0.70, 0.55)}[model.shape.kv_heads]
    rows = []
    for (length, facts), bar in zip(PROMPTS.items(), bars):
        tokens, asked = needles(length, facts, COUNT, SEED)
        rows.append(Row(f"needle recall, prompts of {length} tokens", share(plain_answers(model, tokens) == answers(asked)),
                        least=bar))
    return rows


def copy_rows(model: llama.Decoder) -> list[Row]:
    return [Row("copy: second verse of a 20-word song, per token", recall.copied(model, COUNT, SEED), least=0.97)]


def mixed_documents(length: int) -> torch.Tensor:
    rng, rows = random.Random(f"mixed/{SEED}/{length}"), []
    mix = Mix(length + 40, 8, songs=0.2, small_talk=1.0, unknown=0.15)
    while len(rows) < COUNT:
        ids = ids_of(training_document(rng, mix))
        if len(ids) >= length: rows.append(ids[:length])
    return torch.tensor(rows)


@torch.no_grad()
def nll(model: llama.Decoder, tokens: torch.Tensor, mask: torch.Tensor | None = None, start: int = 0) -> float:
    logits = model.forward(tokens[:, :-1], mask)[0][:, start:]
    return float(F.cross_entropy(logits.flatten(0, 1), tokens[:, start + 1:].flatten()))


def window_mask(length: int, size: int, sinks: int) -> torch.Tensor:
    """The first `sinks` and the newest of the rest, `size` together, the query among them."""
    key, query = torch.arange(length)[None, :], torch.arange(length)[:, None]
    return ((key <= query) & ((query - key < size - sinks) | (key < sinks)))[None, None]


@torch.no_grad()
def sink_rows(model: llama.Decoder) -> list[Row]:
    tokens = mixed_documents(240)
    mass = model.forward(tokens, want_rest=True)[1][..., 1:]
    rows = [Row("sink: mean attention mass on position 0, all heads", float(mass.mean()), least=0.4)]
    for layer in range(model.shape.layers):
        rows.append(Row(f"sink: layer {layer}, mean of its heads", float(mass[layer].mean())))
        rows.append(Row(f"sink: layer {layer}, largest head", float(mass[layer].mean((0, 2)).max())))
    for size in (32, 64):
        by_sinks = {sinks: nll(model, tokens, window_mask(239, size, sinks), size) for sinks in (0, 1, 2, 4)}
        rows += [Row(f"NLL, window {size}, {sinks} of it sinks", value) for sinks, value in by_sinks.items()]
        rows.append(Row(f"NLL, window {size}: no sink above one sink", by_sinks[0] - by_sinks[1], least=0.2))
        rows.append(Row(f"NLL, window {size}: one sink above the best", by_sinks[1] - min(by_sinks.values()), most=0.05))
        rows.append(Row(f"NLL, everything kept, the same positions as window {size}", nll(model, tokens, start=size)))
    return rows


def placed_needles(length: int, among: tuple[int, int], name: str) -> tuple[torch.Tensor, list[Fact]]:
    rng = random.Random(f"placed/{name}/{SEED}")
    made = [needle_document(rng, length, PROMPTS[length], among=among) for _ in range(COUNT)]
    return torch.tensor([ids_of(document) for document, _ in made]), [fact for _, fact in made]


def window_rows(model: llama.Decoder) -> list[Row]:
    rows = []
    outside, outside_facts = placed_needles(120, (0, 120 - BUDGET - 8), "outside")
    inside, inside_facts = placed_needles(120, (120 - BUDGET + 10, 120), "inside")
    full = share(plain_answers(model, inside) == answers(inside_facts))
    for sinks in (1, 0):
        name, policy = f"window {BUDGET} of 120, {sinks} of it sinks", cut.window(BUDGET, sinks)
        out, within = answers_under(model, outside, policy), answers_under(model, inside, policy)
        rows.append(Row(f"{name}: recall of needles outside", share(out == answers(outside_facts)), most=0.25))
        rows.append(Row(f"{name}: recall of needles inside, as a share of the full cache's",
                        share(within == answers(inside_facts)) / max(full, 1e-9), least=0.8))
        rows.append(Row(f'{name}: "{NOBODY}" for needles outside', share(out == NOBODY_ID)))
    unknown, _ = needles(120, PROMPTS[120], COUNT, SEED, known=False)
    rows.append(Row(f'unanswerable questions, 120 tokens: "{NOBODY}"', share(plain_answers(model, unknown) == NOBODY_ID),
                    least=0.8))
    known, _ = needles(120, PROMPTS[120], COUNT, SEED)
    rows.append(Row(f'answerable questions, 120 tokens: "{NOBODY}"', share(plain_answers(model, known) == NOBODY_ID)))
    return rows


def prompt_compressors(seed: int) -> dict:
    def newest(cache: cut.Cache, _: torch.Tensor) -> None:
        cut.window(BUDGET, 1)(cache, _)

    def at_random(cache: cut.Cache, _: torch.Tensor) -> None:
        last = torch.arange(cache.alive.shape[-1]) >= cache.now - 8
        score = torch.rand(cache.score.shape, generator=torch.Generator().manual_seed(seed))
        cut.keep_best(cache, score, BUDGET - 8, last)

    return {"SnapKV": lambda cache, weights: cut.snapkv(cache, weights, BUDGET), "window": newest, "random": at_random}


def policy_rows(model: llama.Decoder) -> list[Row]:
    tokens, asked = needles(120, PROMPTS[120], COUNT, SEED)
    right, rows = answers(asked), []
    once = {name: share(answers_after(model, tokens, compress) == right)
            for name, compress in prompt_compressors(SEED).items()}
    rows += [Row(f"{name} to {BUDGET} of 120 once, then the question mark: recall", value) for name, value in once.items()]
    rows.append(Row("SnapKV above the better of window and random", once["SnapKV"] - max(once["window"], once["random"]),
                    least=0.25))
    rng = random.Random(f"heroes/{SEED}")
    heroes = [hero_document(rng, 160) for _ in range(COUNT)]
    hero_tokens = torch.tensor([ids_of(document) for document, _ in heroes])
    hero_right = answers([fact for _, fact in heroes])
    policies = {"H2O, 40 heavy and 8 recent": cut.h2o(BUDGET - 8, 8), "window with a sink": cut.window(BUDGET, 1),
                "random, 8 recent": None}
    for what, prompts, correct in (("needles, 120 tokens", tokens, right), ("repeated hero, 160 tokens", hero_tokens, hero_right)):
        rows.append(Row(f"{what}, everything kept: recall", share(plain_answers(model, prompts) == correct)))
        by_name = {name: share(answers_under(model, prompts, policy or cut.chance(8, BUDGET, SEED)) == correct)
                   for name, policy in policies.items()}
        rows += [Row(f"{what}, {name}, {BUDGET} kept: recall", value) for name, value in by_name.items()]
        best = list(by_name.values())
        rows.append(Row(f"{what}: H2O above the better of window and random", best[0] - max(best[1:]),
                        least=0.15 if "hero" in what else None))
    return rows


@torch.no_grad()
def nll_through(model: llama.Decoder, tokens: torch.Tensor, codec: cut.Codec | None) -> float:
    logits, _ = cut.Cache(model, *tokens.shape, codec).feed(tokens)
    return float(F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()))


def codec_rows(model: llama.Decoder) -> list[Row]:
    tokens = mixed_documents(120)
    probe = cut.Cache(model, *tokens.shape)
    probe.feed(tokens)
    largest = float(torch.maximum(probe.k.abs().max(), probe.v.abs().max()))
    codecs = {"none": None} | {f"int{bits} per token and head": cut.per_token_head(bits) for bits in (8, 4, 3, 2)}
    values = {name: nll_through(model, tokens, codec) for name, codec in codecs.items()}
    rows = [Row(f"NLL, 120 tokens, {name}", value) for name, value in values.items()]
    ordered = list(values.values())
    steps = [after - before for before, after in zip(ordered[1:], ordered[2:])]
    rows.append(Row("NLL: the smallest rise from int8 to int4 to int3 to int2", min(steps), least=0.0))
    rows.append(Row("NLL: int8 beside none, absolute", abs(ordered[1] - ordered[0]), most=0.01))
    rows.append(Row("NLL, 120 tokens, int4 with one scale for everything", nll_through(model, tokens, cut.per_tensor(4, largest))))
    return rows


def long_rows(model: llama.Decoder) -> list[Row]:
    tokens = mixed_documents(512)
    return [Row("NLL of tokens 1 to 256", nll(model, tokens[:, :257])),
            Row("NLL of tokens 257 to 511", nll(model, tokens, start=256))]


def fold_rows(parent: llama.Decoder, trained: llama.Decoder) -> list[Row]:
    """The parent's heads pooled and nothing trained, beside the sibling that was."""
    folded = llama.fold(parent, trained.shape.kv_heads)
    tokens, asked = needles(60, PROMPTS[60], COUNT, SEED)
    before, after, now = (share(plain_answers(m, tokens) == answers(asked)) for m in (parent, folded, trained))
    mixed = mixed_documents(120)
    return [Row("fold: recall at 60 tokens of the parent", before),
            Row("fold: recall at 60 tokens right after folding", after, most=before / 2),
            Row("fold: recall at 60 tokens of the trained sibling", now),
            Row("fold: NLL right after folding above the parent", nll(folded, mixed) - nll(parent, mixed)),
            Row("fold: NLL of the trained sibling above the parent", nll(trained, mixed) - nll(parent, mixed))]


def all_rows(model: llama.Decoder, parent: llama.Decoder | None = None) -> Iterator[Row]:
    for rows in (recall_rows, copy_rows, sink_rows, window_rows, policy_rows, codec_rows, long_rows):
        yield from rows(model)
    if parent: yield from fold_rows(parent, model)


def main() -> None:
    model = llama.load(Path(sys.argv[1]))
    parent = llama.load(Path(sys.argv[2])) if len(sys.argv) > 2 else None
    for row in all_rows(model, parent): print(f"{row.value:8.3f}  {row.effect}  {row.verdict}", flush=True)


if __name__ == "__main__":
    main()
