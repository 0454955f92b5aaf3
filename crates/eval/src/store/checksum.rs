//! SHA-256 checksum at the end of a JSON object, computed from all bytes before it.

use sha2::{Digest, Sha256};

/// Text that joins the other fields of a JSON object to its checksum.
const FIELD: &str = ",\"sha256\":\"";

/// Appends the checksum as the last field of an object; `before` has already hashed the text in front of the
/// object.
pub(super) fn seal(object: &mut Vec<u8>, before: Sha256) {
    // The closing brace is removed; it follows the new field.
    object.pop();
    let checksum = hexadecimal(&before.chain_update(&*object).finalize());
    object.extend_from_slice(format!("{FIELD}{checksum}\"}}").as_bytes());
}

/// Returns an error unless a JSON object ends in this checksum and the checksum is that of the bytes before
/// it.
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
