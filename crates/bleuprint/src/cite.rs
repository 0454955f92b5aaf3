//! [`cite`]: the papers of metrics and this program, as BibTeX or as text.

use crate::{
    ConfigError, Registry,
    contract::{Paper, VERSION},
};

/// The form of citations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CiteForm {
    /// Entries for BibTeX, in UTF-8.
    Bibtex,
    /// A line each.
    Text,
}

/// The papers that define these metrics, each once, and then this program. Names are those of [`Registry::parse`]; a name
/// for several metrics stands for all of them. Cite the signature of a score beside it.
///
/// # Errors
/// [`ConfigError::UnknownName`], with all names.
///
/// ```
/// use bleuprint::{CiteForm, cite, registry};
///
/// let text = cite(&registry(), ["chrf++"], CiteForm::Text).unwrap();
/// assert!(text.starts_with("Maja Popović. 2015. chrF: character n-gram F-score for automatic MT evaluation. "));
/// assert_eq!(text.lines().count(), 3);
/// let bibtex = cite(&registry(), ["ter", "ter"], CiteForm::Bibtex).unwrap();
/// assert_eq!(bibtex.matches("@inproceedings").count(), 1);
/// ```
pub fn cite<'m>(
    registry: &Registry,
    metrics: impl IntoIterator<Item = &'m str>,
    form: CiteForm,
) -> Result<String, ConfigError> {
    let (mut papers, mut written) = (Vec::<Paper>::new(), String::new());
    for name in metrics.into_iter().flat_map(|name| registry.expand(name)) {
        let entry = registry.get(&registry.parse(&name)?.metric)?;
        let new: Vec<Paper> = entry.papers.iter().filter(|paper| !papers.contains(paper)).copied().collect();
        for paper in &new {
            written += &match form {
                CiteForm::Bibtex => paper.bibtex() + "\n\n",
                CiteForm::Text => paper.text() + "\n",
            };
        }
        papers.extend(new);
    }
    written += &match form {
        CiteForm::Bibtex => format!(
            "@misc{{bleuprint,\n  author = {{{{The bleuprint developers}}}},\n  title = {{{{{TITLE}}}}},\n  note = {{{VERSION}}},\n}}\n"
        ),
        CiteForm::Text => format!("The bleuprint developers. {TITLE}. {VERSION}.\n"),
    };
    Ok(written)
}

const TITLE: &str = "bleuprint: mergeable metrics for generated text";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_has_papers() {
        let mut keys = std::collections::BTreeMap::new();
        for entry in crate::registry().entries() {
            assert!(!entry.papers.is_empty(), "`{}` has no papers to cite", entry.name);
            for paper in entry.papers {
                assert!(!paper.venue.is_empty() && !paper.authors.contains(" et al"), "{}", paper.key);
                assert!(paper.link.is_empty() || paper.link.starts_with("https://"), "{}", paper.link);
                // One place for each paper: a key names one.
                assert_eq!(keys.insert(paper.key, *paper).unwrap_or(*paper), *paper, "{}", paper.key);
            }
        }
    }

    #[test]
    fn an_unknown_metric_is_refused_with_the_names() {
        let error = cite(&crate::registry(), ["blue"], CiteForm::Text).unwrap_err().to_string();
        assert!(error.contains("bleu"), "{error}");
        assert_eq!(cite(&crate::registry(), [], CiteForm::Text).unwrap().lines().count(), 1);
    }
}
