//! Error rates, alignments and merged compounds of jiwer, kaldialign and sclite.

use bleuprint::metrics::edit::{
    Aligner, Alignment, AlignmentRule, Chunk, EditOperation, ErrorTables, Occurrences, WordErrors, alignment,
};
use bleuprint_testkit::golden::{ExpectedResults, GoldenRow};
use bleuprint_testkit::recorded::rows;
use serde_json::Value;

use super::compare;

const RATES: &str = "other-metrics-golden.json";
const SPEECH: &str = "speech-golden.json";

/// Compares the rate and the counts of each metric that the row has.
fn check_rates(hypotheses: &[String], references: &[String], outputs: &Value, names: &[&str]) {
    for name in names {
        let references = references.iter().map(|text| vec![text.clone()]).collect();
        let mut row = GoldenRow::new(&format!("{hypotheses:?}"), name, hypotheses.to_vec(), references);
        let counts = ["hits", "substitutions", "deletions", "insertions"];
        row.expected = ExpectedResults {
            score: outputs[name].as_f64(),
            parts: counts.map(|key| (key.to_owned(), outputs[key].clone())).into(),
            signature: (*name != "cer")
                .then(|| format!("{}|nrefs:1|case:mixed|tok:jiwer|version:", name.to_uppercase())),
            ..ExpectedResults::default()
        };
        assert!(row.expected.score.is_some(), "{outputs}");
        compare(&row);
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_outputs_of_jiwer() {
    let mut compared = 0;
    for row in rows(RATES, "rows") {
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
        let names: &[&str] = if metric == "wer" { &["wer", "mer", "wil", "wip"] } else { &["cer"] };
        check_rates(&hypotheses, &references, &row["outputs"], names);
        compared += 1;
    }
    assert!(compared > 100);
}

fn split_words(value: &Value) -> Vec<&str> {
    value.as_str().unwrap().split_whitespace().collect()
}

/// jiwer's chunks, and the paths of Kaldi's rule (kaldialign) and of sclite's, on every pair.
#[test]
#[ignore = "needs the data beside the checkout"]
fn alignments_are_those_of_each_program() {
    let rows = rows(SPEECH, "alignments");
    let mut ordered = [0; 2];
    for row in &rows {
        let (reference, hypothesis) = (split_words(&row["ref"]), split_words(&row["hyp"]));
        let aligned = alignment(&reference, &hypothesis).unwrap();
        let name = |operation| match operation {
            EditOperation::Hit => "equal",
            EditOperation::Substitution => "substitute",
            EditOperation::Deletion => "delete",
            EditOperation::Insertion => "insert",
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

        let steps = |aligned: &Alignment| -> Vec<(EditOperation, Option<usize>, Option<usize>)> {
            let of = |chunk: &Chunk| {
                let (operation, own, other) =
                    (chunk.operation, chunk.reference.clone(), chunk.hypothesis.clone());
                (0..own.len().max(other.len()))
                    .map(move |step| (operation, own.clone().nth(step), other.clone().nth(step)))
            };
            aligned.chunks.iter().flat_map(of).collect()
        };
        let word = |words: &[&str], at: Option<usize>| at.map_or("<eps>", |at| words[at]).to_owned();
        for (rule, program) in
            [(AlignmentRule::Kaldi, "kaldialign"), (AlignmentRule::Texterrors, "texterrors-plain")]
        {
            let aligned = Aligner::default().align(rule, &reference, &hypothesis).unwrap();
            let pairs = steps(&aligned).into_iter();
            let pairs: Vec<[String; 2]> =
                pairs.map(|(_, own, other)| [word(&reference, own), word(&hypothesis, other)]).collect();
            assert_eq!(serde_json::json!(pairs), row[program], "{row}");
        }
        ordered[0] += 1;

        let Some(operations) = row["sclite_ops"].as_str() else { continue };
        let lower = |words: &[&str]| words.iter().map(|word| word.to_ascii_lowercase()).collect::<Vec<_>>();
        let sclite =
            Aligner::default().align(AlignmentRule::Sclite, &lower(&reference), &lower(&hypothesis)).unwrap();
        let letters: String = steps(&sclite)
            .into_iter()
            .map(|(operation, ..)| match operation {
                EditOperation::Hit => 'C',
                EditOperation::Substitution => 'S',
                EditOperation::Deletion => 'D',
                EditOperation::Insertion => 'I',
            })
            .collect();
        assert_eq!(letters, operations, "{row}");
        ordered[1] += 1;
    }
    assert_eq!((rows.len(), ordered), (260, [260, 252]));
}

/// The tables of phrases, and the lines of every width, of jiwer; and sums of tables of words that are the counts.
#[test]
#[ignore = "needs the data beside the checkout"]
fn tables_of_errors_are_those_of_jiwer() {
    let corpora = rows(SPEECH, "error_tables");
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
                let mut shown = aligned.lines(&reference, &hypothesis, between);
                shown.width = 60;
                lines += &format!("=== SENTENCE {} ===\n\n{shown}\n", number + 1);
            }
        }
        let theirs = corpus["alignment_text_width60"].as_str().unwrap();
        assert_eq!(lines.trim_end_matches('\n'), theirs.trim_end_matches('\n'));
        let [mut first, second] = halves;
        first.merge(&second).unwrap();
        for (operation, key) in [
            (EditOperation::Substitution, "substitutions"),
            (EditOperation::Insertion, "insertions"),
            (EditOperation::Deletion, "deletions"),
        ] {
            let phrases = tables.phrases(operation, between);
            let rows: Vec<Value> = phrases
                .map(|(own, other, count)| match operation {
                    EditOperation::Substitution => serde_json::json!([own, other, count]),
                    EditOperation::Insertion => serde_json::json!([other, count]),
                    _ => serde_json::json!([own, count]),
                })
                .collect();
            // Theirs come in order of appearance; they are sorted where they are printed.
            let mut theirs = corpus[key].as_array().unwrap().clone();
            theirs.sort_by_key(|row| std::cmp::Reverse(row.as_array().and_then(|row| row.last()?.as_u64())));
            assert_eq!(rows, theirs);
            assert!(first.phrases(operation, between).eq(tables.phrases(operation, between)));
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

#[test]
#[ignore = "needs the data beside the checkout"]
fn merged_compounds_are_kaldialigns() {
    let rows = rows(SPEECH, "compounds");
    for row in &rows {
        let text = |key: &str| row[key].as_str().unwrap().to_owned();
        let (reference, theirs) = (text("ref"), &row["merge_compounds"]);
        let [insertions, deletions, substitutions] =
            ["ins", "del", "sub"].map(|key| theirs[key].as_u64().unwrap());
        let hits = split_words(&row["ref"]).len() as u64 - deletions - substitutions;
        let counts = [
            ("insertions", insertions),
            ("deletions", deletions),
            ("substitutions", substitutions),
            ("hits", hits),
        ];
        let references = vec![vec![reference.clone()]];
        let mut compared = GoldenRow::new(&reference, "wer:compounds=merge", vec![text("hyp")], references);
        compared.expected.parts = counts.map(|(key, count)| (key.to_owned(), count.into())).into();
        // Without words in the reference they give infinity or 0.
        compared.expected.score = theirs["err_rate"].as_f64().filter(|_| !reference.trim().is_empty());
        compare(&compared);
    }
    assert_eq!(rows.len(), 120);
}
