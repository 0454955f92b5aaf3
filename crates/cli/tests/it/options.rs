//! Every option of `score` over every metric: it changes what is counted, or it is an error that names it, or its reason
//! is listed here. A new option, metric or form of data fails these tests until it is in the tables.

use std::collections::BTreeSet;

use bleuprint::contract::{AnyMetric, ViewKind};
use bleuprint::eval::evaluation::Run;
use bleuprint_cli::counted;

use crate::common::{Folder, bleuprint, commands_of_help, stdout};

/// What an option has to do with a metric.
enum Role {
    /// Arguments that differ from the default: they have an effect, or are an error that names the option.
    Choice(&'static [&'static str]),
    /// The same, with the words of the error if it names the option otherwise.
    Named(&'static [&'static str], &'static str),
    /// No choice about the metrics of texts in files of segments, with the reason.
    Listed(&'static str),
}
use Role::{Choice, Listed, Named};

/// Every option of `score --help`.
const OPTIONS: &[(&str, Role)] = &[
    ("tokenize", Choice(&["--tokenize", "char"])),
    ("language-pair", Named(&["--language-pair", "en-zh"], "tokenize=zh is given for all metrics")),
    ("norm", Choice(&["--norm", "nfkc+lower+punct"])),
    ("lowercase", Choice(&["--lowercase"])),
    ("tokenizer-model", Choice(&["--tokenizer-model", "absent-tokenizer-model.model"])),
    ("dictionary", Choice(&["--dictionary", "absent-dictionary"])),
    ("pad-ids", Named(&["--pad-ids", "0"], "ids that do not count are an option of the tokenizer `ids`")),
    ("begin-ids", Named(&["--begin-ids", "0"], "ids that do not count are an option of the tokenizer `ids`")),
    ("end-ids", Named(&["--end-ids", "0"], "ids that do not count are an option of the tokenizer `ids`")),
    (
        "exclude-ids",
        Named(&["--exclude-ids", "0"], "ids that do not count are an option of the tokenizer `ids`"),
    ),
    ("smooth-method", Choice(&["--smooth-method", "floor"])),
    (
        "smooth-value",
        Named(&["--smooth-method", "floor", "--smooth-value", "0.3"], "--smooth-method is an option of bleu"),
    ),
    ("chrf-char-order", Choice(&["--chrf-char-order", "2"])),
    ("chrf-word-order", Choice(&["--chrf-word-order", "1"])),
    ("chrf-beta", Choice(&["--chrf-beta", "3"])),
    ("chrf-whitespace", Choice(&["--chrf-whitespace"])),
    ("chrf-lowercase", Choice(&["--chrf-lowercase"])),
    ("chrf-eps-smoothing", Choice(&["--chrf-eps-smoothing"])),
    ("ter-case-sensitive", Choice(&["--ter-case-sensitive"])),
    ("ter-asian-support", Choice(&["--ter-asian-support", "--ter-normalized"])),
    ("ter-no-punct", Choice(&["--ter-no-punct"])),
    ("ter-normalized", Choice(&["--ter-normalized"])),
    ("id", Choice(&["--id", "id"])),
    ("records", Choice(&["--records", "results"])),
    ("system-column", Choice(&["--system-column", "system"])),
    ("where", Choice(&["--where", "id=1"])),
    ("given", Choice(&["--given", "never=absent-given"])),
    ("uem", Choice(&["--uem", "absent-uem"])),
    ("missing", Choice(&["--missing", "empty"])),
    ("missing-sessions", Choice(&["--missing-sessions", "skip"])),
    ("regex", Choice(&["--regex", "s.*"])),
    ("round-times", Choice(&["--round-times"])),
    ("exact", Choice(&["--exact"])),
    ("num-refs", Choice(&["--num-refs", "2"])),
    ("encoding", Choice(&["--encoding", "utf-8-sig"])),
    ("plain", Choice(&["--plain"])),
    ("source", Choice(&["--source", "absent-source"])),
    ("references", Choice(&["--references", "alternatives"])),
    ("reference-vectors", Choice(&["--reference-vectors", "absent-reference-vectors"])),
    ("vectors", Choice(&["--vectors", "A=absent-vectors"])),
    ("numbers", Choice(&["--numbers", "A=absent-numbers"])),
    ("from", Choice(&["--from", "lm-eval", "A=absent-from"])),
    ("heard", Choice(&["--heard"])),
    ("speakers", Choice(&["--speakers"])),
    ("keyed", Choice(&["--keyed"])),
    ("transcripts", Choice(&["--transcripts"])),
    ("turns", Choice(&["--turns"])),
    ("subtitles", Choice(&["--subtitles"])),
    ("markup", Choice(&["--markup"])),
    ("source-set", Choice(&["--source-set", "absent-source-set"])),
    ("translator", Choice(&["--translator", "A"])),
    ("results", Named(&["--results", "absent-results"], "it has no array `annotations`")),
    ("input", Choice(&["--input", "absent-input"])),
    ("stats", Choice(&["--stats", "absent-stats"])),
    ("learned", Listed("`compare` has none; `score --learned` is an error unless a metric learns")),
    ("save-learned", Listed("as --learned")),
    (
        "empty-references",
        Listed("the reader decides before any metric, and only if there is an empty reference"),
    ),
    ("segments", Listed("the data of this test")),
    ("columns", Listed("the names of the data of this test")),
    ("bad-lines", Listed("the reader decides before any metric")),
    ("metrics", Listed("the metric of this test")),
    ("signature", Listed("in place of a metric")),
    ("segment-weights", Listed("weights apply to every metric")),
    ("label", Listed("labels apply to every metric, and need --by")),
    ("by", Listed("groups of every metric")),
    ("unit", Listed("the unit of tests of every metric")),
    ("resegment", Listed("needs files of lines")),
    ("unlike-lengths", Listed("needs --resegment")),
    ("sentence-level", Listed("the output, for every metric")),
    ("confidence", Listed("a test of every metric")),
    ("confidence-n", Listed("a test of every metric")),
    ("paired-bs", Listed("a test of every metric")),
    ("paired-bs-n", Listed("a test of every metric")),
    ("paired-ar", Listed("a test of every metric")),
    ("paired-ar-n", Listed("a test of every metric")),
    ("paired-jobs", Listed("threads never change a number")),
    ("threads", Listed("threads never change a number")),
    ("test-set", Listed("in place of references")),
    ("echo", Listed("prints a test set")),
    ("list", Listed("lists the test sets")),
    ("quiet", Listed("messages alone")),
    ("force", Listed("messages alone")),
    ("format", Listed("the output")),
    ("short", Listed("the output")),
    ("score-only", Listed("the output")),
    ("width", Listed("the output")),
    ("no-color", Listed("the output")),
    ("overwrite", Listed("the output")),
    ("help", Listed("the output")),
];

/// Pairs of an option and the beginning of a metric's name for which other rules hold: these metrics read alternatives
/// anyway, and a normalizer removes the marks of tuples, so that they cannot be read.
const OTHERWISE: [(&str, &str); 4] =
    [("references", "alternatives_"), ("references", "sclite"), ("references", "nce"), ("norm", "spice")];

const TEXTS: &str = r#"{"id": "1", "hypothesis": "The cat, sat ON the mat!", "references": ["the cat sat on THE mat."], "source": "A cat sat.", "x": 1}
{"id": "2", "hypothesis": "\u4f60\u597d world (Dogs) run", "references": ["\u4f60 \u597d World dogs ran"], "source": "B c", "x": 0}
{"id": "3", "hypothesis": "No one's here - yet", "references": ["no ones HERE yet, no"], "source": "C d", "x": 1}
"#;
const TAGS: &str = r#"{"id": "1", "hypothesis": "B-per O", "references": ["B-PER O"]}
{"id": "2", "hypothesis": "O B-LOC", "references": ["O B-LOC"]}
"#;
const TUPLES: &str = r#"{"id": "1", "hypothesis": "[[\"Girl\", \"young\"]]", "references": ["[[\"girl\"], [\"court\"]]"]}
{"id": "2", "hypothesis": "[[\"court\"]]", "references": ["[[\"court\", \"green\"]]"]}
"#;
const SESSIONS: &str = r#"{"id": "1", "hypothesis": "[{\"speaker\": \"x\", \"start_time\": 0, \"end_time\": 2, \"words\": \"The cat, sat\"}]", "references": ["[{\"speaker\": \"A\", \"start_time\": 0, \"end_time\": 2, \"words\": \"the cat sat.\"}]"]}
{"id": "2", "hypothesis": "[{\"speaker\": \"x\", \"start_time\": 0, \"end_time\": 2, \"words\": \"On mats\"}]", "references": ["[{\"speaker\": \"A\", \"start_time\": 0, \"end_time\": 2, \"words\": \"on a mat\"}]"]}
"#;

/// Records of each form of data, with an id, which the second record has as `2`.
#[rustfmt::skip]
const FORMS: &[(&str, &str)] = &[
    ("prompt", r#"{"id": "1", "hypothesis": [1, 0, 1, 1, 0, 1, 0, 1, 1, 1], "references": [1]}"#),
    ("likelihood", r#"{"id": "1", "loglik": [-1, -2], "text": "A b", "weight": 2}"#),
    ("turns", r#"{"id": "1", "hypothesis": [["1", 0, 5], ["2", 5, 10]], "reference": [["A", 0, 4], ["B", 4, 10]], "source": [[0, 12]]}"#),
    ("delays", r#"{"id": "1", "hypothesis": {"delays": [800, 1600], "source_length": 2000}, "reference": "A b"}"#),
    ("subtitles", r#"{"id": "1", "hypothesis": [{"start": 1, "end": 3, "text": "Good morning"}], "reference": [{"start": 1, "end": 4, "text": "good day."}]}"#),
    ("texts", r#"{"id": "1", "hypothesis": ["B-A", "O"], "references": [["B-A", "O"]]}"#),
    ("timed-words", r#"{"id": "1", "hypothesis": [["The", 0, 1], ["cat", 1, 2]], "reference": [["the", 0, 1], ["cat", 1, 2]]}"#),
    ("confidences", r#"{"id": "1", "hypothesis": [{"word": "The", "probability": 0.9}], "reference": "the cat"}"#),
    ("spoken-text", r#"{"id": "1", "hypothesis": "The cat", "reference": "the cat", "source": [[1, 2, "animal"]]}"#),
    ("hypotheses", r#"{"id": "1", "hypothesis": ["The Cat", "a cat"], "reference": "the cat"}"#),
    ("heard", r#"{"id": "1", "hypothesis": [["the", 0.9], ["cat", 0.5]], "reference": "the dog"}"#),
    ("tokens", r#"{"id": "1", "text": "A b, c", "tokens": 3}"#),
    ("spans", r#"{"id": "1", "hypothesis": [["PER", 0, 0]], "reference": [["PER", 0, 0], ["LOC", 1, 1]]}"#),
    ("answer", r#"{"id": "1", "hypothesis": {"prediction_text": "York", "no_answer_probability": 0.1}, "references": [["york"]]}"#),
];

/// Metrics with further data, beyond those of the registry without options.
const FURTHER: [&str; 3] = ["drop:spans=list", "spans:tags=list", "spans:tags=spans"];

/// Returns every metric and preset that this build can make without files of the user.
fn metrics() -> Vec<(String, AnyMetric)> {
    let families = bleuprint::families();
    let registry = families.registry();
    let mut all = Vec::new();
    for entry in registry.entries() {
        let example = entry.needed_options.iter().map(|(name, value)| format!("{name}={value}"));
        let example = example.collect::<Vec<_>>().join(",");
        for name in std::iter::once(&*entry.name).chain(entry.presets.iter().map(|preset| preset.name)) {
            let specs = [name.to_owned(), format!("{name}:name=x,producer=p"), format!("{name}:{example}")];
            all.extend(specs.into_iter().find_map(|spec| Some((spec.clone(), registry.build(&spec).ok()?))));
        }
    }
    all.extend(FURTHER.map(|spec| (spec.to_owned(), registry.build(spec).unwrap())));
    all
}

/// Returns the texts of files of segments that the metric may take.
fn files(metric: &AnyMetric) -> Vec<String> {
    match (metric.view.kind, metric.view.parted, metric.view.form) {
        // Vectors are files beside the segments.
        (ViewKind::Vectors, ..) => Vec::new(),
        (_, Some(_), _) => vec![SESSIONS.to_owned()],
        (_, _, Some(form)) => {
            let record = FORMS.iter().find(|(known, _)| *known == form.name);
            let (_, record) = record.unwrap_or_else(|| panic!("no record of the form {}", form.name));
            vec![format!("{record}\n{}\n", record.replacen(r#""id": "1""#, r#""id": "2""#, 1))]
        }
        _ => [TEXTS, TAGS, TUPLES].map(str::to_owned).to_vec(),
    }
}

/// Counts a file of segments as `compare` and Python's `from_files` do. Returns everything that was counted.
fn count(file: &str, spec: &str, option: &[&str]) -> Result<String, String> {
    let arguments = [&["--segments", file, "-m", spec], option].concat();
    let run: Run = counted(&bleuprint::families(), arguments.into_iter().map(str::to_owned))?;
    let statistics = run.statistics(0).map_err(|error| error.to_string())?;
    Ok(format!("{statistics:?}"))
}

#[test]
fn every_option_over_every_metric_has_an_effect_or_is_refused() {
    let folder = Folder::new();
    let mut tried = 0;
    let mut wrong = Vec::new();
    for (spec, metric) in metrics() {
        let texts = files(&metric);
        let counts = |text: &String| {
            let file = folder.file("segments.jsonl", text);
            count(&file, &spec, &[]).map(|counts| (file, counts))
        };
        let tries: Vec<_> = texts.iter().map(counts).collect();
        let Some(text) = tries.iter().position(Result::is_ok) else {
            if !texts.is_empty() {
                wrong.push(format!("{spec}: {:?}", tries[0].as_ref().err()));
            }
            continue;
        };
        let (file, before) = counts(&texts[text]).unwrap();
        for (name, role) in OPTIONS {
            let (arguments, words) = match role {
                Choice(arguments) => (arguments, name),
                Named(arguments, words) => (arguments, words),
                Listed(_) => continue,
            };
            tried += 1;
            match count(&file, &spec, arguments) {
                Ok(after) if after != before => {}
                _ if OTHERWISE.iter().any(|(option, of)| option == name && spec.starts_with(of)) => {}
                Ok(_) => wrong.push(format!("{spec} {}: no effect and no error", arguments.join(" "))),
                Err(error) if error.contains(words) || error.contains(&format!("--{name} ")) => {}
                Err(error) => wrong.push(format!("{spec} {}: {error}", arguments.join(" "))),
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(tried > 4000, "{tried}");
}

#[test]
fn every_option_beside_numbers_has_an_effect_or_is_refused() {
    let folder = Folder::new();
    let text = r#"{"id": "b", "x": 1, "system": "S"}
{"id": "a", "x": 0.5, "system": "S"}
"#;
    let file = folder.file("numbers.jsonl", text);
    let file = format!("A={file}");
    let count = |option: &[&str]| {
        let arguments = [&["--numbers", &file, "-m", "given:name=x,producer=p"], option].concat();
        let run = counted(&bleuprint::families(), arguments.into_iter().map(str::to_owned))?;
        Ok::<String, String>(format!("{:?}", run.statistics(0).map_err(|error| error.to_string())?))
    };
    let before = count(&[]).unwrap();
    // It is given already, or in the words of other data.
    let others = ["numbers", "where", "given", "tokenizer-model", "dictionary"];
    for (name, role) in OPTIONS {
        let (arguments, words) = match role {
            Listed(_) => continue,
            Choice(arguments) => (arguments, name),
            Named(arguments, words) => (arguments, words),
        };
        let after = count(arguments);
        assert_ne!(after.as_ref(), Ok(&before), "{name}");
        let said = after.err().unwrap_or_else(|| (*name).to_owned());
        let names = said.contains(words)
            || arguments.iter().any(|argument| said.contains(argument.trim_start_matches('-')));
        assert!(names || others.contains(name), "{name}: {said}");
    }
    let error = count(&["--empty-references", "keep"]).unwrap_err();
    assert_eq!(error, "--empty-references is about files of texts, which are not given");
}

#[test]
fn every_option_of_score_is_in_the_table() {
    let help = stdout(&["score", "--help"]);
    // Options of single metrics are named at the end, several on a line.
    let (of_all, rest) = help.split_once("Options of single metrics").unwrap();
    let of_metrics = rest.lines().skip(1).take_while(|line| !line.is_empty()).flat_map(str::split_whitespace);
    // Continuations of descriptions are indented further.
    let listed: BTreeSet<&str> = of_all
        .lines()
        .filter(|line| !line.starts_with("       "))
        .chain(of_metrics)
        .filter_map(|line| {
            line.trim_start()
                .strip_prefix("--")
                .or(line.trim_start().split_once(", --").map(|(_, name)| name))
        })
        .map(|line| line.split([' ', '<', '[', '=']).next().unwrap())
        .collect();
    let known: BTreeSet<&str> = OPTIONS.iter().map(|(name, _)| *name).collect();
    let missing: Vec<_> = listed.difference(&known).collect();
    assert!(missing.is_empty(), "say what these options have to do with a metric: {missing:?}");
    for (name, role) in OPTIONS {
        assert!(!matches!(role, Listed("")), "{name}");
    }
}

/// Commands that count segments with metrics of the user's choice.
const DOORS: [&str; 4] = ["score", "compare", "stats", "report"];
/// All other commands, with the reason why no choice about texts can be lost there.
const OTHERS: &[(&str, &str)] = &[
    ("merge", "of statistics"),
    ("subtract", "of statistics"),
    ("show", "of statistics: options.case"),
    ("mbr", "pools of texts: options.case"),
    ("self", "pools of texts: options.case"),
    ("align", "no metric"),
    ("gate", "the policy has the metrics with their options"),
    ("meta", "reads outputs as `score` does"),
    ("normalize", "no metric"),
    ("track", "of statistics"),
    ("tokenize", "no metric"),
    ("resegment", "no metric"),
    ("turns", "no choice about texts"),
    ("transcripts", "words as sclite reads them"),
    ("explain", "tries all choices"),
    ("verify", "the signature decides"),
    ("dialects", "no data"),
    ("list", "no data"),
    ("cite", "no data"),
    ("completions", "no data"),
    ("man", "no data"),
    ("help", "no data"),
];

#[test]
fn every_command_that_counts_decides_alike() {
    for command in &commands_of_help() {
        let command = command.as_str();
        let known = DOORS.contains(&command) || OTHERS.iter().any(|(name, _)| *name == command);
        assert!(known, "say what `{command}` does with choices about texts");
    }
    let folder = Folder::new();
    for spec in ["bleu", "chrf", "given:name=x,producer=p", "cpwer", "pass", "oracle_wer"] {
        let metric = bleuprint::families().registry().build(spec).unwrap();
        let file = folder.file("segments.jsonl", &files(&metric)[0]);
        for option in [&["--tokenize", "char"][..], &["--norm", "lower"], &["--lowercase"]] {
            let taken = count(&file, spec, option).is_ok();
            for (at, door) in DOORS.iter().enumerate() {
                let place = folder.path(&format!("{spec}-{door}-{at}-{}", option.concat()));
                let mut arguments = vec![*door, "--segments", &file, "-m", spec, "-q"];
                arguments.extend(option);
                match *door {
                    "stats" | "report" => arguments.extend(["-o", &place]),
                    // A single system is compared with nothing, which is refused after the options.
                    "compare" if taken => continue,
                    _ => {}
                }
                let output = bleuprint(&arguments);
                let error = String::from_utf8_lossy(&output.stderr);
                // Lengths of references depend on the tokenizer, and are in statistics and reports.
                let lengths =
                    option[0] == "--tokenize" && spec == "chrf" && ["stats", "report"].contains(door);
                assert_eq!(output.status.success(), taken || lengths, "{arguments:?}: {error}");
                assert!(
                    taken || lengths || error.contains(" is given for all metrics, but "),
                    "{arguments:?}: {error}"
                );
            }
        }
    }
}
