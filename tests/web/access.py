"""What axe finds on the page, by the rules of WCAG 2.1 A and AA, in every state that a person comes through."""

import json
import os
import pathlib

from cases import Skipped, case, main
from page import Page

CACHE = pathlib.Path(os.environ.get("KVARIUM_CACHE_DIR") or
                     pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache", "kvarium"))
AXE = CACHE / "third_party/axe-4.12.1/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]


def found(page):
    """What axe complains of, a line each."""
    if not page.run("!!window.axe"):
        page.run(AXE.read_text() + "\n;true")
    told = page.run(f"axe.run(document, {{runOnly: {json.dumps(RULES)}}}).then((all) => JSON.stringify(all.violations.map("
                    "(one) => one.id + ': ' + one.help + ': ' + one.nodes.map((n) => n.target.join(' ')).slice(0, 3).join(', '))))")
    return json.loads(told)


@case("axe finds nothing that keeps anybody out: at the start, in lessons, with tables and menus open, in each theme, on a phone")
def axe():
    if not AXE.exists():
        raise Skipped("axe is not here; scripts/setup --web fetches it where there is a network.")
    wrong = {}
    with Page() as page:
        page.rest()
        wrong["start"] = found(page)
        page.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        wrong["menus"] = found(page)
        for theme in ("light", "contrast", "dark"):
            page.command("theme " + theme)
            wrong[theme] = found(page)
        for hash in ("#lesson=8&step=3", "#lesson=3&step=2", "#scene=explore&layout=explore"):
            page.visit(hash)
            page.rest()
            page.run("reader.show()")
            wrong[hash] = found(page)
            page.command("lesson.reveal")
            wrong[hash + ", revealed"] = found(page)
        page.shape((360, 740), 2, touch=True)
        page.rest()
        wrong["phone"] = found(page)
    wrong = {where: what for where, what in wrong.items() if what}
    assert not wrong, wrong


if __name__ == "__main__":
    main()
