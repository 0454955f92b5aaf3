"""sacreBLEU's names over bleuprint: change `import sacrebleu` to `import bleuprint.sacrebleu as sacrebleu`.

Names, arguments, defaults, result objects, texts, errors and numbers are those of sacreBLEU 2.6.0. Four differences are deliberate:

* Input that sacreBLEU cuts off or misreads is refused: streams of unequal length, a string instead of a list of
  strings, segments without any reference. `strict=False`, an argument of every function and class, restores sacreBLEU's
  behaviour.
* Signatures contain `version:bleuprint-..`, the program that computed the number; `__version__` is sacreBLEU's version with
  bleuprint's as its local part.
* Nothing is downloaded: `get_source_file` and `get_reference_files` find test sets that sacreBLEU has downloaded before.
* Smoothing floors below 0 and above 1 work for scores only: intervals and paired tests refuse them.

After `install()`, `import sacrebleu` and `from sacrebleu.metrics import BLEU` import this package, in other libraries too;
`install(strict=False)` restores sacreBLEU's behaviour for all of them.

>>> import bleuprint.sacrebleu as sacrebleu
>>> print(sacrebleu.corpus_bleu(["The dog bit the man."], [["The dog had bit the man."]]))
BLEU = 51.15 100.0/80.0/50.0/33.3 (BP = 0.846 ratio = 0.857 hyp_len = 6 ref_len = 7)
"""

from __future__ import annotations

from .compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from .metrics import BLEU, CHRF, TER
from .version import __version__

__all__ = [
    "BLEU",
    "CHRF",
    "TER",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "get_reference_files",
    "get_source_file",
    "install",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
    "smart_open",
    "__version__",
]

#: Submodules that are imported on first use.
_LAZY = ("significance", "tokenizers", "utils")


def install(strict: bool = True) -> None:
    """Make `import sacrebleu` import this package and its submodules.

    Args:
        strict: Whether calls without an argument `strict` refuse input that sacreBLEU cuts off or misreads. With False, libraries
            that rely on it get sacreBLEU's numbers. Default: True.

    Raises:
        RuntimeError: if sacreBLEU itself has already been imported, because modules that refer to it would keep it.

    Example:
        >>> import bleuprint.sacrebleu
        >>> bleuprint.sacrebleu.install()
        >>> from sacrebleu.metrics import BLEU
        >>> BLEU is bleuprint.sacrebleu.BLEU
        True
    """
    import sys

    from .._install import install as install_as
    from .metrics import base

    install_as(sys.modules[__name__], "sacrebleu")
    base._STRICT[0] = strict


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_LAZY})


def __getattr__(name: str) -> object:
    # These names are rarely used, so the package imports them only on first use: `import` stays fast.
    from ._absent import TEST_SETS as _ABSENT, absent

    if name in _LAZY:
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    if name in ("extract_char_ngrams", "extract_word_ngrams"):
        from .metrics import helpers

        return getattr(helpers, name)
    if name in ("get_reference_files", "get_source_file", "smart_open"):
        from . import utils

        return getattr(utils, name)
    if name in _ABSENT:
        raise AttributeError(absent(name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
