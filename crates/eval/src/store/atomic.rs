//! [`AtomicFile`]: writes a file that appears completely or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use bleuprint_core::{InputError, InputErrorKind, Location, Result};

/// Greatest number of programs that may write one file at the same time; the last program to finish wins.
const MOST: u32 = 8;

/// File that is first written to a temporary file next to its final path, and renamed once it is complete and
/// on disk.
///
/// Until [`commit`](AtomicFile::commit), readers see the old file, even after a crash. Without `commit`, the
/// temporary file is removed on drop. If a program is killed, it leaves a file whose name begins with a dot
/// and ends in `.partial`; the next writer of the same path removes it. A symbolic link is kept: its target
/// is replaced and keeps its permissions. A read-only file is not replaced.
///
/// Devices, pipes and standard output (`-` or `/dev/stdout`) are no regular files; bytes are written to them
/// directly.
///
/// ```
/// use std::io::Write;
/// use bleuprint_eval::store::AtomicFile;
/// let folder = bleuprint_testkit::Folder::new();
/// let path = folder.path("a.txt");
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
    /// Path of the temporary file; `None` after it was renamed, and if bytes are written directly to a device
    /// or pipe.
    partial: Option<PathBuf>,
    writer: BufWriter<Sink>,
}

#[derive(Debug)]
enum Sink {
    File(File),
    StandardOutput(io::Stdout),
}

impl AtomicFile {
    /// Creates a temporary file that will replace the file at `place` once [`commit`](AtomicFile::commit) is
    /// called.
    ///
    /// # Errors
    /// Returns [`Io`](InputErrorKind::Io) with the path if the file cannot be created or is read-only.
    pub fn create(place: impl AsRef<Path>) -> Result<Self> {
        let place = place.as_ref();
        Self::try_create(place).map_err(|reason| error(place, reason))
    }

    /// Returns `true` if the path means standard output: `-` or `/dev/stdout`.
    pub fn is_standard_output(place: impl AsRef<Path>) -> bool {
        ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]
            .iter()
            .any(|name| place.as_ref() == Path::new(name))
    }

    fn try_create(place: &Path) -> io::Result<Self> {
        let straight =
            |sink| AtomicFile { place: place.to_path_buf(), partial: None, writer: BufWriter::new(sink) };
        if Self::is_standard_output(place) {
            return Ok(straight(Sink::StandardOutput(io::stdout())));
        }
        let there = fs::metadata(place).ok();
        // A device or a pipe cannot be replaced by a rename, so bytes are written to it directly.
        if there.as_ref().is_some_and(|there| !there.is_file() && !there.is_dir()) {
            return Ok(straight(Sink::File(OpenOptions::new().write(true).open(place)?)));
        }
        let place = target_of(place)?;
        let (partial, file) = beside(&place)?;
        // From here on an error drops `begun`, which removes the temporary file.
        let begun = AtomicFile { place, partial: Some(partial), writer: BufWriter::new(Sink::File(file)) };
        if let (Some(there), Sink::File(file)) = (there, begun.writer.get_ref()) {
            if there.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            if there.permissions().readonly() {
                return Err(io::Error::new(
                    io::ErrorKind::PermissionDenied,
                    "the file is there, and is read-only",
                ));
            }
            file.set_permissions(there.permissions())?;
        }
        Ok(begun)
    }

    /// Completes the file: flushes it to disk and renames the temporary file to the final path.
    ///
    /// # Errors
    /// Returns [`Io`](InputErrorKind::Io) if a step fails; the final path is then unchanged.
    pub fn commit(mut self) -> Result<()> {
        let result = self.try_commit();
        result.map_err(|reason| error(&self.place, reason))
    }

    fn try_commit(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        let (Some(partial), Sink::File(file)) = (&self.partial, self.writer.get_ref()) else { return Ok(()) };
        // The content must be on disk before the name is: after a crash the name would else lead to an empty
        // file.
        file.sync_all()?;
        fs::rename(partial, &self.place)?;
        self.partial = None;
        // The rename is on disk only once the folder is. Some systems cannot open a folder; they do without
        // this step.
        let folder = self.place.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
            folder.sync_all().ok();
        }
        Ok(())
    }
}

/// Returns the path of the file that `place` refers to after all symbolic links; the file need not exist.
fn target_of(place: &Path) -> io::Result<PathBuf> {
    let mut place = place.to_path_buf();
    // Linux follows at most 40 links too.
    for _ in 0..40 {
        match fs::read_link(&place) {
            Ok(target) => place = place.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(place),
        }
    }
    Err(io::Error::other("the path leads through more than 40 symbolic links; they may form a circle"))
}

/// Creates a temporary file in the folder of `place`. Removes temporary files that killed programs left
/// there; a live program holds a lock on its file.
fn beside(place: &Path) -> io::Result<(PathBuf, File)> {
    // A name in the same folder is on the same file system, so that the rename is atomic.
    let name = place.file_name().ok_or_else(|| io::Error::other("this is not the name of a file"))?;
    let mut made = None;
    for number in 0..MOST {
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{number}.partial"));
        let partial = place.with_file_name(hidden);
        // A lock that can be taken means that the writer is gone, since a program's locks end with it.
        if let Ok(left) = File::open(&partial)
            && lock(&left) == Some(true)
        {
            fs::remove_file(&partial).ok();
        }
        if made.is_some() {
            continue;
        }
        match File::create_new(&partial) {
            // Another program may have seen the file before it was locked, and removed it as a leftover.
            Ok(file) => {
                let taken = lock(&file) == Some(false) || is_removed(&file);
                made = (!taken).then_some((partial, file));
            }
            Err(taken) if taken.kind() == io::ErrorKind::AlreadyExists => {}
            Err(other) => return Err(other),
        }
    }
    made.ok_or_else(|| io::Error::other(format!("{MOST} programs are writing this file")))
}

/// Tries to lock a file against other programs. Returns `true` if this program now holds the lock, and `None`
/// if files cannot be locked here.
#[cfg(not(target_family = "wasm"))]
fn lock(file: &File) -> Option<bool> {
    // The full path is needed: later versions of std have a method of this name too.
    match fs4::FileExt::try_lock(file) {
        Ok(()) => Some(true),
        Err(fs4::TryLockError::WouldBlock) => Some(false),
        Err(fs4::TryLockError::Error(_)) => None,
    }
}

/// Returns `None`: WebAssembly has no file locks.
#[cfg(target_family = "wasm")]
fn lock(_: &File) -> Option<bool> {
    None
}

#[cfg(unix)]
fn is_removed(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    file.metadata().is_ok_and(|metadata| metadata.nlink() == 0)
}

/// Returns `true` if an open file was removed. Always `false` outside Unix, because an open file cannot be
/// removed there.
#[cfg(not(unix))]
fn is_removed(_: &File) -> bool {
    false
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::File(file) => file.write(bytes),
            Sink::StandardOutput(stdout) => stdout.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::File(file) => file.flush(),
            Sink::StandardOutput(stdout) => stdout.flush(),
        }
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
    use bleuprint_testkit::Folder;

    use super::*;

    fn names(folder: &Folder) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
        names.sort();
        names
    }

    fn write(place: &Path, text: &str) {
        let mut file = AtomicFile::create(place).unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file.commit().unwrap();
    }

    #[test]
    fn what_is_not_committed_leaves_no_trace() {
        let folder = Folder::new();
        let place = folder.path("x.stats");
        fs::write(&place, "before").unwrap();
        let mut file = AtomicFile::create(&place).unwrap();
        file.write_all(&[b'x'; 100_000]).unwrap();
        assert_eq!(names(&folder), [".x.stats.0.partial", "x.stats"]);
        drop(file);
        assert_eq!(fs::read(&place).unwrap(), b"before");
        assert_eq!(names(&folder), ["x.stats"]);
    }

    #[test]
    fn what_a_killed_program_left_is_removed_and_what_a_live_one_writes_is_not() {
        let folder = Folder::new();
        let place = folder.path("x");
        let live = AtomicFile::create(&place).unwrap();
        fs::write(folder.path(".x.1.partial"), "left").unwrap();
        fs::write(folder.path(".x.5.partial"), "left").unwrap();
        fs::write(folder.path(".y.0.partial"), "of another place").unwrap();
        write(&place, "second");
        assert_eq!(names(&folder), [".x.0.partial", ".y.0.partial", "x"]);
        live.commit().unwrap();
        assert_eq!(
            (names(&folder), fs::read(&place).unwrap()),
            (vec![".y.0.partial".to_owned(), "x".to_owned()], vec![])
        );
        let all: Vec<AtomicFile> = (0..MOST).map(|_| AtomicFile::create(&place).unwrap()).collect();
        assert!(AtomicFile::create(&place).unwrap_err().to_string().contains("8 programs are writing"));
        drop(all);
        assert_eq!(names(&folder), [".y.0.partial", "x"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = Folder::new();
        let place = folder.path("x");
        let link = folder.path("link");
        let loose = folder.path("loose");
        fs::write(&place, "before").unwrap();
        fs::set_permissions(&place, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("x", &link).unwrap();
        symlink(folder.path("new"), &loose).unwrap();
        write(&link, "after");
        write(&loose, "made");
        assert_eq!(
            (fs::read_to_string(&place).unwrap(), fs::read_to_string(folder.path("new")).unwrap()),
            ("after".to_owned(), "made".to_owned())
        );
        assert!(
            fs::symlink_metadata(&link).unwrap().is_symlink()
                && fs::symlink_metadata(&loose).unwrap().is_symlink()
        );
        assert_eq!(fs::metadata(&place).unwrap().permissions().mode() & 0o777, 0o640);
        fs::set_permissions(&place, fs::Permissions::from_mode(0o440)).unwrap();
        assert!(AtomicFile::create(&place).unwrap_err().to_string().contains("read-only"));
        symlink("round", folder.path("round")).unwrap();
        assert!(AtomicFile::create(folder.path("round")).unwrap_err().to_string().contains("links"));
        assert_eq!(names(&folder), ["link", "loose", "new", "round", "x"]);
        write(Path::new("/dev/null"), "a device stays one");
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn a_place_that_cannot_be_is_named() {
        let error = AtomicFile::create("no such folder/x").unwrap_err().to_string();
        assert!(error.contains("no such folder"), "{error}");
        let folder = Folder::new();
        assert!(AtomicFile::create("/").is_err() && AtomicFile::create(&folder).is_err());
    }
}
