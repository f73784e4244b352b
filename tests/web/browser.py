"""A browser without a window: WebGL drawn by software, a profile of its own, and no network. Needs nothing but Python and
the browser. What both browsers do alike stands here; how each is steered, in a file of its own."""

import atexit
import os
import pathlib
import signal
import tempfile
import time


class PageError(Exception):
    """What the page threw."""


class Browser:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.downloads = pathlib.Path(self.folder.name, "downloads")
        self.downloads.mkdir()
        # What the browser lays beside its profile, a socket for one, goes with the folder.
        self.environment = os.environ | {"TMPDIR": self.folder.name}
        self.process = None
        atexit.register(self.close)  # where it failed before anybody could close it

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        atexit.unregister(self.close)
        if self.process is None:
            return self.folder.cleanup()
        # Started in a session of its own, so that its helpers end with it.
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.folder.cleanup()

    def until(self, script, seconds=20.0):
        end = time.monotonic() + seconds
        while True:
            try:
                if value := self.run(script):
                    return value
            except PageError:
                if time.monotonic() > end:
                    raise
            if time.monotonic() > end:
                raise TimeoutError(f"{script} did not come true in {seconds} s")
            time.sleep(0.05)
