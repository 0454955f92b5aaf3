"""Corpora that the scripts of `distinct`, `nist` and `cider` share: hypotheses and references, words split at spaces."""
from write_golden import lines


def example(system, segments):
    files = [lines(f"en.{name}.txt")[:segments] for name in (system, "ref1", "ref2")]
    return [(h, [one, two]) for h, one, two in zip(*files)]


CORPORA = {
    "a guide to action": [(
        "it is a guide to action which ensures that the military always obeys the commands of the party",
        [
            "it is a guide to action that ensures that the military will forever heed party commands",
            "it is the guiding principle which guarantees the military forces always being under the command of the party",
            "it is the practical guide for the army always to heed the directions of the party",
        ],
    )],
    "captions": [
        ("a cat sits on a mat", ["a cat is on the mat", "a cat sits on a red mat"]),
        ("two dogs run", ["two dogs are running in the park", "dogs run"]),
        ("a man rides a bike", ["a person on a bicycle", "a man riding a bike down a street"]),
    ],
    "one token": [("cat", ["cat"]), ("dog", ["cat"])],
    "an empty hypothesis": [("", ["a b c d e f"]), ("a b c d e f", ["a b c d e f"])],
    "an empty reference": [("a b c d e f", [""]), ("a b c d e g", ["a b c d e f"])],
    "repetition": [("na na na na na na", ["na na na na na na batman", "na na"]), ("na na na na na x", ["na na na na na y"])],
    "the word 0": [("0 1 0 1 0 1 2", ["0 1 0 2 0 1 2", "1 0 1"]), ("2 0 1 0 3 0", ["2 0 1 0 0 0"])],
    "nothing in common": [("a b c d e f", ["u v w x y z"]), ("g h i j k l", ["o p q r s t"])],
    "various numbers of references": [
        ("the quick brown fox jumps", ["the quick brown fox leaps", "a fast brown fox jumps", "the fox jumps"]),
        ("over the lazy dog today", ["over a lazy dog today"]),
    ],
    "example data, system a": example("sys-a", 20),
    "example data, system b": example("sys-b", 20),
}
