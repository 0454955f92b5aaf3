"""Alignments, error rates and transforms with the interface of jiwer 4: only the import changes.

Counts, rates, alignments, texts and transforms agree with jiwer 4.0.0. The additional argument `norm` names normalizers of
`bleuprint.list_normalizers()`, chained by `+`; a transform is a function, which no signature can name. After `install()`, `import jiwer`
imports this package, in other libraries too. One difference: `visualize_alignment` pads the word `*` like any other word, while jiwer
takes it for the fill of a gap.

>>> from bleuprint.adapters.jiwer import process_words, visualize_alignment
>>> output = process_words("short one here", "shoe order one")
>>> output.wer, output.hits, output.alignments[0][0]
(1.0, 1, AlignmentChunk(type='insert', ref_start_idx=0, ref_end_idx=0, hyp_start_idx=0, hyp_end_idx=1))
>>> print(visualize_alignment(output, show_measures=False))
=== SENTENCE 1 ===
<BLANKLINE>
REF: **** short one here
HYP: shoe order one ****
        I     S        D
<BLANKLINE>
"""

from __future__ import annotations

from dataclasses import dataclass

from bleuprint import _native
from bleuprint.adapters.jiwer import transformations, transforms
from bleuprint.adapters.jiwer.transformations import *  # noqa: F403
from bleuprint.adapters.jiwer.transforms import *  # noqa: F403

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Optional, Union

    Sentences = Union[str, list[str]]
    Transform = Callable[[list[str]], list[list[str]]]
    Output = Union["WordOutput", "CharacterOutput"]

__all__ = [
    "AlignmentChunk",
    "CharacterOutput",
    "WordOutput",
    "cer",
    "collect_error_counts",
    "install",
    "mer",
    "process_characters",
    "process_words",
    "visualize_alignment",
    "visualize_error_counts",
    "wer",
    "wil",
    "wip",
    *transformations.__all__,
    *transforms.__all__,
]


@dataclass
class AlignmentChunk:
    """A run of alignment steps of one type.

    Args:
        type: `equal`, `substitute`, `insert` or `delete`.
        ref_start_idx, ref_end_idx: Range of reference tokens, from start to end, the end excluded.
        hyp_start_idx, hyp_end_idx: Range of hypothesis tokens, the end excluded.

    Raises:
        ValueError: if the type is unknown or a start is greater than its end.
    """

    type: str
    ref_start_idx: int
    ref_end_idx: int
    hyp_start_idx: int
    hyp_end_idx: int

    def __post_init__(self) -> None:
        if self.type not in ("equal", "substitute", "insert", "delete"):
            raise ValueError(f"the type is {self.type!r}, but must be 'equal', 'substitute', 'insert' or 'delete'")
        for name, start, end in (
            ("ref", self.ref_start_idx, self.ref_end_idx),
            ("hyp", self.hyp_start_idx, self.hyp_end_idx),
        ):
            if start > end:
                raise ValueError(f"{name}_start_idx is {start}, but {name}_end_idx is {end}")


@dataclass
class WordOutput:
    """Words and alignments of all sentences, with total error counts and the rates computed from them."""

    references: list[list[str]]
    hypotheses: list[list[str]]
    alignments: list[list[AlignmentChunk]]
    wer: float
    mer: float
    wil: float
    wip: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


@dataclass
class CharacterOutput:
    """Characters and alignments of all sentences, with total error counts and the character error rate."""

    references: list[list[str]]
    hypotheses: list[list[str]]
    alignments: list[list[AlignmentChunk]]
    cer: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


def process_words(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Optional[Transform] = None,
    hypothesis_transform: Optional[Transform] = None,
    *,
    norm: Optional[str] = None,
) -> WordOutput:
    """Align the words of each hypothesis with the words of its reference.

    Args:
        reference: A sentence or a list of sentences.
        hypothesis: As many sentences as `reference`.
        reference_transform, hypothesis_transform: Transforms: functions from a list of sentences to a list of lists of words.
            Default: `wer_default`.
        norm: Names of normalizers, chained by `+`, such as `whisper-en`. Default: none.

    Returns:
        A `WordOutput`; rates are fractions, not percent.

    Raises:
        ValueError: if the numbers of sentences differ, or `norm` is given together with a transform.
    """
    sides, alignments, (hits, substitutions, deletions, insertions), rates = _process(
        (reference, reference_transform), (hypothesis, hypothesis_transform), "jiwer", norm
    )
    # Typed as Any: a type checker cannot count the arguments of an unpacked tuple.
    parts: Any = (*sides, alignments, *rates, hits, substitutions, insertions, deletions)
    return WordOutput(*parts)


def process_characters(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Optional[Transform] = None,
    hypothesis_transform: Optional[Transform] = None,
    *,
    norm: Optional[str] = None,
) -> CharacterOutput:
    """Align the characters of each hypothesis, spaces included, with the characters of its reference.

    Args:
        reference: A sentence or a list of sentences.
        hypothesis: As many sentences as `reference`.
        reference_transform, hypothesis_transform: Transforms: functions from a list of sentences to a list of lists of
            characters. Default: `cer_default`.
        norm: Names of normalizers, chained by `+`, such as `whisper-en`. Default: none.

    Returns:
        A `CharacterOutput`; the rate is a fraction, not percent.

    Raises:
        ValueError: if the numbers of sentences differ, or `norm` is given together with a transform.
    """
    sides, alignments, (hits, substitutions, deletions, insertions), (cer, *_) = _process(
        (reference, reference_transform), (hypothesis, hypothesis_transform), "jiwer-char", norm
    )
    references, hypotheses = sides
    return CharacterOutput(references, hypotheses, alignments, cer, hits, substitutions, insertions, deletions)


def wer(reference: Sentences, hypothesis: Sentences, *transforms: Any, **options: Any) -> float:
    """Return the word error rate of all sentences together: 0 is best, and it can exceed 1.

    The arguments are those of `process_words`.
    """
    if not transforms and not options:
        rates = _rates("wer", reference, hypothesis)
        if rates is not None:
            return rates[0]
    return process_words(reference, hypothesis, *transforms, **options).wer


def mer(reference: Sentences, hypothesis: Sentences, *transforms: Any, **options: Any) -> float:
    """Return the match error rate of all sentences together, from 0, the best, to 1.

    The arguments are those of `process_words`.
    """
    if not transforms and not options:
        rates = _rates("wer", reference, hypothesis)
        if rates is not None:
            return rates[1]
    return process_words(reference, hypothesis, *transforms, **options).mer


def wil(reference: Sentences, hypothesis: Sentences, *transforms: Any, **options: Any) -> float:
    """Return the word information lost, of all sentences together.

    The arguments are those of `process_words`.
    """
    if not transforms and not options:
        rates = _rates("wer", reference, hypothesis)
        if rates is not None:
            return rates[2]
    return process_words(reference, hypothesis, *transforms, **options).wil


def wip(reference: Sentences, hypothesis: Sentences, *transforms: Any, **options: Any) -> float:
    """Return the word information preserved, of all sentences together.

    The arguments are those of `process_words`.
    """
    if not transforms and not options:
        rates = _rates("wer", reference, hypothesis)
        if rates is not None:
            return rates[3]
    return process_words(reference, hypothesis, *transforms, **options).wip


def cer(reference: Sentences, hypothesis: Sentences, *transforms: Any, **options: Any) -> float:
    """Return the character error rate of all sentences together: 0 is best, and it can exceed 1.

    The arguments are those of `process_characters`.
    """
    if not transforms and not options:
        rates = _rates("cer", reference, hypothesis)
        if rates is not None:
            return rates[0]
    return process_characters(reference, hypothesis, *transforms, **options).cer


def visualize_alignment(
    output: Output, show_measures: bool = True, skip_correct: bool = True, line_width: Optional[int] = None
) -> str:
    """Return text with each reference above its hypothesis and a letter below every error.

    Args:
        output: The result of `process_words` or `process_characters`.
        show_measures: Whether to append the counts and rates. Default: True.
        skip_correct: Whether to leave out sentences without an error. Default: True.
        line_width: Greatest width of a line, in characters. Default: no limit.
    """
    between = _between(output)
    shown = []
    for number, (reference, hypothesis, chunks) in enumerate(
        zip(output.references, output.hypotheses, output.alignments), 1
    ):
        if skip_correct and all(chunk.type == "equal" for chunk in chunks):
            continue
        # jiwer strips one trailing space of each line: that of the last column, or without columns that of the label.
        bare = not chunks and between == " "
        lines = "REF:\nHYP:\n    \n" if bare else _native.aligned_lines(reference, hypothesis, between, line_width)
        shown.append(f"=== SENTENCE {number} ===\n\n{lines}\n")
    text = "".join(shown)
    if not show_measures:
        return text[:-1]
    counts = " ".join(f"{name}={getattr(output, name)}" for name in ("substitutions", "deletions", "insertions", "hits"))
    rates = ["cer"] if isinstance(output, CharacterOutput) else ["mer", "wil", "wip", "wer"]
    measures = "".join(f"{name}={100 * getattr(output, name):.2f}%\n" for name in rates)
    return f"{text}=== SUMMARY ===\nnumber of sentences: {len(output.alignments)}\n{counts}\n\n{measures}"


def collect_error_counts(
    output: Output,
) -> tuple[dict[tuple[str, str], int], dict[str, int], dict[str, int]]:
    """Count how often each phrase is substituted, inserted and deleted.

    Neighbouring errors of one type are one phrase.

    Args:
        output: The result of `process_words` or `process_characters`.

    Returns:
        Three dicts: substitutions, from pairs of reference and hypothesis phrase to counts; insertions and deletions, from phrases to
        counts.
    """
    between = _between(output)
    tables: dict[str, dict[Any, int]] = {"substitute": {}, "insert": {}, "delete": {}}
    for reference, hypothesis, chunks in zip(output.references, output.hypotheses, output.alignments):
        for chunk in chunks:
            if chunk.type == "equal":
                continue
            own = between.join(reference[chunk.ref_start_idx : chunk.ref_end_idx])
            other = between.join(hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx])
            key = {"substitute": (own, other), "insert": other, "delete": own}[chunk.type]
            tables[chunk.type][key] = tables[chunk.type].get(key, 0) + 1
    return tables["substitute"], tables["insert"], tables["delete"]


def visualize_error_counts(
    output: Output,
    show_substitutions: bool = True,
    show_insertions: bool = True,
    show_deletions: bool = True,
    top_k: Optional[int] = None,
) -> str:
    """Return the tables of `collect_error_counts` as text, the most frequent phrases first.

    Args:
        output: The result of `process_words` or `process_characters`.
        show_substitutions, show_insertions, show_deletions: Which tables to show. Default: all.
        top_k: Greatest number of rows in a table. Default: all rows.
    """
    wanted = (show_substitutions, show_insertions, show_deletions)
    names = ("SUBSTITUTIONS", "INSERTIONS", "DELETIONS")
    text = ""
    tables: tuple[dict[Any, int], ...] = collect_error_counts(output)
    for name, shown, table in zip(names, wanted, tables):
        if not shown:
            continue
        rows = sorted(table.items(), key=lambda row: -row[1])[:top_k]
        phrases = [phrase if isinstance(phrase, tuple) else (phrase,) for phrase, _ in rows]
        width = max((len(part) for phrase in phrases for part in phrase), default=0)
        text += f"=== {name} ===\n"
        for phrase, (_, count) in zip(phrases, rows):
            text += " --> ".join(f"{part:<{width}}" for part in phrase) + f" = {count}x\n"
        text += "\n" if rows else "none\n"
    return text.removesuffix("\n").removesuffix("\n")


def _between(output: Output) -> str:
    """Return what separates the tokens of a phrase: nothing for characters, a space for words."""
    return "" if isinstance(output, CharacterOutput) else " "


#: Engines that count edits, by the name of the metric.
_ENGINES: dict[str, Any] = {}


def _rates(metric: str, reference: Any, hypothesis: Any) -> Optional[list[float]]:
    """Return WER, MER, WIL and WIP of texts, from counts of edits without alignments; `None` for other data."""
    engine = _ENGINES.get(metric)
    if engine is None:
        engine = _ENGINES[metric] = _native.Engine(metric, [])
    return _native.error_rates(engine, reference, hypothesis)


def _process(
    reference: tuple[Sentences, Optional[Transform]],
    hypothesis: tuple[Sentences, Optional[Transform]],
    tokenize: str,
    norm: Optional[str],
) -> tuple[Any, list[list[AlignmentChunk]], list[int], Any]:
    """Align both sides, each a pair of sentences and transform; return tokens, alignments, counts and rates."""
    sides = [_tokens(*side, tokenize, norm) for side in (reference, hypothesis)]
    if len(sides[0]) != len(sides[1]):
        raise ValueError(
            "After applying the transforms on the reference and hypothesis sentences, their lengths must match. "
            f"Instead got {len(sides[0])} reference and {len(sides[1])} hypothesis sentences."
        )
    chunks, counts, rates = _native.aligned(*sides)
    return sides, [[AlignmentChunk(*chunk) for chunk in of_pair] for of_pair in chunks], counts, rates


def _tokens(
    sentences: Sentences, transform: Optional[Transform], tokenize: str, norm: Optional[str]
) -> list[list[str]]:
    """Return the tokens of each sentence, by the transform or by the native tokenizer `tokenize`."""
    if isinstance(sentences, str):
        sentences = [sentences]
    if transform is None:
        # jiwer treats an empty list as one sentence without words.
        return _native.tokenized(list(sentences), tokenize, norm) or [[]]
    if norm is not None:
        raise ValueError("norm and a transform are given, but the order of the two is not: put the normalizer into the transform")
    return _require_words(transform(list(sentences)))


def _require_words(given: Any) -> list[list[str]]:
    """Return the result of a transform.

    Raises:
        ValueError: if it is not a list of lists of str: a text would be read as its characters.
    """
    if isinstance(given, list):
        wrong = [item for item in given if not isinstance(item, list)]
        wrong = wrong or [word for words in given for word in words if not isinstance(word, str)]
        if not wrong:
            return given
        shown = f"a list with {wrong[0]!r} in it"
    else:
        shown = repr(given)
    raise ValueError(
        f"a transform returned {shown}, but must return a list of lists of str: let it end with ReduceToListOfListOfWords() or "
        "ReduceToListOfListOfChars()"
    )


def install() -> None:
    """Make `import jiwer` import this package and its submodules.

    Raises:
        RuntimeError: if jiwer itself has already been imported, because modules that refer to it would keep it.

    Example:
        >>> import bleuprint.adapters.jiwer
        >>> bleuprint.adapters.jiwer.install()
        >>> from jiwer import Compose
        >>> Compose is bleuprint.adapters.jiwer.Compose
        True
    """
    import sys

    from bleuprint._install import install as install_as

    install_as(sys.modules[__name__], "jiwer")
