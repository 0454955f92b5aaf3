//! The golden cases of ROUGE, SQuAD's measures and METEOR, through every door: typed, at run time, the command line's names,
//! and recorded rows of the real programs where they are there.

#![allow(clippy::print_stdout, reason = "tests say what they skipped")]

use std::path::Path;

use bleuprint::eval::{ChosenTokens, Panel};
use bleuprint::metrics::meteor::{Meteor, SynonymTable, Synonyms, WordNet};
use bleuprint::metrics::{Rouge, SquadF1};
use bleuprint::{
    Accumulator, AnyMetric, Case, ConfigError, MetricOptions, Score, Tokenized, TokenizerOptions, registry,
    tokenizer,
};
use bleuprint_testkit::golden::{self, SegmentScoresCase};
use serde_json::Value;

const OUR_WORDNET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../testkit/data/meteor/wordnet");

/// Where Debian's package `wordnet-base` puts version 3.0.
const WORDNET: &str = "/usr/share/wordnet";

fn read(path: &str) -> Result<String, ConfigError> {
    std::fs::read_to_string(path).map_err(|error| ConfigError::Resource {
        what: path.to_owned(),
        reason: error.to_string(),
        hint: String::new(),
    })
}

/// A metric as a user names it.
fn built(name: &str) -> AnyMetric {
    let registry = registry();
    let spec = registry.parse(&name.replace("wordnet=..", &format!("wordnet={OUR_WORDNET}"))).unwrap();
    let mut options: MetricOptions = spec.options;
    options.set_files(read);
    registry.get(spec.metric).unwrap().build(&options).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The headline numbers of every segment, and of the whole.
fn at_run_time(
    metric: AnyMetric,
    tokenize: &str,
    hypotheses: &[String],
    references: &[Vec<String>],
) -> (Vec<Vec<f64>>, Vec<f64>) {
    let chosen = ChosenTokens::new(tokenizer(tokenize, &TokenizerOptions::default()).unwrap(), Case::Mixed);
    let panel = Panel::new([metric], &chosen).unwrap();
    let mut whole = Accumulator::<&Panel, str>::new(&panel);
    let numbers = |state: &bleuprint::eval::PanelState| -> Vec<f64> {
        let scores = panel.scores(state).unwrap();
        scores[0].score.headlines.iter().map(|headline| headline.value).collect()
    };
    let mut segments = Vec::new();
    for (hypothesis, references) in hypotheses.iter().zip(references) {
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        segments.push(numbers(&whole.push(hypothesis, &references).unwrap()));
    }
    (segments, numbers(whole.total()))
}

fn check(name: &str, case: &SegmentScoresCase, expected: &[Vec<f64>]) {
    let label = format!("{}, {name}", case.name);
    let tokenize = case.tokenize.as_deref().unwrap_or("13a");
    let (segments, whole) = at_run_time(built(name), tokenize, &case.hypotheses, &case.references);
    assert_eq!(segments.len(), expected.len(), "{label}");
    for (index, (ours, theirs)) in segments.iter().zip(expected).enumerate() {
        // Sums of powers and means: their last bit depends on the order.
        let averaged = name.contains("average") || name.starts_with("rougeW");
        let equal = ours.len() == theirs.len()
            && ours.iter().zip(theirs).all(|(a, b)| if averaged { (a - b).abs() < 1e-15 } else { a == b });
        assert!(equal, "{label}, segment {index}: {ours:?}, expected {theirs:?}");
    }
    for (at, ours) in whole.iter().enumerate() {
        let mean = expected.iter().map(|numbers| numbers[at]).sum::<f64>() / expected.len() as f64;
        assert!((ours - mean).abs() <= 1e-12 * mean.max(1.0), "{label}: {ours}, expected {mean}");
    }
}

#[test]
fn golden_cases_at_run_time() {
    let mut compared = 0;
    for folder in ["rouge", "squad", "meteor"] {
        for case in golden::segment_scores(folder) {
            for (name, expected) in &case.results {
                check(name, &case, expected);
                compared += expected.len();
            }
        }
    }
    println!("{compared} segments compared");
    assert!(compared > 1500);
}

#[test]
fn golden_cases_typed() {
    let tokens = |name| tokenizer(name, &TokenizerOptions::default()).unwrap();
    let rouge = Tokenized::new(Rouge::n(2).unwrap(), tokens("rouge-stem"), Case::Mixed).unwrap();
    let f1 = Tokenized::new(SquadF1, tokens("squad"), Case::Mixed).unwrap();
    for case in golden::segment_scores("rouge") {
        typed(&rouge, &case, "rouge2:stemmer");
    }
    for case in golden::segment_scores("squad") {
        typed(&f1, &case, "squad_f1");
    }
}

fn typed<M: bleuprint::Metric<Score: Score> + bleuprint::Observe<str>>(
    metric: &M,
    case: &SegmentScoresCase,
    name: &str,
) {
    for ((hypothesis, references), expected) in
        case.hypotheses.iter().zip(&case.references).zip(&case.results[name])
    {
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        let mut segment = Accumulator::<_, str>::new(metric);
        segment.push(hypothesis, &references).unwrap();
        assert_eq!(segment.score().unwrap().score.headlines(), *expected, "{}, {name}", case.name);
    }
}

/// Rows of the programs that are kept outside of the project.
fn recorded(metric: &str) -> Vec<Value> {
    recorded_in("other-metrics-golden.json", metric)
}

fn recorded_in(file: &str, metric: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/spec").join(file);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: there are no recorded rows");
        return Vec::new();
    };
    let file: Value = serde_json::from_str(&text).unwrap();
    let rows = file["rows"].as_array().unwrap().iter();
    rows.filter(|row| row["metric"] == metric && row["outputs"]["error"].is_null()).cloned().collect()
}

fn texts(row: &Value) -> (Vec<String>, Vec<Vec<String>>) {
    let shaped = |key: &str| row[key].clone();
    (
        serde_json::from_value(shaped("hypotheses")).unwrap(),
        serde_json::from_value(shaped("references")).unwrap(),
    )
}

/// Rows in which two references have the same F and other precision and recall: rouge_score takes the first listed.
const MOST_TIES: usize = 2;

#[test]
fn recorded_rows_of_rouge() {
    let (mut compared, mut ties) = (0, 0);
    for row in recorded("rouge") {
        let (hypotheses, references) = texts(&row);
        let stemmer = if row["options"]["use_stemmer"] == true { ":stemmer" } else { "" };
        for (kind, expected) in row["outputs"].as_object().unwrap() {
            let (_, ours) = at_run_time(built(&format!("{kind}{stemmer}")), "none", &hypotheses, &references);
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
fn recorded_rows_of_rouge_155() {
    let (mut compared, mut ties) = (0, 0);
    for row in recorded_in("code-and-vectors-golden.json", "rouge-s-su-w") {
        let hypothesis: String = serde_json::from_value(row["hypotheses"].clone()).unwrap();
        let references: Vec<String> = serde_json::from_value(row["references"].clone()).unwrap();
        for (options, expected) in row["outputs"].as_object().unwrap() {
            let spec = of_rouge_155(options);
            let (_, ours) = at_run_time(
                built(&spec),
                "none",
                std::slice::from_ref(&hypothesis),
                std::slice::from_ref(&references),
            );
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
fn recorded_rows_of_spice() {
    use bleuprint::metrics::spice::{Similarity, Spice, SynsetTable};
    let tuples = tokenizer("tuples", &TokenizerOptions::default()).unwrap();
    let mut compared = 0;
    for row in recorded_in("code-and-vectors-golden.json", "spice") {
        let synsets: std::collections::BTreeMap<String, Vec<u64>> =
            serde_json::from_value(row["options"]["synsets"].clone()).unwrap();
        // The rows have words as they are written, sources have them as they are looked up.
        let synsets = synsets.into_iter().map(|(word, ids)| (word.to_lowercase().replace(' ', "_"), ids));
        let similar = row["options"]["synonyms_and_merging"] == true;
        let similarity = if similar { Similarity::Similar } else { Similarity::Equal };
        let spice = Spice::default().with_synsets(std::sync::Arc::new(SynsetTable::new(synsets)));
        let spice = Tokenized::with_tokens(spice.with_similarity(similarity), &tuples, Case::Mixed).unwrap();
        let references: Vec<String> =
            row["references"].as_array().unwrap().iter().map(Value::to_string).collect();
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        let mut whole = Accumulator::<_, str>::new(&spice);
        whole.push(&row["hypotheses"].to_string(), &references).unwrap();
        let (stats, scores) = (*whole.total().stats(), &row["outputs"]["scores"]);
        let all = &scores["All"];
        let count = |key: &str| all[key].as_i64().unwrap();
        let theirs = [count("tp"), count("tp") + count("fp"), count("tp") + count("fn")];
        let ours = [stats.matched, stats.hypothesis, stats.reference].map(|count| count as i64);
        assert_eq!(ours, theirs, "{row}");
        let number = |value: &Value| value.as_f64();
        let ours = [&stats.precision, &stats.recall, &stats.f].map(|sum| Some(sum.to_f64()));
        assert_eq!(ours, [&all["pr"], &all["re"], &all["f"]].map(number), "{row}");
        for (sum, part) in
            [(stats.objects, "Object"), (stats.attributes, "Attribute"), (stats.relations, "Relation")]
        {
            let ours = (sum.count() > 0).then(|| sum.to_f64());
            assert_eq!(ours, number(&scores[part]["f"]), "{part}: {row}");
        }
        compared += 1;
    }
    println!("{compared} rows of SPICE compared");
}

#[test]
fn recorded_rows_of_factual() {
    let tuples = tokenizer("tuples", &TokenizerOptions::default()).unwrap();
    let mut compared = 0;
    for row in recorded_in("code-and-vectors-golden.json", "factual-text") {
        let text = row["text"].as_str().unwrap();
        let mut buffer = bleuprint::text::TokenBuffer::default();
        let Ok(tokens) = tuples.tokenize(text, &mut buffer) else {
            assert_eq!(text, "no brackets", "text without brackets is no tuple here");
            continue;
        };
        // The program lists the ends of tuples as objects too, of the empty text an empty one.
        let mut ours = std::collections::BTreeSet::new();
        for token in tokens.iter() {
            let parts: Vec<String> = token.split('\u{1F}').map(str::to_owned).collect();
            ours.insert(vec![parts[0].clone()]);
            if parts.len() == 3 {
                ours.insert(vec![parts[2].clone()]);
            }
            ours.insert(parts);
        }
        let theirs: std::collections::BTreeSet<Vec<String>> =
            serde_json::from_value(row["outputs"].clone()).unwrap();
        assert!(ours == theirs || text.is_empty() && ours.is_empty(), "{ours:?}: {row}");
        compared += 1;
    }
    println!("{compared} texts of FACTUAL compared");
}

#[test]
fn recorded_rows_of_squad() {
    for row in recorded("squad") {
        let (hypotheses, references) = texts(&row);
        for (name, key) in [("squad_em", "exact_match"), ("squad_f1", "f1")] {
            let (_, ours) = at_run_time(built(name), "none", &hypotheses, &references);
            let theirs = row["outputs"][key].as_f64().unwrap();
            assert!((ours[0] - theirs).abs() <= 1e-12 * theirs, "{name}: {ours:?}: {row}");
        }
    }
}

#[test]
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
