//! ROUGE, SQuAD's measures and METEOR: recorded rows of the programs.
#![allow(clippy::print_stdout, reason = "the number of ties and of rows with WordNet is worth knowing")]

use std::path::Path;

use bleuprint::metrics::meteor::{Meteor, SynonymTable, Synonyms, WordNet};
use bleuprint::{Accumulator, ConfigError};
use bleuprint_testkit::golden::GoldenRow;
use bleuprint_testkit::recorded::rows;
use serde_json::Value;

const CODE: &str = "code-and-vectors-golden.json";

/// The folder of Debian's package `wordnet-base`, version 3.0.
const WORDNET: &str = "/usr/share/wordnet";

fn read(path: &str) -> Result<String, ConfigError> {
    std::fs::read_to_string(path).map_err(|error| ConfigError::Resource {
        what: path.to_owned(),
        reason: error.to_string(),
        hint: String::new(),
    })
}

fn recorded(metric: &str) -> Vec<Value> {
    recorded_in("other-metrics-golden.json", metric)
}

fn recorded_in(file: &str, metric: &str) -> Vec<Value> {
    let mut rows = rows(file, "rows");
    rows.retain(|row| row["metric"] == metric && row["outputs"]["error"].is_null());
    assert!(!rows.is_empty(), "{file} has no rows of {metric}");
    rows
}

fn texts(row: &Value) -> (Vec<String>, Vec<Vec<String>>) {
    let shaped = |key: &str| row[key].clone();
    (
        serde_json::from_value(shaped("hypotheses")).unwrap(),
        serde_json::from_value(shaped("references")).unwrap(),
    )
}

/// The headline numbers of the corpus.
fn numbers(spec: &str, hypotheses: &[String], references: &[Vec<String>]) -> Vec<f64> {
    let row = GoldenRow::new(spec, spec, hypotheses.to_vec(), references.to_vec());
    crate::golden::by_name(&row).unwrap().0.headlines
}

/// Rows in which two references have the same F and other precision and recall: rouge_score takes the first listed.
const MOST_TIES: usize = 2;

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_rouge() {
    let (mut compared, mut ties) = (0, 0);
    for row in recorded("rouge") {
        let (hypotheses, references) = texts(&row);
        let stemmer = if row["options"]["use_stemmer"] == true { ":stemmer" } else { "" };
        for (kind, expected) in row["outputs"].as_object().unwrap() {
            let ours = numbers(&format!("{kind}{stemmer}"), &hypotheses, &references);
            let number = |at: usize| expected[at].as_f64().unwrap();
            let theirs = [number(2), number(0), number(1)];
            compared += 1;
            if ours != theirs {
                assert_eq!(ours[0], theirs[0], "{kind}{stemmer}: {row}");
                assert!(references[0].len() > 1, "{kind}{stemmer}: {ours:?} {row}");
                ties += 1;
            }
        }
    }
    println!("{compared} numbers of rouge_score compared, {ties} of references that tie");
    assert!(ties <= MOST_TIES, "{ties}");
}

/// Options of ROUGE-1.5.5 as ours.
fn of_rouge_155(options: &str) -> String {
    let words: Vec<&str> = options.split(' ').collect();
    let value = |name: &str| words.iter().position(|word| *word == name).map(|at| words[at + 1]);
    let kind = match (value("-2"), value("-w")) {
        (Some(skip), _) => {
            let kind = if words.contains(&"-u") { "SU" } else { "S" };
            let skip = if skip == "-1" { String::new() } else { format!(",skip={skip}") };
            format!("order={kind}{skip}")
        }
        (None, weight) => format!("order=W,weight={}", weight.unwrap()),
    };
    let over = if value("-f") == Some("A") { "sum" } else { "best-recall" };
    format!("rouge:{kind},references={over},alpha={}", value("-p").unwrap())
}

/// Numbers whose references have the same recall.
const MOST_TIES_OF_RECALL: usize = 10;

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_rouge_155() {
    let (mut compared, mut ties) = (0, 0);
    for row in recorded_in(CODE, "rouge-s-su-w") {
        let hypothesis: String = serde_json::from_value(row["hypotheses"].clone()).unwrap();
        let references: Vec<String> = serde_json::from_value(row["references"].clone()).unwrap();
        for (options, expected) in row["outputs"].as_object().unwrap() {
            let spec = of_rouge_155(options);
            let ours = numbers(&spec, std::slice::from_ref(&hypothesis), std::slice::from_ref(&references));
            // Of an empty reference the program has no number, or it ends: ours is 0.
            let number = |at: usize| expected.get(at).map_or(0.0, |number| number.as_f64().unwrap());
            let theirs = [number(8), number(7), number(6)];
            let unlike = ours.iter().zip(theirs).position(|(ours, theirs)| (ours - theirs).abs() >= 1e-12);
            if unlike.is_some() {
                // Of references with equal recall the program takes the first, ours the one with the best F.
                let tie = spec.contains("best-recall") && references.len() > 1 && ours[2] == theirs[2];
                assert!(tie && ours[0] > theirs[0], "{spec}: {ours:?}, expected {theirs:?}: {row}");
                ties += 1;
            }
            compared += 1;
        }
    }
    println!("{compared} numbers of ROUGE-1.5.5 compared, {ties} of references that tie");
    assert!(ties <= MOST_TIES_OF_RECALL, "{ties}");
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_squad() {
    for row in recorded("squad") {
        let (hypotheses, references) = texts(&row);
        for (name, key) in [("squad_em", "exact_match"), ("squad_f1", "f1")] {
            let ours = numbers(name, &hypotheses, &references);
            let theirs = row["outputs"][key].as_f64().unwrap();
            assert!((ours[0] - theirs).abs() <= 1e-12 * theirs, "{name}: {ours:?}: {row}");
        }
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_meteor() {
    let mut compared = [0, 0];
    let wordnet: Option<std::sync::Arc<dyn Synonyms>> = Path::new(WORDNET).is_dir().then(|| {
        let wordnet = WordNet::parse(|name| read(&format!("{WORDNET}/{name}"))).unwrap();
        std::sync::Arc::new(wordnet) as _
    });
    for row in recorded("meteor") {
        let options = &row["options"];
        let number = |key: &str| options[key].as_f64().unwrap();
        let mut meteor = Meteor::new(number("alpha"), number("beta"), number("gamma")).unwrap();
        let source: Option<std::sync::Arc<dyn Synonyms>> = match &options["synonyms"] {
            Value::Object(table) => {
                // Names of several words are dropped, as those of WordNet are.
                let words = |names: &Value| -> Vec<String> {
                    let names = names.as_array().unwrap().iter().filter_map(Value::as_str);
                    names.filter(|name| !name.contains('_')).map(str::to_owned).collect()
                };
                let pairs = table.iter().map(|(word, names)| (word.clone(), words(names)));
                Some(std::sync::Arc::new(SynonymTable::new(pairs)))
            }
            Value::String(name) if name == "wordnet 3.0" => {
                let Some(wordnet) = &wordnet else { continue };
                compared[1] += 1;
                Some(std::sync::Arc::clone(wordnet))
            }
            _ => None,
        };
        if let Some(source) = source {
            meteor = meteor.with_synonyms(source);
        }
        let (hypotheses, references) = texts(&row);
        let words = |text: &String| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
        let references: Vec<Vec<String>> = references[0].iter().map(words).collect();
        let references: Vec<&[String]> = references.iter().map(Vec::as_slice).collect();
        let mut all = Accumulator::<_, [String]>::new(&meteor);
        all.push(&words(&hypotheses[0]), &references).unwrap();
        assert_eq!(Some(all.score().unwrap().score.score), row["outputs"]["meteor"].as_f64(), "{row}");
        compared[0] += 1;
    }
    println!("{} scores of NLTK compared, {} of them with WordNet 3.0", compared[0], compared[1]);
}
