"""Chromium without a window, steered over two pipes."""

import base64
import json
import os
import shutil
import subprocess
import time

from browser import Browser, PageError


def find_browser():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    return None


class Chromium(Browser):
    def __init__(self, size=(1280, 900), ratio=1.0, touch=False):
        super().__init__()
        to_read, self.to = os.pipe()
        self.back, from_write = os.pipe()
        # Chromium reads from 3 and writes to 4.
        command = [
            "bash", "-c", f'exec 3<&{to_read} 4>&{from_write}; exec "$0" "$@"', find_browser(), "--headless=new",
            "--remote-debugging-pipe", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox",
            "--host-resolver-rules=MAP * ~NOTFOUND", "--no-first-run", "--disable-background-networking",
            "--disable-dev-shm-usage", "--hide-scrollbars", f"--user-data-dir={self.folder.name}/profile", "about:blank"]
        self.process = subprocess.Popen(command, pass_fds=(to_read, from_write), stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, start_new_session=True, env=self.environment)
        os.close(to_read)
        os.close(from_write)
        self.left, self.count, self.session = b"", 0, None
        self.events = []
        page = next(t for t in self.send("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(domain + ".enable")
        self.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))
        self.shape(size, ratio, touch)

    def close(self):
        super().close()
        os.close(self.to)
        os.close(self.back)

    def _message(self):
        while b"\0" not in self.left:
            part = os.read(self.back, 1 << 20)
            if not part:
                raise RuntimeError("the browser is gone")
            self.left += part
        text, self.left = self.left.split(b"\0", 1)
        return json.loads(text)

    def send(self, method, **words):
        self.count += 1
        message = {"id": self.count, "method": method, "params": words}
        if self.session and not method.startswith(("Target.", "Browser.")):
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def shape(self, size, ratio=1.0, touch=False):
        self.send("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=ratio,
                  mobile=touch)
        self.send("Emulation.setTouchEmulationEnabled", enabled=touch)

    def open(self, address):
        self.events.clear()
        self.send("Page.navigate", url=address)

    def before(self, script):
        """Runs in every page before anything of it does."""
        self.send("Page.addScriptToEvaluateOnNewDocument", source=script)

    def run(self, script):
        """The value of an expression; a promise is waited for."""
        answer = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True,
                           userGesture=True)
        if "exceptionDetails" in answer:
            what = answer["exceptionDetails"]
            raise PageError(what.get("exception", {}).get("description", what["text"]))
        return answer["result"].get("value")

    def key(self, key, code=None, text=None, modifiers=0):
        words = {"key": key, "code": code or key, "modifiers": modifiers}
        if text:
            words["text"] = text
        self.send("Input.dispatchKeyEvent", type="keyDown", **words)
        self.send("Input.dispatchKeyEvent", type="keyUp", **words)

    def click(self, x, y, hold=0.0):
        """With a button that stays down for so many seconds."""
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            time.sleep(hold if kind == "mouseReleased" else 0)
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, clickCount=0 if kind == "mouseMoved" else 1,
                      button="none" if kind == "mouseMoved" else "left")

    def touch(self, *moves):
        """Fingers as they lie after each move; none lifts them."""
        for n, points in enumerate(moves):
            kind = "touchEnd" if not points else "touchStart" if n == 0 else "touchMove"
            self.send("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": i}
                                                                         for i, (x, y) in enumerate(points)])

    def picture(self):
        return base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])

    def tree(self):
        """What the browser tells those who do not see: role and name of each thing."""
        return [(n["role"]["value"], n.get("name", {}).get("value", ""))
                for n in self.send("Accessibility.getFullAXTree")["nodes"] if not n.get("ignored")]

    def complaints(self):
        """Errors that the page or the browser told so far."""
        self.run("0")
        found = []
        for event in self.events:
            if event["method"] == "Runtime.exceptionThrown":
                details = event["params"]["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            if event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
                found.append(event["params"]["entry"]["text"])
        return found

    def requests(self):
        self.run("0")
        return [event["params"]["request"]["url"] for event in self.events
                if event["method"] == "Network.requestWillBeSent"]
