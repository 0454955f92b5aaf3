//! Fuzzes policies: any text, and a policy with all settings and edits. A policy that is read must name
//! metrics that can be built.
#![no_main]

use bleuprint::gate::Policy;
use bleuprint_fuzz::{REGISTRY, edited};
use libfuzzer_sys::fuzz_target;

const VALID: &str = r#"
baseline = "base.stats"
on-inconclusive = "pass"

[test]
method = "ar"
confidence = 0.95
samples = 1000
seed = 12345

[[rule]]
name = "worst domain"
metric = "bleu"
by = "domain"
max-drop = 0.5
max-order = 4

[[rule]]
metric = "chrf"
min = 40.0
"#;

fuzz_target!(|data: &[u8]| {
    let bytes = match data.split_first() {
        Some((0, bytes)) => bytes.to_vec(),
        Some((_, edits)) => edited(VALID.as_bytes(), edits),
        None => VALID.into(),
    };
    let Ok(text) = String::from_utf8(bytes) else { return };
    match Policy::parse("gate.toml", &text, &REGISTRY) {
        Ok(policy) => {
            for metric in policy.metrics() {
                assert!(REGISTRY.parse(metric).is_ok(), "{metric}");
            }
        }
        Err(error) => assert!(error.to_string().starts_with("gate.toml"), "{error}"),
    }
});
