"""Token lists as NLTK's functions take them: checks, ids of tokens, and scores without warnings."""

from __future__ import annotations

from functools import lru_cache

from ... import _native
from ..._metric import metric
from ..._tokens import Ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Optional

    from ..._metric import Metric
    from ..._native import Score

    Tokens = Sequence[Any]


@lru_cache(maxsize=256)
def named_metric(spec: str) -> Metric:
    """Return the metric with this name and options, which is built once."""
    # An empty reference next to others counts in NLTK.
    return metric(spec, empty_references="keep")


def quiet_score(named: Metric, hypotheses: Any, references: Any) -> Score:
    """Return the score of the data without warnings about likely mistakes, since NLTK gives none."""
    return named._quiet_score(hypotheses, references)


def tokens_of(given: Any, place: str) -> list[Any]:
    """Return the tokens of one sentence as a list."""
    if isinstance(given, (str, bytes, dict)) or not hasattr(given, "__iter__"):
        hint = "; split it, as NLTK would read its characters" if isinstance(given, str) else ""
        raise TypeError(f"{place} is {type(given).__name__}, but must be a list of tokens{hint}")
    return list(given)


def corpus_of(list_of_references: Any, hypotheses: Any, without: bool = False) -> tuple[list[list[list[Any]]], list[list[Any]]]:
    """Return the tokens of references and hypotheses; `without` gives a hypothesis without references an empty reference.

    Raises:
        TypeError: if a sentence is not a list of tokens.
        ValueError: if the numbers differ, or a hypothesis has no reference.
    """
    output = [tokens_of(one, f"hypotheses[{at}]") for at, one in enumerate(tokens_of(hypotheses, "hypotheses"))]
    references = []
    for at, several in enumerate(tokens_of(list_of_references, "list_of_references")):
        place = f"list_of_references[{at}]"
        references.append([tokens_of(one, f"{place}[{number}]") for number, one in enumerate(tokens_of(several, place))])
        if not references[-1] and without:
            references[-1].append([])
        if not references[-1]:
            raise ValueError(f"{place} is empty, but every hypothesis needs at least one reference")
    if len(references) != len(output):
        raise ValueError(f"the number of reference sets is {len(references)}, but there are {len(output)} hypotheses")
    return references, output


def ids_of(references: list[list[list[Any]]], hypotheses: list[list[Any]]) -> tuple[Any, Any]:
    """Return hypotheses and references with their tokens replaced by ids."""
    ids = Ids()
    output = ids.column(hypotheses, "hypotheses")
    return output, [ids.column(several, f"list_of_references[{at}]") for at, several in enumerate(references)]


class TokenCorpus:
    """Token lists of hypotheses and references; with `without`, a hypothesis may have no references."""

    def __init__(self, list_of_references: Any, hypotheses: Any, without: bool = False) -> None:
        self._given, self._without = (hypotheses, list_of_references), without
        self._ids: Optional[tuple[Any, Any]] = None

    def as_ids(self) -> tuple[Any, Any]:
        """Return hypotheses and references as ids; the given lists are checked and read once."""
        if self._ids is None:
            hypotheses, list_of_references = self._given
            self._ids = ids_of(*corpus_of(list_of_references, hypotheses, self._without))
        return self._ids

    def score(self, named: Metric) -> Optional[Score]:
        """Return the score without warnings, or None if there is no hypothesis."""
        if self._ids is None:
            # Lists of `str` are read in one native call, which returns None for all other data.
            engine = named._tokens_engine or named._of_tokens()
            score = _native.score_words(engine, *self._given, named.empty_references)
            if score is not None:
                return score
        hypotheses, references = self.as_ids()
        return quiet_score(named, hypotheses, references) if hypotheses else None
