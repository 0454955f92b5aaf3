//! The laws of the contract, for every metric of samples.

use bleuprint_core::laws::{self, Equality};
use bleuprint_core::{Numbers, Scale};
use bleuprint_samples::{Best, End, Finish, FixedSamples, Missing, Prompt, Sample, Samples};

fn samples(finish: Finish, ks: Option<&[f64]>) -> Samples {
    Samples::new(finish, ks, (finish == Finish::GPass).then(|| "0.5".parse().unwrap())).unwrap()
}

fn byte(raw: &[u8], place: usize) -> u8 {
    raw.get(place).copied().unwrap_or_default()
}

/// Between 3 and 6 samples.
fn counts(raw: &[u8]) -> Vec<f64> {
    let n = 3 + byte(raw, 0) % 4;
    vec![f64::from(n), f64::from(byte(raw, 1) % (n + 1))]
}

#[test]
fn counts_of_samples_obey_the_laws() {
    for finish in [Finish::Pass, Finish::PassHat, Finish::GPass, Finish::MeanGPass] {
        for ks in [&[2.0][..], &[1.0, 3.0]] {
            let metric = samples(finish, Some(ks));
            laws::check_sequences::<Numbers, _, _>(&metric, counts, Equality::Exact);
            let fixed = FixedSamples::new(metric, 6).unwrap();
            let of_six = |raw: &[u8]| vec![6.0, f64::from(byte(raw, 0) % 7)];
            laws::check_sequences::<Numbers, _, _>(&fixed, of_six, Equality::Exact);
        }
    }
    laws::check_sequences::<Numbers, _, _>(&samples(Finish::Avg, None), counts, Equality::Exact);
    let skipping = samples(Finish::Pass, None).missing(Missing::Skip);
    let some = |raw: &[u8]| if byte(raw, 2) % 3 < 1 { Vec::new() } else { counts(raw) };
    laws::check_sequences::<Numbers, _, _>(&skipping, some, Equality::Exact);
}

#[test]
fn verdicts_obey_the_laws() {
    let verdicts = |raw: &[u8]| {
        let sample = |place: usize| match byte(raw, place) % 4 {
            0 => Sample::Missing,
            1 => Sample::Number(0.25),
            other => Sample::Verdict(other == 3),
        };
        Prompt::Samples((0..4).map(sample).collect())
    };
    for missing in [Missing::Skip, Missing::Worst] {
        let metric = samples(Finish::Pass, None).right(Some(0.25)).missing(missing);
        laws::check_sequences::<Prompt, _, _>(&metric, verdicts, Equality::Exact);
    }
}

#[test]
fn best_worst_and_votes_obey_the_laws() {
    let values = |raw: &[u8]| (0..4).map(|place| f64::from(byte(raw, place) % 7) / 6.0).collect::<Vec<_>>();
    let scaled = |scale: Scale| {
        let best = Best::new(End::Best, &[1.0, 3.0]).unwrap();
        best.scale(scale).unwrap()
    };
    for metric in [
        scaled(Scale::UNIT),
        scaled(Scale::lower_is_better(0.0, 1.0)),
        Best::new(End::Worst, &[2.0]).unwrap().producer("program 1"),
    ] {
        laws::check_sequences::<Numbers, _, _>(&metric, values, Equality::Exact);
    }
    let some = |raw: &[u8]| {
        let mut values = values(raw);
        values.extend((0..byte(raw, 4) % 3).map(|_| f64::NAN));
        if byte(raw, 5) % 4 < 1 { Vec::new() } else { values }
    };
    let skipping = scaled(Scale::UNIT).missing(Missing::Skip).unwrap();
    laws::check_sequences::<Numbers, _, _>(&skipping, some, Equality::Exact);
}
