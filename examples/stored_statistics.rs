//! Write the counts of every segment to a file; merge shards, and finalize them under other settings.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use bleuprint::eval::store::{Fingerprint, Header, StoredSegment, StoredState, StoredStatistics};
use bleuprint::{AnyMetric, Bleu, Segment, State, metrics::Smoothing};

fn metrics() -> Vec<AnyMetric> {
    vec![AnyMetric::for_ids(Bleu::default()).unwrap()]
}

/// Counts some segments of ids, with the counts of each.
fn count(segments: &[(&[u32], &[u32])]) -> StoredStatistics {
    let metrics = metrics();
    let metric = &metrics[0];
    let (mut scratch, mut total) = (Default::default(), State::zero(metric));
    let stored = |(number, (hypothesis, reference)): (usize, &(&[u32], &[u32]))| {
        let segment = Segment::new(*hypothesis, std::slice::from_ref(reference));
        let state = State::of_segment(metric, &mut scratch, segment).unwrap();
        total.merge(&state).unwrap();
        let digits: Vec<u8> = reference.iter().flat_map(|id| id.to_be_bytes()).collect();
        StoredSegment {
            references: Fingerprint::from_texts([digits]),
            source: None,
            labels: vec![Some(format!("doc-{}", number / 2))],
            states: vec![StoredState::from_state(metric, &state).unwrap()],
        }
    };
    let segments: Vec<StoredSegment> = segments.iter().enumerate().map(stored).collect();
    let header = Header {
        system: "mine".to_owned(),
        labels: vec!["document".to_owned()],
        ..Header::of_metric("bleu", metric).unwrap()
    };
    StoredStatistics::new(header, segments, vec![StoredState::from_state(metric, &total).unwrap()])
}

pub(crate) fn main() {
    let segments: [(&[u32], &[u32]); 3] =
        [(&[1, 2, 3, 4, 5], &[1, 2, 3, 4, 6]), (&[7, 8, 9, 9], &[7, 8, 9, 10]), (&[1, 2], &[3, 4])];
    let folder = std::env::temp_dir().join(format!("bleuprint-stored-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();

    // Two machines write a file each. Writing is atomic.
    let shards = [folder.join("a.stats"), folder.join("b.stats")];
    count(&segments[..1]).write(&shards[0]).unwrap();
    count(&segments[1..]).write(&shards[1]).unwrap();

    // Merged, they give the bits of one run.
    let metrics = metrics();
    let mut merged = StoredStatistics::read(&shards[0]).unwrap();
    merged.merge(&metrics, &StoredStatistics::read(&shards[1]).unwrap(), false).unwrap();
    assert_eq!(merged.total, count(&segments).total);

    // One state serves every smoothing and every lower order.
    let state = &merged.open(&metrics).unwrap()[0];
    let floor = Bleu::builder().smoothing(Smoothing::Floor(0.1)).max_order(2).build().unwrap();
    let finisher = AnyMetric::for_ids(floor).unwrap();
    let (four, two) = (state.score(&metrics[0]).unwrap().value(), state.score(&finisher).unwrap().value());
    assert!(two > four);
    println!("BLEU-4 {four:.2}, BLEU-2 {two:.2} of the same counts");

    // A truncated file is an error.
    let whole = std::fs::read(&shards[0]).unwrap();
    std::fs::write(&shards[0], &whole[..whole.len() - 40]).unwrap();
    let error = StoredStatistics::read(&shards[0]).unwrap_err().to_string();
    assert!(error.contains("cut short"), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}
