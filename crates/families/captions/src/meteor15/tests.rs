//! Tests of METEOR 1.5: the properties that every metric must have, small hand-written tables, and recorded
//! results of the original program.

use bleuprint_core::Accumulator;
use bleuprint_registry::{AnyMetric, laws};

use super::*;

mod jar;
mod twin;

pub(super) fn tables() -> Data {
    let synsets = "cat\n1 2\nkitty\n1\nlow\n3\nget\n3\ndog\n4\nhound\n4\n";
    let table =
        "0.5\nat once\nright away\n1\nright away\nat once\n0.1\nthe big cat\na lion\n0.2\ncat\nkitty\n";
    Data {
        synsets: Some(Arc::new(WordnetSynsets::parse(("s", synsets), ("e", "go\nwent gone\n")).unwrap())),
        paraphrases: Some(Arc::new(Paraphrases::parse("p", table).unwrap())),
        ..Data::default()
    }
}

fn meteor(settings: &MeteorSettings) -> Meteor15 {
    Meteor15::new(settings, tables()).unwrap()
}

fn counts(meteor: &Meteor15, hypothesis: &str, references: &[&str]) -> Meteor15Stats {
    let references: Vec<[&str; 1]> = references.iter().map(|text| [*text]).collect();
    let references: Vec<&[&str]> = references.iter().map(|tokens| &tokens[..]).collect();
    let mut whole = Accumulator::<_, [&str]>::new(meteor.clone());
    whole.push(&[hypothesis], &references).unwrap();
    *whole.total().stats()
}

#[test]
fn obeys_the_laws() {
    let chars = MeteorSettings { chars: true, beam: 2, form: TextForm::Lower, ..MeteorSettings::default() };
    for settings in [MeteorSettings::default(), chars] {
        laws::check_any(&AnyMetric::for_tokens(meteor(&settings)));
        let words = ["cat", "cats", "kitty", "at", "once", "right", "away", "the", "big", "a", "lion", "."];
        let word = |byte: &u8| words[usize::from(*byte) % words.len()].to_owned();
        let words = |bytes: &[u8]| bytes.iter().map(word).collect::<Vec<String>>();
        laws::check_sequences::<[String]>(&meteor(&settings), words);
    }
}

#[test]
fn a_word_that_only_its_stem_and_a_synonym_match_needs_a_neighbour() {
    let meteor = meteor(&MeteorSettings::default());
    let alone = counts(&meteor, "cats", &["cat"]);
    assert_eq!((alone.hyp_len, alone.hyp_matched), (1, 0));
    let next = counts(&meteor, "my cats", &["my cat"]);
    assert_eq!((next.hyp_matched, next.chunks), (2, 0));
    assert_eq!((next.matched[Module::Exact as usize][0], next.matched[Module::Stem as usize][0]), (1, 1));
}

#[test]
fn phrases_match_phrases_of_another_length() {
    let stats = counts(&meteor(&MeteorSettings::default()), "a lion sleeps", &["The big cat sleeps."]);
    assert_eq!((stats.hyp_matched, stats.ref_matched, stats.chunks), (3, 4, 1));
    assert_eq!(stats.matched[Module::Paraphrase as usize], [1, 2, 1, 1]);
}

#[test]
fn the_first_of_equally_good_references_counts() {
    let stats = counts(&meteor(&MeteorSettings::default()), "x y", &["a", "b c"]);
    assert_eq!((stats.ref_len, stats.ref_func), (1, 1));
}

#[test]
fn a_module_without_data_is_left_out_or_refused() {
    let without = Meteor15::new(&MeteorSettings::default(), Data::default()).unwrap();
    let key = without.identity().key().to_string();
    assert!(key.contains("modules:exact+stem|"), "{key}");
    let wanted = MeteorSettings { modules: Some(Module::ALL.to_vec()), ..MeteorSettings::default() };
    let error = Meteor15::new(&wanted, Data::default()).err().unwrap().to_string();
    assert!(error.contains("meteor15-modules has `synonym`, but its data are not given"), "{error}");
}

#[test]
fn settings_beyond_their_limits_are_refused() {
    let default = MeteorSettings::default();
    for (settings, message) in [
        (MeteorSettings { beam: 0, ..default.clone() }, "meteor15-beam is 0"),
        (MeteorSettings { parameters: Some([0.5, -1.0, 0.5, 0.5]), ..default.clone() }, "-1 for beta"),
        (MeteorSettings { parameters: Some([1.5, 1.0, 0.5, 0.5]), ..default.clone() }, "1.5 for alpha"),
        (MeteorSettings { weights: Some(vec![f64::NAN]), ..default.clone() }, "NaN for a weight"),
        (MeteorSettings { modules: Some(vec![Module::Exact; 2]), ..default.clone() }, "`exact+exact`"),
        (MeteorSettings { language: Language::Danish, ..default.clone() }, "does not normalize `da`"),
        (MeteorSettings { language: Language::French, ..default.clone() }, "by a list of abbreviations"),
    ] {
        let error = Meteor15::new(&settings, tables()).err().unwrap().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn lists_of_another_form_are_refused_with_their_place() {
    let parse = |synsets, exceptions| {
        WordnetSynsets::parse(("s", synsets), ("e", exceptions)).unwrap_err().to_string()
    };
    assert!(parse("a\n1 x\n", "").contains("s, line 2: `x` is no id"));
    assert!(parse("a\n1\nb\n", "").contains("s, line 3: no line follows `b`"));
    let wordnet = |index: &'static str| {
        let read = |name: &str| Ok(if name == "index.verb" { index.to_owned() } else { String::new() });
        WordnetSynsets::wordnet(read).map(|synsets| synsets.ids("ran")).map_err(|error| error.to_string())
    };
    assert_eq!(wordnet("  1 licence\nran v 2 1 @ 2 0 00000007 00000009\n"), Ok(vec![7, 9]));
    assert!(wordnet("ran v 2 1 @ 2 0 7\n").unwrap_err().contains("index.verb, line 1: 8 fields, expected 9"));
    assert!(wordnet("ran v x\n").unwrap_err().contains("`x` is no number"));
    let error = Prefixes::parse("p", "Dr\nMr s\n").unwrap_err().to_string();
    assert!(error.contains("p, line 2: `Mr s` has a space"), "{error}");
}

#[test]
fn texts_with_too_many_candidates_are_an_error() {
    let words = vec!["a"; 4097];
    let mut other = words.clone();
    other.push("b");
    let mut whole = Accumulator::<_, [&str]>::new(meteor(&MeteorSettings::default()));
    let error = whole.push(&words, &[&other]).unwrap_err().to_string();
    assert!(error.contains("above 16777216"), "{error}");
}
