//! Tests of SPICE: the properties that every metric must have, and how similar nodes of scene graphs are
//! merged.

use bleuprint_core::Accumulator;
use bleuprint_registry::laws;
use bleuprint_registry::{AnyMetric, MetricOptions};

use super::*;

fn table() -> Arc<dyn Synsets> {
    let words =
        [("track", vec![1, 2]), ("path", vec![1]), ("rail", vec![2]), ("be", vec![9]), ("b", vec![1])];
    Arc::new(SynsetTable::new(words))
}

fn tokens(tuples: &[&str]) -> Vec<String> {
    tuples.iter().map(|tuple| tuple.replace('/', "\u{1F}")).collect()
}

fn graph(spice: &Spice, tuples: &[&str]) -> Vec<String> {
    let tokens = tokens(tuples);
    let graph = spice.graph(&tokens);
    let written = |tuple: &graph::Tuple<'_, '_>| {
        tuple.iter().map(|concept| concept.words().join("+")).collect::<Vec<_>>().join("/")
    };
    graph.tuples().iter().map(written).collect()
}

fn stats(spice: &Spice, hypothesis: &[&str], references: &[&[&str]]) -> SpiceStats {
    let references: Vec<Vec<String>> = references.iter().map(|tuples| tokens(tuples)).collect();
    let references: Vec<&[String]> = references.iter().map(Vec::as_slice).collect();
    let mut whole = Accumulator::<_, [String]>::new(spice.clone());
    whole.push(&tokens(hypothesis)[..], &references).unwrap();
    *whole.total().stats()
}

#[test]
fn obeys_the_laws() {
    for spice in [
        Spice::default(),
        Spice::default().with_synsets(table()),
        Spice::default().with_similarity(TupleSimilarity::Equal).capped(),
    ] {
        laws::check_any(&AnyMetric::for_tokens(spice));
    }
}

#[test]
fn similar_nodes_attributes_and_relations_are_merged() {
    let similar = Spice::default().with_synsets(table());
    assert_eq!(graph(&similar, &["path", "track", "rail"]), ["path+rail+track"]);
    assert_eq!(graph(&similar, &["dog/path", "dog/track", "dog/red"]), ["dog", "dog/path+track", "dog/red"]);
    assert_eq!(
        graph(&similar, &["a/be path/c", "a/track/c", "a/rail/d"]),
        ["a", "c", "d", "a/path+track/c", "a/rail/d"]
    );
    let equal = similar.with_similarity(TupleSimilarity::Equal);
    assert_eq!(graph(&equal, &["path", "track", "path"]), ["path", "track"]);
    assert_eq!(graph(&equal, &["a/on top/of/c"]), ["a", "c", "a/on top\u{1F}of/c"]);
    assert_eq!(graph(&equal, &["a/be/c", "a/be on/c"]), ["a", "c", "a/be/c", "a/on/c"]);
}

#[test]
fn several_tuples_may_match_one_unless_it_is_capped() {
    let spice = Spice::default().with_synsets(table());
    let found = stats(&spice, &["path", "rail"], &[&["path", "track"], &["rail"]]);
    assert_eq!((found.matched, found.hypothesis, found.reference), (2, 2, 1));
    assert_eq!((found.recall.to_f64(), found.f.to_f64()), (2.0, 4.0 / 3.0));
    let capped = stats(&spice.capped(), &["path", "rail"], &[&["path", "track"], &["rail"]]);
    assert_eq!((capped.matched, capped.recall.to_f64()), (1, 1.0));
}

#[test]
fn empty_sides_are_zero_and_sizes_without_references_are_left_out() {
    let spice = Spice::default();
    for (hypothesis, reference) in [(&["a"][..], &[][..]), (&[], &["a"]), (&[], &[])] {
        assert_eq!(stats(&spice, hypothesis, &[reference]).f.to_f64(), 0.0);
    }
    // An empty text is treated like others: as an object, as an attribute, and at the ends of a relation.
    assert_eq!(stats(&spice, &[""], &[&[""]]).f.to_f64(), 1.0);
    assert_eq!(stats(&spice, &["", "/", "//"], &[&["a"]]).hypothesis, 3);
    let found = stats(&spice, &["a/red"], &[&["a"]]);
    assert_eq!((found.objects.count(), found.attributes.count(), found.relations.count()), (1, 0, 0));
    assert_eq!((found.objects.to_f64(), found.f.to_f64()), (1.0, 2.0 * 0.5 / 1.5));
}

/// Checks that tuples are compared only if they share a word or a synset; comparing all pairs would take
/// minutes.
#[test]
fn many_tuples_take_no_square_of_time() {
    let start = std::time::Instant::now();
    let many: Vec<String> = (0..50_000).map(|number| format!("w{number}/on/w{}", number + 1)).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let found = stats(&Spice::default().with_synsets(table()), &many, &[&many]);
    assert_eq!((found.matched, found.hypothesis, found.reference), (100_001, 100_001, 100_001));
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

#[test]
fn two_sources_of_synonyms_are_refused() {
    let options = MetricOptions::default().with("spice-wordnet", "a").with("spice-synsets", "b");
    let error = ENTRY.build(&options).err().unwrap().to_string();
    assert!(error.contains("spice-wordnet or spice-synsets"), "{error}");
}
