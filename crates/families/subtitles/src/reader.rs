//! The command-line reader of subtitles: files of SRT or WebVTT, or folders of them. Each file is a segment of
//! subtitles or, for metrics of texts, one text.

use std::collections::BTreeMap;
use std::path::Path;

use bleuprint_core::{Form as _, InputError, InputErrorKind, Location, Result};
use bleuprint_text::read::{FieldReader, Findings, LeftOut, ReadSegment, SegmentReader};
use bleuprint_text::{ReadSegments, ReaderEntry, ReaderFiles, ReaderOption, SegmentKind, whitespace};
use serde_json::{Map, Value, json};

use crate::Subtitles;

pub(crate) static READERS: &[ReaderEntry] = &[ReaderEntry {
    name: "subtitles",
    help: "REF and SYS are files of SRT or WebVTT, or folders of them with the same names on both sides; for suber, or for wer \
           and other metrics of text, which get the text of a whole file",
    of: "subtitles",
    metrics: "suber, or a metric of text",
    gives: SegmentKind::TextsOrForm(Subtitles::NAME),
    value: None,
    has_outputs: false,
    options: &[ReaderOption {
        name: "missing",
        value: Some("MODE"),
        choices: &["error", "empty"],
        has_sources: false,
        help: "A file that one side lacks, or that has no subtitle: error [default], or empty, a film without subtitles there",
    }],
    open,
}];

/// Subtitles of one film on both sides.
struct Film {
    system: String,
    id: String,
    /// The file of the system, for errors.
    at: Location,
    hypothesis: Subtitles,
    reference: Subtitles,
}

fn open(files: &ReaderFiles<'_>) -> Result<ReadSegments> {
    let empty = files.option("missing") == Some("empty");
    let mut films = Vec::new();
    let mut silent = 0;
    for system in files.systems {
        for FilmPaths { id, reference, hypothesis } in paths(files.reference, system, empty)? {
            let mut read = |path: &Option<String>| {
                let subtitles = match path {
                    Some(path) => read_one(path, files.texts, empty)?,
                    None => Subtitles::default(),
                };
                silent += u64::from(subtitles.0.is_empty());
                Ok::<_, InputError>(subtitles)
            };
            films.push(Film {
                system: system.clone(),
                id,
                at: Location::file(hypothesis.as_ref().unwrap_or(system).as_str()),
                reference: read(&reference)?,
                hypothesis: read(&hypothesis)?,
            });
        }
    }
    let of = 2 * films.len() as u64;
    let what = "sides of films have no subtitle, and count as silent".to_owned();
    let left_out: Vec<LeftOut> =
        (silent > 0).then_some(LeftOut { count: silent, of, what }).into_iter().collect();
    if files.texts {
        let rows = films.into_iter();
        return Ok(ReadSegments::Texts(Box::new(FilmTexts { rows, at: Location::default(), left_out })));
    }
    let rows = films.into_iter().map(|film| (film.at.clone(), film.record())).collect();
    Ok(ReadSegments::Records(FieldReader::of_rows(rows).with_left_out(left_out)))
}

/// Reads the subtitles of one file, which must have one unless `empty` allows silence.
fn read_one(path: &str, plain: bool, empty: bool) -> Result<Subtitles> {
    let subtitles = Subtitles::read(path, plain)?;
    if subtitles.0.is_empty() && !empty {
        let message = "the file has no subtitle; with --missing empty it counts as a film without subtitles";
        return Err(InputError::malformed(message).at(Location::file(path)));
    }
    Ok(subtitles)
}

impl Film {
    fn record(self) -> Map<String, Value> {
        let list = |subtitles: Subtitles| -> Value {
            let one = |one: crate::Subtitle| json!({ "start": one.start, "end": one.end, "text": one.text });
            subtitles.0.into_iter().map(one).collect()
        };
        let fields = [
            ("system", self.system.into()),
            ("id", self.id.into()),
            ("hypothesis", list(self.hypothesis)),
            ("reference", list(self.reference)),
        ];
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// Films as texts: the text of a film is all its subtitles, with a space between their lines.
struct FilmTexts {
    rows: std::vec::IntoIter<Film>,
    at: Location,
    left_out: Vec<LeftOut>,
}

fn text(subtitles: &Subtitles) -> String {
    let words = subtitles.0.iter().flat_map(|one| whitespace::split(&one.text));
    words.collect::<Vec<_>>().join(" ")
}

impl SegmentReader for FilmTexts {
    fn next(&mut self, segment: &mut ReadSegment) -> Result<bool> {
        let Some(film) = self.rows.next() else { return Ok(false) };
        self.at = film.at;
        *segment = ReadSegment {
            hypothesis: Some(text(&film.hypothesis)),
            references: vec![Some(text(&film.reference))],
            id: Some(film.id),
            system: Some(film.system),
            ..ReadSegment::default()
        };
        Ok(true)
    }

    fn location(&self) -> Location {
        self.at.clone()
    }

    fn findings(&self) -> Findings {
        Findings { left_out: self.left_out.clone(), ..Findings::default() }
    }
}

/// Paths of the two files of a film; `None` for a side that lacks the film.
struct FilmPaths {
    id: String,
    reference: Option<String>,
    hypothesis: Option<String>,
}

/// Returns the files of each film. The arguments are two files or two folders. With `empty`, a folder may lack a
/// film.
fn paths(reference: &str, system: &str, empty: bool) -> Result<Vec<FilmPaths>> {
    match [names(reference)?, names(system)?] {
        [None, None] => Ok(vec![FilmPaths {
            id: reference.to_owned(),
            reference: Some(reference.to_owned()),
            hypothesis: Some(system.to_owned()),
        }]),
        [Some(ours), Some(theirs)] => {
            let stems: std::collections::BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
            let mut films = Vec::new();
            for stem in stems {
                let path = |folder: &str, name: Option<&String>| name.map(|name| format!("{folder}/{name}"));
                let film = FilmPaths {
                    id: ours.get(stem).or(theirs.get(stem)).unwrap_or(stem).clone(),
                    reference: path(reference, ours.get(stem)),
                    hypothesis: path(system, theirs.get(stem)),
                };
                let lacking = match (&film.reference, &film.hypothesis) {
                    (None, _) => Some(reference),
                    (_, None) => Some(system),
                    _ => None,
                };
                if let Some(folder) = lacking.filter(|_| !empty) {
                    let message = format!(
                        "the film `{}` is missing here, but the other side has it; with --missing empty it has no subtitle here",
                        film.id
                    );
                    return Err(InputError::malformed(message).at(Location::file(folder)));
                }
                films.push(film);
            }
            Ok(films)
        }
        _ => {
            let message = format!(
                "one of `{reference}` and this is a file and the other a folder; give two files or two folders"
            );
            Err(InputError::malformed(message).at(Location::file(system)))
        }
    }
}

/// Returns the names of the files in a folder of subtitles by their names without the extension, or `None` if the
/// path is a file.
fn names(path: &str) -> Result<Option<BTreeMap<String, String>>> {
    if !Path::new(path).is_dir() {
        return Ok(None);
    }
    let io = |error: std::io::Error| {
        InputError::from(InputErrorKind::Io(error.to_string())).at(Location::file(path))
    };
    // A sorted map makes the order of films independent of the file system.
    let mut names = BTreeMap::new();
    for entry in std::fs::read_dir(path).map_err(io)? {
        let name = entry.map_err(io)?.file_name().to_string_lossy().into_owned();
        let Some(stem) = name.strip_suffix(".srt").or(name.strip_suffix(".vtt")) else { continue };
        if let Some(other) = names.insert(stem.to_owned(), name.clone()) {
            let mut both = [other, name];
            both.sort_unstable();
            let message =
                format!("`{}` and `{}` are the same film, which must have one file", both[0], both[1]);
            return Err(InputError::malformed(message).at(Location::file(path)));
        }
    }
    if names.is_empty() {
        Err(InputError::malformed("the folder has no file .srt or .vtt").at(Location::file(path)))
    } else {
        Ok(Some(names))
    }
}
