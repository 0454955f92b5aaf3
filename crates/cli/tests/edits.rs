//! The golden cases of TER and of the error rates through the door of the command line.

mod common;

use bleuprint_testkit::edits::{ter_cases, wer_cases};
use common::{Folder, bleuprint, refused, stdout};
use serde_json::Value;

/// Line files cannot say a line break within a segment.
fn is_one_line(text: &str) -> bool {
    !text.contains(['\n', '\r'])
}

fn lines<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    texts.into_iter().flat_map(|text| [text, "\n"]).collect()
}

fn json(arguments: &[String]) -> Value {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    serde_json::from_str(&stdout(&arguments, b"")).unwrap()
}

fn bits(value: &Value) -> u64 {
    value.as_f64().unwrap().to_bits()
}

#[test]
fn golden_cases_of_ter() {
    let folder = Folder::new();
    let mut compared = 0;
    for case in ter_cases().iter().filter(|case| case.has_exact_lengths()) {
        let streams: Option<Vec<Vec<&str>>> =
            case.references.iter().map(|stream| stream.iter().map(Option::as_deref).collect()).collect();
        let Some(streams) = streams else { continue };
        if !case
            .hypotheses
            .iter()
            .map(String::as_str)
            .chain(streams.iter().flatten().copied())
            .all(is_one_line)
        {
            continue;
        }
        let mut arguments = vec!["score".to_owned()];
        for (i, stream) in streams.iter().enumerate() {
            arguments.push(folder.file(&format!("ref{i}"), lines(stream.iter().copied())));
        }
        let system = folder.file("sys", lines(case.hypotheses.iter().map(String::as_str)));
        let options = ["-i", &system, "-m", "ter", "--empty-references", "keep"];
        arguments.extend(options.map(str::to_owned));
        let flags = case.options.named().into_iter().filter(|(_, value)| *value == "yes");
        arguments.extend(flags.map(|(name, _)| format!("--{name}")));
        let json = json(&arguments);
        assert_eq!(bits(&json["score"]), case.expected.score.to_bits(), "{}", case.name);
        assert_eq!(json["num_edits"], case.expected.num_edits, "{}", case.name);
        assert_eq!(bits(&json["ref_length"]), case.expected.ref_length.to_bits(), "{}", case.name);
        let theirs = case.expected.signature.replace("2.6.0", json["version"].as_str().unwrap());
        assert_eq!(json["signature"], theirs, "{}", case.name);
        compared += 1;
    }
    assert!(compared > 150, "only {compared} cases");
}

#[test]
fn golden_cases_of_the_error_rates() {
    let folder = Folder::new();
    let mut compared = 0;
    for case in wer_cases() {
        let texts = || case.hypotheses.iter().chain(&case.references);
        if !texts().all(|text| is_one_line(text)) {
            continue;
        }
        let reference = folder.file("ref", lines(case.references.iter().map(String::as_str)));
        let system = folder.file("sys", lines(case.hypotheses.iter().map(String::as_str)));
        let arguments = ["score", &reference, "-i", &system, "-m", "wer", "cer", "mer", "wil", "wip"];
        let json = json(&arguments.map(str::to_owned));
        let rates = [
            ("WER", case.words.wer),
            ("CER", case.characters.cer),
            ("MER", case.words.mer),
            ("WIL", case.words.wil),
            ("WIP", case.words.wip),
        ];
        assert_eq!(json.as_array().unwrap().len(), rates.len());
        for (name, rate) in rates {
            let scored = json.as_array().unwrap().iter().find(|scored| scored["name"] == name).unwrap();
            let counts = if scored["name"] == "CER" { case.characters } else { case.words };
            assert_eq!(bits(&scored["score"]), rate.unwrap().to_bits(), "{}: {}", case.name, scored["name"]);
            assert_eq!(scored["hits"], counts.hits, "{}", case.name);
            assert_eq!(scored["substitutions"], counts.substitutions, "{}", case.name);
            assert_eq!(scored["deletions"], counts.deletions, "{}", case.name);
            assert_eq!(scored["insertions"], counts.insertions, "{}", case.name);
        }
        compared += 1;
    }
    assert!(compared > 150, "only {compared} cases");
}

#[test]
fn ter_prints_as_sacrebleu_does() {
    let folder = Folder::new();
    let reference = folder.file("ref", "a b c d e f g h\nThe cat.\n");
    let system = folder.file("sys", "d e f g h a b c\nthe cat .\n");
    let run = |options: &[&str]| {
        stdout(&[&["score", &reference, "-i", &system, "-m", "ter"], options].concat(), b"")
    };
    let signature = "nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:";
    let line = run(&["-f", "text", "-w", "2"]);
    assert!(line.starts_with(&format!("TER|{signature}")) && line.ends_with(" = 30.00\n"), "{line}");
    // Neither the tokenizer nor the case of BLEU is TER's.
    let line = run(&["-f", "text", "-tok", "char", "-lc"]);
    assert!(line.starts_with(&format!("TER|{signature}")), "{line}");
    let line = run(&["-f", "text", "--ter-normalized", "--ter-case-sensitive", "-sh"]);
    assert!(line.starts_with("TER|#:1|c:mixed|t:tercom|nr:yes|pn:yes|as:no|v:"), "{line}");
    // One line per segment.
    assert_eq!(run(&["-sl", "-b", "-w", "3"]), "12.500\n100.000\n");
}

#[test]
fn the_tokens_of_error_rates_can_be_chosen() {
    let folder = Folder::new();
    let (reference, system) = (folder.file("ref", "The cat.\n"), folder.file("sys", "the cat .\n"));
    let run = |options: &[&str]| {
        stdout(
            &[&["score", &reference, "-i", &system, "-m", "wer", "-f", "text", "-w", "3"], options].concat(),
            b"",
        )
    };
    assert!(run(&[]).contains("|case:mixed|tok:jiwer|version:"));
    assert!(run(&[]).contains("= 1.50000 "), "{}", run(&[]));
    assert!(run(&["-tok", "13a", "-lc"]).contains("|case:lc|tok:13a|version:"));
    assert!(run(&["-tok", "13a", "-lc"]).contains("= 0.00000 "));
}

#[test]
fn bad_input_is_refused_or_has_a_score() {
    let folder = Folder::new();
    let (empty, one) = (folder.file("empty", "\n"), folder.file("one", "a\n"));
    for metric in ["ter", "wer", "cer", "mer", "wil", "wip", "error_rate"] {
        for (reference, system) in [(&empty, &one), (&one, &empty), (&empty, &empty), (&one, &one)] {
            let output = bleuprint(&["score", reference, "-i", system, "-m", metric], b"");
            assert!(output.status.success(), "{metric}: {}", String::from_utf8_lossy(&output.stderr));
        }
        refused(&["score", "-i", &one, "-m", metric], b"", &["reference"]);
    }
}

/// `align --like jiwer` prints the texts of jiwer 4, word for word, for the corpora of the specification where it is present.
#[test]
fn alignments_are_printed_as_jiwer_prints_them() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/spec/speech-golden.json");
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let golden: Value = serde_json::from_str(&text).unwrap();
    let folder = Folder::new();
    let texts = |list: &Value| lines(list.as_array().unwrap().iter().filter_map(Value::as_str));
    for corpus in golden["error_tables"].as_array().unwrap() {
        let (reference, system) =
            (folder.file("ref", texts(&corpus["refs"])), folder.file("sys", texts(&corpus["hyps"])));
        let tokenizer = if corpus["level"] == "char" { "jiwer-char" } else { "jiwer" };
        let arguments = ["align", &reference, "-i", &system, "--like", "jiwer", "--tokenize", tokenizer];
        let expected = ["alignment_text", "counts_text"].map(|key| corpus[key].as_str().unwrap().trim_end());
        assert_eq!(stdout(&arguments, b"").trim_end(), expected.join("\n\n"));
    }
}

#[test]
fn alignments_are_shown_with_their_tables() {
    let folder = Folder::new();
    let reference = folder.file("ref", "the cat sat down\nسلام عليكم\nall right\n");
    let system = folder.file("sys", "a cat sat\nسلام عليك\nall right\n");
    let speakers = folder.file("speakers", "ann\nben\nann\n");
    let run =
        |options: &[&str]| stdout(&[&["align", &reference, "-i", &system, "-q"], options].concat(), b"");
    let text = run(&["--tables"]);
    let first = "segment 1: 2 errors in 4 words (S 1, D 1, I 0)\n\
                 REF:  the cat sat down\n\
                 HYP:  a   cat sat ****\n\
                 EVAL: S           D\n\n\
                 segment 2: 1 errors in 2 words (S 1, D 0, I 0)\n";
    assert!(text.starts_with(first), "{text}");
    for part in [
        "\u{2068}عليكم\u{2069}",
        "WER|nrefs:1|case:mixed|tok:jiwer|version:",
        " = 0.3750 (hits = 5 ",
        "2 of 3 segments have errors",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(run(&["--all"]).contains("segment 3: 0 errors in 2 words"));
    assert!(!run(&["--min-errors", "2"]).contains("segment 2"));
    assert!(
        run(&["--vertical"])
            .starts_with("segment 1: 2 errors in 4 words (S 1, D 1, I 0)\nS the -> a\n  cat -> cat\n")
    );
    assert!(run(&["--alignment", "kaldi"]).contains("|alignment:kaldi|version:"));
    assert!(
        run(&["-f", "csv"]).starts_with(
            "segment,id,operation,reference,hypothesis\n1,,substitution,the,a\n1,,hit,cat,cat\n"
        )
    );
    assert!(run(&["-f", "csv", "--tables"]).contains("\nconfusions,the,a,1,1,1.0000,1\n"));

    let json: Vec<Value> = run(&["-f", "json", "--label", &format!("speaker={speakers}"), "--by", "speaker"])
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let [first, _, all] = &json[..] else { panic!("two segments and the tables") };
    assert_eq!(first["operations"][0], serde_json::json!(["substitution", 0, 1, 0, 1]));
    assert_eq!(all["deletions"][0]["word"], "down");
    assert_eq!(
        (&all["groups"][0]["group"], &all["groups"][0]["segments"]),
        (&Value::from("ann"), &Value::from(2))
    );
    let score: Value =
        serde_json::from_str(&stdout(&["score", &reference, "-i", &system, "-m", "wer"], b"")).unwrap();
    for count in ["hits", "substitutions", "deletions", "insertions"] {
        assert_eq!(all["counts"][count], score[count], "{count}");
    }
    refused(&["align", "-i", &system], b"", &["needs references"]);
    refused(&["align", &reference, "-i", &system, &system], b"", &["one system"]);
    refused(&["align", &reference, "-i", &system, "--by", "speaker"], b"", &["no label `speaker`"]);
}
