"""A figure of the site that comes alive: the page as scripts/site makes it, opened from a disk, without the weight of a whole site."""

import os
import pathlib
import shutil
import sys
import tempfile
import time
import traceback

from behaviour import colours_in
from page import BROWSER, PAGE, ROOT

FIGURE = ('<body data-md-color-scheme="slate"><p id="before">Words.</p><p><a class="figure"><img alt="still" width="300" height="200"></a></p>'
          '<p class="step" data-lesson="8" data-step="4" data-only="figure"><code>kvarium --lesson 8 --step 4</code></p>'
          '<style>iframe{width:100%;min-height:600px;border:0}</style><script src="live.js"></script></body>')


def comes_alive():
    with tempfile.TemporaryDirectory() as folder, BROWSER() as browser:
        site = pathlib.Path(folder)
        shutil.copytree(PAGE.parent / "web", site / "live")
        shutil.copy(ROOT / "docs/site/live.js", site)
        (site / "lesson.html").write_text(FIGURE)
        browser.open((site / "lesson.html").as_uri())
        button = "document.querySelector('button.live')"
        browser.until(f"!!{button}")
        assert not browser.run("document.querySelectorAll('iframe').length"), "it is live before a click"
        browser.run(button + ".click()")
        assert browser.run("document.querySelector('.figure').closest('p').hidden"), "the still picture stays"
        end = time.monotonic() + 60
        while (seen := colours_in(browser, "iframe", least=40)) < 4:  # words have no hue
            assert time.monotonic() < end, f"the tank shows {seen} colours"
            time.sleep(0.5)
        if file := os.environ.get("KVARIUM_WEB_PICTURE"):
            pathlib.Path(file).write_bytes(browser.picture())
        browser.run(button + ".click()")
        assert browser.run("document.querySelectorAll('iframe').length") == 0
        assert not browser.run("document.querySelector('.figure').closest('p').hidden")


def main():
    sentence = "a figure of the site comes alive by a click, from a disk, and is still again by another"
    try:
        comes_alive()
        print("ok  ", sentence)
    except Exception:
        print(f"red: {sentence}\n{traceback.format_exc(limit=-3)}")
        sys.exit(1)


if __name__ == "__main__":
    main()
