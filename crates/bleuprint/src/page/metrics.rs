//! Collects the data of each metric for the report page: scores, comparisons of system pairs, groups of
//! segments, and counts or scores of segments.

use std::collections::{BTreeMap, BTreeSet};

use bleuprint_core::{
    Direction, InputError, Metric as _, PartValue, Result, ScorePart, Scored, Stats as _, score_row,
};
use bleuprint_eval::evaluation::Run;
use bleuprint_inference::{
    CountRows, Design, Interval, PairMatrix, PairTest, Power, Precision, ResamplePlan, Significance, Units,
    leave_one_out, map_with, standard_error,
};
use bleuprint_registry::{AnyMetric, AnyScore};
use bleuprint_report::page::{
    PageField, PageFigure, PageFinisher, PageMetric, PagePair, PageScore, PageSlice,
};
use bleuprint_report::{LineStyle, decimals, distinct_names};

pub(super) fn all(
    run: &Run,
    fields: &[PageField],
    plan: ResamplePlan,
    power: Power,
) -> Result<Vec<PageMetric>> {
    let scores = run.scores()?;
    let of_metric = |(): &mut (), place: usize| {
        let of_systems: Vec<&Scored<AnyScore>> = scores.iter().map(|scores| &scores[place]).collect();
        one(run, place, &of_systems, fields, plan, power)
    };
    let metrics = map_with(run.metrics().len(), || (), of_metric);
    let mut metrics = metrics.into_iter().collect::<Result<Vec<PageMetric>>>()?;
    let named: Vec<(&str, &str)> = metrics.iter().map(|metric| (&*metric.name, &*metric.signature)).collect();
    let names = distinct_names(&named);
    metrics.iter_mut().zip(names).for_each(|(metric, name)| metric.name = name);
    Ok(metrics)
}

fn one(
    run: &Run,
    place: usize,
    scored: &[&Scored<AnyScore>],
    fields: &[PageField],
    plan: ResamplePlan,
    power: Power,
) -> Result<PageMetric> {
    let metric = &run.metrics()[place];
    let scale = metric.scale();
    let signature = scored.first().map(|scored| scored.signature.to_string()).unwrap_or_default();
    let mut shown = PageMetric {
        name: metric.identity().heading(),
        missing: 0,
        digits: decimals(&scale, LineStyle { decimals: 2, short: false }),
        higher: scale.direction == Direction::HigherIsBetter,
        max: scale.max.is_finite().then_some(scale.max),
        scores: scored.iter().map(|scored| untested(scored.score.value)).collect(),
        pairs: Vec::new(),
        finisher: None,
        rows: Vec::new(),
        sentences: Vec::new(),
        left_out: Vec::new(),
        words: None,
        figures: Vec::new(),
        pictures: Vec::new(),
        slices: BTreeMap::new(),
        signature,
    };
    if metric.zero().is_row() {
        with_rows(&mut shown, run, place, fields, plan, power)?;
    } else {
        without_rows(&mut shown, run, place, fields, plan, power)?;
    }
    // The parts of a score cover all segments of a system, so they do not match scores that leave some out.
    if shown.missing == 0 {
        shown.figures = figures(scored);
    }
    Ok(shown)
}

/// Returns the figures of the report: the curves and tables among the parts of the systems' scores, one
/// figure for each name.
fn figures(scored: &[&Scored<AnyScore>]) -> Vec<PageFigure> {
    let is_figure = |part: &ScorePart| matches!(part.value, PartValue::Points(_) | PartValue::Pairs(_));
    let parts = scored.iter().flat_map(|scored| &scored.score.parts).filter(|part| is_figure(part));
    let names: BTreeSet<&str> = parts.map(|part| &*part.key).collect();
    let of = |scored: &Scored<AnyScore>, name: &str| {
        let part = scored.score.parts.iter().find(|part| part.key == name);
        part.map(|part| part.value.clone())
    };
    let figure = |name: &str| PageFigure {
        name: name.to_owned(),
        systems: scored.iter().map(|scored| of(scored, name)).collect(),
    };
    names.into_iter().map(figure).collect()
}

fn untested(score: f64) -> PageScore {
    PageScore { score, lower: f64::NAN, upper: f64::NAN }
}

/// Adds confidence intervals, significance tests and segment groups to the page data of a metric whose
/// statistics are rows of counts. The page gets the rows if it can compute scores from them, otherwise the
/// scores of segments.
fn with_rows(
    shown: &mut PageMetric,
    run: &Run,
    place: usize,
    fields: &[PageField],
    plan: ResamplePlan,
    power: Power,
) -> Result<()> {
    let metric = &run.metrics()[place];
    let (common, tests) = run.significance(place, Precision::Exact)?;
    let finish = |row: &[u64]| score_row(metric, row).unwrap_or(f64::NAN);
    let mut rows = run.all_rows(place)?;
    let tested = rows.iter().map(|rows| of_segments(rows, &common)).collect::<Result<Vec<_>>>()?;
    shown.missing = run.len() - common.len();
    if shown.missing > 0 {
        rows = rows.iter().map(|rows| only_segments(rows, &common)).collect::<Result<_>>()?;
        for (score, rows) in shown.scores.iter_mut().zip(&rows) {
            score.score = finish(&rows.total()?);
        }
    }
    let units = run.unit_labels_of(&common)?;
    test(shown, metric, &tested, &tests, units.as_deref(), plan, power)?;
    let finisher = PageFinisher::from_metric(metric, &shown.signature);
    shown.finisher = finisher.filter(|finisher| agrees(finisher, &rows, &finish));
    if let Some(finisher) = &shown.finisher {
        let flat = |rows: &CountRows| rows.iter().flat_map(|row| finisher.row(row)).collect();
        shown.rows = rows.iter().map(flat).collect();
    } else {
        let numbers = |values: Vec<f64>| values.into_iter().map(finite).collect::<Vec<_>>();
        for rows in &rows {
            shown.sentences.push(numbers(rows.iter().map(finish).collect()));
            shown.left_out.push(numbers(leave_one_out(rows, &finish)?));
        }
    }
    let design = design_of(shown, plan, power);
    for field in fields {
        let mut slices = Vec::new();
        for label in 0..field.labels.len() {
            let members = members(field, label);
            let mut slice = untested_slice(run, &rows, &members, &finish, shown.finisher.is_none())?;
            let places = places_among(&common, &members);
            slice.tests = group_tests(&tests, &places, units.as_deref(), design);
            slices.push(slice);
        }
        shown.slices.insert(field.name.clone(), slices);
    }
    Ok(())
}

/// Function that returns the score of a row of counts.
type RowScore<'f> = dyn Fn(&[u64]) -> f64 + Sync + 'f;

/// Returns the rows of all segments, in which only the segments `common` have counts. A segment without a number
/// for one system is ignored in the scores of all systems.
fn only_segments(rows: &CountRows, common: &[usize]) -> Result<CountRows> {
    let nothing = vec![0; rows.columns()];
    let mut kept = CountRows::with_columns(rows.columns());
    for (segment, row) in rows.iter().enumerate() {
        kept.push(if common.binary_search(&segment).is_ok() { row } else { &nothing })?;
    }
    Ok(kept)
}

/// Returns `true` if the formula of the page, which computes scores in JavaScript, gives the same score for every
/// segment and every total.
fn agrees(finisher: &PageFinisher, rows: &[CountRows], finish: &RowScore<'_>) -> bool {
    rows.iter().all(|rows| {
        let segments = rows.iter().map(|row| (row.to_vec(), finish(row)));
        let total = rows.total().map(|total| (total.clone(), finish(&total)));
        finisher.agrees(segments.chain(total))
    })
}

/// Returns the scores of the systems on the segments `members`, with the standard errors of their differences if
/// the page cannot compute them, and without tests.
fn untested_slice(
    run: &Run,
    rows: &[CountRows],
    members: &[usize],
    finish: &RowScore<'_>,
    with_errors: bool,
) -> Result<PageSlice> {
    let groups = rows.iter().map(|rows| of_segments(rows, members)).collect::<Result<Vec<_>>>()?;
    let score = |rows: &CountRows| Ok::<_, InputError>(finite(finish(&rows.total()?)));
    let scores = groups.iter().map(score).collect::<Result<Vec<_>, _>>()?;
    if !with_errors {
        return Ok(PageSlice { scores, pairs: Vec::new(), tests: Vec::new() });
    }
    let own = run.unit_labels_of(members)?;
    let without = |rows: &CountRows| {
        let rows = own.as_ref().map_or_else(|| Ok(rows.clone()), |own| Units::by(own).rows(rows));
        leave_one_out(&rows?, finish)
    };
    let pairs = errors(&groups.iter().map(without).collect::<Result<Vec<_>>>()?);
    Ok(PageSlice { scores, pairs, tests: Vec::new() })
}

fn of_segments(rows: &CountRows, segments: &[usize]) -> Result<CountRows> {
    let mut chosen = CountRows::with_columns(rows.columns());
    segments.iter().try_for_each(|&segment| chosen.push(rows.row(segment)))?;
    Ok(chosen)
}

/// Adds to the page data the bootstrap confidence interval of every system's score, and the significance test
/// of every pair of systems.
fn test(
    shown: &mut PageMetric,
    metric: &AnyMetric,
    rows: &[CountRows],
    all: &Significance<'_, AnyMetric>,
    units: Option<&[String]>,
    plan: ResamplePlan,
    power: Power,
) -> Result<()> {
    for (score, rows) in shown.scores.iter_mut().zip(rows) {
        let tests = Significance::of_rows(metric, std::slice::from_ref(rows), Precision::Exact)?;
        let tests = by_units(tests, units)?;
        // If some resamples have no score, the score is shown without an interval.
        let estimate = tests.confidence(plan).ok().and_then(|mut estimates| estimates.pop());
        set_interval(score, estimate.and_then(|estimate| estimate.interval));
    }
    let design = design_of(shown, plan, power);
    if rows.len() > 1
        && let Ok(matrix) = all.compare_all(units.map(Units::by).as_ref(), design)
    {
        shown.pairs = pairs(&matrix);
    }
    Ok(())
}

/// Returns the tests with the segments grouped by unit (such as a document); `None` keeps single segments.
fn by_units<'r>(
    tests: Significance<'r, AnyMetric>,
    units: Option<&[String]>,
) -> Result<Significance<'r, AnyMetric>> {
    match units {
        None => Ok(tests),
        Some(units) => tests.by_units(&Units::by(units)),
    }
}

fn pairs(matrix: &PairMatrix) -> Vec<PagePair> {
    let pair = |pair: &PairTest| PagePair {
        first: pair.first,
        second: pair.second,
        difference: pair.difference,
        lower: pair.interval.lower,
        upper: pair.interval.upper,
        p: pair.corrected,
        least: pair.least_p,
        method: pair.method.in_words().to_owned(),
        caution: pair.caution.map(|caution| caution.to_string()),
    };
    matrix.pairs.iter().map(pair).collect()
}

fn set_interval(score: &mut PageScore, interval: Option<Interval>) {
    if let Some(interval) = interval {
        (score.lower, score.upper) = (interval.lower, interval.upper);
    }
}

/// Returns the jackknife standard error of the score difference of every pair of systems, or `None` for fewer
/// than two segments. `left_out[s][i]` is the score of system `s` without segment (or unit) `i`.
fn errors(left_out: &[Vec<f64>]) -> Vec<(usize, usize, Option<f64>)> {
    let mut errors = Vec::new();
    for (first, one) in left_out.iter().enumerate() {
        for (second, other) in left_out.iter().enumerate().skip(first + 1) {
            let differences: Vec<f64> = one.iter().zip(other).map(|(one, other)| one - other).collect();
            let error = (differences.len() > 1).then(|| standard_error(&differences));
            errors.push((first, second, error.and_then(finite)));
        }
    }
    errors
}

/// Adds confidence intervals, significance tests and the scores of segments and groups to the page data of a
/// metric whose statistics are not rows of counts.
fn without_rows(
    shown: &mut PageMetric,
    run: &Run,
    place: usize,
    fields: &[PageField],
    plan: ResamplePlan,
    power: Power,
) -> Result<()> {
    let (common, tests) = run.significance(place, Precision::Exact)?;
    shown.missing = run.len() - common.len();
    let units = run.unit_labels_of(&common)?;
    let units = units.as_deref();
    let drawn = units.map(|units| tests.by_units(&Units::by(units))).transpose()?;
    // If some resamples have no score, the scores are shown without intervals.
    if let Ok(intervals) = drawn.as_ref().unwrap_or(&tests).confidence(plan) {
        shown
            .scores
            .iter_mut()
            .zip(intervals)
            .for_each(|(score, estimate)| set_interval(score, estimate.interval));
    }
    let design = design_of(shown, plan, power);
    if run.systems().len() > 1
        && let Ok(matrix) = tests.compare_all(units.map(Units::by).as_ref(), design)
    {
        shown.pairs = pairs(&matrix);
    }
    let in_place = |scores: Vec<f64>| {
        let mut all = vec![None; run.len()];
        common.iter().zip(scores).for_each(|(&segment, score)| all[segment] = finite(score));
        all
    };
    shown.sentences = tests.segment_scores().into_iter().map(in_place).collect();
    shown.left_out = tests.leave_one_out()?.into_iter().map(in_place).collect();
    for field in fields {
        let slice = |label: usize| {
            let members = places_among(&common, &members(field, label));
            if members.is_empty() {
                let scores = vec![None; run.systems().len()];
                return Ok(PageSlice { scores, pairs: Vec::new(), tests: Vec::new() });
            }
            let one = tests.grouped([&members[..]])?.segment_scores();
            let scores = one.iter().map(|scores| scores.first().copied().and_then(finite)).collect();
            let apart = tests.grouped(members.chunks(1))?;
            let own: Option<Vec<&String>> =
                units.map(|units| members.iter().map(|&member| &units[member]).collect());
            let drawn = own.map(|own| apart.by_units(&Units::by(own))).transpose()?;
            let pairs = errors(&drawn.as_ref().unwrap_or(&apart).leave_one_out()?);
            Ok(PageSlice { scores, pairs, tests: group_tests(&tests, &members, units, design) })
        };
        let slices = (0..field.labels.len()).map(slice).collect::<Result<Vec<_>>>()?;
        shown.slices.insert(field.name.clone(), slices);
    }
    Ok(())
}

fn members(field: &PageField, label: usize) -> Vec<usize> {
    let of = field.of.iter().enumerate();
    of.filter(|(_, of)| **of == label).map(|(segment, _)| segment).collect()
}

/// Largest number of systems for which groups of segments are tested. The number of system pairs grows with
/// its square.
const MOST_SYSTEMS: usize = 6;

fn design_of(shown: &PageMetric, plan: ResamplePlan, power: Power) -> Design {
    Design { test: None, plan, higher_is_better: shown.higher, power }
}

/// Returns the positions of the segments `members` in the sorted list `common`, without segments that are not
/// in the list: `[2, 5, 7]` and `[5, 6]` give `[1]`.
fn places_among(common: &[usize], members: &[usize]) -> Vec<usize> {
    members.iter().filter_map(|segment| common.binary_search(segment).ok()).collect()
}

/// Returns the significance tests of all pairs of systems on a group of segments, by the method that is used
/// for all segments. The list is empty if there are too many systems.
fn group_tests(
    tests: &Significance<'_, AnyMetric>,
    places: &[usize],
    units: Option<&[String]>,
    design: Design,
) -> Vec<PagePair> {
    let systems = tests.segment_scores().len();
    if places.is_empty() || !(2..=MOST_SYSTEMS).contains(&systems) {
        return Vec::new();
    }
    let own = units.map(|units| Units::by(places.iter().map(|&place| &units[place])));
    // All groups use the method of the whole run.
    let decided = units.is_some_and(|units| tests.are_decided(&Units::by(units)).unwrap_or(false));
    let alone = tests.grouped(places.chunks(1));
    let matrix = alone.and_then(|alone| alone.compare_decided(own.as_ref(), decided, design));
    matrix.map(|matrix| pairs(&matrix)).unwrap_or_default()
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}
