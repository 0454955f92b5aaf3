//! Intervals, paired tests and stored statistics of text, through the run-time door.

use bleuprint_core::{Case, Metric as _, State};
use bleuprint_eval::store::{
    Fingerprint, Header, StoredMetric, StoredSegment, StoredState, StoredStatistics,
};
use bleuprint_eval::{ChosenTokens, Panel, PanelState, SystemsSegment, observe_systems};
use bleuprint_inference::{CountRows, Design, Power, ResamplePlan, Test};
use bleuprint_inference::{Precision, Significance, rows_of};
use bleuprint_metrics::{Bleu, Gleu};
use bleuprint_registry::AnyMetric;
use bleuprint_text::{TokenizerOptions, tokenizer};

const REFERENCES: [[&str; 2]; 3] = [
    ["The dog bit the man.", "The dog had bit the man."],
    ["It was not unexpected.", "No one was surprised."],
    ["The man bit him first.", "The man had bitten the dog."],
];
const ONE: [&str; 3] = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."];
const OTHER: [&str; 3] = ["A dog bit a man.", "It was unsurprising.", "The man bit it."];

fn panel() -> Panel {
    let thirteen_a = tokenizer("13a", &TokenizerOptions::default()).unwrap();
    let metrics = [AnyMetric::for_ids(Bleu::default()), AnyMetric::for_ids(Gleu::default())];
    Panel::new(metrics.map(Result::unwrap), &ChosenTokens::new(thirteen_a, Case::Mixed)).unwrap()
}

fn states(panel: &Panel) -> Vec<Vec<PanelState>> {
    let hypotheses: Vec<[&str; 2]> = ONE.iter().zip(&OTHER).map(|(one, other)| [*one, *other]).collect();
    let segments: Vec<SystemsSegment<'_, str>> = hypotheses
        .iter()
        .zip(&REFERENCES)
        .map(|(hypotheses, references)| SystemsSegment { hypotheses, references, source: None })
        .collect();
    observe_systems(panel, &segments).unwrap()
}

fn rows(panel: &Panel, states: &[Vec<PanelState>], metric: usize, system: usize) -> CountRows {
    let of_system: Vec<_> =
        states.iter().map(|segment| panel.states(&segment[system]).unwrap().swap_remove(metric)).collect();
    rows_of(panel.metrics().nth(metric).unwrap(), &of_system).unwrap()
}

/// The numbers are sacreBLEU 2.6.0's with NumPy 2.4.
#[test]
fn bleu_has_the_intervals_and_p_values_of_sacrebleu() {
    let panel = panel();
    let states = states(&panel);
    let (one, other) = (rows(&panel, &states, 0, 0), rows(&panel, &states, 0, 1));
    let systems = [one, other];
    let metric = panel.metrics().next().unwrap();
    let tests = Significance::of_rows(metric, &systems, Precision::Sacrebleu).unwrap();
    let interval = tests.confidence(ResamplePlan::new(1000)).unwrap()[0].interval.unwrap();
    assert_eq!(
        (interval.mean.to_bits(), interval.half_width.to_bits()),
        (4631805814300402109, 4631776998131420937)
    );
    let tested = tests.paired(Test::Bootstrap, ResamplePlan::new(100), None).unwrap();
    assert_eq!((tested[0].p_value, tested[1].p_value), (None, Some(0.1485148514851485)));
    let interval = tested[1].interval.unwrap();
    assert_eq!((interval.mean, interval.half_width), (19.384941112125947, 5.777904658255549));
    let tested = tests.paired(Test::Randomization, ResamplePlan::new(100), None).unwrap();
    assert_eq!(tested[1].p_value, Some(0.7326732673267327));
}

#[test]
fn every_linear_metric_can_be_tested() {
    let panel = panel();
    let states = states(&panel);
    let (one, other) = (rows(&panel, &states, 1, 0), rows(&panel, &states, 1, 1));
    for precision in [Precision::Sacrebleu, Precision::Exact] {
        let systems = [one.clone(), one.clone(), other.clone()];
        let tests = Significance::of_rows(panel.metrics().nth(1).unwrap(), &systems, precision).unwrap();
        let interval = tests.confidence(ResamplePlan::new(200)).unwrap()[0].interval.unwrap();
        let tested = tests.paired(Test::Bootstrap, ResamplePlan::new(200), None).unwrap();
        assert!(interval.lower <= tested[0].score && tested[0].score <= interval.upper);
        assert_eq!(tested[1].p_value, Some(1.0), "identical systems do not differ");
        let plan = ResamplePlan::new(200);
        let design =
            Design { test: Some(Test::Randomization), plan, higher_is_better: true, power: Power::default() };
        let matrix = tests.compare_all(None, design).unwrap();
        assert_eq!((matrix.pairs.len(), matrix.pairs[0].corrected, matrix.ranks.len()), (3, 1.0, 3));
    }
}

fn stored(panel: &Panel, segments: &[Vec<PanelState>], first: usize) -> StoredStatistics {
    let metric = |metric: &AnyMetric| {
        StoredMetric::from_metric(metric.identity().metric(), metric, String::new()).unwrap()
    };
    let base = Header::of_metric("bleu", panel.metrics().next().unwrap()).unwrap();
    let (metrics, labels) = (panel.metrics().map(metric).collect(), vec!["domain".to_owned()]);
    let header = Header { system: "one".to_owned(), metrics, labels, ..base };
    let states = |state: &PanelState| -> Vec<StoredState> {
        let states = panel.metrics().zip(panel.states(state).unwrap());
        states.map(|(metric, state)| StoredState::from_state(metric, &state).unwrap()).collect()
    };
    let mut total = State::zero(panel);
    segments.iter().for_each(|systems| total.merge(&systems[0]).unwrap());
    let segment = |(index, systems): (usize, &Vec<PanelState>)| StoredSegment {
        references: Fingerprint::from_texts(REFERENCES[first + index]),
        source: None,
        labels: vec![Some(format!("{}", first + index))],
        states: states(&systems[0]),
    };
    let segments = segments.iter().enumerate().map(segment).collect();
    StoredStatistics::new(header, segments, states(&total))
}

fn over(panel: &Panel) -> Vec<AnyMetric> {
    panel.metrics().cloned().collect()
}

/// The total without the segments.
fn alone(whole: &StoredStatistics) -> StoredStatistics {
    let mut alone = whole.clone();
    alone.header.each = false;
    alone.segments.clear();
    alone
}

#[test]
fn shards_merge_and_subtract_to_the_same_bits() {
    let panel = panel();
    let states = states(&panel);
    let metrics = over(&panel);
    let whole = stored(&panel, &states, 0);
    let (front, back) = (stored(&panel, &states[..1], 0), stored(&panel, &states[1..], 1));
    let mut merged = front.clone();
    merged.merge(&metrics, &back, false).unwrap();
    assert_eq!(merged, whole);
    merged.subtract(&metrics, &front).unwrap();
    assert_eq!(merged, back);
    assert!(
        merged
            .subtract(&metrics, &front)
            .unwrap_err()
            .to_string()
            .contains("segment 1 of what is subtracted")
    );
    // Totals alone.
    let mut total = alone(&whole);
    total.subtract(&metrics, &alone(&back)).unwrap();
    assert_eq!(total, alone(&front));
    assert!(total.subtract(&metrics, &alone(&whole)).unwrap_err().to_string().contains("count out of range"));
    let states = whole.open(&metrics).unwrap();
    assert_eq!(states[0].score(&metrics[0]).unwrap().score.value, 48.530827009929865);
}

#[test]
fn unlike_statistics_do_not_merge() {
    let panel = panel();
    let states = states(&panel);
    let (metrics, whole) = (over(&panel), stored(&panel, &states, 0));
    let mut other = whole.clone();
    other.header.metrics[0].key = other.header.metrics[0].key.replace("13a", "char");
    let error = whole.clone().merge(&metrics, &other, false).unwrap_err().to_string();
    assert!(error.contains("unlike states: they differ in tok"), "{error}");
    let mut other = whole.clone();
    other.header.labels.clear();
    assert!(whole.clone().merge(&metrics, &other, false).unwrap_err().to_string().contains("unlike labels"));
    let mut forged = whole.clone();
    forged.total[0] = StoredState::Row(vec![1; 19]);
    assert!(forged.open(&metrics).is_err());
    let mut forged = whole;
    forged.header.metrics[0].columns.as_mut().unwrap().swap(3, 4);
    let error = forged.open(&metrics).unwrap_err().to_string();
    assert!(error.contains("bleu has a column `") && error.contains("where the metric has `"), "{error}");
}

/// Two systems are no shards of one, and a shard that comes again is counted again only where that is meant.
#[test]
fn other_systems_and_shards_that_come_again_do_not_merge() {
    let panel = panel();
    let states = states(&panel);
    let metrics = over(&panel);
    let whole = stored(&panel, &states, 0);
    let (front, back) = (stored(&panel, &states[..1], 0), stored(&panel, &states[1..], 1));
    let merged = |one: &StoredStatistics, other: &StoredStatistics| {
        let mut merged = one.clone();
        let result = merged.merge(&metrics, other, false);
        assert!(result.is_ok() || merged == *one, "an error changed what was there");
        result.map(|()| merged).map_err(|error| error.to_string())
    };
    let again = "all segments of the smaller one are in the other already";
    for (one, other) in [(&front, &front), (&whole, &back), (&back, &whole), (&whole, &whole)] {
        assert!(merged(one, other).unwrap_err().contains(again));
    }
    // Ids tell of a single segment that is in both.
    let identified = |statistics: &StoredStatistics| {
        let mut identified = statistics.clone();
        identified.header.labels = vec!["id".to_owned()];
        identified
    };
    let start = stored(&panel, &states[..2], 0);
    assert!(merged(&start, &back).is_ok());
    let error = merged(&identified(&start), &identified(&back)).unwrap_err();
    assert!(error.starts_with("both have a segment with the id `1`, which would count twice"), "{error}");
    assert!(merged(&identified(&front), &identified(&back)).is_ok());
    let mut twice = front.clone();
    twice.merge(&metrics, &front, true).unwrap();
    assert_eq!(twice.segment_count, 2);
    // Another output on the same segments would count them twice too.
    let mut other_output = stored(&panel, &states[..1], 0);
    other_output.segments[0].states = back.segments[0].states.clone();
    other_output.total = other_output.segments[0].states.clone();
    assert!(merged(&whole, &other_output).unwrap_err().contains(again));
    // A segment that occurs once more than there, with another label or of another source is another segment.
    assert!(merged(&whole, &twice).is_ok());
    let mut labelled = front.clone();
    labelled.segments[0].labels = vec![Some("other".to_owned())];
    assert!(merged(&whole, &labelled).is_ok());
    let of_source = |text: &str| {
        let mut shard = front.clone();
        shard.segments[0].source = Some(Fingerprint::from_texts([text]));
        StoredStatistics::new(shard.header, shard.segments, shard.total)
    };
    assert!(merged(&of_source("one"), &of_source("two")).is_ok());
    assert!(merged(&of_source("one"), &of_source("one")).unwrap_err().contains(again));
    assert!(merged(&of_source("one"), &front).unwrap_err().contains(again), "a source that is not known");
    let mut rest = merged(&of_source("one"), &back).unwrap();
    rest.subtract(&metrics, &front).unwrap();
    assert_eq!(rest, back);
    // Totals alone are told by their sums.
    assert!(merged(&alone(&whole), &whole).unwrap_err().contains(again));
    assert!(merged(&alone(&front), &back).is_ok());
    let mut named = back;
    named.header.system = "two".to_owned();
    assert!(merged(&front, &named).unwrap_err().contains("of other systems, `one` and `two`"));
}

/// As `PairedTest(.., "ar", n_samples=100, n_ar_confidence=50)` of sacreBLEU 2.6.0 gives them.
#[test]
fn randomization_has_the_intervals_of_sacrebleu_besides() {
    let panel = panel();
    let states = states(&panel);
    let (one, other) = (rows(&panel, &states, 0, 0), rows(&panel, &states, 0, 1));
    let (metric, systems) = (panel.metrics().next().unwrap(), [one, other]);
    let tests = Significance::of_rows(metric, &systems, Precision::Sacrebleu).unwrap();
    let tested = tests.paired(Test::Randomization, ResamplePlan::new(100), Some(50)).unwrap();
    let bits = |system: usize| {
        let interval = tested[system].interval.unwrap();
        (interval.mean.to_bits(), interval.half_width.to_bits())
    };
    assert_eq!(bits(0), (4632219844640985143, 4631776998131420937));
    assert_eq!(bits(1), (4625984652662406309, 4619188479714565042));
    assert_eq!((tested[0].p_value, tested[1].p_value), (None, Some(0.7326732673267327)));
    let alone = Significance::of_rows(metric, &systems[..1], Precision::Sacrebleu).unwrap();
    let alone = alone.paired(Test::Randomization, ResamplePlan::new(100), Some(50)).unwrap();
    assert_eq!(alone[0].interval, tested[0].interval);
}
