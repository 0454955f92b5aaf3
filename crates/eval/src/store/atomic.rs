//! [`AtomicFile`]: a file that is there whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use bleuprint_core::{InputError, InputErrorKind, Location, Result};

/// A file that is written beside its place and gets its name when it is complete and on disk.
///
/// Whoever reads the place meanwhile, or after this program was killed, finds what was there before. What is not
/// [committed](AtomicFile::commit) is removed when it is dropped; a killed program leaves a file behind whose name
/// begins with a dot and ends in `.partial`.
///
/// ```
/// use std::io::Write;
/// use bleuprint_eval::store::AtomicFile;
/// let path = std::env::temp_dir().join(format!("bleuprint-atomic-{}.txt", std::process::id()));
/// let mut file = AtomicFile::create(&path).unwrap();
/// file.write_all(b"whole").unwrap();
/// assert!(!path.exists());
/// file.commit().unwrap();
/// assert_eq!(std::fs::read(&path).unwrap(), b"whole");
/// # std::fs::remove_file(&path).unwrap();
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    place: PathBuf,
    /// The file beside it; none once it has the name.
    partial: Option<PathBuf>,
    writer: BufWriter<File>,
}

impl AtomicFile {
    /// Begins a file that is to be at `place`.
    ///
    /// # Errors
    /// [`Io`](InputErrorKind::Io) with the file, where it cannot be made.
    pub fn create(place: impl AsRef<Path>) -> Result<Self> {
        let place = place.as_ref().to_path_buf();
        let name = place.file_name().ok_or_else(|| error(&place, "this is not the name of a file"))?;
        for attempt in 0..100 {
            let mut hidden = OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{}-{attempt}.partial", std::process::id()));
            let partial = place.with_file_name(hidden);
            match File::create_new(&partial) {
                Ok(file) => {
                    return Ok(AtomicFile { place, partial: Some(partial), writer: BufWriter::new(file) });
                }
                Err(taken) if taken.kind() == io::ErrorKind::AlreadyExists => {}
                Err(other) => return Err(error(&place, other)),
            }
        }
        Err(error(&place, "100 unfinished files of this name are beside it"))
    }

    /// Brings the file to the disk and gives it its name.
    ///
    /// # Errors
    /// [`Io`](InputErrorKind::Io); what was at the place is then still there.
    pub fn commit(mut self) -> Result<()> {
        let result = self.try_commit();
        result.map_err(|reason| error(&self.place, reason))
    }

    fn try_commit(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        self.writer.get_ref().sync_all()?;
        if let Some(partial) = &self.partial {
            fs::rename(partial, &self.place)?;
            self.partial = None;
        }
        // The name is on disk when the folder is. Some systems cannot open one; there the rename has to do.
        let folder = self.place.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
            folder.sync_all().ok();
        }
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(partial) = &self.partial {
            fs::remove_file(partial).ok();
        }
    }
}

fn error(place: &Path, reason: impl ToString) -> InputError {
    let location = Location::file(place.display().to_string());
    InputError::from(InputErrorKind::Io(reason.to_string())).at(location)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_committed_leaves_no_trace() {
        let folder = std::env::temp_dir().join(format!("bleuprint-atomic-test-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let place = folder.join("x.stats");
        fs::write(&place, "before").unwrap();
        let mut file = AtomicFile::create(&place).unwrap();
        file.write_all(&[b'x'; 100_000]).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        drop(file);
        assert_eq!(fs::read(&place).unwrap(), b"before");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_place_that_cannot_be_is_named() {
        let error = AtomicFile::create("no such folder/x").unwrap_err().to_string();
        assert!(error.contains("no such folder"), "{error}");
        assert!(AtomicFile::create("/").is_err());
    }
}
