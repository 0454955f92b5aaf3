"""The texts of the benches."""

import random


def corpus(count):
    """Lines of about 20 words, of a vocabulary like that of a language, and references that differ from them."""
    generator = random.Random(1)
    words = ["".join(generator.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(generator.randrange(2, 10))) for _ in range(4000)]
    weights = [1 / (rank + 1) for rank in range(len(words))]
    hyps, refs = [], []
    for _ in range(count):
        line = generator.choices(words, weights, k=generator.randrange(8, 32))
        other = [word if generator.random() < 0.7 else generator.choice(words) for word in line]
        hyps.append(" ".join(line).capitalize() + ", he said.")
        refs.append(" ".join(other).capitalize() + ", said he.")
    return hyps, refs
