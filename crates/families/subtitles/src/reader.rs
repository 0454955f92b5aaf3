//! The reader of programs: files of SRT, or folders of them, as segments.

use std::collections::BTreeSet;
use std::path::Path;

use bleuprint_core::{Form as _, InputError, InputErrorKind, Location, Result};
use bleuprint_text::read::Fields;
use bleuprint_text::{ReadSegments, ReaderEntry, SegmentKind};
use serde_json::{Map, json};

use crate::Subtitles;

pub(crate) static READERS: &[ReaderEntry] = &[ReaderEntry {
    name: "subtitles",
    help: "REF and SYS are subtitles in SRT, of a film or of a folder of films, under the same names on both sides; for suber",
    of: "subtitles",
    metrics: "suber",
    gives: SegmentKind::Form(Subtitles::NAME),
    value: None,
    options: &[],
    open: |files| {
        let mut rows = Vec::new();
        for system in files.systems {
            for [id, reference, hypothesis] in films(files.reference, system)? {
                let mut row = Map::new();
                row.insert("system".to_owned(), system.as_str().into());
                row.insert("id".to_owned(), id.into());
                for (side, path) in [("hypothesis", &hypothesis), ("reference", &reference)] {
                    let subtitles = Subtitles::open(path)?.0.into_iter();
                    let list =
                        subtitles.map(|one| json!({ "start": one.start, "end": one.end, "text": one.text }));
                    row.insert(side.to_owned(), list.collect());
                }
                rows.push((Location::file(hypothesis), row));
            }
        }
        Ok(ReadSegments::Records(Fields::of_rows(rows)))
    },
}];

/// The name of each film, and the files of both sides.
fn films(reference: &str, system: &str) -> Result<Vec<[String; 3]>> {
    match [names(reference)?, names(system)?] {
        [None, None] => Ok(vec![[reference, reference, system].map(str::to_owned)]),
        [Some(names), Some(others)] => {
            if let Some(name) = names.symmetric_difference(&others).next() {
                let lacking = if names.contains(name) { system } else { reference };
                let message = format!("has no film `{name}`, but the other side has");
                return Err(InputError::malformed(message).at(Location::file(lacking)));
            }
            let paths =
                |name: &String| [name.clone(), format!("{reference}/{name}"), format!("{system}/{name}")];
            Ok(names.iter().map(paths).collect())
        }
        _ => {
            let message = format!("{reference} is a film and this a folder of films, or the other way round");
            Err(InputError::malformed(message).at(Location::file(system)))
        }
    }
}

/// The names of the subtitles of a folder; none of a file.
fn names(path: &str) -> Result<Option<BTreeSet<String>>> {
    if !Path::new(path).is_dir() {
        return Ok(None);
    }
    let io = |error: std::io::Error| {
        InputError::from(InputErrorKind::Io(error.to_string())).at(Location::file(path))
    };
    let mut names = BTreeSet::new();
    for entry in std::fs::read_dir(path).map_err(io)? {
        let name = entry.map_err(io)?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".srt") {
            names.insert(name);
        }
    }
    match names.is_empty() {
        true => Err(InputError::malformed("the folder has no file of .srt").at(Location::file(path))),
        false => Ok(Some(names)),
    }
}
