//! [`option_file`]: the text of a file that an option of a metric names.

use bleuprint_core::ConfigError;

/// The text of a file that an option of a metric names, for
/// [`MetricOptions::set_files`](bleuprint_registry::MetricOptions::set_files).
///
/// ```
/// let error = bleuprint_text::read::option_file("no/such/file").unwrap_err();
/// assert!(error.to_string().contains("no/such/file"));
/// ```
///
/// # Errors
/// [`ConfigError::Resource`] that names the file and the reason.
pub fn option_file(path: &str) -> Result<String, ConfigError> {
    std::fs::read_to_string(path).map_err(|error| ConfigError::Resource {
        what: format!("`{path}`"),
        reason: error.to_string(),
        hint: "an option of a metric names it".to_owned(),
    })
}
