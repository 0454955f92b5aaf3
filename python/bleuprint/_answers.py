"""Answers to questions as the data sets SQuAD and SQuAD 2 have them: records with ids, and questions without an answer."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SEQUENCES = (list, tuple)


def _prediction(given: Any) -> Any:
    return given["prediction_text"] if isinstance(given, dict) and "prediction_text" in given else given


def _references(given: Any) -> Any:
    """Return the accepted answers of a question; a question without an answer has the empty text."""
    if isinstance(given, dict) and "answers" in given:
        answers = given["answers"]
        given = list(answers["text"] if isinstance(answers, dict) and "text" in answers else answers)
    return [""] if isinstance(given, _SEQUENCES) and len(given) == 0 else given


def _id(record: Any) -> Any:
    return record.get("id") if isinstance(record, dict) else None


def as_answers(hypotheses: Any, references: Any, no_answer: bool) -> list[Any]:
    """Return predictions and references with texts for records.

    With `no_answer`, a question may have no answer, as SQuAD 2 has it; its list of references is then empty.
    """
    if not isinstance(hypotheses, _SEQUENCES) or not isinstance(references, _SEQUENCES):
        return [hypotheses, references]
    for at, (one, other) in enumerate(zip(hypotheses, references)):
        if _id(one) is not None and _id(other) is not None and str(_id(one)) != str(_id(other)):
            raise ValueError(f"hypotheses[{at}] has the id {_id(one)!r}, but references[{at}] has {_id(other)!r}: give both in one order")
    made = [_references(one) for one in references]
    if not no_answer:
        made = [[] if one == [""] and other != [""] else one for one, other in zip(made, references)]
    return [[_prediction(one) for one in hypotheses], made]
