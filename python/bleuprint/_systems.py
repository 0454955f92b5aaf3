"""Comparisons of systems, and the settings behind a number."""

from __future__ import annotations

from . import _native
from ._pools import _of
from ._shown import Comparison

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Literal, Optional, Union

    from ._data import Column, Progress
    from ._metric import Asked
    from ._native import Precision, Statistics
    from ._registry import EmptyReferences, TokenizerName
    from ._shown import Settings, Tests


def _counted(
    systems: Mapping[str, Any],
    references: Any,
    reference_streams: Any,
    sources: Any,
    metric: Any,
    threads: Any,
    progress: Any,
) -> list[Any]:
    """Return the statistics of each system; values that are statistics already stay unchanged."""
    if not hasattr(systems, "items"):
        raise TypeError("systems must be a dict of names and hypotheses")
    counted = []
    of = _of(metric)
    # The systems share their references, so each kind of likely mistake is reported once.
    signs = _native.Signs()
    # Iterators are turned into lists, because each system reads the references again.
    references, reference_streams, sources = map(_native.held, (references, reference_streams, sources))
    for name, hypotheses in systems.items():
        if isinstance(hypotheses, _native.Statistics):
            counted.append(hypotheses)
            continue
        try:
            evaluation, data = of._given(hypotheses, references, reference_streams, sources)
            (one,) = evaluation.statistics(
                of._owners(), data, system=str(name), signs=signs, threads=threads, progress=progress
            )
        except (TypeError, ValueError) as error:
            raise type(error)(f"{name}: {error}") from error
        counted.append(one)
    signs.finish()
    if len(counted) < 2:
        raise ValueError(f"a comparison needs at least two systems, not {len(counted)}")
    return counted


def paired_test(
    systems: Mapping[str, Union[Column, Statistics]],
    references: Optional[Column] = None,
    *,
    metric: Asked = "bleu",
    reference_streams: Optional[Iterable[Column]] = None,
    sources: Optional[Column] = None,
    test: Literal["bootstrap", "randomization"] = "bootstrap",
    n: Optional[int] = None,
    seed: int = 12345,
    precision: Precision = "sacrebleu",
    confidence: Optional[int] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Tests:
    """Test every system against the first.

    Args:
        systems (dict of str to iterable or Statistics): The name of each system with its hypotheses, or with their
            statistics. The first is the baseline.
        references, reference_streams, sources (iterable, optional): As for `Metric.score`.
        metric (str or Metric, default "bleu"): The metric, as for `bleuprint.metric`.
        test ({"bootstrap", "randomization"}, default "bootstrap"): Bootstrap resampling, or approximate randomization.
        n (int, optional): The number of resamples (default 1000) or of randomization trials (default 10000).
        seed (int, default 12345): The seed of the resamples or trials.
        precision ({"sacrebleu", "exact"}, default "sacrebleu"): With `sacrebleu` the numbers are sacreBLEU's, with
            resamples in single precision. With `exact` they are exact, and ties with the observed difference count.
        confidence (int, optional): The number of resamples for intervals next to a randomization test, which has none
            without it.
        threads (int, default 1): The number of threads; 0 means every core.
        progress (bool or callable, optional): As for `Metric.score`. It is called for each system that is counted, and
            then for the resamples.

    Returns:
        Tests: A list with a dict for each system: `system`, `score`, `interval` and `p_value`. The p-value of the first
            is `None`.

    Raises:
        TypeError: If `systems` is not a dict.
        ValueError: If there are fewer than two systems, or if the test is unknown.

    Example:
        >>> import bleuprint
        >>> systems = {"a": ["a b c d", "e f g h"], "b": ["a b c x", "e f g h"]}
        >>> rows = bleuprint.paired_test(systems, ["a b c d", "e f g h"], n=100)
        >>> [(row["system"], row["p_value"] is None) for row in rows]
        [('a', True), ('b', False)]
    """
    counted = _counted(systems, references, reference_streams, sources, metric, threads, progress)
    return _native.join(counted, None, None).paired(
        test=test, n=n, seed=seed, precision=precision, confidence=confidence, threads=threads, progress=progress
    )


def compare(
    systems: Mapping[str, Union[Column, Statistics]],
    references: Optional[Column] = None,
    *,
    metric: Asked = "bleu",
    reference_streams: Optional[Iterable[Column]] = None,
    sources: Optional[Column] = None,
    test: Optional[Literal["bootstrap", "randomization", "welch", "permutation"]] = None,
    n: Optional[int] = None,
    seed: int = 12345,
    significance: Optional[float] = None,
    unpaired: bool = False,
    unit: Union[str, Column, Mapping[str, Column], None] = None,
    expected: Optional[int] = None,
    wanted: Optional[float] = None,
    headline: Optional[str] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Comparison:
    """Compare every pair of systems: difference, interval and p-value.

    Interval and p-value are of one test: p is below the level if and only if the interval excludes 0.

    Args:
        systems (dict of str to iterable or Statistics): The name of each system with its hypotheses, or with their
            statistics.
        references, reference_streams, sources (iterable, optional): As for `Metric.score`.
        metric (str or Metric, default "bleu"): The metric, as for `bleuprint.metric`.
        test ({"bootstrap", "randomization", "welch", "permutation"}, optional): The test. `bootstrap` and `randomization`
            are for paired systems; `welch`, `bootstrap` and `permutation` for unpaired systems. The notes have the
            defaults.
        n (int, optional): The number of resamples, trials or permutations.
        seed (int, default 12345): The seed of the resamples.
        significance (float, default 0.05): The level of the test; between 0 and 1.
        unpaired (bool, default False): Whether the systems have different segments, as in an A/B test. You must then pass
            statistics.
        unit (str, iterable or dict of str to iterable, optional): The label, or a column, of units whose segments depend
            on each other, such as documents or users. Units are resampled as a whole; `segment` resamples single segments.
            The default is the label `item` if items have several samples, else `document` if the statistics have it. For
            unpaired systems, the label or a dict with a column for each system.
        expected (int, optional): Only for unpaired systems: the planned number of units on each side. The interval then
            holds at every look until that number is reached.
        wanted (float, optional): Only for unpaired systems: a difference. The result has the number of units that would
            show it.
        headline (str, optional): The name of another number of the score, a headline number or a part, to compare in
            place of the first.
        threads (int, default 1): The number of threads; 0 means every core.
        progress (bool or callable, optional): As for `paired_test`.

    Returns:
        Comparison: A dict with `systems`, `scores`, `ranks` and `pairs`. Each pair has the difference (first minus
            second), its interval, its p-value, and the p-value corrected for the number of pairs (Holm). For scores that
            are rates, `wilson` has Wilson's interval of each system. For unpaired systems, `arms` has the score, the
            number of units and the standard error of each system.

    Raises:
        TypeError: If `systems` is not a dict, or if an unpaired system is not statistics.
        ValueError: If there are fewer than two systems, or if an argument has no effect on this kind of comparison.

    Note:
        The default test of paired systems follows from the metric:

        * a rate: Tango's interval and McNemar's test;
        * a mean over units: the t interval of the ratio estimator;
        * a set: randomization;
        * any other score: the bootstrap.

        The default test of unpaired systems is Miettinen and Nurminen's for rates, `welch` for other means and quotients, and
        `bootstrap` for other scores.

    Example:
        >>> import bleuprint
        >>> systems = {"a": ["a b c d", "e f g h"], "b": ["a b c x", "e f g h"]}
        >>> result = bleuprint.compare(systems, ["a b c d", "e f g h"], n=100)
        >>> sorted(result), result["pairs"][0]["first"], result["pairs"][0]["second"]
        (['pairs', 'ranks', 'scores', 'systems'], 'a', 'b')
        >>> arm = lambda right: bleuprint.given("solved", [1] * right + [0] * (200 - right), producer="judge")
        >>> pair = bleuprint.compare({"a": arm(150), "b": arm(120)}, unpaired=True)["pairs"][0]
        >>> round(pair["difference"], 6), pair["p_value"] < 0.05
        (0.15, True)
    """
    if headline == "all":
        raise ValueError("headline is the name of one number; Run.compare takes headline=['all']")
    if unpaired:
        return _compare_unpaired(systems, references, test, n, seed, significance, unit, expected, wanted, headline, threads, progress)
    for name, value in (("expected", expected), ("wanted", wanted)):
        if value is not None:
            raise ValueError(f"{name} has no effect without unpaired=True")
    counted = _counted(systems, references, reference_streams, sources, metric, threads, progress)
    names = [str(name) for name in systems]
    if hasattr(unit, "items"):
        raise ValueError("unit must be the name of a label, or one column: the systems have the same segments")
    label, units = (unit, None) if isinstance(unit, str) or unit is None else ("unit", unit)
    # `Run.compare` rejects the tests of unpaired systems.
    paired: Any = test
    run = _native.join(counted, names, units)
    (result,) = run.compare(
        headline=None if headline is None else [headline],
        test=paired,
        n=n,
        seed=seed,
        significance=significance,
        unit=label,
        most=0,
        threads=threads,
        progress=progress,
    ).values()
    return Comparison({"systems": names, **{part: result[part] for part in _kept(result)}})


def _kept(result: Any) -> list[str]:
    return [part for part in ("scores", "pairs", "ranks", "wilson", "unit") if part in result]


def _compare_unpaired(
    systems: Any,
    references: Any,
    test: Any,
    n: Any,
    seed: Any,
    significance: Any,
    unit: Any,
    expected: Any,
    wanted: Any,
    headline: Any,
    threads: Any,
    progress: Any,
) -> Comparison:
    if not hasattr(systems, "items"):
        raise TypeError("systems must be a dict of names and statistics")
    names = [str(name) for name in systems]
    for name, system in systems.items():
        if not isinstance(system, _native.Statistics):
            raise TypeError(
                f"{name} is {type(system).__name__}, but must be statistics: systems that are not paired have different segments"
            )
    if references is not None:
        raise ValueError("references have no effect with unpaired=True: they are part of the statistics")
    if len(names) < 2:
        raise ValueError(f"a comparison needs at least two systems, not {len(names)}")
    label, units = (unit, None) if isinstance(unit, str) or unit is None else (None, unit)
    if units is not None:
        if not hasattr(units, "items") or {str(name) for name in units} != set(names):
            raise ValueError("unit must be the name of a label, or a dict with a column for each system")
        units = {str(name): column for name, column in units.items()}
        units = [units[name] for name in names]
    result = _native.compare_unpaired(
        names, list(systems.values()), test, n, seed, significance, label, units, expected, wanted, headline, threads, progress
    )
    kept = [*_kept(result), "arms", "left_out"]
    return Comparison({"systems": names, **{part: result[part] for part in kept}})


def explain(
    hypotheses: Column,
    references: Optional[Column] = None,
    *,
    reference_streams: Optional[Iterable[Column]] = None,
    tokenizers: Optional[list[Union[TokenizerName, str]]] = None,
    target: Union[float, str, None] = None,
    empty_references: EmptyReferences = "error",
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Settings:
    """Return the BLEU of every dialect and every main choice of settings, from one reading of the data.

    Args:
        hypotheses, references, reference_streams (iterable): As for `Metric.score`.
        tokenizers (list of str, optional): The tokenizers to try.
        target (float or str, optional): A BLEU score in percent. The settings that match it come first, the most usual
            ones at the top. As a str, its digits give the number of decimals to match; as a float, one decimal is
            matched.
        empty_references ({"error", "missing", "keep"}, default "error"): As for `metric`.
        threads (int, default 1): The number of threads; 0 means every core.
        progress (bool or callable, optional): See `Metric.score`.

    Returns:
        Settings: A list with a dict for each setting: its choices, its score or error, its signature, and `changes`.

    Raises:
        ValueError: If a tokenizer is unknown, or if `target` is not a number.

    Example:
        >>> import bleuprint
        >>> rows = bleuprint.explain(["The cat was on the mat."], ["the cat is on the mat."], tokenizers=["13a"])
        >>> rows[0]["tokenize"], rows[0]["changes"]
        ('13a', [])
    """
    decimals = 1
    if isinstance(target, str):
        text = target.strip()
        decimals = len(text.partition(".")[2])
        target = float(text)
    data = _native.Data(hypotheses, references, reference_streams, empty_references=empty_references)
    return _native.explain(data, tokenizers, target, decimals, threads, progress)
