//! One file of an archive in the form of zip, as jars are.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom};

use flate2::read::DeflateDecoder;

/// Ends the list of an archive, with a comment of at most this length.
const END: [u8; 4] = *b"PK\x05\x06";
const END_LENGTH: usize = 22;
const LONGEST_COMMENT: u64 = u16::MAX as u64;
/// Begins an entry of the list, and a file.
const LISTED: [u8; 4] = *b"PK\x01\x02";
const LISTED_LENGTH: usize = 46;
const STORED: [u8; 4] = *b"PK\x03\x04";
const STORED_LENGTH: usize = 30;

/// A file of the list: its method, its size in the archive and outside, and the place of its head.
struct Entry {
    method: u16,
    packed: u64,
    size: u64,
    head: u64,
}

/// The text of a file in an archive.
///
/// # Errors
/// A file that is no archive or is damaged; an entry that is not there, or that is neither stored nor deflated.
pub(super) fn text_of(archive: &str, name: &str) -> Result<String> {
    let mut file = File::open(archive)?;
    let list = list(&mut file)?;
    let entry = find(&list, name)?.ok_or_else(|| damaged(&format!("the archive has no `{name}`")))?;
    file.seek(SeekFrom::Start(entry.head))?;
    let mut head = [0; STORED_LENGTH];
    file.read_exact(&mut head)?;
    if !head.starts_with(&STORED) {
        return Err(damaged("no file is where the list of the archive has it"));
    }
    let skipped = i64::from(short(&head, 26)) + i64::from(short(&head, 28));
    file.seek(SeekFrom::Current(skipped))?;
    let bytes = file.take(entry.packed);
    let mut text = String::new();
    let read = match entry.method {
        0 => bytes.take(entry.size).read_to_string(&mut text)?,
        8 => DeflateDecoder::new(bytes).take(entry.size).read_to_string(&mut text)?,
        other => {
            return Err(damaged(&format!("`{name}` is packed by method {other}, which is not read here")));
        }
    };
    if read as u64 != entry.size {
        return Err(damaged(&format!("`{name}` has {read} bytes, and the list says {}", entry.size)));
    }
    Ok(text)
}

/// The list of files, at the end of an archive.
fn list(file: &mut File) -> Result<Vec<u8>> {
    let size = file.metadata()?.len();
    let last = size.min(END_LENGTH as u64 + LONGEST_COMMENT);
    file.seek(SeekFrom::Start(size - last))?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail)?;
    let ends = tail.windows(END_LENGTH).rev();
    let end = ends.into_iter().find(|end| end.starts_with(&END));
    let end = end.ok_or_else(|| damaged("no archive, or its end is cut off"))?;
    file.seek(SeekFrom::Start(long(end, 16)))?;
    let mut list = Vec::new();
    file.take(long(end, 12)).read_to_end(&mut list)?;
    Ok(list)
}

fn find(mut list: &[u8], name: &str) -> Result<Option<Entry>> {
    while !list.is_empty() {
        let whole = list.len() >= LISTED_LENGTH && list.starts_with(&LISTED);
        let lengths = |at: usize| usize::from(short(list, at));
        let behind = if whole { lengths(28) + lengths(30) + lengths(32) } else { 0 };
        let entry = list.get(..LISTED_LENGTH + behind).filter(|_| whole);
        let entry = entry.ok_or_else(|| damaged("the list of the archive is damaged"))?;
        if entry[LISTED_LENGTH..].starts_with(name.as_bytes()) && lengths(28) == name.len() {
            let [packed, size, head] = [20, 24, 42].map(|at| long(entry, at));
            return Ok(Some(Entry { method: short(entry, 10), packed, size, head }));
        }
        list = &list[entry.len()..];
    }
    Ok(None)
}

fn short(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn long(bytes: &[u8], at: usize) -> u64 {
    u64::from(short(bytes, at)) | u64::from(short(bytes, at + 2)) << 16
}

fn damaged(message: &str) -> Error {
    Error::new(ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    /// An archive of one file, deflated or stored.
    fn archive(name: &str, text: &str, method: u16) -> Vec<u8> {
        let mut packed = Vec::new();
        match method {
            8 => {
                let mut encoder =
                    flate2::write::DeflateEncoder::new(&mut packed, flate2::Compression::fast());
                encoder.write_all(text.as_bytes()).unwrap();
            }
            _ => packed.extend(text.as_bytes()),
        }
        let numbers = |all: &[(u32, usize)]| -> Vec<u8> {
            all.iter().flat_map(|(number, bytes)| number.to_le_bytes()[..*bytes].to_vec()).collect()
        };
        let (method, length) = (u32::from(method), name.len() as u32);
        let sizes = [(0, 4), (packed.len() as u32, 4), (text.len() as u32, 4), (length, 2), (1, 2)];
        let mut bytes = STORED.to_vec();
        bytes.extend(numbers(&[(20, 2), (0, 2), (method, 2), (0, 4)]));
        bytes.extend(numbers(&sizes));
        bytes.extend([name.as_bytes(), b"x", &packed].concat());
        let start = bytes.len() as u32;
        bytes.extend(LISTED);
        bytes.extend(numbers(&[(20, 2), (20, 2), (0, 2), (method, 2), (0, 4)]));
        bytes.extend(numbers(&sizes));
        bytes.extend(numbers(&[(0, 2), (0, 2), (0, 2), (0, 4), (0, 4)]));
        bytes.extend([name.as_bytes(), b"x"].concat());
        let end = bytes.len() as u32;
        bytes.extend(END);
        bytes.extend(numbers(&[(0, 4), (1, 2), (1, 2), (end - start, 4), (start, 4), (3, 2)]));
        bytes.extend(b"end");
        bytes
    }

    fn read(bytes: &[u8], name: &str) -> std::result::Result<String, String> {
        let folder = bleuprint_testkit::Folder::new();
        let path = folder.file("a.jar", bytes);
        text_of(path.to_str().unwrap(), name).map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_is_found_stored_and_deflated() {
        for method in [0, 8] {
            let bytes = archive("in/a.txt", "größe, größe", method);
            assert_eq!(read(&bytes, "in/a.txt").unwrap(), "größe, größe");
            assert_eq!(read(&bytes, "in/a").unwrap_err(), "the archive has no `in/a`");
        }
    }

    #[test]
    fn damaged_archives_are_errors() {
        let bytes = archive("a", "abc", 8);
        assert!(read(b"no archive", "a").unwrap_err().contains("no archive"));
        assert!(read(&archive("a", "abc", 9), "a").unwrap_err().contains("method 9"));
        for at in 0..bytes.len() {
            for change in [0, 1, 0xFF] {
                let mut changed = bytes.clone();
                changed[at] = change;
                // Any answer but a panic.
                let _ = read(&changed, "a");
            }
            // The comment at its end may be cut off.
            assert_eq!(read(&bytes[..at], "a").is_err(), at < bytes.len() - 3);
        }
    }
}
