//! [`archive_members`]: reads the files in a zip archive, such as a jar or an evaluation log.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;
use std::sync::Arc;

use rawzip::{CompressionMethod, FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipArchiveEntryWayfinder};

/// Returns the files (members) in a zip archive: a map from the name of each to a function that reads its
/// content.
///
/// Each function reads a member that is stored, deflated or compressed with Zstandard (feature `zst`), of at
/// most `most` bytes, and checks its checksum. If several members have one name, the last one counts, because
/// programs append newer versions.
///
/// # Errors
/// Returns an error if the file cannot be read, is not an archive or has a damaged directory. The functions
/// return an error if the member is longer than `most`, damaged, encrypted, or compressed in another way.
pub fn archive_members(path: &Path, most: u64) -> Result<BTreeMap<String, impl Fn() -> Result<Vec<u8>>>> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = Arc::new(ZipArchive::from_file(File::open(path)?, &mut buffer).map_err(damaged)?);
    let mut members = BTreeMap::new();
    let mut entries = archive.entries(&mut buffer);
    let mut found = 0;
    while let Some(entry) = entries.next_entry().map_err(damaged)? {
        let name = String::from_utf8_lossy(entry.file_path().as_ref()).into_owned();
        let method = entry.compression_method();
        let encrypted = entry.flags().is_encrypted();
        let archive = archive.clone();
        let member = ArchiveMember { place: entry.wayfinder(), method, encrypted };
        members.insert(name, move || member.read(&archive, most));
        found += 1;
    }
    // A cut directory would look like an archive with fewer members.
    let expected = archive.entries_hint();
    if found != expected {
        return Err(damaged(format!("the directory has {found} members of {expected}")));
    }
    Ok(members)
}

/// The position, compression method and encryption flag of a file in a zip archive.
struct ArchiveMember {
    place: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    encrypted: bool,
}

impl ArchiveMember {
    fn read(&self, archive: &ZipArchive<FileReader>, most: u64) -> Result<Vec<u8>> {
        if self.encrypted {
            return Err(Error::new(ErrorKind::Unsupported, "encrypted"));
        }
        let entry = archive.get_entry(self.place).map_err(damaged)?;
        let content = entry.verifying_reader(content(self.method, entry.reader())?);
        let mut bytes = Vec::new();
        // One byte more than allowed tells a longer member from one of exactly `most` bytes.
        content.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(damaged)?;
        if bytes.len() as u64 > most {
            return Err(Error::new(ErrorKind::FileTooLarge, format!("more than {most} bytes")));
        }
        Ok(bytes)
    }
}

fn content<'a>(method: CompressionMethod, bytes: impl Read + 'a) -> Result<Box<dyn Read + 'a>> {
    Ok(match method {
        CompressionMethod::STORE => Box::new(bytes),
        CompressionMethod::DEFLATE => Box::new(flate2::read::DeflateDecoder::new(bytes)),
        #[cfg(feature = "zst")]
        CompressionMethod::ZSTD => Box::new(zstd::Decoder::new(bytes)?),
        method => {
            let method = method.name().map_or_else(|| format!("method {}", method.as_u16()), str::to_owned);
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!("compressed with {method}, which is not read"),
            ));
        }
    })
}

fn damaged(error: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::InvalidData, format!("no archive, or a damaged one: {error}"))
}

/// Returns the text of the file `name` in a zip archive.
///
/// # Errors
/// Returns an error if the archive has no file `name`, or if the archive or this file cannot be read. Returns
/// an error if the content of the file is not UTF-8.
pub(super) fn text_of(archive: &str, name: &str) -> Result<String> {
    let members = archive_members(archive.as_ref(), u64::MAX)?;
    let none = || Error::new(ErrorKind::NotFound, format!("the archive has no `{name}`"));
    let bytes = members.get(name).ok_or_else(none)?()?;
    String::from_utf8(bytes).map_err(|error| Error::new(ErrorKind::InvalidData, error.utf8_error()))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use rawzip::ZipArchiveWriter;

    use super::*;

    fn archive(members: &[(&str, &str)], method: CompressionMethod) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut archive = ZipArchiveWriter::new(&mut bytes);
        for (name, text) in members {
            let (mut entry, config) = archive.new_file(name).compression_method(method).start().unwrap();
            let encoder: Box<dyn std::io::Write> = match method {
                CompressionMethod::DEFLATE => {
                    Box::new(flate2::write::DeflateEncoder::new(&mut entry, <_>::default()))
                }
                #[cfg(feature = "zst")]
                CompressionMethod::ZSTD => Box::new(zstd::Encoder::new(&mut entry, 0).unwrap().auto_finish()),
                _ => Box::new(&mut entry),
            };
            let mut writer = config.wrap(encoder);
            writer.write_all(text.as_bytes()).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            drop(encoder);
            entry.finish(descriptor).unwrap();
        }
        archive.finish().unwrap();
        bytes
    }

    fn read(bytes: &[u8], name: &str) -> std::result::Result<String, String> {
        let folder = bleuprint_testkit::Folder::new();
        let path = folder.file("a.jar", bytes);
        text_of(path.to_str().unwrap(), name).map_err(|error| error.to_string())
    }

    #[test]
    fn a_member_is_found_in_each_form() {
        let methods = [
            CompressionMethod::STORE,
            CompressionMethod::DEFLATE,
            #[cfg(feature = "zst")]
            CompressionMethod::ZSTD,
        ];
        for method in methods {
            let bytes = archive(&[("in/a.txt", "größe, größe")], method);
            assert_eq!(read(&bytes, "in/a.txt").unwrap(), "größe, größe");
            assert_eq!(read(&bytes, "in/a").unwrap_err(), "the archive has no `in/a`");
        }
        let bytes = archive(&[("a", "")], CompressionMethod::LZMA);
        assert_eq!(read(&bytes, "a").unwrap_err(), "compressed with LZMA, which is not read");
    }

    #[test]
    fn the_last_of_several_counts_and_a_long_one_is_an_error() {
        let bytes = archive(&[("a", "first"), ("b", ""), ("a", "second")], CompressionMethod::DEFLATE);
        assert_eq!(read(&bytes, "a").unwrap(), "second");
        let folder = bleuprint_testkit::Folder::new();
        let path = folder.file("a.zip", &bytes);
        let members = archive_members(&path, 6).unwrap();
        assert_eq!(members.keys().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(members["a"]().unwrap(), b"second");
        assert_eq!(archive_members(&path, 5).unwrap()["a"]().unwrap_err().to_string(), "more than 5 bytes");
    }

    #[test]
    fn damaged_archives_are_errors() {
        let bytes = archive(&[("a", "abc")], CompressionMethod::DEFLATE);
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
