"""Drives the program with the schedulers, pools, trees and publishers of vLLM and SGLang, over loopback.

    drive.py KVARIUM WHEELS WHAT SEEDS [FIRST]

WHEELS is the folder that scripts/peers fills. WHAT is one of:

    vllm     vLLM's scheduler publishes, `kvarium attach` follows
    sglang   SGLang's trees publish, `kvarium attach` follows
    books    `kvarium run --scene` beside vLLM's scheduler
    whatif   `kvarium whatif` beside the counters of vLLM's scheduler

Prints what was done; ends with 1 at the first difference, with the words that show it again.
"""

import pathlib
import sys
import types

import attach_scenes
import sglang_engine
import stubs
import traffic
import vllm_books
import vllm_engine
import vllm_whatif
from loopback import COUNTS, Different, Program

# Layers that see everything; with a group of a window; with groups of two sizes of block, either way round.
VLLM = ({}, {"window": 12}, {"window": 12, "block_size": 8, "window_block_size": 4},
        {"window": 12, "window_block_size": 8})
ORDERS = ("lru", "lfu", "fifo", "mru", "filo", "priority", "slru", "tlru")


def vllm(program, modules, seeds):
    """Each seed: one scene of each kind with one kind of layers, every batch with all, and with full reports."""
    peer = types.SimpleNamespace(name="vLLM", traffic=traffic.Traffic,
                                 engine=lambda *values, **named: vllm_engine.Engine(modules, *values, **named))
    for seed in seeds:
        of = {"hash_as_numbers": seed % 2 == 0}
        for scene in attach_scenes.ONCE:
            attach_scenes.run(program, peer, scene, seed, VLLM[seed % len(VLLM)] | of)
        for layers in VLLM:
            attach_scenes.run(program, peer, attach_scenes.every_batch, seed, layers | of)
        attach_scenes.run(program, peer, attach_scenes.every_batch, seed, {"report": "full"} | of)


def sglang(program, modules, seeds):
    """Each seed: one scene of each kind and every batch, for both trees, with other pages and another order."""
    peer = types.SimpleNamespace(name="SGLang", traffic=sglang_engine.Traffic,
                                 engine=lambda *values, **named: sglang_engine.Engine(modules, *values, **named))
    for seed in seeds:
        for at, tree in enumerate(("radix", "unified")):
            # The older tree does not know the last order.
            of = {"tree": tree, "page": (1, 2, 4, 16)[seed % 4], "order": ORDERS[seed % (7 + at)]}
            for scene in (*attach_scenes.ONCE, attach_scenes.every_batch):
                attach_scenes.run(program, peer, scene, seed, of)


def main(path, wheels, what, seeds, first="0"):
    program, wheels = Program(path), pathlib.Path(wheels)
    seeds = range(int(first), int(first) + int(seeds))
    if what == "sglang":
        sglang(program, stubs.sglang(wheels), seeds)
    else:
        run = {"vllm": vllm, "books": vllm_books.run, "whatif": vllm_whatif.run}[what]
        run(program, stubs.vllm(wheels), seeds)
    words = [f"{COUNTS['scenes']} scenes"] + [f"{n} {name}" for name, n in COUNTS.items() if n and name != "scenes"]
    print(f"{what}: {', '.join(words)}: no difference")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Different as different:
        sys.exit(str(different))
