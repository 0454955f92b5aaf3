//! [`TestSet`]: finds the files of standard test sets, such as `wmt22`, in the local folder of the program
//! sacreBLEU. Nothing is downloaded.

use std::path::{Path, PathBuf};

use bleuprint_core::{InputError, Result};

/// The local files of a standard test set for a language pair, as sacreBLEU 2 stores them:
/// `wmt22/wmt22.en-de.src`, `.ref-A` and so on. The folder is `$SACREBLEU` or `~/.sacrebleu`.
///
/// ```
/// use bleuprint_text::read::TestSet;
///
/// let error = TestSet::new("no-such-set", "en-de").references().unwrap_err().to_string();
/// assert!(error.ends_with("Nothing is downloaded: `sacrebleu -t no-such-set -l en-de --echo src` fetches it"), "{error}");
/// ```
#[derive(Debug, Clone)]
pub struct TestSet {
    folder: PathBuf,
    name: String,
    pair: String,
}

impl TestSet {
    /// Creates the test set of this name, such as `wmt22`, and language pair, such as `en-de`, in sacreBLEU's
    /// folder.
    pub fn new(name: &str, pair: &str) -> Self {
        TestSet::in_folder(&sacrebleu_folder(), name, pair)
    }

    /// Creates a test set in `folder`, which must have the layout of sacreBLEU's folder.
    pub(crate) fn in_folder(folder: &Path, name: &str, pair: &str) -> Self {
        TestSet { folder: folder.join(name), name: name.to_owned(), pair: pair.to_owned() }
    }

    /// Returns the names of the test set's existing files, such as `src` and `ref-A`, with their paths,
    /// sorted by name.
    pub fn fields(&self) -> Vec<(String, PathBuf)> {
        // Names such as `wmt21/systems` are folders, and their files have `_` in place of `/`.
        let start = format!("{}.{}.", self.name.replace('/', "_"), self.pair);
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let field = |entry: std::fs::DirEntry| {
            let name = entry.file_name().into_string().ok()?;
            Some((name.strip_prefix(&start)?.to_owned(), entry.path()))
        };
        let mut fields: Vec<_> = entries.filter_map(field).collect();
        fields.sort_unstable();
        fields
    }

    /// Returns the path of one file of the test set, named as in sacreBLEU's `--echo`: `src`, `ref`, `ref:A`.
    /// `ref` is the first reference.
    ///
    /// # Errors
    /// Returns [`Malformed`](bleuprint_core::InputErrorKind::Malformed) with the existing fields if the field
    /// is missing.
    pub fn file(&self, field: &str) -> Result<PathBuf> {
        let wanted = field.replace(':', "-");
        if let Some((_, path)) = self.fields().into_iter().find(|(field, _)| *field == wanted) {
            return Ok(path);
        }
        match wanted.as_str() {
            "ref" => Ok(self.references()?.swap_remove(0)),
            _ => Err(self.missing(field)),
        }
    }

    /// Returns the files with the references of the test set. These are `ref`, or all of `ref-0`, `ref-1` ..,
    /// or the file of the only translator. If there are several translators, the result has the files that
    /// sacreBLEU 2.6 uses.
    ///
    /// # Errors
    /// Returns [`Malformed`](bleuprint_core::InputErrorKind::Malformed) if there is no reference, or if there
    /// are several translators and sacreBLEU uses none of them.
    pub fn references(&self) -> Result<Vec<PathBuf>> {
        let mut fields = self.fields();
        if let Some(at) = fields.iter().position(|(field, _)| field == "ref") {
            return Ok(vec![fields.swap_remove(at).1]);
        }
        fields.retain(|(field, _)| field.starts_with("ref-"));
        let numbered = fields.iter().all(|(field, _)| field[4..].bytes().all(|byte| byte.is_ascii_digit()));
        if fields.is_empty() {
            return Err(self.missing("ref"));
        }
        // Numbered references are a set of references; letters and names are alternative translators.
        if fields.len() > 1 && !numbered {
            let known = fields.iter().map(|(field, _)| field.as_str()).collect::<Vec<_>>().join(", ");
            let taken = taken(&self.name, &self.pair);
            fields.retain(|(field, _)| taken.contains(&&field[4..]));
            if fields.is_empty() {
                return Err(InputError::malformed(format!(
                    "the test set {} {} has several translators ({known}); give the file of one from {}",
                    self.name,
                    self.pair,
                    self.folder.display()
                )));
            }
        }
        Ok(fields.into_iter().map(|(_, path)| path).collect())
    }

    fn missing(&self, field: &str) -> InputError {
        let name = &self.name;
        let pair = &self.pair;
        let known = self.fields().into_iter().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
        let remedy = format!("Nothing is downloaded: `sacrebleu -t {name} -l {pair} --echo src` fetches it");
        let folder = self.folder.display();
        InputError::malformed(if known.is_empty() {
            format!("the test set {name} {pair} is not in {folder}. {remedy}")
        } else {
            format!("the test set {name} {pair} has no `{field}` in {folder}; there is {known}. {remedy}")
        })
    }
}

/// Returns the translators whose references sacreBLEU 2.6.0 uses by default for a test set and a language
/// pair.
fn taken(name: &str, pair: &str) -> &'static [&'static str] {
    match (name, pair) {
        ("wmt22", "cs-en" | "en-cs") | ("wmt21/B", _) => &["B"],
        ("wmt21" | "wmt21/systems" | "wmt22", _) => &["A"],
        ("wmt21/AB", _) => &["A", "B"],
        ("wmt21/AC", _) => &["A", "C"],
        ("wmt21/C", _) => &["C"],
        ("wmt21/D", _) => &["D"],
        ("wmt23", "en-he" | "he-en") => &["refB"],
        ("wmt23" | "wmt24", _) => &["refA"],
        _ => &[],
    }
}

/// Returns the folder in which the program sacreBLEU stores test sets: `$SACREBLEU`, or `.sacrebleu` in the
/// home directory.
pub fn sacrebleu_folder() -> PathBuf {
    let home = || std::env::home_dir().unwrap_or_default().join(".sacrebleu");
    std::env::var_os("SACREBLEU").map_or_else(home, PathBuf::from)
}

#[cfg(test)]
mod tests {
    use bleuprint_testkit::Folder;

    use super::*;

    fn folder(files: &[&str]) -> Folder {
        let folder = Folder::new();
        for file in files {
            std::fs::create_dir_all(folder.path(file).parent().unwrap()).unwrap();
            folder.file(file, "a\n");
        }
        folder
    }

    fn references(set: &TestSet) -> Vec<String> {
        let name = |path: PathBuf| path.extension().unwrap().to_str().unwrap().to_owned();
        set.references().unwrap().into_iter().map(name).collect()
    }

    #[test]
    fn references_are_those_that_sacrebleu_takes() {
        let files = ["wmt22/wmt22.en-de.ref-A", "wmt22/wmt22.en-de.ref-B", "wmt22/wmt22.cs-en.ref-B"];
        let more = [
            "wmt22/wmt22.cs-en.ref-C",
            "wmt08/wmt08.de-en.ref",
            "own/x/own_x.a-b.ref-P",
            "own/x/own_x.a-b.ref-Q",
        ];
        let numbered = ["mtnt/mtnt.fr-en.ref-0", "mtnt/mtnt.fr-en.ref-1", "mtnt/mtnt.fr-en.src"];
        let root = folder(&[&files[..], &more, &numbered].concat());
        let set = |name, pair| TestSet::in_folder(root.as_ref(), name, pair);
        assert_eq!(references(&set("wmt22", "en-de")), ["ref-A"]);
        assert_eq!(references(&set("wmt22", "cs-en")), ["ref-B"]);
        assert_eq!(references(&set("wmt08", "de-en")), ["ref"]);
        assert_eq!(references(&set("mtnt", "fr-en")), ["ref-0", "ref-1"]);
        let error = set("own/x", "a-b").references().unwrap_err().to_string();
        assert!(error.contains("several translators (ref-P, ref-Q)"), "{error}");
        let path = set("wmt22", "en-de").file("ref:B").unwrap();
        assert!(path.ends_with("wmt22.en-de.ref-B"));
        let error = set("mtnt", "fr-en").file("docid").unwrap_err().to_string();
        assert!(error.contains("has no `docid`") && error.contains("there is ref-0, ref-1, src."), "{error}");
    }
}
