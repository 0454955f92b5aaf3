//! Compares METEOR 1.5 with recorded results of the original program. Some of them need its data: they run
//! only if the variable `BLEUPRINT_METEOR15` names a folder with the jar file and `data/paraphrase-en.gz`.

use std::collections::HashMap;

use bleuprint_registry::MetricOptions;
use bleuprint_testkit::recorded;
use bleuprint_text::read::option_file;
use serde_json::Value;

use super::*;

struct Rows {
    rows: Vec<Value>,
    tiny: Data,
    folder: Option<String>,
    built: HashMap<String, Option<Meteor15>>,
}

fn lines(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().unwrap().iter().map(|line| line.as_str().unwrap())
}

fn texts(value: &Value) -> Vec<&str> {
    lines(value).collect()
}

/// Returns a list in the program's format: a line with a word, then a line with its ids or forms.
fn list(map: &Value) -> String {
    let text = |values: &Value| {
        let all = values.as_array().unwrap().iter();
        all.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            .collect::<Vec<_>>()
            .join(" ")
    };
    map.as_object().unwrap().iter().map(|(word, values)| format!("{word}\n{}\n", text(values))).collect()
}

impl Rows {
    fn read() -> Self {
        let text = std::fs::read_to_string(recorded::path("spec/meteor15-golden.jsonl")).unwrap();
        let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let resources = &rows[0];
        let pairs = resources["table"].as_array().unwrap().iter().map(texts);
        let table: String = pairs.map(|pair| format!("0.5\n{}\n{}\n", pair[0], pair[1])).collect();
        let synsets = list(&resources["synsets"]);
        let exceptions = list(&resources["exceptions"]);
        let tiny = Data {
            synsets: Some(Arc::new(WordnetSynsets::parse(("s", &synsets), ("e", &exceptions)).unwrap())),
            paraphrases: Some(Arc::new(Paraphrases::parse("p", table).unwrap())),
            function_words: Some(Arc::new(FunctionWords::new(&texts(&resources["function"]).join("\n")))),
            prefixes: None,
        };
        let folder = std::env::var("BLEUPRINT_METEOR15").ok();
        Rows { rows, tiny, folder, built: HashMap::new() }
    }

    fn of(&self, kind: &str) -> Vec<Value> {
        self.rows.iter().filter(|row| row["kind"] == kind).cloned().collect()
    }

    /// Returns METEOR 1.5 with the settings of a recorded result, or `None` if the data files that it needs
    /// are missing.
    fn metric(&mut self, given: &Value) -> Option<Meteor15> {
        let tiny = &self.tiny;
        let folder = &self.folder;
        let built = self.built.entry(given.to_string()).or_insert_with(|| {
            let options = options(given, folder.as_deref());
            let settings = entry::settings(&options).unwrap();
            let data = match given["resources"].as_str().unwrap() {
                "tiny" => tiny.clone(),
                _ if folder.is_some() => entry::data(&options, &settings).unwrap(),
                _ => return None,
            };
            Some(Meteor15::new(&settings, data).unwrap())
        });
        built.clone()
    }
}

fn options(given: &Value, folder: Option<&str>) -> MetricOptions {
    let mut options = MetricOptions::default();
    options.set_files(option_file);
    let joined = |value: &Value, between: &str| match value {
        Value::Array(all) => all
            .iter()
            .map(|one| one.as_str().map_or_else(|| one.to_string(), str::to_owned))
            .collect::<Vec<_>>()
            .join(between),
        Value::String(text) => text.clone(),
        Value::Bool(given) => if *given { "yes" } else { "no" }.to_owned(),
        other => other.to_string(),
    };
    for (key, value) in given.as_object().unwrap() {
        match key.as_str() {
            "resources" => {}
            "modules" => options.set("meteor15-modules", &joined(value, "+")),
            _ => options.set(&format!("meteor15-{key}"), &joined(value, ",")),
        }
    }
    if let Some(folder) = folder {
        options.set("meteor15-data", folder);
    }
    options
}

/// Converts the 23 numbers that the original program printed for a text to statistics. Four numbers belong to
/// each matching module, in the order of the modules.
fn theirs(meteor: &Meteor15, numbers: &[u64]) -> Meteor15Stats {
    let mut stats = Meteor15Stats {
        hyp_len: numbers[0],
        ref_len: numbers[1],
        hyp_func: numbers[2],
        ref_func: numbers[3],
        chunks: numbers[20],
        hyp_matched: numbers[21],
        ref_matched: numbers[22],
        ..Meteor15Stats::default()
    };
    for ((module, _), slot) in meteor.parameters.modules.iter().zip(numbers[4..20].chunks(4)) {
        stats.matched[*module as usize].copy_from_slice(slot);
    }
    if stats.is_perfect() {
        stats.chunks = 0;
    }
    stats
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect()
}

/// Aligns a hypothesis with every reference, and returns the counts and matches of the reference with the
/// highest score.
fn aligned(
    meteor: &Meteor15,
    hypothesis: &str,
    references: &[&str],
) -> (Meteor15Stats, Vec<[u64; 4]>, Vec<Module>) {
    let mut scratch = Meteor15Scratch::default();
    meteor.read(&mut scratch, &[hypothesis], false);
    let mut best: Option<(f64, _)> = None;
    for reference in references {
        meteor.read(&mut scratch, &[reference], true);
        let stats = meteor.align(&mut scratch).unwrap();
        let [.., score] = stats.score(&meteor.parameters);
        if best.as_ref().is_none_or(|(highest, _)| score > *highest) {
            let matches = &scratch.search.matches;
            let places = matches.iter().map(|found| {
                [found.reference, found.reference_len, found.hypothesis, found.hypothesis_len].map(u64::from)
            });
            best =
                Some((score, (stats, places.collect(), matches.iter().map(|found| found.module).collect())));
        }
    }
    best.unwrap().1
}

fn require_near(meteor: &Meteor15, stats: &Meteor15Stats, row: &Value) {
    let [.., score] = stats.score(&meteor.parameters);
    assert!((score - row["score"].as_f64().unwrap()).abs() <= 1e-15, "{score}: {row}");
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_segments_and_corpora() {
    let mut rows = Rows::read();
    let mut segments = HashMap::new();
    let mut compared = 0;
    let mut collided = 0;
    for row in rows.of("segment") {
        let Some(meteor) = rows.metric(&row["settings"]) else { continue };
        let (stats, places, modules) = aligned(&meteor, row["hyp"].as_str().unwrap(), &texts(&row["refs"]));
        compared += 1;
        let expected = theirs(&meteor, &numbers(&row["stats"]));
        segments.insert(row["id"].as_str().unwrap().to_owned(), expected);
        // The program takes words with equal hashes as equal.
        if row["note"].as_str().is_some_and(|note| note.contains("hash")) {
            collided += 1;
            assert_ne!(stats, expected, "{row}");
            continue;
        }
        assert_eq!(stats, expected, "{row}");
        require_near(&meteor, &stats, &row);
        let expected: Vec<Vec<u64>> = row["alignment"].as_array().unwrap().iter().map(numbers).collect();
        let slot = |module: &Module| {
            meteor.parameters.modules.iter().position(|(own, _)| own == module).unwrap() as u64
        };
        let ours: Vec<Vec<u64>> = places
            .iter()
            .zip(&modules)
            .map(|(place, module)| [&place[..], &[slot(module)]].concat())
            .collect();
        assert_eq!(ours, expected, "{row}");
    }
    let mut corpora = 0;
    for row in rows.of("corpus") {
        let Some(meteor) = rows.metric(&row["settings"]) else { continue };
        let mut sum = Meteor15Stats::default();
        lines(&row["segments"]).for_each(|id| sum.merge(&segments[id]).unwrap());
        assert_eq!(sum, theirs(&meteor, &numbers(&row["state"])), "{row}");
        require_near(&meteor, &sum, &row);
        corpora += 1;
    }
    let all = if rows.folder.is_some() { (560, 49, 3) } else { (347, corpora, 3) };
    assert_eq!((compared, corpora, collided), all);
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_normalized_texts_and_stems() {
    let rows = Rows::read();
    let mut compared = 0;
    for row in rows.of("normalize") {
        let lang = row["lang"].as_str().unwrap();
        if !["en", "cz"].contains(&lang) && rows.folder.is_none() {
            continue;
        }
        let given = serde_json::json!({ "lang": lang, "modules": ["exact"] });
        let options = options(&given, rows.folder.as_deref());
        let settings = entry::settings(&options).unwrap();
        let prefixes = abbreviations(&settings, entry::data(&options, &settings).unwrap().prefixes).unwrap();
        let text = row["text"].as_str().unwrap();
        let kept = row["keep_punct"] == true;
        let ours = normalize(&mut NormalizedLine::default(), settings.language, &prefixes, kept, text);
        assert_eq!(row["normalized"], ours, "{row}");
        compared += 1;
    }
    assert!(compared == 308 || rows.folder.is_none());
    let stemmer = Stemmer::create(Language::English.stemmer().unwrap());
    for row in rows.of("stem") {
        for (word, stem) in lines(&row["words"]).zip(lines(&row["stems"])) {
            assert_eq!(stemmer.stem(word), stem, "{word}");
        }
    }
}

/// Checks recorded answers of the original program's line protocol, which receives texts and returns their
/// counts and scores.
#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_the_protocol() {
    let mut rows = Rows::read();
    let tiny = serde_json::json!({ "resources": "tiny", "modules": ["exact", "stem", "synonym"] });
    let mut meteor = rows.metric(&tiny).unwrap();
    meteor.function_words = Arc::default();
    let counts = |line: &str| -> Vec<u64> {
        line.split(' ').map(|number| number.parse::<f64>().unwrap() as u64).collect()
    };
    let mut compared = 0;
    for row in rows.of("protocol") {
        let mut output = lines(&row["output"]);
        for line in lines(&row["lines"]) {
            let fields: Vec<&str> = line.split("|||").map(str::trim).collect();
            let answer = output.next().unwrap();
            if answer.starts_with("Error") {
                continue;
            }
            compared += 1;
            if line.to_lowercase().starts_with("score") {
                let (hypothesis, references) = fields[1..].split_last().unwrap();
                assert_eq!(
                    aligned(&meteor, hypothesis, references).0,
                    theirs(&meteor, &counts(answer)),
                    "{line}"
                );
            } else {
                let score = theirs(&meteor, &counts(fields[1])).score(&meteor.parameters)[2];
                assert_eq!(score, answer.parse::<f64>().unwrap(), "{line}");
            }
        }
    }
    assert_eq!(compared, 11);
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_refused_options_are_refused() {
    for row in Rows::read().of("error") {
        let given = texts(&row["options"]);
        let mut options = MetricOptions::default();
        for pair in given.windows(2) {
            match pair[0] {
                "-l" => options.set("meteor15-lang", pair[1]),
                "-e" => options.set("meteor15-e", pair[1]),
                _ => {}
            }
        }
        if given.contains(&"-lower") {
            options.set("meteor15-norm", "lower");
        }
        assert!(ENTRY.build(&options).is_err(), "{row}");
    }
}
