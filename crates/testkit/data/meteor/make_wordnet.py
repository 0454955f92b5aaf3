"""Writes wordnet/: a small database in WordNet's format, whose words are our own choice and not taken from WordNet.

    python3 make_wordnet.py

Part of the words stand there as their stems, because METEOR looks up stems; others show what it misses.
"""
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "wordnet"

SYNSETS = {
    "noun": [
        "car auto automobile motor_car",
        "car railway_carriage carriage",
        "automobil automobile machine",
        "dog hound domestic_dog",
        "dog chap",
        "child kid youngster",
        "kid young_goat",
        "Paris City_of_Light",
        "man male gentleman",
        "goos goose gander",
        "goose fool",
        "race run contest",
        "bus coach",
        "leaf foliage blade",
        "box chest",
        "church kirk",
        "wish desire",
        "quiz test",
        "sky heaven",
    ],
    "verb": [
        "run race go",
        "run flow",
        "buy purchase purchas",
        "go travel",
        "be exist",
        "bake cook",
        "try attempt",
        "hop jump leap",
    ],
    "adj": [
        "big large great larg",
        "quick fast speedy",
        "glad(p) happy happi",
        "good well(a) better",
        "fine ok(ip)",
    ],
    "adv": ["quickly quickli fast", "well good"],
}
EXCEPTIONS = {
    "noun": ["children child", "geese goose goos", "men man", "gees goose"],
    "verb": ["bought buy", "was be", "ran run", "went go"],
    "adj": ["better good", "best good well"],
    "adv": ["best well"],
}
LEXICOGRAPHER = {
    "adj": ("00", "adj.all", 3),
    "adv": ("01", "adv.all", 4),
    "noun": ("02", "noun.Tops", 1),
    "verb": ("03", "verb.body", 2),
}
TYPE = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
LICENCE = "  1 This small database was written for the tests of bleuprint, under its licence.\n"


def bare(word):
    return word.split("(")[0]


def write(name, text):
    (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")


def main():
    FOLDER.mkdir(exist_ok=True)
    for part, synsets in SYNSETS.items():
        data, index = LICENCE, {}
        for number, words in enumerate(synsets):
            words = words.split()
            # A satellite is an adjective too; it points to the one that it is like.
            satellite = part == "adj" and number == 1
            kind, pointers = ("s", f"001 & {first} a 0000") if satellite else (TYPE[part], "000")
            offset = f"{len(data.encode()):08d}"
            first = offset if number == 0 else first
            listed = " ".join(f"{word} 0" for word in words)
            frames = " 01 + 01 00" if part == "verb" else ""
            data += f"{offset} {LEXICOGRAPHER[part][0]} {kind} {len(words):02x} {listed} {pointers}{frames} | meaning {number}\n"
            for word in words:
                index.setdefault(bare(word).lower(), []).append(offset)
        write(f"data.{part}", data)
        lines = [f"{word} {TYPE[part]} {len(o)} 1 @ {len(o)} 0 {' '.join(o)}\n" for word, o in sorted(index.items())]
        write(f"index.{part}", LICENCE + "".join(lines))
        write(f"{part}.exc", "".join(line + "\n" for line in EXCEPTIONS[part]))
    names = sorted((number, name, kind) for number, name, kind in LEXICOGRAPHER.values())
    write("lexnames", "".join(f"{number}\t{name}\t{kind}\n" for number, name, kind in names))


main()
