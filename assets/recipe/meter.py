"""The text that the quality meters tell: assets/texts/needles.txt. No model takes part in choosing it.

    python3 meter.py > ../texts/needles.txt
"""

from __future__ import annotations

import random

from village import Document, Fact, hero_document, needle_document, small_talk

LENGTH = 144  # tokens to the question mark
FAR = 80  # the answer was last said at least so many tokens before it

HEAD = """\
# The fixed text of the quality meters, made by assets/recipe/meter.py.
#
# Each passage is two lines: what is read as a prompt, and what is then told token by token. The prompt ends right
# before the question mark, so that a policy which drops tokens behind the prompt has dropped them when the question is
# answered. The answer stands in brackets, which are no part of the text. It was last said at least 80 tokens before:
# in the first three passages once, in the last three it was asked for again and again.
"""


def last_said(document: Document, fact: Fact) -> int:
    return max(i for i, token in enumerate(document.tokens) if token.strip() == fact.value) + 1


def passage(rng: random.Random, again: bool) -> str:
    while True:
        document, needle = hero_document(rng, LENGTH) if again else needle_document(rng, LENGTH, 5)
        if last_said(document, needle) <= LENGTH - FAR: break
    assert document.tokens.pop() == "?"
    after = Document(tokens=["?"])
    after.tokens.append(f"[ {needle.value}]")
    after.tokens.append(".")
    for _ in range(2): after.add(small_talk(rng))
    return document.text() + "\n" + after.text() + "\n"


def main() -> None:
    rng = random.Random("meter")
    print(HEAD)
    print("\n".join(passage(rng, again) for again in (False, False, False, True, True, True)), end="")


if __name__ == "__main__":
    main()
