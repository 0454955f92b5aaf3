//! The tables of examples: the golden data of the workspace, and lines that show one rule of a tokenizer each.

use bleuprint_core::Case;
use bleuprint_testkit::{Folder, recorded, tables};
use bleuprint_text::read::IdFilter;
use bleuprint_text::tokenize::TercomOptions;
use bleuprint_text::{Normalizers, TokenBuffer, TokenizerOptions, tokenizer};

fn tokens(name: &str, options: &TokenizerOptions, line: &str) -> String {
    let tokenizer = tokenizer(name, options).expect(name);
    let mut buffer = TokenBuffer::default();
    tokenizer.tokenize(line, &mut buffer).expect(line).to_string()
}

fn check(name: &str, cases: &[(&str, &str)]) {
    for (line, expected) in cases {
        assert_eq!(tokens(name, &TokenizerOptions::default(), line), *expected, "{name} on {line:?}");
    }
}

#[test]
fn golden_data_holds() {
    for (name, cases) in tables::tokenize() {
        for case in cases {
            let options = TokenizerOptions::default();
            assert_eq!(tokens(name, &options, &case.text), case.tokens.join(" "), "{name}: {}", case.name);
        }
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn normalizers_give_the_recorded_text() {
    let folder = Folder::new();
    let file = |name: &str, content: &str| folder.file(name, content).display().to_string();
    let substituted = file("substituted", "one\t1\nyou\ti\n're\t am\nthe\t\na\t(a)\n");
    let removed = file("removed", "um\t \nuh\t \nthe\t \nand\t \n");
    let patterns = file("patterns", "doom\tsacr\n\\b(\\w+)ed\\b\t\\1\n(\\d+)\\s+(\\d+)\t\\2-\\1\n");
    let chains = [
        ("whisper-basic", "whisper-basic"),
        ("whisper-basic:diacritics=remove", "whisper-basic-ascii"),
        ("whisper-basic:letters=split", "whisper-basic-letters"),
        ("whisper-en", "whisper-en"),
        ("whisper-en-numbers", "whisper-en-numbers"),
        ("wn-0.1.15-en", "whisper-normalizer-en"),
        ("wn-0.1.15-basic:marks=keep", "whisper-basic-marks"),
        ("open-asr-en", "open-asr-en"),
        ("open-asr-ml", "open-asr-ml"),
        ("open-asr-ml:diacritics=remove", "open-asr-ml-ascii"),
        ("nfc", "nfc"),
        ("nfkc", "nfkc"),
        ("jiwer-lower", "ToLowerCase"),
        ("jiwer-upper", "ToUpperCase"),
        ("jiwer-punct", "RemovePunctuation"),
        ("jiwer-contractions", "ExpandCommonEnglishContractions"),
        ("jiwer-nonwords", "RemoveKaldiNonWords"),
        ("jiwer-spaces", "RemoveMultipleSpaces"),
        ("jiwer-whitespace", "RemoveWhiteSpace"),
        ("jiwer-whitespace-space", "tospace"),
        ("jiwer-strip", "Strip"),
        ("jiwer-wer-standardize", "jiwer-standardize"),
        ("jiwer-words-sub", &format!("words={substituted}")),
        ("jiwer-words-remove", &format!("SubstituteWords={removed}")),
        ("jiwer-regex-sub", &format!("regex={patterns}")),
    ];
    let words = tokenizer("jiwer", &TokenizerOptions::default()).expect("words");
    let mut buffer = TokenBuffer::default();
    let rows = recorded::rows("speech-golden.json", "normalizers");
    let (mut compared, mut failures) = (0, Vec::new());
    for (name, chain) in chains {
        let chain = Normalizers::default().build(chain).expect(chain);
        for row in &rows {
            let text = row["text"].as_str().expect("a text");
            let out = &row["out"][name];
            let normalized = chain.apply(text);
            let equal = match out.get(0) {
                Some(list) => {
                    let list =
                        list.as_array().expect("words").iter().map(|word| word.as_str().unwrap_or_default());
                    list.eq(words.tokenize(&normalized, &mut buffer).expect(text).iter())
                }
                None => out.as_str().unwrap_or(text) == normalized || out.is_array() && normalized.is_empty(),
            };
            compared += 1;
            if !equal {
                failures.push(format!("{name}: {text:?} became {normalized:?}, not {out}"));
            }
        }
    }
    assert_eq!(compared, 25 * 1672);
    assert!(
        failures.is_empty(),
        "{} of {compared}: {:#?}",
        failures.len(),
        &failures[..failures.len().min(60)]
    );
}

#[test]
fn lines_stand_apart() {
    let mut buffer = TokenBuffer::default();
    let lines = tokenizer("lines:13a", &TokenizerOptions::default()).expect("lines");
    assert_eq!(lines.token_space(), "lines:13a");
    for (text, expected) in [
        ("", &[][..]),
        ("a b.", &["a", "b", "."]),
        ("a.\n\nb &amp;\n", &["a", ".", "\n", "\n", "b", "&", "\n"]),
    ] {
        assert_eq!(lines.tokenize(text, &mut buffer).expect(text).iter().collect::<Vec<_>>(), expected);
    }
    for name in ["lines", "lines:", "lines:13b", "lines:lines:13a"] {
        assert!(tokenizer(name, &TokenizerOptions::default()).is_err(), "{name}");
    }
}

#[test]
fn thirteen_a_knows_line_feeds_and_entities() {
    check(
        "13a",
        &[
            ("foo-\nbar", "foobar"),
            ("foo\nbar-", "foo bar-"),
            ("&amp;lt; &amp;quot; &amp;amp;", "< & quot ; & amp ;"),
            ("a<skipped>b <skip<skipped>ped>", "ab < skipped >"),
            ("&lt;skipped&gt;", "< skipped >"),
            ("..,,1", ". . , ,1"),
            ("1..2 1.,2 ,,1 5.-3", "1 . . 2 1 . , 2 , ,1 5 . -3"),
        ],
    );
}

#[test]
fn intl_goes_by_category() {
    check(
        "intl",
        &[
            ("in 2019.", "in 2019."),
            ("a-b don't a_b", "a - b don ' t a _ b"),
            ("5€ $5.00", "5 € $ 5.00"),
            ("...5", ". . .5"),
            ("5...", "5 . . ."),
            ("5.,6 ٣.٤ ½.5 1。2", "5 . , 6 ٣.٤ ½.5 1。2"),
            ("日本。語", "日本 。 語"),
            ("&quot;hi&quot;", "& quot ; hi & quot ;"),
            (".", "."),
            ("5. ", "5."),
            (".5", ".5"),
            (" .5", ". 5"),
        ],
    );
}

#[test]
fn zh_uses_the_table_as_executed() {
    check(
        "zh",
        &[
            ("价格是3.5元，2019年。", "价 格 是 3.5 元 ， 2019 年 。"),
            ("10-20年 5%", "10 - 20 年 5 %"),
            ("& &amp;", "& & amp ;"),
            ("𠀀𪛖", "𠀀𪛖"),
            ("a—b α→β ①⑩", "a — b α → β ① ⑩"),
            ("“引号”", "“ 引 号 ”"),
            ("龼", "龼"),
            ("ひらがなカタカナ", "ひらがなカタカナ"),
            ("ＡＢ１２ ｱｲ", "Ａ Ｂ １ ２ ｱ ｲ"),
            (" in 2019. ", "in 2019."),
        ],
    );
}

#[test]
fn char_goes_by_code_point() {
    check("char", &[("👨\u{200d}👩", "👨 \u{200d} 👩"), ("e\u{301}", "e \u{301}"), (" a\u{3000}b ", "a b")]);
}

#[test]
fn tercom_follows_its_options() {
    let cases = [
        ("", "a b c d.", "a b c d."),
        ("n", "Jim's car; dogs' 's", "Jim 's car ; dogs' 's"),
        ("n", "3.5,4 10-20", "3.5,4 10 - 20"),
        ("n", "&quot;x&quot; &amp; &lt; &amp;lt;", "\" x \" & < <"),
        (
            "na",
            "美众院公布。りの拳銃を持、カタカナ・ｱ",
            "美 众 院 公 布 。 りの 拳 銃 を 持 、 カタカナ ・ ｱ",
        ),
        ("a", "美众院公布。", "美众院公布。"),
        ("p", "Hello, World! (a) \"b\"; c: d? e.", "Hello World a b c d e"),
        ("p", "3.5,4 .", "354"),
        ("pa", "（全角）！？", "全角"),
        ("npa", "（全角）！？", "全 角"),
        ("", "A B.", "A B."),
        ("n", "foo\n-bar", "foobar"),
    ];
    for (flags, line, expected) in cases {
        let tercom = TercomOptions {
            normalized: flags.contains('n'),
            no_punct: flags.contains('p'),
            asian_support: flags.contains('a'),
        };
        assert_eq!(tokens(&tercom.name(), &TokenizerOptions::default(), line), expected, "{}", tercom.name());
    }
}

#[test]
fn every_tokenizer_has_its_example() {
    let examples = [
        ("none", " a,b\u{a0}c \n", &["a,b", "c"][..]),
        ("ascii-space", " a\u{a0}b\tc\u{3000}\r", &["a\u{a0}b", "c\u{3000}"]),
        ("char", "e\u{301} 我", &["e", "\u{301}", "我"]),
        ("grapheme", "e\u{301} 👨\u{200d}👩 ", &["e\u{301}", "👨\u{200d}👩"]),
        ("jiwer", " a\tb  c\u{a0}\u{a0}d ", &["a\tb", "c", "d"]),
        ("jiwer-char", " a 我\n", &["a", " ", "我"]),
        ("lines:rouge", "One line.\nAnother", &["one", "line", "\n", "another"]),
    ];
    let mut buffer = TokenBuffer::default();
    for (name, line, expected) in examples {
        let tokenizer = tokenizer(name, &TokenizerOptions::default()).expect(name);
        let tokens = tokenizer.tokenize(line, &mut buffer).expect(line);
        assert_eq!(tokens.iter().collect::<Vec<_>>(), expected, "{name}");
    }
    let flies = "The Flies' stay-at-home days: 3,000!";
    for (name, line, expected) in [
        ("bytes", "a é\n", "61 20 c3 a9"),
        ("intl", "“Don't pay €5.50”, she said in 2019.", "“ Don ' t pay € 5.50 ” , she said in 2019."),
        ("rouge", flies, "the flies stay at home days 3 000"),
        ("rouge-stem", flies, "the fli stay at home day 3 000"),
        ("rouge155", "\u{130}b 5\u{212A} AÉB", "b 5 a b"),
        ("rouge155-stem", flies, "the fli stay at home day 3 000"),
        ("squad", "The U.S. Army, an army!", "us army army"),
        ("squad-cjk", "在2019年《the BLEU》。", "在 2019 年 bleu"),
        ("tercom", "a b c d.", "a b c d."),
        ("tercom-norm", "jim's car; dogs' 's", "jim 's car ; dogs' 's"),
        ("13a", "He said &quot;10-20%, i.e. 1,000.50&quot;.", "He said \" 10 - 20 % , i . e . 1,000.50 \" ."),
        ("word", "I can't: 3.14!", "I can't : 3.14 !"),
        ("zh", "价格是3.5元，“约”10-20年。", "价 格 是 3.5 元 ， “ 约 ” 10 - 20 年 。"),
    ] {
        check(name, &[(line, expected)]);
    }
    let tercom = tokenizer("tercom-norm", &TokenizerOptions::default()).expect("tercom");
    assert_eq!(tercom.tokenize_reference("x's.", &mut buffer).expect("a line").to_string(), "x 's .");
    let bytes = tokenizer("bytes", &TokenizerOptions::default()).expect("bytes");
    let mut ids = Vec::new();
    bytes.ids("a é\n", &mut buffer, &mut ids).expect("a line");
    assert_eq!(ids, [0x61, 0x20, 0xC3, 0xA9]);
}

#[test]
fn options_change_tokens() {
    let ids = IdFilter { pad: vec![0], end: vec![2], ..Default::default() };
    let options = TokenizerOptions { ids, ..Default::default() };
    assert_eq!(tokens("ids", &options, "[17, 4, 2, 0, 0]"), "17 4");
    let line = "\u{c9}T\u{c9} &amp; &AMP; 1,5.";
    for (name, case, expected) in [
        ("mteval", Case::LowerAscii, "\u{c9}t\u{c9} & & amp ; 1,5 ."),
        ("mteval-intl", Case::Lower, "\u{e9}t\u{e9} & & amp ; 1,5."),
    ] {
        assert_eq!(tokens(name, &TokenizerOptions { case, ..Default::default() }, line), expected);
    }
}

#[cfg(feature = "regex")]
#[test]
fn ptb_cuts_captions() {
    let line = "A man can't ride Dr. Smith's 5-year-old horse (on a beach)...";
    check("ptb", &[(line, "a man ca n't ride dr. smith 's 5-year-old horse -lrb- on a beach -rrb-")]);
}

#[cfg(feature = "jsonl")]
#[test]
fn tuples_of_both_forms_are_equal() {
    let expected = "girl\u{1F}young girl\u{1F}on\u{1F}court";
    let json = r#"[["girl", "young"], ["girl", "on", "court"]]"#;
    check("tuples", &[(json, expected), ("( girl , is , young ) , ( girl , on , court )", expected)]);
    let tuples = tokenizer("tuples", &TokenizerOptions::default()).expect("tuples");
    let error = tuples.tokenize("a girl on a court", &mut TokenBuffer::default()).expect_err("no tuples");
    let expected =
        "tuples are `[[\"girl\", \"young\"]]` or `( girl , is , young )`, but this begins with `a`";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn missing_models_and_dictionaries_are_named() {
    let missing = Some("/no/such/file".into());
    let model = TokenizerOptions { model: missing.clone(), ..Default::default() };
    let dictionary = TokenizerOptions { dictionary: missing, ..Default::default() };
    for (name, options, expected) in [
        ("hf:/no/such/tokenizer.json", &TokenizerOptions::default(), &["the Hugging Face tokenizer"][..]),
        ("flores200", &model, &["/no/such/file"]),
        ("ja-mecab", &dictionary, &["/no/such/file", "pip install ipadic"]),
        ("zh-jieba", &dictionary, &["`zh-jieba`"]),
    ] {
        let error = tokenizer(name, options).err().expect(name).to_string();
        assert!(expected.iter().all(|part| error.contains(part)), "{error}");
    }
}

#[test]
fn blank_lines_have_no_tokens() {
    for name in ["none", "13a", "intl", "char", "zh", "tercom", "grapheme", "word", "bytes", "ids"] {
        check(name, &[("", ""), (" \t\u{3000}\n", "")]);
    }
}

#[test]
fn a_buffer_serves_tokenizers_in_turn() {
    let mut buffer = TokenBuffer::default();
    for (name, line, expected) in [
        ("13a", "&lt;a&gt; b", "< a > b"),
        ("char", "ab", "a b"),
        ("bytes", "a", "61"),
        ("tercom", "a!", "a!"),
        ("13a", "x.", "x ."),
    ] {
        let tokenizer = tokenizer(name, &TokenizerOptions::default()).expect(name);
        assert_eq!(tokenizer.tokenize(line, &mut buffer).expect(line).to_string(), expected);
    }
}
