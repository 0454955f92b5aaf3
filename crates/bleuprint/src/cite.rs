//! [`cite`]: lists the papers that define metrics, and a citation of this program, as BibTeX or as text.

use bleuprint_registry::PaperKind;

use crate::{
    ConfigError, Registry,
    contract::{Paper, VERSION},
};

/// Output format of a citation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CiteForm {
    /// BibTeX entries, in UTF-8.
    Bibtex,
    /// One line of text for each paper.
    Text,
    /// Authors, year and title in one line, for example `Somebody and Else 2001, A Measure`.
    Short,
}

impl CiteForm {
    /// Writes the citation of a paper in this format. In BibTeX the title is in double braces, so that
    /// bibliography styles keep its capitals.
    ///
    /// ```
    /// use bleuprint::{CiteForm, contract::Paper};
    ///
    /// const PAPER: Paper = Paper::new("somebody-2001", "Somebody, Ann and Else, Bob", "A Measure", 2001)
    ///     .at("Proceedings of a Conference")
    ///     .link("https://aclanthology.org/X01-1001/");
    /// assert_eq!(
    ///     CiteForm::Text.write(&PAPER),
    ///     "Ann Somebody and Bob Else. 2001. A Measure. Proceedings of a Conference. https://aclanthology.org/X01-1001/"
    /// );
    /// assert_eq!(CiteForm::Short.write(&PAPER), "Somebody and Else 2001, A Measure");
    /// let bibtex = CiteForm::Bibtex.write(&PAPER);
    /// assert!(bibtex.starts_with("@inproceedings{somebody-2001,\n  author = {Somebody, Ann and Else, Bob},\n"));
    /// ```
    #[must_use]
    pub fn write(self, paper: &Paper) -> String {
        match self {
            CiteForm::Bibtex => bibtex(paper),
            CiteForm::Text => text(paper),
            CiteForm::Short => short(paper),
        }
    }
}

fn bibtex(paper: &Paper) -> String {
    let (kind, venue) = match paper.kind {
        PaperKind::Conference => ("inproceedings", "booktitle"),
        PaperKind::Journal => ("article", "journal"),
        PaperKind::Book => ("book", "publisher"),
        _ => ("misc", "howpublished"),
    };
    let mut entry = format!(
        "@{kind}{{{},\n  author = {{{}}},\n  title = {{{{{}}}}},\n  {venue} = {{{}}},\n  year = {{{}}},\n",
        paper.key, paper.authors, paper.title, paper.venue, paper.year
    );
    // A DOI has a separate field in BibTeX, without the resolver's address.
    match paper.link.strip_prefix("https://doi.org/") {
        Some(doi) => entry += &format!("  doi = {{{doi}}},\n"),
        None if paper.link.is_empty() => {}
        None => entry += &format!("  url = {{{}}},\n", paper.link),
    }
    entry + "}"
}

fn short(paper: &Paper) -> String {
    let families: Vec<&str> =
        paper.authors.split(" and ").map(|name| name.split(", ").next().unwrap_or(name)).collect();
    let authors = match families.as_slice() {
        [one] => String::from(*one),
        [one, other] if *other != "others" => format!("{one} and {other}"),
        [first, ..] => format!("{first} et al."),
        [] => String::new(),
    };
    format!("{authors} {}, {}", paper.year, paper.title)
}

fn text(paper: &Paper) -> String {
    let names: Vec<String> = paper.authors.split(" and ").map(given_first).collect();
    let authors = match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first, .., last] if last == "others" => format!("{first} et al"),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    };
    let text =
        format!("{}. {}. {}. {}.", authors.trim_end_matches('.'), paper.year, paper.title, paper.venue);
    if paper.link.is_empty() { text } else { format!("{text} {}", paper.link) }
}

/// Moves the given name to the front: returns `Ann Somebody` for `Somebody, Ann`.
fn given_first(name: &str) -> String {
    match name.split_once(", ") {
        Some((family, given)) => format!("{given} {family}"),
        None => String::from(name),
    }
}

/// Returns the papers that define these metrics, each paper once, followed by a citation of this program. The
/// names are parsed by [`Registry::parse`]; the name of a group of metrics, such as `coco`, includes all of
/// its metrics. When you report a score, also cite its signature.
///
/// # Errors
/// Returns [`ConfigError::UnknownName`] with all known names if a metric is unknown.
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
    let mut papers = Vec::<Paper>::new();
    let mut written = String::new();
    for name in metrics.into_iter().flat_map(|name| registry.expand(name)) {
        let entry = registry.get(&registry.parse(&name)?.metric)?;
        let new: Vec<Paper> = entry.papers.iter().filter(|paper| !papers.contains(paper)).copied().collect();
        for paper in &new {
            written += &(form.write(paper) + if form == CiteForm::Bibtex { "\n\n" } else { "\n" });
        }
        papers.extend(new);
    }
    written += &match form {
        CiteForm::Bibtex => format!(
            "@misc{{bleuprint,\n  author = {{{{The bleuprint developers}}}},\n  title = {{{{{TITLE}}}}},\n  note = {{{VERSION}}},\n}}\n"
        ),
        CiteForm::Text | CiteForm::Short => format!("The bleuprint developers. {TITLE}. {VERSION}.\n"),
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
                // A key identifies one paper: two metrics with the same key must not differ in its details.
                assert_eq!(keys.insert(paper.key, *paper).unwrap_or(*paper), *paper, "{}", paper.key);
            }
        }
    }

    /// Checks that [`Paper::from_key`] and [`CiteForm::write`] are inverse to each other.
    #[test]
    fn an_entry_is_written_as_it_was_read() {
        const BOOKS: &str = "@book{else-1999,\n  author = {Else, Bob},\n  title = {{Measures}},\n  publisher = {A House},\n  year = {1999},\n}\n";
        const BOOK: Paper = Paper::from_key(BOOKS, "else-1999");
        assert_eq!(CiteForm::Text.write(&BOOK), "Bob Else. 1999. Measures. A House.");
        assert_eq!(format!("{}\n", CiteForm::Bibtex.write(&BOOK)), BOOKS);
    }

    #[test]
    fn an_unknown_metric_is_refused_with_the_names() {
        let error = cite(&crate::registry(), ["blue"], CiteForm::Text).unwrap_err().to_string();
        assert!(error.contains("bleu"), "{error}");
        assert_eq!(cite(&crate::registry(), [], CiteForm::Text).unwrap().lines().count(), 1);
    }
}
