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
    let folder = Folder::new("ter");
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
    let folder = Folder::new("wer");
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
    let folder = Folder::new("ter-line");
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
    let folder = Folder::new("wer-tokens");
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
    let folder = Folder::new("edit-bad");
    let (empty, one) = (folder.file("empty", "\n"), folder.file("one", "a\n"));
    for metric in ["ter", "wer", "cer", "mer", "wil", "wip", "error_rate"] {
        for (reference, system) in [(&empty, &one), (&one, &empty), (&empty, &empty), (&one, &one)] {
            let output = bleuprint(&["score", reference, "-i", system, "-m", metric], b"");
            assert!(output.status.success(), "{metric}: {}", String::from_utf8_lossy(&output.stderr));
        }
        refused(&["score", "-i", &one, "-m", metric], b"", &["reference"]);
    }
}
