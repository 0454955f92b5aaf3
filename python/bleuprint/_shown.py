"""Results as dicts and lists that notebooks show as tables and pictures, and that data frames read with `to_arrow`."""

from __future__ import annotations

from html import escape

from . import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Literal, Optional, TypedDict, overload

    from typing_extensions import NotRequired

    from ._native import Run, Statistics, Table, Verdict

    class PairInterval(TypedDict):
        """The confidence interval of a difference."""

        mean: float
        half_width: float
        lower: float
        upper: float

    class Pair(TypedDict):
        """Two systems and their difference: the first minus the second."""

        first: str
        second: str
        difference: float
        interval: PairInterval
        p_value: Optional[float]
        corrected: Optional[float]
        standard_error: float
        smallest_difference: float
        method: str
        least_p: NotRequired[bool]
        redrawn: NotRequired[float]
        caution: NotRequired[dict[str, Any]]
        mcnemar: NotRequired[dict[str, int]]
        unpaired: NotRequired[dict[str, Any]]
        paired_units: NotRequired[dict[str, Any]]

    class Rank(TypedDict):
        """The rank of a system: its index, its best and worst possible rank, and its cluster."""

        system: int
        best: int
        worst: int
        cluster: int

    class Group(TypedDict):
        """A group of segments: both scores, its part of the difference and, with a correction, its test."""

        by: str
        group: str
        segments: int
        scores: list[float]
        points: float
        test: NotRequired[Pair]
        wilson: NotRequired[list[list[float]]]

    class Test(TypedDict):
        """The test of a system against the first."""

        system: str
        score: float
        p_value: Optional[float]
        interval: Optional[Interval]

    class Setting(TypedDict):
        """A setting of BLEU and its score."""

        score: Optional[float]
        error: Optional[str]
        tokenize: str
        case: str
        max_order: int
        finisher: str
        cause: Optional[str]
        changes: list[str]
        signature: Optional[str]

    Record = Mapping[str, object]


def frame(records: Iterable[Record]) -> Table:
    """Return records as an Arrow table with a column for each key; a cell is null if its record lacks the key."""
    records = list(records)
    # A dict keeps the order in which keys first occur; a set would not.
    names = list(dict.fromkeys(name for record in records for name in record))
    return _native.frame([(name, [record.get(name) for record in records]) for name in names])


#: Names of numbers as the program prints them.
PRINTED = {"p_value": "p", "corrected": "p, corrected", "smallest_difference": "detectable"}


def table(records: Iterable[Record], digits: int = 4) -> str:
    """Return records as an HTML table with a column for each key. Floats have `digits` decimals, p-values four."""
    records = list(records)
    names = list(dict.fromkeys(name for record in records for name in record))

    def text(name: str, value: object) -> str:
        if not isinstance(value, float):
            return "" if value is None else str(value)
        if name in ("p_value", "corrected"):
            return "< 0.0001" if value < 0.00005 else f"{value:.4f}"
        return f"{value:.{digits}f}"

    rows = [[text(name, record.get(name)) for name in names] for record in records]
    return _native.html_table([PRINTED.get(name, name) for name in names], rows)


class _Shown:
    """A result whose parts are records."""

    def _records(self) -> list[dict[str, Any]]:
        raise NotImplementedError

    def _intervals(self) -> tuple[list[tuple[str, float, float, float]], Optional[float]]:
        """Return the intervals to draw, and the value of a line through all of them."""
        return [], None

    def _digits(self) -> int:
        """Return the number of decimals that a notebook shows."""
        return 4

    def _repr_html_(self) -> str:
        intervals, mark = self._intervals()
        return table(self._records(), self._digits()) + (_native.forest(intervals, mark) if intervals else "")

    def to_arrow(self) -> Table:
        """Return the result as an Arrow table.

        Data frames read it: `polars.DataFrame(result.to_arrow())`, `pandas.DataFrame.from_arrow(..)`, `pyarrow.table(..)`.
        """
        return frame(self._records())


class Interval(_Shown, dict[str, float]):
    """A bootstrap interval: a dict with `mean`, `lower`, `upper` and `half_width`."""

    def _records(self) -> list[dict[str, Any]]:
        return [dict(self)]

    def _intervals(self) -> Any:
        return [("", self["mean"], self["lower"], self["upper"])], None


class Intervals(_Shown, dict[str, "Optional[Interval]"]):
    """The interval of each system by its name; `None` if the metric or the resamples have no interval."""

    def _records(self) -> list[dict[str, Any]]:
        return [{"system": system, **(interval or {})} for system, interval in self.items()]

    def _intervals(self) -> Any:
        shown = [(system, one) for system, one in self.items() if one is not None]
        return [(system, one["mean"], one["lower"], one["upper"]) for system, one in shown], None


class Tests(_Shown, list["Test"]):
    """The test of each system against the first: a list with a dict for each system."""

    def _records(self) -> list[dict[str, Any]]:
        def record(test: Test) -> dict[str, Any]:
            interval = {f"interval_{end}": value for end, value in (test["interval"] or {}).items()}
            return {"system": test["system"], "score": test["score"], **interval, "p_value": test["p_value"]}

        return [record(test) for test in self]

    def _intervals(self) -> Any:
        tested = [(test["system"], test["interval"]) for test in self]
        return [(name, one["mean"], one["lower"], one["upper"]) for name, one in tested if one is not None], None


def _pair(pair: Pair) -> dict[str, Any]:
    """Return the numbers of a pair, or of the test of a group, as a flat record."""
    interval = {end: pair["interval"][end] for end in ("lower", "upper")}
    numbers = {name: pair[name] for name in ("difference", "p_value", "corrected", "smallest_difference")}
    return {"difference": numbers.pop("difference"), **interval, **numbers}


class Comparison(_Shown, dict[str, "Any"]):
    """A comparison under one metric: a dict with `scores`, `pairs`, `ranks` and the parts that the call adds."""

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, part: Literal["scores"]) -> dict[str, float]: ...
        @overload
        def __getitem__(self, part: Literal["pairs"]) -> list[Pair]: ...
        @overload
        def __getitem__(self, part: Literal["ranks"]) -> list[Rank]: ...
        @overload
        def __getitem__(self, part: Literal["systems"]) -> list[str]: ...
        @overload
        def __getitem__(self, part: Literal["groups"]) -> list[Group]: ...
        @overload
        def __getitem__(self, part: Literal["wilson"]) -> dict[str, list[float]]: ...
        @overload
        def __getitem__(self, part: str) -> Any: ...
        def __getitem__(self, part: str) -> Any: ...

    def _records(self) -> list[dict[str, Any]]:
        return [{"first": pair["first"], "second": pair["second"], **_pair(pair)} for pair in self["pairs"]]

    def _intervals(self) -> Any:
        named = [(f"{pair['first']} - {pair['second']}", pair) for pair in self["pairs"]]
        tested = [(f"{group['by']}: {group['group']}", group["test"]) for group in self.get("groups", ()) if "test" in group]
        rows = [(name, one["difference"], one["interval"]["lower"], one["interval"]["upper"]) for name, one in named + tested]
        return rows, 0.0

    def _repr_html_(self) -> str:
        wilson = self.get("wilson", {})
        ends = {name: dict(zip(("wilson_lower", "wilson_upper"), ends)) for name, ends in wilson.items()}
        scores = [{"system": name, "score": score, **ends.get(name, {})} for name, score in self["scores"].items()]
        groups, digits = self.groups(), self._digits()
        return table(scores, digits) + super()._repr_html_() + (table(groups, digits) if groups else "")

    def _digits(self) -> int:
        # The program prints two decimals of scores from 0 to 100, and four of those from 0 to 1.
        return 2 if any(abs(score) > 1.5 for score in self["scores"].values() if score is not None) else 4

    def groups(self) -> list[dict[str, Any]]:
        """Return the groups as flat records, with their tests if there are any."""

        def record(group: Group) -> dict[str, Any]:
            first, second = group["scores"]
            flat = {"by": group["by"], "group": group["group"], "segments": group["segments"], "first": first, "second": second}
            return {**flat, "points": group["points"], **(_pair(group["test"]) if "test" in group else {})}

        return [record(group) for group in self.get("groups", ())]


class Comparisons(_Shown, dict[str, Comparison]):
    """The comparison under each metric, by the name of the metric."""

    def __init__(self, comparisons: Mapping[str, Mapping[str, Any]]) -> None:
        super().__init__((name, Comparison(comparison)) for name, comparison in comparisons.items())

    def _records(self) -> list[dict[str, Any]]:
        return [{"metric": name, **record} for name, comparison in self.items() for record in comparison._records()]

    def _repr_html_(self) -> str:
        return "".join(f"<h4>{escape(name)}</h4>{comparison._repr_html_()}" for name, comparison in self.items())


class Settings(_Shown, list["Setting"]):
    """The score under each setting: a list with a dict for each setting."""

    def _repr_html_(self) -> str:
        more = f"<p>and {len(self) - 20} more</p>" if len(self) > 20 else ""
        return table(self._records()[:20]) + more

    def _records(self) -> list[dict[str, Any]]:
        return [{**setting, "changes": ", ".join(setting["changes"])} for setting in self]


class Page:
    """A report. `str(page)` is its HTML, and a notebook shows it in the cell."""

    def __init__(self, html: str) -> None:
        self.html = html

    def __str__(self) -> str:
        return self.html

    def _repr_html_(self) -> str:
        # The frame keeps the style, the script and the content security policy of the report apart from the notebook.
        return f'<iframe srcdoc="{escape(self.html)}" sandbox="allow-scripts" style="width:100%;height:45em;border:0"></iframe>'


def run_frame(run: Run, segments: bool) -> Table:
    """Return the scores of a run as an Arrow table, with a row for each system or for each of its segments."""
    if not segments:
        scores = run.scores()
        return frame({"system": system, **{name: one.score for name, one in of.items()}} for system, of in scores.items())
    labels = run.labels
    return frame(
        {"system": system, "segment": at + 1, **{name: values[at] for name, values in labels.items()}, **dict(zip(run.metrics, scores))}
        for system in run.systems
        for at, scores in enumerate(zip(*_each(run, system)))
    )


def _each(run: Run, system: str) -> list[list[float]]:
    return [[score.score for score in run.sentence_scores(system, name)] for name in run.metrics]


def run_html(run: Run) -> str:
    """Return the scores of a run as HTML, with its signatures."""
    scores = run.scores()
    shown = ({"system": system, **{name: format(one, ".4g") for name, one in of.items()}} for system, of in scores.items())
    signatures = {score.signature for of in scores.values() for score in of.values()}
    return f"<p>{len(run)} segments</p>{table(shown)}" + "".join(f"<p><code>{escape(one)}</code></p>" for one in sorted(signatures))


def statistics_frame(statistics: Statistics) -> Table:
    """Return the labels and counts of each segment as an Arrow table."""
    labels, names = statistics._labels(), statistics.columns()
    return frame(
        {"segment": at + 1, **{name: values[at] for name, values in labels.items()}, **dict(zip(names, row))}
        for at, row in enumerate(statistics.rows())
    )


def statistics_html(statistics: Statistics) -> str:
    """Return the score of statistics as HTML."""
    return f"<p>{escape(statistics.system)}, {len(statistics)} segments</p>{statistics.score()._repr_html_()}"


def _rules(verdict: Verdict) -> list[dict[str, Any]]:
    """Return a record for each group of each rule, and an empty one for a rule without groups."""
    names = ("segments", "new", "baseline", "drop", "lower", "upper", "smallest_drop_seen", "segments_needed")
    return [
        {"rule": rule["name"], "verdict": group["verdict"] or rule["verdict"], "group": group["group"], **{name: group[name] for name in names}}
        for rule in verdict.to_dict()["rules"]
        for group in rule["groups"] or [dict.fromkeys(("verdict", "group", *names))]
    ]


def verdict_frame(verdict: Verdict) -> Table:
    """Return the results of the rules as an Arrow table."""
    return frame(_rules(verdict))


def verdict_html(verdict: Verdict) -> str:
    """Return the outcome, the results of the rules and their messages as HTML."""
    rules = verdict.to_dict()["rules"]
    messages = [f"{rule['name']}: {rule['message']}" for rule in rules if rule["message"]]
    return f"<p><b>{verdict.outcome}</b></p>{table(_rules(verdict))}" + "".join(f"<p>{escape(one)}</p>" for one in messages)
