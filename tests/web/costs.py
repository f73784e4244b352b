#!/usr/bin/env python3
"""What the page costs can be measured: `kvarium bench web_decode web_frame web_ready` have their figures. How large they are
is nobody's test: machines differ."""

import pathlib
import subprocess
import sys

from cases import case, main
from page import PROGRAM

FIGURES = {"decode": {"page", "native"}, "frame": {"page"}, "ready": {"ready", "compile", "alone"}}


@case("what the page costs is measured: its first picture, a frame, a token")
def measured():
    for what, names in FIGURES.items():
        done = subprocess.run([sys.executable, pathlib.Path(__file__).with_name("measure.py"), what, "1", PROGRAM],
                              capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr[-500:]
        lines = [line.split() for line in done.stdout.splitlines()]
        if lines and lines[0][0] == "skipped":
            continue  # Firefox is not here
        assert {name for name, _ in lines} == names, done.stdout
        assert all(float(took) > 0 for _, took in lines), done.stdout


if __name__ == "__main__":
    main()
