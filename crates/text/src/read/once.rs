//! Checks for streams that can be read only once. [`check_read_once`] rejects a stream that is given twice;
//! [`count_lines`] counts the lines of files that can be read again.

use super::lines::LineReader;
use bleuprint_core::{InputError, Location, Result};
use std::path::Path;

/// Checks that the paths do not name the same stream twice: standard input under any of its names (`-`,
/// `/dev/stdin` ..), or a pipe. Two readers of one stream would each get an arbitrary part of its lines.
///
/// ```
/// use bleuprint_text::read::check_read_once;
/// assert!(check_read_once(["ref.txt", "-", "ref.txt"]).is_ok(), "files can be read again");
/// let error = check_read_once(["-", "ref.txt", "/dev/stdin"]).unwrap_err();
/// assert_eq!(error.to_string(), "/dev/stdin: given twice, as `-` too, but it can be read only once");
/// ```
///
/// # Errors
/// Returns an error with both names for the first stream that is given twice. A file whose metadata cannot be
/// read is accepted here; the reader that opens it reports the error.
pub fn check_read_once<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<()> {
    let mut streams = Vec::new();
    paths.into_iter().try_for_each(|path| add(&mut streams, path.as_ref()))
}

fn add(streams: &mut Vec<(OnceStream, String)>, path: &Path) -> Result<()> {
    let Some(stream) = OnceStream::at(path) else { return Ok(()) };
    let name = path.to_string_lossy().into_owned();
    if let Some((_, before)) = streams.iter().find(|(known, _)| *known == stream) {
        let message = if *before == name {
            "given twice, but it can be read only once".to_owned()
        } else {
            format!("given twice, as `{before}` too, but it can be read only once")
        };
        let name = if name == "-" { "<stdin>".to_owned() } else { name };
        return Err(InputError::malformed(message).at(Location::file(name)));
    }
    streams.push((stream, name));
    Ok(())
}

/// Returns the number of lines of a file, or `None` for a stream that can be read only once.
///
/// # Errors
/// Returns the errors of [`LineReader::open`] and [`LineReader::count_rest`].
pub fn count_lines(path: impl AsRef<Path>) -> Result<Option<u64>> {
    if !is_regular(path.as_ref()) {
        return Ok(None);
    }
    LineReader::open(path, Default::default())?.count_rest().map(Some)
}

fn is_regular(path: &Path) -> bool {
    !is_standard_input(path) && std::fs::metadata(path).is_ok_and(|about| about.is_file())
}

/// Returns `true` if the path is one of the names of standard input.
pub(super) fn is_standard_input(path: &Path) -> bool {
    ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].iter().any(|name| path == Path::new(name))
}

/// The identity of a stream that can be read only once, such as a pipe. All names of one stream give equal
/// values.
#[derive(PartialEq, Eq)]
enum OnceStream {
    /// Standard input, if the operating system reports no device and node number for it.
    StandardInput,
    /// A pipe, a socket or a terminal, identified by its device number and its inode number.
    #[cfg(unix)]
    Node(u64, u64),
}

#[cfg(unix)]
impl OnceStream {
    fn at(path: &Path) -> Option<Self> {
        use std::os::fd::AsFd;
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        let standard_input = is_standard_input(path);
        // A copy of the handle is asked for its metadata, since dropping a `File` would close standard input
        // itself.
        let about = if standard_input {
            std::io::stdin().as_fd().try_clone_to_owned().map(std::fs::File::from).and_then(|f| f.metadata())
        } else {
            std::fs::metadata(path)
        };
        let once = |kind: std::fs::FileType| kind.is_fifo() || kind.is_socket() || kind.is_char_device();
        match about {
            Ok(about) if once(about.file_type()) => Some(OnceStream::Node(about.dev(), about.ino())),
            // Standard input from a file is shared as well: both readers would move one position.
            _ if standard_input => Some(OnceStream::StandardInput),
            _ => None,
        }
    }
}

#[cfg(not(unix))]
impl OnceStream {
    fn at(path: &Path) -> Option<Self> {
        is_standard_input(path).then_some(OnceStream::StandardInput)
    }
}
