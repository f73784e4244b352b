"""The page under strain: addresses that nobody would write, a browser that keeps nothing or has no room, long work."""

import base64
import json
import random
import zlib

from cases import case, main
from page import Page

SEED = 20261126
N_ADDRESSES = 3000
GOOD = ("#scene=first&layout=explore&theme=light", "#lesson=8&step=3", "#lesson=8&step=3&only=stage", "#scene=explore&step=4")
LETTERS = "ABCXYZabcxyz0189-_=&#%+/.,:;~!? \u00e4\u20ac\U0001f600\x00\n"
# What a page may say of an address: one sentence for a person, from us and not from the browser.
SENTENCE = "/^[A-Z][^\\n]{10,160}[.]$/.test(wrong.message) && wrong.constructor === Error"


def packed(data, wbits=15):
    squeeze = zlib.compressobj(9, wbits=wbits)
    return base64.urlsafe_b64encode(squeeze.compress(data) + squeeze.flush()).decode().rstrip("=")


def addresses(draw, scene):
    """Good ones, some of whose letters are others, cut off, doubled or mixed; and some that are only noise."""
    good = [*GOOD, "#scene=" + packed(scene), "#scene=" + packed(scene, -15) + "&step=2"]
    for n in range(N_ADDRESSES):
        text = draw.choice(good)
        for _ in range(draw.choice((1, 1, 2, 5, 20))):
            at, end = sorted((draw.randrange(len(text) + 1), draw.randrange(len(text) + 1)))
            kind = draw.randrange(5)
            if kind == 0 and at < len(text):
                text = text[:at] + draw.choice(LETTERS) + text[at + 1:]
            elif kind == 1:
                text = text[:at] + text[end:]
            elif kind == 2:
                text = text[:end] + text[at:]
            elif kind == 3:
                text = text[:at] + "".join(draw.choice(LETTERS) for _ in range(draw.randrange(9))) + text[at:]
            else:
                other = draw.choice(good)
                text = text[:at] + other[draw.randrange(len(other)):]
        yield text[:20000]
    yield "#scene=" + packed(bytes(64 << 20))
    yield "#scene=" + packed(bytes(64 << 20), -15)
    yield "#scene=" + "A" * (8 << 20)
    yield "#scene=" + packed(b"[" * 100000)
    yield "#" + "&".join("scene=first" for _ in range(20000))


@case("thousands of addresses that nobody would write: each is an ask or a sentence, and none takes more than its share")
def many_addresses():
    with Page("#scene=first&layout=explore") as page:
        scene = page.run("kvarium.scene()").encode()
        asked = list(addresses(random.Random(SEED), scene))
        page.run("window.strain = {asks: 0, refused: 0, wrong: [], texts: []}")
        before = page.run("program.module.HEAP8.length")
        for first in range(0, len(asked), 250):
            page.run(f"""(async () => {{
                const fs = program.module.FS, scene = '/link/scene.kvscene';
                for (const hash of {json.dumps(asked[first:first + 250])}) {{
                    if (fs.analyzePath(scene).exists) fs.unlink(scene);
                    try {{
                        const ask = await link.asked(hash, fs);
                        ++strain.asks;
                        if (ask.scene !== scene) continue;
                        const text = fs.readFile(scene, {{encoding: 'utf8'}});
                        if (text.length > link.largest) strain.wrong.push(hash.slice(0, 80) + ': ' + text.length + ' letters');
                        strain.texts.push(text.slice(0, 20000));
                    }} catch (wrong) {{
                        ++strain.refused;
                        if (!({SENTENCE})) strain.wrong.push(hash.slice(0, 80) + ': ' + wrong.message);
                    }}
                }} }})()""")
        assert not page.run("strain.wrong.length"), page.run("strain.wrong.slice(0, 5)")
        asks, refused = page.run("strain.asks"), page.run("strain.refused")
        assert asks + refused == len(asked)
        assert asks > 200 and refused > 200, "the addresses are all good or all bad"
        # What came out of them goes on to the program, which reads it as it reads any scene.
        texts = page.run("[...new Set(strain.texts)]")
        opened = texts[::max(1, len(texts) // 60)]
        for text in opened:
            told = page.cli(["run", "--scene", "s.kvscene", "--max-steps", "0"], {"s.kvscene": text})
            assert told["code"] in (0, 1, 2, 3, 4), told
            assert told["code"] == 0 or (told["err"].strip() and len(told["err"].strip().splitlines()) < 4), told
        assert page.run("program.module.HEAP8.length") <= before + (32 << 20)
        assert not page.complaints(), page.complaints()
        return f"{asks} asks, {refused} refused, {len(opened)} of {len(texts)} scenes given to the program"


@case("a scene in an address comes back as it was packed")
def round_trip():
    draw = random.Random(SEED)
    texts = ["", "{}", "\u00e4\u20ac\U0001f600"] + ["".join(draw.choice(LETTERS) for _ in range(draw.randrange(3000))) for _ in range(100)]
    with Page("#scene=first") as page:
        wrong = page.run(f"""(async () => {{ const wrong = [];
            for (const text of {json.dumps(texts)})
                if (await link.unpacked(await link.packed(text)) !== text) wrong.push(text.slice(0, 40));
            return wrong; }})()""")
        assert not wrong, wrong


FORBIDDEN = """Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('not here', 'SecurityError'); }})"""


# At the turn in which what was changed is written down, half a second after the change.
SAYS_NOT_KEPT = "document.querySelector('#said-beside').textContent === reader.words.not_kept"


@case("a browser that keeps nothing shows the page all the same, and says that nothing is kept")
def forbidden_storage():
    with Page(before=FORBIDDEN) as page:
        page.command("theme light")
        page.run("store.save(program.module.FS)")
        assert page.said("theme") == "light"
        page.until(SAYS_NOT_KEPT)
        page.run("document.getElementById('forget').click()")
        assert not page.complaints(), page.complaints()
        page.visit()
        assert page.said("theme") == "dark"


@case("where the browser has no room left, the page goes on, says so once, and harms nothing that was kept")
def full_storage():
    with Page() as page:
        page.run("""(() => { for (let size = 1 << 22; size > 0; size >>= 1)
            for (let n = 0; n < 3; ++n) try { localStorage.setItem('other' + size + n, 'x'.repeat(size)); } catch (full) {} })()""")
        kept = page.run("localStorage.getItem('kvarium')")
        # A few letters may still fit; a scene of one's own does not.
        page.run("""program.module.FS.mkdirTree('/files');
            program.module.FS.writeFile('/files/own.kvscene', 'x'.repeat(1000))""")
        page.command("theme light")
        page.until(SAYS_NOT_KEPT)
        assert page.run("localStorage.getItem('kvarium')") == kept
        assert page.said("theme") == "light"
        assert not page.complaints(), page.complaints()


@case("a scene too large to be kept is told of, and what comes behind it is kept all the same")
def large_scene():
    with Page() as page:
        page.run("""for (const [name, size] of [['a', store.most], ['b', 1000]])
            program.module.FS.writeFile('/files/' + name + '.kvscene', 'x'.repeat(size))""")
        page.command("theme light")
        page.until(SAYS_NOT_KEPT)
        assert page.run("Object.keys(JSON.parse(localStorage.getItem('kvarium'))).filter((p) => p.startsWith('/files/'))") == ["/files/b.kvscene"]
        assert not page.complaints(), page.complaints()


# A prompt of a few hundred tokens, behind a policy, so that its look is computed twice as well.
LONG = {"prompt": " ".join(["Mia put the key in the barn and Tom put the lamp in the box."] * 20), "max_new": 8}


# What a slice would take that ends on time: whatever else this machine does stretches it as it stretches the work's.
SPINS = """(() => { const took = []; for (let n = 0; n < 60; ++n) { const begun = performance.now();
    while (performance.now() - begun < 6) {} took.push(performance.now() - begun); } return took.sort((a, b) => a - b); })()"""


@case("long work is done in slices of at most eight milliseconds, and the page draws between them")
def slices():
    with Page("#scene=first&layout=explore") as page:
        page.rest()
        scene = json.loads(page.run("kvarium.scene()"))
        scene["requests"][0].update(LONG)
        scene["settings"] = {"backend": "reference"}
        scene.pop("step", None)
        page.run("slices.took.length = 0")
        turns = page.run("loop.turns")
        page.run(f"kvarium.open({json.dumps(json.dumps(scene))})")
        page.until("slices.took.length > 0 && !slices.busy", 240)
        page.rest()
        assert page.said("step") > 5
        page.run("kvarium.do('run.prove')")
        page.until("slices.took.length > 0 && !slices.busy", 240)
        page.rest()
        took, spins = sorted(page.run("slices.took")), page.run(SPINS)
        assert len(took) > 30, f"{len(took)} slices: nothing was cut"
        assert page.run("loop.turns") - turns > 5, "nothing was drawn meanwhile"
        early, usual = took[len(took) // 4], took[len(took) // 2]
        assert early <= 8, f"three of four slices take more than {early:.1f} ms"
        assert usual <= 2 + 1.5 * spins[30], f"a slice takes {usual:.1f} ms, and one that only waits {spins[30]:.1f} ms"
        return f"{len(took)} slices: a quarter within {early:.1f} ms, half within {usual:.1f} ms, where waiting 6 ms takes {spins[30]:.1f} ms"


if __name__ == "__main__":
    main()
