"""Firefox without a window, steered over its own port (WebDriver BiDi), with no driver beside it. It draws WebGL only where there
is a display, so it has one that nobody sees: Xvfb."""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import time

from browser import Browser, PageError
from wire import Wire

START = 60  # seconds that the browser may take to open its port

PREFS = {
    "webgl.force-enabled": True, "browser.shell.checkDefaultBrowser": False,
    "browser.download.folderList": 2, "browser.download.useDownloadDir": True,
    "browser.download.always_ask_before_handling_new_types": False,
    # No network: whatever is asked for is asked of a port on which nobody listens.
    "network.proxy.type": 1, "network.proxy.socks": "localhost", "network.proxy.socks_port": 9,
    "network.proxy.socks_remote_dns": True, "app.normandy.enabled": False, "browser.safebrowsing.update.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False, "accessibility.force_disabled": -1,
    "dom.disable_beforeunload": True,
}

# WebDriver's letters for keys that write nothing.
KEYS = {"ArrowRight": "\ue014", "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowDown": "\ue015", "End": "\ue010", "Home": "\ue011",
        "Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "F6": "\ue036", "Control": "\ue009", "Shift": "\ue008"}

# The tree of the page, as the browser itself hands it to a screen reader.
TREE = """
new Promise((done) => {
  const service = Cc["@mozilla.org/accessibilityService;1"].getService(Ci.nsIAccessibilityService);
  const all = (one) => [[service.getStringRole(one.role), one.name || ""]].concat(
      ...Array.from({length: one.childCount}, (_, n) => all(one.getChildAt(n))));
  const look = (left) => {
    const root = service.getAccessibleFor(gBrowser.selectedBrowser);
    const found = root ? all(root) : [];
    if (left === 0 || found.some(([role]) => role === "heading")) done(JSON.stringify(found));
    else setTimeout(() => look(left - 1), 200);
  };
  look(50);
})
"""


def find_firefox():
    return shutil.which("firefox-esr") or shutil.which("firefox")


def open_display():
    """A display that nobody sees, and its number, which it chooses itself."""
    told, tells = os.pipe()
    display = subprocess.Popen(["Xvfb", "-displayfd", str(tells), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], pass_fds=[tells],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(tells)
    with os.fdopen(told) as line:
        number = line.readline().strip()
    if not number:
        raise RuntimeError("Xvfb opened no display")
    return display, number


def plain(told):
    """A value of the page as Python has it."""
    value = told.get("value")
    if told["type"] == "array":
        return [plain(one) for one in value]
    if told["type"] == "object":
        return {name: plain(one) for name, one in value}
    return value


class Firefox(Browser):
    def __init__(self, size=(1280, 900), ratio=1.0, touch=False):
        super().__init__()
        self.wire = self.display = None
        profile = pathlib.Path(self.folder.name, "profile")
        profile.mkdir()
        prefs = PREFS | {"browser.download.dir": str(self.downloads)}
        (profile / "user.js").write_text("".join(f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in prefs.items()))
        self.display, number = open_display()
        # The tree for screen readers is the browser's own, which is reached by whoever may steer all of it.
        self.process = subprocess.Popen([find_firefox(), "--headless", "--remote-debugging-port=0", "--remote-allow-system-access",
                                         "--no-remote", "--profile", str(profile), "about:blank"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                                        env=self.environment | {"DISPLAY": f":{number}", "LIBGL_ALWAYS_SOFTWARE": "1"})
        self.count, self.events = 0, []
        self.wire = self._connect(profile / "WebDriverBiDiServer.json")
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self.context = self.send("browsingContext.getTree")["contexts"][0]["context"]
        self.shape(size, ratio, touch)

    def _connect(self, file):
        end = time.monotonic() + START
        while True:
            try:
                return Wire("localhost", json.loads(file.read_text())["ws_port"], "/session")
            except (OSError, ValueError):
                if time.monotonic() > end or self.process.poll() is not None:
                    raise RuntimeError("Firefox opened no port to be steered by") from None
                time.sleep(0.1)

    def close(self):
        if self.wire:
            self.wire.close()
        super().close()
        if self.display:
            self.display.kill()
            self.display.wait()

    def send(self, method, **words):
        self.count += 1
        self.wire.send(json.dumps({"id": self.count, "method": method, "params": words}))
        while True:
            answer = json.loads(self.wire.message())
            if answer.get("id") == self.count:
                if answer["type"] == "error":
                    raise PageError(f"{method}: {answer['message']}")
                return answer["result"]
            if answer["type"] == "event":
                self.events.append(answer)

    def shape(self, size, ratio=1.0, touch=False):
        self.send("browsingContext.setViewport", context=self.context, viewport={"width": size[0], "height": size[1]},
                  devicePixelRatio=ratio)
        # Fingers are sent to the page either way.
        self._evaluate(self._window(), f"gBrowser.selectedBrowser.browsingContext.touchEventsOverride = '{'enabled' if touch else 'none'}'")

    def open(self, address):
        self.events.clear()
        self.send("browsingContext.navigate", context=self.context, url=address, wait="interactive")

    def _window(self):
        """The browser's own, around the page."""
        return self.send("browsingContext.getTree", **{"moz:scope": "chrome"})["contexts"][0]["context"]

    def _evaluate(self, context, script):
        told = self.send("script.evaluate", expression=script, target={"context": context}, awaitPromise=True, userActivation=True)
        if told["type"] == "exception":
            raise PageError(told["exceptionDetails"]["text"])
        return plain(told["result"])

    def before(self, script):
        """Runs in every page before anything of it does."""
        self.send("script.addPreloadScript", functionDeclaration="() => {" + script + "}")

    def run(self, script):
        """The value of an expression; a promise is waited for."""
        return self._evaluate(self.context, script)

    def _act(self, *sources):
        self.send("input.performActions", context=self.context, actions=list(sources))

    def key(self, key, code=None, text=None, modifiers=0):
        held = [KEYS[name] for bit, name in ((2, "Control"), (8, "Shift")) if modifiers & bit]
        letters = [*held, KEYS.get(key, key)]
        self._act({"type": "key", "id": "keys", "actions": [{"type": "keyDown", "value": v} for v in letters] +
                   [{"type": "keyUp", "value": v} for v in reversed(letters)]})

    def _pointer(self, kind, moves, n=0, hold=0.0):
        def to(place):
            return {"type": "pointerMove", "x": round(place[0]), "y": round(place[1]), "duration": 0}
        steps = [to(moves[0]), {"type": "pointerDown", "button": 0}, *map(to, moves[1:]),
                 {"type": "pause", "duration": round(hold * 1000)}, {"type": "pointerUp", "button": 0}]
        return {"type": "pointer", "id": f"{kind}{n}", "parameters": {"pointerType": kind}, "actions": steps}

    def click(self, x, y, hold=0.0):
        """With a button that stays down for so many seconds."""
        self._act(self._pointer("mouse", [(x, y)], hold=hold))

    def touch(self, *moves):
        """Fingers as they lie after each move; none lifts them."""
        lying = [points for points in moves if points]
        self._act(*(self._pointer("touch", [points[n] for points in lying], n) for n in range(len(lying[0]))))

    def picture(self):
        return base64.b64decode(self.send("browsingContext.captureScreenshot", context=self.context)["data"])

    def tree(self):
        """What the browser tells those who do not see: role and name of each thing."""
        return json.loads(self._evaluate(self._window(), TREE))

    def complaints(self):
        """Errors that the page or the browser told so far."""
        self.run("0")
        return [event["params"]["text"] for event in self.events
                if event["method"] == "log.entryAdded" and event["params"]["level"] == "error"]

    def requests(self):
        self.run("0")
        return [event["params"]["request"]["url"] for event in self.events if event["method"] == "network.beforeRequestSent"]
