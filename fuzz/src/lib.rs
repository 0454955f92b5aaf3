//! Shared part of the fuzz targets: metrics, and valid files with edits.

use std::sync::LazyLock;

use bleuprint::eval::{ChosenTokens, Panel};
use bleuprint::{Case, Registry, TokenizerOptions, tokenizer};
use sha2::{Digest, Sha256};

/// Registry of all metrics.
pub static REGISTRY: LazyLock<Registry> = LazyLock::new(bleuprint::registry);

/// Returns the choice of tokens: words separated by spaces, without a change of case.
pub fn words() -> ChosenTokens {
    ChosenTokens::new(
        tokenizer("none", &TokenizerOptions::default()).expect("a tokenizer without a model"),
        Case::Mixed,
    )
}

/// Returns a panel of one metric.
pub fn panel(metric: &str) -> Option<Panel> {
    Panel::new([REGISTRY.build(metric).ok()?], &words()).ok()
}

/// Applies edits to a valid file. Every five bytes give the place, the kind of edit (replace, insert,
/// delete, or repeat a piece), and a byte.
pub fn edited(valid: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut bytes = valid.to_vec();
    for edit in edits.chunks_exact(5) {
        let place = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % (bytes.len() + 1);
        let end = (place + usize::from(edit[3]) % 32).min(bytes.len());
        // The place may be one past the end, where a byte can be inserted but not replaced.
        match edit[2] % 4 {
            0 if place < bytes.len() => bytes[place] = edit[4],
            1 => bytes.insert(place, edit[4]),
            2 => drop(bytes.drain(place..end)),
            _ => {
                let piece = bytes[place..end].to_vec();
                let to = usize::from(edit[4]) * bytes.len() / 256;
                drop(bytes.splice(to..to, piece));
            }
        }
    }
    bytes
}

/// Returns the file with a matching checksum, so that readers must find all other faults themselves.
pub fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    const CHECKSUM: &[u8] = b",\"sha256\":\"";
    if let Some(end) = bytes.windows(CHECKSUM.len()).rposition(|piece| piece == CHECKSUM) {
        bytes.truncate(end);
        let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        bytes.extend_from_slice(CHECKSUM);
        bytes.extend_from_slice(format!("{sum}\"}}\n").as_bytes());
    }
    bytes
}
