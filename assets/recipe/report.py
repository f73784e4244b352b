"""Measures every effect of every checkpoint and writes report.md and its loss curves."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import effects
import model as llama
from train import WORK

HERE = Path(__file__).resolve().parent
ALL = ["mha", "gqa", "mqa", "gqa-scratch", "mqa-scratch"]

HEAD = """# What the siblings can do

Written by `assets/recipe/run report`; every figure is measured, on 200 documents that no training step has seen.
`python3 effects.py ../models/gqa ../models/mha` prints a model's table alone. Arithmetic is float32 on the shipped bf16
weights. A figure from 200 documents is known to about 0.03.

`gqa` and `mqa` go on from the pooled heads of `mha`; a name with `-scratch` was trained from nothing with fewer heads.
Shipped: {shipped}.

## Training

| model | steps | tokens | minutes | last loss | mean mass on position 0 |
|---|---|---|---|---|---|
{training}

![Cross-entropy over tokens](loss.svg)

The loss is the plain cross-entropy of each 100 steps' own mix of documents, which grows harder with each phase.

## Effects

A bar stands in brackets; **bold** misses it.

| effect | {names} |
|---|{rule}|
{effects}
"""


def measured(name: str) -> dict[str, effects.Row]:
    """The rows of a checkpoint, kept beside it: measuring takes minutes."""
    folder = WORK / name
    kept, weights = folder / "effects.json", folder / "model.safetensors"
    if not kept.exists() or kept.stat().st_mtime < weights.stat().st_mtime:
        parent = None if name == "mha" else llama.load(WORK / "mha")
        rows = list(effects.all_rows(llama.load(folder), parent))
        kept.write_text(json.dumps([row.__dict__ for row in rows], indent=1) + "\n")
    return {row["effect"]: effects.Row(**row) for row in json.loads(kept.read_text())}


def cell(row: effects.Row | None) -> str:
    if row is None: return ""
    text = f"{row.value:.3f}"
    if row.verdict == "missed": text = f"**{text}**"
    if row.least is not None: text += f" (≥ {row.least:.2f})"
    if row.most is not None: text += f" (≤ {row.most:.2f})"
    return text


def log_of(name: str) -> list[dict]:
    with (WORK / name / "log.csv").open() as file: return list(csv.DictReader(file))


def training_row(name: str) -> str:
    last = log_of(name)[-1]
    return (f"| {name} | {int(last['step']):,} | {int(last['tokens']) / 1e6:.1f} M | {int(last['seconds']) / 60:.0f} | "
            f"{float(last['loss']):.3f} | {float(last['rest']):.2f} |")


def curves(names: list[str]) -> str:
    """An SVG: one line for each model, named at its end."""
    colours = ["#56B4E9", "#F0A020", "#009E73", "#9aa0a8", "#CC79A7"]
    logs = {name: [(int(r["tokens"]) / 1e6, float(r["loss"])) for r in log_of(name)] for name in names}
    right = max(point[0] for log in logs.values() for point in log)
    x = lambda tokens: 50 + 560 * tokens / right
    y = lambda loss: 260 - 230 * min(loss, 4.5) / 4.5
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 300" font-family="sans-serif" font-size="12">',
             '<rect width="720" height="300" fill="#fbfaf7"/>']
    for loss in range(5):
        parts.append(f'<path d="M50 {y(loss):.1f}H610" stroke="#ddd8cc"/><text x="40" y="{y(loss) + 4:.1f}" '
                     f'text-anchor="end" fill="#555">{loss}</text>')
    for tokens in range(0, int(right) + 1, 5):
        parts.append(f'<text x="{x(tokens):.1f}" y="280" text-anchor="middle" fill="#555">{tokens}M</text>')
    for (name, log), colour in zip(logs.items(), colours):
        line = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in log)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        parts.append(f'<text x="618" y="{40 + 18 * names.index(name)}" fill="#333">'
                     f'<tspan fill="{colour}">■</tspan> {name}</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"


def main() -> None:
    names = [name for name in ALL if (WORK / name / "model.safetensors").exists()]
    tables = {name: measured(name) for name in names}
    order = list(dict.fromkeys(effect for table in tables.values() for effect in table))
    sources = json.loads((WORK / "shipped.json").read_text())
    body = HEAD.format(
        shipped=", ".join(f"`{name}` is {source}" for name, source in sources.items()),
        training="\n".join(training_row(name) for name in names),
        names=" | ".join(names), rule="|".join("---" for _ in names),
        effects="\n".join(f"| {effect} | " + " | ".join(cell(tables[name].get(effect)) for name in names) + " |"
                          for effect in order))
    (HERE / "loss.svg").write_text(curves(names))
    (HERE / "report.md").write_text(body)
    missed = [(name, effect) for name in sources.values() for effect, row in tables[name].items()
              if row.verdict == "missed"]
    for name, effect in missed: print(f"missed by {name}: {effect}")
    print(f"wrote {HERE / 'report.md'}")


if __name__ == "__main__":
    main()
