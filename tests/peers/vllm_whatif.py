"""What a pool of the same size would have found, by `kvarium whatif`, beside what vLLM's scheduler counted itself.

Requests come one after the other, as `whatif` takes them to. Three kinds of them:

* One token of answer: no block is half full, so that all numbers are equal, whatever the pool gives up.
* Longer answers: the block that a request is filling is in vLLM's pool and not in ours, so that vLLM finds no more than
  our pool of the same size and no less than one with a block less.
* Prompts that were there before, in a pool that gives up nothing: vLLM computes their last block again; all equal.
"""

import http.server
import random
import threading
import time
import types

from loopback import COUNTS, HOST, Different, count, finish, free_ports, same
from vllm_engine import Engine


class Metrics:
    """The counters of an engine's scheduler under the names that vLLM's /metrics has."""

    def __init__(self, engine):
        class Answer(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                text = (f'vllm:prefix_cache_queries_total{{engine="0"}} {engine.queries}\n'
                        f'vllm:prefix_cache_hits_total{{engine="0"}} {engine.hits}\n'
                        f'vllm:cache_config_info{{engine="0",num_gpu_blocks="{engine.set.blocks + 1}"}} 1\n').encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/plain; version=0.0.4")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer((HOST, 0), Answer)
        self.url = f"http://{HOST}:{self.server.server_address[1]}/metrics"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def chats(dice, size, requests, again):
    """Prompts of whole blocks, because tokens behind the last one are not announced, that go on from one that was
    there; `again` is how often one comes that adds nothing.
    """
    known = [[dice.randrange(50_000) for _ in range(size * dice.randint(2, 6))] for _ in range(8)]
    for _ in range(requests):
        at = dice.randrange(len(known))
        begin = known[at] if dice.random() < 0.8 else known[at][:size * dice.randint(1, len(known[at]) // size)]
        new = 0 if begin is known[at] and dice.random() < again else dice.randint(1, 3)
        prompt = begin + [dice.randrange(50_000) for _ in range(size * new)]
        if dice.random() < 0.5:
            known[at] = prompt[:size * 12]
        yield prompt


def record(program, vllm, dice, blocks, size, requests, answer, again):
    """An engine that has served such requests, and what `kvarium attach` records of it."""
    ports = free_ports(2)
    engine = Engine(vllm, events=ports, replay=ports + 1, blocks=blocks, block_size=size, max_batch_tokens=8192,
                    max_len=8192)
    metrics = Metrics(engine)
    clock = types.SimpleNamespace(time=lambda: clock.now_s, monotonic=time.monotonic, now_s=1000.0)
    vllm.scheduler.time = clock
    for at, prompt in enumerate(chats(dice, size, requests, again)):
        engine.add(f"r{at}", prompt, [dice.randrange(50_000) for _ in range(dice.randint(1, answer))])
        clock.now_s += 10  # so that nobody takes it for more of the one before
        while engine.made.has_unfinished_requests():
            engine.step()
            clock.now_s += 0.02
    vllm.scheduler.time = time
    engine.wait_until_sent()
    attached = program.attach(ports, "--replay", f"tcp://{HOST}:{ports + 1}", "--metrics", metrics.url, "--for", "3")
    out, _ = finish(attached, keep=True)
    metrics.close()
    engine.shutdown()
    same("polled", out["metrics"]["vllm:prefix_cache_hits_total"], engine.hits)
    return engine, attached.record


def compare(program, vllm, seed, kind, blocks, size, requests=300):
    answer, again = {"one token": (1, 0), "answers": (12, 0), "again": (1, 0.3)}[kind]
    engine, file = record(program, vllm, random.Random(seed), blocks, size, requests, answer, again)
    result = program.json("whatif", file, "--json", "--pool", f"{blocks - 1},{blocks}")
    file.unlink()
    file.parent.rmdir()
    what, check = f"whatif, {kind}, seed {seed}, {blocks} blocks", result["check"]
    same(f"{what}: against", check["against"], "server_counters")
    same(f"{what}: today's pool", result["today"]["pool"], blocks)
    same(f"{what}: tokens asked", check["replayed_tokens_asked"], engine.queries)
    less, equal = (point["tokens_hit"] for point in result["points"])
    if kind == "answers":
        if not less <= engine.hits <= equal:
            raise Different(f"{what}: vLLM hit {engine.hits} tokens; ours {less} with a block less, else {equal}")
    else:
        same(f"{what}: tokens hit", equal, engine.hits)
    COUNTS["scenes"] += 1
    count(engine.published)
    return engine


def run(program, vllm, seeds):
    for seed in seeds:
        size = (16, 4, 8)[seed % 3]
        for kind, blocks in (("one token", 30 + 17 * seed), ("answers", 40 + 19 * seed), ("again", 5000)):
            compare(program, vllm, seed, kind, blocks, size)
