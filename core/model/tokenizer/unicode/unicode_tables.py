"""Writes unicode_tables.hpp: what the tokenizer has to know about code points, from Python's unicodedata.

    python3 core/model/tokenizer/unicode/unicode_tables.py > core/model/tokenizer/unicode/unicode_tables.hpp

Letters, numbers and word characters are those of Unicode 14. Canonical (de)composition is cut down to Unicode 9,
because the normaliser of PyPI `tokenizers` knows no later one, and a model saw its training text through that.
"""

import sys
import unicodedata

WANTED = "14.0.0"
LINE = 98

# Marks and one composite that came after Unicode 9: for the normaliser they are characters like any other.
AFTER_UNICODE_9 = [
    (0x7FD,), (0x898, 0x89F), (0x8CA, 0x8D3), (0x9FE,), (0xC3C,), (0xD3B, 0xD3C), (0xEBA,), (0x1715,), (0x1ABF, 0x1ACE),
    (0x1DF6, 0x1DFA), (0xA82C,), (0x10D24, 0x10D27), (0x10EAB, 0x10EAC), (0x10F46, 0x10F50), (0x10F82, 0x10F85),
    (0x11070,), (0x1133B,), (0x1145E,), (0x11839, 0x1183A), (0x11938,), (0x1193D, 0x1193E), (0x11943,), (0x119E0,),
    (0x11A34,), (0x11A47,), (0x11A99,), (0x11D42,), (0x11D44, 0x11D45), (0x11D97,), (0x16FF0, 0x16FF1),
    (0x1E130, 0x1E136), (0x1E2AE,), (0x1E2EC, 0x1E2EF)]
NEW = {code for span in AFTER_UNICODE_9 for code in range(span[0], span[-1] + 1)}

# Not L, M, N or Pc, yet `\w` to the regex library: circled and squared letters, and the two joiners.
OTHER_WORD = [(0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189), (0x200C, 0x200D)]

HANGUL = range(0xAC00, 0xD7A4)  # (de)composed by arithmetic
ALL = [code for code in range(0x110000) if not 0xD800 <= code < 0xE000]


def class_bits(code):
    """1 letter, 2 number, 4 word character."""
    category = unicodedata.category(chr(code))
    other = any(first <= code <= last for first, last in OTHER_WORD)
    word = category[0] in "LM" or category in ("Nd", "Nl", "Pc") or other
    return (category[0] == "L") | (category[0] == "N") << 1 | word << 2


def combining_class(code):
    return 0 if code in NEW else unicodedata.combining(chr(code))


def runs(value_of):
    """(first code point, value) wherever the value changes."""
    before, found = 0, []
    for code in ALL:
        value = value_of(code)
        if value != before: found.append((code, value))
        before = value
    return found


def decompositions():
    """(whole, first, second), second 0 for a single one; and whether it is composed again."""
    for code in ALL:
        text = unicodedata.decomposition(chr(code))
        if not text or text[0] == "<" or code in NEW or code in HANGUL: continue
        parts = [int(part, 16) for part in text.split()]
        composed = len(parts) == 2 and unicodedata.normalize("NFC", "".join(map(chr, parts))) == chr(code)
        yield (code, parts[0], parts[1] if len(parts) == 2 else 0), composed


def table(kind, name, values, comment):
    print(f"\n// {comment}\ninline constexpr {kind} {name}[] = {{")
    line = "   "
    for value in values:
        if len(line) + len(value) + 2 > LINE:
            print(line)
            line = "   "
        line += f" {value},"
    print(line + "\n};")


def main():
    if unicodedata.unidata_version != WANTED: sys.exit(f"Unicode {WANTED} is needed; use another Python.")
    pairs = list(decompositions())
    composed = sorted((i for i, (_, again) in enumerate(pairs) if again), key=lambda i: pairs[i][0][1:])
    print(f"""#pragma once
// Made by core/model/tokenizer/unicode/unicode_tables.py from Python's unicodedata, Unicode {WANTED} (canonical mappings
// and combining classes: what Unicode 9 had of them). Do not edit; unicode.cpp looks things up here.

#include <cstdint>

// clang-format off
namespace kv::unicode {{""")
    table("std::uint32_t", "kClasses", [f"0x{code << 3 | bits:X}" for code, bits in runs(class_bits)],
          "Where the class changes: code point << 3 | 1 letter | 2 number | 4 word character.")
    table("std::uint32_t", "kCombining", [f"0x{code << 8 | value:X}" for code, value in runs(combining_class)],
          "Where the combining class changes: code point << 8 | class.")
    table("std::uint64_t", "kDecomposed", [f"0x{whole << 42 | a << 21 | b:X}" for (whole, a, b), _ in pairs],
          "By code point: whole << 42 | first << 21 | second, 0 when there is only one.")
    table("std::uint16_t", "kComposed", [str(i) for i in composed],
          "Rows of kDecomposed that are composed again, by first and second.")
    print("\n}  // namespace kv::unicode\n// clang-format on")


if __name__ == "__main__": main()
