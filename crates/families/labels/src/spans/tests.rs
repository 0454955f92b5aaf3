//! Tests of the metric over spans: the properties that every metric must have, the tagging schemes, and
//! hostile sequences of tags.

use bleuprint_core::{Accumulator, Choice as _, Score as _};
use bleuprint_registry::laws;
use quickcheck::quickcheck;

use super::*;

fn tags(raw: &[u8]) -> String {
    const TAGS: [&str; 5] = ["O", "B-X", "I-X", "I-Y", "B-Y"];
    let tag = |at: usize| TAGS[usize::from(raw.get(at).copied().unwrap_or_default() % 5)];
    (0..4).map(tag).collect::<Vec<_>>().join(" ")
}

fn options(average: Average, types: Option<&[&str]>) -> SpanOptions {
    let types = types.map(|types| types.iter().map(|kind| (*kind).to_owned()).collect());
    SpanOptions { average, types, ..SpanOptions::default() }
}

#[test]
fn they_obey_the_laws() {
    for average in [Average::Micro, Average::Macro, Average::Weighted] {
        for types in [None, Some(&["X", "Y"][..])] {
            let spans = Spans::new(options(average, types)).unwrap();
            laws::check_sequences::<str>(&spans, tags);
            laws::check_sequences::<str>(&AnyMetric::for_text(spans), tags);
        }
    }
}

#[test]
fn broken_tags_are_read_as_conlleval_reads_them() {
    let spans = |text: &str| {
        let tags: Vec<&str> = text.split(' ').collect();
        let spans = Scheme::Default.spans(&tags, TagAffix::Prefix).unwrap();
        spans
            .into_iter()
            .map(|(kind, first, last)| format!("{kind} {first}-{last}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    assert_eq!(spans("I-PER I-PER O I-LOC"), "PER 0-1, LOC 3-3");
    assert_eq!(spans("B-A I-B"), "A 0-0, B 1-1");
    assert_eq!(spans("IPER BX-Y I-A-B"), "PER 0-0, Y 1-1, A-B 2-2");
    assert_eq!(spans("B I O"), "_ 0-1");
    assert_eq!(spans("U-A L-A"), "A 0-1", "BILOU is not understood");
    assert!(Scheme::Default.spans(&[""], TagAffix::Prefix).is_err());
}

#[test]
fn strict_schemes_count_their_own_spans() {
    fn spans<'t>(scheme: Scheme, tags: &[&'t str]) -> Result<Vec<Span<'t>>, String> {
        scheme.spans(tags, TagAffix::Prefix).map_err(|error| error.to_string())
    }
    assert_eq!(spans(Scheme::Bilou, &["U-A", "B-B", "L-B"]), Ok(vec![("A", 0, 0), ("B", 1, 2)]));
    assert_eq!(spans(Scheme::Iob2, &["I-PER", "I-PER"]), Ok(vec![]));
    assert_eq!(spans(Scheme::Ioe1, &["E-X"]), Ok(vec![]));
    assert_eq!(
        spans(Scheme::Iob2, &["B-X", "E-X"]),
        Err("the tag `E-X` has no prefix of IOB2; expected one of: I, O, B".to_owned())
    );
}

#[test]
fn sequences_of_unlike_lengths_and_unknown_types_change_nothing() {
    let mut spans = Accumulator::<_, str>::new(Spans::new(options(Average::Micro, Some(&["X"]))).unwrap());
    let refused = |error: bleuprint_core::InputError, words: &str| {
        assert!(error.to_string().contains(words), "{error}")
    };
    refused(spans.push("O", &["O O"]).unwrap_err(), "the hypothesis has 1 tag, but the reference has 2");
    refused(spans.push("B-Y", &["B-X"]).unwrap_err(), "the label `Y` is not declared");
    refused(spans.score().unwrap_err(), "no score");
    spans.push("B-X", &["B-X"]).unwrap();
    assert_eq!(spans.score().unwrap().score.value(), 1.0);
}

#[test]
fn prefixes_may_be_at_the_end() {
    let spans = |scheme: Scheme, tags: &[&'static str]| scheme.spans(tags, TagAffix::Suffix).unwrap();
    assert_eq!(spans(Scheme::Default, &["PER-B", "PER-I", "O", "LOC-B"]), [("PER", 0, 1), ("LOC", 3, 3)]);
    assert_eq!(spans(Scheme::Iob2, &["A-B-B", "A-B-I", "O"]), [("A-B", 0, 1)]);
    assert!(Scheme::Iob2.spans(&["PER-E"], TagAffix::Suffix).is_err());
}

#[test]
fn rows_of_conll_are_refused_and_tags_without_prefix_are_named() {
    let spans = Spans::default();
    let mut all = Accumulator::<_, str>::new(&spans);
    let error = all.push("rejects VBZ I-VP O", &["rejects VBZ I-VP O"]).unwrap_err().to_string();
    assert!(error.contains("`rejects` is not a tag, but `I-VP` is"), "{error}");
    let error = all.push("PER-B O", &["PER-B O"]).unwrap_err().to_string();
    assert!(error.contains("affix=suffix"), "{error}");
    all.push("B-A O", &["B-A I-A"]).unwrap();
    Accumulator::<_, str>::new(Spans::default()).push("X-A B-A", &["X-A B-A"]).unwrap();
    assert!(spans.remarks.sentences().is_empty());
    all.push("ADJ CONJ VERB", &["ADJ DET VERB"]).unwrap();
    assert!(spans.remarks.sentences()[0].starts_with("6 of the first 10 tags have no prefix, such as `ADJ`"));
}

#[test]
fn overlapping_spans_are_pairs() {
    let score = |matched: SpanMatch, hypothesis: &str, reference: &str| {
        let options = SpanOptions { matched, ..SpanOptions::default() };
        let spans = Spans::new(options).unwrap();
        laws::check_sequences::<str>(&spans, tags);
        let mut all = Accumulator::<_, str>::new(spans);
        all.push(hypothesis, &[reference]).unwrap();
        all.score().unwrap().score.value()
    };
    let all = [SpanMatch::Strict, SpanMatch::Exact, SpanMatch::Partial, SpanMatch::Type];
    let scores = |hypothesis, reference| all.map(|rule| score(rule, hypothesis, reference));
    assert_eq!(scores("B-A I-A O", "B-A I-A O"), [1.0; 4]);
    assert_eq!(scores("B-A O O", "B-A I-A O"), [0.0, 0.0, 0.5, 1.0]);
    assert_eq!(scores("B-B I-B O", "B-A I-A O"), [0.0, 1.0, 1.0, 0.0]);
    assert_eq!(scores("O B-B O", "B-A I-A O"), [0.0, 0.0, 0.5, 0.0]);
    assert_eq!(scores("O O B-A", "B-A I-A O"), [0.0; 4]);
}

#[test]
fn overlapping_spans_count_as_in_nervaluate() {
    let rows = include_str!("../../data/overlapping.jsonl");
    let mut checked = 0;
    for line in rows.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let side = |name: &str| -> Vec<(String, usize, usize)> {
            serde_json::from_value(row[name].clone()).unwrap()
        };
        let [gold, predicted] = ["gold", "predicted"].map(side);
        let borrowed = |side: &'_ [(String, usize, usize)]| -> Vec<(&'static str, usize, usize)> {
            // The types of the rows are A, B and C.
            let name = |kind: &str| ["A", "B", "C"].into_iter().find(|known| *known == kind).unwrap();
            side.iter().map(|(kind, first, last)| (name(kind), *first, *last)).collect()
        };
        for rule in [SpanMatch::Strict, SpanMatch::Exact, SpanMatch::Partial, SpanMatch::Type] {
            let tallies = semeval::tallies(&borrowed(&gold), &borrowed(&predicted), rule);
            let sums = crate::tally::LabelSums::from_tallies(tallies.iter().map(|(_, tally)| *tally));
            let Prf { precision, recall, .. } = sums.quotients(FRule::OfQuotients, 0.0);
            let expected: [f64; 2] = serde_json::from_value(row[rule.name()].clone()).unwrap();
            let off = (precision - expected[0]).abs() + (recall - expected[1]).abs();
            assert!(off < 1e-12, "{rule:?}: {precision} {recall} in {line}");
            checked += 1;
        }
    }
    assert_eq!(checked, 320);
}

/// Returns the spans of the default scheme by seqeval's rules, from pairs of adjacent tags.
fn naive<'t>(tags: &[&'t str]) -> Vec<Span<'t>> {
    let tag = |tag: &'t str| {
        let rest = &tag[1..];
        let kind = rest.split_once('-').map_or(rest, |(_, kind)| kind);
        (tag.as_bytes()[0], if kind.is_empty() { "_" } else { kind })
    };
    let tags: Vec<_> =
        [(b'O', "")].into_iter().chain(tags.iter().copied().map(tag)).chain([(b'O', "_")]).collect();
    let mut spans = Vec::new();
    let mut begin = 0;
    for (at, pair) in tags.windows(2).enumerate() {
        let [(before, old), (own, new)] = pair else { unreachable!() };
        let inside = |prefix: &u8| !b"O.".contains(prefix);
        let ends = b"ES".contains(before) || b"BI".contains(before) && b"BSO".contains(own);
        let starts = b"BS".contains(own) || b"ESO".contains(before) && b"EI".contains(own);
        if at > 0 && (ends || inside(before) && old != new) {
            spans.push((*old, begin, at - 1));
        }
        if starts || inside(own) && old != new {
            begin = at;
        }
    }
    spans
}

/// Returns the counts of each type by comparing every span with every other.
fn naive_tallies<'t>(gold: &[Span<'t>], predicted: &[Span<'t>]) -> Vec<(&'t str, LabelTally)> {
    let mut types = std::collections::BTreeMap::<&str, LabelTally>::new();
    gold.iter().for_each(|(kind, ..)| types.entry(kind).or_default().gold += 1);
    for span in predicted {
        let own = types.entry(span.0).or_default();
        own.predicted += 1;
        own.right += u64::from(gold.contains(span));
    }
    types.into_iter().collect()
}

quickcheck! {
    /// Compares the one-pass reader and the merged counts with the definition.
    fn spans_and_counts_are_those_of_the_definition(raw: Vec<(u8, u8)>) -> bool {
        const TAGS: [&str; 14] =
            ["O", "O", "B-X", "I-X", "E-X", "S-Y", "I-Y", "B-Y", "L-X", "U-Y", ".", "OX", "O-Y", "BX-Y-Z"];
        let side = |tag: fn(&(u8, u8)) -> u8| -> Vec<&str> {
            raw.iter().map(|pair| TAGS[usize::from(tag(pair)) % TAGS.len()]).collect()
        };
        let (gold, predicted) = (side(|pair| pair.0), side(|pair| if pair.1 % 3 == 0 { pair.1 } else { pair.0 }));
        let one = naive(&gold);
        let other = naive(&predicted);
        let mut stats = LabelCounts::default();
        let texts = [gold.join(" "), predicted.join("\t")];
        let spans = Spans::default();
        spans.observe(&mut (), &mut stats, Segment::<str>::new(&texts[1], &[&texts[0]])).unwrap();
        Scheme::Default.spans(&gold, TagAffix::Prefix).unwrap() == one
            && Scheme::Default.spans(&predicted, TagAffix::Prefix).unwrap() == other
            && tallies(&one, &other) == naive_tallies(&one, &other)
            && stats.view().labels == naive_tallies(&one, &other)
    }

    /// Checks that every span has a different end, and that spans of a strict scheme do not overlap. In the
    /// default scheme spans can overlap: in `S-Y U-Y`, `U` continues a span that has ended.
    fn spans_are_in_order(raw: Vec<u8>) -> bool {
        const TAGS: [&str; 9] = ["O", "B-X", "I-X", "E-X", "S-Y", "I-Y", "B-Y", "L-X", "U-Y"];
        let tags: Vec<&str> = raw.iter().map(|byte| TAGS[usize::from(byte % 9)]).collect();
        let read = Scheme::ALL.iter().filter_map(|scheme| Some((scheme, scheme.spans(&tags, TagAffix::Prefix).ok()?)));
        read.into_iter().all(|(scheme, spans)| {
            let after = |pair: &[Span<'_>]| match scheme {
                Scheme::Default => pair[0].2 < pair[1].2,
                _ => pair[0].2 < pair[1].1,
            };
            spans.iter().all(|(_, first, last)| first <= last && *last < tags.len()) && spans.windows(2).all(after)
        })
    }

    /// Checks that a sequence written as BILOU, IOBES or IOB2 has the same spans in its scheme. The default
    /// scheme must agree if it can read the sequence.
    fn schemes_agree_on_what_they_write(raw: Vec<(u8, bool)>) -> bool {
        let mut written = [vec![], vec![], vec![]];
        let mut expected = Vec::new();
        for (length, kind) in raw {
            let length = usize::from(length % 4);
            let kind = if kind { "X" } else { "Y" };
            let first = written[0].len();
            let prefixes = match length {
                0 => [vec!["O"], vec!["O"], vec!["O"]],
                1 => [vec!["U"], vec!["S"], vec!["B"]],
                _ => [("L", "I"), ("E", "I"), ("I", "I")].map(|(last, inner)| {
                    let mut all = vec!["B"];
                    all.resize(length - 1, inner);
                    all.push(last);
                    all
                }),
            };
            for (written, prefixes) in written.iter_mut().zip(prefixes) {
                let tag = |prefix: &str| if prefix == "O" { "O".to_owned() } else { format!("{prefix}-{kind}") };
                written.extend(prefixes.into_iter().map(tag));
            }
            if length > 0 {
                expected.push((kind, first, first + length - 1));
            }
        }
        let read = |scheme: Scheme, tags: &[String]| {
            scheme.spans(&tags.iter().map(String::as_str).collect::<Vec<_>>(), TagAffix::Prefix).unwrap()
                == expected
        };
        let [bilou, iobes, iob2] = &written;
        read(Scheme::Bilou, bilou) && read(Scheme::Iobes, iobes) && read(Scheme::Default, iobes)
            && read(Scheme::Iob2, iob2) && read(Scheme::Default, iob2)
    }
}
