//! SHA-256 checksum at the end of a JSON object, computed from all bytes before it.

use sha2::{Digest, Sha256};

/// Text before the checksum in a JSON object: the separator and the name of its last field.
const FIELD: &str = ",\"sha256\":\"";

/// Appends a SHA-256 checksum as the last field of a JSON object. `before` has already hashed all text of the
/// file in front of the object.
pub(super) fn seal(object: &mut Vec<u8>, before: Sha256) {
    // The closing brace is removed; it follows the new field.
    object.pop();
    let checksum = hexadecimal(&before.chain_update(&*object).finalize());
    object.extend_from_slice(format!("{FIELD}{checksum}\"}}").as_bytes());
}

/// Returns an error unless a JSON object ends in the field `sha256` with this checksum and the checksum
/// matches all bytes before it.
pub(super) fn require_sealed(object: &[u8], checksum: &str, before: Sha256) -> Result<(), &'static str> {
    let end = format!("{FIELD}{checksum}\"}}");
    let fields = object.strip_suffix(end.as_bytes()).ok_or("the `sha256` is not the last field")?;
    if checksum == hexadecimal(&before.chain_update(fields).finalize()) {
        Ok(())
    } else {
        Err("the file was changed: its content does not match its SHA-256")
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
