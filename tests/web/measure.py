#!/usr/bin/env python3
"""What the page costs, in figures for `kvarium bench web_decode web_frame web_ready`: measure.py WHAT SAMPLES PROGRAM prints
"NAME NUMBER" lines in milliseconds, or "skipped WHY"."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

BROWSER = {"decode": "chromium", "frame": "firefox", "ready": "chromium"}
TEXTS = (32, 432)  # tokens that are fed one by one; the difference is so many tokens more, and no start
# A page with nothing in it but the program; what it does with it is asked of it.
BARE = '<!doctype html><script type="text/plain" id="program">%s</script><script>%s</script>'
PROGRAM = "document.getElementById('program').textContent"
UNPACKS_AND_COMPILES = """(async () => {{ const begun = performance.now(); await compiled({program}, {size});
    return performance.now() - begun; }})()"""
COMPILES = """(async () => {{ const code = await unpacked({program}, {size}).arrayBuffer(), begun = performance.now();
    await WebAssembly.compile(code); return performance.now() - begun; }})()"""


def run_of(n):
    tokens = ",".join(str(260 + i % 200) for i in range(n))
    return ["run", "--prompt", "Mia put the key", "--backend", "cpu", "--k-codec", "f32", "--v-codec", "f32",
            "--force-tokens", tokens, "--max-new", "1", "--json"]


def decode(samples, program):
    from page import Page
    a, b = (run_of(n) for n in TEXTS)
    tokens = TEXTS[1] - TEXTS[0]
    with Page("#scene=first") as page, tempfile.TemporaryDirectory() as folder:
        page.rest()

        def in_page(words):
            return page.run(f"(() => {{ const begun = performance.now(); const told = kvarium.cli({json.dumps(words)});"
                            "if (told.code) throw new Error(told.err); return performance.now() - begun; })()")

        def natively(words):
            begun = time.monotonic()
            subprocess.run([program, *words], cwd=folder, stdout=subprocess.DEVNULL, check=True)
            return 1000 * (time.monotonic() - begun)
        for sample in range(samples + 1):
            for name, run in (("page", in_page), ("native", natively)):
                took = (run(b) - run(a)) / tokens
                if sample:  # the first one warms up
                    print(name, took, flush=True)


def frame(samples, _):
    from page import Page
    with Page("#scene=explore&layout=explore") as page:
        page.rest()
        # As large as bench/web has it natively. One pixel that is read waits until all of them are drawn.
        for took in page.run(f"""(() => {{ const gl = canvas.getContext('webgl2'), pixel = new Uint8Array(4), took = [];
            canvas.width = 1280, canvas.height = 540;
            for (let n = 0; n < {10 * samples + 10}; ++n) {{
                call('kv_canvas_is', canvas.width, canvas.height, 1);
                const begun = performance.now();
                call('kv_turn');
                gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
                if (n >= 10) took.push(performance.now() - begun); }}
            return took; }})()"""):
            print("page", took, flush=True)


def ready(samples, _):
    """Each in a browser of its own: a browser remembers what it has compiled."""
    from page import BROWSER as Browser
    from page import PAGE, ROOT, Page
    page = PAGE.read_text("utf-16")
    program = re.search(r'id="program">([^<]*)<', page)[1]
    size = re.search(r"programCode = compiled\(.*, ([0-9]+)\)", page)[1]
    with tempfile.TemporaryDirectory() as folder:
        bare = pathlib.Path(folder, "bare.html")
        bare.write_text(BARE % (program, (ROOT / "app/web/page/unpack.js").read_text()), "utf-16")  # as the page is
        for _ in range(samples):
            with Page() as page:
                print("ready", page.run("kvarium.first"), flush=True)
            for name, script in (("compile", UNPACKS_AND_COMPILES), ("alone", COMPILES)):
                with Browser() as browser:
                    browser.open(bare.as_uri())
                    browser.until("typeof compiled === 'function'", 60)
                    print(name, browser.run(script.format(program=PROGRAM, size=size)), flush=True)


def main(what, samples, program):
    os.environ["KVARIUM_PAGE_BROWSER"] = BROWSER[what]
    from page import PAGE
    if not PAGE.exists():
        return print(f"skipped there is no page at {PAGE}; scripts/web makes it.")
    names = {"chromium": ("chromium", "chromium-browser", "google-chrome"), "firefox": ("firefox-esr", "firefox")}[BROWSER[what]]
    if not any(map(shutil.which, names)) or (BROWSER[what] == "firefox" and not shutil.which("Xvfb")):
        return print(f"skipped no {BROWSER[what]} (or no Xvfb, which firefox draws in); scripts/web --setup installs them.")
    return {"decode": decode, "frame": frame, "ready": ready}[what](samples, program)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
