//! Texts and files that are refused, with place and limit.

use bleuprint_core::Segment;
use bleuprint_sclite::{Heard, Nce, Settings, aligned, transcripts};

fn error(text: &str) -> String {
    aligned("a", text, Settings::default()).unwrap_err().to_string()
}

#[test]
fn texts_that_are_no_networks_are_refused() {
    let cases = [
        ("{ }", "character 3: an alternative without a word"),
        ("a { b / }", "character 9: an alternative without a word"),
        ("é {b / {c}", "character 3: this brace is not closed"),
        ("a b }", "character 5: this brace closes nothing"),
        ("a}", "character 2: this brace closes nothing"),
        ("a{b/c}", "character 2: a brace within a word"),
    ];
    for (text, expected) in cases {
        assert!(error(text).contains(expected), "{text}: {}", error(text));
    }
    assert!(error(&"{ ".repeat(100_000)).contains("character 201: more than 100 braces within each other"));
    // Each of 2,000 alternatives has a predecessor in each of 2,000: arcs are shared, so that is no explosion.
    let many = format!("{{ {} }} ", vec!["a"; 2_000].join(" / "));
    assert!(aligned("a a", &many.repeat(2), Settings::default()).is_ok());
    assert!(error(&"{ a / b } ".repeat(140_000)).contains("at most 2^19"));
    let long = "a ".repeat(20_000);
    assert!(aligned(&long, &long, Settings::default()).unwrap_err().to_string().contains("at most 2^28"));
    // 2^40 paths.
    assert!(aligned("b", &"{ a / b } ".repeat(40), Settings::default()).is_ok());
}

#[test]
fn words_and_confidences_that_do_not_agree_are_refused() {
    use bleuprint_core::{Accumulator, InputError};
    let refused = |heard: &[(&str, Option<f64>)]| -> InputError {
        let heard = Heard(heard.iter().map(|(word, confidence)| ((*word).to_owned(), *confidence)).collect());
        let mut all = Accumulator::<_, Heard, String, Heard>::new(Nce::new(Settings::default()));
        all.push_segment(Segment::of(&heard, &[&"a".to_owned()], None)).unwrap_err()
    };
    assert!(refused(&[("a", Some(1.5))]).to_string().contains("from 0 to 1"));
    assert!(refused(&[("a", Some(f64::NAN))]).to_string().contains("from 0 to 1"));
    assert!(refused(&[("a", None)]).to_string().contains("0 confidences of 1 word;"));
    assert!(
        refused(&[("{", Some(0.5)), ("a", Some(0.5)), ("}", None)]).to_string().contains("2 confidences")
    );
}

#[test]
fn lines_of_files_are_refused_with_file_and_line() {
    let folder = bleuprint_testkit::Folder::new();
    let file = |name: &str, text: &str| folder.file(name, text).to_string_lossy().into_owned();
    let stm = "f 1 s 0 1 <o,f0,m> a\n";
    let cases = [
        ("r.stm", "f 1 s 0\n", "h.ctm", "", "r.stm: line 1: 4 fields"),
        ("r.stm", "f 1 s 2 1 a\n", "h.ctm", "", "before its start"),
        ("r.stm", "f 1 s -1 1 a\n", "h.ctm", "", "the start -1 is below 0"),
        ("r.stm", stm, "h.ctm", ";; x\nf 1 inf 1 a\n", "h.ctm: line 2: the start `inf`"),
        ("r.stm", stm, "h.ctm", "f 1 0 1 a 1.5\n", "the confidence 1.5 is not from 0 to 1"),
        ("r.stm", stm, "h.ctm", "f 1 0 1 a 0.5 b\n", "h.ctm: line 1: `b` after the confidence"),
        ("r.stm", stm, "h.ctm", "f 1 0 1 a\nf 1 * * <ALT>\n", "h.ctm: line 2: `<ALT>` without <ALT_BEGIN>"),
        ("r.stm", stm, "h.ctm", "f 1 * * <ALT_BEGIN>\nf 1 0 1 a\n", "h.ctm: line 1: these alternatives"),
        ("r.stm", stm, "h.ctm", "g 1 0 1 a\n", "has no segment of file `g`"),
        ("r.trn", "a (x)\na (x)\n", "h.trn", "", "r.trn: line 2: the utterance `x` is there twice"),
        ("r.trn", "a (x)\n", "h.trn", "b (y)\n", "h.trn: line 1: "),
        ("r.trn", "a (x)\n", "h.trn", "", "r.trn: line 1: "),
        ("r.trn", "a\n", "h.trn", "", "ends in the id"),
        ("r.txt", "a\n", "h.txt", "", "end in .stm and .ctm"),
    ];
    for (reference, text, hypothesis, other, expected) in cases {
        let found = transcripts(&file(reference, text), &file(hypothesis, other)).unwrap_err().to_string();
        assert!(found.contains(expected), "{found}");
    }
}
