//! [`OwnData`]: data of a form that a metric brings, of every segment of every system; [`read_own`] makes them of JSON.

use std::fmt;
use std::sync::Arc;

use bleuprint_core::{InputError, Result};
use bleuprint_registry::{AnyForm, Data};
use serde_json::Value;

/// Data of one form, of every segment of every system.
#[derive(Clone)]
#[expect(clippy::exhaustive_structs, reason = "closed: data need all of it")]
pub struct OwnData {
    /// The form, for which metrics ask by its name.
    pub form: AnyForm,
    /// By system.
    pub systems: Vec<SystemData>,
    /// The references of each segment, possibly none.
    pub references: Vec<Vec<Arc<Data>>>,
    /// The source of each segment, if known.
    pub sources: Vec<Option<Arc<Data>>>,
}

/// The hypotheses of a system.
#[derive(Clone, Default)]
#[expect(clippy::exhaustive_structs, reason = "closed: data need all of it")]
pub struct SystemData {
    /// One of each segment.
    pub hypotheses: Vec<Arc<Data>>,
    /// The file, and the line of each segment in it, for errors.
    pub origin: Option<(Arc<str>, Vec<u64>)>,
}

/// Data of one form are equal if they are the same in memory.
impl PartialEq for OwnData {
    fn eq(&self, other: &Self) -> bool {
        let same = |one: &[Arc<Data>], other: &[Arc<Data>]| {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| Arc::ptr_eq(one, other))
        };
        let lists = |own: &Self| -> Vec<Vec<Arc<Data>>> {
            let hypotheses = own.systems.iter().map(|system| system.hypotheses.clone());
            let sources = own.sources.iter().map(|source| source.iter().cloned().collect());
            hypotheses.chain(own.references.iter().cloned()).chain(sources).collect()
        };
        let one = lists(self);
        let two = lists(other);
        self.form == other.form
            && self.systems.len() == other.systems.len()
            && one.len() == two.len()
            && one.iter().zip(&two).all(|(one, other)| same(one, other))
    }
}

impl fmt::Debug for OwnData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OwnData({:?}, {} systems)", self.form, self.systems.len())
    }
}

/// A part of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "closed: the three parts of a segment")]
pub enum SegmentPart {
    /// The hypothesis.
    Hypothesis,
    /// A reference.
    Reference,
    /// The source.
    Source,
}

/// Reads a value of JSON as a part of a segment of this form: the one way of files and of Python.
///
/// ```
/// use bleuprint_core::{Form, Identity, PerSegment, Scale, Segment};
/// use bleuprint_eval::evaluation::{SegmentPart, read_own};
/// use bleuprint_registry::AnyMetric;
///
/// #[derive(serde::Deserialize)]
/// struct Samples { n: u32, c: u32 }
///
/// impl Form for Samples {
///     const NAME: &'static str = "samples";
///     const FIELDS: &'static [(&'static str, &'static str)] = &[("n", "all"), ("c", "right")];
///     type Reference = Self;
///     type Source = Self;
/// }
///
/// let metric = AnyMetric::over_own::<Samples, _>(PerSegment::new(
///     Identity::new("pass@1", 1, Scale::UNIT).reference_free(),
///     |segment: Segment<'_, Samples>| Ok(f64::from(segment.hypothesis.c) / f64::from(segment.hypothesis.n)),
/// ));
/// let form = metric.view.form.unwrap();
/// let read = |value| read_own(&form, SegmentPart::Hypothesis, "the record", &value);
/// assert!(read(serde_json::json!({"n": 4, "c": 1})).unwrap().downcast_ref::<Samples>().is_some_and(|own| own.c == 1));
/// let error = read(serde_json::json!({"n": 4, "c": "1"})).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the record is no `samples` data (n, c): `c`: invalid type: string \"1\", expected u32"
/// );
/// ```
///
/// # Errors
/// Those of the form, with the place, the form, and the field.
pub fn read_own(form: &AnyForm, part: SegmentPart, place: &str, value: &Value) -> Result<Arc<Data>> {
    let read = match part {
        SegmentPart::Hypothesis => form.hypothesis(value),
        SegmentPart::Reference => form.reference(value),
        SegmentPart::Source => form.source(value),
    };
    read.map(Arc::from).map_err(|error| InputError::malformed(format!("{place} is no {form}: {error}")))
}
