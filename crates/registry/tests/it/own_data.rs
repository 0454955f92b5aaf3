//! Tests of a metric that defines its data: it is read, observed, merged and named without its types.

use bleuprint_core::{
    Accumulator, Form, Identity, Metric, Observe, PerSegment, Scale, Segment, SegmentCounts, State, Tagged,
    TokenSpace, Totals, Vector, form,
};
use bleuprint_registry::{AnyMetric, AnyScratch, AnyState, Data, MetricEntry, Registry, ViewKind};
use serde::Deserialize;
use serde_json::Deserializer;

form! {
    struct Ranking as "ranking", Reference = Gains, Source = String {
        /// the documents, best first
        docs: Vec<String>,
    }
}

#[derive(Debug, Deserialize)]
struct Gains(Vec<(String, u64)>);

/// Returns a metric of the gain of the first documents of a ranking.
fn typed() -> impl Observe<Ranking, Gains, String, Stats = [u64; 1]> {
    let identity = Identity::new("gain", 1, Scale::UNBOUNDED).needing(|needs| needs.source = true);
    let of_segment = |segment: Segment<'_, Ranking, Gains, String>| {
        let Gains(gains) = segment.one_reference("gain")?;
        let of = |doc: &String| gains.iter().find(|(own, _)| own == doc).map_or(0, |(_, gain)| *gain);
        let asked = u64::from(!segment.source()?.is_empty());
        Ok([segment.hypothesis.docs.iter().take(2).map(of).sum::<u64>() * asked])
    };
    Totals::new(identity.for_form::<Ranking>(), of_segment, |[gain]: &[u64; 1], counts| {
        Ok(*gain as f64 / counts.segments as f64)
    })
}

fn gain() -> AnyMetric {
    let mut registry = Registry::default();
    registry
        .add(MetricEntry::new("gain", "gain of rankings", |_| Ok(AnyMetric::for_own::<Ranking, _>(typed()))))
        .unwrap();
    registry.build("gain").unwrap()
}

#[test]
fn a_registry_and_lines_of_json_are_enough() {
    let metric = gain();
    let form = metric.view.form.unwrap();
    assert_eq!((form.name, form.fields[0].0, metric.view.kind), ("ranking", "docs", ViewKind::Own));
    let ranking = form.hypothesis(&mut Deserializer::from_str(r#"{"docs": ["b", "a", "c"]}"#)).unwrap();
    let gains = form.reference(&mut Deserializer::from_str(r#"[["a", 1], ["b", 2], ["c", 4]]"#)).unwrap();
    let query = form.source(&mut Deserializer::from_str(r#""who""#)).unwrap();

    let references = [&*gains];
    let segment = Segment::with_source(&*ranking, &references, Some(&*query));
    let mut all = Accumulator::<_, Data>::new(&metric);
    all.add(segment).unwrap();
    let states = all.push_each(&[segment, segment]).unwrap();
    assert_eq!(states.len(), 2);
    let scored = all.score().unwrap();
    assert_eq!(scored.value(), 3.0);
    assert_eq!(metric.state_key().to_string(), "gain/1|data:ranking");
    assert_eq!(scored.signature.to_string(), typed().signature().with("nrefs", "#", 1).to_string());
    assert!(scored.signature.to_string().starts_with("gain|nrefs:1|version:"));
    assert_eq!(*metric.state_key(), *typed().state_key());
    assert_eq!(metric.state_key().to_string().parse().as_ref(), Ok(&*metric.state_key()));

    let prepared = metric.prepare(&mut AnyScratch::default(), &references).unwrap();
    let mut stats = metric.zero();
    metric.observe_prepared(&mut AnyScratch::default(), &mut stats, segment, &prepared).unwrap();
    assert_eq!(stats, *states[0].stats());
}

#[test]
fn errors_name_the_form() {
    let metric = gain();
    let form = metric.view.form.unwrap();
    let typo = form.hypothesis(&mut Deserializer::from_str(r#"{"doc": []}"#)).unwrap_err();
    assert_eq!(typo.to_string(), "unknown field `doc`, expected `docs`");
    let mut all = Accumulator::<_, str>::new(&metric);
    let error = all.push("a", &["a"]).unwrap_err().to_string();
    assert_eq!(error, "segment 1: gain takes `ranking` data (docs), but the segment is given as text");
    let error = Accumulator::<_, Data>::new(&metric).push(&7_u32, &[]).unwrap_err().to_string();
    assert!(error.contains("the metric takes `ranking` data") && error.contains("Ranking"), "{error}");
}

#[test]
fn states_without_a_token_space_are_read() {
    let metric = gain();
    let stored = "gain/1|case:mixed|tok:unspecified".parse().unwrap();
    let tagged = Tagged { key: stored, counts: SegmentCounts::of_segment(1), stats: metric.zero() };
    let state: AnyState = tagged.open(&metric).unwrap();
    assert_eq!(state.key(), &*metric.state_key());
    state.clone().merge(&State::zero(&metric)).unwrap();

    let other = "gain/1|case:mixed|tok:13a".parse().unwrap();
    let error = Tagged { key: other, ..Tagged::from(state) }.open(&metric).unwrap_err();
    assert!(error.to_string().contains("data"), "{error}");
    // Typed metrics finish what erased ones observed, and none of other tokens.
    typed().serves(&metric.state_key()).unwrap();
    let words = typed().over(TokenSpace::NUMBERS);
    assert!(words.serves(&metric.state_key()).is_err());
    // A name that would break a key is escaped.
    #[derive(Deserialize)]
    struct Odd;
    impl Form for Odd {
        const NAME: &'static str = "a|b + c";
        type Reference = Self;
        type Source = Self;
    }
    let key = Identity::new("m", 1, Scale::UNIT).for_form::<Odd>().key();
    assert_eq!(key.to_string().parse().as_ref(), Ok(&key));
}

#[test]
fn accumulators_of_erased_metrics_are_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<bleuprint_core::Accumulator<bleuprint_registry::AnyMetric, str>>();
    shared::<bleuprint_core::State<bleuprint_registry::AnyStats>>();
}

/// Checks that a metric rejects segments of another kind of data.
#[test]
fn other_views_are_refused() {
    let number = |identity| PerSegment::new(identity, |_: Segment<'_, str>| Ok(1.0));
    let metric = AnyMetric::for_text(number(Identity::new("m", 1, Scale::UNIT)));
    let (mut scratch, mut stats) = (AnyScratch::default(), metric.zero());
    let vectors = [Vector::from(&[0.5_f32][..])];
    let data: &Data = &7_u32;
    let refused = [
        metric.observe(&mut scratch, &mut stats, Segment::new(&[1, 2][..], &[])),
        metric.observe(&mut scratch, &mut stats, Segment::new(&["a"][..], &[])),
        metric.observe(&mut scratch, &mut stats, Segment::new(&[0.5][..], &[])),
        metric.observe(&mut scratch, &mut stats, Segment::new(&vectors[..], &[])),
        metric.observe(&mut scratch, &mut stats, Segment::new(data, &[])),
    ];
    let given = ["ids of tokens", "tokens", "numbers", "vectors", "data of a form"];
    for (refused, given) in refused.into_iter().zip(given) {
        let error = refused.unwrap_err().to_string();
        assert_eq!(error, format!("m takes text, but the segment is given as {given}"));
    }
    assert_eq!(stats, metric.zero());
    assert!(metric.observe(&mut scratch, &mut stats, Segment::new("a", &[])).is_ok());
}

#[cfg(feature = "laws")]
#[test]
fn counts_of_a_length_known_at_run_time_obey_the_laws() {
    let identity = Identity::new("buckets", 1, Scale::UNBOUNDED).reference_free();
    let of = |segment: Segment<'_, [u32]>, counts: &mut bleuprint_core::CountWriter<'_>| {
        segment.hypothesis.iter().for_each(|id| counts.add(*id as usize % 7, 1));
        Ok(())
    };
    let score = |counts: &bleuprint_core::CountRow, _: &SegmentCounts| Ok(counts[0] as f64);
    let metric = Totals::counts(identity.needing(|needs| needs.tokens = true), 7, of, score);
    bleuprint_registry::laws::check_sequences::<[u32]>(&metric, |raw| {
        raw.iter().map(|byte| u32::from(*byte)).collect()
    });
}
