//! Tests of rejected texts and files, whose errors name place and limit.

use bleuprint_core::Segment;
use bleuprint_sclite::{Heard, Nce, ScliteSettings, aligned, read_sgml, transcripts};

fn error(text: &str) -> String {
    aligned("a", text, ScliteSettings::default()).unwrap_err().to_string()
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
    assert!(error(&"{ ".repeat(100_000)).contains("character 201: more than 100 nested braces"));
    // Each of 2,000 alternatives has 2,000 predecessors. Arcs are shared, so the size stays small.
    let many = format!("{{ {} }} ", vec!["a"; 2_000].join(" / "));
    assert!(aligned("a a", &many.repeat(2), ScliteSettings::default()).is_ok());
    assert!(error(&"{ a / b } ".repeat(140_000)).contains("at most 2^19"));
    let long = "a ".repeat(20_000);
    assert!(
        aligned(&long, &long, ScliteSettings::default()).unwrap_err().to_string().contains("at most 2^28")
    );
    // The text has 2^40 paths, which are never listed.
    assert!(aligned("b", &"{ a / b } ".repeat(40), ScliteSettings::default()).is_ok());
}

#[test]
fn words_and_confidences_that_do_not_agree_are_refused() {
    use bleuprint_core::{Accumulator, InputError};
    let refused = |heard: &[(&str, Option<f64>)]| -> InputError {
        let heard = Heard(heard.iter().map(|(word, confidence)| ((*word).to_owned(), *confidence)).collect());
        let mut all = Accumulator::<_, Heard, String, Heard>::new(Nce::new(ScliteSettings::default()));
        all.push_segment(Segment::with_source(&heard, &[&"a".to_owned()], None)).unwrap_err()
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
        ("r.stm", "f 1 s -1 1 a\n", "h.ctm", "", "the start is -1, but must be from 0 to 1e7 seconds"),
        ("r.stm", stm, "h.ctm", ";; x\nf 1 inf 1 a\n", "h.ctm: line 2: the start `inf`"),
        ("r.stm", stm, "h.ctm", "f 1 0 1 a 1.5\n", "the confidence 1.5 is not from 0 to 1"),
        ("r.stm", stm, "h.ctm", "f 1 0 1 a 0.5 b\n", "h.ctm: line 1: `b` after the confidence"),
        ("r.stm", stm, "h.ctm", "f 1 0 1 a\nf 1 * * <ALT>\n", "h.ctm: line 2: `<ALT>` needs <ALT_BEGIN>"),
        ("r.stm", stm, "h.ctm", "f 1 * * <ALT_BEGIN>\nf 1 0 1 a\n", "h.ctm: line 1: these alternatives"),
        ("r.stm", stm, "h.ctm", "g 1 0 1 a\n", "has no segment of file `g`"),
        ("r.trn", "a (x)\na (x)\n", "h.trn", "", "r.trn: line 2: the utterance `x` occurs twice"),
        ("r.trn", "a (x)\n", "h.trn", "b (y)\n", "h.trn: line 1: "),
        ("r.trn", "a (x)\n", "h.trn", "", "r.trn: line 1: "),
        ("r.trn", "a\n", "h.trn", "", "must end with the id"),
        ("r.txt", "a\n", "h.txt", "", "end in .stm and .ctm"),
    ];
    for (reference, text, hypothesis, other, expected) in cases {
        let found =
            transcripts(&file(reference, text), &file(hypothesis, other), false).unwrap_err().to_string();
        assert!(found.contains(expected), "{found}");
    }
}

/// Two segments of two speakers, in the form that `sclite -o sgml` writes.
const SGML: &str = r#"<SYSTEM title="h" opt_del="FALSE" frag_corr="FALSE">
<LABEL id="o" title="Overall" desc="">
</LABEL>
<SPEAKER id="ann">
<PATH id="(ann(1))" word_cnt="2" file="f" channel="1" R_T1="0.000" R_T2="2.000" word_aux="h_t1+t2,h_conf">
C,"a","a",0.100+0.400,0.900000:D,"b",,,
</PATH>
</SPEAKER>
<SPEAKER id="bob">
<PATH id="(bob-0)" word_cnt="1" file="f" channel="1" R_T1="2.000" R_T2="4.000" word_aux="h_t1+t2,h_conf">
I,,"c",2.000+3.000,0.500000
</PATH>
</SPEAKER>
</SYSTEM>
"#;

#[test]
fn alignments_in_sgml_are_refused_with_file_and_line() {
    let folder = bleuprint_testkit::Folder::new();
    let read = |text: &str| read_sgml(&folder.file("a.sgml", text).to_string_lossy());
    let cases = [
        ("0.100+0.400", "nan+0.400", "line 6: the times `nan` and `0.400` are not"),
        ("0.100+0.400", "0.100+inf", "line 6: the times `0.100` and `inf` are not"),
        ("0.100+0.400", "0.400+0.100", "line 6: the times `0.400` and `0.100` are not"),
        ("0.100+0.400", "0.100", "line 6: the times `0.100` and `` are not"),
        ("0.900000", "x", "line 6: the confidence `x` is not from 0 to 1"),
        ("0.900000", "NaN", "line 6: the confidence `NaN` is not from 0 to 1"),
        ("0.900000", "1.5", "line 6: the confidence `1.5` is not from 0 to 1"),
        (",0.900000", "", "line 6: `a` has 1 field after its words, but word_aux=\"h_t1+t2,h_conf\""),
        ("R_T1=\"0.000\"", "R_T1=\"NaN\"", "line 5: the times `NaN` and `2.000` are not"),
        ("R_T2=\"2.000\"", "R_T2=\"inf\"", "line 5: the times `0.000` and `inf` are not"),
        ("R_T1=\"0.000\"", "R_T1=\"-1\"", "line 5: the times `-1` and `2.000` are not"),
        ("</PATH>\n</SPEAKER>\n<SPEAKER id=\"bob\">\n", "", "line 7: no </PATH> before this element"),
        ("</PATH>\n</SPEAKER>", "</SPEAKER>", "line 7: no </PATH> before this element"),
        ("<SPEAKER id=\"bob\">\n", "", "line 9: no <SPEAKER ..> before this element"),
        ("</LABEL>\n", "</SYSTEM>\n<SYSTEM>\n", "line 4: a second <SYSTEM ..>"),
        (SGML, "", "a.sgml: the file has no <SYSTEM ..>"),
    ];
    for (from, to, expected) in cases {
        let found = read(&SGML.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(found.contains("a.sgml: ") && found.contains(expected), "{found}");
    }
    // The file is cut short after each of its lines.
    for end in SGML.match_indices('\n').map(|(at, _)| at).filter(|at| at + 1 < SGML.len()) {
        let found = read(&SGML[..end]).unwrap_err().to_string();
        assert!(found.contains("a.sgml: line ") && found.ends_with("the file is cut short"), "{found}");
    }
    // The element names the fields of its words; fields of weights are not confidences.
    let words = |text: &str| {
        let (_, all) = read(text).unwrap();
        let words = all.into_iter().flat_map(|(one, _)| one.hypothesis);
        words.map(|word| (word.times, word.confidence)).collect::<Vec<_>>()
    };
    assert_eq!(words(SGML), [(Some([0.1, 0.4]), Some(0.9)), (Some([2.0, 3.0]), Some(0.5))]);
    let other = SGML
        .replace("h_t1+t2,h_conf", "r_weight,h_t1+t2")
        .replace("0.900000", "0+1")
        .replace("0.500000", "0+2");
    assert_eq!(words(&other), [(Some([0.0, 1.0]), None), (Some([0.0, 2.0]), None)]);
    assert_eq!(read(SGML).unwrap().1[0].0.id, "ann(1)");
}
