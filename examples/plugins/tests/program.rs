//! The program on the example data with its metrics, its tokenizer in the commands that take one, and a feature of
//! `bleuprint-cli` that it lacks.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The output of the program, standard and on errors.
fn run(folder: &Path, arguments: &[&str]) -> (String, String) {
    let program = env!("CARGO_BIN_EXE_bleuprint-plugins");
    let output = Command::new(program).args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn the_example_data_have_scores_of_our_metrics_and_of_its_own() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
    let files = ["score", "en.ref1.txt", "-i", "en.sys-a.txt", "-f", "text", "-m"];
    let metrics = ["bleu", "unigram_f", "distinct_tokens"];
    let (out, error) = run(&data, &[&files[..], &metrics].concat());
    let names: Vec<&str> = out.lines().map(|line| line.split('|').next().unwrap_or(line).trim()).collect();
    assert_eq!(names, ["BLEU", "distinct_tokens", "unigram_f"], "{out}{error}");
}

/// A folder of this test alone.
fn folder(test: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("bleuprint-plugins-{}-{test}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn without_the_feature_tables_of_arrow_are_refused_by_name() {
    let folder = folder("arrow");
    for (name, text) in [("table.arrow", "ARROW1\0\0"), ("ref", "a b\n"), ("sys", "a b\n")] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let (_, error) = run(&folder, &["show", "table.arrow"]);
    for word in ["table.arrow", "a table of Arrow", "feature `arrow`"] {
        assert!(error.contains(word), "{word}: {error}");
    }
    let (_, error) = run(&folder, &["stats", "ref", "-i", "sys", "--format", "arrow", "-o", "x"]);
    for word in ["--format arrow", "feature `arrow`"] {
        assert!(error.contains(word), "{word}: {error}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_family_has_a_command_and_a_page() {
    let folder = folder("family");
    for (name, text) in [("endings", "ing\n"), ("sys", "He sings\nHe is singing\n")] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let (out, error) = run(&folder, &["vocabulary", "sys", "--tokenize", "endings:endings"]);
    assert_eq!((&*out, &*error), ("5 different tokens\n", ""));
    let (_, error) = run(&folder, &["vocabulary", "none"]);
    assert!(error.contains("error: none: "), "{error}");
    let (out, _) = run(&folder, &["list", "families"]);
    assert!(out.contains("mine           Metrics of my own [auc calibration "), "{out}");
    let (out, _) = run(&folder, &["list", "families", "mine"]);
    assert!(out.ends_with("`--tokenize endings:FILE`.\n"), "{out}");
    let (out, error) = run(&folder, &["help", "vocabulary"]);
    assert!(out.contains("--tokenize <NAME>"), "{out}{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn every_command_knows_the_reader() {
    let folder = folder("reader");
    for (name, text) in [
        ("qrels", "q1 0 a 2\nq1 0 b 1\nq2 0 c 1\n"),
        ("best", "q1 Q0 a 1 9.5 x\nq1 Q0 b 2 9.0 x\nq2 Q0 c 1 3.0 x\n"),
        ("half", "q1 Q0 b 2 9.0 x\nq1 Q0 a 1 9.5 x\n"),
        ("short", "q1 Q0 a 1\n"),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    for (command, words) in [
        ("score qrels -i best half -f text", ["1.000", "0.500"]),
        ("compare qrels -i best half --resamples 50", ["1.0000", "0.5000"]),
        ("stats qrels -i best -o best.stats", ["2 segments", "best"]),
        ("report qrels -i best half -o page.html", ["2 systems", "2 segments"]),
        ("score qrels -i short", ["short: line 1: 4 fields", "but 6 are expected"]),
    ] {
        let (out, error) = run(&folder, &format!("{command} --trec -m ndcg").split(' ').collect::<Vec<_>>());
        assert!(
            words.iter().all(|word| out.contains(word) || error.contains(word)),
            "{command}: {out}{error}"
        );
    }
    let (_, error) = run(&folder, &["score", "qrels", "-i", "best", "--trec", "-m", "bleu"]);
    assert!(error.contains("--trec gives rankings; give -m ndcg"), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn metrics_over_metrics_find_ours() {
    let folder = folder("over");
    let samples = r#"{"hypothesis": ["a b", "a c", "x"], "reference": "a c"}"#;
    std::fs::write(folder.join("samples.jsonl"), format!("{samples}\n")).unwrap();
    let spec = "best:of=unigram_f,k=3";
    let (out, error) =
        run(&folder, &["score", "--segments", "samples.jsonl", "-m", spec, "-f", "text", "-b"]);
    assert_eq!((out.trim_end(), &*error), ("1.000", ""));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn every_command_knows_the_tokenizer() {
    let folder = folder("tokenizer");
    for (name, text) in [("endings", "ing\ned\n"), ("ref", "He walked home\n"), ("sys", "He walking home\n")]
    {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let out = |arguments: &str| {
        let (out, error) = run(&folder, &arguments.split(' ').collect::<Vec<_>>());
        assert!(error.is_empty(), "{arguments}: {error}");
        out
    };
    assert!(out("list tokenizers").contains("\nendings          words with their endings cut off, by "));
    assert_eq!(out("tokenize --tokenize endings --tokenizer-model endings ref"), "He walk ed home\n");
    // Three of four tokens match, and two of four without endings: the stem does, the ending does not.
    for tokens in ["-m wer --tokenize endings:endings", "-m wer:tokenize=endings:endings"] {
        let score = out(&format!("score ref -i sys -f text {tokens}"));
        assert!(score.contains("|tok:endings#ing,ed|") && score.contains(" = 0.2"), "{score}");
    }
    let explained = out("explain ref -i sys --tokenizers endings:endings");
    assert!(explained.contains("endings:endings"), "{explained}");
    let signature = "WER|nrefs:1|case:mixed|tok:endings#ing,ed|version:bleuprint-0.1.0";
    let verified =
        out(&format!("verify --score 0.25 --signature {signature} ref -i sys --tokenizer-model endings"));
    assert!(verified.starts_with("yes: "), "{verified}");
    let (_, error) = run(&folder, &["score", "ref", "-i", "sys", "--tokenize", "endings"]);
    assert!(error.contains("the list of endings is not usable: no file was given"), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}
