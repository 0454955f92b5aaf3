//! Checks the paths of all output files before any input is read, so that a command cannot overwrite a file
//! by mistake. Each file is written completely or not at all.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use bleuprint::eval::store::AtomicFile;
use bleuprint_requests::failure::{Failure, Result, fail};
use same_file::Handle;

use crate::shared::command::Out;

pub(crate) struct NumberPlace<'p> {
    pub(crate) option: &'static str,
    pub(crate) file: &'p str,
    pub(crate) holds: Holds,
}

pub(crate) enum Holds {
    /// Data that may be overwritten only with the option `--overwrite`.
    Data,
    /// Output of an earlier call of the command, recognized by the beginning of its text. It may be
    /// overwritten without `--overwrite`.
    Made {
        what: &'static str,
        begins: fn(&str) -> bool,
    },
    Appended,
}

/// Returns an error if an output file is also an input, or if two output files are the same file. An existing
/// output file is an error unless it may be overwritten. Devices and pipes are always allowed.
pub(crate) fn check(places: &[NumberPlace<'_>], inputs: &[String], overwrite: bool) -> Result<()> {
    let read: Vec<(&String, FileId)> =
        inputs.iter().filter_map(|file| Some((file, FileId::from_path(file)?))).collect();
    let mut earlier: Vec<(&NumberPlace<'_>, FileId)> = Vec::new();
    for place in places {
        let NumberPlace { option, file, holds } = place;
        let Some(id) = FileId::from_path(file) else { continue };
        // An output that is an input would destroy the data of the user halfway through the run.
        if let Some((input, _)) = read.iter().find(|(_, input)| *input == id) {
            let name = if input == file { String::new() } else { format!(", as {input}") };
            fail!("{option} {file}: the command reads this file{name}, so it must not overwrite it");
        }
        if let Some((other, _)) = earlier.iter().find(|(_, other)| *other == id) {
            fail!("{} {} and {option} {file} are one file", other.option, other.file);
        }
        match holds {
            _ if overwrite || !Path::new(file).exists() => {}
            Holds::Appended => {}
            Holds::Data => fail!("{file} is there already; --overwrite replaces it"),
            Holds::Made { what, begins } if !begins(&head(file)?) => {
                fail!("{file} is there already and is no {what}; --overwrite replaces it")
            }
            Holds::Made { .. } => {}
        }
        earlier.push((place, id));
    }
    Ok(())
}

pub(crate) fn write_text(file: &str, text: &str, out: &mut Out) -> Result<()> {
    if AtomicFile::is_standard_output(file) {
        return Ok(out.write_all(text.as_bytes())?);
    }
    // The file appears under its name only after `commit`, so a failed run leaves no half of it.
    let mut writer = AtomicFile::create(file)?;
    writer.write_all(text.as_bytes()).map_err(|error| cannot_write(file, &error))?;
    Ok(writer.commit()?)
}

pub(crate) fn append_text(file: &str, text: &str) -> Result<()> {
    let file_there = std::fs::OpenOptions::new().create(true).append(true).open(file);
    file_there
        .and_then(|mut there| there.write_all(text.as_bytes()))
        .map_err(|error| cannot_write(file, &error))
}

fn cannot_write(place: &str, error: &std::io::Error) -> Failure {
    Failure::Message(format!("cannot write {place}: {error}"))
}

fn head(file: &str) -> Result<String> {
    let mut head = Vec::new();
    // 4 KiB hold the beginning of every format that this program writes.
    let read = std::fs::File::open(file).and_then(|file| file.take(4096).read_to_end(&mut head));
    read.map_err(|error| Failure::Message(format!("{file}: {error}")))?;
    Ok(String::from_utf8_lossy(&head).into_owned())
}

/// Identity of a file, which is equal for all paths of the same file.
#[derive(PartialEq, Eq)]
enum FileId {
    /// Existing file, identified by device and inode (or their equivalent), so that links to it are
    /// recognized.
    There(Handle),
    /// Path of a file that does not exist yet, in which links in its folder are resolved.
    NotYet(PathBuf),
}

impl FileId {
    /// Returns the identity of the file at a path. Returns `None` for standard input and output, devices,
    /// pipes and folders.
    fn from_path(file: &str) -> Option<Self> {
        let path = Path::new(file);
        if AtomicFile::is_standard_output(path) {
            return None;
        }
        match std::fs::metadata(path) {
            Ok(there) if !there.is_file() => None,
            // A file without permission to open has no identity but its name.
            Ok(_) => Some(
                Handle::from_path(path).map_or_else(|_| FileId::NotYet(path.to_path_buf()), FileId::There),
            ),
            Err(_) => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = std::fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
                Some(FileId::NotYet(folder.join(path.file_name()?)))
            }
        }
    }
}
