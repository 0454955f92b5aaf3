//! Tests one form for every metric: each interface matches observing one by one bit for bit, batches stay
//! whole, and states of a panel can be split and joined.

use std::sync::{Arc, Mutex};

use crate::support::{Form, IDS, TEXTS, alone_over_ids, alone_over_text, systems, thirteen_a};
use bleuprint_core::{
    Accumulator, Case, Identity, InputError, Location, Metric, Observe, Result, Scale, Score, Segment,
    SegmentCounts, State, Stats, TokenSpace,
};
use bleuprint_eval::store::StoredState;
use bleuprint_eval::{
    ChosenTokens, Panel, PanelMetric, PanelState, Rewards, SegmentBatch, SystemsSegment, Tokenized, mbr,
    observe_systems, stream_scores, stream_systems,
};
use bleuprint_inference::in_threads;
use bleuprint_metrics::{Bleu, Chrf, EditRate, ExactMatch, Gleu, Rouge, registry};
use bleuprint_registry::{AnyMetric, AnyState, View, ViewKind};

/// Returns a panel over lower-cased text with the tokenizer 13a, whatever the metric's own tokenizer is,
/// after its first pass if it has one.
fn for_text(names: &[&str]) -> Panel {
    let metrics = names.iter().map(|name| {
        let metric = registry().build(name).unwrap();
        let mut spec = registry().parse(name).unwrap();
        spec.tokenizer = (metric.view.kind != ViewKind::Text).then(|| "13a".to_owned());
        PanelMetric::from((metric, &spec)).with_case(Case::Lower)
    });
    let chosen = ChosenTokens::new(thirteen_a(), Case::Mixed);
    Panel::new(metrics, &chosen).unwrap().learned_from(TEXTS.iter().map(systems)).unwrap()
}

fn for_ids(name: &str) -> Panel {
    let panel = Panel::for_ids([registry().build(name).unwrap()], &TokenSpace::default()).unwrap();
    let Some(first) = panel.first_pass() else { return panel };
    let mut learned = Accumulator::<&Panel, [u32]>::new(&first);
    for (hypotheses, references, source) in &IDS {
        learned.add(Segment::with_source(hypotheses[0], references, Some(source))).unwrap();
    }
    panel.second_pass(learned.total()).unwrap()
}

fn names() -> Vec<&'static str> {
    // Numbers and vectors have separate interfaces, and texts with parts are not plain texts.
    let of_text = |name: &&str| {
        let plain = |view: &View| !view.kind.is_beside_text() && view.parted.is_none();
        registry().build(name).is_ok_and(|metric| plain(&metric.view))
    };
    let names: Vec<&str> = registry()
        .entries()
        .iter()
        .map(|entry| &*String::leak(entry.name.to_string()))
        .filter(of_text)
        .collect();
    assert!(names.len() > 20, "{names:?}");
    names
}

#[test]
fn every_metric_over_text_is_as_one_by_one() {
    for name in names() {
        let panel = for_text(&[name]);
        let behind = panel.metrics().next().unwrap();
        let alone = |segment: Segment<'_, str>| alone_over_text(behind, Case::Lower, segment);
        let (name, alone, corpus) = (format!("a panel of {name}"), &alone, &TEXTS[..]);
        let form = Form { name, metric: &panel, held: |stats| &stats.members[0], behind, alone, corpus };
        form.holds();
        form.streams();
        let name = behind.identity().name();
        match behind.view.kind {
            ViewKind::Ids => {
                let metric = &Tokenized::new(behind, thirteen_a(), Case::Lower).unwrap();
                let form = Form { name, metric, held: |stats| stats, behind, alone, corpus };
                form.holds();
                form.streams();
                same_aggregates(&panel, metric);
            }
            ViewKind::Tokens => {}
            ViewKind::Text => {
                let alone = &|segment: Segment<'_, str>| alone_over_text(behind, Case::Mixed, segment);
                let form = Form { name, metric: behind, held: |stats| stats, behind, alone, corpus };
                form.holds();
                form.streams();
            }
            ViewKind::Numbers | ViewKind::Vectors | ViewKind::Own => panic!("{name} has no text"),
        }
    }
}

/// Checks that aggregated references are the same behind both wrappers.
fn same_aggregates<M: Observe<str>>(panel: &Panel, metric: &M) {
    let hypotheses: Vec<&str> = TEXTS.iter().flat_map(|texts| texts.0).collect();
    let references: Vec<&str> = TEXTS.iter().flat_map(|texts| texts.1).collect();
    let one = mbr::aggregated_utilities(panel, &hypotheses, &references);
    assert_eq!(one, mbr::aggregated_utilities(metric, &hypotheses, &references), "{panel:?}");
}

#[test]
fn every_metric_over_ids_is_as_one_by_one() {
    for name in names() {
        let metric = registry().build(name).unwrap();
        if metric.view.kind == ViewKind::Text {
            let error = Panel::for_ids([metric], &TokenSpace::default()).unwrap_err().to_string();
            assert!(error.ends_with("looks at text, but ids are given"), "{error}");
            continue;
        }
        let panel = for_ids(name);
        let behind = panel.metrics().next().unwrap();
        let alone = &|segment: Segment<'_, [u32]>| alone_over_ids(behind, segment);
        let (name, corpus) = (format!("a panel of {name} over ids"), &IDS[..]);
        Form { name, metric: &panel, held: |stats| &stats.members[0], behind, alone, corpus }.holds();
        if behind.view.kind == ViewKind::Ids {
            let name = behind.identity().name();
            Form { name, metric: behind, held: |stats| stats, behind, alone, corpus }.holds();
        }
    }
}

#[test]
fn rewards_of_groups_take_any_tokens() {
    fn check<M: Observe<[u16]> + Observe<[u32]>>(metric: &M) {
        let narrow = |ids: &[u32]| ids.iter().map(|&id| (id % 60_000) as u16).collect::<Vec<u16>>();
        let references: Vec<[Vec<u16>; 2]> = IDS.iter().map(|texts| texts.1.map(narrow)).collect();
        let hypotheses: Vec<Vec<u16>> = IDS.iter().flat_map(|texts| texts.0.map(narrow)).collect();
        let expected = hypotheses.iter().enumerate().map(|(item, hypothesis)| {
            let mut one = Accumulator::<&M, [u16]>::new(metric);
            one.push(hypothesis, &references[item / 3].each_ref().map(Vec::as_slice)).unwrap();
            one.score().unwrap().score.value() as f32
        });
        let expected: Vec<f32> = expected.collect();
        for mut rewards in [Rewards::<&M, [u16]>::new(metric), Rewards::new(metric).parallel()] {
            let mut out = vec![-1.0; expected.len()];
            rewards.per_group(&hypotheses, 3, &references, &mut out).unwrap();
            assert_eq!(out, expected, "{}", metric.identity().name());
        }
    }
    check(&Bleu::default().sentence());
    check(&Gleu::default());
    check(&Chrf::default());
    check(&Rouge::l());
    check(&EditRate::ER);
    check(&ExactMatch);
    check(&EditRate::WER);
}

/// Metric that counts hypotheses equal to a reference, four segments at once, and records the number of
/// segments in each call.
#[derive(Clone, Default)]
struct Recorder {
    sizes: Arc<Mutex<Vec<usize>>>,
}

impl Recorder {
    fn record(&self, segments: usize) {
        self.sizes.lock().unwrap().push(segments);
    }

    fn taken(&self) -> Vec<usize> {
        std::mem::take(&mut self.sizes.lock().unwrap())
    }
}

impl Metric for Recorder {
    type Stats = [u64; 1];
    type Score = f64;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("recorder", 1, Scale::UNBOUNDED)
    }
    fn finalize(&self, stats: &[u64; 1], _: &SegmentCounts) -> Result<f64> {
        Ok(stats[0] as f64)
    }
    fn batch(&self) -> usize {
        4
    }
}

impl<S: PartialEq + ?Sized> Observe<S> for Recorder {
    fn observe(&self, (): &mut (), stats: &mut [u64; 1], segment: Segment<'_, S>) -> Result<()> {
        self.record(1);
        stats.merge(&[u64::from(segment.references()?.contains(&segment.hypothesis))])
    }

    fn observe_each(&self, (): &mut (), stats: &mut [[u64; 1]], segments: &[Segment<'_, S>]) -> Result<()> {
        self.record(segments.len());
        // Nothing is observed on an error: statistics are then undefined.
        let mut observed = Vec::new();
        for (number, segment) in (1..).zip(segments) {
            let references = segment.references().map_err(|error| error.at(Location::segment(number)))?;
            observed.push([u64::from(references.contains(&segment.hypothesis))]);
        }
        stats.iter_mut().zip(&observed).try_for_each(|(stats, own)| stats.merge(own))
    }
}

const HYPOTHESES: [&str; 2] = ["a b", "a c"];
/// The first system has every segment right.
const EXPECTED: [u64; 2] = [10, 0];

fn ten<'t>(references: &'t [&'t [&'t str]; 10]) -> Vec<SystemsSegment<'t, str>> {
    let segment =
        |references: &'t &'t [&'t str]| SystemsSegment { hypotheses: &HYPOTHESES, references, source: None };
    references.iter().map(segment).collect()
}

fn read_from<'t>(
    segments: &'t [SystemsSegment<'t, str>],
    systems: usize,
) -> impl FnMut(&mut SegmentBatch) -> Result<bool> + Send {
    let mut segments = segments.iter();
    move |batch| {
        let Some(segment) = segments.next() else { return Ok(false) };
        batch.push(&segment.hypotheses[..systems], segment.references, None).map(|()| true)
    }
}

/// Checks that every interface passes whole batches to the recorder in `metric`.
fn whole_batches<M: Observe<str>>(
    what: &str,
    recorder: &Recorder,
    metric: &M,
    held: impl Fn(&M::Stats) -> u64 + Sync,
) {
    let segments = ten(&[&["a b", "b"]; 10]);
    let flat: Vec<Segment<'_, str>> = segments.iter().flat_map(SystemsSegment::of_each).collect();
    let sums = |states: &[State<M::Stats>]| {
        [0, 1]
            .map(|system| states.iter().skip(system).step_by(2).map(|state| held(state.stats())).sum::<u64>())
    };
    assert!(metric.batch() == 4 && recorder.taken().is_empty(), "{what}");

    let mut stats: Vec<M::Stats> = flat.iter().map(|_| metric.zero()).collect();
    metric.observe_each(&mut M::Scratch::default(), &mut stats, &flat).unwrap();
    assert_eq!(recorder.taken(), [4; 5], "{what}: observe_systems of the metric");

    let states = Accumulator::<&M, str>::new(metric).push_each(&flat).unwrap();
    assert_eq!((recorder.taken(), sums(&states)), (vec![4; 5], EXPECTED), "{what}: push_each");

    let states: Vec<_> = observe_systems(metric, &segments).unwrap().into_iter().flatten().collect();
    assert_eq!((recorder.taken(), sums(&states)), (vec![4; 5], EXPECTED), "{what}: observe_systems");

    let states = in_threads(Some(1), || stream_systems(metric, read_from(&segments, 1))).unwrap().unwrap();
    assert_eq!((recorder.taken(), held(states[0].stats())), (vec![4, 4, 2], 10), "{what}: one system");

    let states = in_threads(Some(1), || stream_systems(metric, read_from(&segments, 2))).unwrap().unwrap();
    assert_eq!((recorder.taken(), sums(&states)), (vec![4; 5], EXPECTED), "{what}: stream_systems");

    let mut scored = [0, 0];
    let score = |state: &State<M::Stats>| held(state.stats());
    stream_scores(metric, read_from(&segments, 2), score, |_, own| {
        scored.iter_mut().zip(own).for_each(|(scored, own)| *scored += own);
        Ok::<(), InputError>(())
    })
    .unwrap();
    assert_eq!((recorder.taken(), scored), (vec![4; 5], EXPECTED), "{what}: stream_scores");

    failing_batches(what, metric, &held);
    recorder.taken();
}

/// Checks that the error of a batch belongs to its segment, and that the segments before it are passed on.
fn failing_batches<M: Observe<str>>(what: &str, metric: &M, held: &(impl Fn(&M::Stats) -> u64 + Sync)) {
    let mut references: [&[&str]; 10] = [&["a b"]; 10];
    references[6] = &[];
    let segments = ten(&references);
    let expected = "segment 7: no references";
    let mut scored = Vec::new();
    let score = |state: &State<M::Stats>| held(state.stats());
    let streamed = stream_scores(metric, read_from(&segments, 2), score, |number, own| {
        scored.push((number, own));
        Ok::<(), InputError>(())
    });
    assert!(streamed.unwrap_err().to_string().starts_with(expected), "{what}");
    let before: Vec<(u64, Vec<u64>)> = (1..=6).map(|number| (number, vec![1, 0])).collect();
    assert_eq!(scored, before, "{what}: the segments before the error");
    let error = observe_systems(metric, &segments).err().unwrap();
    assert!(error.to_string().starts_with(expected), "{what}: {error}");
    let error = stream_systems(metric, read_from(&segments, 2)).err().unwrap();
    assert!(error.to_string().starts_with(expected), "{what}: {error}");
}

#[test]
fn batches_of_text_stay_whole() {
    let ids = Recorder::default();
    let metric = Tokenized::new(ids.clone(), thirteen_a(), Case::Mixed).unwrap();
    whole_batches("ids", &ids, &metric, |stats| stats[0]);
    let any = AnyMetric::for_ids(ids.clone()).unwrap();
    let metric = Tokenized::new(&any, thirteen_a(), Case::Mixed).unwrap();
    whole_batches("erased ids", &ids, &metric, |stats| stats.typed::<[u64; 1]>().unwrap()[0]);

    let recorder = Recorder::default();
    let kinds = [
        AnyMetric::for_ids(recorder.clone()).unwrap(),
        AnyMetric::for_tokens(recorder.clone()),
        AnyMetric::for_text(recorder.clone()),
    ];
    let chosen = ChosenTokens::new(thirteen_a(), Case::Lower);
    for metric in kinds {
        let what = format!("a panel over {:?}", metric.view.kind);
        let panel = Panel::new([metric.clone()], &chosen).unwrap();
        whole_batches(&what, &recorder, &panel, |stats| stats.members[0].typed::<[u64; 1]>().unwrap()[0]);
        // Next to a metric that is observed one by one.
        let panel = Panel::new([registry().build("wer").unwrap(), metric], &chosen).unwrap();
        whole_batches(&what, &recorder, &panel, |stats| stats.members[1].typed::<[u64; 1]>().unwrap()[0]);
    }
}

#[test]
fn batches_of_ids_stay_whole() {
    let recorder = Recorder::default();
    let kinds = [AnyMetric::for_ids(recorder.clone()).unwrap(), AnyMetric::for_tokens(recorder.clone())];
    let wer = registry().build("wer").unwrap();
    for metrics in
        [vec![kinds[0].clone()], vec![kinds[1].clone()], vec![wer, kinds[0].clone(), kinds[1].clone()]]
    {
        let panel = Panel::for_ids(metrics, &TokenSpace::default()).unwrap();
        let segments: Vec<SystemsSegment<'_, [u32]>> = IDS.iter().map(systems).collect();
        let states = observe_systems(&panel, &segments).unwrap();
        let sizes = recorder.taken();
        assert!(!sizes.is_empty() && sizes.iter().all(|&size| size == 4), "{panel:?}: {sizes:?}");
        for (states, segment) in states.iter().zip(&segments) {
            for (state, segment) in states.iter().zip(segment.of_each()) {
                let mut one = Accumulator::<&Panel, [u32]>::new(&panel);
                assert_eq!(*state, one.push_segment(segment).unwrap(), "{panel:?}");
            }
        }
        recorder.taken();
        let mut foreign = [bleuprint_eval::PanelStats::default()];
        let refused = Observe::<[u32]>::observe_each(
            &panel,
            &mut Default::default(),
            &mut foreign,
            &[Segment::new(&[1][..], &[&[1][..]])],
        );
        assert!(refused.is_err(), "statistics of another panel");
    }
}

fn observed(panel: &Panel, segments: core::ops::Range<usize>) -> PanelState {
    let mut observed = Accumulator::<&Panel, str>::new(panel);
    for (hypotheses, references, source) in &TEXTS[segments] {
        observed.add(Segment::with_source(hypotheses[0], references, Some(source))).unwrap();
    }
    observed.into()
}

fn stored_and_read(metric: &AnyMetric, state: &AnyState) -> AnyState {
    let text = serde_json::to_string(state).unwrap();
    let read = State::read(metric, &mut serde_json::Deserializer::from_str(&text)).unwrap();
    assert_eq!(StoredState::from_state(metric, state).unwrap().open(metric).unwrap(), read);
    read
}

#[test]
fn states_of_a_panel_split_stored_and_joined_are_the_same() {
    let panel = for_text(&names());
    let whole = observed(&panel, 0..6);
    let split = panel.states(&whole).unwrap();
    let read: Vec<AnyState> =
        panel.metrics().zip(&split).map(|(metric, state)| stored_and_read(metric, state)).collect();
    assert_eq!(read, split);
    let joined = panel.state_of(read).unwrap();
    assert_eq!(joined, whole);
    assert_eq!(panel.scores(&joined).unwrap(), panel.scores(&whole).unwrap());

    // Merging the parts and merging the whole give the same.
    let (mut front, back) = (observed(&panel, 0..2), observed(&panel, 2..6));
    let mut apart = panel.states(&front).unwrap();
    for (state, other) in apart.iter_mut().zip(panel.states(&back).unwrap()) {
        state.merge(&other).unwrap();
    }
    front.merge(&back).unwrap();
    assert_eq!((panel.state_of(apart).unwrap(), &front), (whole.clone(), &whole));

    // Each state is the one that a panel of one metric observes.
    for (index, (name, state)) in names().into_iter().zip(&split).enumerate() {
        let one = for_text(&[name]);
        assert_eq!(one.states(&observed(&one, 0..6)).unwrap(), std::slice::from_ref(state), "{name}");
        let only = panel.only(index).unwrap();
        assert_eq!(only.states(&observed(&only, 0..6)).unwrap(), std::slice::from_ref(state), "{name}");
    }
    let joined = Panel::join(names().into_iter().map(|name| for_text(&[name])));
    assert_eq!(observed(&joined, 0..6), whole);
}

#[test]
fn states_that_are_not_a_panels_are_refused() {
    let panel = for_text(&["bleu", "chrf"]);
    let states = |segments| panel.states(&observed(&panel, segments)).unwrap();
    let refused = |states: Vec<AnyState>| panel.state_of(states).unwrap_err().to_string();
    assert_eq!(refused(states(0..2)[..1].to_vec()), "the panel has 2 segments, but the states has 1");
    assert!(refused(states(0..2).into_iter().rev().collect()).starts_with("unlike states"));
    let unlike = vec![states(0..2)[0].clone(), states(0..3)[1].clone()];
    assert!(refused(unlike).contains("unlike segments"));
    let other = for_text(&["chrf", "bleu"]);
    assert!(other.states(&observed(&panel, 0..2)).is_err());
    assert!(other.scores(&observed(&panel, 0..2)).is_err());
}
