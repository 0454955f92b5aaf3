//! Runs and files of statistics are joined by the ids of their segments, or by places with a word.

use bleuprint_eval::ChosenTokens;
use bleuprint_eval::evaluation::{Evaluation, Run, TextCorpus};

type Labels<'l> = &'l [(&'l str, &'l [&'l str])];

fn run(system: &str, hypotheses: &[&str], references: &[&str], labels: Labels<'_>) -> Run {
    let outputs = [(system, hypotheses.to_vec())];
    let mut corpus = TextCorpus::new(outputs, [references.to_vec()]).unwrap();
    labels.iter().for_each(|(name, values)| corpus.add_label(name, *values).unwrap());
    let tokens = ChosenTokens::standard().unwrap();
    let evaluation =
        Evaluation::from_parts(&bleuprint_metrics::registry(), ["exact_match"], &tokens).unwrap();
    evaluation.run(corpus).unwrap()
}

fn scores(run: &Run, system: usize) -> Vec<f64> {
    run.sentence_scores(0, system).into_iter().map(|score| score.unwrap().value()).collect()
}

const IDS: Labels<'_> = &[("id", &["1", "2", "3"])];
const TURNED: Labels<'_> = &[("id", &["3", "2", "1"])];

#[test]
fn segments_pair_by_their_ids_in_any_order() {
    let one = run("a", &["x", "y", "no"], &["x", "y", "z"], IDS);
    let two = run("b", &["z", "y", "no"], &["z", "y", "x"], TURNED);
    let joined = Run::join([&one, &two]).unwrap();
    assert_eq!((scores(&joined, 0), scores(&joined, 1)), (vec![100.0, 100.0, 0.0], vec![0.0, 100.0, 100.0]));
    assert_eq!((joined.notes(), &joined.facts().ids[..]), (&[][..], &["id".to_owned()][..]));
    // The same through files.
    let folder = bleuprint_testkit::Folder::new();
    let files = [("a", &one), ("b", &two)].map(|(name, run)| {
        let file = folder.path(name).display().to_string();
        run.write(&file).unwrap();
        file
    });
    let read = Run::read(&bleuprint_metrics::registry(), &files).unwrap();
    assert_eq!(scores(&read, 1), [0.0, 100.0, 100.0]);
}

#[test]
fn other_ids_labels_and_references_are_refused() {
    let one = run("a", &["x", "y", "z"], &["x", "y", "z"], IDS);
    let error = |references: &[&str], labels: Labels<'_>| {
        let other = run("b", &["x", "y", "z"], references, labels);
        Run::join([&one, &other]).map(|_| ()).unwrap_err().to_string()
    };
    let same = ["x", "y", "z"];
    let other_ids: Labels<'_> = &[("id", &["1", "2", "4"])];
    assert_eq!(error(&same, other_ids), "b has no segment with the id `3`, which is in a");
    assert_eq!(error(&["z", "y", "?"], TURNED), "a and b differ in the references of segment 1");
    let one = run("a", &same, &same, &[("domain", &["u", "u", "u"])]);
    let other = run("b", &same, &same, &[("domain", &["u", "v", "u"])]);
    let message = Run::join([&one, &other]).map(|_| ()).unwrap_err().to_string();
    assert_eq!(message, "the label `domain` of segment 2 is `u` in a, but `v` in b");
}

#[test]
fn places_pair_with_a_word_where_a_side_has_no_ids() {
    let with = run("a", &["x", "y", "z"], &["x", "y", "z"], IDS);
    let without = run("b", &["x", "y", "no"], &["x", "y", "z"], &[]);
    let joined = Run::join([&without, &with]).unwrap();
    assert_eq!(scores(&joined, 0), [100.0, 100.0, 0.0]);
    assert_eq!(joined.notes(), ["a has ids and b has none, so their segments are paired by their places"]);
    // The labels of both are there.
    assert_eq!(joined.labels.values_of("id").unwrap(), ["1", "2", "3"]);
    // References identify the segments of plain texts.
    assert!(Run::join([&without, &without.clone()]).unwrap().notes().is_empty());
}

#[test]
fn a_label_of_lengths_with_other_values_is_a_label() {
    let run = run("a", &["x", "y", "z"], &["x", "y", "z"], &[("length", &["long", "short", "long"])]);
    let groups = run.by("length").unwrap();
    let groups: Vec<(&str, usize)> =
        groups.iter().map(|group| (&*group.label, group.segments.len())).collect();
    assert_eq!(groups, [("long", 2), ("short", 1)]);
}
