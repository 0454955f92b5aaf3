//! Reference implementation: it lists all paths of both sides, and aligns each pair by plain recursion.

use bleuprint_sclite::{AlignedStep, Optional, ScliteSettings, StepKind, aligned};
use quickcheck::{Arbitrary, Gen, quickcheck};

/// Text of few words, with few paths.
#[derive(Debug, Clone)]
struct Text(String);

impl Arbitrary for Text {
    fn arbitrary(g: &mut Gen) -> Self {
        const WORDS: [&str; 9] = ["a", "b", "ab", "a-", "-b", "(a)", "(b-)", "@", "A"];
        fn words(g: &mut Gen, most: usize, depth: usize) -> String {
            let count = usize::arbitrary(g) % most + 1;
            let word = |g: &mut Gen| match u8::arbitrary(g) % 5 {
                0 if depth > 0 => {
                    let count = usize::arbitrary(g) % 3 + 1;
                    let all: Vec<String> = (0..count).map(|_| words(g, 2, depth - 1)).collect();
                    format!("{{ {} }}", all.join(" / "))
                }
                _ => (*g.choose(&WORDS).unwrap()).to_owned(),
            };
            (0..count).map(|_| word(g)).collect::<Vec<_>>().join(" ")
        }
        Text(if u8::arbitrary(g) % 16 == 0 { String::new() } else { words(g, 4, 2) })
    }
}

/// Returns all paths through a text, as lists of words.
fn paths(tokens: &mut std::iter::Peekable<std::str::SplitAsciiWhitespace<'_>>) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new()];
    while let Some(token) = tokens.next_if(|token| !["/", "}"].contains(token)) {
        let next = if token == "{" {
            let mut alternatives = paths(tokens);
            while tokens.next() == Some("/") {
                alternatives.extend(paths(tokens));
            }
            alternatives
        } else {
            vec![vec![token.to_ascii_lowercase()]]
        };
        all = all.iter().flat_map(|path| next.iter().map(|more| [&path[..], more].concat())).collect();
    }
    all
}

fn same(one: &str, other: &str, settings: ScliteSettings) -> bool {
    let inner = |word: &str| match word.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) if settings.optional != Optional::Word => inner.to_owned(),
        _ => word.to_owned(),
    };
    let fragment = |one: &str, other: &str| match (one.starts_with('-'), one.ends_with('-')) {
        _ if one.len() < 2 || !settings.fragments => None,
        (true, _) => Some(other.ends_with(&one[1..])),
        (false, true) => Some(other.starts_with(&one[..one.len() - 1])),
        (false, false) => None,
    };
    let (one, other) = (inner(one), inner(other));
    // If both are fragments, only the fragment of the reference decides.
    one == other || fragment(&one, &other).or_else(|| fragment(&other, &one)) == Some(true)
}

fn skip(word: &str, settings: ScliteSettings) -> u32 {
    match word {
        "@" => u32::from(!settings.equal_costs),
        _ if settings.optional != Optional::Word && word.starts_with('(') => costs(settings)[2],
        _ => costs(settings)[1],
    }
}

/// Returns the costs of a substitution, of a word that is left out, and of an optional word left out.
fn costs(settings: ScliteSettings) -> [u32; 3] {
    if settings.equal_costs { [1000, 1000, 0] } else { [4000, 3000, 2000] }
}

/// Returns the least cost of an alignment of two lists of words.
fn cost(reference: &[String], hypothesis: &[String], settings: ScliteSettings) -> u32 {
    let ([one, ref_rest @ ..], [other, hyp_rest @ ..]) = (reference, hypothesis) else {
        return reference.iter().chain(hypothesis).map(|word| skip(word, settings)).sum();
    };
    let pair = match () {
        () if one == "@" && other == "@" => 1000,
        () if same(one, other, settings) => 0,
        // Otherwise `@` could be paired with a word at no cost.
        () if settings.equal_costs && [one, other].iter().any(|word| *word == "@") => 2000,
        () => costs(settings)[0],
    };
    let both = pair + cost(ref_rest, hyp_rest, settings);
    let deleted = skip(one, settings) + cost(ref_rest, hypothesis, settings);
    both.min(deleted).min(skip(other, settings) + cost(reference, hyp_rest, settings))
}

fn all_settings() -> impl Iterator<Item = ScliteSettings> {
    [Optional::Word, Optional::Free, Optional::Sclite].into_iter().flat_map(|optional| {
        [(false, false), (true, false), (true, true)].map(move |(fragments, equal_costs)| ScliteSettings {
            optional,
            fragments,
            case: false,
            equal_costs,
        })
    })
}

quickcheck! {
    fn the_path_is_one_of_least_cost(reference: Text, hypothesis: Text) -> bool {
        let [references, hypotheses] = [&reference, &hypothesis].map(|text| paths(&mut text.0.split_ascii_whitespace().peekable()));
        if references.len() * hypotheses.len() > 64 || references.iter().chain(&hypotheses).any(|path| path.len() > 6) {
            return true;
        }
        all_settings().all(|settings| {
            let all = references.iter().flat_map(|one| hypotheses.iter().map(|other| cost(one, other, settings)));
            let steps = aligned(&hypothesis.0, &reference.0, settings).unwrap();
            let [substitution, single, skipped] = costs(settings);
            let of = |step: &AlignedStep| match step.kind {
                StepKind::Correct => 0,
                StepKind::Substitution => substitution,
                StepKind::Deletion | StepKind::Insertion => single,
                StepKind::Skipped => skipped,
            };
            // The `@` of a path are not among the steps; each costs 1.
            let found: u32 = steps.iter().map(of).sum();
            let word = |text: &str| text != "@";
            let words = |side: fn(&AlignedStep) -> Option<&String>| -> Vec<&String> { steps.iter().filter_map(side).collect() };
            let is_path = |paths: &[Vec<String>], words: &[&String]| {
                paths.iter().any(|path| path.iter().filter(|one| word(one)).eq(words.iter().copied()))
            };
            all.min().unwrap() / 1000 * 1000 == found
                && is_path(&references, &words(|step| step.reference.as_ref()))
                && is_path(&hypotheses, &words(|step| step.hypothesis.as_ref()))
        })
    }
}
