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
}

/// Numbers that another program computed for the segments of one system.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct SystemNumbers {
    /// Number for each segment; `None` if the number is missing.
    pub values: Vec<Option<f64>>,
    /// Name of the input file, and the line of each number in it, for error messages. Line 0 marks a segment
    /// that the file does not contain.
    pub origin: Option<(Arc<str>, Vec<u64>)>,
}

impl SystemNumbers {
    /// Creates the numbers of one system, one for each segment; `None` and NaN both count as missing.
    pub fn new(values: impl IntoIterator<Item = Option<f64>>) -> Self {
        let values = values.into_iter().map(|value| value.filter(|value| !value.is_nan())).collect();
        SystemNumbers { values, origin: None }
    }
}

/// Computes the statistics of every segment of every system, for a metric whose input are numbers that
/// another program computed.
pub(super) fn observe(metric: &AnyMetric, corpus: &TextCorpus) -> Result<Vec<Vec<AnyState>>> {
    let column = |name: &String| {
        corpus.numbers.iter().find(|column| column.name == *name).ok_or_else(|| {
            let known: Vec<&str> = corpus.numbers.iter().map(|column| column.name.as_str()).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            InputError::malformed(format!("there is no column `{name}` of numbers; the columns: {known}"))
        })
    };
    let columns = metric.view.numbers.columns.iter().map(column).collect::<Result<Vec<_>>>()?;
    let of_system = |system: usize| {
        let columns: Vec<&SystemNumbers> = columns.iter().map(|column| &column.systems[system]).collect();
        observe_system(metric, &corpus.systems[system], &columns, corpus)
    };
    (0..corpus.systems.len()).map(of_system).collect()
}

fn observe_system(
    metric: &AnyMetric,
    system: &str,
    columns: &[&SystemNumbers],
    corpus: &TextCorpus,
) -> Result<Vec<AnyState>> {
    let mut scratch = AnyScratch::default();
    let numbers_of = |segment: usize| -> Vec<f64> {
        columns.iter().map(|column| column.values[segment].unwrap_or(f64::NAN)).collect()
    };
    let is_missing = |segment: usize| numbers_of(segment).iter().any(|number| number.is_nan());
    let segments = corpus.segments.len();
    let observe = |segment: usize| {
        let mut stats = metric.zero();
        let numbers = numbers_of(segment);
        let observed = metric.observe(&mut scratch, &mut stats, Segment::new(&numbers[..], &[]));
        let state = observed.and_then(|()| State::from_stats(metric, SegmentCounts::of_segment(0), stats));
        state.map_err(|error| {
            // The message counts the missing numbers, because the remedy differs for one gap and for an empty
            // column.
            let error = if is_missing(segment) {
                let missing = (0..segments).filter(|&segment| is_missing(segment)).count();
                InputError::malformed(format!("{error} ({missing} of {segments} have none)"))
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
        (Some((file, line)), _) if line > 0 => error.at(Location::line(file, line)),
        // The line is 0: the file has other records, but none with this id.
        (Some((file, _)), Some(id)) => {
            InputError::malformed(format!("it has no record `{id}`: {error}")).at(Location::file(file))
        }
        _ => InputError::malformed(format!("system {system}: {error}"))
            .at(Location::segment(segment as u64 + 1)),
    }
}
