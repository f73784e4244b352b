"""The books of `kvarium run --scene` beside those of vLLM's scheduler, cache manager and pool: one iteration after the
other, the same requests get the same number of tokens, the same blocks by their ids in the same order, the same hits,
and the same blocks are published and given up.
"""

import collections
import json
import pathlib
import random
import tempfile

from loopback import COUNTS, Different, same
from vllm_engine import Engine


def random_scene(seed):
    """Small pools, beginnings that are shared, requests that grow past what is free."""
    dice = random.Random(seed)
    size, blocks = dice.choice([1, 2, 3, 4, 4, 8, 16]), dice.choice([dice.randint(6, 12), dice.randint(10, 40)])
    room = blocks * size
    texts = [[dice.randint(5, 500) for _ in range(room)] for _ in range(2)]
    requests, commands = [], []
    for name in "ABCDEFGHIJKL"[:dice.randint(2, 12)]:
        length = dice.randint(1, max(1, min(room // 2, 60)))
        common = dice.choice([0, length, length, dice.randint(0, length), dice.randint(0, length) // size * size])
        one = {"id": name, "arrive": dice.choice([0, dice.randint(0, 4), dice.randint(0, 30)]), "temperature": 0,
               "tokens": dice.choice(texts)[:common] + [dice.randint(5, 500) for _ in range(length - common)],
               "max_new": dice.randint(1, 4), "salt": dice.choice(["", "", "", "x"])}
        grows = dice.randint(0, max(0, min(room - length - 4, 40)))
        if grows:
            one["force_tokens"] = dice.choice([texts[0][length:length + grows],
                                               [dice.randint(5, 500) for _ in range(grows)]])
        requests.append(one)
        if grows and dice.random() < 0.15:  # while it says what it was told to, so that it has not ended
            commands.append({"at": one["arrive"] + dice.randint(1, grows), "command": f"stop {name}"})
    settings = {"backend": "cpu", "block_size": size, "pool": f"{blocks}blocks", "share": "full_blocks_only",
                "free_order": "unhashed_first", "preempt": "recompute", "max_running": dice.randint(1, 8),
                "max_batch_tokens": dice.choice([1, 3, 8, dice.randint(1, 64), 64, 256]),
                "watermark_blocks": dice.choice([0, 0, 0, 1, 2])}
    return {"version": 1, "name": f"peers-{seed}", "seed": seed, "model": {"name": "gqa"}, "settings": settings,
            "requests": requests, "commands": sorted(commands, key=lambda c: c["at"])}


def by_iteration(lines):
    """What the program did, in the words of `theirs`: (what, iteration, request, ...)."""
    for line in lines:
        kind, at, name = line["event"], line["iteration"], line["request"]
        if kind == "TokensScheduled":
            yield "scheduled", at, name, line["count"]
        elif kind == "BlockAllocated":
            yield "block", at, line["block"]
        elif kind == "BlockStored":
            yield "stored", at, tuple(line["token_ids"])
        elif kind == "BlockRemoved":
            for block in line["blocks"]:
                yield "removed", at, block
        elif kind == "RequestPreempted":
            yield "preempted", at, name


class Watched(Engine):
    """An engine that writes down what its pool hands out and gives up."""

    def __init__(self, *values, **named):
        super().__init__(*values, **named)
        self.did, self.found = [], {}
        handed, evict = self.pool.get_new_blocks, self.pool._maybe_evict_cached_block
        build, preempt = self.pool._build_block_stored_event, self.made._preempt_request

        def get_new_blocks(n):
            blocks = handed(n)
            self.did += [("block", self.clock, block.block_id - 1) for block in blocks]
            return blocks

        def maybe_evict(block):
            was = evict(block)
            if was:
                self.did.append(("removed", self.clock, block.block_id - 1))
            return was

        def build_stored(request, **of):
            tokens = request.all_token_ids[of["start_token_idx"]:of["end_token_idx"]]
            self.did.append(("stored", self.clock, tuple(tokens)))
            return build(request, **of)

        def preempt_request(request, *more, **named):
            self.did.append(("preempted", self.clock, request.request_id))
            return preempt(request, *more, **named)

        self.pool.get_new_blocks, self.pool._maybe_evict_cached_block = get_new_blocks, maybe_evict
        self.pool._build_block_stored_event = build_stored
        self.made._preempt_request = preempt_request

    def planned(self, plan):
        self.did += [("scheduled", self.clock, name, n) for name, n in plan.num_scheduled_tokens.items()]
        for one in plan.scheduled_new_reqs:
            self.found[one.req_id] = one.num_computed_tokens


def says(one, done):
    """What a request will say: the tokens that the program drew. One that was stopped would have said more."""
    rest = one["max_new"] - len(done["output_tokens"]) if done["finish"] == "stopped" else 0
    return one.get("force_tokens", []) + done["output_tokens"] + [0] * rest


def play(vllm, scene, requests):
    """The scene in vLLM; `requests` are those of the program's answer."""
    settings = scene["settings"]
    engine = Watched(vllm, blocks=int(settings["pool"].removesuffix("blocks")), block_size=settings["block_size"],
                     max_running=settings["max_running"], max_batch_tokens=settings["max_batch_tokens"],
                     watermark_blocks=settings["watermark_blocks"], max_len=100_000)
    arrivals = collections.defaultdict(list)
    for one in scene["requests"]:
        if requests[one["id"]]["finish"] != "refused":
            arrivals[one["arrive"]].append(one)
    stops = collections.defaultdict(list)
    for one in scene["commands"]:
        stops[one["at"]].append(one["command"].split()[1])
    last = max([*arrivals, *stops])
    while engine.clock <= last or engine.made.has_requests():
        if engine.clock > 5000:
            raise Different("vLLM does not come to an end")
        for name in stops.pop(engine.clock, ()):
            engine.abort(name)
        for one in arrivals.pop(engine.clock, ()):
            engine.add(one["id"], one["tokens"], says(one, requests[one["id"]]), one["salt"] or None)
        engine.step()
    return engine


def sorted_parts(events):
    """Per iteration the order of each kind of event; how kinds follow each other is a matter of words."""
    parts = collections.defaultdict(list)
    for kind, at, *what in events:
        parts[at, kind].append(tuple(what))
    return dict(parts)


def compare(program, vllm, seed):
    scene = random_scene(seed)
    with tempfile.TemporaryDirectory(prefix="kvarium-peers.") as name:
        folder = pathlib.Path(name)
        (folder / "scene.kvscene").write_text(json.dumps(scene))
        out = program.json("run", "--scene", folder / "scene.kvscene", "--json", "--no-times", "--events",
                           folder / "events.jsonl")
        lines = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    requests = {one["id"]: one for one in out["requests"]}
    engine = play(vllm, scene, requests)
    ours, theirs = sorted_parts(by_iteration(lines)), sorted_parts(engine.did)
    for at in sorted(set(ours) | set(theirs)):
        same(f"scene {seed}, iteration {at[0]}, {at[1]}", ours.get(at), theirs.get(at))
    for name, one in requests.items():
        if one["finish"] == "refused":
            continue
        theirs = engine.finished[name]
        same(f"scene {seed}, table of {name}", one["block_table"], engine.tables[name][0])
        same(f"scene {seed}, preemptions of {name}", one["preemptions"], theirs.num_preemptions)
        same(f"scene {seed}, hits of {name}", one["cached_prompt_tokens"], engine.found.get(name, 0))
        COUNTS["requests"] += 1
        COUNTS["requests that hit"] += engine.found.get(name, 0) > 0
    same(f"scene {seed}, tokens asked", out["counters"]["prefix_queries"], engine.queries)
    same(f"scene {seed}, tokens hit", out["counters"]["prefix_hits"], engine.hits)
    COUNTS["preemptions"] += out["counters"]["preemptions"]
    COUNTS["blocks given up"] += out["counters"]["blocks_reclaimed"]
    COUNTS["iterations"] += out["counters"]["iterations"]
    COUNTS["scenes"] += 1


def run(program, vllm, seeds):
    for seed in seeds:
        compare(program, vllm, seed)
