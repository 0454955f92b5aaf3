//! Simulations that compare the stated rates of false alarms and of repeated looks with the actual rates.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use bleuprint_core::{Segment, State, score_row};
use bleuprint_eval::store::{Fingerprint, Header, StoredSegment, StoredState, StoredStatistics};
use bleuprint_inference::{CountRows, FEWEST_UNITS_OF_LOOK, NumpyRandom, leave_one_out, standard_error};
use bleuprint_metrics::registry;
use bleuprint_registry::AnyMetric;
use bleuprint_testkit::draws;
use bleuprint_track::{
    AlarmPlan, Baseline, MetricName, VersionDifference, Watch, WatchPolicy, WatchReport, watch_rows,
};

use crate::support::{bleu, hour};

/// The counts of a system's segments, from which traffic is drawn.
struct System {
    metric: AnyMetric,
    rows: CountRows,
}

fn example() -> System {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data");
    let [reference, system] =
        ["en.ref1.txt", "en.sys-a.txt"].map(|name| std::fs::read_to_string(folder.join(name)).unwrap());
    let mut ids: HashMap<String, u32> = HashMap::new();
    let mut tokens = |line: &str| -> Vec<u32> {
        let next = |token: &str| {
            let next = ids.len() as u32;
            *ids.entry(token.to_owned()).or_insert(next)
        };
        line.split(' ').map(next).collect()
    };
    let metric = bleu();
    let mut rows = CountRows::with_columns(bleuprint_core::column_names(&metric).len());
    for (hypothesis, reference) in system.lines().zip(reference.lines()) {
        let (hypothesis, reference) = (tokens(hypothesis), tokens(reference));
        let references = [&reference[..]];
        let segment = Segment::new(&hypothesis[..], &references);
        let state = State::of_segment(&metric, &mut Default::default(), segment).unwrap();
        rows.push(&state.row().unwrap()).unwrap();
    }
    System { metric, rows }
}

impl System {
    fn baseline(&self) -> Baseline {
        let header = Header::of_metric("bleu", &self.metric).unwrap();
        let name = MetricName { spec: "bleu".to_owned(), key: header.metrics[0].key.clone() };
        let segment = |row: &[u64]| StoredSegment {
            references: Fingerprint::default(),
            source: None,
            labels: vec![],
            states: vec![StoredState::Row(row.to_vec())],
        };
        let total = vec![StoredState::Row(self.rows.total().unwrap())];
        let statistics = StoredStatistics::new(header, self.rows.iter().map(segment).collect(), total);
        Baseline::read(&registry(), "baseline", &statistics, &name).unwrap()
    }

    fn traffic(&self, random: &mut NumpyRandom, hours: usize, segments: usize) -> Vec<Vec<u64>> {
        let mut draws = vec![0; segments];
        let hour = |_| {
            random.fill_indices(self.rows.len() as u32, &mut draws);
            let mut sum = vec![0; self.rows.columns()];
            for &draw in &draws {
                sum.iter_mut().zip(self.rows.row(draw as usize)).for_each(|(sum, count)| *sum += count);
            }
            sum
        };
        (0..hours).map(hour).collect()
    }

    fn watched(&self, watch: &Watch, baseline: &Baseline, traffic: Vec<Vec<u64>>) -> WatchReport {
        let rows = traffic.into_iter().enumerate().map(|(at, row)| (hour(at as i64), row)).collect();
        watch_rows(watch, baseline, &self.metric, &BTreeMap::from([("m1".to_owned(), rows)])).unwrap()
    }

    /// Returns the ratio of stated to simulated false alarms, which is 1 if both agree, and their number.
    fn false_alarms(&self, watch: &Watch, segments: usize, hours: usize, runs: usize) -> (f64, usize) {
        let (baseline, mut random) = (self.baseline(), NumpyRandom::new(20_261_122));
        let mut alarms = 0;
        for _ in 0..runs {
            let traffic = self.traffic(&mut random, hours, segments);
            let report = self.watched(watch, &baseline, traffic);
            alarms += report.raised.len();
        }
        let stated = (hours * runs) as f64 * 3600.0 / watch.false_alarms.seconds();
        (alarms as f64 / stated, alarms)
    }
}

fn watch(every: &str, drop: f64, ratio: f64) -> Watch {
    let text = format!(
        "format = \"bleuprint-track/1\"\n[[watch]]\nstream = \"s\"\nmetric = \"bleu\"\nbaseline = \"x\"\ndrop = {drop}\nlength-ratio = {ratio}\nfalse-alarms = \"1 per {every}\"\n"
    );
    WatchPolicy::parse("track.toml", &text, &registry()).unwrap().watches.remove(0)
}

#[test]
fn false_alarms_are_about_as_rare_as_stated() {
    let runs = draws(20, 5);
    let (ratio, alarms) = example().false_alarms(&watch("20d", 1.0, 0.0), 60, 4800, runs);
    println!("{alarms} alarms, {ratio:.2} times the stated");
    // 10 alarms are stated of each run: a factor of 1.5 for 200 of them, and of 2 for 50.
    let limit = 1.0 + 0.5 * (20.0 / runs as f64).sqrt();
    assert!((1.0 / limit..limit).contains(&ratio), "{ratio}");
}

/// The share of comparisons of equals that ever find a difference, with a look at every hour: by the interval
/// of a plan for the 50th look, and by a plain 95 % interval.
fn ever_different(system: &System, looks: usize, runs: usize) -> [f64; 2] {
    let (metric, mut random) = (&system.metric, NumpyRandom::new(4));
    let finish = |row: &[u64]| score_row(metric, row).unwrap();
    let mut found = [0.0; 2];
    for _ in 0..runs {
        let traffic = [0, 1].map(|_| system.traffic(&mut random, looks, 60));
        let mut arms = [0, 1].map(|_| CountRows::with_columns(system.rows.columns()));
        let (mut plan, mut ever) = (None, [false; 2]);
        for look in 0..looks {
            arms.iter_mut().zip(&traffic).for_each(|(arm, hours)| arm.push(&hours[look]).unwrap());
            if look + 1 < FEWEST_UNITS_OF_LOOK {
                continue;
            }
            let errors = [0, 1].map(|arm| standard_error(&leave_one_out(&arms[arm], &finish).unwrap()));
            let [one, other] = [0, 1].map(|arm| finish(&arms[arm].total().unwrap()));
            let (value, error) = (one - other, (errors[0].powi(2) + errors[1].powi(2)).sqrt());
            let information = 50.0 / (error * error * (look + 1) as f64);
            let plan = *plan.get_or_insert(AlarmPlan { alpha: 0.05, expect: 50, information, seen: 0 });
            let [low, high] = VersionDifference::at(plan, value, error).unwrap().interval;
            ever[0] |= low > 0.0 || high < 0.0;
            ever[1] |= value.abs() > 1.96 * error;
        }
        for (found, ever) in found.iter_mut().zip(ever) {
            *found += f64::from(u8::from(ever)) / runs as f64;
        }
    }
    found
}

#[test]
fn repeated_looks_find_no_more_than_stated() {
    let runs = draws(150, 50);
    let [sequence, plain] = ever_different(&example(), 80, runs);
    println!("ever different of equals after 80 looks: {sequence:.3}, by a plain interval {plain:.3}");
    // Three standard deviations of a share over this number of runs.
    let limit = 0.05 + 3.0 * (0.05 * 0.95 / runs as f64).sqrt();
    assert!(sequence <= limit && plain > 0.08, "{sequence} {plain}");
}
