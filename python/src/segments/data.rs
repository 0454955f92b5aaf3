//! `Data`: the hypotheses, references and sources of a Python call, as text or token ids. They are copied
//! from Python once, so that metrics can run without the Python interpreter.

use bleuprint::text::read::EmptyReferences;
use bleuprint_core::counted;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::errors::{OrRaise as _, type_error, value};
use crate::segments::lists::{
    AnyReferences, ListInput, ListKind, ListSequences, ReferenceLists, Segments, SequenceList, require_equal,
};
use crate::segments::objects::{Objects, shown};
use crate::segments::read::{held, items, sequences};
use crate::segments::references::{holds_ids, references as read_references, references_at, streams};
use crate::values::arrow::{self, Nulls};
use crate::values::count::WholeNumber;
use crate::values::place::ValuePlace;

#[pyclass(frozen, module = "bleuprint._native", name = "Data")]
pub(crate) struct SequenceData {
    pub(crate) input: ListInput,
    /// Flag for each row of the input columns: `true` if the row was kept, `false` if it was left out because
    /// of a null. Empty if the input was not read from columns.
    pub(crate) kept: Vec<bool>,
    /// Python objects to score, if the input is objects instead of texts; each text is then the key of an
    /// object.
    objects: Option<Py<Objects>>,
}

type Named<'py> = (String, Bound<'py, PyAny>);

#[pymethods]
impl SequenceData {
    /// Reads hypotheses with their references and sources from Python. References are given for each segment
    /// or as streams (one list for each reference number).
    ///
    /// Each `group_size` consecutive hypotheses share the references of their group. With `missing`, a
    /// reference of a stream may be None. `empty_references` says how to treat empty references next to other
    /// references. `name` is the name of the hypotheses in errors. With `objects`, the texts are keys of
    /// these objects.
    #[new]
    #[pyo3(signature = (hypotheses, references=None, reference_streams=None, sources=None, *, group_size=WholeNumber(1), missing=false, empty_references="error", name="hypotheses", objects=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn new(
        hypotheses: &Bound<'_, PyAny>,
        references: Option<&Bound<'_, PyAny>>,
        reference_streams: Option<&Bound<'_, PyAny>>,
        sources: Option<&Bound<'_, PyAny>>,
        group_size: WholeNumber,
        missing: bool,
        empty_references: &str,
        name: &str,
        objects: Option<Py<Objects>>,
    ) -> PyResult<Self> {
        let size = group_size.at_most("group_size", usize::MAX)?;
        // A size of 0 would divide by zero below.
        if size == 0 {
            return Err(value("group_size is 0, but must be at least 1"));
        }
        let hypotheses = sequences(hypotheses, ValuePlace::new(name))?;
        let ids = matches!(hypotheses, ListSequences::Ids(_));
        let groups = Some(hypotheses.len() / size);
        let references = either(references, reference_streams, ids, groups, missing)?;
        let sources = sources.map(|sources| sequences(sources, ValuePlace::new("sources"))).transpose()?;
        // Errors name the argument that the user gave, for example `output` of a system.
        let names = DataNames { hypotheses: name, ..DataNames::ARGUMENTS };
        let data = SequenceData::from_input(
            names.input(hypotheses, references, sources, size)?,
            empty_references,
            Vec::new(),
        )?;
        Ok(SequenceData { objects, ..data })
    }

    /// Reads references without hypotheses, for metrics that learn weights from the references.
    #[staticmethod]
    #[pyo3(signature = (references, reference_streams, empty_references="error"))]
    fn of_references(
        references: Option<&Bound<'_, PyAny>>,
        reference_streams: Option<&Bound<'_, PyAny>>,
        empty_references: &str,
    ) -> PyResult<Self> {
        let references = references.map(held).transpose()?;
        let ids = references.as_ref().map(holds_ids).transpose()?.unwrap_or(false);
        let given = either(references.as_ref(), reference_streams, ids, None, false)?;
        let given = given.ok_or_else(|| value("there are no references to learn from"))?;
        let AnyReferences { all, ends } = given;
        let input = match all {
            ListSequences::Texts(all) => {
                ListInput::Texts(Segments::of_references(ReferenceLists { all, ends }))
            }
            ListSequences::Ids(all) => ListInput::Ids(Segments::of_references(ReferenceLists { all, ends })),
        };
        SequenceData::from_input(input, empty_references, Vec::new())
    }

    /// Reads hypotheses and references from columns of equal length, as in a data frame. A null is an error,
    /// unless `skip` is set, which leaves out its row.
    #[staticmethod]
    #[pyo3(signature = (hypotheses, references, sources, skip, empty_references="error"))]
    fn of_columns(
        hypotheses: Named<'_>,
        references: Option<Named<'_>>,
        sources: Option<Named<'_>>,
        skip: bool,
        empty_references: &str,
    ) -> PyResult<Self> {
        let mut nulls = if skip { Nulls::Noted(Vec::new()) } else { Nulls::Refused };
        let given = column(&hypotheses, &mut nulls)?;
        // The hypotheses decide how lists of references are read: a list of ints is one sequence only if
        // the data is ids.
        let ids = matches!(given, ListSequences::Ids(_));
        let own = references.as_ref().map(|named| reference_column(named, ids, &mut nulls)).transpose()?;
        let own_sources = sources.as_ref().map(|named| column(named, &mut nulls)).transpose()?;
        let name = |named: &Option<Named<'_>>| named.as_ref().map_or(String::new(), |(name, _)| name.clone());
        let references = name(&references);
        let sources = name(&sources);
        let names = DataNames {
            hypotheses: &hypotheses.0,
            references: &references,
            sources: &sources,
            columns: true,
        };
        let mut kept = vec![true; given.len()];
        let input = names.input(given, own, own_sources, 1)?;
        // One null leaves out the whole row, so all columns record their rows in one list. A row can occur
        // twice.
        let out = if let Nulls::Noted(rows) = nulls { rows } else { Vec::new() };
        for &row in &out {
            kept[row] = false;
        }
        // Rows are removed after the lengths were compared and empty references were settled, so that
        // errors name the rows of the user.
        let SequenceData { input, kept, objects } = SequenceData::from_input(input, empty_references, kept)?;
        let input = match input {
            ListInput::Texts(segments) if !out.is_empty() => ListInput::Texts(segments.kept(&kept)),
            ListInput::Ids(segments) if !out.is_empty() => ListInput::Ids(segments.kept(&kept)),
            input => input,
        };
        Ok(SequenceData { input, kept, objects })
    }
}

impl SequenceData {
    fn from_input(input: ListInput, empty_references: &str, kept: Vec<bool>) -> PyResult<Self> {
        let meaning = empty_references.parse::<EmptyReferences>().or_raise()?;
        let input = match input {
            ListInput::Texts(segments) => segments.settled(meaning, &kept).map(ListInput::Texts),
            ListInput::Ids(segments) => segments.settled(meaning, &kept).map(ListInput::Ids),
            ListInput::Own(segments) => Ok(ListInput::Own(segments)),
        };
        Ok(SequenceData { input: input.or_raise()?, kept, objects: None })
    }

    /// Wraps the input of a metric with its own data type, such as spans or speaker turns. Such input has no
    /// empty references.
    pub(crate) fn of_own(input: ListInput) -> Self {
        SequenceData { kept: vec![true; input.len()], input, objects: None }
    }

    /// Returns a text for fingerprints and reports: for the key of a Python object, the object as JSON or
    /// `repr`; for any other text, the text itself.
    pub(crate) fn shown(&self, py: Python<'_>, text: &str) -> PyResult<String> {
        if self.objects.is_some() { shown(py, text) } else { Ok(text.to_owned()) }
    }

    pub(crate) fn is_of_objects(&self) -> bool {
        self.objects.is_some()
    }

    pub(crate) fn is_ids(&self) -> bool {
        matches!(self.input, ListInput::Ids(_))
    }
}

fn either(
    references: Option<&Bound<'_, PyAny>>,
    reference_streams: Option<&Bound<'_, PyAny>>,
    ids: bool,
    segments: Option<usize>,
    missing: bool,
) -> PyResult<Option<AnyReferences>> {
    match (references, reference_streams) {
        (Some(_), Some(_)) => Err(value("references are given twice: for each segment, and as streams")),
        (Some(given), None) => read_references(given, ids).map(Some),
        (None, Some(given)) => streams(given, segments, missing).map(Some),
        (None, None) => Ok(None),
    }
}

/// Names of the Python arguments or columns that hold the input, used in error messages.
struct DataNames<'n> {
    hypotheses: &'n str,
    references: &'n str,
    sources: &'n str,
    columns: bool,
}

impl DataNames<'_> {
    const ARGUMENTS: DataNames<'static> =
        DataNames { hypotheses: "hypotheses", references: "references", sources: "sources", columns: false };

    fn input(
        &self,
        hypotheses: ListSequences,
        references: Option<AnyReferences>,
        sources: Option<ListSequences>,
        group_size: usize,
    ) -> PyResult<ListInput> {
        match hypotheses {
            ListSequences::Texts(list) => {
                self.segments(list, references, sources, group_size).map(ListInput::Texts)
            }
            ListSequences::Ids(list) => {
                self.segments(list, references, sources, group_size).map(ListInput::Ids)
            }
        }
    }

    fn segments<D: ListKind>(
        &self,
        hypotheses: SequenceList<D>,
        references: Option<AnyReferences>,
        sources: Option<ListSequences>,
        group_size: usize,
    ) -> PyResult<Segments<D>> {
        let name = self.hypotheses;
        let len = hypotheses.len();
        let unlike = |other: &str| {
            type_error(if self.columns {
                format!("{name} is a column of {}, but {other} one of {}", D::NAME, D::OTHER)
            } else {
                format!("{name} are {}, but {other} are {}", D::NAME, D::OTHER)
            })
        };
        let references = references.unwrap_or_else(|| AnyReferences::none(len / group_size));
        let references = references.of_kind::<D>().ok_or_else(|| unlike(self.references))?;
        let sources = sources.map(|given| D::list(given).ok_or_else(|| unlike(self.sources))).transpose()?;
        require_groups((name, len), self.references, &references.ends, group_size)?;
        if let Some(sources) = &sources {
            require_equal(name, len, self.sources, sources.len()).or_raise()?;
        }
        Ok(Segments { hypotheses, references, sources, group_size })
    }
}

/// Returns an error unless there is one list of references for each group of `group_size` hypotheses. `ends`
/// has the index after the last reference of each list.
pub(crate) fn require_groups(
    (name, len): (&str, usize),
    references: &str,
    ends: &[usize],
    group_size: usize,
) -> PyResult<()> {
    if group_size == 1 {
        return require_references((name, len), references, ends);
    }
    if ends.len().checked_mul(group_size) == Some(len) {
        return Ok(());
    }
    let segments = counted(len, "segment");
    let groups = counted(ends.len(), "group");
    Err(value(format!("hypotheses has {segments}, but references has {groups} of {group_size}")))
}

/// Returns an error unless each of the `len` segments has a list of references. `ends` has the index after
/// the last reference of each list.
fn require_references((name, len): (&str, usize), references: &str, ends: &[usize]) -> PyResult<()> {
    // If a list has one reference per segment, the lists are likely streams in the layout of sacreBLEU, which
    // the error then names. Other streams may lack references.
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let streams = len != ends.len() && len > 1 && starts.zip(ends).any(|(start, &end)| end - start == len);
    require_equal(name, len, references, ends.len()).map_err(|error| {
        if streams && !ends.is_empty() {
            value(format!("{error}: streams of references, as sacreBLEU has them, are `reference_streams=`"))
        } else {
            value(error)
        }
    })
}

fn column((name, object): &Named<'_>, nulls: &mut Nulls) -> PyResult<ListSequences> {
    let place = ValuePlace::new(name);
    match arrow::read_nulls(object, place, nulls)? {
        Some(column) if column.ends.is_none() => Ok(column.items),
        Some(_) => Err(type_error(format!(
            "{place} is a column of lists of sequences, but must have one for each row"
        ))),
        None => sequences(&without_none(object, nulls)?, place),
    }
}

fn reference_column((name, object): &Named<'_>, ids: bool, nulls: &mut Nulls) -> PyResult<AnyReferences> {
    let place = ValuePlace::new(name);
    match arrow::read_nulls(object, place, nulls)? {
        Some(column) => Ok(column.into_references()),
        None => references_at(&without_none(object, nulls)?, ids, place),
    }
}

/// Returns a copy of a Python list in which empty sequences replace `None` items, and records the positions
/// of these items in `nulls`. Other objects are returned unchanged, and so are all objects if `nulls` does
/// not record.
fn without_none<'py>(object: &Bound<'py, PyAny>, nulls: &mut Nulls) -> PyResult<Bound<'py, PyAny>> {
    let (Nulls::Noted(rows), Some(items)) = (nulls, items(object)) else { return Ok(object.clone()) };
    let mut items = items?;
    // The first item decides whether the column holds texts or ids.
    let first = items.iter().find(|item| !item.is_none());
    let empty = if first.is_none_or(|first| first.is_instance_of::<PyString>()) {
        PyString::new(object.py(), "").into_any()
    } else {
        PyList::empty(object.py()).into_any()
    };
    for (row, item) in items.iter_mut().enumerate().filter(|(_, item)| item.is_none()) {
        rows.push(row);
        // The empty sequence keeps the row numbers of all columns equal until the row is removed.
        *item = empty.clone();
    }
    Ok(PyList::new(object.py(), items)?.into_any())
}
