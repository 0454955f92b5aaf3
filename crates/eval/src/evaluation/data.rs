//! [`OwnData`]: evaluation data in a structured type that a metric defines (its input form), for metrics that
//! do not take plain text. [`read_own`] reads such data from JSON.

use std::fmt;
use std::sync::Arc;

use bleuprint_core::{Answer, Ask, InputError, Observe as _, Pairing, Result, Wanted};
use bleuprint_registry::{AnyForm, AnyMetric, AnyScratch, Data};
use serde_json::Value;

/// Evaluation data in a structured type that a metric defines (its input form): hypotheses of every system,
/// references and sources of every segment.
#[derive(Clone)]
#[expect(clippy::exhaustive_structs, reason = "closed: data need all of it")]
pub struct OwnData {
    /// Input form: the structured type of the data, such as spans or samples. A metric finds its data by the
    /// form's name.
    pub form: AnyForm,
    /// Hypotheses of each system, as values of the metric's structured type; one entry for each system.
    pub systems: Vec<SystemData>,
    /// References of each segment, as values of the metric's structured type. The list of a segment may be
    /// empty.
    pub references: Vec<Vec<Arc<Data>>>,
    /// Source of each segment, as a value of the metric's structured type, if known.
    pub sources: Vec<Option<Arc<Data>>>,
}

/// Hypotheses of one system in a metric's own structured type, with their lines in the input file.
#[derive(Clone, Default)]
#[expect(clippy::exhaustive_structs, reason = "closed: data need all of it")]
pub struct SystemData {
    /// Hypotheses of the system, one for each segment.
    pub hypotheses: Vec<Arc<Data>>,
    /// Name of the input file, and the line of each segment in it, for error messages.
    pub origin: Option<(Arc<str>, Vec<u64>)>,
}

impl OwnData {
    /// Returns which names of the reference and the hypothesis `metric` matched in a segment, or `None` if it
    /// matches no names. `system` and `segment` are indices.
    pub(super) fn pairing(
        &self,
        metric: &AnyMetric,
        system: usize,
        segment: usize,
    ) -> Result<Option<Pairing>> {
        let references: Vec<&Data> = self.references[segment].iter().map(|one| &**one).collect();
        let hypotheses = [&*self.systems[system].hypotheses[segment]];
        let mut ask = Ask::<Data>::new(Wanted::Pairing, &hypotheses, &references);
        ask.source = self.sources[segment].as_deref();
        Ok(match metric.ask(&mut AnyScratch::default(), ask)? {
            Some(Answer::Pairing(pairing)) => Some(pairing),
            _ => None,
        })
    }
}

/// Compares the data by address in memory: two values are equal if they share the same data, because
/// structured types of metrics need not implement comparison.
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

/// Role of data in a segment: hypothesis, reference or source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "closed: the three parts of a segment")]
pub enum SegmentPart {
    /// Hypothesis: the output of a system for the segment.
    Hypothesis,
    /// Reference: one of the correct outputs with which the hypothesis is compared.
    Reference,
    /// Source: the input for which the system made its output, such as the text to translate.
    Source,
}

/// Reads a JSON value as a hypothesis, reference or source of the given structured type (input form). Files
/// and Python both use this function.
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
/// let metric = AnyMetric::for_own::<Samples, _>(PerSegment::new(
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
/// Returns an error with `place`, the input form and the field if the value does not fit the type.
pub fn read_own(form: &AnyForm, part: SegmentPart, place: &str, value: &Value) -> Result<Arc<Data>> {
    let read = match part {
        SegmentPart::Hypothesis => form.hypothesis(value),
        SegmentPart::Reference => form.reference(value),
        SegmentPart::Source => form.source(value),
    };
    read.map(Arc::from).map_err(|error| InputError::malformed(format!("{place} is no {form}: {error}")))
}
