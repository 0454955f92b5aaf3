"""The ready-made chains of transforms of jiwer 4; `contiguous` chains join all sentences into one."""

from __future__ import annotations

from bleuprint.adapters.jiwer.transforms import (
    Compose,
    ExpandCommonEnglishContractions,
    ReduceToListOfListOfChars,
    ReduceToListOfListOfWords,
    ReduceToSingleSentence,
    RemoveKaldiNonWords,
    RemoveMultipleSpaces,
    RemoveWhiteSpace,
    Strip,
    ToLowerCase,
)

__all__ = [
    "cer_contiguous",
    "cer_default",
    "wer_contiguous",
    "wer_default",
    "wer_standardize",
    "wer_standardize_contiguous",
]

_STANDARDIZE = [
    ToLowerCase(),
    ExpandCommonEnglishContractions(),
    RemoveKaldiNonWords(),
    RemoveWhiteSpace(replace_by_space=True),
]
_SPACES = [RemoveMultipleSpaces(), Strip()]

#: Words between spaces, the default of `process_words`.
wer_default = Compose([*_SPACES, ReduceToListOfListOfWords()])
#: The words of all sentences as one sentence.
wer_contiguous = Compose([*_SPACES, ReduceToSingleSentence(), ReduceToListOfListOfWords()])
#: Words in lower case, without contractions and non-words of Kaldi.
wer_standardize = Compose([*_STANDARDIZE, *_SPACES, ReduceToListOfListOfWords()])
#: The words of `wer_standardize` of all sentences as one sentence.
wer_standardize_contiguous = Compose([*_STANDARDIZE, *_SPACES, ReduceToSingleSentence(), ReduceToListOfListOfWords()])
#: Characters, spaces included, the default of `process_characters`.
cer_default = Compose([Strip(), ReduceToListOfListOfChars()])
#: The characters of all sentences as one sentence.
cer_contiguous = Compose([Strip(), ReduceToSingleSentence(), ReduceToListOfListOfChars()])
