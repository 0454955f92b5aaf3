//! The command-line reader of subtitles: SRT files, or folders of SRT files. Each file is a segment.

use std::collections::BTreeSet;
use std::path::Path;

use bleuprint_core::{Form as _, InputError, InputErrorKind, Location, Result};
use bleuprint_text::read::FieldReader;
use bleuprint_text::{ReadSegments, ReaderEntry, SegmentKind};
use serde_json::{Map, json};

use crate::Subtitles;

pub(crate) static READERS: &[ReaderEntry] = &[ReaderEntry {
    name: "subtitles",
    help: "REF and SYS are SRT files, or folders of SRT files with the same names on both sides; for suber",
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
        Ok(ReadSegments::Records(FieldReader::of_rows(rows)))
    },
}];

/// Returns, for each film, its name, its reference file and the file of the system. The arguments are two
/// files or two folders.
fn films(reference: &str, system: &str) -> Result<Vec<[String; 3]>> {
    match [names(reference)?, names(system)?] {
        [None, None] => Ok(vec![[reference, reference, system].map(str::to_owned)]),
        [Some(names), Some(others)] => {
            if let Some(name) = names.symmetric_difference(&others).next() {
                let lacking = if names.contains(name) { system } else { reference };
                let message = format!("the film `{name}` is missing here, but the other side has it");
                return Err(InputError::malformed(message).at(Location::file(lacking)));
            }
            let paths =
                |name: &String| [name.clone(), format!("{reference}/{name}"), format!("{system}/{name}")];
            Ok(names.iter().map(paths).collect())
        }
        _ => {
            let message = format!(
                "one of `{reference}` and this is a file and the other a folder; give two files or two folders"
            );
            Err(InputError::malformed(message).at(Location::file(system)))
        }
    }
}

/// Returns the names of the files in a folder of subtitles, or `None` if the path is a file.
fn names(path: &str) -> Result<Option<BTreeSet<String>>> {
    if !Path::new(path).is_dir() {
        return Ok(None);
    }
    let io = |error: std::io::Error| {
        InputError::from(InputErrorKind::Io(error.to_string())).at(Location::file(path))
    };
    // A sorted set makes the order of films independent of the file system.
    let mut names = BTreeSet::new();
    for entry in std::fs::read_dir(path).map_err(io)? {
        let name = entry.map_err(io)?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".srt") {
            names.insert(name);
        }
    }
    if names.is_empty() {
        Err(InputError::malformed("the folder has no .srt file").at(Location::file(path)))
    } else {
        Ok(Some(names))
    }
}
