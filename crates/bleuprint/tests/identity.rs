//! Whose state is it: states of other configurations and other tokens are refused everywhere, and a score says what
//! it was counted over, whoever finishes it.

mod support;

use bleuprint::eval::Panel;
use bleuprint::{
    Accumulator, AnyMetric, AnySegment, Bleu, Case, EditRate, ExactMatch, Gleu, InputError, InputErrorKind,
    Linear, Metric, OverIds, OverText, OverTokens, Segment, SegmentCounts, Tagged, TokenSpace, Tokenized,
    Tokenizer, TokenizerOptions, laws, tokenizer,
};
use support::{Distinct2, named, observe, observed, panel, stored};

const SEGMENTS: &[(&str, &str)] =
    &[("The cat sat.", "The cat sat."), ("A Dog barked.", "a dog barked."), ("Nobody", "No one came")];

fn differs_in(error: &InputError, field: &str) {
    let found = matches!(error.kind(), InputErrorKind::UnlikeStates { field: found, .. } if found == field);
    assert!(found, "{error}, but not in {field}");
}

fn over_text<M: Metric>(metric: M, name: &str, case: Case) -> Tokenized<M, Box<dyn Tokenizer>> {
    let tokenizer = tokenizer(name, &TokenizerOptions::default()).unwrap();
    Tokenized::new(metric, tokenizer, case).unwrap()
}

#[test]
fn unlike_orders_are_refused_at_the_run_time_door() {
    let (wide, narrow) =
        (AnyMetric::over_ids(Gleu::new(1, 4).unwrap()), AnyMetric::over_ids(Gleu::new(2, 3).unwrap()));
    let segment = AnySegment::Ids(Segment::new(&[1, 2, 3, 4], &[&[1, 2, 3, 5]]));
    let one = |metric: &dyn AnyMetric| metric.observe_one(&mut metric.scratch(), segment).unwrap();
    let (mut own, other) = (one(&wide), one(&narrow));
    let before = stored(&own);
    differs_in(&wide.merge(&mut own, &other).unwrap_err(), "min");
    differs_in(&wide.check_merge(&own, &other).unwrap_err(), "min");
    differs_in(&wide.score(&other).unwrap_err(), "min");
    differs_in(&wide.observe(&mut wide.scratch(), &mut { other.clone() }, segment).unwrap_err(), "min");
    let linear = wide.linear().unwrap();
    differs_in(&linear.retract(&mut own, &other).unwrap_err(), "min");
    differs_in(&linear.row(&other).unwrap_err(), "min");
    let text = stored(&other);
    let mut read = serde_json::Deserializer::from_str(&text);
    let error = wide.restore(&mut <dyn erased_serde::Deserializer<'_>>::erase(&mut read)).unwrap_err();
    differs_in(&error, "min");
    assert_eq!(stored(&own), before);
    // Of the same configuration they merge, whichever door they came through.
    let again = AnyMetric::over_ids(Gleu::default());
    again.merge(&mut own, &one(&again)).unwrap();
    assert_eq!(again.score(&own).unwrap(), wide.score(&own).unwrap());
}

#[test]
fn panels_over_other_tokens_are_refused() {
    let metrics = || vec![named("bleu"), named("error_rate")];
    let (own, other) = (panel(metrics(), "13a", Case::Mixed), panel(metrics(), "char", Case::Lower));
    let mut system = observed(&own, SEGMENTS);
    let (foreign, before) = (observed(&other, SEGMENTS), stored(&system));
    differs_in(&own.merge(&mut system, &foreign).unwrap_err(), "tok");
    differs_in(&own.scores(&foreign).unwrap_err(), "tok");
    differs_in(&own.state_of(foreign.states().to_vec()).unwrap_err(), "tok");
    assert!(own.segment_scores(&foreign).iter().all(Result::is_err));
    let mut systems = [foreign];
    let untouched = stored(&systems);
    let error = observe(&own, &mut own.scratch(), &mut systems, &["a"], &["a"]).unwrap_err();
    differs_in(&error, "tok");
    assert_eq!((stored(&system), stored(&systems)), (before, untouched));
    let lowered = panel(metrics(), "13a", Case::Lower);
    differs_in(&own.scores(&observed(&lowered, SEGMENTS)).unwrap_err(), "case");
}

#[test]
fn panels_over_text_in_another_case_are_refused() {
    let metrics = || vec![named("exact_match")];
    let (mixed, lower) = (panel(metrics(), "13a", Case::Mixed), panel(metrics(), "13a", Case::Lower));
    let (mut own, foreign) = (observed(&mixed, SEGMENTS), observed(&lower, SEGMENTS));
    differs_in(&mixed.merge(&mut own, &foreign).unwrap_err(), "case");
    differs_in(&mixed.scores(&foreign).unwrap_err(), "case");
    differs_in(&lower.scores(&own).unwrap_err(), "case");
    // A metric that was told nothing of the text takes the state's word for it.
    let score = |state| named("exact_match").score(state).unwrap();
    let (of_mixed, of_lower) = (score(&own.states()[0]), score(&foreign.states()[0]));
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
    assert!(two.merge(&mut state, &observed(&one, SEGMENTS)).is_err());
    differs_in(&two.scores(&observed(&swapped, SEGMENTS)).unwrap_err(), "metric");
    differs_in(&two.merge(&mut state, &observed(&swapped, SEGMENTS)).unwrap_err(), "metric");
}

#[test]
fn tokens_that_are_remembered_are_the_tokens_themselves() {
    // Numbered within each segment, both would be the bigram (0, 1), and the score 50.
    let segments = [("a b", "x"), ("c d", "x")];
    let view = || -> AnyMetric { Box::new(AnyMetric::over_tokens(Distinct2)) };
    let whole = panel(vec![view()], "13a", Case::Mixed);
    assert_eq!(whole.scores(&observed(&whole, &segments)).unwrap()[0].score.value, 100.0);

    let tokenizer = tokenizer("13a", &TokenizerOptions::default()).unwrap();
    let metric = Tokenized::<Distinct2, _>::with_tokens(Distinct2, tokenizer, Case::Mixed).unwrap();
    let mut typed = Accumulator::<_, str>::new(&metric);
    segments.iter().for_each(|(hypothesis, _)| drop(typed.push(hypothesis, &[]).unwrap()));
    assert_eq!(typed.score().unwrap().score, 100.0);
}

#[test]
fn shards_of_a_metric_that_remembers_tokens_are_the_whole() {
    let words = ["a", "b", "c", "d", "e"];
    let lines: Vec<String> = (0..40)
        .map(|line| (0..line % 7).map(|at| words[(line * 3 + at * at) % 5]).collect::<Vec<_>>().join(" "))
        .collect();
    let segments: Vec<(&str, &str)> = lines.iter().map(|line| (line.as_str(), "a")).collect();
    let view = || -> AnyMetric { Box::new(AnyMetric::over_tokens(Distinct2)) };
    // BLEU beside it looks at the same tokens as numbers.
    let metrics = || vec![view(), named("bleu")];
    let whole_panel = panel(metrics(), "13a", Case::Mixed);
    let whole = observed(&whole_panel, &segments);
    let mut merged = whole_panel.zero();
    for shard in segments.chunks(9).rev() {
        // A panel of its own, as in another process.
        let of_shard = observed(&panel(metrics(), "13a", Case::Mixed), shard);
        whole_panel.merge(&mut merged, &of_shard).unwrap();
    }
    assert_eq!(stored(&merged), stored(&whole));
    assert_eq!(whole_panel.scores(&merged).unwrap(), whole_panel.scores(&whole).unwrap());

    let typed = || {
        let tokenizer = tokenizer("13a", &TokenizerOptions::default()).unwrap();
        Tokenized::<Distinct2, _>::with_tokens(Distinct2, tokenizer, Case::Mixed).unwrap()
    };
    let mut merged = Accumulator::<_, str>::new(typed());
    for shard in segments.chunks(7) {
        let mut own = Accumulator::<_, str>::new(typed());
        shard.iter().for_each(|(text, reference)| drop(own.push(text, &[reference]).unwrap()));
        let sent: Tagged<_> = serde_json::from_str(&stored(own.total())).unwrap();
        merged.merge_tagged(sent).unwrap();
    }
    // The typed door and the run-time door have one key and one form of storing.
    assert_eq!(stored(merged.total()), stored(&whole.states()[0]));
    laws::check_any(&AnyMetric::over_tokens(Distinct2));
}

#[test]
fn finishing_keeps_the_label_of_the_tokens() {
    let mut lowered = Accumulator::<_, str>::new(over_text(Bleu::default(), "13a", Case::Lower));
    lowered.push("The CAT sat on the mat.", &["the cat sat on the mat."]).unwrap();
    let printed = |signature: &bleuprint::Signature| {
        (signature.get("case").map(str::to_owned), signature.get("tok").map(str::to_owned))
    };
    let expected = (Some("lc".to_owned()), Some("13a".to_owned()));
    assert_eq!(printed(&lowered.score().unwrap().signature), expected);
    assert_eq!(printed(&lowered.total().score(&Bleu::default()).unwrap().signature), expected);
    let lower_order = Bleu::builder().max_order(2).build().unwrap();
    assert_eq!(printed(&lowered.total().score(&lower_order).unwrap().signature), expected);
    let nltk = Bleu::default().in_dialect(bleuprint::Dialect::by_name("nltk:method1").unwrap()).unwrap();
    assert_eq!(printed(&lowered.total().score(&nltk).unwrap().signature), expected);

    let lowered = panel(vec![named("bleu")], "13a", Case::Lower);
    let state = observed(&lowered, SEGMENTS);
    assert_eq!(printed(&named("bleu").score(&state.states()[0]).unwrap().signature), expected);

    // A metric that knows its tokens refuses others, rather than to rename them.
    let mixed = over_text(Bleu::default(), "13a", Case::Mixed);
    let mut lowered = Accumulator::<_, str>::new(over_text(Bleu::default(), "13a", Case::Lower));
    lowered.push("a", &["a"]).unwrap();
    differs_in(&lowered.total().score(&mixed).unwrap_err(), "case");
    let labelled = Bleu::default().over(TokenSpace::new("char", Case::Lower).unwrap());
    differs_in(&lowered.total().score(&labelled).unwrap_err(), "tok");
}

#[test]
fn every_metric_over_tokens_prints_them() {
    for (name, score) in [("13a", 50.0), ("char", 50.0), ("none", 0.0)] {
        let mut matches = Accumulator::<_, str>::new(over_text(ExactMatch, name, Case::Mixed));
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

/// The state of a BLEU over bytes.
fn bleu_of(hypothesis: &[u8], reference: &[u8]) -> bleuprint::State<bleuprint::BleuStats> {
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
    let refused = panel.metrics().zip(system.states()).zip(other.states()).map(|((metric, state), other)| {
        let mut rest = state.clone();
        let refused = metric.require_linear("be subtracted").unwrap().retract(&mut rest, other).is_err();
        assert!(!refused || stored(&rest) == stored(state), "{}", metric.identity().name());
        refused
    });
    assert_eq!(refused.collect::<Vec<_>>(), [true, true, true, true]);
}

#[test]
fn no_segments_leave_no_counts() {
    let metrics = || [named("bleu"), named("gleu"), named("wer"), named("em")];
    let of = |panel: &Panel, reference| observed(panel, &[("abcd", reference)]);
    let panel = panel(metrics().into(), "char", Case::Mixed);
    let (own, other) = (of(&panel, "abcde"), of(&panel, "x"));
    for ((metric, own), other) in panel.metrics().zip(own.states()).zip(other.states()) {
        let (linear, name) = (metric.linear().unwrap(), metric.identity().name());
        let mut none = own.clone();
        linear.retract(&mut none, own).unwrap();
        assert_eq!(stored(&none), stored(&metric.zero()), "{name}");
        let mut row = linear.row(&metric.zero()).unwrap();
        *row.last_mut().unwrap() = 1;
        assert!(linear.read_row(&row).is_err(), "{name}: counts of no segments are read");
        if linear.row(own) != linear.row(other) {
            assert!(linear.retract(&mut own.clone(), other).is_err(), "{name}: it was never in");
        }
    }
}

#[test]
fn counts_that_do_not_fit_are_errors_and_change_nothing() {
    // Nearly as many hits as can be counted, as a file may claim.
    let row = [1, 1, 1, u64::MAX - 1, 0, 0, 0];
    let state = AnyMetric::over_ids(ErrorRate).linear().unwrap().read_row(&row).unwrap();
    let mut total = Accumulator::<_, [u8]>::new(ErrorRate);
    total.merge_tagged(serde_json::from_str(&stored(&state)).unwrap()).unwrap();
    let before = total.total().clone();
    let expected = format!("count out of range in column `hits`: {} + 2", u64::MAX - 1);
    let error = total.push(b"ab", &[b"ab"]).unwrap_err();
    assert!(error.to_string().contains(&expected), "{error}");
    let error = total.add(Segment::new(&b"ab"[..], &[b"ab"])).unwrap_err();
    assert!(error.to_string().contains(&expected), "{error}");
    let error = total.push_batch([(&b"ab"[..], [&b"ab"[..]])]).unwrap_err();
    assert!(error.to_string().contains(&expected), "{error}");
    assert!(total.push_each(&[Segment::new(&b"ab"[..], &[b"ab"])]).is_err());
    let mut other = Accumulator::<_, [u8]>::new(EditRate::ER);
    other.push(b"ab", &[b"ab"]).unwrap();
    assert!(total.merge(&other).unwrap_err().to_string().contains(&expected));
    let twice = before.clone();
    assert!(total.merge_state(&twice).is_err());
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
    let open = |change: &dyn Fn(&mut bleuprint::BleuStats, &mut SegmentCounts)| {
        let (mut stats, mut counts) = (good.stats().clone(), *good.counts());
        change(&mut stats, &mut counts);
        Tagged::new(good.key().clone(), counts, stats).open(&bleu).map(drop)
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
        let linear = metric.linear().unwrap();
        let columns = linear.column_names().len();
        for (counts, fill) in [(forged, 0), (forged, u64::MAX), (lots, 1), (SegmentCounts::default(), 1)] {
            let mut row = counts.row();
            row.resize(columns, fill);
            let _ = linear.score_row(&row);
            let Ok(mut state) = linear.read_row(&row) else { continue };
            let (before, twice) = (stored(&state), state.clone());
            let _ = metric.score(&state);
            assert!(metric.merge(&mut state, &twice).is_err(), "{name}");
            let segment = AnySegment::Ids(Segment::new(&[1], &[&[1]]));
            let text = AnySegment::Text(Segment::new("a", &["a"]));
            let segment = if name == "em" { text } else { segment };
            assert!(metric.observe(&mut metric.scratch(), &mut state, segment).is_err(), "{name}");
            assert_eq!(stored(&state), before, "{name}");
        }
    }
    // The forged count alone passes where a metric says nothing of it; what is done with it then is an error.
    let state =
        AnyMetric::over_text(ExactMatch).linear().unwrap().read_row(&[u64::MAX, u64::MAX, u64::MAX, 0]);
    assert_eq!(AnyMetric::over_text(ExactMatch).score(&state.unwrap()).unwrap().score.value, 0.0);
}

#[test]
fn smoothing_that_would_leave_the_scale_is_refused() {
    for value in [1e307, 1.5, -0.1, f64::INFINITY, f64::NAN] {
        let floor = bleuprint::Smoothing::Floor(value);
        assert!(Bleu::builder().smoothing(floor).build().is_err(), "{value}");
        assert!(bleuprint::Smoothing::by_name("floor", Some(value)).is_err(), "{value}");
        let name = format!("bleu:smooth-method=floor,smooth-value={value}");
        assert!(bleuprint::registry().build(&name).is_err(), "{value}");
    }
    let bleu = Bleu::builder().smoothing(bleuprint::Smoothing::Floor(1.0)).build().unwrap();
    laws::check(&bleu);
}

#[test]
fn a_metric_that_cuts_text_itself_keeps_its_tokens_at_the_run_time_door() {
    let door = |name: &str, case: Case| AnyMetric::over_text(over_text(Bleu::default(), name, case));
    let (v13a, char) = (door("13a", Case::Mixed), door("char", Case::Mixed));
    let segment = AnySegment::Text(Segment::new("The cat sat.", &["The cat sat."]));
    let one = |metric: &dyn AnyMetric| metric.observe_one(&mut metric.scratch(), segment).unwrap();
    let mut own = one(&v13a);
    differs_in(&v13a.merge(&mut own, &one(&char)).unwrap_err(), "tok");
    assert_eq!(v13a.score(&own).unwrap().signature.get("tok"), Some("13a"));
    // A door that lower-cases the text before says so.
    let lowered = Box::new(door("13a", Case::Mixed)).over(TokenSpace::text(Case::Lower));
    differs_in(&lowered.merge(&mut one(&*lowered), &own).unwrap_err(), "case");
    let scored = lowered.score(&one(&*lowered)).unwrap();
    assert_eq!((scored.signature.get("tok"), scored.signature.get("case")), (Some("13a"), Some("lc")));
}
