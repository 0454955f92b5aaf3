//! Streams that can be read only once: [`check_read_once`] keeps two readers from sharing one; [`count_lines`] counts
//! in files that can be read again.

use super::lines::Lines;
use bleuprint_core::{InputError, Location, Result};
use std::path::Path;

/// Checks that no stream is given twice: standard input under any of its names (`-`, `/dev/stdin`, ..), or one pipe.
/// Two readers of one stream would each get an arbitrary part of its lines.
///
/// ```
/// use bleuprint_text::read::check_read_once;
/// assert!(check_read_once(["ref.txt", "-", "ref.txt"]).is_ok(), "files can be read again");
/// let error = check_read_once(["-", "ref.txt", "/dev/stdin"]).unwrap_err();
/// assert_eq!(error.to_string(), "/dev/stdin: given twice, as `-` too, but it can be read only once");
/// ```
///
/// # Errors
/// The first stream given before, with both names. Files whose metadata cannot be read are left to the reader that
/// opens them.
pub fn check_read_once<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<()> {
    let mut streams = Vec::new();
    paths.into_iter().try_for_each(|path| add(&mut streams, path.as_ref()))
}

fn add(streams: &mut Vec<(Stream, String)>, path: &Path) -> Result<()> {
    let Some(stream) = Stream::at(path) else { return Ok(()) };
    let name = path.to_string_lossy().into_owned();
    if let Some((_, before)) = streams.iter().find(|(known, _)| *known == stream) {
        let message = match *before == name {
            true => "given twice, but it can be read only once".to_owned(),
            false => format!("given twice, as `{before}` too, but it can be read only once"),
        };
        let name = if name == "-" { "<stdin>".to_owned() } else { name };
        return Err(InputError::malformed(message).at(Location::file(name)));
    }
    streams.push((stream, name));
    Ok(())
}

/// The number of lines of a file; `None` for a stream that can be read only once.
///
/// # Errors
/// Those of [`Lines::open`] and [`Lines::count_rest`].
pub fn count_lines(path: impl AsRef<Path>) -> Result<Option<u64>> {
    if !is_regular(path.as_ref()) {
        return Ok(None);
    }
    Lines::open(path, Default::default())?.count_rest().map(Some)
}

fn is_regular(path: &Path) -> bool {
    !is_standard_input(path) && std::fs::metadata(path).is_ok_and(|about| about.is_file())
}

/// The path is one of the names of standard input.
pub(super) fn is_standard_input(path: &Path) -> bool {
    ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].iter().any(|name| path == Path::new(name))
}

/// A stream that can be read only once, the same under every name.
#[derive(PartialEq, Eq)]
enum Stream {
    StandardInput,
    /// A pipe, a socket or a terminal: the device and the number of its node.
    #[cfg(unix)]
    Node(u64, u64),
}

#[cfg(unix)]
impl Stream {
    fn at(path: &Path) -> Option<Self> {
        use std::os::fd::AsFd;
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        let standard_input = is_standard_input(path);
        let about = match standard_input {
            true => std::io::stdin()
                .as_fd()
                .try_clone_to_owned()
                .map(std::fs::File::from)
                .and_then(|f| f.metadata()),
            false => std::fs::metadata(path),
        };
        let once = |kind: std::fs::FileType| kind.is_fifo() || kind.is_socket() || kind.is_char_device();
        match about {
            Ok(about) if once(about.file_type()) => Some(Stream::Node(about.dev(), about.ino())),
            _ if standard_input => Some(Stream::StandardInput),
            _ => None,
        }
    }
}

#[cfg(not(unix))]
impl Stream {
    fn at(path: &Path) -> Option<Self> {
        is_standard_input(path).then_some(Stream::StandardInput)
    }
}
