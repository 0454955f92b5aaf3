//! TER and the error rates, and alignments as text and tables.

use crate::common::{Folder, bleuprint, parsed, refused, stdout};
use serde_json::Value;

#[test]
fn ter_prints_as_sacrebleu_does() {
    let folder = Folder::new();
    let reference = folder.file("ref", "a b c d e f g h\nThe cat.\n");
    let system = folder.file("sys", "d e f g h a b c\nthe cat .\n");
    let run =
        |options: &[&str]| stdout(&[&["score", &reference, "-i", &system, "-m", "ter"], options].concat());
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
            let output = bleuprint(&["score", reference, "-i", system, "-m", metric]);
            assert!(output.status.success(), "{metric}: {}", String::from_utf8_lossy(&output.stderr));
        }
        refused(&["score", "-i", &one, "-m", metric], &["reference"]);
    }
}

#[test]
fn alignments_are_shown_with_their_tables() {
    let folder = Folder::new();
    let reference = folder.file("ref", "the cat sat down\nسلام عليكم\nall right\n");
    let system = folder.file("sys", "a cat sat\nسلام عليك\nall right\n");
    let speakers = folder.file("speakers", "ann\nben\nann\n");
    let run = |options: &[&str]| stdout(&[&["align", &reference, "-i", &system, "-q"], options].concat());
    let text = run(&["--tables"]);
    let first = "segment 1: 2 errors in 4 words (S 1, D 1, I 0)\n\
                 REF:  the cat sat down\n\
                 HYP:  a   cat sat ****\n\
                 EVAL: S           D\n\n\
                 segment 2: 1 error in 2 words (S 1, D 0, I 0)\n";
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
    let score: Value = parsed(&["score", &reference, "-i", &system, "-m", "wer"]);
    for count in ["hits", "substitutions", "deletions", "insertions"] {
        assert_eq!(all["counts"][count], score[count], "{count}");
    }
    refused(&["align", "-i", &system], &["needs references"]);
    refused(&["align", &reference, "-i", &system, &system], &["one system"]);
    refused(&["align", &reference, "-i", &system, "--by", "speaker"], &["no label `speaker`"]);
}
