//! Compares the sweep over borders with a count of single seconds.

use bleuprint_core::Score as _;
use bleuprint_diarization::{Diarization, Overlap, Regions, ScoredTime, Turn, Turns};
use bleuprint_testkit::random::Rng;

use crate::{observed, turns};

fn random(rng: &mut Rng, names: &[&str]) -> Turns {
    let turn = |rng: &mut Rng| {
        let start = rng.below(20);
        Turn::new(*rng.pick(names), start as f64, (start + rng.below(8)) as f64)
    };
    Turns((0..rng.below(7)).map(|_| turn(rng)).collect())
}

fn on(turns: &Turns, second: f64) -> Vec<&str> {
    let mut on: Vec<&str> = turns
        .0
        .iter()
        .filter(|turn| turn.start <= second && second < turn.end)
        .map(|turn| &*turn.speaker)
        .collect();
    on.sort_unstable();
    on.dedup();
    on
}

/// Returns the smallest error of all one-to-one mappings, by trying every mapping.
fn least(seconds: &[(Vec<&str>, Vec<&str>)]) -> [u64; 3] {
    let mut rows: Vec<&str> = seconds.iter().flat_map(|second| second.0.iter().copied()).collect();
    let mut columns: Vec<&str> = seconds.iter().flat_map(|second| second.1.iter().copied()).collect();
    rows.sort_unstable();
    rows.dedup();
    columns.sort_unstable();
    columns.dedup();
    let (mut miss, mut false_alarm, mut shared) = (0, 0, 0);
    for (reference, hypothesis) in seconds {
        let (r, h) = (reference.len() as u64, hypothesis.len() as u64);
        miss += r.saturating_sub(h);
        false_alarm += h.saturating_sub(r);
        shared += r.min(h);
    }
    fn most(seconds: &[(Vec<&str>, Vec<&str>)], rows: &[&str], columns: &[&str]) -> u64 {
        let Some((row, rest)) = rows.split_first() else { return 0 };
        let mut best = most(seconds, rest, columns);
        for (place, column) in columns.iter().enumerate() {
            let others: Vec<&str> = columns
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != place)
                .map(|(_, name)| *name)
                .collect();
            let both = seconds.iter().filter(|(r, h)| r.contains(row) && h.contains(column)).count() as u64;
            best = best.max(both + most(seconds, rest, &others));
        }
        best
    }
    [miss, false_alarm, shared - most(seconds, &rows, &columns)]
}

#[test]
fn the_sweep_has_the_errors_of_single_moments() {
    let mut rng = Rng::new(36);
    for _ in 0..2_000 {
        let (reference, hypothesis) =
            (random(&mut rng, &["A", "B", "C"]), random(&mut rng, &["x", "y", "z"]));
        let skip = rng.below(2) == 0;
        let first = rng.below(10) as f64;
        let regions = Regions(vec![(first, first + 6.0), (first + 8.0, 28.0)]);
        let scored = |second: f64| regions.0.iter().any(|region| region.0 <= second && second < region.1);
        let in_region: Vec<f64> = (0..28).map(f64::from).filter(|second| scored(*second)).collect();
        let kept: Vec<f64> =
            in_region.iter().copied().filter(|second| !skip || on(&reference, *second).len() < 2).collect();
        let of = |seconds: &[f64]| -> Vec<(Vec<&str>, Vec<&str>)> {
            seconds.iter().map(|second| (on(&reference, *second), on(&hypothesis, *second))).collect()
        };
        let [miss, false_alarm, confusion] = least(&of(&kept));
        let overlap = if skip { Overlap::Skip } else { Overlap::Keep };
        let metric = Diarization::der(ScoredTime::default().overlap(overlap)).unwrap();
        let all = observed(metric, &[(reference.clone(), hypothesis.clone(), Some(regions.clone()))]);
        let times = *all.total().stats();
        let seconds = [times.miss, times.false_alarm].map(|ticks| ticks / 2_000_000);
        assert_eq!(seconds, [miss, false_alarm], "{reference:?} {hypothesis:?} {regions:?}");
        // The mapping sees overlap that is not scored, so the confusion may exceed the smallest.
        let found = times.confusion / 2_000_000;
        assert!(
            if skip { found >= confusion } else { found == confusion },
            "{reference:?} {hypothesis:?} {regions:?}"
        );
    }
}

#[test]
fn a_cut_by_file_changes_nothing() {
    let mut rng = Rng::new(7);
    let files: Vec<_> = (0..30)
        .map(|_| {
            let mut reference = random(&mut rng, &["A", "B"]);
            reference.0.extend(turns(&[("C", 3.0, 9.0)]).0);
            (reference, random(&mut rng, &["x", "y"]), Some(Regions(vec![(0.0, 28.0)])))
        })
        .collect();
    let metric = Diarization::der(ScoredTime::default().collar(0.25).unwrap()).unwrap();
    let whole = observed(metric, &files);
    let mut parts = observed(metric, &files[..11]);
    parts.merge(&observed(metric, &files[11..])).unwrap();
    assert_eq!(whole.total(), parts.total());
    assert_eq!(whole.score().unwrap().score.value(), parts.score().unwrap().score.value());
}
