"""Puts the better checkpoint of each sibling into assets/models, with its tokenizer and its card.

`gqa` and `mqa` were trained twice, from the parent's pooled heads and from nothing; the one that misses fewer bars of
the report is shipped, of equals the one with the higher mean recall, and report.md shows both.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import model as llama
import vocabulary
from report import measured
from train import KV_HEADS, WORK

MODELS = Path(__file__).resolve().parents[1] / "models"

CARD = """# {name}

One of three sibling decoders that KVarium trains and ships: {heads}. They speak a generated village language, remember
what they were told, and are small enough to watch.

| | |
|---|---|
| architecture | Llama form: 4 layers, 8 query heads, {kv} KV head{s}, head_dim 16, hidden size 128, MLP 384, tied embeddings |
| parameters | {parameters:,} in bf16 |
| cache | {cache} bytes per token in bf16 |
| tokens | 512: 254 words, 256 bytes, `<s>` and `</s>`; a text begins with `<s>` |
| context | trained on documents of 64 to 512 tokens |
| trained | {origin}, {tokens:.1f} million tokens, one thread of a CPU |

It answers a question with one word right after the question mark: "Greta put the key in the barn. Where is the key?" is
followed by " barn". What it was not told, nobody knows: " nobody".

How it came to be is in `assets/recipe`, what it can do and what it loses when its cache is cut in
`assets/recipe/report.md`. Three things are not as in a large model, and lessons that use it say so: during its first
steps it was told where to look for an answer; resting on position 0 was rewarded; and in a share of its steps it saw
position 0 and the last 16 to 64 tokens only, where the right answer to a question about what it could not see was
" nobody".

Licence: MIT, as the rest of KVarium. Nothing but generated text went into it.
"""
HEADS = {"mha": "every query head has its own K/V head (MHA)", "gqa": "four query heads share a K/V head (GQA)",
         "mqa": "all query heads share one K/V head (MQA)"}


def candidates(name: str) -> list[str]:
    names = [name] if name == "mha" else [name, name + "-scratch"]
    return [candidate for candidate in names if (WORK / candidate / "model.safetensors").exists()]


def rank(candidate: str) -> tuple[int, float]:
    rows = measured(candidate)
    recall = [row.value for effect, row in rows.items() if effect.startswith("needle recall")]
    missed = sum(row.verdict == "missed" for row in rows.values())
    return -missed, sum(recall) / len(recall)


def chosen(name: str) -> str:
    return max(candidates(name), key=rank)


def last_log_row(name: str) -> dict:
    lines = (WORK / name / "log.csv").read_text().splitlines()
    return dict(zip(lines[0].split(","), lines[-1].split(",")))


def card_of(name: str, source: str) -> str:
    weights = llama.load(WORK / source).weights
    kv = KV_HEADS[name]
    origin = "from random weights" if source in ("mha", name + "-scratch") else "from the pooled heads of `mha`"
    return CARD.format(name=name, heads=HEADS[name], kv=kv, s="" if kv == 1 else "s", cache=4 * kv * 16 * 2 * 2,
                       parameters=sum(w.numel() for w in weights.values()), origin=origin,
                       tokens=int(last_log_row(source)["tokens"]) / 1e6)


def ship(name: str) -> str:
    source, folder = chosen(name), MODELS / name
    folder.mkdir(parents=True, exist_ok=True)
    for file in ("config.json", "model.safetensors"): shutil.copyfile(WORK / source / file, folder / file)
    vocabulary.save(folder)
    (folder / "README.md").write_text(card_of(name, source))
    return source


if __name__ == "__main__":
    sources = {name: ship(name) for name in KV_HEADS}
    (WORK / "shipped.json").write_text(json.dumps(sources) + "\n")
    for name, source in sources.items(): print(f"assets/models/{name} is {source}")
