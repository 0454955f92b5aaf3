//! Lists the available metrics, tokenizers and normalizers, and scores a corpus under many settings
//! (`explain`).

use bleuprint::explain::{Explainer, NumberExplanation, NumberFinisher, RoundedTarget, TOKENIZERS};
use bleuprint::text::TokenBuffer;
use bleuprint::{
    CiteForm, Tokenizer as _, TokenizerOptions,
    contract::{Choice as _, OptionKind},
    tokenizer,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::errors::{OrRaise as _, value};
use crate::registry::{registry, tokenizers};
use crate::run::{ProgressArgument, WatchPlan, whole};
use crate::segments::data::SequenceData;
use crate::segments::lists::ListInput;
use crate::segments::read::push_text;
use crate::systems::show::shown;
use crate::values::count::{ListedItems, WholeNumber};
use crate::values::place::ValuePlace;

/// Returns one dict for every available metric: name, aliases, summary, papers, reference program, options.
#[pyfunction]
pub(crate) fn list_metrics(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for entry in registry().entries() {
        let dict = PyDict::new(py);
        dict.set_item("name", &*entry.name)?;
        dict.set_item("other_names", entry.names().skip(1).collect::<Vec<_>>())?;
        dict.set_item("summary", &*entry.summary)?;
        dict.set_item(
            "papers",
            entry.papers.iter().map(|paper| CiteForm::Text.write(paper)).collect::<Vec<_>>(),
        )?;
        dict.set_item("agrees_with", entry.agrees_with)?;
        dict.set_item("example", entry.example)?;
        dict.set_item("example_metric", entry.example_options().named(&entry.name))?;
        let options = PyList::empty(py);
        for option in entry.options {
            let of_option = PyDict::new(py);
            // Python names keyword arguments with underscores, the command line with hyphens.
            of_option.set_item("name", option.name.replace('-', "_"))?;
            of_option.set_item("default", option.default.to_string())?;
            of_option.set_item("help", option.help)?;
            of_option.set_item("kind", kind(&option.kind))?;
            let choices = if let OptionKind::Choice(choices) = option.kind { choices } else { &[] };
            of_option.set_item("choices", choices)?;
            options.append(of_option)?;
        }
        dict.set_item("options", options)?;
        list.append(dict)?;
    }
    Ok(list)
}

fn kind(kind: &OptionKind) -> &'static str {
    match kind {
        OptionKind::Choice(_) => "choice",
        OptionKind::Name => "name",
        OptionKind::Integer => "integer",
        OptionKind::Number => "number",
        OptionKind::Numbers => "numbers",
        OptionKind::Path => "path",
        OptionKind::Flag => "flag",
        _ => "text",
    }
}

/// Returns the citations of the papers that define these metrics, and of this package, as text or BibTeX.
#[pyfunction]
pub(crate) fn cite(metrics: Vec<String>, bibtex: bool) -> PyResult<String> {
    let form = if bibtex { CiteForm::Bibtex } else { CiteForm::Text };
    bleuprint::cite(&registry(), metrics.iter().map(String::as_str), form).or_raise()
}

/// Returns the names of all tokenizers in this build.
#[pyfunction]
pub(crate) fn list_tokenizers() -> Vec<&'static str> {
    let tokenizers = tokenizers();
    // Entries with a missing feature exist only to explain in errors how to get them.
    let built = tokenizers.entries().iter().filter(|entry| entry.missing_feature.is_none());
    built.map(|entry| entry.name).collect()
}

/// Tokenizer that was chosen by its name; calling it with a line of text returns the line's tokens.
#[pyclass(frozen, module = "bleuprint._native", name = "Tokenizer")]
pub(crate) struct PyTokenizer {
    tokenizer: Box<dyn bleuprint::Tokenizer>,
}

#[pymethods]
impl PyTokenizer {
    #[new]
    #[pyo3(signature = (name, model=None, dictionary=None))]
    fn new(name: &str, model: Option<String>, dictionary: Option<String>) -> PyResult<Self> {
        let options = TokenizerOptions {
            model: model.map(Into::into),
            dictionary: dictionary.map(Into::into),
            ..TokenizerOptions::default()
        };
        Ok(PyTokenizer { tokenizer: tokenizer(name, &options).or_raise()? })
    }

    /// Returns the name under which the tokenizer appears in metric signatures.
    #[getter]
    fn label(&self) -> &str {
        self.tokenizer.token_space()
    }

    fn __call__(&self, line: &Bound<'_, PyString>) -> PyResult<Vec<String>> {
        let mut text = crate::segments::lists::Texts::default();
        push_text(&mut text, line.as_any(), ValuePlace::new("line"))?;
        let mut buffer = TokenBuffer::default();
        let tokens = self.tokenizer.tokenize(text.get(0), &mut buffer).or_raise()?;
        Ok(tokens.iter().map(str::to_owned).collect())
    }
}

#[pyfunction]
#[pyo3(signature = (data, tokenizers=None, target=None, decimals=WholeNumber(1), threads=None, progress=None))]
pub(crate) fn explain<'py>(
    py: Python<'py>,
    data: &SequenceData,
    tokenizers: Option<ListedItems<String>>,
    target: Option<f64>,
    decimals: WholeNumber,
    threads: Option<WholeNumber>,
    progress: Option<ProgressArgument>,
) -> PyResult<Bound<'py, PyAny>> {
    let ListInput::Texts(segments) = &data.input else {
        return Err(crate::errors::type_error("hypotheses are ids, but must be text"));
    };
    if target.is_some_and(|target| !target.is_finite()) {
        return Err(value("the target must be a finite number, in percent"));
    }
    // A 64-bit float has at most 17 significant digits, so more decimals would add nothing.
    let decimals = decimals.at_most("decimals", 17)?;
    let names: Vec<&str> = match &tokenizers {
        Some(ListedItems(names)) => names.iter().map(String::as_str).collect(),
        None => TOKENIZERS.to_vec(),
    };
    let mut explainer = Explainer::new(&names).or_raise()?;
    let rows = whole(py, &WatchPlan::new(threads, progress)?, |_| {
        let segment = |at: usize| (segments.hypotheses.get(at), segments.references.get(at));
        explainer.push_each(&(0..segments.len()).map(segment).collect::<Vec<_>>())?;
        let rows = explainer.explain()?;
        Ok(match target {
            Some(number) => {
                let (groups, others) = NumberExplanation::ranked(rows, RoundedTarget { number, decimals });
                groups.into_iter().flatten().chain(others).collect()
            }
            None => rows,
        })
    })?;
    let list = PyList::empty(py);
    for row in rows {
        let dict = PyDict::new(py);
        let finisher = match row.choices.finisher {
            NumberFinisher::Options(smoothing, ref_len) => {
                format!("smooth:{} ref_len:{}", smoothing.name(), ref_len.name())
            }
            NumberFinisher::Dialect(name) => format!("dialect:{name}"),
        };
        dict.set_item("score", row.percent.as_ref().ok())?;
        dict.set_item("error", row.percent.as_ref().err().map(ToString::to_string))?;
        dict.set_item("tokenize", &row.choices.tokenizer)?;
        dict.set_item("case", row.choices.case.name())?;
        dict.set_item("max_order", row.choices.order)?;
        dict.set_item("finisher", finisher)?;
        dict.set_item("cause", row.choices.cause.map(|cause| cause.to_string()))?;
        dict.set_item("changes", row.choices.changes())?;
        dict.set_item("signature", row.scored.map(|scored| scored.signature.to_string()))?;
        list.append(dict)?;
    }
    shown(py, "Settings", (list,))
}

/// Returns the names of all available normalizers.
#[pyfunction]
pub(crate) fn list_normalizers() -> Vec<String> {
    tokenizers().normalizers.entries().iter().flat_map(|entry| entry.names()).map(str::to_owned).collect()
}
