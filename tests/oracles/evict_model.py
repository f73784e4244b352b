"""A llama decoder with token eviction on plain arrays, float32, one request: what `kvarium run --evict` should do.

No block, slot or table takes part in the arithmetic: each layer and KV head has a list of positions with their keys
before rotation. The books (blocks used, holes, slots copied) are worked out beside it from the lists alone.
"""
import json
import math
import pathlib

import numpy as np
from safetensors import safe_open

F = np.float32


class Checkpoint:
    def __init__(self, folder):
        folder = pathlib.Path(folder)
        self.config = json.loads((folder / "config.json").read_text())
        with safe_open(str(folder / "model.safetensors"), framework="pt") as f:
            self.w = {name: f.get_tensor(name).float().numpy() for name in f.keys()}
        c = self.config
        self.layers, self.heads, self.kv_heads = c["num_hidden_layers"], c["num_attention_heads"], c["num_key_value_heads"]
        self.dim = c["head_dim"]
        self.freq = c["rope_theta"] ** (-2.0 * np.arange(self.dim // 2) / self.dim)

    def norm(self, x, name):
        scale = 1 / np.sqrt((x * x).mean(-1, keepdims=True) + F(self.config["rms_norm_eps"]))
        return (x * scale * self.w[name]).astype(F)

    def rotate(self, x, positions):
        """x: (n, dim), each row to its position, rotate-half form."""
        angle = np.asarray(positions, np.float64)[:, None] * self.freq[None]
        cos, sin = np.cos(angle).astype(F), np.sin(angle).astype(F)
        a, b = x[:, : self.dim // 2], x[:, self.dim // 2:]
        return np.concatenate([a * cos - b * sin, b * cos + a * sin], 1)


def parse(text):
    name, _, rest = text.partition(":")
    main, *options = rest.split(",") if rest else [""]
    o = dict(x.split("=") for x in options)
    p = {"name": name, **o}
    if "+" in main:
        p["a"], p["b"] = (int(x) for x in main.split("+"))
    elif main:
        p["n"] = float(main) if name in ("knorm", "keydiff", "lagkv", "expected") else int(main)
    return p


def top(scores, k):
    """Places of the k highest, ties to the lower place, rising."""
    return sorted(sorted(range(len(scores)), key=lambda j: (-scores[j], j))[:k])


def join(heads, how):
    heads = np.stack(heads)
    return {"mean": heads.mean(0), "max": heads.max(0), "sum": heads.sum(0)}[how].astype(F)


def pool(x, kernel, how):
    half = kernel // 2
    if how == "max":
        return np.array([x[max(0, j - half):j + half + 1].max() for j in range(len(x))], F)
    padded = np.pad(x, half)
    return np.array([padded[j:j + kernel].sum() / F(kernel) for j in range(len(x))], F)


def short_gaps(positions):
    out = []
    for i, p in enumerate(positions):
        if i == 0:
            out.append(p)
            continue
        g = p - positions[i - 1]
        out.append(out[-1] + (g if g <= 10 else math.ceil(10 + math.log(math.log(g - 10 + math.e)))))
    return out


class Run:
    def __init__(self, ckpt, spec, convention, prompt, block_size, chunk, compact=True):
        self.c, self.p, self.convention = ckpt, parse(spec), convention
        self.prompt, self.size, self.chunk, self.compact = prompt, block_size, chunk, compact
        self.n = 0
        self.margin = math.inf  # how narrowly a choice by score was made
        name = self.p["name"]
        self.scope = "sequence" if name in ("none", "window", "streaming", "quest") else "layer" if name == "tova" else "head"
        self.cells = [[dict(pos=[], k=np.zeros((0, ckpt.dim), F), v=np.zeros((0, ckpt.dim), F), s=None, w=None)
                       for _ in range(ckpt.kv_heads)] for _ in range(ckpt.layers)]
        lanes = {"sequence": 1, "layer": ckpt.layers, "head": ckpt.layers * ckpt.kv_heads}[self.scope]
        self.books = [dict(slots=[], table=[]) for _ in range(lanes)]  # slots: position or None; table: True or None
        self.dropped = self.copied = self.pairs = self.kv_read = 0
        self.once_done = False

    def attend(self, q, keys, at):
        score = keys @ self.c.rotate(q[None], [at])[0] / F(math.sqrt(self.c.dim))
        e = np.exp(score - score.max())
        return (e / e.sum()).astype(F)

    # Places of the keys that one query head reads: all, or those of the blocks whose corners may score highest.
    def quest(self, layer, keys, q, position):
        n, p = len(keys), self.p
        blocks = [range(b, min(b + self.size, n)) for b in range(0, n, self.size)]
        most = -(-int(p.get("n", 0)) // self.size) if p["name"] == "quest" else len(blocks)
        if position < len(self.prompt) or len(blocks) <= most or layer < int(p.get("skip", 0)):
            return list(range(n))
        rotated = self.c.rotate(q[None], [position])[0].astype(np.float64)
        bound = [np.maximum(rotated * keys[b].min(0), rotated * keys[b].max(0)).sum() for b in blocks]
        recent = int(p.get("recent", 0))
        newest = min(most, len(blocks) - (n - recent) // self.size if recent else 0)
        kept = self.choose(bound[:len(blocks) - newest], most - newest) if most > newest else []
        return [j for b in kept + list(range(len(blocks) - newest, len(blocks))) for j in blocks[b]]

    # What is seen, and from where.
    def seen(self, pos, position):
        p = self.p
        if p["name"] == "window":
            return [j for j, x in enumerate(pos) if position - p["n"] < x <= position]
        if p["name"] == "streaming":
            old = [j for j, x in enumerate(pos) if x < position]
            if position > p["a"] + p["b"]:
                old = [j for j in old if pos[j] < p["a"] or pos[j] >= position - p["b"]]
            return old + [pos.index(position)]
        return [j for j, x in enumerate(pos) if x <= position]

    def places(self, positions):
        if self.convention == "cache":
            return list(range(len(positions)))
        if self.p.get("gaps") == "on":
            return short_gaps(positions)
        return positions

    def step(self, tokens):
        c, first, m = self.c, self.n, len(tokens)
        self.before(first)
        x = c.w["model.embed_tokens.weight"][tokens]
        union = [set() for _ in range(m)]
        for layer in range(c.layers):
            w = lambda name: c.w[f"model.layers.{layer}.{name}.weight"]
            h = c.norm(x, f"model.layers.{layer}.input_layernorm.weight")
            q = (h @ w("self_attn.q_proj").T).reshape(m, c.heads, c.dim)
            k = (h @ w("self_attn.k_proj").T).reshape(m, c.kv_heads, c.dim)
            v = (h @ w("self_attn.v_proj").T).reshape(m, c.kv_heads, c.dim)
            output = np.zeros((m, c.heads, c.dim), F)
            for kv, cell in enumerate(self.cells[layer]):
                cell["pos"] += range(first, first + m)
                cell["k"], cell["v"] = np.concatenate([cell["k"], k[:, kv]]), np.concatenate([cell["v"], v[:, kv]])
                group = range(kv * c.heads // c.kv_heads, (kv + 1) * c.heads // c.kv_heads)
                cell["w"] = {g: [] for g in group}
                for g in group:
                    cell.setdefault("q", {}).setdefault(g, []).extend(q[:, g])
                for i in range(m):
                    see = self.seen(cell["pos"], first + i)
                    positions = [cell["pos"][j] for j in see]
                    at = self.places(positions)
                    keys = c.rotate(cell["k"][see], at)
                    read = {g: self.quest(layer, keys, q[i, g], first + i) for g in group}
                    some = sorted({j for places in read.values() for j in places})
                    union[i] |= {positions[j] for j in some}
                    self.kv_read += len(some) * c.dim * 4 * 2
                    for g in group:
                        places = [see[j] for j in read[g]]
                        a = self.attend(q[i, g], keys[read[g]], at[-1])
                        output[i, g] = a @ cell["v"][places]
                        row = np.zeros(len(cell["pos"]), F)
                        row[places] = a
                        cell["w"][g].append(row)
            x = x + output.reshape(m, -1) @ w("self_attn.o_proj").T
            h = c.norm(x, f"model.layers.{layer}.post_attention_layernorm.weight")
            gate = h @ w("mlp.gate_proj").T
            x = x + ((gate / (1 + np.exp(-gate))) * (h @ w("mlp.up_proj").T)) @ w("mlp.down_proj").T
        self.n += m
        self.pairs += sum(len(u) for u in union)
        for book in self.books:
            book["slots"] += range(first, first + m)
            while len(book["table"]) * self.size < len(book["slots"]):
                book["table"].append(True)
        self.after()
        return c.norm(x[-1:], "model.norm.weight")[0] @ c.w["model.embed_tokens.weight"].T

    # What goes.
    def before(self, first):
        if self.p["name"] == "window" and first:
            self.keep_everywhere([x for x in self.cells[0][0]["pos"] if x > first - self.p["n"]])

    def after(self):
        name, n = self.p["name"], self.n
        if name == "window":
            self.keep_everywhere([x for x in self.cells[0][0]["pos"] if x > n - 1 - self.p["n"]])
        elif name == "streaming":
            if n > self.p["a"] + self.p["b"]:
                self.keep_everywhere([x for x in self.cells[0][0]["pos"] if x < self.p["a"] or x >= n - self.p["b"]])
        elif name == "quest":
            pass
        elif name in ("h2o", "tova", "random"):
            for layer in range(self.c.layers):
                getattr(self, name)(layer)
            self.move(lambda book, cut: self.holes(book) >= self.size)
        elif name != "none":
            self.watch()
            if n == len(self.prompt):
                for layer in range(self.c.layers):
                    getattr(self, name)(layer)
                self.move(lambda book, cut: cut)
            else:
                self.move(lambda book, cut: self.holes(book) >= self.size)

    def holes(self, book):
        return sum(1 for i, x in enumerate(book["slots"]) if x is None and book["table"][i // self.size])

    def move(self, when):
        for book in self.books:
            cut = book.pop("cut", False)
            if not self.compact or not when(book, cut):
                continue
            book["slots"] = [x for x in book["slots"] if x is not None]
            self.copied += len(book["slots"])
            book["table"] = [True] * -(-len(book["slots"]) // self.size)

    def keep(self, cell, places):
        places = list(places)
        cell["pos"] = [cell["pos"][j] for j in places]
        cell["k"], cell["v"] = cell["k"][places], cell["v"][places]

    def keep_everywhere(self, positions):
        for row in self.cells:
            for cell in row:
                self.keep(cell, [j for j, x in enumerate(cell["pos"]) if x in set(positions)])
        self.forget(self.books[0], positions)

    def forget(self, book, kept):
        kept, size = set(kept), self.size
        for i, x in enumerate(book["slots"]):
            if x is not None and x not in kept:
                book["slots"][i] = None
                book["cut"] = True
                self.dropped += 1
        for b in range(len(book["slots"]) // size):
            if all(x is None for x in book["slots"][b * size:(b + 1) * size]):
                book["table"][b] = None

    # `share`: by how much of itself the last that is kept leads, where scores lie powers of ten apart.
    def choose(self, scores, k, share=False):
        kept = top(scores, k)
        out = sorted(set(range(len(scores))) - set(kept))
        if kept and out:
            last, first = float(min(scores[j] for j in kept)), float(max(scores[j] for j in out))
            self.margin = min(self.margin, (last - first) / (last or 1) if share else last - first)
        return kept

    def book(self, layer, kv):
        return self.books[layer if self.scope == "layer" else layer * self.c.kv_heads + kv]

    def h2o(self, layer):
        p = self.p
        for kv, cell in enumerate(self.cells[layer]):
            n = len(cell["pos"])
            sums = {g: np.sum(np.stack(rows), 0, dtype=F) for g, rows in cell["w"].items()}
            for g in sums:
                old = cell["s"][g] if cell["s"] else np.zeros(0, F)
                sums[g] = (np.pad(old, (0, n - len(old))) * F(float(p.get("decay", 1))) + sums[g]).astype(F)
            cell["s"] = sums
            if n > p["a"] + p["b"]:
                score = join(list(sums.values()), p.get("reduce", "mean"))
                young = sum(1 for x in cell["pos"] if cell["pos"][-1] - x < int(p.get("grace", 0)))
                spared = min(p["a"] + p["b"], max(p["b"], young))
                kept = self.choose(score[:n - spared], p["a"] + p["b"] - spared) + list(range(n - spared, n))
                self.keep(cell, kept)
                cell["s"] = {g: s[kept] for g, s in sums.items()}
                self.forget(self.book(layer, kv), cell["pos"])

    def tova(self, layer):
        cells = self.cells[layer]
        if len(cells[0]["pos"]) <= self.p["n"]:
            return
        score = join([rows[-1] for cell in cells for rows in cell["w"].values()], self.p.get("reduce", "mean"))
        last = 1 if self.p.get("last") == "on" else 0
        kept = self.choose(score[:len(score) - last], self.p["n"] - last)
        kept += list(range(len(score) - last, len(score)))
        for cell in cells:
            self.keep(cell, kept)
        self.forget(self.book(layer, 0), cells[0]["pos"])

    # Policies that run once, behind the prompt.
    def watch(self):
        window, n = int(self.p.get("window", {"snapkv": 16}.get(self.p["name"], 8))), len(self.prompt)
        self.window = window
        for row in self.cells:
            for cell in row:
                m = len(next(iter(cell["w"].values())))
                for g, rows in cell["w"].items():
                    for i, r in enumerate(rows):
                        position = self.n - m + i
                        if n - window <= position < n:
                            cell.setdefault("sum", {}).setdefault(g, np.zeros(n, F))
                            cell["sum"][g][:len(r)] += r

    def pooled(self, cell, kernel, how):
        before = len(self.prompt) - self.window
        heads = [s[:before] for s in cell["sum"].values()]
        kernel, how = int(self.p.get("kernel", kernel)), self.p.get("pool", how)
        if self.p.get("first") == "pool":
            return join([pool(h, kernel, how) for h in heads], self.p.get("reduce", "mean"))
        return pool(join(heads, self.p.get("reduce", "mean")), kernel, how)

    def keep_observed(self, layer, kv, scores, budget):
        before, n = len(self.prompt) - self.window, len(self.prompt)
        cell = self.cells[layer][kv]
        self.keep(cell, self.choose(scores, budget) + list(range(before, n)))
        self.forget(self.book(layer, kv), cell["pos"])

    def snapkv(self, layer):
        if len(self.prompt) >= self.p["n"]:
            for kv, cell in enumerate(self.cells[layer]):
                self.keep_observed(layer, kv, self.pooled(cell, 5, "avg"), self.p["n"] - self.window)

    def pyramidkv(self, layer):
        n, t, layers = len(self.prompt), self.p["n"] - self.window, self.c.layers
        if n < self.p["n"]:
            return
        budget = t
        if n >= 2 * t:
            least = t // int(self.p.get("beta", 20))
            most = 2 * t - least
            if most >= n - self.window:
                most = n - self.window
                least = 2 * t - most
            budget = most - layer * ((most - least) // (layers - 1))
        for kv, cell in enumerate(self.cells[layer]):
            self.keep_observed(layer, kv, self.pooled(cell, 5, "avg"), budget)

    def adakv(self, layer):
        base, before = self.p["n"] - self.window, len(self.prompt) - self.window
        if base > before:
            return
        scores = [self.pooled(cell, 7, "max") for cell in self.cells[layer]]
        union = [(-s[j], j, kv) for kv, s in enumerate(scores) for j in range(before)]
        best = [kv for _, _, kv in sorted(union)[:base * len(scores)]]
        floor = float(self.p.get("floor", 0.2))
        for kv, s in enumerate(scores):
            budget = round(best.count(kv) * (1 - floor) + math.floor(base * floor))
            self.keep_observed(layer, kv, s, min(before, budget))

    def by_keys(self, layer, score, skip):
        if layer < skip:
            return
        n = len(self.prompt)
        k = max(1, math.floor(n * (1 - self.p["n"])))
        for kv, cell in enumerate(self.cells[layer]):
            keys = self.c.rotate(cell["k"], cell["pos"])
            kept = score(keys, cell["v"], k)
            self.keep(cell, kept)
            if len(kept) < n:
                self.forget(self.book(layer, kv), cell["pos"])

    def knorm(self, layer):
        self.by_keys(layer, lambda keys, v, k: self.choose(-np.linalg.norm(keys, axis=1), k), int(self.p.get("skip", 2)))

    def keydiff(self, layer):
        def judge(keys, places, k):
            unit = keys[places] / np.linalg.norm(keys[places], axis=1, keepdims=True)
            mean = unit.mean(0)
            kept = self.choose(-(unit @ (mean / np.linalg.norm(mean))), k)
            return [places[j] for j in kept]

        def score(keys, v, k):
            block = int(self.p.get("block", 0))
            if len(keys) <= k:
                return list(range(len(keys)))
            if not block:
                return judge(keys, list(range(len(keys))), k)
            kept = list(range(k))
            for at in range(k, len(keys), block):
                kept = judge(keys, kept + list(range(at, min(len(keys), at + block))), k)
            return kept
        self.by_keys(layer, score, 0)

    def lagkv(self, layer):
        sinks, lag = int(self.p.get("sinks", 4)), int(self.p.get("lag", 16))

        def share(x, a, b):
            low, high = b.min(0), b.max(0)
            span = np.where(high == low, 1, high - low)
            y = np.where(high == low, 0, (a - low) / span).std(1, ddof=1)
            e = np.exp(y - y.max())
            return e / e.sum()

        def score(keys, v, k):
            n = len(keys)
            if n < sinks + 2 * lag:
                return list(range(n))
            s = np.ones(n)
            k = max(k, sinks + lag + (n - sinks) % lag)
            for at in range(sinks, sinks + ((n - sinks) // lag - 1) * lag, lag):
                a, b = slice(at, at + lag), slice(at + lag, at + 2 * lag)
                both = (share(keys, keys[a], keys[b]) + share(v, v[a], v[b])) / 2
                order = sorted(range(lag), key=lambda j: (both[j], -j))
                ordered = sorted(both)
                self.margin = min(self.margin, min((y - x for x, y in zip(ordered, ordered[1:])), default=math.inf))
                for rank, j in enumerate(order):
                    s[at + j] = rank / lag
            return top(s, k)
        self.by_keys(layer, score, 0)

    # Matrices as they are written: a rotation to each place to come, their mean, and the queries' covariance between.
    def expected(self, layer):
        n, c = len(self.prompt), self.c
        sinks, horizon = int(self.p.get("sinks", 4)), int(self.p.get("horizon", 512))
        k = max(1, math.floor(n * (1 - self.p["n"])), min(n, sinks))
        if k == n:
            return
        mean = np.mean([c.rotate(np.eye(c.dim, dtype=F), [p] * c.dim).T.astype(np.float64) for p in range(n, n + horizon)], 0)
        for kv, cell in enumerate(self.cells[layer]):
            keys = c.rotate(cell["k"], cell["pos"])[sinks:].astype(np.float64)
            heads = []
            for rows in cell["q"].values():
                q = np.array(rows[sinks:n], np.float64)
                mu, sigma = mean @ q.mean(0), mean @ np.cov(q.T, bias=True) @ mean.T
                x = keys @ mu / math.sqrt(c.dim) + np.einsum("ni,ij,nj->n", keys, sigma, keys) / (2 * c.dim)
                e = np.exp(x - x.max())
                heads.append(e / e.sum())
            score = join(heads, self.p.get("reduce", "mean")) * np.linalg.norm(cell["v"][sinks:], axis=1)
            self.keep(cell, list(range(sinks)) + [sinks + j for j in self.choose(score, k - sinks, share=True)])
            self.forget(self.book(layer, kv), cell["pos"])

    def random(self, layer):
        raise NotImplementedError("its numbers are the program's own")

    # To the end, greedily.
    def generate(self, forced, max_new, stops):
        logits, self.logit_margin = None, math.inf
        for at in range(0, len(self.prompt), self.chunk):
            logits = self.step(self.prompt[at:at + self.chunk])
        out = []
        fed = list(forced)
        while True:
            if fed:
                token = fed.pop(0)
            else:
                best = np.sort(logits)[-2:]
                self.logit_margin = min(self.logit_margin, float(best[1] - best[0]))
                token = int(np.argmax(logits))
                out.append(token)
                if token in stops or len(out) == max_new:
                    return out
            logits = self.step([token])

    def kept(self):
        return [[cell["pos"] for cell in row] for row in self.cells]
