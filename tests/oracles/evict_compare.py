"""Random prompts and policies through the program and through evict_model.py; prints where they differ.

    python3 evict_compare.py PROGRAM [FIRST_SEED [COUNT [BACKEND [POLICY]]]]

Keys and values are stored as float32, so that both may be expected to choose the same tokens. A choice that was made
by less than 1e-5 may fall either way and is counted apart; on the cpu backend, which rounds what goes through the
products of a layer, by less than 3e-3. Scores of Expected Attention lie powers of ten apart: there it is 1e-5 of the
score, or 1e-2.
"""
import json
import pathlib
import random
import subprocess
import sys

from evict_model import Checkpoint, Run

MODELS = pathlib.Path(__file__).resolve().parents[2] / "assets" / "models"


def random_case(r):
    n = r.randint(1, 70)
    cap = r.randint(6, 30)
    window = r.randint(1, cap - 2)
    ratio = r.choice(["0.25", "0.5", "0.7", "0.9"])
    spec = r.choice([
        f"window:{r.randint(1, 24)}", f"streaming:{r.randint(0, 5)}+{r.randint(1, 20)}",
        f"h2o:{r.randint(1, 12)}+{r.randint(0, 10)}",
        f"h2o:{r.randint(8, 12)}+{r.randint(1, 6)},decay=0.9{r.randint(0, 9)},grace={r.randint(0, 8)},"
        f"reduce={r.choice(['mean', 'max', 'sum'])}",
        f"snapkv:{cap},window={window},kernel={r.choice([1, 3, 5, 7])},pool={r.choice(['avg', 'max'])}",
        f"snapkv:{cap},window={window},first=pool,reduce={r.choice(['mean', 'max', 'sum'])}",
        f"pyramidkv:{cap},window={window},beta={r.randint(1, 20)}", f"adakv:{cap},window={window},floor={r.choice(['0', '0.2', '0.5'])}",
        f"tova:{r.randint(1, 24)}", f"tova:{r.randint(2, 24)},last=on", f"knorm:{ratio},skip={r.randint(0, 3)}", f"knorm:{ratio}",
        f"quest:{r.randint(1, 40)}", f"quest:{r.randint(9, 40)},recent={r.randint(0, 9)},skip={r.randint(0, 2)}",
        f"keydiff:{ratio}", f"keydiff:{ratio},block={r.randint(1, 9)}",
        f"lagkv:{ratio},sinks={r.randint(0, 4)},lag={r.randint(2, 9)}", f"expected:{ratio}",
        f"expected:{ratio},sinks={r.randint(0, 9)},horizon={r.choice([1, 16, 700])},reduce={r.choice(['mean', 'max', 'sum'])}"])
    positions = "" if spec.startswith("quest") else r.choice(["", "true", "cache", "original"])
    return {"model": r.choice(["mha", "gqa", "mqa"]), "spec": spec, "positions": positions,
            "prompt": [r.randrange(2, 512) for _ in range(n)], "forced": [r.randrange(2, 512) for _ in range(r.choice([0, 0, 7]))],
            "max_new": r.randint(1, 30), "block": r.choice([1, 2, 4, 8, 16]), "chunk": r.choice([512, 512, 16, 5, 1])}


def usual(spec):
    return {"streaming": "cache", "tova": "original"}.get(spec.split(":")[0], "true")


def program(path, case, backend):
    line = [path, "run", "--model", case["model"], "--prompt-tokens", ",".join(map(str, case["prompt"])), "--max-new",
            str(case["max_new"]), "--evict", case["spec"], "--block-size", str(case["block"]), "--max-batch-tokens",
            str(case["chunk"]), "--k-codec", "f32", "--v-codec", "f32", "--backend", backend, "--json", "--no-times", "--prove"]
    if case["positions"]:
        line += ["--positions", case["positions"]]
    if case["forced"]:
        line += ["--force-tokens", ",".join(map(str, case["forced"]))]
    done = subprocess.run(line, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        return f"exit {done.returncode}: {done.stderr.strip()}"
    return json.loads(done.stdout)


def expected(run, tokens):
    c, d = run.c, run.c.dim * 4 * 2
    books, size = run.books, run.size
    heads = {"sequence": c.layers * c.kv_heads, "layer": c.kv_heads, "head": 1}[run.scope]
    somewhere = {x for row in run.kept() for cell in row for x in cell}
    out = {"output_tokens": tokens, "kept": run.kept() if run.dropped else None, "stored_tokens": len(somewhere),
           "live": sum(len(cell) for row in run.kept() for cell in row) * d, "tokens_dropped": run.dropped,
           "slots_copied": run.copied, "used": sum(sum(map(bool, b["table"])) for b in books),
           "allocated": sum(sum(map(bool, b["table"])) for b in books) * size * heads * d, "score_pairs": run.pairs, "kv_bytes_read": run.kv_read}
    shape = [[bool(x) for x in b["table"]] for b in books]
    if run.scope == "sequence":
        out["table"] = shape[0]
    else:
        k = 1 if run.scope == "layer" else c.kv_heads
        out["table"] = [shape[i:i + k] for i in range(0, len(shape), k)]
    return out


def given(result, scope):
    r = result["requests"][0]
    held = lambda table: [x is not None for x in table]
    table = held(r["block_table"]) if scope == "sequence" else [[held(t) for t in row] for row in r["block_tables"]]
    if scope != "sequence" and r["block_table"] is not None:
        table = "block_table is not null"
    return {"output_tokens": r["output_tokens"], "kept": r.get("kept"), "stored_tokens": r["stored_tokens"],
            "live": result["bytes"]["live"], "tokens_dropped": result["counters"]["tokens_dropped"],
            "slots_copied": result["counters"]["slots_copied"], "used": result["pool"]["used"],
            "allocated": result["bytes"]["allocated"], "score_pairs": result["counters"]["score_pairs"],
            "kv_bytes_read": result["counters"]["kv_bytes_read"], "table": table}


def main():
    path, seed, count = sys.argv[1], int((sys.argv + ["", "0", "100"])[2] or 0), int((sys.argv + ["", "", "", "100"])[3] or 100)
    backend = sys.argv[4] if len(sys.argv) > 4 else "reference"
    policy = sys.argv[5] if len(sys.argv) > 5 else ""
    checkpoints = {name: Checkpoint(MODELS / name) for name in ("mha", "gqa", "mqa")}
    bad = narrow = 0
    for s in range(seed, seed + count):
        r = random.Random(s)
        case = random_case(r)
        while not case["spec"].startswith(policy):
            case = random_case(r)
        run = Run(checkpoints[case["model"]], case["spec"], case["positions"] or usual(case["spec"]), case["prompt"],
                  case["block"], case["chunk"])
        tokens = run.generate(case["forced"], case["max_new"], [1])
        result = program(path, case, backend)
        if isinstance(result, str):
            bad += 1
            print(s, case["model"], case["spec"], case["positions"], result)
            continue
        a, b = given(result, run.scope), expected(run, tokens)
        wrong = [k for k in b if a[k] != b[k]]
        if result["bytes"]["live"] != result["bytes"]["formula"]:
            wrong.append("formula")
        lossy = result["proof"]
        if lossy["mode"] == "lossy" and backend == "reference" and lossy["masked_max_abs_difference"] != 0:
            wrong.append("masked run")
        enough = 1e-5 if backend == "reference" else 1e-2 if case["spec"].startswith("expected") else 3e-3
        if wrong and min(run.margin, run.logit_margin) < enough:
            narrow += 1
            print(s, case["model"], case["spec"], "chosen by", min(run.margin, run.logit_margin))
        elif wrong:
            bad += 1
            print(s, case["model"], case["spec"], case["positions"], "block", case["block"], "chunk", case["chunk"],
                  "prompt", len(case["prompt"]))
            for k in wrong:
                print("   ", k, "program", str(a.get(k))[:300], "\n        model  ", str(b.get(k))[:300])
    print(f"{count} cases, {bad} differ, {narrow} were too narrow to tell")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
