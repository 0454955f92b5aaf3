//! Compares systems that were evaluated on different segments, such as the two arms of an A/B test.

use std::collections::HashMap;

use bleuprint_core::{
    Composition, Direction, InputError, InputErrorKind, Metric as _, Result, Stats as _, score_row,
};
use bleuprint_inference::{Approach, CountRows, PairMatrix, Units, Unpaired};
use bleuprint_registry::AnyMetric;

use super::corpus::require_distinct;
use super::facts::{ids_of, shown_id};
use super::{Comparison, Run};
use crate::store::Fingerprint;

/// Settings for the comparison of systems that were evaluated on different segments.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct UnpairedRequest {
    /// Significance test and its settings; each metric decides whether higher is better.
    pub design: Unpaired,
    /// Label, such as a user id: segments with equal values are resampled together, because they depend on
    /// each other. [`SEGMENT`](super::SEGMENT) means single segments; `None` means the unit of the runs.
    pub unit: Option<String>,
}

/// Evaluation of one system, with the system's name in a comparison of systems on different segments.
#[expect(clippy::exhaustive_structs, reason = "closed: a side needs all of it")]
pub struct UnpairedSide<'r> {
    /// Name by which results and errors refer to the system.
    pub name: &'r str,
    /// Evaluation of this system alone, on its own segments.
    pub run: &'r Run,
    /// Name of the group (such as a user) that each segment belongs to. Segments of a group are resampled
    /// together. `None` uses the label that the request names.
    pub units: Option<Vec<String>>,
}

impl<'r> From<&'r Run> for UnpairedSide<'r> {
    fn from(run: &'r Run) -> Self {
        UnpairedSide { name: run.systems.first().map_or("", String::as_str), run, units: None }
    }
}

/// Compares systems on different segments, each evaluated separately. The systems may have different numbers
/// of segments.
///
/// ```
/// use bleuprint_eval::ChosenTokens;
/// use bleuprint_eval::evaluation::{Evaluation, TextCorpus, UnpairedRequest, UnpairedSide, compare_unpaired};
///
/// let run = |system: &str, right: usize, segments: usize| {
///     let outputs = [(system, (0..segments).map(|at| if at % 10 < right { "yes" } else { "no" }))];
///     let corpus = TextCorpus::new(outputs, [(0..segments).map(|_| "yes")]).unwrap();
///     let tokens = ChosenTokens::standard().unwrap();
///     Evaluation::from_parts(&bleuprint_metrics::registry(), ["exact_match"], &tokens).unwrap().run(corpus).unwrap()
/// };
/// let runs = [run("a", 9, 200), run("b", 6, 150)];
/// let sides = runs.each_ref().map(UnpairedSide::from);
/// let comparisons = compare_unpaired(&sides, &UnpairedRequest::default()).unwrap();
/// let pair = &comparisons[0].matrix.pairs[0];
/// assert!((pair.difference - 30.0).abs() < 1e-12 && pair.p_value < 1e-6);
/// ```
///
/// # Errors
/// Returns an error if a run has several systems or lacks the unit's label. Also returns an error if two runs
/// have the same name, different metrics, or a common unit (group of segments, such as a user), and the
/// errors of [`Unpaired::compare`].
pub fn compare_unpaired<'r>(
    sides: &[UnpairedSide<'r>],
    request: &UnpairedRequest,
) -> Result<Vec<Comparison<'r>>> {
    require_sides(sides)?;
    let unit = match request.unit.as_deref() {
        None => sides.iter().find_map(|side| side.run.unit()),
        Some(unit) => sides.first().and_then(|side| side.run.unit_of(Some(unit))),
    };
    let units = sides.iter().map(|side| side.unit_labels(unit)).collect::<Result<Vec<_>>>()?;
    require_disjoint(sides, &units, request)?;
    let metrics = sides.first().map_or(&[][..], |side| side.run.metrics());
    let several = metrics.len() > 1;
    let of_metric = |(place, metric)| compare_under(sides, (unit, &units), request, place, metric, several);
    metrics.iter().enumerate().map(of_metric).collect()
}

/// Returns a warning for each pair of systems that seem to have the same segments, by equal ids, references
/// or sources. The warning advises to compare without the caller's option `option`, such as `--unpaired`.
pub fn shared_segments(sides: &[UnpairedSide<'_>], option: &str) -> Vec<String> {
    let mut notes = Vec::new();
    for (place, first) in sides.iter().enumerate() {
        for second in &sides[place + 1..] {
            let of = first.run.len().min(second.run.len());
            let (what, shared) = in_common(first.run, second.run);
            if shared * 2 > of {
                notes.push(format!(
                    "{shared} of {of} segments have the same {what} in {} and in {}: compared as pairs, without {option}, they \
                     would show smaller differences",
                    first.name, second.name
                ));
            }
        }
    }
    notes
}

/// Counts the segments that two evaluations have in common: by ids if both have ids, otherwise by references
/// or sources. Also returns which of these was compared, such as `ids`.
fn in_common(first: &Run, second: &Run) -> (&'static str, usize) {
    let ids = |run: &'_ Run| {
        ids_of(&run.facts.ids, &run.labels).map(|ids| ids.into_iter().map(|id| shown_id(&id)).collect())
    };
    let (one, other): (Option<Vec<String>>, Option<Vec<String>>) = (ids(first), ids(second));
    if let Some((ids, others)) = one.zip(other).filter(|_| first.facts.ids == second.facts.ids) {
        return ("ids", matches(&ids, &others));
    }
    // Segments without references can be recognized only by their sources.
    let nothing = Fingerprint::from_texts([""; 0]);
    let references = |run: &Run| -> Vec<Fingerprint> {
        let references = run.fingerprints.iter().map(|(references, _)| *references);
        references.filter(|&references| references != nothing).collect()
    };
    let sources = |run: &Run| run.fingerprints.iter().filter_map(|(_, source)| *source).collect::<Vec<_>>();
    match matches(&references(first), &references(second)) {
        0 => ("sources", matches(&sources(first), &sources(second))),
        shared => ("references", shared),
    }
}

/// Counts the common values of two lists; a value counts the smaller number of its occurrences in the two
/// lists.
fn matches<T: Eq + std::hash::Hash>(first: &[T], second: &[T]) -> usize {
    let mut left: HashMap<&T, usize> = HashMap::new();
    first.iter().for_each(|value| *left.entry(value).or_default() += 1);
    // A value that all segments share does not identify a segment.
    if left.len() < 2 {
        return 0;
    }
    let mut shared = 0;
    for value in second {
        if let Some(count) = left.get_mut(value).filter(|count| **count > 0) {
            *count -= 1;
            shared += 1;
        }
    }
    shared
}

impl UnpairedSide<'_> {
    /// Returns the name of the group (such as a user) that each segment belongs to, or `None` if segments are
    /// not grouped. Errors name the system.
    fn unit_labels(&self, unit: Option<&str>) -> Result<Option<Vec<&str>>> {
        let name = self.name;
        let run = self.run;
        match (&self.units, unit) {
            (Some(units), _) => {
                bleuprint_inference::require_equal(
                    &format!("the units of {name}"),
                    units.len(),
                    name,
                    run.len(),
                )?;
                Ok(Some(units.iter().map(String::as_str).collect()))
            }
            (None, Some(unit)) => {
                let labels = run.labels.values_of(unit);
                labels.map(Some).map_err(|error| InputError::malformed(format!("{name}: {error}")))
            }
            (None, None) => Ok(None),
        }
    }
}

fn require_sides(sides: &[UnpairedSide<'_>]) -> Result<()> {
    let Some(first) = sides.first() else { return Ok(()) };
    require_distinct(&sides.iter().map(|side| side.name).collect::<Vec<_>>())?;
    for UnpairedSide { name, run, .. } in sides {
        if run.systems.len() != 1 {
            let systems = run.systems.join(", ");
            return Err(InputError::malformed(format!(
                "{systems}: an unpaired test takes one system a side"
            )));
        }
        bleuprint_inference::require_equal(
            &format!("the list of metrics of {}", first.name),
            first.run.metrics.len(),
            &format!("that of {name}"),
            run.metrics.len(),
        )?;
        for (metric, other) in first.run.metrics.iter().zip(&run.metrics) {
            metric.state_key().require_equal(&other.state_key())?;
        }
    }
    Ok(())
}

/// Requires that segments are grouped (for example by user) in all systems or in none, and that no group
/// occurs in two systems.
fn require_disjoint(
    sides: &[UnpairedSide<'_>],
    units: &[Option<Vec<&str>>],
    request: &UnpairedRequest,
) -> Result<()> {
    // Units that nobody asked for may have the same names on both sides, such as the items of one benchmark:
    // `shared_segments` warns of them.
    let asked = request.unit.is_some() || sides.iter().any(|side| side.units.is_some());
    let label = request.unit.as_deref().unwrap_or("unit");
    let named: Vec<(&str, Option<Units>)> =
        sides.iter().zip(units).map(|(side, units)| (side.name, units.as_ref().map(Units::by))).collect();
    for (place, (name, one)) in named.iter().enumerate() {
        for (other_name, other) in &named[place + 1..] {
            match (one, other) {
                (Some(one), Some(other)) if asked => one.require_disjoint(label, name, other, other_name)?,
                (Some(_), Some(_)) | (None, None) => {}
                _ => {
                    let message = format!("of {name} and {other_name}, one has units and the other has none");
                    return Err(InputError::malformed(message));
                }
            }
        }
    }
    Ok(())
}

fn compare_under<'r>(
    sides: &[UnpairedSide<'r>],
    (unit, labels): (Option<&str>, &[Option<Vec<&str>>]),
    request: &UnpairedRequest,
    place: usize,
    metric: &'r AnyMetric,
    several: bool,
) -> Result<Comparison<'r>> {
    let unit = unit.map(str::to_owned);
    if !metric.zero().is_row() && several {
        let score = |side: &UnpairedSide<'_>| Ok(side.run.score_of(place, 0, 0..side.run.len())?.score.value);
        let scores = sides.iter().map(score).collect::<Result<Vec<_>>>()?;
        let matrix = PairMatrix { test: "none", scores, ..PairMatrix::default() };
        let (left_out, wilson, details) = (0, None, None);
        return Ok(Comparison { metric, matrix, tested: false, left_out, unit, wilson, details });
    }
    let mut counted: Vec<(CountRows, Option<Units>)> = Vec::new();
    let mut left_out = 0;
    let mut common = Vec::new();
    for (UnpairedSide { run, .. }, labels) in sides.iter().zip(labels) {
        let (segments, mut rows) = run.common_rows(place)?;
        left_out += run.len() - segments.len();
        let units = labels.as_ref().map(|labels| Units::by(segments.iter().map(|&segment| labels[segment])));
        counted.push((rows.swap_remove(0), units));
        common.push(segments);
    }
    let finish = |row: &[u64]| score_row(metric, row).unwrap_or(f64::NAN);
    let counted: Vec<_> = counted.iter().map(|(rows, units)| (rows, units.as_ref())).collect();
    let higher_is_better = metric.scale().direction == Direction::HigherIsBetter;
    let design = Unpaired { higher_is_better, ..request.design };
    let composition = metric.identity().composition();
    let scores = match composition {
        Composition::MeanOrRate => counted.iter().flat_map(|(rows, _)| rows.iter().map(finish)).collect(),
        _ => Vec::new(),
    };
    let approach = Approach::new(composition, metric.scale(), scores);
    let tested = design.compare_as(approach, metric.scale().max, &counted, &finish);
    let matrix: PairMatrix = tested.map_err(|error| match error.kind() {
        InputErrorKind::NoScore { reason, .. } => {
            InputError::no_score(metric.identity().name().to_owned(), reason.clone())
        }
        _ => error,
    })?;
    let each = sides.iter().zip(&common).zip(&matrix.scores);
    let rates =
        each.map(|((side, common), &score)| side.run.rates(place, common, &[score]).map(|rates| rates[0]));
    let is_rate = approach == Approach::Rate && labels.iter().all(Option::is_none);
    let wilson = is_rate.then(|| rates.collect()).flatten();
    Ok(Comparison { metric, matrix, tested: true, wilson, unit, details: None, left_out })
}
