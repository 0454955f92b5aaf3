//! [`Archive`]: the members of an archive in the form of zip, as jars and logs are.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

use rawzip::{CompressionMethod, FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipArchiveEntryWayfinder};

/// The members of an archive in the form of zip, stored, deflated or compressed with Zstandard (feature `zst`). Of several with
/// one name the last counts, as programs append a newer one.
pub struct Archive {
    archive: ZipArchive<FileReader>,
    members: BTreeMap<String, Member>,
}

#[derive(Clone, Copy)]
struct Member {
    place: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    encrypted: bool,
}

impl Archive {
    /// Opens an archive and reads the names of its members.
    ///
    /// # Errors
    /// A file that cannot be read, is no archive or has a damaged directory.
    pub fn open(path: &Path) -> Result<Self> {
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let archive = ZipArchive::from_file(File::open(path)?, &mut buffer).map_err(damaged)?;
        let mut members = BTreeMap::new();
        let (mut entries, mut found) = (archive.entries(&mut buffer), 0);
        while let Some(entry) = entries.next_entry().map_err(damaged)? {
            let name = String::from_utf8_lossy(entry.file_path().as_ref()).into_owned();
            let (method, encrypted) = (entry.compression_method(), entry.flags().is_encrypted());
            members.insert(name, Member { place: entry.wayfinder(), method, encrypted });
            found += 1;
        }
        let expected = archive.entries_hint();
        if found != expected {
            return Err(damaged(format!("the directory has {found} members of {expected}")));
        }
        Ok(Archive { archive, members })
    }

    /// The names of the members, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.members.keys().map(String::as_str)
    }

    /// The content of a member of at most so many bytes, compared with its checksum.
    ///
    /// # Errors
    /// A member that is not there, is longer, damaged or encrypted, or compressed in another way.
    pub fn read(&self, name: &str, most: u64) -> Result<Vec<u8>> {
        let none = || Error::new(ErrorKind::NotFound, format!("the archive has no `{name}`"));
        let member = self.members.get(name).ok_or_else(none)?;
        if member.encrypted {
            return Err(Error::new(ErrorKind::Unsupported, format!("`{name}` is encrypted")));
        }
        let entry = self.archive.get_entry(member.place).map_err(damaged)?;
        let mut content =
            entry.verifying_reader(content(member.method, entry.reader())?).take(most.saturating_add(1));
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes).map_err(damaged)?;
        if bytes.len() as u64 > most {
            return Err(Error::new(ErrorKind::FileTooLarge, format!("`{name}` has more than {most} bytes")));
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

/// The text of a member.
///
/// # Errors
/// As [`Archive::open`] and [`Archive::read`]; content that is no UTF-8.
pub(super) fn text_of(archive: &str, name: &str) -> Result<String> {
    let bytes = Archive::open(archive.as_ref())?.read(name, u64::MAX)?;
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
        let archive = Archive::open(&folder.file("a.zip", &bytes)).unwrap();
        assert_eq!(archive.names().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(archive.read("a", 6).unwrap(), b"second");
        assert_eq!(archive.read("a", 5).unwrap_err().to_string(), "`a` has more than 5 bytes");
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
