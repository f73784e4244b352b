"""An independent model of `kvarium run --scene`: which block every token lies in, after every iteration.

It is written from the specification alone and is as simple as can be: lists that are searched, prefixes that are
compared as whole tuples, no hashes, no counters that could go wrong. The tokens that a request draws come from the
program's own output; everything else is predicted.
"""
EOS = {1}  # of the shipped siblings

DEFAULTS = {"block_size": 16, "pool": "48blocks", "share": "full_blocks_only", "host_blocks": 0, "max_batch_tokens": 64,
            "max_running": 8, "preempt": "recompute", "watermark_blocks": 0, "free_order": "unhashed_first",
            "free_list": [], "k_codec": "bf16", "v_codec": "bf16"}


class Request:
    def __init__(self, name, prompt, forced, max_new, priority, salt, outputs):
        self.name, self.prompt, self.forced, self.max_new = name, list(prompt), list(forced), max_new
        self.priority, self.salt = priority, salt
        self.supply = outputs            # what the program says it drew
        self.fed = 0                     # forced tokens fed
        self.outputs = []
        self.table, self.stored = [], 0
        self.state, self.finish = "waiting", None
        self.cached, self.looked_up, self.preemptions = 0, False, 0
        self.published, self.hidden = 0, False
        self.host = 0                    # blocks in the host tier
        self.end_table, self.end_stored = None, None

    def known(self):
        return self.prompt + self.forced[:self.fed] + self.outputs


class Mismatch(Exception):
    pass


class Model:
    def __init__(self, scene, outputs):
        self.set = dict(DEFAULTS)
        self.set.update(scene.get("settings", {}))
        self.b = self.set["block_size"]
        self.P = int(self.set["pool"].removesuffix("blocks"))
        first = self.set["free_list"]
        self.free = list(first) + [i for i in range(self.P) if i not in first]
        self.index = []                  # (key, block) in the order of publication; key = (salt, whole prefix)
        self.outputs, self.stuck = outputs, False
        self.reqs, self.order = {}, []
        self.waiting, self.running, self.paused = [], [], []
        self.clock = 0
        self.c = dict(iterations=0, positions_projected=0, score_pairs=0, prefix_queries=0, prefix_hits=0,
                      blocks_reclaimed=0, block_copies=0, preemptions=0, blocks_offloaded=0, blocks_loaded=0)
        self.events = []
        self.snap = None
        self.refused_commands = 0
        self.arrivals = [(r.get("arrive", 0), k, r) for k, r in enumerate(scene["requests"])]
        self.commands = [(c["at"], k, c["command"]) for k, c in enumerate(scene.get("commands", []))]
        self.host_used = 0

    # ---- blocks
    def ref(self, p):
        return sum(r.table.count(p) for r in self.reqs.values())

    def indexed(self, p):
        return any(q == p for _, q in self.index)

    def unindex(self, p):
        for k, (_, q) in enumerate(self.index):
            if q == p:
                del self.index[k]
                return True
        return False

    def pop(self):
        p = self.free.pop(0)
        if self.unindex(p):
            self.c["blocks_reclaimed"] += 1
            self.events.append(("Removed", (p,)))
        return p

    def give_back(self, r):
        """Reverse table order; blocks that others hold stay."""
        table, r.table = r.table, []
        r.published, r.hidden = 0, False
        head = []
        for p in reversed(table):
            if self.ref(p):
                continue
            if self.set["free_order"] == "unhashed_first" and not self.indexed(p):
                head.append(p)
            else:
                self.free.append(p)
        self.free = head + self.free

    def key(self, r, n):
        return (r.salt, tuple(r.known()[:n]))

    def lookup(self, r, start):
        """Blocks beyond `start` full ones that are found, left to right, one token left to compute."""
        if self.set["share"] == "off":
            return []
        hits, limit = [], (len(r.known()) - 1) // self.b
        for i in range(start, limit):
            key = self.key(r, (i + 1) * self.b)
            found = [p for k, p in self.index if k == key]
            if not found:
                break
            hits.append(found[0])
        return hits

    def publish(self, r, upto):
        if self.set["share"] == "off" or r.hidden:
            return
        run = []
        r.published = upto // self.b
        for i in range(upto // self.b):
            p = r.table[i]
            if self.indexed(p):
                continue
            self.index.append((self.key(r, (i + 1) * self.b), p))
            run.append((i, p))
        # one event per run of neighbours
        while run:
            k = 1
            while k < len(run) and run[k][0] == run[k - 1][0] + 1:
                k += 1
            part, run = run[:k], run[k:]
            toks = tuple(r.known()[part[0][0] * self.b:(part[-1][0] + 1) * self.b])
            parent = self.key(r, part[0][0] * self.b) if part[0][0] else None
            self.events.append(("Stored", r.name, tuple(p for _, p in part), toks, parent))

    # ---- what a chunk needs
    def blocks_for(self, r, n):
        """New blocks that storing up to n tokens takes, a copy included."""
        need = -(-n // self.b) - len(r.table)
        return need + (1 if self.must_copy(r, n) else 0)

    def must_copy(self, r, n):
        if n <= r.stored or r.stored % self.b == 0 or not r.table:
            return False
        return self.ref(r.table[r.stored // self.b]) > 1

    def take(self, r, n):
        if self.must_copy(r, n):
            i = r.stored // self.b
            p = self.pop()
            r.table[i] = p
            self.c["block_copies"] += 1
        while len(r.table) * self.b < n:
            r.table.append(self.pop())
        self.publish(r, n)

    # ---- life of a request
    def arrive(self, d):
        name = d["id"]
        parent = self.reqs.get(d["fork_of"]) if d.get("fork_of") is not None else None
        own = d.get("tokens", [])
        prompt = (parent.known() if parent else []) + own
        salt = d.get("salt", "") or (parent.salt if parent else "")
        r = Request(name, prompt, d.get("force_tokens", []), d.get("max_new", 32), d.get("priority", 0), salt,
                    self.outputs.get(name, []))
        # A stop text "." is one token of the shipped tokenizer.
        r.stop_token = 48 if "." in d.get("stop", []) else None
        self.reqs[name] = r
        self.order.append(name)
        if -(-(len(r.prompt) + len(r.forced) + r.max_new - 1) // self.b) > self.P:
            r.state, r.finish, r.end_table, r.end_stored = "refused", "refused", [], 0
            return
        if parent and self.set["share"] != "off" and parent.table and parent.salt == salt:
            if self.set["share"] == "copy_on_write":
                r.stored = min(parent.stored, len(r.prompt) - 1)
                r.table = parent.table[:-(-r.stored // self.b)]
            else:
                full = min(parent.stored, len(r.prompt) - 1) // self.b
                r.table, r.stored = parent.table[:full], full * self.b
            r.published = r.stored // self.b
            r.hidden = parent.hidden and r.published > 0
        self.waiting.append(r)

    def end(self, r, finish):
        r.state, r.finish = "finished", finish
        r.end_table, r.end_stored = list(r.table), r.stored
        if r in self.running:
            self.running.remove(r)
        if r in self.waiting:
            self.waiting.remove(r)
        if r in self.paused:
            self.paused.remove(r)

    def release(self, r):
        self.give_back(r)
        self.host_used -= r.host
        r.host = 0

    def can_swap(self, r):
        return r.table and r.stored and self.host_used + -(-r.stored // self.b) <= self.set["host_blocks"]

    def swap_out(self, r):
        r.host = -(-r.stored // self.b)
        self.host_used += r.host
        self.c["blocks_offloaded"] += r.host
        self.give_back(r)

    def preempt(self, r, batch):
        for k, (q, n) in enumerate(batch):
            if q is r:
                for i, p in enumerate(r.table):     # published for this iteration but never written
                    if (i + 1) * self.b > r.stored and self.unindex(p):
                        self.events.append(("Removed", (p,)))
                del batch[k]
                self.budget += n - r.stored
                break
        self.c["preemptions"] += 1
        r.preemptions += 1
        if self.set["preempt"] == "swap" and self.can_swap(r):
            self.swap_out(r)
        else:
            self.give_back(r)
            r.stored = 0
        r.state = "preempted"
        self.running.remove(r)
        self.waiting.insert(0, r)

    def victim(self):
        low = min(q.priority for q in self.running)
        return [q for q in self.running if q.priority == low][-1]

    # ---- commands
    def command(self, text):
        w = text.split(" ")
        if w[0] == "clear":
            self.index = []
            for r in self.reqs.values():     # what follows a forgotten prefix leads nowhere
                r.hidden = r.published > 0
            self.events.append(("Cleared",))
            return
        if w[0] == "set":
            v = w[2]
            self.set[w[1]] = int(v) if v.isdigit() else v
            return
        r = self.reqs.get(w[1])
        if r is None or (r.finish is not None and w[0] != "fork"):
            self.refused_commands += 1
            return
        if w[0] == "stop":
            self.end(r, "stopped")
            self.release(r)
        elif w[0] == "pause":
            if r.state == "paused":
                self.refused_commands += 1
                return
            if r in self.running:
                self.running.remove(r)
            if r in self.waiting:
                self.waiting.remove(r)
            if self.can_swap(r):
                self.swap_out(r)
            r.state = "paused"
            self.paused.append(r)
        elif w[0] == "resume":
            if r.state != "paused":
                self.refused_commands += 1
                return
            self.paused.remove(r)
            r.state = "preempted" if r.looked_up else "waiting"
            self.waiting.append(r)
        elif w[0] == "priority":
            r.priority = int(w[2])
        elif w[0] == "fork":
            if w[2] in self.reqs or any(d["id"] == w[2] for _, _, d in self.arrivals):
                self.refused_commands += 1
                return
            self.arrivals.append((self.clock, 10**9, {"id": w[2], "fork_of": w[1], "max_new": r.max_new,
                                                       "stop": ["."] if r.stop_token else []}))

    # ---- one iteration
    def carry_out(self):
        """Commands with `at` N come before iteration N + 1, and before what arrives then."""
        for _, _, text in [c for c in self.commands if c[0] == self.clock]:
            self.command(text)
        self.commands = [c for c in self.commands if c[0] > self.clock]

    def before(self):
        self.carry_out()
        due = [a for a in self.arrivals if a[0] <= self.clock]
        self.arrivals = [a for a in self.arrivals if a[0] > self.clock]
        for _, _, d in due:
            self.arrive(d)

    def step(self):
        self.before()
        self.clock += 1
        if not self.running and not self.waiting:
            return
        self.c["iterations"] += 1
        batch, preempted = [], False
        self.budget = self.set["max_batch_tokens"]
        for r in list(self.running):
            if r not in self.running or self.budget == 0:
                continue
            n = r.stored + min(len(r.known()) - r.stored, self.budget)
            while r in self.running and self.blocks_for(r, n) > len(self.free):
                self.preempt(self.victim(), batch)
                preempted = True
            if r in self.running:
                self.take(r, n)
                batch.append((r, n))
                self.budget -= n - r.stored
        while not preempted and self.waiting and self.budget > 0 and len(self.running) < self.set["max_running"]:
            if not self.admit(batch):
                if self.running:
                    break
                # nothing runs, so nothing comes free by itself: who waits or is paused gives its blocks up
                last = [q for q in self.paused + self.waiting if q.table][-1]
                last.preemptions += 1
                self.c["preemptions"] += 1
                self.give_back(last)
                last.stored = 0
        for r, n in batch:
            self.c["positions_projected"] += n - r.stored
            self.c["score_pairs"] += sum(range(r.stored + 1, n + 1))
            r.stored = n
        over = []
        for r, n in batch:
            if r.stored < len(r.known()):
                continue
            if r.fed < len(r.forced):
                r.fed += 1
                continue
            k = len(r.outputs)
            if k >= len(r.supply):
                raise Mismatch(f"iteration {self.clock}: {r.name} draws token {k}, the program drew only {k}")
            r.outputs.append(r.supply[k])
            if r.outputs[-1] in EOS:
                over.append((r, "stop_token"))
            elif self.stops(r):
                over.append((r, "stop_text"))
            elif len(r.outputs) == r.max_new:
                over.append((r, "length"))
        if batch:
            self.take_snapshot()
        for r, why in over:
            self.end(r, why)
        for r, _ in over:
            self.release(r)

    def stops(self, r):
        return r.stop_token is not None and r.outputs[-1] == r.stop_token

    def admit(self, batch):
        r = self.waiting[0]
        hits = [] if r.host or r.hidden or r.stored % self.b else self.lookup(r, len(r.table))
        if r.host:
            need, room = -(-len(r.known()) // self.b), len(self.free)
        else:
            r.table += hits
            r.published = max(r.published, len(hits))
            kept = r.stored
            r.stored = max(r.stored, len(r.table) * self.b) if hits else r.stored
            need = self.blocks_for(r, len(r.known()))
            room = len([p for p in self.free if p not in hits])
        hold = self.set["watermark_blocks"] if self.running else 0
        if need > room - hold:
            if hits:
                del r.table[-len(hits):]
                r.published = len(r.table)
                r.stored = kept
            return False
        self.waiting.pop(0)
        self.running.append(r)
        if not r.looked_up:
            r.looked_up = True
            if self.set["share"] != "off":
                self.c["prefix_queries"] += len(r.prompt)
                self.c["prefix_hits"] += r.stored
                r.cached = r.stored
        self.free = [p for p in self.free if p not in hits]
        if r.host:
            self.c["blocks_loaded"] += r.host
            self.host_used -= r.host
            r.table = [self.pop() for _ in range(r.host)]
            r.host = 0
        r.state = "running"
        n = r.stored + min(len(r.known()) - r.stored, self.budget)
        self.take(r, n)
        batch.append((r, n))
        self.budget -= n - r.stored
        return True

    # ---- what is seen
    def slots(self):
        filled = {}
        for r in self.reqs.values():
            for i, p in enumerate(r.table):
                filled[p] = max(filled.get(p, 0), min(self.b, max(0, r.stored - i * self.b)))
        return filled

    def pool(self):
        used = sum(1 for p in range(self.P) if self.ref(p))
        cached = len({p for _, p in self.index if not self.ref(p)})
        return {"used": used, "cached": cached, "free": self.P - used - cached, "host_used": self.host_used,
                "live": sum(self.slots().values())}

    def take_snapshot(self):
        if any(r.table for r in self.reqs.values()):
            self.snap = self.pool()

    def check(self):
        held = {p for r in self.reqs.values() for p in r.table}
        assert len(self.free) == len(set(self.free)) and not held & set(self.free)
        assert len(held) + len(self.free) == self.P

    def alive(self):
        return self.running or self.waiting or self.arrivals or self.commands

    def run(self, until=None, limit=3000):
        stuck = 0
        while self.alive() and (until is None or self.clock < until) and self.clock < limit:
            was = (self.c["positions_projected"], len(self.running), len(self.waiting))
            self.step()
            self.check()
            stuck = stuck + 1 if was == (self.c["positions_projected"], len(self.running), len(self.waiting)) else 0
            if stuck > 3 and not self.arrivals and not self.commands:
                self.stuck = True
                break
        return self

    def result(self):
        out = []
        for name in self.order:
            r = self.reqs[name]
            out.append({"id": name, "state": r.state, "finish": r.finish, "prompt_tokens": r.prompt,
                        "output_tokens": r.outputs, "cached_prompt_tokens": r.cached,
                        "block_table": r.table if r.end_table is None else r.end_table,
                        "stored_tokens": r.stored if r.end_stored is None else r.end_stored,
                        "preemptions": r.preemptions})
        return out
