//! The tables of examples: the golden data of the workspace, and lines that show one rule of a tokenizer each.

use bleuprint_core::Case;
use bleuprint_testkit::{recorded, tables};
use bleuprint_text::read::IdFilter;
use bleuprint_text::{Normalizers, TokenBuffer, TokenizerOptions, tokenizer};

fn tokens(name: &str, options: &TokenizerOptions, line: &str) -> String {
    let tokenizer = tokenizer(name, options).expect(name);
    let mut buffer = TokenBuffer::default();
    tokenizer.tokenize(line, &mut buffer).expect(line).to_string()
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

/// Rows that show one rule of a tokenizer each, through one buffer: tokens as a list, or with spaces between them. Most of
/// `ptb` are outputs of PTBTokenizer (CoreNLP 3.4.1), on texts written for these tests.
#[cfg(feature = "jsonl")]
#[test]
fn every_row_has_its_tokens() {
    let (tokenizers, options) = (bleuprint_text::Tokenizers::default(), TokenizerOptions::default());
    let mut buffer = TokenBuffer::default();
    for row in include_str!("../data/tokens.jsonl").lines() {
        let case: serde_json::Value = serde_json::from_str(row).expect(row);
        let [name, text] = ["tokenizer", "text"].map(|key| case[key].as_str().expect(row));
        if name == "ptb" && !cfg!(feature = "ptb") {
            continue;
        }
        let tokens = tokenizers.build(name, &options).expect(row);
        let tokens = tokens.tokenize(text, &mut buffer).expect(row);
        match case["tokens"].as_array() {
            None => assert_eq!(Some(tokens.to_string().as_str()), case["tokens"].as_str(), "{row}"),
            Some(list) => {
                assert!(tokens.iter().eq(list.iter().filter_map(|one| one.as_str())), "{row}: {tokens}")
            }
        }
    }
}

#[test]
fn references_may_be_cut_twice_and_bytes_are_ids() {
    let mut buffer = TokenBuffer::default();
    let tercom = tokenizer("tercom-norm", &TokenizerOptions::default()).expect("tercom");
    assert_eq!(tercom.tokenize_reference("x's.", &mut buffer).expect("a line").to_string(), "x 's .");
    let bytes = tokenizer("bytes", &TokenizerOptions::default()).expect("bytes");
    let mut ids = Vec::new();
    bytes.ids("a é\n", &mut buffer, &mut ids).expect("a line");
    assert_eq!(ids, [0x61, 0x20, 0xC3, 0xA9]);
}

/// Rows of another program's rule have ours too.
#[cfg(feature = "jsonl")]
#[test]
#[ignore = "needs the data beside the checkout"]
fn mixed_units_are_the_recorded_ones() {
    let text = std::fs::read_to_string(recorded::path("spec/families-golden.jsonl")).expect("rows");
    let rows = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect(line));
    let mut count = 0;
    for row in rows.filter(|row| row["metric"] == "mixed") {
        let of = |key: &str, mark| if row["options"].get(key).is_some() { mark } else { "" };
        let name = format!("mixed{}{}", of("hangul", "-hangul"), of("marks", "-marks"));
        let built = tokenizer(&name, &TokenizerOptions::default()).expect(&name);
        let mut buffer = TokenBuffer::default();
        let found =
            built.tokenize(row["input"]["text"].as_str().expect("a text"), &mut buffer).expect("tokens");
        let expected = row.get("ours").unwrap_or(&row["expected"]);
        assert_eq!(&serde_json::Value::from(found.iter().collect::<Vec<_>>()), expected, "{row}");
        count += 1;
    }
    assert_eq!(count, 54);
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn normalizers_give_the_recorded_text() {
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
    assert_eq!(compared, 22 * 1672);
    assert!(
        failures.is_empty(),
        "{} of {compared}: {:#?}",
        failures.len(),
        &failures[..failures.len().min(60)]
    );
}

#[test]
fn lines_need_a_tokenizer_that_is_none_of_lines() {
    let lines = tokenizer("lines:13a", &TokenizerOptions::default()).expect("lines");
    assert_eq!(lines.token_space(), "lines:13a");
    for name in ["lines", "lines:", "lines:13b", "lines:lines:13a"] {
        assert!(tokenizer(name, &TokenizerOptions::default()).is_err(), "{name}");
    }
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
