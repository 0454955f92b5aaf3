//! The laws that every metric must obey.

use bleuprint_diarization::{ENTRIES, Regions, Turns};
use bleuprint_registry::{AnyMetric, Registry, laws};

use crate::turns;

fn built(name: &str) -> AnyMetric {
    let registry = Registry::from_entries(ENTRIES).unwrap();
    registry.build(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns up to four turns of three speakers, in half seconds.
fn some(raw: &[u8]) -> Turns {
    let turn = |raw: &[u8]| {
        let start = f64::from(raw[0] % 8) / 2.0;
        (["A", "B", "C"][usize::from(raw[1] % 3)], start, start + f64::from(raw[2] % 4) / 2.0)
    };
    turns(&raw.chunks_exact(3).take(4).map(turn).collect::<Vec<_>>())
}

fn file(raw: &[u8]) -> (Turns, Vec<Turns>, Option<Regions>) {
    let (one, other) = raw.split_at(raw.len() / 2);
    // The reference is never empty, so that every program has a number.
    let mut reference = some(other);
    reference.0.extend(turns(&[("D", 1.0, 6.0)]).0);
    (some(one), vec![reference], Some(Regions(vec![(0.0, 2.0), (2.5, 6.0)])))
}

#[test]
fn the_metrics_obey_the_laws() {
    for name in [
        "der",
        "der:collar=0.25,overlap=skip",
        "der:like=md-eval,uem=extent",
        "der:like=pyannote,collar=0.5,mapping=greedy",
        "der:like=simpleder,uem=extent",
        "der:like=spyder,overlap=single,times=rounded",
        "der:like=dscore,collar=0.25",
        "jer",
        "jer:like=pyannote,uem=extent",
        "jer:mapping=jaccard,collar=0.25",
        "jer:like=dscore,mapping=jaccard",
        "detection",
        "detection:like=pyannote,collar=0.5",
        "der:like=pyannote,mapping=names",
        "speech_detection",
        "speech_detection:like=pyannote,collar=0.5,beta=2,miss-weight=0.5",
        "purity",
        "purity:like=pyannote,uem=extent",
        "bcubed",
    ] {
        laws::check_any_for(&built(name), file);
    }
}
