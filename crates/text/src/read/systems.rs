//! [`Systems`]: checks that all systems in one file have the same segments, references and sources.

use super::segment::ReadSegment;
use bleuprint_core::{InputError, InputErrorKind, Result};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// The systems whose outputs one file contains, in the order of their first occurrence, with the segments of
/// each.
///
/// A segment is identified by its id, together with its document if it names one. Without ids, it is
/// identified by its number among the rows of its system. Every system must have the segment with the same
/// references and the same source.
///
/// Memory: the ids are stored to reject duplicate rows. Each takes about seventy bytes plus its text. A row
/// without an id takes 16 bytes if rows name systems, and nothing otherwise.
///
/// ```
/// use bleuprint_text::read::{ReadSegment, Systems};
/// let row = |system: &str, id: &str| ReadSegment { system: Some(system.into()), id: Some(id.into()), ..Default::default() };
/// let mut systems = Systems::new("all.jsonl");
/// assert_eq!((systems.add(&row("A", "1"))?, systems.add(&row("B", "1"))?, systems.add(&row("A", "2"))?), (0, 1, 0));
/// assert_eq!(systems.check().unwrap_err().to_string(), "system `B` has no segment `2`, which system `A` has");
/// systems.add(&row("B", "2"))?;
/// assert!(systems.check().is_ok());
/// assert_eq!(systems.add(&row("A", "1")).unwrap_err().to_string(), "system `A` has the segment `1` twice");
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Systems {
    /// The name of the file, which names the system if the rows do not.
    file: String,
    names: Vec<String>,
    by_name: HashMap<String, usize>,
    /// For each system, the number of its rows read so far.
    rows: Vec<u64>,
    /// The number of rows, of all systems, that have a segment id.
    with_id: u64,
    /// `true` if the rows of the file name their systems; `None` before the first row is read.
    named: Option<bool>,
    /// The first row of each segment that has an id. The key is the id together with the name of the
    /// document.
    segments: HashMap<Box<str>, First>,
    /// For segments without ids: hashes of the references and the source, indexed by the segment number.
    unnamed: Vec<TextHashes>,
    /// Pairs of a segment number and a system from which a row of this segment was read. The set detects rows
    /// that occur twice and rows that are missing.
    ///
    /// The system of a segment's first row is in `segments` instead.
    others: HashSet<(u64, usize)>,
}

/// The first row of a segment: the number of the segment, the system of the row, and its texts.
#[derive(Debug, Clone, Copy)]
struct First {
    number: u64,
    system: usize,
    texts: TextHashes,
}

/// Hashes of the references and the source of a segment, to check that they are equal for all systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TextHashes {
    references: u64,
    source: u64,
}

impl TextHashes {
    fn from_row(row: &ReadSegment) -> Self {
        // Hashes are enough to find mistakes, and need much less memory than the texts.
        let mut references = DefaultHasher::new();
        row.present_references().for_each(|text| text.hash(&mut references));
        row.reference_ids.iter().flatten().for_each(|ids| ids.hash(&mut references));
        let mut source = DefaultHasher::new();
        row.source.hash(&mut source);
        TextHashes { references: references.finish(), source: source.finish() }
    }

    fn difference(&self, other: &Self) -> Option<&'static str> {
        match (self.references == other.references, self.source == other.source) {
            (true, true) => None,
            (false, _) => Some("other references"),
            (true, false) => Some("another source"),
        }
    }
}

impl Systems {
    /// Creates a collection without systems. If the rows of a file name no system, the file is one system,
    /// named `file`.
    pub fn new(file: impl Into<String>) -> Self {
        Systems {
            file: file.into(),
            names: Vec::new(),
            by_name: HashMap::new(),
            rows: Vec::new(),
            with_id: 0,
            named: None,
            segments: HashMap::new(),
            unnamed: Vec::new(),
            others: HashSet::new(),
        }
    }

    /// Adds a row (one segment of one system) and returns the index of its system, from 0.
    ///
    /// # Errors
    /// Returns an error if the system has the segment twice. Returns an error if an earlier system has this
    /// segment with different references or a different source. Returns an error if a name is empty, or if
    /// only some rows name a system.
    pub fn add(&mut self, row: &ReadSegment) -> Result<usize> {
        let named = row.system.is_some();
        if *self.named.get_or_insert(named) != named {
            let (this, others) =
                if named { ("names a system", "name none") } else { ("names no system", "do") };
            return Err(InputError::malformed(format!("this row {this}, but those before it {others}")));
        }
        let system = self.system(row.system.as_deref())?;
        if let Some(id) = &row.id {
            self.add_segment(system, row, id)?;
            self.with_id += 1;
        } else if named {
            self.add_unnamed(system, row)?;
        }
        self.rows[system] += 1;
        Ok(system)
    }

    /// Returns the names of the systems, in the order of their first occurrence.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Checks that all systems have the same segments. Call it after the last row.
    ///
    /// # Errors
    /// With ids, returns an error that names the first system that lacks a segment, and the first segment
    /// that it lacks. Without ids, returns an error with two numbers of rows if they differ between systems.
    /// Returns an error if there are several systems and only some rows have ids.
    pub fn check(&self) -> Result<()> {
        let [first, others @ ..] = &self.names[..] else { return Ok(()) };
        let all: u64 = self.rows.iter().sum();
        if self.with_id == 0 {
            return match self.rows.iter().position(|rows| *rows != self.rows[0]) {
                None => Ok(()),
                Some(other) => Err(InputErrorKind::LengthMismatch {
                    left: format!("system `{first}`"),
                    left_len: self.rows[0],
                    right: format!("system `{}`", self.names[other]),
                    right_len: self.rows[other],
                }
                .into()),
            };
        }
        if others.is_empty() {
            return Ok(());
        }
        if self.with_id != all {
            let message = format!(
                "{} of {all} rows have an id; of several systems all rows have one, or none",
                self.with_id
            );
            return Err(InputError::malformed(message));
        }
        // No system has a segment twice, so equal numbers mean equal sets.
        match self.rows.iter().position(|rows| *rows != self.segments.len() as u64) {
            None => Ok(()),
            Some(system) => Err(self.lacking(system)),
        }
    }

    fn system(&mut self, name: Option<&str>) -> Result<usize> {
        // Rows that name no system are all of one system, so most files need no look-up by name.
        if name.is_none() && !self.names.is_empty() {
            return Ok(0);
        }
        let name = name.unwrap_or(&self.file);
        if let Some(&system) = self.by_name.get(name) {
            return Ok(system);
        }
        if name.is_empty() {
            return Err(InputError::malformed("the name of the system is empty"));
        }
        let system = self.names.len();
        self.by_name.insert(name.to_owned(), system);
        self.names.push(name.to_owned());
        self.rows.push(0);
        Ok(system)
    }

    /// Adds a row without a segment id. It is the next segment of its system, and must have the references
    /// and the source of that segment in earlier systems.
    fn add_unnamed(&mut self, system: usize, row: &ReadSegment) -> Result<()> {
        let texts = TextHashes::from_row(row);
        let number = self.rows[system] as usize;
        match self.unnamed.get(number).map(|first| texts.difference(first)) {
            None => self.unnamed.push(texts),
            Some(None) => {}
            Some(Some(difference)) => {
                let message = format!(
                    "segment {} of system `{}` has {difference} than that of a system before it",
                    number + 1,
                    self.names[system]
                );
                return Err(InputError::malformed(message));
            }
        }
        Ok(())
    }

    fn add_segment(&mut self, system: usize, row: &ReadSegment, id: &str) -> Result<()> {
        let name = segment_name(row.document.as_deref(), id);
        let texts = TextHashes::from_row(row);
        let number = self.segments.len() as u64;
        let new = match self.segments.get(&*name) {
            None => {
                self.segments.insert(name, First { number, system, texts });
                return Ok(());
            }
            Some(first) => {
                // `insert` is `false` if the pair is known already, and so the row is a duplicate.
                let new = first.system != system && self.others.insert((first.number, system));
                if let Some(difference) = texts.difference(&first.texts).filter(|_| new) {
                    let own = &self.names[system];
                    let other = &self.names[first.system];
                    let segment = shown(&name);
                    return Err(InputError::malformed(format!(
                        "system `{own}` has the segment `{segment}` with {difference} than system `{other}`"
                    )));
                }
                new
            }
        };
        if new {
            return Ok(());
        }
        let system = &self.names[system];
        let segment = shown(&name);
        Err(InputError::malformed(format!("system `{system}` has the segment `{segment}` twice")))
    }

    /// Returns the error for a system that lacks a segment. It names the first missing segment and a system
    /// that has it.
    fn lacking(&self, system: usize) -> InputError {
        let lacks = |first: &First| first.system != system && !self.others.contains(&(first.number, system));
        let missing =
            self.segments.iter().filter(|(_, first)| lacks(first)).min_by_key(|(_, first)| first.number);
        let (name, other) = missing.map_or((String::new(), 0), |(name, first)| (shown(name), first.system));
        let system = &self.names[system];
        let other = &self.names[other];
        InputError::malformed(format!(
            "system `{system}` has no segment `{name}`, which system `{other}` has"
        ))
    }
}

/// Joins the document and the segment id to one key. The key starts with the length of the document's name,
/// so that different pairs never give one key.
fn segment_name(document: Option<&str>, id: &str) -> Box<str> {
    match document {
        Some(document) => format!("{}:{document}{id}", document.len()).into(),
        None => format!(":{id}").into(),
    }
}

fn shown(name: &str) -> String {
    let (len, rest) = name.split_once(':').unwrap_or(("", name));
    match len.parse().ok().and_then(|len| rest.split_at_checked(len)) {
        Some((document, id)) => format!("{id} of document {document}"),
        None => rest.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;
    use std::collections::{BTreeMap, BTreeSet};

    fn row(system: Option<&str>, id: Option<&str>) -> ReadSegment {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        ReadSegment { system: owned(system), id: owned(id), ..ReadSegment::default() }
    }

    fn message(rows: &[ReadSegment]) -> String {
        let mut systems = Systems::new("f");
        let added = rows.iter().try_for_each(|row| systems.add(row).map(drop));
        added.and_then(|()| systems.check()).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn unequal_systems_are_refused() {
        let a = Some("A");
        let b = Some("B");
        let cases = [
            (
                vec![row(a, None), row(b, None), row(a, None)],
                "system `A` has 2 segments, but system `B` has 1",
            ),
            (
                vec![row(a, Some("1")), row(b, Some("2"))],
                "system `A` has no segment `2`, which system `B` has",
            ),
            (vec![row(None, Some("1")), row(None, Some("1"))], "system `f` has the segment `1` twice"),
            (
                vec![row(a, Some("1")), row(b, None)],
                "1 of 2 rows have an id; of several systems all rows have one, or none",
            ),
            (vec![row(Some(""), None)], "the name of the system is empty"),
            (vec![row(a, None), row(None, None)], "this row names no system, but those before it do"),
            (vec![row(None, None), row(a, None)], "this row names a system, but those before it name none"),
            (vec![row(None, None), row(None, Some("1"))], ""),
            (vec![], ""),
        ];
        for (rows, expected) in cases {
            assert_eq!(message(&rows), expected, "{rows:?}");
        }
    }

    #[test]
    fn systems_share_references_and_sources() {
        let of = |system: &str, id: Option<&str>, references: &[&str], source: Option<&str>| ReadSegment {
            references: references.iter().map(|&text| Some(text.to_owned())).collect(),
            source: source.map(str::to_owned),
            ..row(Some(system), id)
        };
        let one = Some("1");
        let none = None;
        let pair = |id, references: &[&str], source| {
            message(&[of("A", id, &["x", "y"], Some("s")), of("B", id, references, source)])
        };
        assert_eq!(pair(one, &["x", "y"], Some("s")), "");
        assert_eq!(pair(none, &["x", "y"], Some("s")), "");
        let references = "system `B` has the segment `1` with other references than system `A`";
        for other in [&["x"][..], &["xy"], &["y", "x"], &["x", "y", ""], &[]] {
            assert_eq!(pair(one, other, Some("s")), references, "{other:?}");
        }
        let source = "system `B` has the segment `1` with another source than system `A`";
        assert_eq!(
            (pair(one, &["x", "y"], Some("t")), pair(one, &["x", "y"], None)),
            (source.to_owned(), source.to_owned())
        );
        let unnamed = "segment 1 of system `B` has other references than that of a system before it";
        assert_eq!(pair(none, &["x"], Some("s")), unnamed);
        let ids = |system, ids: &[u32]| ReadSegment {
            reference_ids: vec![Some(ids.to_vec())],
            ..row(Some(system), one)
        };
        assert_eq!(message(&[ids("A", &[1, 2]), ids("B", &[1, 2])]), "");
        assert_eq!(message(&[ids("A", &[1, 2]), ids("B", &[12])]), references);
        // Rows of the second system come first, and the third system is compared too.
        let rows = [("B", "x"), ("A", "x"), ("A", "y"), ("B", "y"), ("C", "x"), ("C", "z")];
        let rows = rows.map(|(system, reference)| of(system, none, &[reference], none));
        assert!(
            message(&rows).starts_with("segment 2 of system `C` has other references"),
            "{}",
            message(&rows)
        );
    }

    #[test]
    fn an_id_counts_within_its_document() {
        let of =
            |document: &str| ReadSegment { document: Some(document.into()), ..row(Some("A"), Some("1")) };
        assert_eq!(message(&[of("x"), of("y")]), "");
        assert_eq!(message(&[of("x"), of("x")]), "system `A` has the segment `1 of document x` twice");
        let within =
            |document: &str, id: &str| ReadSegment { document: Some(document.into()), ..row(None, Some(id)) };
        assert_eq!(
            message(&[within("a", "bc"), within("ab", "c"), within("", "abc"), row(None, Some("abc"))]),
            ""
        );
    }

    #[test]
    fn many_systems_take_linear_time() {
        let mut systems = Systems::new("f");
        for number in 0..60_000 {
            let name = number.to_string();
            assert_eq!(systems.add(&row(Some(&name), Some("1"))).unwrap(), number);
        }
        systems.check().unwrap();
    }

    quickcheck! {
        fn systems_agree_as_sets_do(rows: Vec<(u8, u8)>) -> bool {
            let mut sets: BTreeMap<u8, BTreeSet<u8>> = BTreeMap::new();
            let unique = rows.iter().all(|(system, id)| sets.entry(system % 3).or_default().insert(id % 4));
            let equal = sets.values().all(|set| Some(set) == sets.values().next());
            let rows: Vec<ReadSegment> = rows
                .iter()
                .map(|(system, id)| row(Some(&(system % 3).to_string()), Some(&(id % 4).to_string())))
                .collect();
            message(&rows).is_empty() == (unique && equal)
        }
    }
}
