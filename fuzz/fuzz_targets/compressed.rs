//! Fuzzes files of any bytes, compressed or not: all readers of lines must agree, or all must reject the
//! file.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use bleuprint_text::{FileText, LineReader};
use libfuzzer_sys::fuzz_target;

static FILE: LazyLock<PathBuf> =
    LazyLock::new(|| std::env::temp_dir().join(format!("bleuprint-fuzz-{}", std::process::id())));

fuzz_target!(|data: &[u8]| {
    std::fs::write(&*FILE, data).expect("a writable temporary folder");
    let text = FileText::open(&*FILE, Default::default())
        .map(|text| text.iter().map(str::to_owned).collect::<Vec<_>>());
    let lines = LineReader::open(&*FILE, Default::default()).and_then(|mut lines| {
        let mut all = Vec::new();
        loop {
            match lines.advance() {
                Ok(true) => all.push(lines.line().to_owned()),
                Ok(false) => return Ok(all),
                Err(error) => {
                    assert!(lines.advance().is_err(), "an error that is told once");
                    return Err(error);
                }
            }
        }
    });
    assert_eq!(text.is_ok(), lines.is_ok(), "{text:?} {lines:?}");
    if let (Ok(text), Ok(lines)) = (text, lines) {
        assert_eq!(text, lines);
    }
});
