"""Answers the questions of `kvarium lessons --ask` from their texts alone, and has them graded.

    python3 exercise_answers.py PROGRAM [FIRST_SEED [COUNT]]

Each lesson's questions are read as a student reads them; every answer is plain arithmetic. All of them must be graded
right, and all of them must be graded wrong when one value is changed. Choices are left to the tests in C++: here each
choice is tried, and exactly one must be right. Needs Python 3.9 and nothing beside it.
"""
import itertools
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

UNITS = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "GB/s": 1e9, "TB/s": 1e12, "TFLOP/s": 1e12, "GB": 1e9}
NUMBER = r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"


class Question:
    def __init__(self, text):
        self.text = text

    def find(self, pattern, group=1):
        """The number at '#' in the pattern."""
        found = re.search(pattern.replace("#", NUMBER), self.text)
        if not found:
            raise ValueError(f"no '{pattern}' in: {self.text}")
        return float(found.group(group).replace(",", ""))

    def every(self, pattern):
        return [float(n.replace(",", "")) for n in re.findall(pattern.replace("#", NUMBER), self.text)]

    def row(self, words):
        """The list of numbers behind these words."""
        found = re.search(words + r"\s*\[?((?:" + NUMBER.replace("(", "(?:", 1) + r"(?:, )?)+)", self.text)
        return [float(n.replace(",", "")) for n in re.findall(NUMBER, found.group(1))]

    def sizes(self):
        return [float(n.replace(",", "")) * UNITS[u]
                for n, u in re.findall(NUMBER + r" (KiB|MiB|GiB|GB/s|TB/s|TFLOP/s)", self.text)]

    def element(self):
        return 4 if "FP32" in self.text else 2

    def token(self):
        return (2 * self.find("# layers") * self.find("# KV heads") * self.find("head_dim #") * self.element())

    def bits(self):
        return int(re.search(r"INT(\d)", self.text).group(1))


def passes(prompt, new, cached):
    return prompt + (new - 1 if cached else sum(prompt + made for made in range(1, int(new))))


def both(prompt, new):
    return [passes(prompt, new, False), passes(prompt, new, True)]


def break_even(q):
    prompt, ratio = q.find("has # tokens"), q.find("more than #")
    return [next(n for n in itertools.count(1) if passes(prompt, n, False) > ratio * passes(prompt, n, True))]


def score_work(q):
    keys = range(int(q.find("see #")), int(q.find("# keys")) + 1)
    return [2 * q.find("# heads") * q.find("head_dim #") * sum(keys) * q.find("# layers"), "attention"]


def attention(q):
    query, a, b, va, vb, c, vc = [[int(n) for n in group.split(", ")] for group in re.findall(r"\(([\d, ]+)\)", q.text)]
    e = [math.exp(sum(x * y for x, y in zip(query, key)) / 2) for key in (a, b, c)]
    mix = [sum(w * v[i] for w, v in zip(e, (va, vb, vc))) / sum(e) for i in (0, 1)]
    return [e[0] / (e[0] + e[1]), e[1] / (e[0] + e[1])] + mix


def cell(q):
    heads, dim, tokens, size = q.find("# KV heads"), q.find("head_dim #"), q.find("# tokens"), q.element()
    t, h, c = q.find("of token #"), q.find("KV head #"), q.find("channel #")
    return [((t * heads + h) * dim + c) * size, ((h * tokens + t) * dim + c) * size]


def bf16(payload):
    bits = int(payload, 16)
    return (-1) ** (bits >> 15) * (1 + (bits & 127) / 128) * 2.0 ** ((bits >> 7 & 255) - 127)


def capacity(q):
    (pool, token), size = q.sizes()[:2], q.find("blocks of #")
    blocks = pool // (token * size)
    return [blocks, blocks * size, blocks // math.ceil(q.find("sequences of #") / size)]


def crossover(q):
    tokens = 2 * q.find("# parameters") // q.token()
    return [tokens, tokens // q.find("# users")]


def hybrid(q):
    layers, numbers = q.find("# layers"), q.find("of # x")
    full = layers // q.find("One layer in #")
    states = (layers - full) * q.find("# heads of") * numbers * numbers * 4
    token = full * 2 * q.find("# KV heads") * q.find("head_dim #") * 2
    return [states, states + token * q.find("for # tokens"), states // token]


def last_chunk(q):
    prompt, chunk = q.find("prompt of #"), q.find("chunks of #")
    before = (math.ceil(prompt / chunk) - 1) * chunk
    return [before, prompt - before]


def step(q):
    batch = 1 if "one sequence of" in q.text else q.find("for # sequences")
    cache = batch * q.find("sequences? of #") * q.token()
    weights = 2 * q.find("# parameters")
    ms = 1000 * (weights + cache) / q.sizes()[0]
    return batch, ms, 100 * cache / (weights + cache)


def meeting(q):
    equal = 2 * q.find("# parameters") / (q.token() * q.find("sequences of #"))
    return [math.floor(equal) + 1, equal]


def wiring(q):
    group = q.find("# query heads") / q.find("# KV heads")
    return [head // group for head in q.row("query heads")]


def saved(q):
    tokens = q.find("for # tokens")
    return [q.token(), q.token() * tokens, q.token() * tokens * q.find("# query heads") / q.find("# KV heads")]


def refusals(q):
    rest, h, g = q.find("# query heads") % q.find("# KV heads"), q.find("H = #"), q.find("G = #")
    return ["refused" if rest else "accepted", rest, g, h / g]


def walk(q):
    table, size, token = q.row("block table is"), q.find("# slots"), q.find("token #")
    physical = table[int(token // size)]
    return [token // size, token % size, physical, physical * size + token % size]


def tails(q):
    answer = []
    for size in q.every("blocks of #"):
        lengths = q.row("sequences hold")
        blocks = sum(math.ceil(length / size) for length in lengths)
        idle = blocks * size - sum(lengths)
        answer += [blocks, idle, 100 * idle / (blocks * size)]
    return answer


def block_bytes(q):
    size = q.find("block holds #")
    blocks = q.sizes()[0] // (q.token() * size)
    return [q.token() * size, blocks, blocks * size]


def reserved(q):
    use, size = q.find("after # tokens"), q.find("blocks of #")
    blocks = math.ceil(use / size)
    return [100 * use / q.find("reserves #"), 100 * use / blocks / size, blocks]


def system_prompt(q):
    blocks, rest = divmod(q.find("prompt of #"), q.find("blocks of #"))
    gone = blocks * (q.find("# users") - 1)
    return [blocks, rest, gone, gone * q.sizes()[0]]


def forked(q):
    ways = q.find("into #")
    return [q.find("prompt of #") // q.find("blocks of #") + ways, ways - 1]


def split(q):
    first, second = [[int(n) for n in run.split()] for run in
                     re.search(r"sequence ([\d ]+) and then ([\d ]+)\.", q.text).groups()]
    same = next(i for i, (a, b) in enumerate(zip(first, second)) if a != b)
    size = q.find("block size of #")
    return [3, len(first) + len(second) - same, same, same // size * size]


def documents(q):
    system, query = q.find("prompt of #"), q.find("their own of #")
    length = {"P": q.find("document P of #"), "Q": q.find("document Q of #")}
    about = re.search(r"about ([PQ, ]+)\.", q.text).group(1).split(", ")
    unshared = sum(system + length[d] + query for d in about)
    tree = system + sum(length.values()) + query * len(about)
    return [unshared, tree, 100 * (unshared - tree) / unshared]


def pressure(q):
    lengths = q.row(r"queries 1 to \d+ of")
    gone, free = [], 0
    for query in q.row("oldest first, is"):
        if free < q.find("# tokens must"):
            gone, free = gone + [query], free + lengths[int(query) - 1]
    return gone + [free]


def with_scale(q):
    dim, scale = q.find("head_dim #"), 4 if "scale of FP32" in q.text else 2
    codes = dim * q.bits() / 8
    return [codes + scale, 2 * dim / (codes + scale), 100 * scale / codes]


def grouped(q):
    dim = q.find("head_dim #")
    size = dim * q.bits() / 8 + 4 * dim / q.find("every # channels")
    return [size, 2 * dim / size]


def outlier(q):
    value = q.find("another one is #")
    return [round(127 * value / largest) for largest in (q.find("element is #"), q.find("element of #"))]


def coded_pool(q):
    vectors, dim = 2 * q.find("# layers") * q.find("# KV heads"), q.find("head_dim #")
    return [q.sizes()[0] // (vectors * 2 * dim), q.sizes()[0] // (vectors * (dim * q.bits() / 8 + 2))]


def heavy(q):
    judged = q.row("has had:")[:-int(q.find("the # newest"))]
    return [judged.index(min(judged))]


def next_position(q):
    sinks, first, last = q.find("0 to #") + 1, q.find("and tokens #"), q.find(r"and tokens [\d,]+ to #")
    return [sinks + last - first + 1, last + 1]


def resume(q):
    tokens = q.find("request of #")
    fetch, again = 1000 * tokens * q.token() / q.sizes()[0], 2000 * q.find("# parameters") * tokens / q.sizes()[1]
    return [fetch, again, "fetch" if fetch < again else "recompute"]


def admission(q):
    answer = []
    for tokens in (q.find("prompt of #"), q.find("another one with #")):
        needed = math.ceil(tokens / q.find("# slots"))
        answer += [needed, "yes" if needed <= q.find("# free") - q.find("# of them") else "no"]
    return answer


REDUCES = {"GQA": "bytes per token", "MQA": "bytes per token", "quantisation": "bytes per token",
           "window": "tokens kept", "H2O": "tokens kept", "paging": "idle bytes", "sharing": "copies"}


def planned(q):
    size, prompt = q.find("blocks of #"), q.find("# tokens each")
    return [q.find("# requests") * math.ceil(prompt / size), -prompt % size]


def read_and_rest(q):
    unit, scale = ("GiB", 2**30) if "GiB of" in q.text else ("GB", 1e9)
    size = q.find(f"# {unit} of") * scale
    ms = 1000 * size / q.sizes()[-1]
    whole = ms + q.find("# ms")
    return [ms, 100 * ms / whole, size / whole / 1e9]


def compute_bound(q):
    ridge = q.sizes()[0] / q.sizes()[1]
    return [ridge, math.ceil(ridge)]


def of_batch(q):
    batch = 1 if "one sequence" in q.text else q.find("# sequences")
    return [q.token(), q.token() * batch * q.find("of # tokens")]


def groups(q):
    h, g = q.find("H = #"), q.find("G = #")
    return [g, h / g, h / g, h]


def held(q):
    tokens, size = q.find("# tokens lies"), q.find("blocks of #")
    idle = -tokens % size
    return [math.ceil(tokens / size), (tokens + idle) * q.token(), idle, idle * q.token()]


def mixed(q):
    layers, every, tokens = q.find("# layers"), q.find("One layer in #"), q.find("take for # tokens")
    kept = sum(tokens if layer % every == 0 else min(tokens, q.find("newest #")) for layer in range(int(layers)))
    return [kept * q.token() / layers, 100 * kept / layers / tokens]


def four_bits(q):
    n, group = q.find("vector of # numbers"), q.find("every # numbers")
    size = n / 2 + n / group
    return [size, 8 * size / n, 2 * n / size]


def budget(q):
    left = q.find("at most # tokens") - q.find("# requests decode")
    return [left, math.ceil(q.find("prompt of # tokens") / left)]


def handed_over(q):
    layers, size = q.find("# layers"), q.find("prompt of # tokens") * q.token()
    link, read = 1000 * size / q.sizes()[0], q.find("Reading takes # ms")
    return [size, link, max(read + link / layers, read / layers + link)]


ANSWERS = {
    "1.1": lambda q: both(q.find("prompt of #"), q.find("# new ones")),
    "1.2": break_even,
    "1.3": lambda q: both(q.find("prompt of #"), q.find("# new tokens")),
    "1.4": score_work,
    "2.1": attention,
    "2.2": lambda q: [q.find("position #")],
    "2.3": lambda q: [q.find("# query heads"), 1, q.find("position #") + 1],
    "3.1": cell,
    "3.2": lambda q: [n * q.find("# tokens") * q.find("# KV heads") * q.find("head_dim #") * q.element() for n in (1, 2)],
    "3.3": lambda q: [n * q.find("head_dim #") * q.element() for n in (q.find("# KV heads"), 1)],
    "3.4": lambda q: [bf16(p) for p in re.findall(r"0x[0-9A-F]{4}", q.text)],
    "4.1": lambda q: [q.token()] + [q.token() * n for n in q.every("for # tokens")],
    "4.2": of_batch,
    "4.3": capacity,
    "4.4": crossover,
    "4.5": of_batch,
    "4.6": of_batch,
    "4.7": hybrid,
    "5.1": lambda q: [n * (n + 1) / 2 for n in (q.find("prompt of #"), 2 * q.find("prompt of #"))],
    "5.2": last_chunk,
    "5.3": lambda q: [q.find("after # s") + (q.find("# tokens") - 1) * q.find("# ms") / 1000],
    "6.1": lambda q: list(step(q)[1:]),
    "6.2": lambda q: [step(q)[1], 1000 * step(q)[0] / step(q)[1], step(q)[2]],
    "6.3": meeting,
    "6.4": lambda q: [1, q.find("# query heads") / q.find("# KV heads"), q.sizes()[0] / q.sizes()[1]],
    "6.5": read_and_rest,
    "7.1": wiring,
    "7.2": saved,
    "7.3": refusals,
    "7.4": lambda q: [2 * q.find("# layers") * (q.find("# compressed") + q.find("# rotated"))],
    "7.5": lambda q: wiring(q) + [q.find("# query heads") / q.find("# KV heads")],
    "7.6": groups,
    "8.1": walk,
    "8.2": tails,
    "8.3": block_bytes,
    "8.4": reserved,
    "8.5": held,
    "9.1": system_prompt,
    "9.2": forked,
    "9.3": lambda q: [q.find("All #") - q.find("blocks of #")],
    "10.1": split,
    "10.2": documents,
    "10.3": pressure,
    "11.1": with_scale,
    "11.2": grouped,
    "11.3": outlier,
    "11.4": coded_pool,
    "12.1": lambda q: [q.token() * (q.find("first # tokens") + q.find("newest #"))],
    "12.2": heavy,
    "12.3": next_position,
    "12.4": lambda q: [100 * (q.find("# positions") + q.find("last #")) / q.find("prompt of #")],
    "13.1": lambda q: [1000 * q.find("# blocks") * q.sizes()[0] / rate for rate in q.sizes()[1:]],
    "13.2": resume,
    "13.3": resume,
    "14.1": lambda q: [100 * q.find("# tokens") / q.find("# blocks") / q.find("# slots")],
    "14.2": lambda q: [100 * q.find("# of these") / q.find("# prompt tokens")],
    "14.3": admission,
    "14.4": lambda q: [REDUCES[name] for name in re.search(r": ([^?]+)\?", q.text).group(1).split(", ")],
    "14.5": planned,
    "14.6": compute_bound,
    "14.8": lambda q: [giga // q.token() for giga in (q.find("# GB") * 1e9, q.find("# GB") * 2**30)],
    "14.9": lambda q: [n * 2 * q.find("# layers") * q.find("# KV heads") for n in (1, q.find("position #") + 1)],
    "14.10": lambda q: [q.token(), q.sizes()[0] // q.find("# users") // q.token()],
    "14.11": lambda q: [q.find("# tokens") * (q.find("# tokens") + 1) / 2, q.find("# tokens")],
    "14.26": lambda q: [q.find("pool has #") / q.find("# blocks of"), q.find("# blocks of") * q.find("still there after #")],
    "16.1": mixed,
    "16.2": four_bits,
    "16.3": budget,
    "16.4": handed_over,
}


def written(values):
    return "; ".join(v if isinstance(v, str) else f"{v:.15g}" for v in values)


def bent(values, place):
    other = list(values)
    value = other[place]
    other[place] = "neither" if isinstance(value, str) else value * 1.07 + 1
    return written(other)


class Program:
    def __init__(self, path):
        self.path = path
        self.sheet = pathlib.Path(tempfile.mkdtemp()) / "answers.json"

    def ask(self, lesson, seed):
        out = subprocess.run([self.path, "lessons", "--ask", str(lesson), "--seed", str(seed), "--json"],
                             capture_output=True, check=True)
        return json.loads(out.stdout)["questions"]

    def right(self, seed, answers):
        """The ids that are graded right; the exit code must say whether all were."""
        self.sheet.write_text(json.dumps({"seed": seed, "answers": answers}))
        out = subprocess.run([self.path, "lessons", "--grade", str(self.sheet), "--json"], capture_output=True)
        graded = json.loads(out.stdout)
        assert out.returncode == (0 if graded["points"] == graded["of"] else 3)
        return {item["id"] for item in graded["items"] if item["ok"]}


def check(program, lesson, seed):
    questions = program.ask(lesson, seed)
    faults = 0
    values = {q["id"]: ANSWERS[q["id"]](Question(q["text"])) for q in questions if not q["choices"]}
    answers = {id: written(v) for id, v in values.items()}
    right = program.right(seed, answers)
    for q in questions:
        if not q["choices"] and q["id"] not in right:
            print(f"{q['id']} seed {seed}: {answers[q['id']]} is called wrong: {q['text']}")
            faults += 1
    for place in range(max(len(v) for v in values.values())):
        for id in program.right(seed, {id: bent(v, place) for id, v in values.items() if place < len(v)}):
            print(f"{id} seed {seed}: is called right with value {place} changed")
            faults += 1
    for q in questions:
        if q["choices"] and sum(q["id"] in program.right(seed, {q["id"]: c}) for c in q["choices"]) != 1:
            print(f"{q['id']} seed {seed}: not exactly one choice is right")
            faults += 1
    return faults


def main():
    program = Program(sys.argv[1])
    first, count = (int(n) for n in (sys.argv[2:4] + ["0", "20"][len(sys.argv[2:4]):]))
    faults = sum(check(program, lesson, seed) for seed in range(first, first + count) for lesson in [*range(1, 15), 16])
    print(f"{count} seeds, {len(ANSWERS)} exercises with numbers: {faults} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
