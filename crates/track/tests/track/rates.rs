//! Stated and simulated rates: false alarms, delays, and repeated looks. The tables of `docs/track.md` are printed by
//! `cargo test --release -p bleuprint-track --test track rates -- --ignored --nocapture`.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use bleuprint_core::{AnyMetric, Segment, State, score_row};
use bleuprint_eval::store::{
    FORMAT, Fingerprint, Header, StoredMetric, StoredSegment, StoredState, StoredStatistics, TOOL,
};
use bleuprint_inference::{FEWEST_UNITS_OF_LOOK, NumpyRandom, Rows, leave_one_out, standard_error};
use bleuprint_metrics::registry;
use bleuprint_testkit::{draws, recorded};
use bleuprint_track::{Baseline, Difference, MetricName, Plan, Policy, Watch, WatchReport, watch_rows};

use crate::support::{bleu, hour};

struct Pair {
    name: String,
    metric: AnyMetric,
    good: Rows,
    bad: Rows,
}

fn example() -> Pair {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    pair("examples", &read("en.ref1.txt"), &read("en.sys-a.txt"), &read("en.sys-b.txt"), false)
}

/// The pairs of WMT 2023, whose data are beside the repository.
fn pairs() -> Vec<Pair> {
    let folder = recorded::path("data/wmt23");
    let systems = [
        ("zh-en", "en", "refA", "GPT4-5shot", "ANVITA"),
        ("he-en", "en", "refA", "GPT4-5shot", "Lan-BridgeMT"),
        ("en-cs", "cs", "refA", "CUNI-GA", "CUNI-Transformer"),
        ("en-zh", "zh", "refA", "HW-TSC", "ANVITA"),
    ];
    let pair = |(name, target, reference, good, bad): (&str, &str, &str, &str, &str)| {
        let read = |kind: &str, system: &str| {
            let file = format!("generaltest2023.{name}.{kind}.{system}.{target}");
            std::fs::read_to_string(folder.join(file)).unwrap()
        };
        pair(name, &read("ref", reference), &read("hyp", good), &read("hyp", bad), target == "zh")
    };
    systems.map(pair).into()
}

fn pair(name: &str, reference: &str, good: &str, bad: &str, characters: bool) -> Pair {
    let metric = bleu();
    let mut ids: HashMap<String, u32> = HashMap::new();
    let mut tokens = |line: &str| -> Vec<u32> {
        let mut next = |token: &str| {
            let next = ids.len() as u32;
            *ids.entry(token.to_owned()).or_insert(next)
        };
        match characters {
            true => line.chars().map(|c| next(c.encode_utf8(&mut [0; 4]))).collect(),
            false => line.split(' ').map(next).collect(),
        }
    };
    let mut rows = |text: &str| {
        let mut rows = Rows::with_columns(bleuprint_core::column_names(&metric).len());
        for (hypothesis, reference) in text.lines().zip(reference.lines()) {
            let (hypothesis, reference) = (tokens(hypothesis), tokens(reference));
            let references = [&reference[..]];
            let segment = Segment::new(&hypothesis[..], &references);
            let state = State::of_segment(&metric, &mut Default::default(), segment).unwrap();
            rows.push(&state.row().unwrap()).unwrap();
        }
        rows
    };
    let (good, bad) = (rows(good), rows(bad));
    Pair { name: name.to_owned(), metric, good, bad }
}

impl Pair {
    fn baseline(&self) -> Baseline {
        let stored = StoredMetric::of("bleu", &self.metric, String::new()).unwrap();
        let name = MetricName { spec: "bleu".to_owned(), key: stored.key.clone() };
        let segment = |row: &[u64]| StoredSegment {
            references: Fingerprint::default(),
            source: None,
            labels: vec![],
            states: vec![StoredState::Row(row.to_vec())],
        };
        let header = Header {
            format: FORMAT.to_owned(),
            tool: TOOL.to_owned(),
            system: String::new(),
            metrics: vec![stored],
            labels: vec![],
            each: true,
        };
        let total = vec![StoredState::Row(self.good.total().unwrap())];
        let statistics = StoredStatistics::new(header, self.good.iter().map(segment).collect(), total);
        Baseline::read(&registry(), "baseline", &statistics, &name).unwrap()
    }

    fn score(&self, row: &[u64]) -> f64 {
        score_row(&self.metric, row).unwrap()
    }

    fn drop(&self, share: f64) -> f64 {
        let (good, bad) = (self.good.total().unwrap(), self.bad.total().unwrap());
        let parts = 1_000_000.0;
        let mix = |(good, bad): (&u64, &u64)| {
            (*good as f64 * (1.0 - share) * parts + *bad as f64 * share * parts) as u64
        };
        self.score(&good) - self.score(&good.iter().zip(&bad).map(mix).collect::<Vec<_>>())
    }

    /// Hours of traffic, a share of which is the worse system's from some hour on.
    fn traffic(
        &self,
        random: &mut NumpyRandom,
        hours: usize,
        segments: usize,
        worse: (usize, f64),
    ) -> Vec<Vec<u64>> {
        let count = self.good.len() as u32;
        let mut draws = vec![0; segments];
        let mut coins = vec![0; segments];
        let hour = |at: usize| {
            random.fill_indices(count, &mut draws);
            let mut sum = vec![0; self.good.columns()];
            let share = if at >= worse.0 { worse.1 } else { 0.0 };
            if share > 0.0 {
                random.fill_indices(1000, &mut coins);
            }
            for (&draw, &coin) in draws.iter().zip(&coins) {
                let from =
                    if share > 0.0 && f64::from(coin) < 1000.0 * share { &self.bad } else { &self.good };
                sum.iter_mut().zip(from.row(draw as usize)).for_each(|(sum, count)| *sum += count);
            }
            sum
        };
        (0..hours).map(hour).collect()
    }

    fn watched(&self, watch: &Watch, baseline: &Baseline, traffic: Vec<Vec<u64>>) -> WatchReport {
        let rows = traffic.into_iter().enumerate().map(|(at, row)| (hour(at as i64), row)).collect();
        watch_rows(watch, baseline, &self.metric, &BTreeMap::from([("m1".to_owned(), rows)])).unwrap()
    }

    /// Stated false alarms over simulated ones: 1 where they agree.
    fn false_alarms(&self, watch: &Watch, segments: usize, hours: usize, runs: usize) -> (f64, usize) {
        let (baseline, mut random) = (self.baseline(), NumpyRandom::new(20_261_122));
        let mut alarms = 0;
        for _ in 0..runs {
            let traffic = self.traffic(&mut random, hours, segments, (hours, 0.0));
            let report = self.watched(watch, &baseline, traffic);
            alarms += report.raised.len();
        }
        let stated = (hours * runs) as f64 * 3600.0 / watch.false_alarms.seconds();
        (alarms as f64 / stated, alarms)
    }

    /// The mean hours from a change to its alarm, and the true drop.
    fn delay(&self, watch: &Watch, segments: usize, share: f64, runs: usize) -> f64 {
        let (baseline, mut random) = (self.baseline(), NumpyRandom::new(77));
        let (change, hours) = (200, 200 + 3000);
        let mut total = 0.0;
        for _ in 0..runs {
            let traffic = self.traffic(&mut random, hours, segments, (change, share));
            let report = self.watched(watch, &baseline, traffic);
            let first = report.raised.iter().find(|alarm| alarm.at > hour(change as i64));
            total += first
                .map_or((hours - change) as f64, |alarm| (alarm.at - hour(change as i64)).seconds() / 3600.0);
        }
        total / runs as f64
    }
}

fn watch(every: &str, drop: f64, ratio: f64) -> Watch {
    let text = format!(
        "format = \"bleuprint-track/1\"\n[[watch]]\nstream = \"s\"\nmetric = \"bleu\"\nbaseline = \"x\"\ndrop = {drop}\nlength-ratio = {ratio}\nfalse-alarms = \"1 per {every}\"\n"
    );
    Policy::parse("track.toml", &text, &registry()).unwrap().watches.remove(0)
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

#[test]
#[ignore = "minutes of a release build; prints the tables of docs/track.md from the data beside the checkout"]
fn simulated_rates_and_delays_of_language_pairs() {
    println!(
        "| pair | segments an hour | stated: one per | length ratio too | alarms | simulated / stated |"
    );
    let cells = [(60, "30d", 0.0, 20), (200, "30d", 0.0, 20), (60, "30d", 0.05, 20), (60, "365d", 0.0, 80)];
    for pair in pairs().iter().chain([&example()]) {
        let name = &pair.name;
        for (segments, every, length, runs) in cells {
            let (ratio, alarms) = pair.false_alarms(&watch(every, 1.0, length), segments, 8760, runs);
            let both = if length > 0.0 { "yes" } else { "no" };
            println!("| {name} | {segments} | {every} | {both} | {alarms} | {ratio:.2} |");
        }
        for share in [0.1, 0.25, 0.6] {
            let delays = [60, 200].map(|segments| pair.delay(&watch("365d", 1.0, 0.0), segments, share, 40));
            println!("| {name} | {:.2} | {:.0} | {:.0} |", pair.drop(share), delays[0], delays[1]);
        }
    }
}

/// The share of comparisons of equals that ever find a difference, with a look at every hour: by the interval of a plan for
/// the 50th look, and by a plain 95 % interval.
fn ever_different(pair: &Pair, looks: [usize; 2], runs: usize) -> [[f64; 2]; 2] {
    let (metric, mut random) = (&pair.metric, NumpyRandom::new(4));
    let finish = |row: &[u64]| score_row(metric, row).unwrap();
    let mut found = [[0.0; 2]; 2];
    for _ in 0..runs {
        let traffic = [0, 1].map(|_| pair.traffic(&mut random, looks[1], 60, (looks[1], 0.0)));
        let mut arms = [0, 1].map(|_| Rows::with_columns(pair.good.columns()));
        let (mut plan, mut first) = (None, [None; 2]);
        for look in 0..looks[1] {
            arms.iter_mut().zip(&traffic).for_each(|(arm, hours)| arm.push(&hours[look]).unwrap());
            if look + 1 < FEWEST_UNITS_OF_LOOK {
                continue;
            }
            let errors = [0, 1].map(|arm| standard_error(&leave_one_out(&arms[arm], &finish).unwrap()));
            let [one, other] = [0, 1].map(|arm| finish(&arms[arm].total().unwrap()));
            let (value, error) = (one - other, (errors[0].powi(2) + errors[1].powi(2)).sqrt());
            let information = 50.0 / (error * error * (look + 1) as f64);
            let plan = *plan.get_or_insert(Plan { alpha: 0.05, expect: 50, information, seen: 0 });
            let [low, high] = Difference::at(plan, value, error).unwrap().interval;
            for (first, different) in
                first.iter_mut().zip([low > 0.0 || high < 0.0, value.abs() > 1.96 * error])
            {
                if different {
                    first.get_or_insert(look);
                }
            }
        }
        for (found, first) in found.iter_mut().zip(first) {
            for (found, looks) in found.iter_mut().zip(looks) {
                *found += f64::from(u8::from(first.is_some_and(|first| first < looks))) / runs as f64;
            }
        }
    }
    found
}

#[test]
fn repeated_looks_find_no_more_than_stated() {
    let runs = draws(150, 50);
    let [[_, sequence], [_, plain]] = ever_different(&example(), [40, 80], runs);
    println!("ever different of equals after 80 looks: {sequence:.3}, by a plain interval {plain:.3}");
    // Three standard deviations of a share over this number of runs.
    let limit = 0.05 + 3.0 * (0.05 * 0.95 / runs as f64).sqrt();
    assert!(sequence <= limit && plain > 0.08, "{sequence} {plain}");
}

#[test]
#[ignore = "minutes of a release build; prints the tables of docs/track.md from the data beside the checkout"]
fn simulated_looks_of_language_pairs() {
    println!("| pair | looks | sequence | plain 95 % interval |");
    for pair in pairs().iter().chain([&example()]) {
        let [sequence, plain] = ever_different(pair, [48, 168], 300);
        for (place, looks) in [48, 168].into_iter().enumerate() {
            println!(
                "| {} | {looks} | {:.1} % | {:.1} % |",
                pair.name,
                100.0 * sequence[place],
                100.0 * plain[place]
            );
        }
    }
}
