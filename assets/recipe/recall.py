"""How often a model answers a needle question with exactly the right word, by kind of question."""

from __future__ import annotations

import random

import torch

import model as llama
import vocabulary
from village import KINDS, Document, Fact, needle_document, song_document

IDS = vocabulary.ids_by_token()


def ids_of(document: Document) -> list[int]:
    return [llama.BOS] + [IDS[token] for token in document.tokens]


def needles(length: int, facts: int, count: int, seed: int, kind: str | None = None,
            known: bool = True, rivals: bool = False) -> tuple[torch.Tensor, list[Fact]]:
    rng = random.Random(f"needles/{length}/{facts}/{seed}/{kind}/{known}")
    made = [needle_document(rng, length, facts, kind, known, rivals) for _ in range(count)]
    return torch.tensor([ids_of(document) for document, _ in made]), [fact for _, fact in made]


@torch.no_grad()
def by_kind(model: llama.Decoder, length: int, facts: int, count: int, seed: int,
            rivals: bool = False) -> dict[str, float]:
    shares = {}
    for kind in KINDS:
        tokens, asked = needles(length, facts, count, seed, kind, rivals=rivals)
        best = model.forward(tokens)[0][:, -1].argmax(-1)
        right = torch.tensor([IDS[" " + fact.value] for fact in asked])
        shares[kind] = float((best == right).float().mean())
    return shares


@torch.no_grad()
def copied(model: llama.Decoder, count: int, seed: int) -> float:
    """The share of the second verse of a 20-word song that follows from the first, token by token."""
    rng = random.Random(f"songs/{seed}")
    songs = [song_document(rng, 20) for _ in range(count)]
    tokens = torch.tensor([ids_of(song) for song in songs])
    best = model.forward(tokens)[0].argmax(-1)
    _, second, length = songs[0].verses
    return float((best[:, second - 1:second + length - 1] == tokens[:, second:second + length]).float().mean())
