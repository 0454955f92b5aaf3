//! Reads input for a metric with its own data type, such as spans, from Python objects. The objects are
//! converted to the JSON values that files would contain.

use bleuprint::AnyMetric;
use bleuprint::contract::{AnyForm, Metric as _};
use bleuprint::eval::evaluation::{OwnData, RunLabels, SegmentPart, SystemData, TextCorpus, read_own};
use bleuprint::text::read::{EmptyReferences, plain_value};
use pyo3::prelude::*;

use crate::errors::{OrRaise as _, value};
use crate::segments::data::{SequenceData, require_groups};
use crate::segments::lists::{
    ListInput, OwnList, OwnSequence, ReferenceLists, Segments, SequenceList, require_equal,
};
use crate::segments::read::items;
use crate::values::count::WholeNumber;
use crate::values::json::json;
use crate::values::place::{ValuePlace, wrong};

/// Data type, such as spans or speaker turns, that a metric takes instead of text. Its methods read Python
/// objects of this type.
#[pyclass(frozen, module = "bleuprint._native", name = "Form")]
pub(crate) struct OwnForm {
    form: AnyForm,
    one_reference: bool,
}

#[pymethods]
impl OwnForm {
    /// Reads hypotheses with their references and sources. References are given for each segment or as
    /// streams (one list for each reference number).
    #[pyo3(signature = (hypotheses, references=None, reference_streams=None, sources=None, *, group_size=WholeNumber(1), name="hypotheses"))]
    fn data(
        &self,
        hypotheses: &Bound<'_, PyAny>,
        references: Option<&Bound<'_, PyAny>>,
        reference_streams: Option<&Bound<'_, PyAny>>,
        sources: Option<&Bound<'_, PyAny>>,
        group_size: WholeNumber,
        name: &str,
    ) -> PyResult<SequenceData> {
        let group_size = group_size.at_most("group_size", usize::MAX)?;
        if group_size == 0 {
            return Err(value("group_size is 0, but must be at least 1"));
        }
        let hypotheses = self.column(SegmentPart::Hypothesis, hypotheses, ValuePlace::new(name))?;
        let groups = hypotheses.len() / group_size;
        let references = match (references, reference_streams) {
            (Some(_), Some(_)) => {
                return Err(value("references are given twice: for each segment, and as streams"));
            }
            (Some(given), None) => self.references(given)?,
            (None, Some(given)) => self.streams(given, groups)?,
            (None, None) => ReferenceLists { all: SequenceList::default(), ends: vec![0; groups] },
        };
        require_groups((name, hypotheses.len()), "references", &references.ends, group_size)?;
        let sources = sources
            .map(|given| self.column(SegmentPart::Source, given, ValuePlace::new("sources")))
            .transpose()?;
        if let Some(sources) = &sources {
            require_equal(name, hypotheses.len(), "sources", sources.len()).or_raise()?;
        }
        Ok(SequenceData::of_own(ListInput::Own(Segments { hypotheses, references, sources, group_size })))
    }

    fn __repr__(&self) -> String {
        self.words()
    }
}

impl OwnForm {
    /// Returns the data type that a metric takes instead of text, or `None` if it takes text, tokens, ids or
    /// numbers.
    pub(crate) fn from_metric(metric: &AnyMetric) -> Option<Self> {
        let one_reference = metric.identity().needs().one_reference;
        metric.view.form.map(|form| OwnForm { form, one_reference })
    }

    pub(crate) fn words(&self) -> String {
        self.form.to_string()
    }

    fn one(
        &self,
        part: SegmentPart,
        object: &Bound<'_, PyAny>,
        place: ValuePlace<'_>,
    ) -> PyResult<OwnSequence> {
        let given = json(object, place)?;
        let data = read_own(&self.form, part, &place.to_string(), &given).or_raise()?;
        // Fingerprints cover references and sources only, so JSON of hypotheses would waste memory.
        let printed =
            if part == SegmentPart::Hypothesis { String::new() } else { plain_value(&given).to_string() };
        Ok(OwnSequence { data, printed })
    }

    /// Reads a Python list that has one hypothesis, reference or source for each segment.
    pub(crate) fn column(
        &self,
        part: SegmentPart,
        object: &Bound<'_, PyAny>,
        place: ValuePlace<'_>,
    ) -> PyResult<OwnList> {
        let mut list = OwnList::default();
        for (at, item) in entries(object, place)?.iter().enumerate() {
            list.add(self.one(part, item, place.at(at))?);
        }
        Ok(list)
    }

    /// Reads the references of each segment: one reference or a list of references. If the metric allows only
    /// one reference, a list is itself the reference, such as a list of spans.
    fn references(&self, object: &Bound<'_, PyAny>) -> PyResult<ReferenceLists<Vec<OwnSequence>>> {
        let mut references = ReferenceLists { all: OwnList::default(), ends: Vec::new() };
        for (at, item) in entries(object, ValuePlace::new("references"))?.iter().enumerate() {
            let place = ValuePlace::new("references").at(at);
            match items(item).filter(|_| !self.one_reference) {
                Some(several) => {
                    for (at, one) in several?.iter().enumerate().filter(|(_, one)| !one.is_none()) {
                        references.all.add(self.one(SegmentPart::Reference, one, place.at(at))?);
                    }
                }
                None if item.is_none() => {}
                None => references.all.add(self.one(SegmentPart::Reference, item, place)?),
            }
            references.end();
        }
        Ok(references)
    }

    fn streams(
        &self,
        object: &Bound<'_, PyAny>,
        segments: usize,
    ) -> PyResult<ReferenceLists<Vec<OwnSequence>>> {
        let mut streams = Vec::new();
        for (number, stream) in entries(object, ValuePlace::new("reference_streams"))?.iter().enumerate() {
            let place = ValuePlace::new("reference_streams").at(number);
            let stream = entries(stream, place)?;
            let name = format!("reference stream {}", number + 1);
            require_equal("hypotheses", segments, &name, stream.len()).or_raise()?;
            streams.push((place, stream));
        }
        let mut references = ReferenceLists { all: OwnList::default(), ends: Vec::new() };
        for at in 0..segments {
            for (place, stream) in &streams {
                if !stream[at].is_none() {
                    references.all.add(self.one(SegmentPart::Reference, &stream[at], place.at(at))?);
                }
            }
            references.end();
        }
        Ok(references)
    }

    /// Creates the corpus of several systems. `data` has the references and the outputs of the first system;
    /// `outputs` are the outputs of the other systems.
    pub(crate) fn corpus(
        &self,
        systems: Vec<String>,
        data: &Segments<Vec<OwnSequence>>,
        outputs: &[Bound<'_, PyAny>],
    ) -> PyResult<TextCorpus> {
        let hypotheses = |list: &OwnList| SystemData {
            hypotheses: list.data().iter().map(|own| own.data.clone()).collect(),
            origin: None,
        };
        let mut all = vec![hypotheses(&data.hypotheses)];
        for (output, name) in outputs.iter().zip(&systems[1..]) {
            let output = self.column(SegmentPart::Hypothesis, output, ValuePlace::new(name))?;
            require_equal(&systems[0], data.len(), name, output.len()).or_raise()?;
            all.push(hypotheses(&output));
        }
        let references = |at: usize| data.references.segment(at).iter().map(|own| own.data.clone()).collect();
        let source = |at: usize| data.sources.as_ref().map(|sources| sources.data()[at].data.clone());
        let mut corpus = TextCorpus::of_numbers(&systems, data.len());
        // Emptiness is not defined for data of a metric's own type.
        corpus.empty_references = EmptyReferences::Keep;
        corpus.labels = RunLabels::none(data.len());
        for (at, segment) in corpus.segments.iter_mut().enumerate() {
            segment.references = data.references.printed(at).map(str::to_owned).collect();
            segment.source = data.printed_source(at).map(str::to_owned);
        }
        let own = OwnData {
            form: self.form,
            systems: all,
            references: (0..data.len()).map(references).collect(),
            sources: (0..data.len()).map(source).collect(),
        };
        corpus.add_own(own).or_raise()?;
        Ok(corpus)
    }
}

/// Returns the items of a Python list, of a Python or NumPy array, or of an Arrow column, as Python objects.
fn entries<'py>(object: &Bound<'py, PyAny>, place: ValuePlace<'_>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    if let Some(items) = items(object) {
        return items;
    }
    // NumPy and pandas have `tolist`, PyArrow has `to_pylist`, Polars has `to_list`.
    for by in ["tolist", "to_pylist", "to_list"] {
        if object.hasattr(by)?
            && let Some(items) = items(&object.call_method0(by)?)
        {
            return items;
        }
    }
    Err(wrong(place, object, "a list with an entry for each segment"))
}
