//! Reads the files that some normalizers need. Users give the path of such a file as `name=FILE`.

use bleuprint_core::ConfigError;

pub(super) fn read(normalizer: &str, path: &str) -> Result<String, ConfigError> {
    std::fs::read_to_string(path).map_err(|error| ConfigError::Resource {
        what: format!("the file `{path}` of the normalizer `{normalizer}`"),
        reason: error.to_string(),
        hint: "give a file of text in UTF-8".to_owned(),
    })
}
