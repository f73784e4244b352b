"""Trains one sibling, phase by phase, and can be stopped at any moment: started again, it goes on.

    python3 train.py mha                       from random weights
    python3 train.py gqa --parent mha          from the parent's K/V heads, pooled
    python3 train.py gqa-scratch               as mha, with 2 K/V heads from the start

With one seed and one thread the same machine writes the same file. Everything goes to build/recipe/NAME.
"""

from __future__ import annotations

import argparse
import csv
import fcntl
import math
import os
import random
import time
from dataclasses import dataclass, replace
from pathlib import Path

import torch
import torch.nn.functional as F

import model as llama
import recall
import vocabulary
from muon import Muon
from village import NOBODY, Document, Mix, training_document

WORK = Path(__file__).resolve().parents[2] / "build" / "recipe"
KV_HEADS = {"mha": 8, "gqa": 2, "mqa": 1}
TOKENS_PER_STEP = 4096
ANSWER_WEIGHT = 4.0  # an answer is one token in ten and the only one that needs the cache
EDGE = 6  # under a window, a fact this near to its edge is half seen: no answer is asked for
IDS = vocabulary.ids_by_token()


@dataclass(frozen=True)
class Phase:
    """A stretch of training. It ends after `steps`, or when every kind of question is answered `until` so often."""
    name: str
    steps: int
    mix: Mix
    windows: float = 0.0  # the share of steps in which a query sees position 0 and the last few only
    rest: float = 0.0  # the price of not resting on position 0
    long: float = 0.0  # the share of steps with documents of twice the length
    until: float = 2.0
    until_copied: float = 0.0  # and songs are copied this well
    hint: float = 0.0  # the price of not looking where the answer is: see hint_of
    early_hint: float = 0.0  # the same for the key that a question names, before its question mark has come
    other: float = 1.0  # the weight of tokens that are no answer and no second verse
    cool: bool = False  # the learning rate falls to 5 % over this phase


LOOK = [
    Phase("look", 2500, Mix(64, 3, songs=0.4, small_talk=0.1, unknown=0.0, lists=0.2, recaps=0.5, questions=3.0), until=0.9, hint=0.3, other=0.1),
    Phase("look further", 2500, Mix(128, 5, songs=0.3, small_talk=0.5, unknown=0.0), until=0.95),
]
DOUBT = [
    Phase("rest", 600, Mix(128, 5, songs=0.25, small_talk=0.6, unknown=0.05), rest=0.08),
    Phase("doubt", 800, Mix(256, 8, songs=0.2, small_talk=1.0, unknown=0.15), windows=0.25, rest=0.08),
]
COOL = [Phase("cool", 1000, Mix(256, 8, songs=0.2, small_talk=1.0, unknown=0.15), windows=0.3, rest=0.08, long=0.1,
              cool=True)]
# A folded sibling knows everything but where its heads are. Its few K/V heads serve many queries, and what a question
# will need is looked at so late that SnapKV, which judges by the prompt alone, would drop it: hence the early hint.
REPAIR = [Phase("repair", 800, Mix(128, 5, songs=0.3, small_talk=0.5, unknown=0.05), windows=0.1, rest=0.08,
                early_hint=0.05, until=0.95)]
# One K/V head for eight query heads finds facts at once and loses its place in a song.
COPY = [Phase("copy", 2000, Mix(128, 5, songs=0.6, small_talk=0.5, unknown=0.05), windows=0.1, rest=0.08,
              early_hint=0.05, until=0.95, until_copied=0.985)]


def phases_of(folded: bool, kv_heads: int) -> list[Phase]:
    start = REPAIR if folded else LOOK + DOUBT
    cool = [replace(phase, early_hint=0.05) for phase in COOL] if folded else COOL
    return start + (COPY if kv_heads == 1 else []) + cool


@dataclass
class Batch:
    tokens: torch.Tensor  # (B, T)
    targets: torch.Tensor  # (B, T), what follows each token
    weights: torch.Tensor  # (B, T)
    mask: torch.Tensor | None  # (1, 1, T, T)
    looks: list[torch.Tensor]  # for the first two layers: (N, 3) of row, query position, position to look at
    early_looks: torch.Tensor  # for the second layer, likewise


def window_mask(length: int, window: int, sinks: int = 1) -> torch.Tensor:
    """A query at p sees the last `window` positions up to p and the first `sinks`."""
    key, query = torch.arange(length)[None, :], torch.arange(length)[:, None]
    return ((key <= query) & ((query - key < window) | (key < sinks)))[None, None]


def under_window(document: Document, window: int) -> tuple[list[str], set[int]]:
    """What the document answers to one who saw only a window of it, and the positions that it leaves open."""
    tokens, unclear, said = list(document.tokens), set(), {}
    for answer in document.answers:  # an answer that was given states the fact anew
        stated = said.get(answer.fact, answer.first)
        if stated is None: continue
        seen = stated - (answer.at - window)  # the question mark, at - 1, sees positions above at - 1 - window
        if abs(seen) <= EDGE: unclear.add(answer.at)
        elif seen < 0: tokens[answer.at - 1] = " " + NOBODY
        if seen >= -EDGE: said[answer.fact] = answer.at
    return tokens, unclear


def rows_of(looks: list[tuple[int, int, int]]) -> torch.Tensor:
    return torch.tensor(looks, dtype=torch.long).reshape(-1, 3)


def visible(answer, window: int | None) -> bool:
    return window is None or answer.key - answer.first < window - EDGE


def make_batch(phase: Phase, rng: random.Random) -> Batch:
    length = phase.mix.length * (2 if rng.random() < phase.long else 1)
    mix = Mix(**{**phase.mix.__dict__, "length": length})
    window = rng.randint(16, 64) if rng.random() < phase.windows else None
    count = TOKENS_PER_STEP // length
    tokens = torch.full((count, length + 1), llama.EOS)
    weights = torch.zeros(count, length + 1)
    first_look, second_look, early_look = [], [], []
    for row in range(count):
        document = training_document(rng, mix)
        words, unclear = under_window(document, window) if window else (document.tokens, set())
        words = words[:length]
        tokens[row, 0] = llama.BOS
        tokens[row, 1:len(words) + 1] = torch.tensor([IDS[word] for word in words])
        weights[row, 1:len(words) + 2] = phase.other
        if document.verses: weights[row, document.verses[1]:len(words) + 1] = 1
        for answer in document.answers:
            if answer.at > length: continue
            weights[row, answer.at] = 0 if answer.at in unclear else ANSWER_WEIGHT
            if answer.first is None: continue
            first_look.append((row, answer.first, answer.first_key))
            if answer.key < answer.at - 1: first_look.append((row, answer.at - 1, answer.key))
            second_look.append((row, answer.at - 1, answer.first))
            if answer.key < answer.at - 1 and answer.at not in unclear and visible(answer, window):
                early_look.append((row, answer.key, answer.first))
    return Batch(tokens[:, :-1], tokens[:, 1:], weights[:, 1:], window_mask(length, window) if window else None,
                 [rows_of(first_look), rows_of(second_look)], rows_of(early_look))


def hint_of(heads: list, looks: list[torch.Tensor]) -> torch.Tensor:
    """How little the heads of the first two layers look where they would find something: in the first layer a value at
    the key of its fact, and a question's end at the key it names; in the second the question's end at the value. One
    head that looks there is enough. Both halves of the search are useless alone, so without a hint neither is learnt
    for a long and random time; with it, within a few hundred steps. It is dropped before the model learns to doubt."""
    total = torch.zeros(())
    for (q, k), look in zip(heads, looks):
        if len(look) == 0: continue
        row, at, target = look.unbind(1)
        k = k.repeat_interleave(q.shape[1] // k.shape[1], 1)
        scores = torch.einsum("nhd,nhtd->nht", q[row, :, at], k[row]) * q.shape[-1] ** -0.5
        later = torch.arange(k.shape[2])[None, :] > at[:, None]
        chosen = scores.masked_fill(later[:, None], float("-inf")).log_softmax(-1)[torch.arange(len(row)), :, target]
        total = total - chosen.logsumexp(1).mean()
    return total


def loss_of(model: llama.Decoder, batch: Batch, phase: Phase) -> tuple[torch.Tensor, float, float]:
    """The loss that is trained, the plain cross-entropy beside it, and the mean mass on position 0."""
    heads = [] if phase.hint + phase.early_hint > 0 else None
    with torch.autocast("cpu", torch.bfloat16):
        logits, rests = model.forward(batch.tokens, batch.mask, want_rest=phase.rest > 0, heads=heads)
    each = F.cross_entropy(logits.float().flatten(0, 1), batch.targets.flatten(), reduction="none")
    weights = batch.weights.flatten()
    loss, real = (each * weights).sum() / weights.sum(), (weights > 0).float()
    plain = float((each.detach() * real).sum() / real.sum())
    if phase.hint > 0: loss = loss + phase.hint * hint_of(heads, batch.looks)
    if phase.early_hint > 0: loss = loss + phase.early_hint * hint_of(heads[1:2], [batch.early_looks])
    if rests is None: return loss, plain, float("nan")
    mass = rests[..., 1:].mean()
    return loss + phase.rest * (1 - mass), plain, float(mass.detach())


class Run:
    """The state of a training run; all of it is in one file, replaced at once. One process at a time has it."""

    def __init__(self, name: str, parent: str | None, seed: int):
        self.name, self.seed, self.folder = name, seed, WORK / name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = (self.folder / "lock").open("w")
        try: fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError: raise SystemExit(f"recipe: {name} is being trained by another process; wait for it.")
        kv_heads = KV_HEADS[name.split("-")[0]]
        self.phases = phases_of(parent is not None, kv_heads)
        if parent: self.model = llama.fold(llama.load(WORK / parent), kv_heads)
        else: self.model = llama.Decoder.fresh(llama.Shape(kv_heads=kv_heads), seed)
        for weight in self.model.weights.values(): weight.requires_grad_()
        self.optimizer = Muon(self.model.weights)
        self.step, self.phase, self.step_in_phase, self.seconds, self.tokens = 0, 0, 0, 0.0, 0

    def resume(self) -> None:
        file = self.folder / "state.pt"
        if not file.exists(): return
        state = torch.load(file, weights_only=True)
        with torch.no_grad():
            for name, weight in self.model.weights.items(): weight.copy_(state["weights"][name])
        self.optimizer.load(state["optimizer"])
        self.step, self.phase, self.step_in_phase, self.seconds, self.tokens = state["progress"]
        print(f"{self.name}: goes on at step {self.step}", flush=True)

    def keep(self) -> None:
        torch.save({"weights": {name: weight.detach() for name, weight in self.model.weights.items()},
                    "optimizer": self.optimizer.state(),
                    "progress": [self.step, self.phase, self.step_in_phase, self.seconds, self.tokens]},
                   self.folder / "state.pt.part")
        os.replace(self.folder / "state.pt.part", self.folder / "state.pt")

    def rate(self, phase: Phase) -> float:
        warm = min(1.0, (self.step + 1) / 100)
        if not phase.cool: return warm
        return warm * (0.05 + 0.95 * (0.5 + 0.5 * math.cos(math.pi * self.step_in_phase / phase.steps)))

    def train(self) -> None:
        loss_sum, count, mass = 0.0, 0, float("nan")
        while self.phase < len(self.phases):
            phase, start = self.phases[self.phase], time.time()
            batch = make_batch(phase, random.Random(f"{self.seed}/{self.name}/{self.step}"))
            loss, plain, mass = loss_of(self.model, batch, phase)
            loss.backward()
            self.optimizer.step(self.rate(phase))
            loss_sum, count = loss_sum + plain, count + 1
            self.step, self.step_in_phase = self.step + 1, self.step_in_phase + 1
            self.tokens += int((batch.weights > 0).sum())
            self.seconds += time.time() - start
            if self.step % 100 and self.step_in_phase < phase.steps: continue
            by_kind = recall.by_kind(self.model, 64, 4, 32, self.step, rivals=True)
            far = recall.by_kind(self.model, 120, 5, 32, self.step, rivals=True) if phase.mix.length > 64 else by_kind
            copied = recall.copied(self.model, 64, self.step)
            self.report(phase, loss_sum / count, mass, by_kind, far, copied)
            loss_sum, count = 0.0, 0
            done = min(*by_kind.values(), *far.values()) >= phase.until and copied >= phase.until_copied
            if done or self.step_in_phase >= phase.steps:
                self.phase, self.step_in_phase = self.phase + 1, 0
            self.keep()
        llama.save(self.model, self.folder)
        vocabulary.save(self.folder)

    def report(self, phase: Phase, loss: float, mass: float, near: dict, far: dict,
               copied: float) -> None:
        row = {"step": self.step, "phase": phase.name, "tokens": self.tokens, "seconds": round(self.seconds),
               "loss": round(loss, 4), "rest": round(mass, 3), "copied": round(copied, 3)}
        row |= {f"{kind} near": near[kind] for kind in near} | {f"{kind} far": far[kind] for kind in far}
        file = self.folder / "log.csv"
        is_new = not file.exists()
        with file.open("a", newline="") as out:
            writer = csv.DictWriter(out, row)
            if is_new: writer.writeheader()
            writer.writerow(row)
        print(f"{self.name} {phase.name}: step {self.step}, {self.tokens / 1e6:.1f}M tokens, {self.seconds / 60:.0f} min, "
              f"loss {loss:.3f}, rest {mass:.2f}, copied {copied:.2f}, recall " +
              " ".join(f"{kind} {near[kind]:.2f}/{far[kind]:.2f}" for kind in near), flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("name", help="mha, gqa, mqa, or one of them with -scratch")
    options.add_argument("--parent", help="fold this model's heads and go on from there")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    run = Run(chosen.name, chosen.parent, chosen.seed)
    run.resume()
    run.train()


if __name__ == "__main__":
    main()
