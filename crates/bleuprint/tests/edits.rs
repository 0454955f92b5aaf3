//! TER and the error rates through the library's doors, to the last bit: golden cases, and real data where it lies beside
//! the checkout.
#![allow(
    clippy::print_stderr,
    reason = "a skipped test says so, and how many values were compared is worth knowing"
)]

use std::path::{Path, PathBuf};

use bleuprint::eval::{ChosenTokens, Panel};
use bleuprint::metrics::edit::{
    Alignment, AlignmentRule, Chunk, ErrorTables, Occurrences, Operation, WordErrors, alignment, alignment_by,
};
use bleuprint::text::tokenize::{Tercom, TercomOptions};
use bleuprint::text::{Text, TokenBuffer};
use bleuprint::{
    Accumulator, AnyScore, Case, EditRate, Metric as _, MetricOptions, PartValue, Scored, Segment, Ter,
    Tokenized, TokenizerOptions, registry, tokenizer,
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

/// The rows of a list of the specification of speech, where it is present.
fn speech(list: &str) -> Option<Vec<Value>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/spec/speech-golden.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: {} is not there", path.display());
        return None;
    };
    let golden: Value = serde_json::from_str(&text).unwrap();
    Some(golden[list].as_array().unwrap().clone())
}

fn split_words(value: &Value) -> Vec<&str> {
    value.as_str().unwrap().split_whitespace().collect()
}

/// jiwer's chunks, and the paths of Kaldi's rule (kaldialign) and of sclite's, on every pair.
#[test]
fn alignments_are_those_of_each_program() {
    let Some(rows) = speech("alignments") else { return };
    let mut ordered = [0; 2];
    for row in &rows {
        let (reference, hypothesis) = (split_words(&row["ref"]), split_words(&row["hyp"]));
        let aligned = alignment(&reference, &hypothesis).unwrap();
        let name = |operation| match operation {
            Operation::Hit => "equal",
            Operation::Substitution => "substitute",
            Operation::Deletion => "delete",
            Operation::Insertion => "insert",
        };
        let chunks: Vec<Value> = aligned
            .chunks
            .iter()
            .map(|chunk| {
                let (own, other) = (&chunk.reference, &chunk.hypothesis);
                serde_json::json!([name(chunk.operation), own.start, own.end, other.start, other.end])
            })
            .collect();
        assert_eq!(Value::Array(chunks), row["jiwer"]["chunks"], "{row}");

        let steps = |aligned: &Alignment| -> Vec<(Operation, Option<usize>, Option<usize>)> {
            let of = |chunk: &Chunk| {
                let (operation, own, other) =
                    (chunk.operation, chunk.reference.clone(), chunk.hypothesis.clone());
                (0..own.len().max(other.len()))
                    .map(move |step| (operation, own.clone().nth(step), other.clone().nth(step)))
            };
            aligned.chunks.iter().flat_map(of).collect()
        };
        let kaldi = alignment_by(AlignmentRule::Kaldi, &reference, &hypothesis).unwrap();
        let word = |words: &[&str], at: Option<usize>| at.map_or("<eps>", |at| words[at]).to_owned();
        let pairs = steps(&kaldi).into_iter();
        let pairs: Vec<[String; 2]> =
            pairs.map(|(_, own, other)| [word(&reference, own), word(&hypothesis, other)]).collect();
        assert_eq!(serde_json::json!(pairs), row["kaldialign"], "{row}");
        ordered[0] += 1;

        let Some(operations) = row["sclite_ops"].as_str() else { continue };
        let lower = |words: &[&str]| words.iter().map(|word| word.to_ascii_lowercase()).collect::<Vec<_>>();
        let sclite = alignment_by(AlignmentRule::Sclite, &lower(&reference), &lower(&hypothesis)).unwrap();
        let letters: String = steps(&sclite)
            .into_iter()
            .map(|(operation, ..)| match operation {
                Operation::Hit => 'C',
                Operation::Substitution => 'S',
                Operation::Deletion => 'D',
                Operation::Insertion => 'I',
            })
            .collect();
        assert_eq!(letters, operations, "{row}");
        ordered[1] += 1;
    }
    assert_eq!((rows.len(), ordered), (260, [260, 252]));
}

/// The tables of phrases, and the lines of every width, of jiwer; and sums of tables of words that are the counts.
#[test]
fn tables_of_errors_are_those_of_jiwer() {
    let Some(corpora) = speech("error_tables") else { return };
    for corpus in &corpora {
        let characters = corpus["level"] == "char";
        let split = |text: &Value| -> Vec<String> {
            let text = text.as_str().unwrap().trim();
            match characters {
                true => text.chars().map(String::from).collect(),
                false => text.split_whitespace().map(str::to_owned).collect(),
            }
        };
        let between = if characters { "" } else { " " };
        let (mut tables, mut halves) =
            (ErrorTables::default(), [ErrorTables::default(), ErrorTables::default()]);
        let mut lines = String::new();
        let pairs = corpus["refs"].as_array().unwrap().iter().zip(corpus["hyps"].as_array().unwrap());
        for (number, (reference, hypothesis)) in pairs.enumerate() {
            let (reference, hypothesis) = (split(reference), split(hypothesis));
            let [own, other] = [&reference, &hypothesis]
                .map(|tokens| tokens.iter().map(String::as_str).collect::<Vec<&str>>());
            let aligned = alignment(&own, &other).unwrap();
            tables.add(number, &aligned, &own, &other).unwrap();
            halves[usize::from(number > 2)].add(number, &aligned, &own, &other).unwrap();
            if aligned.counts().edits() > 0 {
                let shown = aligned.lines(&reference, &hypothesis, between).width(60).to_string();
                lines += &format!("=== SENTENCE {} ===\n\n{shown}\n", number + 1);
            }
        }
        let theirs = corpus["alignment_text_width60"].as_str().unwrap();
        assert_eq!(lines.trim_end_matches('\n'), theirs.trim_end_matches('\n'));
        let [mut first, second] = halves;
        first.merge(&second).unwrap();
        for (operation, key) in [
            (Operation::Substitution, "substitutions"),
            (Operation::Insertion, "insertions"),
            (Operation::Deletion, "deletions"),
        ] {
            let phrases = tables.phrases(operation, between).into_iter();
            let rows: Vec<Value> = phrases
                .map(|(own, other, count)| match operation {
                    Operation::Substitution => serde_json::json!([own, other, count]),
                    Operation::Insertion => serde_json::json!([other, count]),
                    _ => serde_json::json!([own, count]),
                })
                .collect();
            // Theirs come in order of appearance; they are sorted where they are printed.
            let mut theirs = corpus[key].as_array().unwrap().clone();
            theirs.sort_by_key(|row| std::cmp::Reverse(row.as_array().and_then(|row| row.last()?.as_u64())));
            assert_eq!(rows, theirs);
            assert_eq!(first.phrases(operation, between), tables.phrases(operation, between));
        }
        let sum = |kind: fn(&WordErrors) -> &Occurrences| -> u64 {
            tables.words_of(kind).iter().map(|(_, all)| all.count).sum()
        };
        let counts = tables.counts();
        assert_eq!(sum(|word| &word.substituted), counts.substitutions);
        assert_eq!(sum(|word| &word.substitute), counts.substitutions);
        assert_eq!(sum(|word| &word.deleted), counts.deletions);
        assert_eq!(sum(|word| &word.inserted), counts.insertions);
        assert_eq!(tables.confusions().iter().map(|(_, all)| all.count).sum::<u64>(), counts.substitutions);
        assert_eq!(
            tables.words().iter().map(|(_, word)| word.in_references()).sum::<u64>(),
            counts.ref_len()
        );
        assert_eq!((first.words(), first.confusions()), (tables.words(), tables.confusions()));
    }
    assert_eq!(corpora.len(), 24);
}

/// Rows of kaldialign 0.12.0 with merged compounds: reference, hypothesis, insertions, deletions and substitutions.
const COMPOUNDS: &[(&str, &str, [u64; 3])] = &[
    ("the wi fi is on", "the wifi is on", [0, 0, 0]),
    ("note book", "notebook computer", [1, 0, 0]),
    ("day to notebook into", "day to note book", [0, 1, 0]),
    ("a b c", "abc", [0, 0, 0]),
];

fn check_compounds(reference: &str, hypothesis: &str, errors: [u64; 3]) -> f64 {
    let options = MetricOptions::new().with("compounds", "merge");
    let scored = &scores(&["wer"], &options, &[(hypothesis, vec![reference])])[0];
    let count = |key| match part(scored, key) {
        PartValue::Count(count) => count,
        other => panic!("{key} is {other:?}"),
    };
    assert_eq!(["insertions", "deletions", "substitutions"].map(count), errors, "{reference} / {hypothesis}");
    let words = reference.split_whitespace().count() as u64;
    assert_eq!(count("hits") + errors[1] + errors[2], words, "{reference} / {hypothesis}");
    scored.score.value
}

#[test]
fn merged_compounds_are_kaldialigns() {
    for (reference, hypothesis, errors) in COMPOUNDS {
        check_compounds(reference, hypothesis, *errors);
    }
    let options = MetricOptions::new().with("compounds", "merge");
    let metric = registry().get("wer").unwrap().build(&options).unwrap();
    assert!(metric.state_key().to_string().starts_with("wer/1|compounds:merge|case:mixed"));
    assert!(metric.signature().to_string().contains("|compounds:merge|"));
    // States and signatures of plain WER are those they were.
    let plain = registry().get("wer").unwrap().build(&MetricOptions::new()).unwrap();
    assert!(!plain.state_key().to_string().contains("compounds"));
    assert!(!plain.signature().to_string().contains("compounds"));

    let Some(path) = shared("spec/speech-golden.json") else { return };
    let golden: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let rows = golden["compounds"].as_array().unwrap();
    for row in rows {
        let text = |key: &str| row[key].as_str().unwrap();
        let theirs = &row["merge_compounds"];
        let errors = ["ins", "del", "sub"].map(|key| theirs[key].as_u64().unwrap());
        let rate = check_compounds(text("ref"), text("hyp"), errors);
        // Without words in the reference they give infinity or 0.
        if !text("ref").trim().is_empty() {
            same_bits(rate, theirs["err_rate"].as_f64().unwrap(), text("ref"));
        }
    }
    assert_eq!(rows.len(), 120);
}
