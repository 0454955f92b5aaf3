//! Comparisons of the metrics with their definitions, over random texts.

use std::collections::BTreeMap;

use bleuprint_core::Score as _;
use bleuprint_metrics::edit::{Aligner, AlignmentRule, EditOperation};
use bleuprint_testkit::random::Rng;

use crate::{built, part, scored};

const WORDS: [&str; 6] = ["new", "york", "city", "san", "jose", "a"];
const TERMS: [&str; 5] = ["new york", "new york city", "york", "san jose", "new"];

fn text(rng: &mut Rng) -> Vec<&'static str> {
    (0..rng.below(9)).map(|_| *rng.pick(&WORDS)).collect()
}

/// Returns the start and the term of each occurrence.
fn occurrences(tokens: &[&str]) -> Vec<(usize, &'static str)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let fits = |term: &&&str| {
            tokens[at..].join(" ").split(' ').zip(term.split(' ')).all(|(own, other)| own == other)
                && term.split(' ').count() <= tokens.len() - at
        };
        let longest = TERMS.iter().filter(fits).max_by_key(|term| term.len());
        found.extend(longest.map(|term| (at, *term)));
        at += longest.map_or(1, |term| term.split(' ').count());
    }
    found
}

/// Counts references, hypotheses and hits of every term.
fn counts(reference: &[&str], hypothesis: &[&str], counts: &mut BTreeMap<&'static str, [u64; 3]>) {
    let (expected, found) = (occurrences(reference), occurrences(hypothesis));
    let aligned = Aligner::default().align(AlignmentRule::Jiwer, reference, hypothesis).unwrap();
    let mut partners = BTreeMap::new();
    for chunk in aligned.chunks.into_iter().filter(|chunk| chunk.operation == EditOperation::Hit) {
        partners.extend(chunk.reference.zip(chunk.hypothesis));
    }
    for (start, term) in &expected {
        let own = counts.entry(term).or_default();
        own[0] += 1;
        let places: Vec<_> = (*start..start + term.split(' ').count()).map(|at| partners.get(&at)).collect();
        let Some(Some(&first)) = places.first().copied() else { continue };
        let whole = places.iter().enumerate().all(|(at, place)| *place == Some(&(first + at)));
        own[2] += u64::from(whole && found.contains(&(first, term)));
    }
    found.iter().for_each(|(_, term)| counts.entry(term).or_default()[1] += 1);
}

#[test]
fn terms_are_counted_as_defined() {
    let mut rng = Rng::new(36);
    let metric = built("terms:per=term", Some(&TERMS.join("\n"))).unwrap();
    for _ in 0..bleuprint_testkit::draws(2000, 200) {
        let (mut joined, mut all) = (Vec::new(), BTreeMap::new());
        for _ in 0..3 {
            let (reference, hypothesis) = (text(&mut rng), text(&mut rng));
            counts(&reference, &hypothesis, &mut all);
            joined.push([hypothesis.join(" "), reference.join(" ")]);
        }
        let texts: Vec<[&str; 3]> = joined.iter().map(|[own, other]| [own, other, ""]).collect();
        let Ok(score) = scored(&metric, &texts) else {
            assert!(all.values().all(|counts| counts[0] == 0), "{texts:?}");
            continue;
        };
        for (term, expected) in all {
            let of = |name: &str| part(&score, &format!("term.{term}.{name}")).unwrap() as u64;
            assert_eq!(["references", "hypotheses", "hits"].map(of), expected, "{term} of {texts:?}");
        }
    }
}

/// The two classes must add up to the counts of WER, whatever the list.
#[test]
fn classes_add_up() {
    let mut rng = Rng::new(37);
    for like in ["jiwer", "biasing", "texterrors", "chardiff"] {
        let [listed, others] =
            ["bwer", "uwer"].map(|name| built(&format!("{name}:like={like}"), None).unwrap());
        for _ in 0..bleuprint_testkit::draws(400, 100) {
            let [own, other, list] = [0; 3].map(|_| text(&mut rng).join(" "));
            let texts = [[&*own, &*other, &*list]];
            let scores = [scored(&listed, &texts), scored(&others, &texts)];
            let Some(score) = scores.iter().flatten().next() else { continue };
            let sum = |names: [&str; 2]| names.map(|name| part(score, name).unwrap()).iter().sum::<f64>();
            assert_eq!(sum(["b_words", "u_words"]) as usize, other.split_whitespace().count());
            let errors = ["substitutions", "deletions", "insertions"]
                .map(|name| sum([&format!("b_{name}"), &format!("u_{name}")]));
            let edits = bleuprint_metrics::PairTables::default()
                .edits(
                    &own.split_whitespace().collect::<Vec<_>>(),
                    &other.split_whitespace().collect::<Vec<_>>(),
                )
                .unwrap();
            let [errors, edits] = [errors.iter().sum::<f64>(), edits as f64];
            assert!(if ["jiwer", "texterrors"].contains(&like) { errors == edits } else { errors >= edits });
        }
    }
}

#[test]
fn a_substitution_is_of_the_first_class_that_fits() {
    let metric = built("substitutions", None).unwrap();
    for (class, reference, hypothesis) in [
        ("case", "Ann", "ANN"),
        ("case", "Straße", "straße"),
        ("punctuation", "U.S.", "us"),
        ("punctuation", "-", "\u{2013}"),
        ("marks", "Café,", "cafe"),
        ("marks", "\u{928}\u{940}\u{902}", "\u{928}\u{940}"),
        // A spacing mark is a separate letter.
        ("near", "\u{928}\u{92e}\u{940}", "\u{928}\u{92e}"),
        // A half-width sound mark is a letter (category Lm).
        ("other", "\u{ff8a}\u{ff9e}", "\u{ff8a}"),
        ("digits", "Twenty-five", "25"),
        ("digits", "1990s", "$20"),
        ("digits", "2nd", "second"),
        ("compound", "wi fi", "wifi"),
        ("compound", "Wi-Fi's", "wi fis"),
        ("compound", "a aa", "aaa"),
        ("compound", "a - b c", "abc"),
        ("other", "wi x fi", "wifi"),
        ("compound", "a b c d e f g h", "abcdefgh"),
        ("other", "a b c d e f g h i", "abcdefghi"),
        ("near", "anne", "ann"),
        ("near", "abc", "abd"),
        ("other", "ab", "ac"),
        ("other", "2nd", "ends"),
        ("other", "20", "plenty"),
        ("other", "a", "b"),
    ] {
        let score = scored(&metric, &[[hypothesis, reference, ""]]).unwrap();
        let counts = [class, "substitutions"].map(|name| part(&score, name).unwrap());
        assert_eq!(counts, [1.0, 1.0], "{class}: {reference} / {hypothesis}");
    }
}

#[test]
fn classes_of_substitutions_add_up_to_those_of_wer() {
    const PIECES: [&str; 12] =
        ["Ann", "ann", "an", "n", "20", "twenty", "café", "cafe,", "-", "wi", "fi", "wifi"];
    let mut rng = Rng::new(38);
    let metric = built("substitutions", None).unwrap();
    let rates =
        ["case", "marks", "near", "all"].map(|of| built(&format!("substitutions:of={of}"), None).unwrap());
    for _ in 0..bleuprint_testkit::draws(2000, 200) {
        let [own, other] = [0, 1].map(|least| {
            let words: Vec<&str> = (0..rng.between(least, 8)).map(|_| *rng.pick(&PIECES)).collect();
            words
        });
        let joined = [own.join(" "), other.join(" ")];
        let texts = [[&*joined[0], &*joined[1], ""]];
        let score = scored(&metric, &texts).unwrap();
        let count = |name: &str| part(&score, name).unwrap();
        let classes = ["case", "punctuation", "marks", "digits", "compound", "near", "other"];
        let sum: f64 = classes.map(count).iter().sum();
        let wer = Aligner::default().align(AlignmentRule::Jiwer, &other, &own).unwrap().counts();
        assert_eq!(
            (sum, count("substitutions")),
            (wer.substitutions as f64, wer.substitutions as f64),
            "{joined:?}"
        );
        assert_eq!(count("words") as usize, other.len());
        for (rate, name) in rates.iter().zip(["case", "marks", "near", "substitutions"]) {
            assert_eq!(scored(rate, &texts).unwrap().value(), count(name) / other.len() as f64);
        }
    }
}
