"""Drives `kvarium attach` with the publishers of vLLM and SGLang, live over this machine's loopback.

    drive.py KVARIUM WHEELS [SCENES]

WHEELS is the folder that scripts/peers fills. Each scene publishes what vLLM's own pool of blocks stores and gives up
(or, for SGLang, events of its own classes), attaches early or late, and compares: every recorded batch with the one
that was published, and the hashes at the end with the pool's. Prints what was done; ends with 1 at the first difference.
"""

import json
import pathlib
import random
import socket
import subprocess
import sys
import tempfile
import time
import types

import stubs

KVARIUM, WHEELS = sys.argv[1], pathlib.Path(sys.argv[2])
SCENES = int(sys.argv[3]) if len(sys.argv) > 3 else 8
HOST = "127.0.0.1"
COUNTS = {"batches": 0, "events": 0, "scenes": 0}


def free_port(n=1):
    """The first of n free ports that lie side by side."""
    for _ in range(200):
        first = random.randrange(20000, 50000)
        held = []
        try:
            for port in range(first, first + n):
                held.append(socket.socket())
                held[-1].bind((HOST, port))
            return first
        except OSError:
            continue
        finally:
            for one in held:
                one.close()
    raise SystemExit("no free ports")


def wait_until_free(*ports):
    """ZeroMQ gives a port back a moment after its socket is closed."""
    for port in ports:
        for _ in range(200):
            with socket.socket() as one:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    one.bind(("", port))
                    break
                except OSError:
                    time.sleep(0.05)


def attach(events, *more):
    record = tempfile.mktemp(suffix=".jsonl")
    line = [KVARIUM, "attach", f"tcp://{HOST}:{events}", "--json", "--show-tokens", "--record", record, *more]
    child = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return types.SimpleNamespace(child=child, record=pathlib.Path(record), line=line)


def finish(attached, seconds=30):
    try:
        out, err = attached.child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        attached.child.kill()
        out, err = attached.child.communicate()
        raise SystemExit(f"did not end: {' '.join(attached.line)}\n{err}")
    if attached.child.returncode != 0:
        raise SystemExit(f"ended with {attached.child.returncode}: {err}")
    lines = [json.loads(line) for line in attached.record.read_text().splitlines()]
    attached.record.unlink()
    return json.loads(out), lines


def same(what, got, expected):
    if got != expected:
        raise SystemExit(f"{what} differ:\n got      {str(got)[:600]}\n expected {str(expected)[:600]}")


def text_of(hash_, signed):
    if isinstance(hash_, bytes):
        return hash_.hex()
    return str(hash_) if signed else str(hash_ % 2**64)


def plain(event):
    """An event of a server's class as a recorded line has it; numbers without a sign, digests in hexadecimal."""
    kind = type(event).__name__
    if kind == "AllBlocksCleared":
        return {"type": kind}
    number = lambda h: h.hex() if isinstance(h, bytes) else None if h is None else h % 2**64
    out = {"type": kind, "block_hashes": [number(h) for h in event.block_hashes], "medium": event.medium or "GPU"}
    if getattr(event, "group_idx", None):
        out["group_idx"] = event.group_idx
    if kind == "BlockStored":
        out |= {"parent_block_hash": number(event.parent_block_hash), "token_ids": list(event.token_ids),
                "block_size": event.block_size}
    return out


def recorded(lines, rank):
    return [(line["seq"], line["events"]) for line in lines if "events" in line and line["data_parallel_rank"] == rank]


class VllmServer:
    """vLLM's own pool, its hashes and its publisher; requests that share beginnings come and go."""

    BLOCK = 4

    def __init__(self, modules, seed, events, replay=None, rank=0, groups=1):
        self.events, self.utils, self.pool_module = modules
        self.dice = random.Random(seed)
        self.pool = self.pool_module.BlockPool(num_gpu_blocks=40, enable_caching=True, hash_block_size=self.BLOCK,
                                               enable_kv_cache_events=True)
        self.publisher = self.events.ZmqEventPublisher(
            rank, endpoint=f"tcp://{events}" if isinstance(events, str) else f"tcp://*:{events}",
            replay_endpoint=f"tcp://*:{replay}" if replay else None, topic="kv")
        self.groups, self.published, self.time = groups, [], 1000.0

    def request(self):
        length = self.dice.randrange(1, 9) * self.BLOCK
        tokens = [self.dice.randrange(3)] * self.dice.randrange(0, length) + [self.dice.randrange(4)] * length
        tokens = tokens[:length]
        hashes, parent = [], None
        for at in range(0, length, self.BLOCK):
            parent = self.utils.hash_block_tokens(_hash, parent, tokens[at:at + self.BLOCK], None)
            hashes.append(parent)
        return types.SimpleNamespace(all_token_ids=tokens, block_hashes=hashes, mm_features=[], lora_request=None,
                                     session_id=None, cache_salt=None, prompt_embeds=None)

    def step(self):
        request, group = self.request(), self.dice.randrange(self.groups)
        hit = []
        for one in request.block_hashes:
            found = self.pool.get_cached_block(one, [group])
            if not found:
                break
            hit += found
        self.pool.touch(hit)
        missing = len(request.block_hashes) - len(hit)
        if missing <= self.pool.get_num_free_blocks():
            blocks = hit + self.pool.get_new_blocks(missing)
            self.pool.cache_full_blocks(request, blocks, len(hit), len(blocks), self.BLOCK, group)
            self.pool.free_blocks(reversed(blocks))
        else:
            self.pool.free_blocks(reversed(hit))
        if self.dice.randrange(40) == 0:
            self.pool.reset_prefix_cache()
        self.publish(self.pool.take_events())

    def publish(self, events):
        if not events:
            return
        self.time += 0.25
        self.publisher.publish(self.events.KVEventBatch(ts=self.time, events=events))
        self.published.append((len(self.published), [plain(event) for event in events]))

    def hashes(self):
        external = self.utils.maybe_convert_block_hash
        keys = self.pool.cached_block_hash_to_block._cache
        return sorted({text_of(external(self.utils.get_block_hash(key)), False) for key in keys})

    def last(self):
        return len(self.published) - 1


def _hash(value):
    import hashlib
    import pickle
    return hashlib.sha256(pickle.dumps(value)).digest()


def run_until(server, last):
    """Its publisher has a thread of its own; what was published is sent when this returns."""
    while server.last() < last:
        server.step()
    while not server.publisher._event_queue.empty():
        time.sleep(0.05)
    time.sleep(0.1)


def check(name, servers, attached):
    out, lines = finish(attached)
    for server, rank in servers:
        same(f"{name}: batches of rank {rank}", recorded(lines, rank), server.published)
        COUNTS["batches"] += len(server.published)
        COUNTS["events"] += sum(len(events) for _, events in server.published)
    expected = sorted({one for server, _ in servers for one in server.hashes()})
    same(f"{name}: hashes", out["hashes"], expected)
    COUNTS["scenes"] += 1
    return out


def vllm_scenes(modules, seed):
    ports = free_port(4)
    # Late, with a replay; two ranks at neighbouring ports.
    servers = [(VllmServer(modules, seed + rank, ports, ports + 2, rank, groups=2), rank) for rank in range(2)]
    for server, _ in servers:
        run_until(server, 40)
    attached = attach(ports, "--replay", f"tcp://{HOST}:{ports + 2}", "--ranks", "2", "--until-sequence", "120",
                      "--topic", "kv")
    time.sleep(1.0)
    for server, _ in servers:
        run_until(server, 120)
    out = check("vLLM late", servers, attached)
    same("ranks", out["server"]["ranks"], [0, 1])
    same("missed", out["server"]["missed"], [0, 0])
    for server, _ in servers:
        server.publisher.shutdown()


def vllm_restart(modules, seed):
    ports = free_port(2)
    old = VllmServer(modules, seed, ports, ports + 1)
    run_until(old, 30)
    attached = attach(ports, "--replay", f"tcp://{HOST}:{ports + 1}", "--for", "6")
    time.sleep(1.5)
    old.publisher.shutdown()
    wait_until_free(ports, ports + 1)
    young = VllmServer(modules, seed + 77, ports, ports + 1)
    run_until(young, 20)
    out, lines = finish(attached)
    same("restarts", out["server"]["restarts"], [1])
    same("batches over a restart", recorded(lines, 0), old.published + young.published)
    same("hashes after a restart", out["hashes"], young.hashes())
    young.publisher.shutdown()
    COUNTS["scenes"] += 1


def vllm_gap(modules, seed):
    """Batches that the publisher sends to nobody while the line is cut are asked for again."""
    ports = free_port(2)
    server = VllmServer(modules, seed, ports, ports + 1)
    run_until(server, 10)
    attached = attach(ports, "--replay", f"tcp://{HOST}:{ports + 1}", "--until-sequence", "60")
    time.sleep(2.5)  # the second look at the replay, a second after the first, is over
    real = server.publisher._pub
    server.publisher._pub = types.SimpleNamespace(send_multipart=lambda frames: None, close=real.close)
    run_until(server, 40)
    time.sleep(0.5)
    server.publisher._pub = real
    run_until(server, 60)
    out = check("vLLM gap", [(server, 0)], attached)
    same("gaps asked", out["server"]["asked_again"], [1])
    server.publisher.shutdown()


def vllm_middle(modules, seed):
    ports = free_port(1)
    server = VllmServer(modules, seed, ports)
    run_until(server, 10)
    attached = attach(ports, "--until-sequence", "30")
    time.sleep(1.0)
    run_until(server, 30)
    out, lines = finish(attached)
    same("began in the middle", out["server"]["began_in_the_middle"], [True])
    same("batches from the middle on", recorded(lines, 0), server.published[11:])
    server.publisher.shutdown()
    COUNTS["scenes"] += 1


def vllm_connects(modules, seed):
    """An endpoint that names a host is one that the server connects to."""
    ports = free_port(1)
    attached = attach(ports, "--bind", "--until-sequence", "30")
    time.sleep(0.5)
    server = VllmServer(modules, seed, f"{HOST}:{ports}")
    time.sleep(1.0)
    run_until(server, 30)
    out = check("vLLM connects", [(server, 0)], attached)
    same("began at the start", out["server"]["first_sequence"], [0])
    server.publisher.shutdown()


def sglang_scene(module, seed):
    dice, ports = random.Random(seed), free_port(2)
    publisher = module.ZmqEventPublisher(0, endpoint=f"tcp://*:{ports}", replay_endpoint=f"tcp://*:{ports + 1}")
    cached, published = set(), []

    def step():
        events = []
        for _ in range(dice.randrange(1, 4)):
            n = dice.randrange(1, 5)
            if cached and dice.randrange(2) == 0:
                gone = dice.sample(sorted(cached), min(n, len(cached)))
                cached.difference_update(gone)
                events.append(module.BlockRemoved(block_hashes=gone, medium="GPU"))
            else:
                new = [one for one in (dice.randrange(-2**63, 2**63) for _ in range(n)) if one not in cached]
                parent = dice.choice(sorted(cached)) if cached and dice.randrange(2) else None
                cached.update(new)
                events.append(module.BlockStored(block_hashes=new, parent_block_hash=parent,
                                                 token_ids=[dice.randrange(50000) for _ in range(16 * n)],
                                                 block_size=16, lora_id=None, medium="GPU", cache_salt="salt"))
        publisher.publish(module.KVEventBatch(ts=1000.0 + len(published), events=events))
        published.append((len(published), [plain(event) for event in events]))

    while len(published) < 30:
        step()
    attached = attach(ports, "--replay", f"tcp://{HOST}:{ports + 1}", "--until-sequence", "99")
    time.sleep(1.0)
    while len(published) < 100:
        step()
    out, lines = finish(attached)
    same("SGLang's batches", recorded(lines, 0), published)
    same("SGLang's hashes", out["hashes"], sorted(text_of(one, True) for one in cached))
    publisher.shutdown()
    COUNTS["scenes"] += 1
    COUNTS["batches"] += len(published)
    COUNTS["events"] += sum(len(events) for _, events in published)


def main():
    for int_hashes in (True, False):
        modules = stubs.vllm(WHEELS, int_hashes)
        modules[1].init_none_hash(_hash)
        for seed in range(SCENES):
            vllm_scenes(modules, 100 * seed)
        vllm_restart(modules, 7)
        vllm_gap(modules, 8)
        vllm_middle(modules, 9)
        vllm_connects(modules, 10)
    module = stubs.sglang(WHEELS)
    for seed in range(SCENES):
        sglang_scene(module, seed)
    print(f"{COUNTS['scenes']} scenes, {COUNTS['batches']} batches, {COUNTS['events']} events: no difference")


main()
