//! One file of an archive in the form of zip, as jars are.

use std::fs::File;
use std::io::{Error, ErrorKind, Read as _, Result};

use zip::ZipArchive;
use zip::result::ZipError;

/// The text of a file in an archive.
///
/// # Errors
/// A file that is no archive or is damaged; an entry that is not there.
pub(super) fn text_of(archive: &str, name: &str) -> Result<String> {
    let no_archive =
        |error| Error::new(ErrorKind::InvalidData, format!("no archive, or a damaged one: {error}"));
    let mut archive = ZipArchive::new(File::open(archive)?).map_err(no_archive)?;
    let mut entry = archive.by_name(name).map_err(|error| match error {
        ZipError::FileNotFound => Error::new(ErrorKind::NotFound, format!("the archive has no `{name}`")),
        error => error.into(),
    })?;
    let mut text = String::new();
    entry.read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write as _};

    use zip::CompressionMethod;
    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    fn archive(name: &str, text: &str, method: CompressionMethod) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.start_file(name, SimpleFileOptions::default().compression_method(method)).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
        writer.finish().unwrap().into_inner()
    }

    fn read(bytes: &[u8], name: &str) -> std::result::Result<String, String> {
        let folder = bleuprint_testkit::Folder::new();
        let path = folder.file("a.jar", bytes);
        text_of(path.to_str().unwrap(), name).map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_is_found_stored_and_deflated() {
        for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
            let bytes = archive("in/a.txt", "größe, größe", method);
            assert_eq!(read(&bytes, "in/a.txt").unwrap(), "größe, größe");
            assert_eq!(read(&bytes, "in/a").unwrap_err(), "the archive has no `in/a`");
        }
    }

    #[test]
    fn damaged_archives_are_errors() {
        let bytes = archive("a", "abc", CompressionMethod::Deflated);
        assert!(read(b"no archive", "a").is_err());
        for at in 0..bytes.len() {
            for change in [0, 1, 0xFF] {
                let mut changed = bytes.clone();
                changed[at] = change;
                // The text or an error: a checksum keeps any other text out.
                assert!(read(&changed, "a").is_err() || read(&changed, "a").unwrap() == "abc", "{at}");
            }
            assert!(read(&bytes[..at], "a").is_err(), "{at}");
        }
    }
}
