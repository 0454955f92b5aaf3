//! The share of reference words that a transcript has at their time: lists of pairs on both sides.

use bleuprint::contract::*;

form! { pub struct Words as "timed_words" {
    /// pairs of a word and its start in seconds
    words: Vec<(String, f64)>
} }

columns! { pub struct Timed { at_their_time <= words, words } }

pub const ENTRY: MetricEntry =
    MetricEntry::new("timed_words", "Words found within 0.2 s of their time", |_| {
        Ok(AnyMetric::for_own::<Words, _>(Totals::new(
            Identity::new("timed_words", 1, Scale::UNIT).needing(|needs| needs.one_reference = true),
            |segment: Segment<'_, Words>| {
                let own = &segment.hypothesis.words;
                let wanted = &segment.one_reference("timed_words")?.words;
                let is_there = |(word, start): &&(String, f64)| {
                    own.iter().any(|(found, at)| found == word && (at - start).abs() <= 0.2)
                };
                let at_their_time = wanted.iter().filter(is_there).count() as u64;
                Ok(Timed { at_their_time, words: wanted.len() as u64 })
            },
            |all: &Timed, _| Ok(all.at_their_time as f64 / all.words.max(1) as f64),
        )))
    });

#[test]
fn obeys_the_laws() {
    laws::check_any_for(&ENTRY.build(&Default::default()).unwrap(), |raw| {
        // The same words at times that differ by 0 to 0.3 s.
        let moved = |by: f64| {
            let word = |byte: &u8| ((byte % 3).to_string(), f64::from(byte % 5) + by * f64::from(byte % 2));
            Words { words: raw.iter().map(word).collect() }
        };
        (moved(0.0), vec![moved(0.3)], None::<Words>)
    });
}
