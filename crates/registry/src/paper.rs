//! [`Paper`]: where a metric is defined, as data to cite it by.

use crate::prelude::*;

/// A publication.
///
/// ```
/// use bleuprint_registry::Paper;
///
/// const PAPER: Paper = Paper::new("somebody-2001", "Somebody, Ann and Else, Bob", "A Measure", 2001)
///     .at("Proceedings of a Conference")
///     .link("https://aclanthology.org/X01-1001/");
/// assert_eq!(
///     PAPER.text(),
///     "Ann Somebody and Bob Else. 2001. A Measure. Proceedings of a Conference. https://aclanthology.org/X01-1001/"
/// );
/// assert_eq!(PAPER.short(), "Somebody and Else 2001, A Measure");
/// assert!(PAPER.bibtex().starts_with("@inproceedings{somebody-2001,\n  author = {Somebody, Ann and Else, Bob},\n"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Paper {
    /// The key of the entry.
    pub key: &'static str,
    /// The authors as BibTeX has them: the family name first, ` and ` between, `and others` for more.
    pub authors: &'static str,
    /// The title.
    pub title: &'static str,
    /// The proceedings or the journal with its volume; for a book the publisher.
    pub venue: &'static str,
    /// The year.
    pub year: u16,
    /// Its address, preferably a DOI or that of the ACL anthology; none where empty.
    pub link: &'static str,
    /// The type of the entry.
    pub kind: PaperKind,
}

/// The type of a BibTeX entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PaperKind {
    /// A paper at a conference.
    Conference,
    /// An article of a journal.
    Journal,
    /// A book.
    Book,
    /// A preprint.
    Preprint,
}

impl Paper {
    /// A paper at a conference, yet without its proceedings.
    pub const fn new(key: &'static str, authors: &'static str, title: &'static str, year: u16) -> Self {
        Paper { key, authors, title, venue: "", year, link: "", kind: PaperKind::Conference }
    }

    /// The proceedings, the journal or the publisher.
    #[must_use]
    pub const fn at(self, venue: &'static str) -> Self {
        Paper { venue, ..self }
    }

    /// Its address.
    #[must_use]
    pub const fn link(self, link: &'static str) -> Self {
        Paper { link, ..self }
    }

    /// The entry of a key in BibTeX as [`Paper::bibtex`] writes it, with the address of a DOI as `url`.
    ///
    /// ```
    /// use bleuprint_registry::{Paper, PaperKind};
    ///
    /// const BOOKS: &str = "@book{else-1999,\n  author = {Else, Bob},\n  title = {{Measures}},\n  publisher = {A House},\n  year = {1999},\n}\n";
    /// const BOOK: Paper = Paper::of(BOOKS, "else-1999");
    /// assert_eq!((BOOK.kind, BOOK.text().as_str()), (PaperKind::Book, "Bob Else. 1999. Measures. A House."));
    /// assert_eq!(format!("{}\n", BOOK.bibtex()), BOOKS);
    /// for (old, new) in [("@book", "@thesis"), ("author", "editor"), ("{{", "{"), ("1999}", "soon}"), ("else-1999,", "else,")] {
    ///     let entries = String::leak(BOOKS.replace(old, new));
    ///     assert!(std::panic::catch_unwind(|| Paper::of(entries, "else-1999")).is_err(), "{entries}");
    /// }
    /// ```
    ///
    /// # Panics
    /// A key that is not there, and an entry of another form; in a constant these are errors of the compiler.
    pub const fn of(entries: &'static str, key: &str) -> Self {
        let mut rest = entries;
        while let Some((_, entry)) = cut(rest, "@") {
            let (Some((kind, _)), Some((entry, others))) = (cut(entry, "{"), cut(entry, "\n}")) else {
                break;
            };
            rest = others;
            let own = field(entry, "{", ",\n");
            if !(own.len() == key.len() && begins(own.as_bytes(), 0, key.as_bytes())) {
                continue;
            }
            let (kind, venue) = match kind.as_bytes() {
                b"inproceedings" => (PaperKind::Conference, "  booktitle = {"),
                b"article" => (PaperKind::Journal, "  journal = {"),
                b"book" => (PaperKind::Book, "  publisher = {"),
                b"misc" => (PaperKind::Preprint, "  howpublished = {"),
                _ => break,
            };
            let (authors, title) = (field(entry, "  author = {", "},"), field(entry, "  title = {{", "}},"));
            let Ok(year) = u16::from_str_radix(field(entry, "  year = {", "},"), 10) else { break };
            if authors.is_empty() || title.is_empty() {
                break;
            }
            let paper = Paper { kind, ..Paper::new(own, authors, title, year) };
            return paper.at(field(entry, venue, "},")).link(field(entry, "  url = {", "},"));
        }
        panic!("there is no entry of this key, or it has another form")
    }

    /// The entry for BibTeX, in UTF-8. The title is in double braces, so that styles leave its capitals alone.
    pub fn bibtex(&self) -> String {
        let (kind, venue) = match self.kind {
            PaperKind::Conference => ("inproceedings", "booktitle"),
            PaperKind::Journal => ("article", "journal"),
            PaperKind::Book => ("book", "publisher"),
            PaperKind::Preprint => ("misc", "howpublished"),
        };
        let mut entry = format!(
            "@{kind}{{{},\n  author = {{{}}},\n  title = {{{{{}}}}},\n  {venue} = {{{}}},\n  year = {{{}}},\n",
            self.key, self.authors, self.title, self.venue, self.year
        );
        match self.link.strip_prefix("https://doi.org/") {
            Some(doi) => entry += &format!("  doi = {{{doi}}},\n"),
            None if self.link.is_empty() => {}
            None => entry += &format!("  url = {{{}}},\n", self.link),
        }
        entry + "}"
    }

    /// Authors, year and title, as in `Somebody and Else 2001, A Measure`.
    pub fn short(&self) -> String {
        let families: Vec<&str> =
            self.authors.split(" and ").map(|name| name.split(", ").next().unwrap_or(name)).collect();
        let authors = match families.as_slice() {
            [one] => String::from(*one),
            [one, other] if *other != "others" => format!("{one} and {other}"),
            [first, ..] => format!("{first} et al."),
            [] => String::new(),
        };
        format!("{authors} {}, {}", self.year, self.title)
    }

    /// One line for readers.
    pub fn text(&self) -> String {
        let names: Vec<String> = self.authors.split(" and ").map(given_first).collect();
        let authors = match names.as_slice() {
            [] => String::new(),
            [one] => one.clone(),
            [first, .., last] if last == "others" => format!("{first} et al"),
            [all @ .., last] => format!("{} and {last}", all.join(", ")),
        };
        let mut text =
            format!("{}. {}. {}. {}.", authors.trim_end_matches('.'), self.year, self.title, self.venue);
        if !self.link.is_empty() {
            text = format!("{text} {}", self.link);
        }
        text
    }
}

/// `Ann Somebody` of `Somebody, Ann`.
fn given_first(name: &str) -> String {
    match name.split_once(", ") {
        Some((family, given)) => format!("{given} {family}"),
        None => String::from(name),
    }
}

/// The text between two marks; none where they are not there.
const fn field(entry: &'static str, begin: &str, end: &str) -> &'static str {
    let Some((_, after)) = cut(entry, begin) else { return "" };
    match cut(after, end) {
        Some((field, _)) => field,
        None => "",
    }
}

/// The text before and after the first mark.
const fn cut(text: &'static str, mark: &str) -> Option<(&'static str, &'static str)> {
    let mut at = 0;
    while at + mark.len() <= text.len() {
        if begins(text.as_bytes(), at, mark.as_bytes()) {
            return Some((text.split_at(at).0, text.split_at(at + mark.len()).1));
        }
        at += 1;
    }
    None
}

const fn begins(text: &[u8], at: usize, with: &[u8]) -> bool {
    let mut same = 0;
    while same < with.len() && text[at + same] == with[same] {
        same += 1;
    }
    same == with.len()
}
