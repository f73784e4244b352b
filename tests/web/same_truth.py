"""The page computes what the native program computes: scenes, lessons, prices. With the reference backend every byte
is compared, but logits, to 1e-5. The cpu backend rounds as its processor does, natively too, so of its runs the hash of
all bits is left out, and nothing is drawn at random in them."""

import json
import os
import pathlib
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from page import ROOT, Page, native
from scenes import scene

SCENES = int(os.environ.get("KVARIUM_WEB_SCENES", "200"))

LINES = [
    ["calc", "--preset", "llama-3-8b", "--tokens", "8192", "--json"],
    ["calc", "--preset", "deepseek-v3", "--tokens", "4096", "--batch", "4"],
    ["calc", "--list"],
    ["calc", "--preset", "llama-3-9b"],
    ["run", "--prompt", "Greta put the key in the barn. Where is the key?", "--no-times", "--json"],
    ["run", "--prompt", "Greta put the key in the barn. Where is the key?", "--backend", "reference", "--no-times", "--json"],
    ["run", "--prompt", "Žluťoučký kůň 😀 naïve", "--max-new", "3", "--backend", "reference", "--no-times", "--json", "--prove"],
    ["run", "--model", "mha", "--prompt-tokens", "1,17,5", "--max-new", "8", "--k-codec", "int8", "--backend", "reference", "--no-times",
     "--json", "--logits"],
    ["lessons", "--list", "--json"],
    ["lessons", "--ask", "8", "--seed", "3", "--json"],
    ["run", "--scene", "nowhere.kvscene"],
    ["sim", "--help"],
]


def differs(a, b, path="", of_cpu=False):
    """Where two values of JSON part; None where they do not."""
    if isinstance(a, float) and isinstance(b, float) and ("logits" in path or "difference" in path):
        return None if abs(a - b) <= 1e-5 * max(1, abs(a)) else path
    if path == ".state_hash" and of_cpu:
        return None
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        return next((d for k in a if (d := differs(a[k], b[k], f"{path}.{k}", of_cpu))), None)
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return next((d for i, (x, y) in enumerate(zip(a, b)) if (d := differs(x, y, f"{path}[{i}]", of_cpu))), None)
    return None if a == b and type(a) is type(b) else path or "."


def rows(text):
    return [json.loads(line) for line in text.splitlines()]


class Comparison:
    def __init__(self, page, folder):
        self.page, self.folder, self.done, self.red = page, folder, 0, []
        self.beside = ThreadPoolExecutor(max_workers=1)  # the native program computes while the page does

    def hold(self, words, files=None):
        for name, text in (files or {}).items():
            pathlib.Path(self.folder, name).write_text(text)
        beside = self.beside.submit(native, words, self.folder)
        here, there = self.page.cli(words, files), beside.result()
        self.done += 1
        if here["code"] != there["code"] or here["err"] != there["err"]:
            return self.red.append(f"{words}: {here['code']} {here['err']!r}, natively {there['code']} {there['err']!r}")
        if here["out"] == there["out"]:
            return
        try:
            a, b = json.loads(here["out"]), json.loads(there["out"])
            where = differs(a, b, of_cpu=a.get("backend") == "cpu")
        except ValueError:
            where = "its words"
        if where:
            self.red.append(f"{words}: differs at {where}")

    def hold_scene(self, name, text=None):
        """Tokens, tables and every event."""
        files = {f"{name}.kvscene": text} if text else {}
        self.page.run("program.module.FS.analyzePath('/cli/events.jsonl').exists && program.module.FS.unlink('/cli/events.jsonl')")
        pathlib.Path(self.folder, "events.jsonl").unlink(missing_ok=True)
        source = f"{name}.kvscene" if text else name
        self.hold(["run", "--scene", source, "--backend", "reference", "--any-weights", "--no-times", "--quiet",
                   "--json", "--events", "events.jsonl"], files)
        events = self.page.run("program.module.FS.analyzePath('/cli/events.jsonl').exists ? "
                               "program.module.FS.readFile('/cli/events.jsonl', {encoding: 'utf8'}) : ''")
        file = pathlib.Path(self.folder, "events.jsonl")
        there = file.read_text() if file.exists() else ""
        if events != there and (where := differs(rows(events), rows(there))):
            self.red.append(f"the events of {name} differ at {where}")


def main():
    with tempfile.TemporaryDirectory() as folder, Page() as page:
        page.run("document.body.hidden = true")
        compare = Comparison(page, folder)
        for words in LINES:
            compare.hold(words)
        for file in sorted((ROOT / "assets/scenes").glob("*.kvscene")):
            compare.hold_scene(file.stem)
        for number in range(SCENES):
            compare.hold_scene(f"random-{number}", scene(number))
        if os.environ.get("KVARIUM_WEB_LESSONS", "1") == "1":
            compare.hold(["lessons", "--check", "--json"])
    for line in compare.red:
        print("red:", line)
    mark = "   " if compare.red else "ok "
    print(f"{mark} {compare.done} lines compared, {len(compare.red)} differ")
    sys.exit(1 if compare.red or not compare.done else 0)


if __name__ == "__main__":
    main()
