//! Tests batches: every interface calls a model with whole batches, and returns the same results as without
//! batches.

use std::sync::{Arc, Mutex};

use bleuprint_core::{
    Accumulator, Case, Identity, InputError, Location, Metric, Observe, Result, Scale, Segment,
    SegmentCounts, State, Stats as _, TokenSpace,
};
use bleuprint_eval::mbr::{MbrWeights, utilities};
use bleuprint_eval::{
    ChosenTokens, Groups, Panel, Rewards, Rows, SegmentBatch, SystemsSegment, Tokenized, leave_one_out,
    observe_all, observe_parallel, observe_systems, pairwise, stream_scores, stream_systems,
};
use bleuprint_inference::{in_threads, interruptible};
use bleuprint_registry::AnyMetric;
use bleuprint_text::{TokenizerOptions, tokenizer};

/// Metric that counts equal tokens at equal positions. It rejects hypotheses with the id 666, and records the
/// sizes of its calls.
#[derive(Clone)]
struct Model {
    batch: usize,
    calls: Arc<Mutex<Vec<usize>>>,
}

impl Model {
    fn new(batch: usize) -> Self {
        Model { batch, calls: Arc::default() }
    }

    fn taken(&self) -> Vec<usize> {
        std::mem::take(&mut self.calls.lock().unwrap())
    }
}

impl Metric for Model {
    type Stats = [u64; 2];
    type Score = f64;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("model", 1, Scale::UNBOUNDED)
    }
    fn finalize(&self, stats: &[u64; 2], _: &SegmentCounts) -> Result<f64> {
        Ok(stats[0] as f64 + stats[1] as f64 / 4.0)
    }
    fn batch(&self) -> usize {
        self.batch
    }
}

impl Observe<[u32]> for Model {
    fn observe(&self, (): &mut (), stats: &mut [u64; 2], segment: Segment<'_, [u32]>) -> Result<()> {
        self.observe_each(&mut (), core::slice::from_mut(stats), &[segment])
    }

    fn observe_each(
        &self,
        (): &mut (),
        stats: &mut [[u64; 2]],
        segments: &[Segment<'_, [u32]>],
    ) -> Result<()> {
        self.calls.lock().unwrap().push(segments.len());
        for (number, (stats, segment)) in (1..).zip(stats.iter_mut().zip(segments)) {
            let located = |error: InputError| error.at(Location::segment(number));
            let references = segment.references().map_err(located)?;
            if segment.hypothesis.contains(&666) {
                return Err(located(InputError::malformed("666")));
            }
            let equal = |reference: &&[u32]| {
                segment.hypothesis.iter().zip(*reference).filter(|(one, other)| one == other).count()
            };
            let equal: usize = references.iter().map(equal).sum();
            stats.merge(&[equal as u64, segment.hypothesis.len() as u64])?;
        }
        Ok(())
    }
}

const WHOLE: [usize; 4] = [32, 32, 32, 4];

fn hundred(refused: &[usize]) -> Vec<Vec<u32>> {
    let ids = |at: usize| match refused.contains(&at) {
        true => vec![1, 666],
        false => vec![at as u32 % 3, at as u32 % 5, 7],
    };
    (0..100).map(ids).collect()
}

fn slices(ids: &[Vec<u32>]) -> Vec<&[u32]> {
    ids.iter().map(Vec::as_slice).collect()
}

/// Returns the outcome of every interface over ids, as text, with its name.
fn doors<M: Observe<[u32]>>(metric: &M, refused: &[usize]) -> Vec<(&'static str, String)>
where
    M::Stats: core::fmt::Debug,
{
    let hypotheses = hundred(refused);
    let references: Vec<Vec<u32>> = (0..100).map(|at| vec![at % 2, at % 3, 7]).collect();
    let (hypotheses, references) = (slices(&hypotheses), slices(&references));
    let lists: Vec<[&[u32]; 1]> = references.iter().map(|reference| [*reference]).collect();
    let pairs: Vec<(&[u32], [&[u32]; 1])> = hypotheses.iter().copied().zip(lists.iter().copied()).collect();
    let systems: Vec<SystemsSegment<'_, [u32]>> = (0..100)
        .map(|at| SystemsSegment { hypotheses: &hypotheses[at..=at], references: &lists[at], source: None })
        .collect();
    let rows = |ids: &[&[u32]]| -> Vec<i64> {
        ids.iter().flat_map(|ids| (0..4).map(|at| ids.get(at).map_or(-1, |id| i64::from(*id)))).collect()
    };
    let (hypothesis_rows, reference_rows) = (rows(&hypotheses), rows(&references[..20]));
    let hypothesis_rows = Rows::padded(&hypothesis_rows, 4, -1).unwrap();
    let reference_rows = Rows::padded(&reference_rows, 4, -1).unwrap();
    let groups = Groups { hypotheses: 5, references: 1 };
    let mut rewards = Rewards::<&M, [u32]>::new(metric);
    let mut parallel = Rewards::<&M, [u32]>::new(metric).parallel();
    let mut out = [0.0; 100];
    let mut credits = [0.0; 400];
    // Of ten with ten the refused is among them if it is below ten.
    let (ten, tens) = (&hypotheses[..10], &references[..10]);
    macro_rules! told {
        ($($name:literal => $outcome:expr;)+) => {
            vec![$(($name, in_threads(Some(1), || format!("{:?}", $outcome)).unwrap())),+]
        };
    }
    told! {
        "observe_all" => observe_all(metric, pairs.iter().copied());
        "observe_parallel" => observe_parallel(metric, &pairs);
        "observe_systems" => observe_systems(metric, &systems);
        "per_group" => rewards.per_group(&hypotheses, 1, &lists, &mut out).map(|()| out);
        "per_group of groups" => rewards.per_group(&hypotheses, 5, &lists[..20], &mut out).map(|()| out);
        "parallel" => parallel.per_group(&hypotheses, 5, &lists[..20], &mut out).map(|()| out);
        "per_row" => rewards.per_row(&hypothesis_rows, &reference_rows, groups, &mut out).map(|()| out);
        "leave_one_out" => leave_one_out(metric, &hypotheses);
        "pairwise" => pairwise::matrix(metric, ten, tens);
        "mbr" => utilities(metric, ten, tens, MbrWeights::Equal);
        "credits" => rewards.credits(&hypothesis_rows, &reference_rows, groups, &mut credits).map(|()| credits);
    }
}

fn told_alike(
    what: &str,
    refused: &[usize],
    make: impl Fn(Model) -> Box<dyn Fn(&[usize]) -> Vec<(&'static str, String)>>,
) {
    let [alone, batched] = [1, 32].map(|batch| make(Model::new(batch))(refused));
    for ((door, alone), (_, batched)) in alone.iter().zip(&batched) {
        assert_eq!(alone, batched, "{what}: {door} with {refused:?} refused");
        let (fails, wanted) = (batched.starts_with("Err"), refused.iter().any(|&at| at < 10));
        assert_eq!(fails, wanted, "{what}: {door} with {refused:?} refused");
    }
}

fn ids_panel(model: Model) -> Panel {
    Panel::for_ids([AnyMetric::for_ids(model).unwrap()], &TokenSpace::default()).unwrap()
}

#[test]
fn doors_tell_the_same_with_batches() {
    for refused in [&[][..], &[7], &[0, 5], &[9, 40]] {
        told_alike("typed", refused, |model| Box::new(move |refused| doors(&model, refused)));
        told_alike("a panel", refused, |model| {
            let panel = ids_panel(model);
            Box::new(move |refused| doors(&panel, refused))
        });
    }
}

/// Returns the sizes of calls from several threads.
fn sorted(model: &Model) -> Vec<usize> {
    let mut sizes = model.taken();
    sizes.sort_unstable();
    sizes
}

/// Checks the sizes of calls from each interface, one after the other.
fn sizes_are_whole<M: Observe<[u32]>>(what: &str, model: &Model, metric: &M) {
    let ids = hundred(&[]);
    let ids = slices(&ids);
    let lists: Vec<[&[u32]; 1]> = ids.iter().map(|reference| [*reference]).collect();
    let pairs: Vec<(&[u32], [&[u32]; 1])> = ids.iter().copied().zip(lists.iter().copied()).collect();
    let segments: Vec<SystemsSegment<'_, [u32]>> = (0..50)
        .map(|at| SystemsSegment {
            hypotheses: &ids[2 * at..2 * at + 2],
            references: &lists[at],
            source: None,
        })
        .collect();
    let flat: Vec<u32> = ids.iter().flat_map(|ids| ids.iter().copied()).collect();
    let rows = Rows::padded(&flat, 3, 9).unwrap();
    let mut out = [0.0; 100];
    let wanted = |door: &str, expected: &[usize]| assert_eq!(model.taken(), expected, "{what}: {door}");
    model.taken();

    observe_all(metric, pairs.iter().copied()).unwrap();
    wanted("observe_all", &WHOLE);
    observe_parallel(metric, &pairs).unwrap();
    wanted("observe_parallel", &WHOLE);
    observe_systems(metric, &segments).unwrap();
    // 32 segments of two systems each, then 18.
    assert_eq!(sorted(model), [4, 32, 32, 32], "{what}: observe_systems");
    let mut rewards = Rewards::<&M, [u32]>::new(metric);
    rewards.per_group(&ids, 1, &lists, &mut out).unwrap();
    wanted("per_group", &WHOLE);
    rewards.per_group(&ids, 5, &lists[..20], &mut out).unwrap();
    wanted("per_group of groups", &WHOLE);
    let groups = Groups { hypotheses: 1, references: 1 };
    rewards.per_row(&rows, &rows, groups, &mut out).unwrap();
    wanted("per_row", &WHOLE);
    let mut parallel = Rewards::<&M, [u32]>::new(metric).parallel();
    parallel.per_group(&ids, 5, &lists[..20], &mut out).unwrap();
    assert_eq!(sorted(model), [4, 32, 32, 32], "{what}: in parallel");
    leave_one_out(metric, &ids).unwrap();
    assert_eq!(sorted(model), [4, 32, 32, 32], "{what}: leave_one_out");
    in_threads(Some(1), || pairwise::matrix(metric, &ids[..10], &ids[..10])).unwrap().unwrap();
    wanted("pairwise", &WHOLE);
    in_threads(Some(1), || utilities(metric, &ids[..10], &ids[..10], MbrWeights::Equal)).unwrap().unwrap();
    wanted("mbr", &WHOLE);
    let segments: Vec<Segment<'_, [u32]>> =
        ids.iter().zip(&lists).map(|(ids, own)| Segment::new(*ids, own)).collect();
    Accumulator::<&M, [u32]>::new(metric).push_each(&segments).unwrap();
    assert!(model.taken().iter().sum::<usize>() == 100, "{what}: push_each");
}

#[test]
fn a_model_over_ids_gets_whole_batches() {
    let model = Model::new(32);
    sizes_are_whole("typed", &model, &model);
    let erased = AnyMetric::for_ids(model.clone()).unwrap();
    sizes_are_whole("erased", &model, &erased);
    sizes_are_whole("a panel", &model, &ids_panel(model.clone()));
    let mean = bleuprint_core::Mean::new(model.clone());
    sizes_are_whole("a mean", &model, &mean);
}

#[test]
fn a_model_over_text_gets_whole_batches() {
    let model = Model::new(32);
    let thirteen_a = || tokenizer("13a", &TokenizerOptions::default()).unwrap();
    let tokenized = Tokenized::new(model.clone(), thirteen_a(), Case::Mixed).unwrap();
    text_is_whole("tokenized", &model, &tokenized);
    let chosen = ChosenTokens::new(thirteen_a(), Case::Lower);
    let panel = Panel::new([AnyMetric::for_ids(model.clone()).unwrap()], &chosen).unwrap();
    text_is_whole("a panel", &model, &panel);
}

fn text_is_whole<M: Observe<str>>(what: &str, model: &Model, metric: &M) {
    let texts: Vec<String> = (0..100).map(|at| format!("a b {}", at % 7)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let lists: Vec<[&str; 1]> = texts.iter().map(|text| [*text]).collect();
    let pairs: Vec<(&str, [&str; 1])> = texts.iter().copied().zip(lists.iter().copied()).collect();
    let wanted = |door: &str| assert_eq!(model.taken(), WHOLE, "{what}: {door}");
    model.taken();
    observe_all(metric, pairs.iter().copied()).unwrap();
    wanted("observe_all");
    observe_parallel(metric, &pairs).unwrap();
    wanted("observe_parallel");
    let read = || {
        let mut left = texts.iter();
        move |batch: &mut SegmentBatch| match left.next() {
            Some(text) => batch.push([text], [text], None).map(|()| true),
            None => Ok(false),
        }
    };
    stream_systems(metric, read()).unwrap();
    wanted("stream_systems");
    let score = |state: &State<M::Stats>| state.counts().segments;
    stream_scores(metric, read(), score, |_, _| Ok::<(), InputError>(())).unwrap();
    wanted("stream_scores");
    let mut out = [0.0; 100];
    Rewards::<&M, str>::new(metric).per_group(&texts, 5, &lists[..20], &mut out).unwrap();
    wanted("rewards");
    in_threads(Some(1), || pairwise::matrix(metric, &texts[..10], &texts[..10])).unwrap().unwrap();
    wanted("pairwise");
    leave_one_out(metric, &texts).unwrap();
    assert_eq!(sorted(model), [4, 32, 32, 32], "{what}: leave_one_out");
}

#[test]
fn no_batch_begins_after_an_interrupt() {
    let model = Model::new(32);
    let calls = model.calls.clone();
    let ids = hundred(&[]);
    let ids = slices(&ids);
    let stop = move || !calls.lock().unwrap().is_empty();
    let done = interruptible(stop, || in_threads(Some(1), || pairwise::matrix(&model, &ids, &ids)).unwrap());
    assert!(done.is_err());
    assert_eq!(model.taken(), [32]);
}

#[test]
fn a_batch_without_segments_leaves_a_panel_over_text_as_it_was() {
    let model = AnyMetric::for_ids(Model::new(32)).unwrap();
    let panel = Panel::new([model], &ChosenTokens::standard().unwrap()).unwrap();
    let segments: [Segment<'_, str>; 0] = [];
    panel.observe_each(&mut Default::default(), &mut [], &segments).unwrap();
}
