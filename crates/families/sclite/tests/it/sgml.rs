//! Alignments in SGML: rejected files, whose errors name the line, and the fields of words.

use bleuprint_sclite::read_sgml;

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
