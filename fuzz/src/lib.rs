//! The common part of fuzz targets: metrics, and valid files with edits.

use std::sync::LazyLock;

use bleuprint::eval::{ChosenTokens, Panel};
use bleuprint::{Case, Registry, TokenizerOptions, tokenizer};
use sha2::{Digest, Sha256};

/// The metrics.
pub static REGISTRY: LazyLock<Registry> = LazyLock::new(bleuprint::registry);

/// Words without more ado.
pub fn words() -> ChosenTokens {
    ChosenTokens::new(
        tokenizer("none", &TokenizerOptions::default()).expect("a tokenizer without a model"),
        Case::Mixed,
    )
}

/// A panel of one metric.
pub fn panel(metric: &str) -> Option<Panel> {
    Panel::new([REGISTRY.build(metric).ok()?], &words()).ok()
}

/// A valid file with edits: every five bytes say where, what (replace, insert, delete, repeat a piece), and with which byte.
pub fn edited(valid: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut bytes = valid.to_vec();
    for edit in edits.chunks_exact(5) {
        let place = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % (bytes.len() + 1);
        let end = (place + usize::from(edit[3]) % 32).min(bytes.len());
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

/// The file with the checksum that it would have: what is wrong with it must be found all the same.
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
