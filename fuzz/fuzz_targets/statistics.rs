//! Fuzzes files of statistics: any bytes, and valid files with edits and a matching checksum. A file must be
//! rejected, or be readable and scorable.
#![no_main]

use std::sync::LazyLock;

use bleuprint::eval::evaluation::{Evaluation, TextCorpus, metrics_of};
use bleuprint::eval::store::StoredStatistics;
use bleuprint_fuzz::{REGISTRY, edited, sealed, words};
use libfuzzer_sys::fuzz_target;

/// File with rows, sums of floats, sets and learned data.
static VALID: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let evaluation =
        Evaluation::from_parts(&REGISTRY, ["bleu", "ter", "rouge1", "distinct", "nist"], &words());
    let corpus = TextCorpus::new([("a", ["b c d e", "f g"])], [["b c x e", "f g"]]).expect("a corpus");
    let run = evaluation.expect("metrics").run(corpus).expect("counts");
    let file = std::env::temp_dir().join(format!("bleuprint-fuzz-{}.stats", std::process::id()));
    run.write(&file).expect("a writable temporary folder");
    let bytes = std::fs::read(&file).expect("the file");
    let _ = std::fs::remove_file(file);
    assert_eq!(sealed(bytes.clone()), bytes, "the seal is that of the file");
    bytes
});

fuzz_target!(|data: &[u8]| {
    let bytes = match data.split_first() {
        Some((0, bytes)) => bytes.to_vec(),
        Some((_, edits)) => sealed(edited(&VALID, edits)),
        None => VALID.clone(),
    };
    let Ok(read) = StoredStatistics::from_reader(&bytes[..], "f") else { return };
    let Ok(metrics) = metrics_of(&REGISTRY, &read.header) else { return };
    let Ok(states) = read.open(&metrics) else { return };
    for (metric, state) in metrics.iter().zip(&states) {
        if let Ok(scored) = state.score(metric) {
            assert!(!scored.score.value.is_nan(), "{scored:?}");
        }
    }
});
