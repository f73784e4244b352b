"""The three doors of the first start, each gone through by keys alone, and how long the page takes for it. A person has more
to read than a program; so all that the page itself takes has to leave most of a minute."""

import time

from cases import case, main
from page import Page

MOST = 30  # seconds of a minute that the page may take from a person for one of them, beside others on this machine


class Watch:
    """Of keys, each from being pressed until it shows: two frames later, since a frame shows what the one before it took in."""

    def __init__(self, page):
        self.page, self.took = page, []

    def press(self, *key, **words):
        begun, turns = time.monotonic(), self.page.run("loop.turns")
        self.page.key(*key, **words)
        self.page.until(f"loop.turns >= {turns + 2}")
        self.took.append(time.monotonic() - begun)

    def said(self):
        assert sum(self.took) < MOST, f"the page itself takes {sum(self.took):.1f} s"
        return f"{len(self.took)} keys, {sum(self.took):.1f} s of waiting, {max(self.took):.2f} s at most for one"


def at_the_doors():
    page = Page()
    page.rest()
    page.run("canvas.focus()")
    return page


@case("Show me: Enter, seven times Right, and the run stands where the guide left it")
def show_me():
    with at_the_doors() as page:
        watch = Watch(page)
        watch.press("Enter", text="\r")
        page.rest()
        steps = [page.said("step")]
        for _ in range(7):
            watch.press("ArrowRight")
            page.rest()
            steps.append(page.said("step"))
        assert steps == [1, 1, 4, 4, 4, 4, 5, 5] or steps == [1, 1, 4, 4, 4, 5, 5, 5], steps
        watch.press("Escape")
        assert not page.complaints(), page.complaints()
        return watch.said()


@case("Try my own sentence: letters, Enter, and its tokens stand in the tank")
def own_sentence():
    with at_the_doors() as page:
        watch = Watch(page)
        for letter in "Tom put the lamp in the box.":
            code = "Space" if letter == " " else "Period" if letter == "." else "Key" + letter.upper()
            watch.press(letter, code, text=letter)
        watch.press("Enter", text="\r")
        page.until("kvarium.reader().step > 0")
        assert "lamp" in page.run("kvarium.scene()")
        assert page.run("JSON.stringify(kvarium.table('stage'))")
        return watch.said()


@case("Learn: one key, and the first lesson stands open, to be read in the document")
def learn():
    with at_the_doors() as page:
        watch = Watch(page)
        watch.press("2", "Digit2", text="2")
        page.until("kvarium.reader().lesson !== null")
        page.rest()
        page.run("reader.show()")
        assert page.said("lesson")["number"] == 0
        assert len(page.text("#lesson")) > 100
        return watch.said()


if __name__ == "__main__":
    main()
