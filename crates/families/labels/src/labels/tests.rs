//! Tests of the metric over labels: the properties that every metric must have, and relations between its
//! scores.

use bleuprint_core::{Accumulator, Score as _, State};
use bleuprint_registry::laws;
use quickcheck::quickcheck;

use super::*;
use crate::{Average, ZeroQuotient};

fn with(change: impl FnOnce(&mut LabelOptions)) -> LabelOptions {
    let mut options = LabelOptions::default();
    change(&mut options);
    options
}

fn any(options: LabelOptions) -> AnyMetric {
    AnyMetric::for_text(Labels::new(options).unwrap())
}

const ALL: [&str; 3] = ["a", "b", "c d"];

fn declared() -> Option<Vec<String>> {
    Some(ALL.map(str::to_owned).to_vec())
}

/// Returns one of three labels.
fn label(raw: &[u8]) -> String {
    ALL[raw.iter().map(|byte| usize::from(*byte)).sum::<usize>() % 3].to_owned()
}

fn set(raw: &[u8]) -> String {
    raw.iter().take(4).map(|byte| ALL[usize::from(byte % 3)]).collect::<Vec<_>>().join(";")
}

#[test]
fn single_labels_obey_the_laws() {
    for score in
        [LabelScore::F, LabelScore::Accuracy, LabelScore::Balanced, LabelScore::Mcc, LabelScore::Kappa]
    {
        laws::check_any(&any(with(|options| options.score = score)));
        let row = Labels::new(with(|options| (options.score, options.labels) = (score, declared()))).unwrap();
        laws::check_sequences::<str>(&row, label);
    }
    for (average, confusion) in [(Average::Micro, true), (Average::Weighted, false)] {
        laws::check_any(&any(with(|options| (options.average, options.confusion) = (average, confusion))));
    }
}

#[test]
fn weighted_kappa_obeys_the_laws_from_a_row_and_from_pairs() {
    for confusion in [false, true] {
        let kappa = Labels::new(with(|options| {
            (options.score, options.weights) = (LabelScore::Kappa, KappaWeights::Quadratic);
            (options.labels, options.confusion) = (declared(), confusion);
        }));
        laws::check_sequences::<str>(&kappa.unwrap(), label);
    }
}

#[test]
fn sets_and_tags_obey_the_laws() {
    let sets = |separator: &str| SegmentLabels::Set(Separator::named(separator).unwrap());
    for average in [Average::Micro, Average::Macro, Average::Samples] {
        laws::check_any(&any(with(|options| (options.items, options.average) = (sets("space"), average))));
    }
    laws::check_any(&any(with(|options| (options.items, options.score) = (sets(";"), LabelScore::Accuracy))));
    let row = Labels::new(with(|options| (options.items, options.labels) = (sets(";"), declared()))).unwrap();
    laws::check_sequences::<str>(&row, set);
    let tags =
        |raw: &[u8]| (0..3).map(|at| ["a", "b"][raw.len() / (at + 1) % 2]).collect::<Vec<_>>().join(" ");
    let tokens = Labels::new(with(|options| options.items = SegmentLabels::Tokens)).unwrap();
    laws::check_sequences::<str>(&tokens, tags);
}

#[test]
fn configurations_are_told_apart() {
    let space = || SegmentLabels::Set(Separator::Space);
    let all = [
        with(|_| ()),
        with(|options| options.average = Average::Micro),
        with(|options| options.zero = ZeroQuotient::One),
        with(|options| options.zero = ZeroQuotient::LeftOut),
        with(|options| options.beta = 2.0),
        with(|options| options.only = Some(vec!["a".to_owned()])),
        with(|options| options.score = LabelScore::Recall),
        with(|options| options.score = LabelScore::Accuracy),
        with(|options| options.score = LabelScore::Mcc),
        with(|options| options.confusion = true),
        with(|options| options.items = space()),
        with(|options| (options.items, options.average) = (space(), Average::Samples)),
        with(|options| options.items = SegmentLabels::Set(Separator::Text(";".to_owned()))),
    ];
    laws::check_distinct(&all.map(any));
}

#[test]
fn lists_are_sets_of_labels_or_ids() {
    let registry = bleuprint_registry::Registry::from_entries(crate::ENTRIES).unwrap();
    let lists = registry.build("labels:multilabel=list,average=samples").unwrap();
    laws::check_any_for(&lists, |raw| {
        let list = |raw: &[u8]| TextList(raw.iter().map(|byte| (byte % 4).to_string()).collect());
        (list(&raw[raw.len() / 2..]), vec![list(&raw[..raw.len() / 2])], None::<TextList>)
    });
    let sets = Labels::new(with(|options| options.items = SegmentLabels::Set(Separator::List))).unwrap();
    assert!(Accumulator::<_, str>::new(sets).push("a", &["a"]).is_err());
    let list = TextList(vec!["a".to_owned()]);
    assert!(Accumulator::<_, TextList>::new(Labels::default()).push(&list, &[&list]).is_err());
}

/// Returns the state and the score of some pairs of labels.
fn observed(options: LabelOptions, pairs: &[(String, String)]) -> (State<LabelCounts>, Result<f64>) {
    let mut all = Accumulator::<_, str>::new(Labels::new(options).unwrap());
    for (gold, predicted) in pairs {
        all.push(predicted, &[gold.as_str()]).unwrap();
    }
    let score = all.score().map(|scored| scored.score.value());
    (all.total().clone(), score)
}

fn pairs_of(raw: &[(u8, u8)]) -> Vec<(String, String)> {
    raw.iter().map(|(gold, own)| ((gold % 5).to_string(), (own % 5).to_string())).collect()
}

quickcheck! {
    fn micro_f_of_single_labels_is_accuracy(raw: Vec<(u8, u8)>) -> bool {
        let pairs = pairs_of(&raw);
        let micro = observed(with(|options| options.average = Average::Micro), &pairs).1;
        let accuracy = observed(with(|options| options.score = LabelScore::Accuracy), &pairs).1;
        let right = pairs.iter().filter(|(gold, own)| gold == own).count() as f64 / pairs.len() as f64;
        micro.ok() == accuracy.clone().ok() && (pairs.is_empty() || accuracy == Ok(right))
    }

    fn pairs_rows_and_names_give_one_score(raw: Vec<(u8, u8)>) -> bool {
        let pairs = pairs_of(&raw);
        let all: Vec<String> = (0..5).map(|label: u8| label.to_string()).collect();
        [LabelScore::F, LabelScore::Accuracy, LabelScore::Balanced, LabelScore::Mcc, LabelScore::Kappa].iter().all(|&score| {
            let named = observed(with(|options| options.score = score), &pairs).1.ok();
            let row = observed(with(|options| (options.score, options.labels) = (score, Some(all.clone()))), &pairs);
            let cells = observed(with(|options| (options.score, options.confusion) = (score, true)), &pairs);
            named == row.1.ok() && named == cells.1.ok()
        })
    }

    fn weighted_kappa_is_its_definition(raw: Vec<(u8, u8)>, square: bool) -> bool {
        let pairs = pairs_of(&raw);
        let all = (0..5).map(|label: u8| label.to_string()).collect::<Vec<_>>();
        let weights = if square { KappaWeights::Quadratic } else { KappaWeights::Linear };
        let kappa = |confusion: bool| observed(with(|options| {
            (options.score, options.weights) = (LabelScore::Kappa, weights);
            (options.labels, options.confusion) = (Some(all.clone()), confusion);
        }), &pairs).1.ok();
        let weight = |one: &str, other: &str| {
            let [one, other] = [one, other].map(|label| label.parse::<f64>().unwrap());
            (one - other).abs().powi(if square { 2 } else { 1 })
        };
        let seen: f64 = pairs.iter().map(|(gold, own)| weight(gold, own)).sum();
        let chance: f64 = pairs.iter().flat_map(|(gold, _)| pairs.iter().map(|(_, own)| weight(gold, own))).sum();
        let expected = (chance > 0.0).then(|| 1.0 - pairs.len() as f64 * seen / chance);
        let near = |(one, other): (f64, f64)| (one - other).abs() <= 1e-12;
        kappa(false) == kappa(true) && match (kappa(false), expected) {
            (Some(one), Some(other)) => near((one, other)),
            (one, other) => one == other,
        }
    }

    fn every_cut_merges_to_the_same_bytes(raw: Vec<(u8, u8)>, cut: usize) -> bool {
        let pairs = pairs_of(&raw);
        let cut = cut % (pairs.len() + 1);
        [with(|_| ()), with(|options| options.confusion = true)].into_iter().all(|options| {
            let whole = observed(options.clone(), &pairs).0;
            let mut last = observed(options.clone(), &pairs[cut..]).0;
            last.merge(&observed(options, &pairs[..cut]).0).unwrap();
            serde_json::to_string(&last).unwrap() == serde_json::to_string(&whole).unwrap()
        })
    }
}

#[test]
fn the_confusion_matrix_has_a_row_for_each_label_of_references() {
    let pairs =
        [("a", "b"), ("a", "a"), ("b", "b"), ("a", "b")].map(|(gold, own)| (gold.to_owned(), own.to_owned()));
    let options = with(|options| (options.confusion, options.labels) = (true, declared()));
    let stats = observed(options.clone(), &pairs).0;
    let (names, rows) = Labels::new(options).unwrap().confusion(stats.stats()).unwrap();
    assert_eq!((names, rows), (declared().unwrap(), vec![vec![1, 2, 0], vec![0, 1, 0], vec![0, 0, 0]]));
    assert!(Labels::default().confusion(stats.stats()).is_err());
}

#[test]
fn errors_name_the_label_and_the_remedy() {
    let refused = |options: LabelOptions, predicted: &str, gold: &[&str]| {
        let mut all = Accumulator::<_, str>::new(Labels::new(options).unwrap());
        let error = all.push(predicted, gold).unwrap_err().to_string();
        assert_eq!(all.total().counts().segments, 0);
        error
    };
    let tags = refused(with(|_| ()), "B-PER O", &["B-PER O"]);
    assert!(tags.contains("`B-PER O` is a sequence of tags: `spans`"), "{tags}");
    let unknown = refused(with(|options| options.labels = declared()), "z", &["a"]);
    assert!(unknown.contains("the label `z` is not declared; expected one of: a, b, c d"), "{unknown}");
    let unknown =
        refused(with(|options| (options.labels, options.confusion) = (declared(), true)), "a", &["z"]);
    assert!(unknown.contains("`z` is not declared"), "{unknown}");
    let unlike = refused(with(|options| options.items = SegmentLabels::Tokens), "O", &["O O"]);
    assert!(unlike.contains("the hypothesis has 1 tag, but the reference has 2"), "{unlike}");
    let long = refused(with(|_| ()), &"x".repeat(4097), &["a"]);
    assert!(long.contains("the bytes of a label is 4097, but must be at most 4096"), "{long}");
    assert!(refused(with(|_| ()), "a", &["a", "b"]).contains("one reference"));
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    let refused = |text: &str| {
        let registry = bleuprint_registry::Registry::from_entries(crate::ENTRIES).unwrap();
        registry.build(text).map(drop).unwrap_err().to_string()
    };
    for (text, expected) in [
        ("labels:average=samples", "average=samples is for sets"),
        ("labels:score=kappa,weights=linear", "set labels=a/b/c"),
        ("labels:multilabel=json,tokens", "not both"),
        ("labels:score=mcc,only=a", "only=.. is for averages"),
        ("labels:multilabel=json,score=mcc", "sets of labels have averages and accuracy"),
        ("labels:labels=a/a", "no label twice"),
        ("labels:beta=0", "from 0.000001 to 1000000"),
        ("labels:beta=1e308", "from 0.000001 to 1000000"),
        ("spans:average=samples", "no average over samples"),
    ] {
        let message = refused(text);
        assert!(message.contains(expected), "{text}: {message}");
    }
}

#[test]
fn a_hundred_thousand_labels_are_counted() {
    let mut all = Accumulator::<_, str>::new(Labels::default());
    for label in 0..100_000 {
        let gold = label.to_string();
        all.push(if label % 2 == 0 { &gold } else { "" }, &[gold.as_str()]).unwrap();
    }
    // The empty label occurs only in predictions.
    assert_eq!(all.score().unwrap().score.value(), 50_000.0 / 100_001.0);
}

#[test]
fn forged_counts_are_refused() {
    let key = Labels::default().state_key();
    let counts = SegmentCounts { segments: 2, references: 2, references_squared: 2 };
    let opened = |labels: &str| {
        let stored = format!(r#"{{"labels":{labels},"pairs":[],"sets":[]}}"#);
        let stats: crate::named::NamedCounts =
            serde_json::from_str(&stored).map_err(|error| error.to_string())?;
        let stats = LabelCounts::from(stats);
        let tagged = bleuprint_core::Tagged { key: (*key).clone(), counts, stats };
        tagged.open(&Labels::default()).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(opened(r#"[["a",[1,2,1]],["b",[0,0,1]]]"#), Ok(()));
    for forged in [
        r#"[["b",[1,2,1]],["a",[0,0,1]]]"#,
        r#"[["a",[2,2,1]],["b",[0,0,1]]]"#,
        r#"[["a",[1,1,1]]]"#,
        r#"[["a",[1,2,1]],["a",[0,0,1]]]"#,
        r#"[["a",[1,2,1]],["b",[0,0,0]]]"#,
        r#"[["a",[1,2,2]],["b",[0,0,1]]]"#,
    ] {
        assert!(opened(forged).is_err(), "{forged}");
    }
}
