"""The village: a small language in which everything a cache must remember can be asked for.

A document is a list of tokens, and a token is a string: a word with the space before it, a word that opens the
document without one, or a mark. `Document.answers` says where each question is answered and where the document
stated it, so that a test, or a training step under a window, knows what could still be seen.

    python3 village.py 3        prints three documents of each kind
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field

PEOPLE = "Greta Tom Anna Otto Mia Paul Ida Karl Lena Max Nora Hugo Ella Finn Rosa Emil Vera Jan Olga Ben Ruth Leo Clara Felix".split()
THINGS = ("key lamp ring cup book coat drum bell rope ball knife spoon clock box hat pen map flute kite sack shoe "
          "coin broom letter").split()
PLACES = ("barn mill church cellar garden kitchen school forest tower stable shop attic cart well field boat cave "
          "shed market inn").split()
COLOURS = "red blue green yellow white black brown grey pink purple".split()
FOODS = "plums bread cheese apples soup honey cake pears nuts fish eggs milk beans corn tea butter rice peas".split()
JOBS = "baker smith teacher miller doctor farmer tailor painter sailor hunter singer mayor cook guard".split()
ANIMALS = "cat dog goat horse hen cow duck fox sheep mouse bee pony".split()
NOBODY = "nobody"

# Small talk: true of nothing, asked by nobody. {p} is a person, {a} an animal, {m} a mood of the weather.
MOODS = "cold warm long quiet mild windy wet bright calm dark strange lovely".split()
SMALL_TALK = [
    "The morning was {m} .", "The evening was {m} .", "It rained all day .", "It snowed all day .", "The {a} slept near the fire .",
    "A {a} ran over the hill .", "{p} walked home .", "{p} sang with {p} .", "{p} and {p} laughed .",
    "Snow fell on the roof .", "The {a} saw a {a} .", "Soon the sun came out .", "They talked about old days .",
    "The children played until night .", "{p} waved at {p} .", "A {a} crossed the road .", "The night was {m} .",
    "A stranger came to town .", "{p} counted the stars .", "We heard music far away .", "The wind blew hard .",
    "The moon rose over the lake .", "{p} opened a window .", "We sat by the fire .",
    "They danced in the rain .", "{p} told a story about a {a} .", "The river was {m} and {m} .", "It was a {m} day .",
]
MARKS = [".", ",", "?", ":"]
SONG_WORDS = THINGS + PLACES + COLOURS + FOODS + ANIMALS
LETTERS = "abcdefghijklmnopqrstuvwxyz"

# What a fact says, how it is asked, and which of its two words is the answer. {k} is the word asked by, {v} the
# answer; {p} is any person, who has no part in the question.
FACTS = {
    "place": ("{p} put the {k} in the {v} .", "Where is the {k} ?", THINGS, PLACES),
    "colour": ("The {k} is {v} .", "What colour is the {k} ?", THINGS, COLOURS),
    "food": ("{k} likes {v} .", "What does {k} like ?", PEOPLE, FOODS),
    "job": ("The {k} is {v} .", "Who is the {k} ?", JOBS, PEOPLE),
}
KINDS = tuple(FACTS)
FRAME_WORDS = ["Song", "Again", "List", "and"]


def words_of(template: str) -> list[str]:
    return [word for word in template.split() if not word.startswith("{") and word not in MARKS]


def vocabulary() -> list[str]:
    """Every token that is not a byte: words after a space, then words that may open a document."""
    inner = PEOPLE + THINGS + PLACES + COLOURS + FOODS + JOBS + ANIMALS + MOODS + FRAME_WORDS + [NOBODY]
    openers = list(PEOPLE) + FRAME_WORDS[:1] + FRAME_WORDS[2:3]
    for template in SMALL_TALK + [text for said, asked, _, _ in FACTS.values() for text in (said, asked)]:
        inner += words_of(template)
        openers += [word for word in words_of(template)[:1] if template.startswith(word)]
    return [" " + word for word in dict.fromkeys(inner)] + [word for word in dict.fromkeys(openers) if len(word) > 1]


@dataclass(frozen=True)
class Fact:
    kind: str
    key: str
    value: str


@dataclass
class Answer:
    at: int  # the position of the answer's token
    fact: Fact
    first: int | None  # where the fact's last word, its value, was first said; None: never
    key: int  # where the question names the key
    first_key: int | None  # where the fact named it


@dataclass
class Document:
    tokens: list[str] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    verses: tuple[int, int, int] | None = None  # a song's first and second verse begin here, and its length
    said: dict[Fact, int] = field(default_factory=dict)  # the position of the value
    keys: dict[Fact, int] = field(default_factory=dict)  # the position of the key

    def add(self, words: list[str]) -> None:
        for word in words:
            bare = word in MARKS or not self.tokens
            self.tokens.append(word if bare else " " + word)

    @property
    def length(self) -> int:
        return len(self.tokens) + 1  # and the token that begins every document

    def text(self) -> str:
        return "".join(self.tokens)

    def state(self, fact: Fact, rng: random.Random) -> None:
        said = FACTS[fact.kind][0]
        self.keys[fact] = len(self.tokens) + 1 + said.split().index("{k}")
        self.add([word.format(k=fact.key, v=fact.value, p=rng.choice(PEOPLE)) for word in said.split()])
        self.said[fact] = len(self.tokens) - 1  # its last word: the full stop after it and BOS before all cancel out

    def ask(self, fact: Fact, answered: bool = True) -> None:
        asked = FACTS[fact.kind][1].split()
        key = len(self.tokens) + 1 + asked.index("{k}")
        self.add([word.format(k=fact.key) for word in asked])
        if not answered: return
        known = fact in self.said
        self.answers.append(Answer(len(self.tokens) + 1, fact, self.said.get(fact), key, self.keys.get(fact)))
        self.add([fact.value if known else NOBODY, "."])

    def list(self, facts: list[Fact]) -> None:
        """Facts in the shortest form, the value right behind its key: " List: key barn, lamp red.". What was said
        before is an answer, what was not is said now."""
        self.add(["List", ":"])
        for i, fact in enumerate(facts):
            if i: self.add([","])
            self.add([fact.key])
            key = len(self.tokens)
            if fact in self.said:
                self.answers.append(Answer(key + 1, fact, self.said[fact], key, self.keys[fact]))
            self.keys.setdefault(fact, key)
            self.add([fact.value])
            self.said.setdefault(fact, len(self.tokens))
        self.add(["."])


def small_talk(rng: random.Random) -> list[str]:
    return [word.format(p=rng.choice(PEOPLE), a=rng.choice(ANIMALS), m=rng.choice(MOODS))
            for word in rng.choice(SMALL_TALK).split()]


def make_facts(rng: random.Random, count: int, kinds: tuple[str, ...] = KINDS) -> list[Fact]:
    """Facts of which no two answer the same question, nor (so that a guess stays a guess) give one answer."""
    facts: list[Fact] = []
    while len(facts) < count:
        kind = rng.choice(kinds)
        fact = Fact(kind, rng.choice(FACTS[kind][2]), rng.choice(FACTS[kind][3]))
        if all(fact.value != f.value and (fact.kind, fact.key) != (f.kind, f.key) for f in facts): facts.append(fact)
    return facts


def unknown_fact(rng: random.Random, facts: list[Fact]) -> Fact:
    while True:
        fact = make_facts(rng, 1)[0]
        if all((fact.kind, fact.key) != (f.kind, f.key) for f in facts): return fact


def needle_document(rng: random.Random, length: int, fact_count: int, asked: str | None = None,
                    known: bool = True, rivals: bool = False,
                    among: tuple[int, int] | None = None) -> tuple[Document, Fact]:
    """Facts among small talk, and at the very end one question without its answer: exactly `length` tokens.

    `asked` fixes the kind of the question; `known` is whether the document answers it; with `rivals` all facts are of
    that kind, so that the kind alone tells nothing; `among` says between which positions the fact's last word stands.
    """
    while True:
        facts = make_facts(rng, fact_count, (asked,) if rivals and asked else KINDS)
        needle = rng.choice(facts) if known else unknown_fact(rng, facts)
        if asked and needle.kind != asked: continue
        question = Document(tokens=[""])
        question.ask(needle, answered=False)
        document, waiting = Document(), list(facts)
        spaces = sorted(rng.sample(range(1, length - 20), len(facts)))
        while waiting or document.length + len(question.tokens) - 1 < length:
            if waiting and document.length >= spaces[len(facts) - len(waiting)]: document.state(waiting.pop(0), rng)
            elif not waiting or document.length < spaces[len(facts) - len(waiting)]: document.add(small_talk(rng))
        if document.length + len(question.tokens) - 1 != length: continue
        if among and not among[0] <= document.said[needle] < among[1]: continue
        document.ask(needle, answered=False)
        return document, needle


def hero_document(rng: random.Random, length: int, times: int = 3) -> tuple[Document, Fact]:
    """One fact is asked again and again in the first half; small talk follows; it is asked once more at the end."""
    while True:
        facts = make_facts(rng, 3)
        hero = facts[0]
        document = Document()
        for fact in facts: document.state(fact, rng)
        for _ in range(times):
            document.ask(hero)
            document.add(small_talk(rng))
        question = Document(tokens=[""])
        question.ask(hero, answered=False)
        while document.length + len(question.tokens) - 1 < length: document.add(small_talk(rng))
        if document.length + len(question.tokens) - 1 != length: continue
        document.ask(hero, answered=False)
        return document, hero


def song_document(rng: random.Random, words: int, letters: float = 0.0) -> Document:
    """A list of words sung twice. With `letters`, some words are no words and are spelled byte by byte."""
    verse = [word if rng.random() >= letters else "".join(rng.choices(LETTERS, k=rng.randint(1, 4)))
             for word in rng.sample(SONG_WORDS, words)]
    document = Document()
    document.add(["Song", ":"])
    first = document.length
    add_verse(document, verse)
    document.add([".", "Again", ":"])
    document.verses = (first, document.length, document.length - 3 - first)
    add_verse(document, verse)
    document.add(["."])
    return document


def add_verse(document: Document, verse: list[str]) -> None:
    known = set(SONG_WORDS)
    for word in verse:
        if word in known: document.add([word])
        else: document.tokens += [" ", *word]


@dataclass(frozen=True)
class Mix:
    """What training documents are made of at one point of the curriculum."""
    length: int
    most_facts: int
    songs: float  # the share of documents that are songs
    small_talk: float  # sentences of small talk for each fact
    unknown: float  # the share of questions without an answer
    lists: float = 0.1  # the share of facts that are said in a list first: the step between a song and a question
    recaps: float = 0.3
    questions: float = 1.0  # how many at most for each new fact, beside two
    rivals: float = 0.7  # the share of documents with facts of one kind only: else the kind alone gives most answers away


def training_document(rng: random.Random, mix: Mix) -> Document:
    if rng.random() < mix.songs: return training_song(rng, mix.length)
    document = Document()
    room = mix.length - 16
    kinds = (rng.choice(KINDS),) if rng.random() < mix.rivals else KINDS
    while document.length < room:
        facts = make_facts(rng, rng.randint(1, mix.most_facts), kinds)
        facts = [fact for fact in facts if all((fact.kind, fact.key) != (f.kind, f.key) for f in document.said)]
        if rng.random() < mix.lists and len({fact.key for fact in facts}) == len(facts): document.list(facts)
        for fact in facts:
            if document.length >= room: break
            if fact not in document.said: document.state(fact, rng)
            while rng.random() < mix.small_talk / (1 + mix.small_talk): document.add(small_talk(rng))
        known = [*document.said]
        plain = [fact for fact in known if sum(fact.key == other.key for other in known) == 1]
        if plain and rng.random() < mix.recaps and document.length + 4 * len(facts) < room:
            document.list(rng.sample(plain, min(len(plain), 4)))
        for _ in range(rng.randint(2, 2 + int(mix.questions * len(facts)))):
            if document.length >= room or not known: break
            document.ask(unknown_fact(rng, known) if rng.random() < mix.unknown else rng.choice(known))
    return document


def training_song(rng: random.Random, length: int) -> Document:
    most = min(len(SONG_WORDS), (length - 8) // 2)
    letters = 0.15 if rng.random() < 0.3 else 0.0
    return song_document(rng, rng.randint(min(5, most), most), letters)


def show(count: int) -> None:
    rng = random.Random(1)
    for _ in range(count):
        print("song   ", song_document(rng, 8).text())
        print("needle ", *(part for part in needle_text(*needle_document(rng, 60, 4))))
        print("unknown", needle_document(rng, 60, 4, known=False)[0].text(), NOBODY)
        print("hero   ", *(part for part in needle_text(*hero_document(rng, 80))))
        print("train  ", training_document(rng, Mix(128, 5, 0, 0.5, 0.1)).text())
        print()


def needle_text(document: Document, fact: Fact) -> tuple[str, str]:
    return document.text(), fact.value


if __name__ == "__main__":
    show(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
