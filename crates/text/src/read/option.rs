//! [`option_file`]: reads a text file whose path is the value of a metric's option.

use std::path::Path;

use bleuprint_core::ConfigError;

use super::compressed::Compression;
use super::source::open;

/// Reads a text file whose path is the value of a metric's option, for
/// [`MetricOptions::set_files`](bleuprint_registry::MetricOptions::set_files). A file with the extension of a
/// compression format is decompressed. `FILE!/ENTRY` is a file in an archive, such as a jar (feature `zip`).
///
/// ```
/// let error = bleuprint_text::read::option_file("no/such/file").unwrap_err();
/// assert!(error.to_string().contains("no/such/file"));
/// ```
///
/// # Errors
/// Returns [`ConfigError::Resource`] with the file and the reason if it cannot be read.
pub fn option_file(path: &str) -> Result<String, ConfigError> {
    read(path).map_err(|reason| ConfigError::Resource {
        what: format!("`{path}`"),
        reason,
        hint: "an option of a metric names it".to_owned(),
    })
}

fn read(path: &str) -> Result<String, String> {
    let mut text = String::new();
    let read = match path.split_once("!/") {
        // A file whose name contains `!/` is read as it is.
        Some((archive, entry)) if !Path::new(path).exists() => {
            return in_archive(archive, entry).map_err(|error| error.to_string());
        }
        _ if Compression::of_name(path).is_some() => {
            open(path).map_err(|error| error.to_string())?.reader.read_to_string(&mut text).map(|_| text)
        }
        _ => std::fs::read_to_string(path),
    };
    read.map_err(|error| error.to_string())
}

#[cfg(feature = "zip")]
use super::archive::text_of as in_archive;

#[cfg(not(feature = "zip"))]
fn in_archive(_: &str, _: &str) -> Result<String, &'static str> {
    Err("in an archive, but this program was built without the feature `zip` of bleuprint-text")
}
