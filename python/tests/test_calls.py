"""Short calls: plain texts, which one native call reads, get the results, errors and warnings of the general way."""

import pickle
import random
import threading
import warnings

import bleuprint
import bleuprint.sacrebleu as sacrebleu
import pytest
from bleuprint.adapters import jiwer

# One thread is the default; a call that names it goes the general way.
GENERAL = {"threads": 1}
TEXTS = [
    "the cat sat", "the cat sat on the mat .", "The mat, on which a cat sat!", "", " ", "a", "cat", "dogs", "B-PER O",
    "猫が座った", "नमस्ते दुनिया", "Ünïcode\u0301 text", "\x1c a b", "x y " * 3000,
]
LISTS = [
    ["the cat sat", "a cat"], ("a cat", "the cat sat"), [], ["a cat", ""], ["one", "two", "three"], ["one two", "b", "c"],
    ["\x1c", "\x1d", "\x1e"], ["a \x1c", "b", "c"],
]
WRONG = ["\ud800", None, 3, 0.5, b"bytes", ["a", None], [["a", "b"]], [3], {"a": 1}]
NAMES = [entry["name"] for entry in bleuprint.list_metrics()]


def outcome(call):
    """Return the result or the error of a call, and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = call()
        except Exception as error:
            result = type(error), str(error)
    return result, [(one.category, str(one.message)) for one in caught]


def built(name):
    try:
        return bleuprint.metric(name)
    except ValueError:
        pytest.skip("needs an option or a file")


def draws(seed, count):
    """Return random hypotheses and references, most of them texts."""
    generator = random.Random(seed)
    for _ in range(count):
        kinds = generator.choice([[TEXTS], [TEXTS], [TEXTS, LISTS], [LISTS], [TEXTS, LISTS, WRONG]])
        size = generator.choice([1, 1, 1, 2, 3])
        one = lambda: generator.choice(generator.choice(kinds))
        hypotheses = [one() if generator.random() < 0.1 else generator.choice(TEXTS) for _ in range(size)]
        references = [one() for _ in range(size if generator.random() < 0.9 else size + 1)]
        yield hypotheses, (None if generator.random() < 0.05 else references)


def shown(score):
    return score if isinstance(score, tuple) else (score.to_dict(), repr(score), score.headlines, pickle.dumps(score))


@pytest.mark.parametrize("name", NAMES)
def test_both_ways_give_the_same_score(name):
    metric = built(name)
    for data in draws(name, 40):
        plain, said = outcome(lambda: metric.score(*data))
        general, also_said = outcome(lambda: metric.score(*data, **GENERAL))
        assert shown(plain) == shown(general), data
        assert said == also_said, data


@pytest.mark.parametrize("name", NAMES)
def test_both_ways_give_the_same_state(name):
    metric = built(name)
    for data in draws(name + "!", 15):
        sides = [metric.accumulator(), metric.accumulator()]
        plain = outcome(lambda: sides[0].update(*data).to_bytes())
        assert plain == outcome(lambda: sides[1].update(*data, **GENERAL).to_bytes()), data
        assert sides[0] == sides[1], data


@pytest.mark.parametrize("name", NAMES)
def test_both_ways_give_the_same_rewards(name):
    pytest.importorskip("numpy")
    for data in draws(name + "?", 15):
        # Only the first batch of a metric is examined for mistakes, so each side has a separate metric.
        one, other = built(name), built(name)
        plain = outcome(lambda: bleuprint.rewards(*data, metric=one).tobytes())
        assert plain == outcome(lambda: bleuprint.rewards(*data, metric=other, **GENERAL).tobytes()), data


@pytest.mark.parametrize("settings", [{"empty_references": "keep"}, {"empty_references": "missing"}, {"norm": "whisper-basic"}, {"tokenize": "char"}])
def test_settings_hold_both_ways(settings):
    # A warning about a normalizer counts the texts of all calls, so each side has its own metric.
    metric, other = [bleuprint.metric("wer", **settings) for _ in range(2)]
    for data in draws(str(settings), 60):
        plain = outcome(lambda: shown(metric.score(*data)))
        assert plain == outcome(lambda: shown(other.score(*data, **GENERAL))), data


def test_plain_texts_do_not_take_the_general_way(monkeypatch):
    metric = bleuprint.metric("bleu")
    accumulator = metric.accumulator()

    def general(*_, **__):
        raise AssertionError("the general way")

    monkeypatch.setattr(type(metric), "_read_data", general)
    assert metric.score(["a b c d"], ["a b c d"]).score == metric.score(["a b c d"], [("a b c d", "e")]).score
    assert accumulator.update(["a b c d"], ["a b c d"]).segments == 1
    assert bleuprint.rewards(["a b c d"], ["a b c d"], metric=metric)[0] > 99
    with pytest.raises(AssertionError, match="the general way"):
        metric.score(["a b c d"], ["a b c d"], **GENERAL)


@pytest.mark.parametrize("measure", ["wer", "mer", "wil", "wip", "cer"])
def test_error_rates_from_counts_are_those_of_alignments(measure):
    generator = random.Random(measure)
    words = "a b c d ä 猫 don't , . \t".split(" ")
    process = jiwer.process_characters if measure == "cer" else jiwer.process_words

    def text():
        return " ".join(generator.choice(words) for _ in range(generator.randrange(8)))

    for _ in range(300):
        size = generator.randrange(4)
        sides = [text(), text()] if size == 0 else [[text() for _ in range(size)] for _ in range(2)]
        counted = outcome(lambda: getattr(jiwer, measure)(*sides))
        aligned = outcome(lambda: getattr(process(*sides), measure))
        assert counted == aligned, sides
    for wrong in (["a"], "a", ["a", "b"], [], None, 3, ["\ud800"], ["a", 3]):
        assert outcome(lambda: getattr(jiwer, measure)("a", wrong)) == outcome(lambda: getattr(process("a", wrong), measure)), wrong


class Listed(list):
    """A list that is not exactly a `list`, which goes the general way."""


@pytest.mark.parametrize("options", [{}, {"smooth_method": "floor"}, {"smooth_method": "add-k", "smooth_value": 2}, {"tokenize": "char", "lowercase": True}])
def test_both_ways_give_the_same_sentence_bleu(options):
    generator = random.Random(7)
    for _ in range(200):
        hypothesis = generator.choice([*TEXTS, *WRONG[:3]])
        references = [generator.choice([*TEXTS, *TEXTS, *WRONG[:3]]) for _ in range(generator.randrange(4))]
        plain, said = outcome(lambda: vars(sacrebleu.sentence_bleu(hypothesis, references, **options)))
        general, also_said = outcome(lambda: vars(sacrebleu.sentence_bleu(hypothesis, Listed(references), **options)))
        assert (plain, said) == (general, also_said), (hypothesis, references)


def test_the_signature_names_the_references_of_the_last_sentence():
    bleu = sacrebleu.BLEU(effective_order=True)
    for count in (1, 3):
        bleu.sentence_score("a b c d", ["a b c d"] * count)
        assert bleu.get_signature().info["nrefs"] == count


def test_threads_share_a_metric():
    metric, texts = bleuprint.metric("chrf"), [f"the cat number {at} sat" for at in range(50)]
    alone = [metric.score([text], ["the cat sat"]).score for text in texts]
    found = [[] for _ in range(8)]

    def work(own):
        own.extend(metric.score([text], ["the cat sat"]).score for text in texts)

    threads = [threading.Thread(target=work, args=(own,)) for own in found]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert found == [alone] * 8


def test_normalizers_are_kept_and_files_are_read_again(tmp_path):
    assert [bleuprint.normalize(["Ｈｅｌｌｏ, World!"], "nfkc+lower+punct") for _ in range(2)] == [["hello world"]] * 2
    rules = tmp_path / "rules.glm"
    for word in ("one", "two"):
        rules.write_text(f";; rules\n* case_sensitive = 'F'\n[cat] => [{word}] / [ ] __\n")
        assert bleuprint.normalize(["a cat"], f"csrfilt={rules}") == [f"A {word}"]
