"""Makes tokenizer.json: a byte-level BPE of 512 entries without merges. A word of the village is one token, taken
whole (`ignore_merges`); anything else falls to its bytes, so every text round-trips."""

from __future__ import annotations

from pathlib import Path

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors

import village

SPECIAL = ["<s>", "</s>"]
SIZE = 512


def byte_letters() -> dict[int, str]:
    """The letter that byte-level BPE writes for each byte: itself when printable, else the next free above 255."""
    printable = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    letters = {byte: chr(byte) for byte in printable}
    for byte in range(256):
        if byte not in letters: letters[byte] = chr(256 + len(letters) - len(printable))
    return letters


def entries() -> list[str]:
    """All 512 by id: special tokens, bytes, words."""
    letters = byte_letters()
    words = ["".join(letters[byte] for byte in word.encode()) for word in village.vocabulary()]
    all_entries = SPECIAL + [letters[byte] for byte in range(256)] + words
    assert len(all_entries) == len(set(all_entries)) == SIZE, f"{len(all_entries)} entries, {SIZE} wanted"
    return all_entries


def ids_by_token() -> dict[str, int]:
    """The id of each token that village.py writes."""
    ids = {chr(byte): len(SPECIAL) + byte for byte in range(128)}
    return ids | {word: len(SPECIAL) + 256 + i for i, word in enumerate(village.vocabulary())}


def make() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE(vocab={entry: i for i, entry in enumerate(entries())}, merges=[],
                                     ignore_merges=True))
    tokenizer.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in SPECIAL])
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A $B", special_tokens=[("<s>", 0)])
    return tokenizer


def save(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    make().save(str(folder / "tokenizer.json"))
