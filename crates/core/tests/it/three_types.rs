//! Test of a metric whose hypothesis, references and source have different types.

use bleuprint_core::{
    Accumulator, Identity, Mean, Metric, Observe, Scale, Score, Segment, State, TokenSpace, Totals,
};

/// Reference of a test metric for rankings: the relevance of each judged document, by its id.
struct Judged(Vec<(u32, u64)>);

/// Creates a test metric: the mean relevance of the first two documents of a ranking, for a query that is not
/// empty.
fn gain() -> impl Observe<[u32], Judged, str, Stats = [u64; 1], Score = f64, Scratch = ()> {
    let identity = Identity::new("gain", 1, Scale::UNBOUNDED).needing(|needs| needs.source = true);
    let of_segment = |segment: Segment<'_, [u32], Judged, str>| {
        let Judged(judged) = segment.one_reference("gain")?;
        let of = |id: &u32| judged.iter().find(|(own, _)| own == id).map_or(0, |(_, gain)| *gain);
        let asked = u64::from(!segment.source()?.is_empty());
        Ok([segment.hypothesis.iter().take(2).map(of).sum::<u64>() * asked])
    };
    Totals::new(identity, of_segment, |[gain]: &[u64; 1], counts| Ok(*gain as f64 / counts.segments as f64))
}

fn judged() -> Judged {
    Judged(vec![(7, 2), (3, 1)])
}

#[test]
fn three_types_go_through_an_accumulator() {
    let (judged, other) = (judged(), Judged(vec![(9, 6)]));
    let mut gain = Accumulator::<_, [u32], Judged, str>::new(gain());
    gain.add(Segment::with_source(&[7, 3, 9], &[&judged], Some("who bit the man"))).unwrap();
    gain.push_segment(Segment::with_source(&[9], &[&other], Some("who"))).unwrap();
    assert_eq!(gain.score().unwrap().value(), 4.5);
    assert!(gain.push(&[7], &[&judged]).unwrap_err().to_string().contains("source"));
    assert!(gain.push(&[7], &[]).unwrap_err().to_string().contains("reference"));
}

#[test]
fn wrappers_take_three_types() {
    let judged = judged();
    let references = [&judged];
    let segment = Segment::with_source(&[7, 3, 9][..], &references, Some("who bit the man"));
    let own = gain();
    let all = (Mean::new(gain()), Box::new(&own), gain().over(TokenSpace::NUMBERS));
    let mut total = Accumulator::<_, [u32], Judged, str>::new(&all);
    total.add(segment).unwrap();
    let states = total.push_each(&[segment, segment]).unwrap();
    assert_eq!(states.len(), 2);
    assert_eq!(total.score().unwrap().score.headlines(), [3.0; 3]);
}

#[test]
fn a_metric_of_three_types_stands_behind_a_pointer() {
    type Door = dyn Observe<[u32], Judged, str, Stats = [u64; 1], Score = f64, Scratch = ()>;
    let door: Box<Door> = Box::new(gain());
    let judged = judged();
    let references = [&judged];
    let segment = Segment::with_source(&[7, 3, 9][..], &references, Some("who"));
    let state = State::of_segment(&door, &mut (), segment).unwrap();
    assert_eq!(state.stats(), &[3]);
    let prepared = door.prepare(&mut (), &references).unwrap();
    let mut stats = door.zero();
    door.observe_prepared(&mut (), &mut stats, segment, &prepared).unwrap();
    assert_eq!(stats, [3]);
}
