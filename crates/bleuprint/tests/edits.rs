//! TER and the error rates through the library's doors, to the last bit: golden cases, and real data where it lies beside
//! the checkout.
#![allow(
    clippy::print_stderr,
    reason = "a skipped test says so, and how many values were compared is worth knowing"
)]

use std::path::{Path, PathBuf};

use bleuprint::eval::{ChosenTokens, Panel};
use bleuprint::metrics::edit::{Operation, alignment};
use bleuprint::text::tokenize::{Tercom, TercomOptions};
use bleuprint::text::{Text, TokenBuffer};
use bleuprint::{
    Accumulator, AnyScore, Case, EditRate, MetricOptions, PartValue, Scored, Segment, Ter, Tokenized,
    TokenizerOptions, registry, tokenizer,
};
use bleuprint_testkit::edits::{EditMeasures, TerCase, TerOptions, ter_cases, wer_cases};
use serde_json::Value;

fn same_bits(ours: f64, theirs: f64, what: &str) {
    assert_eq!(ours.to_bits(), theirs.to_bits(), "{what}: ours {ours}, theirs {theirs}");
}

/// A panel of registered metrics over text as it is, and its scores of a corpus.
fn scores(names: &[&str], options: &MetricOptions, segments: &[(&str, Vec<&str>)]) -> Vec<Scored<AnyScore>> {
    let metrics: Vec<_> =
        names.iter().map(|name| registry().get(name).unwrap().build(options).unwrap()).collect();
    let panel = Panel::new(metrics, &ChosenTokens::standard().unwrap()).unwrap();
    let mut corpus = Accumulator::<&Panel, str>::new(&panel);
    for (hypothesis, references) in segments {
        corpus.add(Segment::new(*hypothesis, references)).unwrap();
    }
    panel.scores(corpus.total()).unwrap()
}

fn part(scored: &Scored<AnyScore>, key: &str) -> PartValue {
    scored.score.parts.iter().find(|part| part.key == key).unwrap_or_else(|| panic!("no {key}")).value.clone()
}

fn ter_options(options: TerOptions) -> MetricOptions {
    options.named().iter().fold(MetricOptions::new(), |given, (name, value)| given.with(name, value))
}

fn typed_ter(options: TerOptions) -> Tokenized<Ter, Tercom> {
    let TerOptions { normalized, no_punct, asian_support, case_sensitive } = options;
    let ter = Ter::default().normalized(normalized).no_punct(no_punct).asian_support(asian_support);
    let tercom = Tercom::new(TercomOptions { normalized, no_punct, asian_support });
    Tokenized::new(ter, tercom, if case_sensitive { Case::Mixed } else { Case::Lower }).unwrap()
}

fn check_ter(case: &TerCase) {
    let (name, expected, segments) = (&case.name, &case.expected, case.segments());
    // The version is each program's own.
    let version = |signature: &str| signature.replace("2.6.0", bleuprint::VERSION);

    let mut corpus = Accumulator::<_, str>::new(typed_ter(case.options));
    for (i, (hypothesis, references)) in segments.iter().enumerate() {
        let segment = corpus.push(hypothesis, references).unwrap();
        if let Some(&sentence) = expected.sentences.get(i) {
            same_bits(
                corpus.score_of(&segment).unwrap().score.score,
                sentence,
                &format!("{name}, segment {i}"),
            );
        }
    }
    let typed = corpus.score().unwrap();
    assert_eq!(typed.score.edits, expected.num_edits, "{name}");
    assert_eq!(typed.signature.short(), version(&expected.short), "{name}");

    let chosen = &scores(&["ter"], &ter_options(case.options), &segments)[0];
    assert_eq!(chosen.signature.body(), version(&expected.signature), "{name}");
    assert_eq!(part(chosen, "num_edits"), PartValue::Count(expected.num_edits), "{name}");
    same_bits(chosen.score.value, typed.score.score, name);
    if case.has_exact_lengths() {
        same_bits(typed.score.score, expected.score, name);
        same_bits(typed.score.ref_len, expected.ref_length, name);
    } else {
        assert!((typed.score.score - expected.score).abs() <= 1e-12 * expected.score, "{name}");
    }
}

#[test]
fn golden_cases_of_ter() {
    let cases = ter_cases();
    cases.iter().for_each(check_ter);
    assert!(cases.len() > 200 && cases.iter().filter(|case| !case.has_exact_lengths()).count() < 40);
}

/// The rate and the counts of a metric that the registry calls `name`.
fn check_rate(name: &str, rate: Option<f64>, expected: &EditMeasures, scored: &Scored<AnyScore>, case: &str) {
    same_bits(scored.score.value, rate.unwrap(), &format!("{case}, {name}"));
    let counts = [
        ("hits", expected.hits),
        ("substitutions", expected.substitutions),
        ("deletions", expected.deletions),
        ("insertions", expected.insertions),
    ];
    for (key, count) in counts {
        assert_eq!(part(scored, key), PartValue::Count(count), "{case}, {name}: {key}");
    }
}

fn check_measures(
    case: &str,
    segments: &[(&str, Vec<&str>)],
    words: Option<&EditMeasures>,
    characters: Option<&EditMeasures>,
) {
    if let Some(words) = words {
        let rates = [("wer", words.wer), ("mer", words.mer), ("wil", words.wil), ("wip", words.wip)];
        let scores = scores(&rates.map(|(name, _)| name), &MetricOptions::new(), segments);
        for ((name, rate), scored) in rates.into_iter().zip(&scores) {
            check_rate(name, rate, words, scored, case);
            assert_eq!(scored.signature.get("tok"), Some("jiwer"));
        }
    }
    if let Some(characters) = characters {
        let scores = scores(&["cer"], &MetricOptions::new(), segments);
        check_rate("cer", characters.cer, characters, &scores[0], case);
    }
}

fn words(text: &str) -> Vec<String> {
    let jiwer = tokenizer("jiwer", &TokenizerOptions::default()).unwrap();
    let mut buffer = TokenBuffer::default();
    let tokens = bleuprint::Tokenizer::tokenize(&jiwer, text, &mut buffer).unwrap();
    tokens.iter().map(str::to_owned).collect()
}

/// Chunks as jiwer names them.
fn chunks(reference: &[String], hypothesis: &[String]) -> Vec<(String, usize, usize, usize, usize)> {
    let name = |operation| match operation {
        Operation::Hit => "equal",
        Operation::Substitution => "substitute",
        Operation::Deletion => "delete",
        Operation::Insertion => "insert",
    };
    let aligned = alignment(reference, hypothesis).unwrap();
    let chunks = aligned.chunks.iter().map(|chunk| {
        let (r, h) = (&chunk.reference, &chunk.hypothesis);
        (name(chunk.operation).to_owned(), r.start, r.end, h.start, h.end)
    });
    chunks.collect()
}

#[test]
fn golden_cases_of_the_error_rates() {
    let cases = wer_cases();
    for case in &cases {
        let segments: Vec<(&str, Vec<&str>)> = case
            .hypotheses
            .iter()
            .zip(&case.references)
            .map(|(hypothesis, reference)| (hypothesis.as_str(), vec![reference.as_str()]))
            .collect();
        check_measures(&case.name, &segments, Some(&case.words), Some(&case.characters));
        for (i, expected) in case.alignments.iter().flatten().enumerate() {
            let (reference, hypothesis) = (words(&case.references[i]), words(&case.hypotheses[i]));
            assert_eq!(chunks(&reference, &hypothesis), *expected, "{} segment {i}", case.name);
            if let Some(lines) = case.lines.as_ref().filter(|lines| i == 0 && !lines.starts_with("REF:\n")) {
                let aligned = alignment(&reference, &hypothesis).unwrap();
                assert_eq!(aligned.lines(&reference, &hypothesis, " ").to_string(), *lines, "{}", case.name);
            }
        }
    }
    assert!(cases.len() > 180);
}

#[test]
fn typed_rates_are_those_of_the_registry() {
    let mut wip = Accumulator::<_, [char]>::new(EditRate::WIP);
    wip.push(&['a', 'b', 'x'], &[&['a', 'b', 'c', 'd']]).unwrap();
    assert_eq!(wip.score().unwrap().score.score, (2.0 / 4.0) * (2.0 / 3.0));
}

/// A file or folder of reference material; none where it is absent, as in a clone of the project alone.
fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: there is no {}", path.display());
    None
}

#[test]
fn real_systems_have_sacrebleus_ter() {
    let Some(folder) = shared("data/wmt23") else { return };
    let rows = std::fs::read_to_string(folder.join("expected.jsonl")).unwrap();
    let variants = [
        ("ter", TerOptions::default()),
        ("ter.norm", TerOptions { normalized: true, ..TerOptions::default() }),
        (
            "ter.norm.asian.nopunct",
            TerOptions { normalized: true, asian_support: true, no_punct: true, case_sensitive: false },
        ),
    ];
    let mut compared = 0;
    for row in rows.lines() {
        let expected: Value = serde_json::from_str(row).unwrap();
        let open = |name: &Value| Text::open(folder.join(name.as_str().unwrap())).unwrap();
        let references: Vec<Text> = expected["refs"].as_array().unwrap().iter().map(open).collect();
        let hypotheses = open(&expected["file"]);
        for ((variant, options), first) in variants.iter().flat_map(|variant| [(variant, 30), (variant, 100)])
        {
            let expected = &expected[format!("{variant}.first{first}")];
            if expected.is_null() {
                continue;
            }
            let segment = |i| (hypotheses.line(i), references.iter().map(|stream| stream.line(i)).collect());
            let segments: Vec<(&str, Vec<&str>)> = (0..first).map(segment).collect();
            let scored = &scores(&["ter"], &ter_options(*options), &segments)[0];
            same_bits(scored.score.value, expected["score"].as_f64().unwrap(), variant);
            assert_eq!(part(scored, "num_edits"), PartValue::Count(expected["edits"].as_u64().unwrap()));
            assert_eq!(
                part(scored, "ref_length"),
                PartValue::Number(expected["ref_length"].as_f64().unwrap())
            );
            let theirs = expected["sig"].as_str().unwrap().replace("2.6.0", bleuprint::VERSION);
            assert_eq!(scored.signature.body(), theirs);
            compared += 1;
        }
    }
    eprintln!("{compared} scores of TER compared");
    assert_eq!(compared, 36);
}

#[test]
fn recorded_outputs_of_jiwer() {
    let Some(file) = shared("spec/other-metrics-golden.json") else { return };
    let golden: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let mut compared = 0;
    for row in golden["rows"].as_array().unwrap() {
        let metric = row["metric"].as_str().unwrap();
        let texts = |key: &str, of: fn(&Value) -> &Value| -> Vec<String> {
            row[key]
                .as_array()
                .unwrap()
                .iter()
                .map(|text| of(text).as_str().unwrap_or_default().to_owned())
                .collect()
        };
        // Not the rows of other transforms, which rewrite English or join all segments before they are split: text is
        // prepared before it comes here. Nor those of the HF wrappers, and of reports as text.
        if !["wer", "cer"].contains(&metric) || !row["options"]["transform"].is_null() {
            continue;
        }
        // jiwer takes no sentences for an empty one; here a corpus without segments has no score.
        if row["hypotheses"].as_array().unwrap().is_empty() {
            continue;
        }
        // Where jiwer fails the numbers of segments differ, which readers refuse.
        if !row["outputs"]["error"].is_null() {
            assert_ne!(texts("hypotheses", |text| text).len(), texts("references", |text| text).len());
            continue;
        }
        let (hypotheses, references) =
            (texts("hypotheses", |text| text), texts("references", |texts| &texts[0]));
        let outputs = &row["outputs"];
        let measure = |key: &str| outputs[key].as_f64();
        let count = |key: &str| outputs[key].as_u64().unwrap();
        let expected = EditMeasures {
            wer: measure("wer"),
            cer: measure("cer"),
            mer: measure("mer"),
            wil: measure("wil"),
            wip: measure("wip"),
            hits: count("hits"),
            substitutions: count("substitutions"),
            deletions: count("deletions"),
            insertions: count("insertions"),
        };
        let segments: Vec<(&str, Vec<&str>)> =
            hypotheses.iter().zip(&references).map(|(h, r)| (h.as_str(), vec![r.as_str()])).collect();
        let expected = Some(&expected);
        let (words, characters) = if metric == "wer" { (expected, None) } else { (None, expected) };
        check_measures(&row["hypotheses"].to_string(), &segments, words, characters);
        compared += 1;
    }
    eprintln!("{compared} rows compared");
    assert!(compared > 100);
}
