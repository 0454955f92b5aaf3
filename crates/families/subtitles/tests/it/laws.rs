//! Tests of the laws of the metric contract.

use bleuprint_registry::{Registry, laws};
use bleuprint_subtitles::{Subtitle, Subtitles};

/// Returns up to three subtitles of few words, with times in half seconds.
fn some(raw: &[u8]) -> Subtitles {
    let mut start = 0.0;
    let subtitle = |raw: &[u8]| {
        start += f64::from(raw[0] % 3) / 2.0;
        let words = ["a", "B, a\nc", "c a", "", "...\nb"][usize::from(raw[1] % 5)];
        Subtitle { start, end: start + f64::from(1 + raw[0] / 3 % 4) / 2.0, text: words.to_owned() }
    };
    Subtitles(raw.chunks_exact(2).take(3).map(subtitle).collect())
}

#[test]
fn the_metrics_obey_the_laws() {
    let registry = Registry::from_entries(bleuprint_subtitles::ENTRIES).unwrap();
    for name in ["suber", "suber-cased", "suber:language=zh"] {
        laws::check_any_for(&registry.build(name).unwrap(), |raw| {
            let (one, other) = raw.split_at(raw.len() / 2);
            (some(one), vec![some(other)], None::<Subtitles>)
        });
    }
}
