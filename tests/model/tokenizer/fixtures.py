"""Makes the tokenizers that the tests of core/model read, and what PyPI `tokenizers` says of some texts.

    python tests/model/tokenizer/fixtures.py

Needs tokenizers 0.23.3 and a Python with Unicode 14. Every vocabulary is trained here, on sentences made here. fixtures/tokenizers/KIND.json is a
tokenizer.json, KIND.expected.json its answers on texts.json, in the order of the texts. fixtures/nfc.json holds pairs of
a text and its normal form C, as unicodedata has it.
"""

import json
import random
import sys
import unicodedata
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, __version__, decoders, models, normalizers, pre_tokenizers
from tokenizers import processors, trainers

FOLDER = Path(__file__).parent / "fixtures" / "tokenizers"
RECIPE = Path(__file__).parents[2] / "assets" / "recipe"
CORE = Path(__file__).parents[2] / "core" / "model"
SIZE = 560

LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|"
          r"\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")

ENGLISH = """the key is in the barn and the cat sleeps on the wall we'll open it when they're back I've seen that
she'd take an apple from the garden because it's late don't wait for the morning train""".split()
OTHER = """straße Übung naïve café déjà Ελλάδα мир привет 世界 你好 日本語 カタカナ 한국어 สวัสดี नमस्ते שלום مرحبا
f(x)=x+1; if(a<b){return} https://example.org 12 345 6789 3.14 100,000 \U0001F600 \U0001F680""".split()

TEXTS = [
    "", " ", "  ", "a", " a", "a ", "The cat sleeps on the wall.", "We'll open it when they're back, I've said; she'd go.",
    "WE'LL OPEN IT, THEY'RE BACK, I'VE SAID", "\u2019s it\u2019s 'S 'ſ 'K", "''' 's' 'll'll 've've", "1", "12", "123456789012345678901",
    "3.14159 and 100,000 and 1e9", "\u0663\u0664\u0665 \u00bd \u2167 \u00b2x\u00b3", "a1b22c333d4444",
    "\n", "\r\n", "\t\t", "a\nb", "a\r\nb\r\n\r\nc", "a \n b", "a\n\n\n  b", "  leading and trailing   ", "tab\tand  two   three    four",
    "x\u00a0y\u2003z\u3000w", "\u2028line\u2029paragraph\u0085next", "\u180ea\u180e b", "zero\u200bwidth\u200djoin\ufeffbom",
    "\u0000", "a\u0000b", "\u0001\u0002\u001f\u007f", "stra\u00dfe \u00dcbung na\u00efve caf\u00e9", "cafe\u0301 e\u0301\u0327 A\u030a \u212b",
    "\u1100\u1161\u11a8 \uac00\u11a8 \ud55c\uad6d\uc5b4", "q\u0323\u0307 q\u0307\u0323", "\u0344 \u0f73 \u2126 \uf900",
    "\u4e16\u754c\u4f60\u597d\uff0c\u65e5\u672c\u8a9e\u3002", "\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440!",
    "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627", "\u0928\u092e\u0938\u094d\u0924\u0947 \u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",
    "\U0001F600", "\U0001F468\u200d\U0001F469\u200d\U0001F467 \U0001F1E9\U0001F1EA \U0001F44D\U0001F3FD", "\U00020000\U0010FFFD\uE000",
    "<s>", "<s>The cat</s>", "a<s> b </s>c", " <s> ", "<|endoftext|> x<|endoftext|>", "<s", "<s><s></s>\n</s>",
    "if(a<b){return f(x)+1;} // done", "https://example.org/a?b=c&d=%20", "!!! ??? ... --- ***", "\u2581a \u2581 b",
    "<0x41><0x0A>", "\u0120 \u010a \u0100", "a" * 200, "barn" * 60, " " * 100 + "x", "\u00e9" * 50, "mixED CaSe ABC abc",
    "\ufffd \ufffe \U0001FFFF",
]


def sentences():
    rng = random.Random(5)
    for _ in range(1500):
        words = [rng.choice(OTHER) if rng.random() < 0.25 else rng.choice(ENGLISH) for _ in range(rng.randint(2, 9))]
        yield " ".join(words) + rng.choice([".", "!", "?", "\n", ",", "  ", "..."])


def train(tokenizer, alphabet=(), special=(), size=SIZE):
    trainer = trainers.BpeTrainer(vocab_size=size, initial_alphabet=list(alphabet), special_tokens=list(special),
                                  show_progress=False)
    tokenizer.train_from_iterator(sentences(), trainer)
    return tokenizer


def byte_level(steps, special=("<|endoftext|>",), normalizer=None, alphabet=None, **options):
    tokenizer = Tokenizer(models.BPE(**options))
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = steps[0] if len(steps) == 1 else pre_tokenizers.Sequence(steps)
    tokenizer.decoder = decoders.ByteLevel()
    return train(tokenizer, pre_tokenizers.ByteLevel.alphabet() if alphabet is None else alphabet, special)


def level(prefix=False, regex=True):
    return pre_tokenizers.ByteLevel(add_prefix_space=prefix, use_regex=regex)


def split(pattern, behavior="isolated", invert=False):
    return pre_tokenizers.Split(Regex(pattern), behavior, invert)


def gpt2():
    tokenizer = byte_level([level()])
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return tokenizer


def as_first_published(file):
    """GPT-2's own file: no type, merges as lines, empty affixes."""
    model = file["model"]
    del model["type"]
    model["merges"] = ["#version: 0.2"] + [" ".join(pair) for pair in model["merges"]]
    model["continuing_subword_prefix"] = model["end_of_word_suffix"] = ""


def roberta():
    tokenizer = byte_level([level(prefix=True)], special=("<s>", "</s>"))
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 1), ("<s>", 0))
    return tokenizer


def smollm2():
    """Lacks bytes that its training text did not have, as the published one does."""
    return byte_level([pre_tokenizers.Digits(individual_digits=True), level()], alphabet=())


def llama3():
    tokenizer = byte_level([split(LLAMA3), level(regex=False)], special=("<s>", "</s>"), ignore_merges=True)
    tokenizer.post_processor = processors.Sequence([
        processors.ByteLevel(trim_offsets=False),
        processors.TemplateProcessing(single="<s> $A", pair="<s> $A <s>:1 $B:1", special_tokens=[("<s>", 0)])])
    return tokenizer


def qwen():
    tokenizer = byte_level([split(QWEN), level(regex=False)], special=(), normalizer=normalizers.NFC())
    tokenizer.add_special_tokens([AddedToken("<|endoftext|>", normalized=False)])
    tokenizer.add_tokens([AddedToken("<s>", normalized=False), AddedToken("cafe\u0301", normalized=True)])
    return tokenizer


def sentencepiece(fallback=True, unknown="<unk>"):
    special = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256 if fallback else 0)]
    tokenizer = Tokenizer(models.BPE(unk_token=unknown, fuse_unk=True, byte_fallback=fallback))
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", pair="<s> $A $B", special_tokens=[("<s>", 1)])
    return tokenizer, special


def only_special(tokenizer, keep):
    """The trainer makes every entry that it is given a special token; only the first few are."""
    file = json.loads(tokenizer.to_str())
    file["added_tokens"] = [token for token in file["added_tokens"] if token["content"] in keep]
    return Tokenizer.from_str(json.dumps(file))


def llama2():
    tokenizer, special = sentencepiece()
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")])
    tokenizer.pre_tokenizer = pre_tokenizers.Split("\u2581", "merged_with_next")  # keeps words apart in training
    train(tokenizer, special=special, size=720)
    tokenizer.pre_tokenizer = None
    tokenizer.decoder = decoders.Sequence([decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse(),
                                           decoders.Strip(" ", 1, 0)])
    return only_special(tokenizer, special[:3])


def metaspace(scheme, words, unknown="<unk>"):
    tokenizer, special = sentencepiece(fallback=False, unknown=unknown)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme, split=True)
    train(tokenizer, special=special, size=400)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme, split=words)
    tokenizer.decoder = decoders.Metaspace(prepend_scheme=scheme)
    return tokenizer


def old_spelling(file):
    for part in ("pre_tokenizer", "decoder"):
        file[part] = {"type": "Metaspace", "replacement": "\u2581", "add_prefix_space": True, "str_rep": "\u2581"}


def drops_unknown(file):
    file["model"]["unk_token"] = None


def added():
    """Every flag of an added token, no decoder, and three ways of splitting one after the other."""
    tokenizer = byte_level([split(r"\p{Lu}", "merged_with_next"), pre_tokenizers.Split("-", "removed"),
                            split(r"[a-z]+", "contiguous", invert=True), level(regex=False)],
                           normalizer=normalizers.Sequence([normalizers.NFC(), normalizers.Replace("...", "\u2026")]))
    tokenizer.decoder = None
    tokenizer.add_special_tokens([AddedToken("<s>", lstrip=True, rstrip=True), AddedToken("</s>", normalized=True)])
    tokenizer.add_tokens([AddedToken("cat", single_word=True), AddedToken("the", lstrip=True), AddedToken("they"),
                          AddedToken("wa", rstrip=True, normalized=False), AddedToken("wall", normalized=False),
                          AddedToken("on...", normalized=True), AddedToken("  ")])
    return tokenizer


def recipe():
    sys.path.insert(0, str(RECIPE))
    import vocabulary
    return vocabulary.make()


KINDS = {"gpt2": (gpt2, as_first_published), "roberta": (roberta, None), "smollm2": (smollm2, None), "llama3": (llama3, None),
         "qwen": (qwen, None), "llama2": (llama2, None), "metaspace_old": (lambda: metaspace("always", True), old_spelling),
         "metaspace_first": (lambda: metaspace("first", False), drops_unknown), "added": (added, None), "recipe": (recipe, None)}


def id_lists(tokenizer):
    """Ids in any order, which break characters apart; some beyond the vocabulary."""
    rng = random.Random(7)
    size = tokenizer.get_vocab_size()
    return [[rng.randrange(size + size // 50) for _ in range(rng.randint(1, 12))] for _ in range(25)]


def expected(tokenizer):
    plain = [tokenizer.encode(text, add_special_tokens=False).ids for text in TEXTS]
    whole = [tokenizer.encode(text).ids for text in TEXTS]
    lists = id_lists(tokenizer)
    return {"vocab_size": tokenizer.get_vocab_size(), "plain": plain, "whole_if_other": [w if w != p else None for w, p in zip(whole, plain)],
            "decoded": [tokenizer.decode(ids, skip_special_tokens=False) for ids in whole],
            "skipped": [tokenizer.decode(ids) for ids in whole],
            "id_lists": lists, "decoded_lists": [tokenizer.decode(ids, skip_special_tokens=False) for ids in lists],
            "skipped_lists": [tokenizer.decode(ids) for ids in lists]}


def nfc_samples():
    """What the tables hold, in disorder: composed characters, marks, Hangul, each among others."""
    sys.path.insert(0, str(CORE))
    from unicode_tables import ALL, NEW
    rng = random.Random(11)
    old = [chr(code) for code in ALL if code not in NEW]
    marks = [c for c in old if unicodedata.combining(c)]
    composed = [c for c in old if unicodedata.decomposition(c)[:1] not in ("", "<")]
    hangul = [chr(code) for code in [*range(0x1100, 0x1114), *range(0x1160, 0x1177), *range(0x11A6, 0x11C4), 0xAC00, 0xD788, 0xD7A3]]
    plain = list("aAeEoOuUnscy1 ") + ["\u0915", "\u05d0", "\u3042"]
    samples = []
    for kind in range(480):
        groups = [composed, marks, hangul, plain] if kind % 2 else [hangul] if kind % 4 else [plain, marks]
        text = "".join(rng.choice(rng.choice(groups)) for _ in range(rng.randint(1, 7)))
        if kind % 3 == 0: text = unicodedata.normalize("NFD", text)
        samples.append([text, unicodedata.normalize("NFC", text)])
    return samples


def write(name, value):
    (FOLDER / name).write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


def main():
    if __version__ != "0.23.3": sys.exit("tokenizers 0.23.3 is needed.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    write("texts.json", TEXTS)
    write("../nfc.json", nfc_samples())
    for name, (make, edit) in KINDS.items():
        file = json.loads(make().to_str())
        if edit: edit(file)
        tokenizer = Tokenizer.from_str(json.dumps(file))
        write(f"{name}.json", file)
        write(f"{name}.expected.json", expected(tokenizer))


main()
