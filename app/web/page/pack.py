#!/usr/bin/env python3
"""Puts the page together: pack.py BUILD DIST.

BUILD holds kvarium.js and kvarium.wasm. DIST/kvarium.html is all in one file, which opens from a disk;
DIST/web is the same in three files, which a browser keeps: index.html, kvarium.js and program.js. The
program is compressed and written in letters, so that a page from a disk, which may fetch nothing, has it
as well; it comes before the rest of the page's script, which is read while it is compiled. Two bytes are a
letter of UTF-16, which base64 would need nearly three bytes for; a file that begins with the mark of
UTF-16 is read so, whatever a server says.
"""

import codecs
import gzip
import pathlib
import struct
import sys

# Nothing comes from anywhere but the page; WebAssembly is code that is compiled here.
POLICY_OF_ONE = ("default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; "
                 "img-src data: blob:; base-uri 'none'; form-action 'none'")
POLICY_OF_THREE = POLICY_OF_ONE.replace("script-src 'unsafe-inline'", "script-src 'self'")
SCRIPTS = ["program.js", "store.js", "link.js", "reader.js", "loop.js", "input.js", "main.js"]
MOST_BYTES = 16 << 20  # of the one file

# Numbers that are no letters, or that would end or change a text in HTML or JavaScript. Each becomes
# ESCAPE and a letter with the bit OTHER turned, which is none of them; unpack.js takes that back.
HARD = {*range(0xD800, 0xE000), 0xFEFF, 0x2028, 0x2029, *map(ord, "\0\1\n\r\"'\\<")}
ESCAPE, OTHER = 1, 0x4000


def letters_of(data):
    """The bytes 41 00 3C 00 are 0x0041 and 0x003C: "A", and in place of "<" the letters 1 and 0x403C."""
    units = struct.unpack(f"<{(len(data) + 1) // 2}H", data + bytes(len(data) % 2))
    return "".join(chr(u) if u not in HARD else chr(ESCAPE) + chr(u ^ OTHER) for u in units)


def write_letters(path, text):
    path.write_bytes(codecs.BOM_UTF16_LE + text.encode("utf-16-le"))


def filled(page, places):
    for name, text in places.items():
        page = page.replace(f"@{name}@", text)
    return page


def page_script(here, build):
    """What runs once the program is compiled: emscripten's own script, then ours in the order of SCRIPTS."""
    runtime = (build / "kvarium.js").read_text()
    own = "\n".join(f"// {name}\n" + (here / name).read_text() for name in SCRIPTS)
    own = own.replace("'use strict';\n", "")
    if "</script" in runtime + own:
        sys.exit("kvarium.js holds </script, which would end it within a page; write it in two parts.")
    return "'use strict';\n" + runtime + "\n" + own


def main(build, dist):
    here = pathlib.Path(__file__).parent
    page = (here / "page.html").read_text()
    style = (here / "page.css").read_text()
    code = page_script(here, build)
    # No name in it, so that the same program is the same bytes.
    packed = gzip.compress((build / "kvarium.wasm").read_bytes(), 9, mtime=0)
    program = letters_of(packed)

    # Runs first, with the program's letters or the place where they stand for %s.
    unpack = (here / "unpack.js").read_text() + f"const programCode = compiled(%s, {len(packed)});\n"
    in_page = "document.getElementById('program').textContent"
    scripts = (f'<script type="text/plain" id="program">{program}</script>\n'
               f"<script>{unpack % in_page}</script>\n"
               f"<script>{code}</script>")
    dist.mkdir(parents=True, exist_ok=True)
    page_file = dist / "kvarium.html"
    write_letters(page_file, filled(page, {"CSP": POLICY_OF_ONE, "STYLE": style, "CODE": scripts}))
    if (size := page_file.stat().st_size) > MOST_BYTES:
        sys.exit(f"kvarium.html has {size:,} bytes, more than {MOST_BYTES:,}: leave something out.")

    split = dist / "web"
    split.mkdir(exist_ok=True)
    tags = '<script src="program.js"></script>\n<script src="kvarium.js"></script>'
    (split / "index.html").write_text(filled(page, {"CSP": POLICY_OF_THREE, "STYLE": style, "CODE": tags}))
    (split / "kvarium.js").write_text(code)
    write_letters(split / "program.js", unpack % f"'{program}'")
    print(f"{page_file}: {size:,} bytes; the program in it {len(packed):,}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
