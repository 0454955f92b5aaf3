//! The tables of examples: the golden data of the workspace, and lines that show one rule of a tokenizer each.

use bleuprint_testkit::{Folder, recorded, tables};
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

/// Recorded rows against each normalizer.
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
