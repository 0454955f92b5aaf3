//! Completions and the manual page know every command and the options of metrics.

use crate::common::{refused, stdout};

#[test]
fn completions_and_the_manual_know_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(&["completions", shell]);
        for word in ["score", "verify", "report", "chrf-beta", "paired-bs"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let manual = stdout(&["man"]);
    assert!(
        manual.contains(".TH") && manual.contains("bleuprint gate") && manual.contains("ter\\-normalized")
    );
    refused(&["completions", "ed"], &["bash", "zsh"]);
}
