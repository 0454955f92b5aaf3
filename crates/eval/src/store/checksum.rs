//! The SHA-256 that ends an object of JSON: of all bytes before it.

use sha2::{Digest, Sha256};

/// The text between the other fields of the object and its checksum.
const FIELD: &str = ",\"sha256\":\"";

/// Adds the checksum to an object, as its last field; `before` has hashed the text before the object.
pub(super) fn seal(object: &mut Vec<u8>, before: Sha256) {
    object.pop();
    let checksum = hexadecimal(&before.chain_update(&*object).finalize());
    object.extend_from_slice(format!("{FIELD}{checksum}\"}}").as_bytes());
}

/// True if an object ends in this checksum, and the checksum is its own.
pub(super) fn require_sealed(object: &[u8], checksum: &str, before: Sha256) -> Result<(), &'static str> {
    let end = format!("{FIELD}{checksum}\"}}");
    let fields = object.strip_suffix(end.as_bytes()).ok_or("the `sha256` is not the last field")?;
    if checksum == hexadecimal(&before.chain_update(fields).finalize()) {
        Ok(())
    } else {
        Err("the file was changed: its SHA-256 is another than it says")
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
