//! `TestSet`: reads the test sets that sacreBLEU has downloaded.

use std::path::PathBuf;

use bleuprint::text::FileText;
use bleuprint::text::read;
use pyo3::prelude::*;

use crate::errors::OrRaise as _;

/// Test set and language pair that sacreBLEU downloaded to `$SACREBLEU` or `~/.sacrebleu`. Nothing is
/// downloaded: a missing file is an error that names the folder and the command that fetches it.
///
/// `TestSet("wmt22", "en-de")` has `source`, and `reference_streams` for `score`. If there are several
/// translators, these are the references that sacreBLEU 2.6 uses. `fields` lists the names of the files, such
/// as `ref:B` or `docid`; `field("ref:B")` reads one.
#[pyclass(frozen, module = "bleuprint", name = "TestSet")]
pub(crate) struct PyTestSet {
    set: read::TestSet,
    name: String,
}

#[pymethods]
impl PyTestSet {
    #[new]
    fn new(testset: &str, langpair: &str) -> Self {
        PyTestSet { set: read::TestSet::new(testset, langpair), name: format!("{testset} {langpair}") }
    }

    fn __repr__(&self) -> String {
        format!("TestSet({})", self.name)
    }

    /// Returns the names of the fields that this test set has, such as `src`, `ref:A` or `docid`.
    #[getter]
    fn fields(&self) -> Vec<String> {
        self.set.fields().into_iter().map(|(name, _)| name).collect()
    }

    /// Returns the lines of a field, such as `src`, `ref:A` or `docid`.
    fn field(&self, name: &str) -> PyResult<Vec<String>> {
        lines(self.set.file(name).or_raise()?)
    }

    /// Returns the source segments, one per line of the file.
    #[getter]
    fn source(&self) -> PyResult<Vec<String>> {
        self.field("src")
    }

    /// Returns the references as one list of lines for each translator.
    #[getter]
    fn reference_streams(&self) -> PyResult<Vec<Vec<String>>> {
        self.set.references().or_raise()?.into_iter().map(lines).collect()
    }

    fn _file(&self, name: &str) -> PyResult<PathBuf> {
        self.set.file(name).or_raise()
    }

    fn _reference_files(&self) -> PyResult<Vec<PathBuf>> {
        self.set.references().or_raise()
    }
}

fn lines(path: PathBuf) -> PyResult<Vec<String>> {
    let text = FileText::open(path, Default::default()).or_raise()?;
    Ok((0..text.len()).map(|line| text.line(line).to_owned()).collect())
}
