//! Help that fits a screen: options of metrics are said with their metric, where the program shows them.

use crate::common::{Folder, parsed, refused, stdout};

#[test]
fn options_of_metrics_end_with_their_new_spelling() {
    let folder = Folder::new();
    let file = folder.file("ref", "a b c d\n");
    let spelled = |arguments: &[&str], said: &str| {
        let message = format!("said with its metric: -m {said}");
        refused(&[&["score", &file, "-i", &file], arguments].concat(), &[&message]);
    };
    spelled(&["--meteor-alpha", "0.8", "-m", "meteor"], "meteor:alpha=0.8\n");
    spelled(&["--max-order=2"], "bleu:max-order=2\n");
    spelled(&["-m", "gleu", "--max-order", "2"], "gleu:max-order=2\n");
    spelled(&["--weights", "0.5,0.5"], "bleu:weights=0.5/0.5\n");
    spelled(&["-m", "rouge", "--rouge-stemmer"], "rouge:stemmer\n");
    spelled(&["-m", "distinct", "--distinct-order"], "distinct:order=VALUE\n");
    // The beginning of `--overwrite`, for which it must not be taken.
    spelled(&["-m", "given:name=x", "--over", "y"], "given:over=y\n");
    for command in ["compare", "stats", "report", "verify", "mbr", "self", "show"] {
        refused(&[command, &file, "--dialect", "hf"], &["-m bleu:dialect=hf"]);
    }
    refused(&["meta", "--human", &file, "--dialect", "hf"], &["-m bleu:dialect=hf"]);
}

#[test]
fn a_metric_shows_its_options() {
    let meteor = stdout(&["help", "meteor"]);
    assert_eq!(stdout(&["list", "metrics", "meteor"]), meteor);
    for words in [
        "Options, as in -m meteor:alpha=0.9:",
        "  wordnet=PATH  The folder of a WordNet 3 database",
        "  alpha=X       The weight of precision against recall: 0 is precision alone, 1 recall alone (from 0 to 1) [default: 0.9]",
    ] {
        assert!(meteor.contains(words), "{words} is not in {meteor}");
    }
    assert!(stdout(&["help", "coco"]).contains("cider_d: "));
    assert!(stdout(&["help", "rougeL"]).starts_with("rouge: "));
    assert!(stdout(&["help", "score"]).contains("--sentence-level"));
    refused(&["help", "metoer"], &["unknown command or metric `metoer`", "did you mean `meteor`?"]);
    refused(&["list", "tokenizers", "13a"], &["tokenizers are listed all together"]);
    let all = parsed(&["list", "metrics", "-f", "json"]);
    assert_eq!(
        parsed(&["list", "metrics", "meteor", "-f", "json"])[0]["options"][1]["limits"],
        "from 0 to 1"
    );
    let listed = |name: &str| all.as_array().unwrap().iter().any(|metric| metric["name"] == name);
    assert!(bleuprint::registry().entries().iter().all(|entry| listed(entry.name)), "{all}");
}

#[test]
fn examples_of_metrics_are_metrics() {
    let registry = bleuprint::registry();
    for entry in registry.entries() {
        let help = stdout(&["help", entry.name]);
        let Some((_, rest)) = help.split_once("Options, as in -m ") else {
            assert!(entry.options.is_empty(), "{help}");
            continue;
        };
        let example = rest.lines().next().unwrap().trim_end_matches(':');
        registry.build(example).unwrap_or_else(|error| panic!("{example}: {error}"));
    }
}

#[test]
fn short_help_has_what_most_people_want() {
    let options = |help: &str| help.lines().filter(|line| line.trim_start().starts_with('-')).count();
    let (short, long) = (stdout(&["score", "-h"]), stdout(&["score", "--help"]));
    // Eight, and that of the help itself.
    assert_eq!(options(&short), 9, "{short}");
    assert!(short.lines().count() <= 40 && short.contains("Examples:"), "{short}");
    assert!(options(&long) < 80, "{}", options(&long));
    for group in ["Input:", "Metrics:", "Tokens:", "Output:", "Intervals and tests:"] {
        assert!(long.lines().any(|line| line == group), "{group}");
    }
}
