"""The transforms of jiwer 4 as classes, with jiwer's names, arguments and results.

A transform takes a sentence or a list of sentences. A class of your own defines `process_string`, or `process_list` if it changes the
number of sentences. The Unicode data and the list of contractions are those of `bleuprint.list_normalizers()`, on every Python.

>>> from bleuprint.adapters.jiwer import Compose, ReduceToListOfListOfWords, RemovePunctuation, ToLowerCase, wer
>>> clean = Compose([ToLowerCase(), RemovePunctuation(), ReduceToListOfListOfWords()])
>>> clean("Hello, World!")
[['hello', 'world']]
>>> wer("Hello, World!", "hello word", clean, clean)
0.5
"""

# The imports are absolute, because `import jiwer.transforms` also finds this file if `jiwer` is another name of the package.
from __future__ import annotations

import re

from bleuprint import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Callable, Union

    #: A sentence or a list of sentences.
    Sentences = Union[str, list[str]]

__all__ = [
    "AbstractTransform",
    "Compose",
    "ExpandCommonEnglishContractions",
    "ReduceToListOfListOfChars",
    "ReduceToListOfListOfWords",
    "ReduceToSingleSentence",
    "RemoveEmptyStrings",
    "RemoveKaldiNonWords",
    "RemoveMultipleSpaces",
    "RemovePunctuation",
    "RemoveSpecificWords",
    "RemoveWhiteSpace",
    "Strip",
    "SubstituteRegexes",
    "SubstituteWords",
    "ToLowerCase",
    "ToUpperCase",
]


class AbstractTransform:
    """Base class of transforms: a subclass defines `process_string`, `process_list` or both."""

    def __call__(self, sentences: Any) -> Any:
        """Return the transformed sentence or list of sentences.

        Raises:
            ValueError: if the argument is neither a str nor a list.
        """
        if isinstance(sentences, str):
            return self.process_string(sentences)
        if isinstance(sentences, list):
            return self.process_list(sentences)
        raise ValueError(f"input {sentences} was expected to be a string or list of strings")

    def process_string(self, s: str) -> Any:
        """Return the result for one sentence."""
        raise NotImplementedError(f"{type(self).__name__} must define process_string()")

    def process_list(self, inp: list[str]) -> Any:
        """Return the result for a list of sentences; the default transforms each of them."""
        return [self.process_string(sentence) for sentence in inp]


class Compose:
    """Chain of transforms: each takes the result of the one before it.

    Args:
        transforms: The transforms, or other functions of one argument.
    """

    def __init__(self, transforms: list[Callable[[Any], Any]]) -> None:
        self.transforms = transforms

    def __call__(self, text: Any) -> Any:
        """Return the result of the last transform."""
        for transform in self.transforms:
            text = transform(text)
        return text


class _Normalizer(AbstractTransform):
    """Transform that is a normalizer of the package; `_NAME` is its name."""

    _NAME = ""

    def process_string(self, s: str) -> str:
        (text,) = _native.normalize([s], self._NAME)
        return text

    def process_list(self, inp: list[str]) -> list[str]:
        # A subclass may change the treatment of one sentence; otherwise one call treats all sentences.
        if type(self).process_string is not _Normalizer.process_string:
            return [self.process_string(sentence) for sentence in inp]
        return _native.normalize(inp, self._NAME)


class RemovePunctuation(_Normalizer):
    """Remove the characters of Unicode's categories P; symbols such as `$` and `+` stay."""

    _NAME = "punct"


class ExpandCommonEnglishContractions(_Normalizer):
    """Write common English contractions in full, in lower case, anywhere in the text: `can't` becomes `can not`."""

    _NAME = "contractions"


class RemoveKaldiNonWords(_Normalizer):
    """Remove text in `<..>` and `[..]`, with the brackets."""

    _NAME = "nonwords"


class RemoveMultipleSpaces(_Normalizer):
    """Replace each run of two or more white spaces by one space."""

    _NAME = "spaces"


class Strip(AbstractTransform):
    """Remove white space at the ends."""

    def process_string(self, s: str) -> str:
        return s.strip()


class ToLowerCase(AbstractTransform):
    """Convert to lower case."""

    def process_string(self, s: str) -> str:
        return s.lower()


class ToUpperCase(AbstractTransform):
    """Convert to upper case."""

    def process_string(self, s: str) -> str:
        return s.upper()


class RemoveWhiteSpace(AbstractTransform):
    """Remove ASCII white space.

    Args:
        replace_by_space: Whether to replace each of these characters by a space instead. Default: False.
    """

    def __init__(self, replace_by_space: bool = False) -> None:
        self.replace_token = " " if replace_by_space else ""
        self._table = str.maketrans(dict.fromkeys(" \t\n\r\x0b\x0c", self.replace_token))

    def process_string(self, s: str) -> str:
        return s.translate(self._table)


class RemoveEmptyStrings(AbstractTransform):
    """Remove sentences that are empty or white space; a single sentence is stripped instead, as in jiwer."""

    def process_string(self, s: str) -> str:
        return s.strip()

    def process_list(self, inp: list[str]) -> list[str]:
        return [sentence for sentence in inp if self.process_string(sentence)]


class SubstituteRegexes(AbstractTransform):
    """Replace the matches of regular expressions, one expression after another.

    Args:
        substitutions: Dict from expressions to replacements, which may refer to groups, as in `re.sub`.
    """

    def __init__(self, substitutions: Mapping[str, str]) -> None:
        self.substitutions = substitutions

    def process_string(self, s: str) -> str:
        for expression, replacement in self.substitutions.items():
            s = re.sub(expression, replacement, s)
        return s


class SubstituteWords(AbstractTransform):
    r"""Replace words, one after another; a word is the text between two boundaries `\b` of regular expressions.

    Args:
        substitutions: Dict from words to replacements, which may refer to groups, as in `re.sub`.
    """

    def __init__(self, substitutions: Mapping[str, str]) -> None:
        self.substitutions = substitutions

    def process_string(self, s: str) -> str:
        for word, replacement in self.substitutions.items():
            s = re.sub(rf"\b{re.escape(word)}\b", replacement, s)
        return s


class RemoveSpecificWords(SubstituteWords):
    """Replace words by a space.

    Args:
        words_to_remove: The words.
    """

    def __init__(self, words_to_remove: Iterable[str]) -> None:
        super().__init__({word: " " for word in words_to_remove})


class ReduceToSingleSentence(AbstractTransform):
    """Join all sentences that are not empty into one.

    Args:
        word_delimiter: Text between the sentences. Default: a space.
    """

    def __init__(self, word_delimiter: str = " ") -> None:
        self.word_delimiter = word_delimiter

    def process_string(self, s: str) -> str:
        return s

    def process_list(self, inp: list[str]) -> list[str]:
        sentences = [sentence for sentence in inp if sentence]
        return [self.word_delimiter.join(sentences)] if sentences else []


class _Reduce(AbstractTransform):
    """Transform whose result is a list of lists: a single sentence gives a list of one list."""

    def process_list(self, inp: list[str]) -> list[list[str]]:
        lists: list[list[str]] = []
        for sentence in inp:
            lists += self.process_string(sentence)
        return lists or [[]]


class ReduceToListOfListOfWords(_Reduce):
    """Split each sentence into words; no word is empty.

    Args:
        word_delimiter: Text between the words. Default: a space.
    """

    def __init__(self, word_delimiter: str = " ") -> None:
        self.word_delimiter = word_delimiter

    def process_string(self, s: str) -> list[list[str]]:
        return [[word for word in s.split(self.word_delimiter) if word]]


class ReduceToListOfListOfChars(_Reduce):
    """Split each sentence into characters."""

    def process_string(self, s: str) -> list[list[str]]:
        return [list(s)]
