"""The page under test, opened in a browser, and the native program beside it."""

import json
import os
import pathlib
import subprocess

from chromium import Chromium
from firefox import Firefox

BROWSERS = {"chromium": Chromium, "firefox": Firefox}
BROWSER = BROWSERS[os.environ.get("KVARIUM_PAGE_BROWSER", "chromium")]
ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = pathlib.Path(os.environ.get("KVARIUM_PAGE", ROOT / "dist/kvarium.html"))
PROGRAM = os.environ.get("KVARIUM_PROGRAM", str(ROOT / "build/release/kvarium"))
PATIENCE = 120  # seconds that a page may take to start, or to come to rest, on a machine that does much else


class Page(BROWSER):
    """Open and ready."""

    def __init__(self, hash="", before=None, **shape):
        super().__init__(**shape)
        if before:
            self.before(before)
        self.visit(hash)

    def visit(self, hash=""):
        # From one hash to another a browser loads nothing anew.
        self.open("about:blank")
        self.until("location.href === 'about:blank'")
        self.open(PAGE.as_uri() + hash)
        self.until("window.kvarium && kvarium.ready.then(() => true)", PATIENCE)

    def cli(self, words, files=None):
        return json.loads(self.run(f"JSON.stringify(kvarium.cli({json.dumps(words)}, {json.dumps(files or {})}))"))

    def command(self, command):
        self.run(f"kvarium.do({json.dumps(command)})")
        self.rest()

    def rest(self):
        """Until nothing is under way any more: no frame in two tenths of a second."""
        self.until("""new Promise((answer) => {
            const look = (n) => { const turns = loop.turns;
              setTimeout(() => loop.turns === turns && !loop.frame ? answer(true) : n ? look(n - 1) : answer(false), 200); };
            look(60); })""", PATIENCE)

    def said(self, what):
        return json.loads(self.run("JSON.stringify(kvarium.reader())"))[what]

    def text(self, selector):
        return self.run(f"document.querySelector({json.dumps(selector)}).textContent")


def native(words, folder):
    done = subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, timeout=300, check=False)
    return {"code": done.returncode, "out": done.stdout.decode(), "err": done.stderr.decode()}
