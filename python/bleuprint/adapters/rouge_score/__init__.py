"""rouge_score's names over bleuprint: `from bleuprint.adapters.rouge_score import rouge_scorer, scoring`.

Names, arguments, defaults, result types and numbers are those of rouge_score 0.1.2, with several references too. After `install()`,
`import rouge_score` imports this package, in other libraries too. Three differences are deliberate:

* A type of ROUGE that does not exist is an error of the constructor, not of the first call.
* A warning says if the tokenizer leaves nothing of a text with letters, such as Chinese text.
* `BootstrapAggregator` rejects types that only some of the texts have.

`split_summaries=True` needs NLTK and its data, as in rouge_score; or give `split_summaries` a function from a text to its sentences.

>>> from bleuprint.adapters.rouge_score import rouge_scorer
>>> scorer = rouge_scorer.RougeScorer(["rouge1", "rougeL"], use_stemmer=True)
>>> scorer.score("the fox jumps", "the foxes jump high")
{'rouge1': Score(precision=0.75, recall=1.0, fmeasure=0.8571428571428571), 'rougeL': Score(precision=0.75, recall=1.0, fmeasure=0.8571428571428571)}
"""

from __future__ import annotations

from . import rouge_scorer, scoring, tokenize, tokenizers

__all__ = ["install", "rouge_scorer", "scoring", "tokenize", "tokenizers"]


def install() -> None:
    """Make `import rouge_score` import this package and its submodules.

    Raises:
        RuntimeError: if rouge_score itself has already been imported, because modules that refer to it would keep it.

    Example:
        >>> import bleuprint.adapters.rouge_score
        >>> bleuprint.adapters.rouge_score.install()
        >>> from rouge_score.rouge_scorer import RougeScorer
        >>> RougeScorer is bleuprint.adapters.rouge_score.rouge_scorer.RougeScorer
        True
    """
    import sys

    from ..._install import install as install_as

    install_as(sys.modules[__name__], "rouge_score")
