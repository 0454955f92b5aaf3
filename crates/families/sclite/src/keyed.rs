//! Reads files of keyed texts, as kaldi, ESPnet and icefall write them: each line is an id and a text. The texts
//! of two files are paired by id, in any order.

use std::collections::HashMap;

use bleuprint_core::{InputError, Location, Result, counted};
use bleuprint_text::read::{Findings, ReadSegment, SegmentReader, TextOptions};
use bleuprint_text::{
    Encoding, LineReader, ReadSegments, ReaderEntry, ReaderFiles, ReaderOption, SegmentKind, whitespace,
};

/// The command line's reader of keyed texts: files in which each line is an id and a text.
pub(crate) const READER: ReaderEntry = ReaderEntry {
    name: "keyed",
    help: "Each line of REF and SYS is an id and a text, as in kaldi; texts are paired by id, in any order",
    of: "texts with ids",
    metrics: "wer or other metrics of text",
    gives: SegmentKind::Texts,
    value: None,
    has_outputs: false,
    options: &[ReaderOption {
        name: "missing",
        value: Some("MODE"),
        choices: &["error", "empty"],
        has_sources: false,
        help: "An id that one side lacks: error [default], or empty, a text without words there",
    }],
    open: |files| Ok(ReadSegments::Texts(Box::new(open(files)?))),
};

/// Ids of one file in the order of its lines, and the text and line number of each id.
struct KeyedFile {
    name: String,
    ids: Vec<String>,
    texts: HashMap<String, (String, u64)>,
}

impl KeyedFile {
    fn open(path: &str) -> Result<Self> {
        let options = TextOptions::new(Encoding::Utf8Sig, false);
        let mut lines = LineReader::open_text(path, options)?;
        let mut file = KeyedFile { name: path.to_owned(), ids: Vec::new(), texts: HashMap::new() };
        while lines.advance()? {
            let line = whitespace::strip(lines.line());
            let Some(id) = whitespace::split(line).next() else { continue };
            let text = whitespace::strip(line.get(id.len()..).unwrap_or_default()).to_owned();
            if let Some((_, before)) = file.texts.insert(id.to_owned(), (text, lines.read())) {
                let message = format!("the id `{id}` is already on line {before}, but each id has one text");
                return Err(InputError::malformed(message).at(lines.location()));
            }
            file.ids.push(id.to_owned());
        }
        Ok(file)
    }

    fn text(&self, id: &str) -> Option<String> {
        self.texts.get(id).map(|(text, _)| text.clone())
    }

    /// Returns an error for the first id of this file that the other file lacks.
    fn check_against(&self, other: &KeyedFile) -> Result<()> {
        let Some(id) = self.ids.iter().find(|id| !other.texts.contains_key(*id)) else { return Ok(()) };
        let line = self.texts.get(id).map_or(0, |(_, line)| *line);
        let message = format!(
            "`{}` has no text with the id `{id}`; --missing empty counts it as a text without words",
            other.name
        );
        Err(InputError::malformed(message).at(Location::line(&*self.name, line)))
    }
}

/// Segments of all systems, in the order of the reference file.
struct KeyedTexts {
    rows: std::vec::IntoIter<ReadSegment>,
    at: Location,
    notes: Vec<String>,
}

fn open(files: &ReaderFiles<'_>) -> Result<KeyedTexts> {
    let reference = KeyedFile::open(files.reference)?;
    let systems = files.systems.iter().map(|path| KeyedFile::open(path)).collect::<Result<Vec<_>>>()?;
    let mut ids = reference.ids.clone();
    let mut notes = Vec::new();
    if files.option("missing") == Some("empty") {
        // All systems need the same segments, so an id of one system is a segment of every system.
        for system in &systems {
            ids.extend(system.ids.iter().filter(|id| !reference.texts.contains_key(*id)).cloned());
        }
        let mut known = std::collections::HashSet::new();
        ids.retain(|id| known.insert(id.clone()));
        for file in std::iter::once(&reference).chain(&systems) {
            let missing = ids.iter().filter(|id| !file.texts.contains_key(*id)).count();
            if missing > 0 {
                let all = counted(ids.len(), "id");
                notes.push(format!(
                    "{}: {missing} of {all} are missing, and count as texts without words",
                    file.name
                ));
            }
        }
    } else {
        for system in &systems {
            reference.check_against(system)?;
            system.check_against(&reference)?;
        }
    }
    let mut rows = Vec::new();
    for system in &systems {
        rows.extend(ids.iter().map(|id| ReadSegment {
            hypothesis: Some(system.text(id).unwrap_or_default()),
            references: vec![Some(reference.text(id).unwrap_or_default())],
            id: Some(id.clone()),
            system: Some(system.name.clone()),
            ..ReadSegment::default()
        }));
    }
    Ok(KeyedTexts { rows: rows.into_iter(), at: Location::default(), notes })
}

impl SegmentReader for KeyedTexts {
    fn next(&mut self, segment: &mut ReadSegment) -> Result<bool> {
        let Some(row) = self.rows.next() else { return Ok(false) };
        self.at = row.system.as_deref().map_or_else(Location::default, Location::file);
        *segment = row;
        Ok(true)
    }

    fn location(&self) -> Location {
        self.at.clone()
    }

    fn findings(&self) -> Findings {
        Findings { notes: self.notes.clone(), ..Findings::default() }
    }
}
