//! [`Paper`]: the publication that defines a metric, as data for citations.

/// A publication that defines a metric, with the data of its BibTeX entry.
///
/// ```
/// use bleuprint_registry::Paper;
///
/// const PAPER: Paper = Paper::new("somebody-2001", "Somebody, Ann and Else, Bob", "A Measure", 2001)
///     .at("Proceedings of a Conference")
///     .link("https://aclanthology.org/X01-1001/");
/// assert_eq!((PAPER.key, PAPER.venue), ("somebody-2001", "Proceedings of a Conference"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Paper {
    /// Key of the BibTeX entry.
    pub key: &'static str,
    /// Authors as in BibTeX: family name first, joined by ` and `; `and others` for more.
    pub authors: &'static str,
    /// Title of the publication.
    pub title: &'static str,
    /// Proceedings, or journal with volume; for a book the publisher.
    pub venue: &'static str,
    /// Year of publication.
    pub year: u16,
    /// Web address of the publication, preferably a DOI or a page of the ACL anthology; empty if there is
    /// none.
    pub link: &'static str,
    /// Type of the BibTeX entry.
    pub kind: PaperKind,
}

/// The type of a BibTeX entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PaperKind {
    /// A paper at a conference; the BibTeX type is `inproceedings`.
    Conference,
    /// An article in a journal; the BibTeX type is `article`.
    Journal,
    /// A book that defines a metric; the BibTeX type is `book`.
    Book,
    /// A preprint, such as a paper on arXiv; the BibTeX type is `misc`.
    Preprint,
}

impl Paper {
    /// Creates a conference paper. Add its proceedings with [`Paper::at`].
    pub const fn new(key: &'static str, authors: &'static str, title: &'static str, year: u16) -> Self {
        Paper { key, authors, title, venue: "", year, link: "", kind: PaperKind::Conference }
    }

    /// Sets where the paper appeared: the proceedings, the journal or the publisher.
    #[must_use]
    pub const fn at(self, venue: &'static str) -> Self {
        Paper { venue, ..self }
    }

    /// Sets the web address of the publication, preferably a DOI.
    #[must_use]
    pub const fn link(self, link: &'static str) -> Self {
        Paper { link, ..self }
    }

    /// Parses the BibTeX entry with this key. The entry must have the layout of the example, which the
    /// command `bleuprint cite` also writes: one field on each line, and two pairs of braces around the
    /// title. The field `url` for the web address, preferably a DOI, is optional.
    ///
    /// ```
    /// use bleuprint_registry::{Paper, PaperKind};
    ///
    /// const BOOKS: &str = "@book{else-1999,\n  author = {Else, Bob},\n  title = {{Measures}},\n  publisher = {A House},\n  year = {1999},\n}\n";
    /// const BOOK: Paper = Paper::from_key(BOOKS, "else-1999");
    /// assert_eq!((BOOK.kind, BOOK.authors, BOOK.venue), (PaperKind::Book, "Else, Bob", "A House"));
    /// for (old, new) in [("@book", "@thesis"), ("author", "editor"), ("{{", "{"), ("1999}", "soon}"), ("else-1999,", "else,")] {
    ///     let entries = String::leak(BOOKS.replace(old, new));
    ///     assert!(std::panic::catch_unwind(|| Paper::from_key(entries, "else-1999")).is_err(), "{entries}");
    /// }
    /// ```
    ///
    /// # Panics
    /// Panics if there is no entry with this key, or if it has another layout. In a constant this is an error
    /// of the compiler.
    pub const fn from_key(entries: &'static str, key: &str) -> Self {
        // Constant functions can neither iterate nor allocate, hence the hand-written search and the loop
        // over the rest of the text.
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
            let authors = field(entry, "  author = {", "},");
            let title = field(entry, "  title = {{", "}},");
            let Ok(year) = u16::from_str_radix(field(entry, "  year = {", "},"), 10) else { break };
            if authors.is_empty() || title.is_empty() {
                break;
            }
            let paper = Paper { kind, ..Paper::new(own, authors, title, year) };
            return paper.at(field(entry, venue, "},")).link(field(entry, "  url = {", "},"));
        }
        panic!("there is no entry of this key, or it has another form")
    }
}

/// Returns the text of a BibTeX entry between the marks `begin` and `end`; empty if a mark is missing.
const fn field(entry: &'static str, begin: &str, end: &str) -> &'static str {
    let Some((_, after)) = cut(entry, begin) else { return "" };
    match cut(after, end) {
        Some((field, _)) => field,
        None => "",
    }
}

/// Returns the parts of a text before and after the first `mark`; `None` if the text has no `mark`.
const fn cut(text: &'static str, mark: &str) -> Option<(&'static str, &'static str)> {
    // The offset is advanced byte by byte. `mark` begins with an ASCII character, so a match never splits a
    // character.
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
