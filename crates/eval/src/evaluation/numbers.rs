//! [`NumberColumn`]: segment scores or other numbers that other programs computed, for each segment of every
//! system.

use std::sync::Arc;

use bleuprint_core::{
    InputError, Location, Metric as _, Observe as _, Result, Segment, SegmentCounts, State,
};
use bleuprint_registry::{AnyMetric, AnyScratch, AnyState};

use super::TextCorpus;

/// Named column of numbers that another program computed: one number for each segment of every system.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct NumberColumn {
    /// Name of the column, by which metrics find it.
    pub name: String,
    /// Values of the column: for each system, one number for each of its segments. The systems are in the
    /// order of the corpus.
    pub systems: Vec<SystemNumbers>,
    /// `true` for each segment to which the column does not apply, such as an item of another task. Scores
    /// leave out such a segment, even if the metric counts missing numbers. An empty list means that the
    /// column applies to all segments.
    pub outside: Vec<bool>,
}

/// Numbers that another program computed for the segments of one system.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct SystemNumbers {
    /// Number for each segment; `None` if the number is missing.
    pub values: Vec<Option<f64>>,
    /// Name of the input file, and the line of each number in it, for error messages. Line 0 marks a segment
    /// that is not in the file; [`NO_LINE`](Self::NO_LINE) marks a file without lines, such as JSON.
    pub origin: Option<(Arc<str>, Vec<u64>)>,
}

impl SystemNumbers {
    /// The line of a number in a file that has no lines, such as a JSON document.
    pub const NO_LINE: u64 = u64::MAX;

    /// Creates the numbers of one system, one for each segment; `None` and NaN both count as missing.
    pub fn new(values: impl IntoIterator<Item = Option<f64>>) -> Self {
        let values = values.into_iter().map(|value| value.filter(|value| !value.is_nan())).collect();
        SystemNumbers { values, origin: None }
    }
}

/// Computes the statistics of every segment of every system, for a metric over numbers that another program
/// computed.
pub(super) fn observe(metric: &AnyMetric, corpus: &TextCorpus) -> Result<Vec<Vec<AnyState>>> {
    let column = |name: &String| {
        corpus.numbers.iter().find(|column| column.name == *name).ok_or_else(|| {
            let known: Vec<&str> = corpus.numbers.iter().map(|column| column.name.as_str()).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            InputError::malformed(format!("there is no column `{name}` of numbers; the columns: {known}"))
        })
    };
    let columns = metric.view.numbers.columns.iter().map(column).collect::<Result<Vec<_>>>()?;
    let is_outside = |segment: usize| columns.iter().any(|column| column.outside.get(segment) == Some(&true));
    let outside: Vec<bool> = (0..corpus.segments.len()).map(is_outside).collect();
    let of_system = |system: usize| {
        let columns: Vec<&SystemNumbers> = columns.iter().map(|column| &column.systems[system]).collect();
        observe_system(metric, &corpus.systems[system], &columns, &outside, corpus)
    };
    (0..corpus.systems.len()).map(of_system).collect()
}

fn observe_system(
    metric: &AnyMetric,
    system: &str,
    columns: &[&SystemNumbers],
    outside: &[bool],
    corpus: &TextCorpus,
) -> Result<Vec<AnyState>> {
    let mut scratch = AnyScratch::default();
    let numbers_of = |segment: usize| -> Vec<f64> {
        columns.iter().map(|column| column.values[segment].unwrap_or(f64::NAN)).collect()
    };
    let is_missing = |segment: usize| numbers_of(segment).iter().any(|number| number.is_nan());
    let segments = corpus.segments.len();
    let observe = |segment: usize| {
        // The state of no segment: it changes neither a sum nor the number of segments.
        if outside[segment] {
            return Ok(State::zero(metric));
        }
        let mut stats = metric.zero();
        let numbers = numbers_of(segment);
        let observed = metric.observe(&mut scratch, &mut stats, Segment::new(&numbers[..], &[]));
        let state = observed.and_then(|()| State::from_stats(metric, SegmentCounts::of_segment(0), stats));
        state.map_err(|error| {
            // The message counts the missing numbers, because the remedy differs for one gap and for an empty
            // column.
            let error = if is_missing(segment) {
                let items = (0..segments).filter(|&segment| !outside[segment]);
                let (missing, of) = (items.clone().filter(|&at| is_missing(at)).count(), items.count());
                InputError::malformed(format!("{error} ({missing} of {of} have none)"))
            } else {
                error
            };
            located(error, system, columns, segment, corpus.ids.get(segment))
        })
    };
    (0..segments).map(observe).collect()
}

/// Adds to the error the file and line that the number was read from, or the system and the segment if no
/// file is known.
fn located(
    error: InputError,
    system: &str,
    columns: &[&SystemNumbers],
    segment: usize,
    id: Option<&String>,
) -> InputError {
    let origin = columns.first().and_then(|column| column.origin.as_ref());
    let line = origin.and_then(|(file, lines)| Some((file.clone(), *lines.get(segment)?)));
    match (line, id) {
        // The line is 0: the file has other records, but none with this id.
        (Some((file, 0)), Some(id)) => {
            InputError::malformed(format!("it has no record `{id}`: {error}")).at(Location::file(file))
        }
        (Some((file, SystemNumbers::NO_LINE)), Some(id)) => {
            InputError::malformed(format!("the record `{id}`: {error}")).at(Location::file(file))
        }
        (Some((file, line)), _) if line > 0 && line < SystemNumbers::NO_LINE => {
            error.at(Location::line(file, line))
        }
        _ => {
            // The name that stands for an only system says nothing.
            let place = if system == "system" { String::new() } else { format!("system {system}: ") };
            InputError::malformed(format!("{place}{error}")).at(Location::segment(segment as u64 + 1))
        }
    }
}
