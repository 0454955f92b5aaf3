//! Whose state is it: states of other configurations and other tokens are refused everywhere, and a score says what
//! it was counted over, whoever finishes it.

use crate::support::{Distinct2, named, observed, panel, stored};
use bleuprint::{
    Accumulator, AnyMetric, Bleu, Case, EditRate, ExactMatch, InputError, InputErrorKind, Metric, Observe,
    Segment, SegmentCounts, State, Tagged, TokenSpace, Tokenized, Tokenizer, TokenizerOptions,
    contract::{AnyScratch, AnyState, Linear, column_names, laws, score_row},
    metrics::Gleu,
    tokenizer,
};
use bleuprint::{eval::Panel, inference::rows_of};

const SEGMENTS: &[(&str, &str)] =
    &[("The cat sat.", "The cat sat."), ("A Dog barked.", "a dog barked."), ("Nobody", "No one came")];

fn differs_in(error: &InputError, field: &str) {
    let found = matches!(error.kind(), InputErrorKind::UnlikeStates { field: found, .. } if found == field);
    assert!(found, "{error}, but not in {field}");
}

fn for_text<M: Metric>(metric: M, name: &str, case: Case) -> Tokenized<M, Box<dyn Tokenizer>> {
    let tokenizer = tokenizer(name, &TokenizerOptions::default()).unwrap();
    Tokenized::new(metric, tokenizer, case).unwrap()
}

#[test]
fn unlike_orders_are_refused_at_the_run_time_door() {
    let of = |min, max| AnyMetric::for_ids(Gleu::new(min, max).unwrap()).unwrap();
    let (wide, narrow) = (of(1, 4), of(2, 3));
    let one = |metric: &AnyMetric| one(metric, Segment::new(&[1_u32, 2, 3, 4][..], &[&[1, 2, 3, 5]]));
    let (mut own, other) = (one(&wide), one(&narrow));
    let before = own.clone();
    differs_in(&own.merge(&other).unwrap_err(), "min");
    differs_in(&other.score(&wide).unwrap_err(), "min");
    differs_in(&own.retract(&wide, &other).unwrap_err(), "min");
    differs_in(&rows_of(&wide, [&other]).unwrap_err(), "min");
    differs_in(&Accumulator::<_, [u32]>::new(&wide).merge(&other).unwrap_err(), "min");
    let text = stored(&other);
    let error = State::read(&wide, &mut serde_json::Deserializer::from_str(&text)).unwrap_err();
    differs_in(&error, "min");
    assert_eq!(own, before);
    // Of the same configuration they merge, whichever door they came through.
    let again = AnyMetric::for_ids(Gleu::default()).unwrap();
    own.merge(&one(&again)).unwrap();
    assert_eq!(own.score(&again).unwrap(), own.score(&wide).unwrap());
}

fn one<S: ?Sized>(metric: &AnyMetric, segment: Segment<'_, S>) -> AnyState
where
    AnyMetric: Observe<S>,
{
    State::of_segment(metric, &mut AnyScratch::default(), segment).unwrap()
}

#[test]
fn panels_over_other_tokens_are_refused() {
    let metrics = || vec![named("bleu"), named("error_rate")];
    let (own, other) = (panel(metrics(), "13a", Case::Mixed), panel(metrics(), "char", Case::Lower));
    let mut system = observed(&own, SEGMENTS);
    let (foreign, before) = (observed(&other, SEGMENTS), system.clone());
    differs_in(&system.merge(&foreign).unwrap_err(), "tok");
    differs_in(&own.scores(&foreign).unwrap_err(), "tok");
    differs_in(&foreign.score(&own).unwrap_err(), "tok");
    differs_in(&own.state_of(other.states(&foreign).unwrap()).unwrap_err(), "tok");
    differs_in(&own.segment_scores(&foreign).unwrap_err(), "tok");
    assert_eq!(system, before);
    let lowered = panel(metrics(), "13a", Case::Lower);
    differs_in(&own.scores(&observed(&lowered, SEGMENTS)).unwrap_err(), "case");
}

#[test]
fn panels_over_text_in_another_case_are_refused() {
    let metrics = || vec![named("exact_match")];
    let (mixed, lower) = (panel(metrics(), "13a", Case::Mixed), panel(metrics(), "13a", Case::Lower));
    let (mut own, foreign) = (observed(&mixed, SEGMENTS), observed(&lower, SEGMENTS));
    differs_in(&own.merge(&foreign).unwrap_err(), "case");
    differs_in(&mixed.scores(&foreign).unwrap_err(), "case");
    differs_in(&lower.scores(&own).unwrap_err(), "case");
    // A metric that was told nothing of the text takes the state's word for it.
    let score = |panel: &Panel, state| panel.states(state).unwrap()[0].score(&named("exact_match")).unwrap();
    let (of_mixed, of_lower) = (score(&mixed, &own), score(&lower, &foreign));
    assert_eq!((of_mixed.score.value, of_mixed.signature.get("case")), (100.0 / 3.0, Some("mixed")));
    assert_eq!((of_lower.score.value, of_lower.signature.get("case")), (200.0 / 3.0, Some("lc")));
}

#[test]
fn states_of_a_panel_of_other_metrics_are_refused() {
    let one = panel(vec![named("bleu")], "13a", Case::Mixed);
    let two = panel(vec![named("bleu"), named("gleu")], "13a", Case::Mixed);
    let swapped = panel(vec![named("gleu"), named("bleu")], "13a", Case::Mixed);
    let mut state = observed(&two, SEGMENTS);
    assert!(two.scores(&observed(&one, SEGMENTS)).is_err());
    assert!(state.merge(&observed(&one, SEGMENTS)).is_err());
    differs_in(&two.scores(&observed(&swapped, SEGMENTS)).unwrap_err(), "metric");
    differs_in(&state.merge(&observed(&swapped, SEGMENTS)).unwrap_err(), "metric");
}

#[test]
fn tokens_that_are_remembered_are_the_tokens_themselves() {
    // Numbered within each segment, both would be the bigram (0, 1), and the score 50.
    let segments = [("a b", "x"), ("c d", "x")];
    let view = || AnyMetric::for_tokens(Distinct2);
    let whole = panel(vec![view()], "13a", Case::Mixed);
    assert_eq!(whole.scores(&observed(&whole, &segments)).unwrap()[0].score.value, 100.0);
}

#[test]
fn shards_of_a_metric_that_remembers_tokens_are_the_whole() {
    let words = ["a", "b", "c", "d", "e"];
    let lines: Vec<String> = (0..40)
        .map(|line| (0..line % 7).map(|at| words[(line * 3 + at * at) % 5]).collect::<Vec<_>>().join(" "))
        .collect();
    let segments: Vec<(&str, &str)> = lines.iter().map(|line| (line.as_str(), "a")).collect();
    let view = || AnyMetric::for_tokens(Distinct2);
    // BLEU beside it looks at the same tokens as numbers.
    let metrics = || vec![view(), named("bleu")];
    let whole_panel = panel(metrics(), "13a", Case::Mixed);
    let whole = observed(&whole_panel, &segments);
    let mut merged = State::zero(&whole_panel);
    for shard in segments.chunks(9).rev() {
        // A panel of its own, as in another process.
        let of_shard = observed(&panel(metrics(), "13a", Case::Mixed), shard);
        merged.merge(&of_shard).unwrap();
    }
    assert_eq!(stored(&merged), stored(&whole));
    assert_eq!(whole_panel.scores(&merged).unwrap(), whole_panel.scores(&whole).unwrap());
    laws::check_any(&AnyMetric::for_tokens(Distinct2));
}

#[test]
fn finishing_keeps_the_label_of_the_tokens() {
    let mut lowered = Accumulator::<_, str>::new(for_text(Bleu::default(), "13a", Case::Lower));
    lowered.push("The CAT sat on the mat.", &["the cat sat on the mat."]).unwrap();
    let printed = |signature: &bleuprint::Signature| {
        (signature.get("case").map(str::to_owned), signature.get("tok").map(str::to_owned))
    };
    let expected = (Some("lc".to_owned()), Some("13a".to_owned()));
    assert_eq!(printed(&lowered.score().unwrap().signature), expected);
    assert_eq!(printed(&lowered.total().score(&Bleu::default()).unwrap().signature), expected);
    let lower_order = Bleu::builder().max_order(2).build().unwrap();
    assert_eq!(printed(&lowered.total().score(&lower_order).unwrap().signature), expected);
    let nltk =
        Bleu::default().in_dialect(bleuprint::metrics::Dialect::by_name("nltk:method1").unwrap()).unwrap();
    assert_eq!(printed(&lowered.total().score(&nltk).unwrap().signature), expected);

    let lowered = panel(vec![named("bleu")], "13a", Case::Lower);
    let state = observed(&lowered, SEGMENTS);
    let state = &lowered.states(&state).unwrap()[0];
    assert_eq!(printed(&state.score(&named("bleu")).unwrap().signature), expected);

    // A metric that knows its tokens refuses others, rather than to rename them.
    let mixed = for_text(Bleu::default(), "13a", Case::Mixed);
    let mut lowered = Accumulator::<_, str>::new(for_text(Bleu::default(), "13a", Case::Lower));
    lowered.push("a", &["a"]).unwrap();
    differs_in(&lowered.total().score(&mixed).unwrap_err(), "case");
    let labelled = Bleu::default().over(TokenSpace::new("char", Case::Lower).unwrap());
    differs_in(&lowered.total().score(&labelled).unwrap_err(), "tok");
}

#[test]
fn every_metric_over_tokens_prints_them() {
    for (name, score) in [("13a", 50.0), ("char", 50.0), ("none", 0.0)] {
        let mut matches = Accumulator::<_, str>::new(for_text(ExactMatch, name, Case::Mixed));
        matches.push("1,000 .", &["1,000."]).unwrap();
        matches.push("b", &["c"]).unwrap();
        let scored = matches.score().unwrap();
        assert_eq!((scored.score.score, scored.signature.get("tok")), (score, Some(name)));
        assert_eq!(scored.signature.get("case"), Some("mixed"));
    }
}

#[test]
fn exact_match_looks_at_the_text() {
    let panel = panel(vec![named("exact_match"), named("bleu")], "13a", Case::Mixed);
    let scores = |segments: &[(&str, &str)]| panel.scores(&observed(&panel, segments)).unwrap();
    let scored = scores(&[("1,000 .", "1,000.")]);
    assert_eq!((scored[0].score.value, scored[0].signature.get("tok")), (0.0, None));
    assert_eq!(scores(&[("1,000.", "1,000.")])[0].score.value, 100.0);
    // To BLEU both are the same two tokens.
    let precisions = |segments| scores(segments)[1].score.parts[0].clone();
    assert_eq!(precisions(&[("1,000 .", "1,000.")]), precisions(&[("1,000.", "1,000.")]));
}

fn bleu_of(hypothesis: &[u8], reference: &[u8]) -> bleuprint::State<bleuprint::metrics::BleuStats> {
    Accumulator::<_, [u8]>::new(Bleu::default()).push(hypothesis, &[reference]).unwrap()
}

#[test]
fn what_was_never_in_is_not_taken_out() {
    let bleu = Bleu::default();
    let mut both = bleu_of(b"abcd", b"abcd");
    both.merge(&bleu_of(b"abcd", b"abcd")).unwrap();
    let before = both.clone();
    // Each count that is left would be above 0, but there would be 8 matches of 4 tokens: BLEU 200.
    let error = both.retract(&bleu, &bleu_of(b"wxyz", b"abcd")).unwrap_err();
    assert!(error.to_string().contains("clipped 8 > total 4"), "{error}");
    // A segment of another length leaves totals that no segment has.
    assert!(both.retract(&bleu, &bleu_of(b"ab", b"ab")).is_err());
    assert_eq!(both, before);

    let panel = panel(vec![named("bleu"), named("gleu"), named("wer"), named("em")], "char", Case::Mixed);
    let system = observed(&panel, &[("abcd", "abcd"), ("abcd", "abcd")]);
    let other = observed(&panel, &[("wxyz", "abcd")]);
    let (system, other) = (panel.states(&system).unwrap(), panel.states(&other).unwrap());
    for ((metric, state), other) in panel.metrics().zip(&system).zip(&other) {
        let mut rest = state.clone();
        assert!(rest.retract(metric, other).is_err(), "{}", metric.identity().name());
        assert_eq!(&rest, state, "{}", metric.identity().name());
    }
}

#[test]
fn no_segments_leave_no_counts() {
    let metrics = || [named("bleu"), named("gleu"), named("wer"), named("em")];
    let panel = panel(metrics().into(), "char", Case::Mixed);
    let of = |reference| panel.states(&observed(&panel, &[("abcd", reference)])).unwrap();
    for ((metric, own), other) in panel.metrics().zip(of("abcde")).zip(of("x")) {
        let name = metric.identity().name();
        let mut none = own.clone();
        none.retract(metric, &own).unwrap();
        assert_eq!(none, State::zero(metric), "{name}");
        let mut row = none.row().unwrap();
        *row.last_mut().unwrap() = 1;
        assert!(State::from_row(metric, &row).is_err(), "{name}: counts of no segments are read");
        if own.row() != other.row() {
            assert!(own.clone().retract(metric, &other).is_err(), "{name}: it was never in");
        }
    }
}

#[test]
fn counts_that_do_not_fit_are_errors_and_change_nothing() {
    // Nearly as many hits as can be counted, as a file may claim.
    let row = [1, 1, 1, u64::MAX - 1, 0, 0, 0];
    let state = State::from_row(&AnyMetric::for_ids(EditRate::ER).unwrap(), &row).unwrap();
    let mut total = Accumulator::<_, [u8]>::new(EditRate::ER);
    total
        .merge(&serde_json::from_str::<Tagged<_>>(&stored(&state)).unwrap().open(&EditRate::ER).unwrap())
        .unwrap();
    let before = total.total().clone();
    let expected = format!("count out of range in column `hits`: {} + 2", u64::MAX - 1);
    let error = total.push(b"ab", &[b"ab"]).unwrap_err();
    assert!(error.to_string().contains(&expected), "{error}");
    let error = total.add(Segment::new(&b"ab"[..], &[b"ab"])).unwrap_err();
    assert!(error.to_string().contains(&expected), "{error}");
    assert!(total.push_each(&[Segment::new(&b"ab"[..], &[b"ab"])]).is_err());
    let mut other = Accumulator::<_, [u8]>::new(EditRate::ER);
    other.push(b"ab", &[b"ab"]).unwrap();
    assert!(total.merge(&other).unwrap_err().to_string().contains(&expected));
    let twice = before.clone();
    assert!(total.merge(&twice).is_err());
    assert_eq!(total.total(), &before);
    // One hit more is the last that fits.
    total.push(b"a", &[b"a"]).unwrap();
    assert_eq!(total.total().stats().hits, u64::MAX);
}

#[test]
fn totals_that_no_segments_have_are_refused() {
    let bleu = Bleu::default();
    let mut corpus = Accumulator::<_, [u8]>::new(&bleu);
    corpus.push(b"abcdef", &[b"abcdef"]).unwrap();
    corpus.push(b"ab", &[b"abc"]).unwrap();
    let good = corpus.total();
    let open = |change: &dyn Fn(&mut bleuprint::metrics::BleuStats, &mut SegmentCounts)| {
        let (mut stats, mut counts) = (good.stats().clone(), *good.counts());
        change(&mut stats, &mut counts);
        Tagged { key: good.key().clone(), counts, stats }.open(&bleu).map(drop)
    };
    assert_eq!(open(&|_, _| ()), Ok(()));
    // total_n - total_(n+1) = segments - short_n, for every n.
    for order in 0..4 {
        for change in [1, u64::MAX] {
            let message = format!("order {order}, {change}");
            let changed = |count: &mut u64| *count = count.wrapping_add(change);
            // The last total may be higher: how long the segments are that reach it is not known.
            if order < 3 || change == u64::MAX {
                assert!(
                    open(&|stats, _| changed(&mut stats.orders[order].total)).is_err(),
                    "total, {message}"
                );
            }
            assert!(open(&|stats, _| changed(&mut stats.orders[order].short)).is_err(), "short, {message}");
        }
    }
    for segments in [0, 1, 3, u64::MAX] {
        let changed = |counts: &mut SegmentCounts| {
            *counts = SegmentCounts { segments, references: segments, references_squared: segments };
        };
        assert!(open(&|_, counts| changed(counts)).is_err(), "{segments} segments");
    }
}

#[test]
fn forged_counts_of_segments_never_panic() {
    let forged = SegmentCounts { segments: u64::MAX, references: u64::MAX, references_squared: u64::MAX };
    let lots = SegmentCounts { references_squared: u64::MAX - 1, ..forged };
    for name in ["bleu", "gleu", "wer", "em", "bleu:dialect=nltk:method1", "bleu:dialect=fairseq"] {
        let metric = named(name);
        let columns = column_names(&metric).len();
        for (counts, fill) in [(forged, 0), (forged, u64::MAX), (lots, 1), (SegmentCounts::default(), 1)] {
            let mut row = counts.row();
            row.resize(columns, fill);
            let _ = score_row(&metric, &row);
            let Ok(mut state) = State::from_row(&metric, &row) else { continue };
            let before = state.clone();
            let _ = state.score(&metric);
            assert!(state.merge(&before).is_err(), "{name}");
            assert_eq!(state, before, "{name}");
            if name == "em" {
                full::<str>(&metric, &state, Segment::new("a", &["a"]));
            } else {
                full::<[u32]>(&metric, &state, Segment::new(&[1], &[&[1]]));
            }
        }
    }
    // The forged count alone passes where a metric says nothing of it; what is done with it then is an error.
    let exact_match = AnyMetric::for_text(ExactMatch);
    let state = State::from_row(&exact_match, &[u64::MAX, u64::MAX, u64::MAX, 0]).unwrap();
    assert_eq!(state.score(&exact_match).unwrap().value(), 0.0);
}

/// No segment fits into a state whose count of segments is full.
fn full<S: ?Sized>(metric: &AnyMetric, state: &AnyState, segment: Segment<'_, S>)
where
    AnyMetric: Observe<S>,
{
    let mut corpus = Accumulator::<&AnyMetric, S>::new(metric);
    corpus.merge(state).unwrap();
    assert!(corpus.add(segment).is_err());
    assert_eq!(corpus.total(), state);
}

#[test]
fn smoothing_that_would_leave_the_scale_is_refused() {
    for value in [1e307, 1.5, -0.1, f64::INFINITY, f64::NAN] {
        let floor = bleuprint::metrics::Smoothing::Floor(value);
        assert!(Bleu::builder().smoothing(floor).build().is_err(), "{value}");
        assert!(bleuprint::metrics::Smoothing::by_name("floor", Some(value)).is_err(), "{value}");
        let name = format!("bleu:smooth-method=floor,smooth-value={value}");
        assert!(bleuprint::registry().build(&name).is_err(), "{value}");
    }
    let bleu = Bleu::builder().smoothing(bleuprint::metrics::Smoothing::Floor(1.0)).build().unwrap();
    laws::check(&bleu);
}

#[test]
fn a_metric_that_cuts_text_itself_keeps_its_tokens_at_the_run_time_door() {
    let door = |name: &str, case: Case| AnyMetric::for_text(for_text(Bleu::default(), name, case));
    let (v13a, char) = (door("13a", Case::Mixed), door("char", Case::Mixed));
    let one = |metric: &AnyMetric| one::<str>(metric, Segment::new("The cat sat.", &["The cat sat."]));
    let mut own = one(&v13a);
    differs_in(&own.merge(&one(&char)).unwrap_err(), "tok");
    assert_eq!(own.score(&v13a).unwrap().signature.get("tok"), Some("13a"));
    // A door that lower-cases the text before says so.
    let lowered = door("13a", Case::Mixed).over(TokenSpace::text(Case::Lower));
    differs_in(&one(&lowered).merge(&own).unwrap_err(), "case");
    let scored = one(&lowered).score(&lowered).unwrap();
    assert_eq!((scored.signature.get("tok"), scored.signature.get("case")), (Some("13a"), Some("lc")));
}
