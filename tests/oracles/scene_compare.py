"""Plays random scenes in the program and in the model, and says where they differ.

    python3 scene_compare.py PROGRAM [FIRST_SEED [COUNT]]

Each scene is compared at its end and after one iteration in the middle (`--until-step`).
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

from scene_model import Mismatch, Model
from scene_random import random_scene


def play(program, scene, folder, until):
    scene_file, event_file = folder / "scene.kvscene", folder / "events.jsonl"
    scene_file.write_text(json.dumps(scene))
    line = [program, "run", "--scene", scene_file, "--json", "--no-times", "--events", event_file]
    if until is not None:
        line += ["--until-step", str(until)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        raise Mismatch(f"exit {done.returncode}: {done.stderr}")
    return json.loads(done.stdout), [json.loads(text) for text in event_file.read_text().splitlines()]


def block_events(lines):
    for e in lines:
        if e["event"] == "BlockStored":
            yield ("Stored", e["request"], tuple(e["blocks"]), tuple(e["token_ids"])), e
        elif e["event"] == "BlockRemoved":
            for block in e["blocks"]:
                yield ("Removed", (block,)), e
        elif e["event"] == "AllBlocksCleared":
            yield ("Cleared",), e


def compare_events(model, lines):
    """The same events in the same order; and hashes that are one to one with salt and prefix."""
    theirs, key_of, hash_of = list(block_events(lines)), {}, {}
    for k in range(max(len(theirs), len(model.events))):
        a = theirs[k] if k < len(theirs) else (None, None)
        b = model.events[k] if k < len(model.events) else None
        if b is None or a[0] != b[:4]:
            yield f"block event {k}: program {a[0]}, model {b}"
            return
        if a[0][0] != "Stored":
            continue
        parent, salt = b[4], model.reqs[b[1]].salt
        named = a[1]["parent_block_hash"]
        if (named is None) != (parent is None) or (parent and key_of.get(named) != parent):
            yield f"block event {k}: the parent is {key_of.get(named)}, model {parent}"
        before = parent[1] if parent else ()
        for i, block_hash in enumerate(a[1]["block_hashes"]):
            key = (salt, before + b[3][:(i + 1) * model.b])
            if key_of.setdefault(block_hash, key) != key or hash_of.setdefault(key, block_hash) != block_hash:
                yield f"block event {k}: hash {block_hash} is not one to one with its prefix"


def compare(program, scene, folder, until=None):
    found, lines = play(program, scene, folder, until)
    model = Model(scene, {r["id"]: r["output_tokens"] for r in found["requests"]}).run(until)
    mine = {r["id"]: r for r in model.result()}
    theirs = {r["id"]: r for r in found["requests"]}
    if list(mine) != list(theirs):
        yield f"requests: program {list(theirs)}, model {list(mine)}"
        return
    for name, r in mine.items():
        for field, value in r.items():
            if theirs[name][field] != value:
                yield f"{name}.{field}: program {theirs[name][field]}, model {value}"
    pool = model.pool() if until is not None or model.snap is None else model.snap
    live = pool.pop("live") * found["bytes"]["per_token"]
    allocated = pool["used"] * found["pool"]["bytes_per_block"]
    gauges = {"live": live, "formula": live, "allocated": allocated}
    expected = [("pool", pool), ("counters", model.c), ("bytes", gauges)]
    for part, values in expected:
        for field, value in values.items():
            if found[part][field] != value:
                yield f"{part}.{field}: program {found[part][field]}, model {value}"
    yield from compare_events(model, lines)


def main(program, first=0, count=200):
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        for seed in range(int(first), int(first) + int(count)):
            scene = random_scene(seed)
            for until in (None, random.Random(seed).randint(0, 30)):
                try:
                    differences = list(compare(program, scene, pathlib.Path(name), until))
                except Mismatch as mismatch:
                    differences = [str(mismatch)]
                if differences:
                    wrong += 1
                    place = "at the end" if until is None else f"after iteration {until}"
                    print(f"seed {seed}, {place}:", *differences[:6], sep="\n  ")
    print(f"{count} scenes, each looked at twice: {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
