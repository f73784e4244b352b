"""What a person does with the page, done by a program: the first picture, keys, fingers, links, files, settings,
and what must not happen, a request or a turn of the loop too many."""

import base64
import json
import pathlib
import tempfile
import time
import zlib

from cases import case, main
from page import PAGE, Page, native


def colours_in(page, place, least=0):
    """How many colours there are where something of the page stands on the screen, and at least as far from grey."""
    shown = base64.b64encode(page.picture()).decode()
    return page.run(f"""new Promise((answer) => {{ const picture = new Image(); picture.onload = () => {{
        const box = document.querySelector('{place}').getBoundingClientRect(), scale = picture.width / innerWidth;
        const copy = document.createElement('canvas'); copy.width = box.width; copy.height = box.height;
        const pen = copy.getContext('2d');
        pen.drawImage(picture, box.x * scale, box.y * scale, box.width * scale, box.height * scale, 0, 0, copy.width, copy.height);
        const all = pen.getImageData(0, 0, copy.width, copy.height).data, hues = new Set();
        for (let i = 0; i < all.length; i += 4) {{
            const [r, g, b] = all.subarray(i, i + 3);
            if (Math.max(r, g, b) - Math.min(r, g, b) >= {least}) hues.add(r << 16 | g << 8 | b); }}
        answer(hues.size); }}; picture.src = 'data:image/png;base64,{shown}'; }})""")


def colours(page):
    """One is no picture. Words that say so have some as well, so the picture must answer first."""
    assert page.said("layout"), "there is no picture"
    return colours_in(page, "#picture")


@case("the page opens from a disk, asks nobody for anything and complains of nothing")
def opens():
    with Page() as page:
        assert colours(page) > 8, "the picture is empty"
        asked = [url for url in page.requests() if not url.startswith(("data:", "blob:", "about:", PAGE.as_uri()))]
        assert not asked, asked
        assert not page.complaints(), page.complaints()


@case("own words are read by the model, and steps go forward, back and to any place by keys alone")
def keys():
    with Page() as page:
        page.command("start.sentence Mia put the key in the barn.")
        page.command("run.first")
        assert page.said("step") == 0, page.said("step")
        page.run("canvas.focus()")
        page.key("ArrowRight", text="")
        page.rest()
        assert page.said("step") == 1
        page.key("ArrowRight")
        page.rest()
        assert page.said("step") == 2
        page.key("ArrowLeft")
        page.rest()
        assert page.said("step") == 1
        page.key("End")
        page.rest()
        assert page.said("step") > 2
        page.command("run.goto 3")
        assert page.said("step") == 3
        assert "Mia" in json.dumps(page.run("kvarium.table('stage')")) or page.said("said")


@case("letters typed into the palette find a command, Enter carries it out, and F6 leaves the picture")
def palette():
    with Page() as page:
        page.command("layout.explore")
        page.run("canvas.focus()")
        page.key("p", "KeyP", modifiers=2)
        page.rest()
        for letter in "compare layout":
            page.key(letter, "Space" if letter == " " else "Key" + letter.upper(), text=letter)
        page.rest()
        page.key("Enter", text="\r")
        page.rest()
        assert page.said("layout") == "compare", page.said("layout")
        page.run("canvas.focus()")
        page.key("F6")
        assert page.run("document.activeElement.id") == "title"


@case("a key that was pressed under Command goes up again, though macOS does not tell of it")
def command_keys():
    with Page("#scene=first&layout=explore") as page:
        page.run("""(() => { window.told = []; const tells = program.module.ccall;
            program.module.ccall = (name, type, kinds, words) => {
                if (name === 'kv_key') told.push(words[0] + (words[3] ? ' down' : ' up'));
                return tells(name, type, kinds, words); };
            const key = (type, code, key, metaKey) =>
                canvas.dispatchEvent(new KeyboardEvent(type, {code, key, metaKey, bubbles: true, cancelable: true}));
            key('keydown', 'KeyA', 'a', false);
            key('keydown', 'MetaLeft', 'Meta', true);
            key('keydown', 'KeyP', 'p', true);
            key('keyup', 'MetaLeft', 'Meta', false); })()""")
        told = page.run("told")
        for code in ("KeyA", "KeyP", "MetaLeft"):
            assert [each for each in told if each.startswith(code)] == [code + " down", code + " up"], told


@case("models, codecs and policies are set, a request is forked, a step is proved, two runs stand side by side")
def settings():
    with Page("#scene=first&layout=explore") as page:
        for model in ("mha", "mqa", "gqa"):
            page.command("run.model " + model)
            assert page.run("JSON.parse(kvarium.scene()).model.name") == model
        page.command("run.set k_codec int8")
        page.command("run.set evict streaming:4+12")
        page.command("run.last")
        page.command("run.prove")
        assert page.run("JSON.parse(kvarium.scene()).settings.evict") == "streaming:4+12"
        page.command("layout.compare")
        assert page.said("layout") == "compare"
        page.command("layout.present")
        assert page.said("layout") == "present"
        assert not page.complaints(), page.complaints()


@case("a link to a moment opens the same moment: a scene deflated with and without a frame, a lesson's step")
def links():
    with Page("#scene=first&layout=explore") as page:
        page.command("run.goto 4")
        page.run("document.getElementById('copy-link').click()")
        page.until("location.hash.startsWith('#scene=')")
        address, scene = page.run("location.hash"), page.run("kvarium.scene()")
        page.visit(address)
        page.rest()
        assert page.said("step") == 4
        assert json.loads(page.run("kvarium.scene()")) == json.loads(scene)
        raw = zlib.compressobj(wbits=-15)
        page.run(f"window.raw = {json.dumps((raw.compress(scene.encode()) + raw.flush()).hex())}")
        letters = page.run("btoa(raw.match(/../g).map((x) => String.fromCharCode(parseInt(x, 16))).join(''))"
                           ".replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')")
        page.visit("#scene=" + letters)
        page.rest()
        assert page.said("step") == 4
        page.visit("#lesson=8&step=3")
        page.rest()
        assert page.said("lesson")["number"] == 8 and page.said("lesson")["step"] == 3
        page.visit("#lesson=8&step=3&only=stage")
        page.rest()
        assert page.said("only") == "stage"
        assert page.run("getComputedStyle(document.getElementById('bar')).display") == "none"


def copied_link(page):
    """What the address is and what the page says, once the button for a link was pressed."""
    page.run("document.getElementById('said-beside').textContent = ''")
    page.run("document.getElementById('copy-link').click()")
    page.until("document.getElementById('said-beside').textContent !== ''")
    return page.run("location.hash"), page.text("#said-beside")


@case("a link from a lesson says the step, or the scene once a person has moved on in it")
def lesson_links():
    with Page("#lesson=8&step=3") as page:
        page.rest()
        assert copied_link(page)[0].startswith("#lesson=8&step=3&")
        page.command("run.forward")
        page.command("select.layer 1")
        step, focus = page.said("step"), page.run("JSON.parse(kvarium.scene()).view")
        address, _ = copied_link(page)
        assert address.startswith("#scene="), address
        page.visit(address)
        page.rest()
        assert page.said("step") == step
        assert page.run("JSON.parse(kvarium.scene()).view") == focus


@case("where there is no link the page says why, and what to do instead")
def no_links():
    with Page("#scene=first&layout=explore") as page:
        page.rest()
        large = page.run("link.packed('x'.repeat(2 ** 20 + 1)).catch((refused) => refused.message)")
        assert "Ctrl+S" in large, large
        page.run("""(() => { const carried = new DataTransfer();
            const event = {event: 'BlockStored', block_hashes: [11], parent_block_hash: null, token_ids: [1, 2],
                           block_size: 2, medium: 'GPU'};
            carried.items.add(new File([JSON.stringify(event) + '\\n'], 'run.jsonl'));
            document.dispatchEvent(new DragEvent('drop', {dataTransfer: carried})); })()""")
        page.until("kvarium.scene() === ''")
        address, said = copied_link(page)
        assert "recording" in said, said
        assert "#scene=&" not in address, address


@case("an address that is no good is told of, and the tank opens all the same")
def bad_links():
    with Page() as page:
        for hash in ("#scene=%%%", "#scene=AAAA", "#lesson=99", "#lesson=x", "#layout=sideways", "#only=nothing",
                     "#scene=" + "A" * 5000):
            page.visit(hash)
            assert page.text("#said-beside") or page.said("notice"), hash
            assert colours(page) > 8, hash
            if hash.startswith("#layout="):
                assert "`layout=sideways` in the address" in page.text("#said-beside")


@case("a script's command that is none is named as it was written, with what is near it")
def bad_command():
    with Page() as page:
        said = page.run("(() => { try { kvarium.do('run.gotoo 4'); return ''; } catch (wrong) { return wrong.message; } })()")
        assert "run.gotoo" in said and "run.goto" in said.replace("run.gotoo", "") and "--" not in said, said


@case("a lesson is read and answered in the document: fields, a verdict after the reveal, no answer before it")
def lesson():
    with Page("#lesson=8&step=3") as page:
        page.rest()
        now = page.said("lesson")
        for n in range(1, 40):
            if now["predictions"] and now["predictions"][0]["choices"]:
                break
            page.command("lesson.next")
            now = page.said("lesson")
        first = now["predictions"][0]
        assert "real" not in first and "why" not in first
        assert now["then"] is None
        page.run("reader.show()")
        page.run("document.querySelectorAll('#lesson fieldset').forEach((f) => f.querySelector('input[type=radio]')?.click())")
        page.rest()
        for n, asked in enumerate(page.said("lesson")["predictions"], 1):
            if not asked["said"]:
                page.command(f"lesson.say {n} 1")
        page.run("reader.show()")
        page.run("document.querySelector('#lesson button.primary').click()")
        page.rest()
        assert page.said("lesson")["revealed"]
        assert page.said("lesson")["predictions"][0]["real"]


def write(page, selector, text):
    """Into a field, from its end, as keys do it."""
    page.run(f"document.querySelector({json.dumps(selector)}).focus()")
    for letter in text:
        page.key(letter, text=letter)


def heard(page):
    page.rest()
    return page.text("#verdict")


@case("a written prediction is answered by keys alone: after Enter and after Tab there is Reveal, and the verdict is heard")
def written():
    with Page("#lesson=8&step=10") as page:
        page.rest()
        page.run("reader.show()")
        write(page, "#lesson input[type=text]", "14")
        page.key("Enter", text="\r")
        page.until("document.querySelector('#lesson button.primary') !== null")
        page.rest()
        assert page.run("document.activeElement.matches('#lesson input[type=text]')"), "the field was left"
        assert page.run("document.activeElement.value") == "14"
        page.key("Tab")
        page.until("document.activeElement.matches('#lesson button.primary')")
        # Firefox presses no button by Enter in a window that is not in front, as one that nobody sees never is.
        page.run("document.activeElement.click()")
        page.until("kvarium.reader().lesson.revealed")
        assert "Right." in heard(page)
        assert page.run("document.getElementById('verdict').getAttribute('role')") == "status"


@case("who leaves a field for a button gets what the button does, though the lesson is made anew meanwhile")
def left_for_a_button():
    with Page("#lesson=8&step=10") as page:
        page.rest()
        page.run("reader.show()")
        write(page, "#lesson input[type=text]", "14")
        place = page.run("""(() => { const next = [...document.querySelectorAll('#lesson button')].pop();
            next.scrollIntoView({block: 'center'}); const box = next.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2]; })()""")
        page.click(*place, hold=0.3)
        page.until("kvarium.reader().lesson.step === 11")


@case("a wrong answer to an exercise is told with the slip that leads to it, as in the window")
def slips():
    with Page("#lesson=8&step=10") as page:
        page.rest()
        page.command("lesson.say 1 14")
        page.command("lesson.reveal")
        page.run("reader.show()")
        which = "[...document.querySelectorAll('#lesson fieldset')].find((box) => box.textContent.includes('8.5'))"
        # The blocks, the bytes, the idle slots and theirs, the first two in each other's place.
        page.run(f"{which}.querySelector('input').value = '298844160, 57, 12, 3932160'")
        page.run(f"{which}.querySelector('button').click()")
        page.rest()
        told = page.run(f"{which}.textContent")
        assert "This is what one gets by a known slip: the right values in another order." in told, told
        assert "known slip" in heard(page)


def native_csv(*words):
    with tempfile.TemporaryDirectory() as folder:
        done = native(["shot", *words, "--export", "csv", "--out", "table.csv"], folder)
        assert done["code"] == 0, done
        return pathlib.Path(folder, "table.csv").read_bytes()


TABLE = "document.querySelector('#tables')"


@case("every table of a panel is drawn as it is now, and its CSV is what the native program exports")
def tables():
    with Page("#scene=explore&only=charts") as page:
        page.rest()
        names = [table["name"] for table in page.said("table")["tables"]]
        at = names.index("charts/samples")
        step = page.said("step")
        page.run(f"{TABLE}.querySelectorAll('button')[{at}].click()")
        drawn = page.run(f"[...{TABLE}.querySelectorAll('tbody tr')].map((row) => row.children[1].textContent)")
        assert drawn.count("no") == step and set(drawn) <= {"yes", "no"}, drawn
        page.run(f"[...{TABLE}.querySelectorAll('button')].pop().click()")
        file = page.downloads / "charts-samples.csv"
        end = time.monotonic() + 20
        while not file.exists() and time.monotonic() < end:
            time.sleep(0.05)
        wanted = native_csv("--scene", "explore", "--panel", "charts", "--table", "samples")
        assert file.read_bytes() == wanted, "the page's CSV is another than the native program's"
        page.command("run.back")
        drawn = page.run(f"[...{TABLE}.querySelectorAll('tbody tr')].map((row) => row.children[1].textContent)")
        assert drawn.count("no") == step - 1, "the table that was chosen is an old one"


@case("what is set is there after loading again, and is gone once it was cleared")
def kept():
    with Page() as page:
        page.command("theme light")
        time.sleep(1.5)
        page.rest()
        page.visit()
        assert page.said("theme") == "light"
        page.run("document.getElementById('forget').click()")
        page.visit()
        assert page.said("theme") == "dark"


@case("a file that is dropped is opened; a picture and a table are downloaded")
def files():
    with Page("#scene=first&layout=explore") as page:
        page.command("run.goto 2")
        page.run("""(() => { const carried = new DataTransfer(); const scene = JSON.parse(kvarium.scene());
            scene.name = 'Carried here'; carried.items.add(new File([JSON.stringify(scene)], 'carried.kvscene'));
            document.dispatchEvent(new DragEvent('drop', {dataTransfer: carried})); })()""")
        page.until("kvarium.reader().title === 'Carried here'")
        page.command("export.picture")
        page.command("export.table stage")
        page.command("file.save_scene own.kvscene")
        wanted = {".png": b"\x89PNG", ".csv": b"", ".kvscene": b"{"}
        end = time.monotonic() + 20
        while time.monotonic() < end:
            found = {p.suffix: p.read_bytes() for p in page.downloads.iterdir() if p.suffix in wanted}
            if found.keys() == wanted.keys():
                break
            time.sleep(0.1)
        assert found.keys() == wanted.keys(), sorted(found)
        for suffix, begin in wanted.items():
            assert found[suffix].startswith(begin)


@case("nothing turns while nothing changes, nor while the page is hidden")
def sleeps():
    with Page("#scene=first&layout=explore") as page:
        page.rest()
        time.sleep(2)  # what was changed is written down a moment later, with a last look
        page.rest()
        before = page.run("loop.turns")
        time.sleep(3)
        assert page.run("loop.turns") == before
        page.run("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
        page.run("kvarium.do('run.play')")
        before = page.run("loop.turns")
        time.sleep(1)
        assert page.run("loop.turns") == before
        page.run("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
        page.until(f"loop.turns > {before}")


@case("a picture whose context is lost comes back by itself")
def context():
    with Page("#scene=first&layout=explore") as page:
        page.run("window.taken = canvas.getContext('webgl2').getExtension('WEBGL_lose_context'); taken.loseContext()")
        page.until("document.getElementById('said-beside').textContent !== ''")
        time.sleep(0.3)
        page.run("taken.restoreContext()")
        page.until("document.getElementById('said-beside').textContent === ''")
        time.sleep(0.5)
        assert colours(page) > 8
        page.command("run.goto 3")
        assert page.said("step") == 3
        assert not [c for c in page.complaints() if "CONTEXT_LOST" not in c], page.complaints()


@case("every width from 360 to 2560 and every pixel ratio from 1 to 3 has a sharp picture and nothing that sticks out")
def shapes():
    with Page("#scene=first&layout=explore") as page:
        for width in (360, 600, 1024, 1440, 2560):
            for ratio in (1, 2, 3):
                page.shape((width, 800), ratio, touch=width < 700)
                page.run("wake()")
                page.until(f"canvas.width === Math.round(canvas.getBoundingClientRect().width * {ratio})")
                page.rest()
                wide = page.run("document.documentElement.scrollWidth - innerWidth")
                assert wide <= 0, f"{wide} pixels stick out at {width}, {ratio}"
                assert colours(page) > 8


@case("a finger presses, and the bar for the thumb steps")
def fingers():
    with Page("#scene=first&layout=explore", size=(360, 740), ratio=2, touch=True) as page:
        page.command("run.first")
        small = page.run("[...document.querySelectorAll('#transport button')].filter((b) => b.getBoundingClientRect().height < 44).length")
        assert small == 0
        place = page.run("(() => { const r = document.querySelector('[data-do=\"run.forward\"]').getBoundingClientRect();"
                         " return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        page.touch([place], [])
        page.until("kvarium.reader().step === 1")
        page.touch([(180, 200)], [(180, 160)], [])
        page.touch([(150, 200), (210, 200)], [(150, 150), (210, 150)], [])
        page.rest()
        assert not page.complaints(), page.complaints()


@case("two fingers press nothing: where one finger leads the run to another step, two leave it where it is")
def two_fingers():
    with Page("#scene=first&only=transport", size=(360, 740), ratio=2, touch=True) as page:
        page.command("run.goto 2")
        page.touch([(290, 300)], [])
        page.until("kvarium.reader().step > 4")
        page.command("run.goto 2")
        for moves in ([[(290, 300), (320, 300)], [(290, 240), (320, 240)], []], [[(290, 300), (120, 300)], [(320, 300), (90, 300)], []]):
            page.touch(*moves)
            page.rest()
            assert page.said("step") == 2, page.said("step")
        page.touch([(290, 300)], [(150, 300)], [])
        page.until("kvarium.reader().step === 3")


@case("whoever does not see finds headings, a live sentence, named fields and tables in the browser's own tree")
def tree():
    with Page("#lesson=8&step=3") as page:
        page.rest()
        page.run("reader.show()")
        tree = page.tree()
        roles = [role for role, _ in tree]
        assert roles.count("heading") >= 2
        assert "table" in roles and "columnheader" in roles, set(roles)
        assert page.run("document.querySelectorAll('[role=status]').length")
        for role in ("button", "pushbutton", "textbox", "entry", "radio", "radiobutton", "image", "link", "Canvas", "img", "graphic"):
            unnamed = [n for n in tree if n[0] == role and not n[1]]
            assert not unnamed, f"{len(unnamed)} of role {role} have no name"
        canvas = page.run("[canvas.getAttribute('role'), !!canvas.getAttribute('aria-label'),"
                          " !!document.getElementById(canvas.getAttribute('aria-describedby'))]")
        assert canvas == ["img", True, True]
        assert page.run("document.querySelector('a, button, input, [tabindex]').id") == "skip"


if __name__ == "__main__":
    main()
