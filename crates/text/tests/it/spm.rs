//! SentencePiece models against SentencePiece itself: small models of every kind, and the pieces of lines by version 0.2.3.

use bleuprint_testkit::Folder;
use bleuprint_text::{TokenBuffer, Tokenizer, TokenizerOptions, tokenizer};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/spm").join(name)
}

fn load(path: PathBuf) -> Result<Box<dyn Tokenizer>, bleuprint_core::ConfigError> {
    tokenizer("spm", &TokenizerOptions { model: Some(path), ..Default::default() })
}

#[test]
fn pieces_and_ids_are_those_of_sentencepiece() {
    let mut models = HashMap::new();
    let mut buffer = TokenBuffer::default();
    let expected = fs::read_to_string(data("expected.jsonl")).expect("the expected pieces");
    for row in expected.lines() {
        let row: Value = serde_json::from_str(row).expect("JSON");
        let name = row["model"].as_str().expect("a name");
        let model = models
            .entry(name.to_owned())
            .or_insert_with(|| load(data(&format!("{name}.model"))).expect(name));
        let line = row["line"].as_str().expect("a line");
        let pieces: Vec<&str> =
            row["pieces"].as_array().expect("pieces").iter().filter_map(Value::as_str).collect();
        // BLEU splits pieces at whitespace.
        let pieces: Vec<&str> = pieces.into_iter().flat_map(bleuprint_text::whitespace::split).collect();
        let tokens = model.tokenize(line, &mut buffer).expect(line);
        assert_eq!(tokens.iter().collect::<Vec<_>>(), pieces, "{name} on {line:?}");
        let expected: Vec<u64> =
            row["ids"].as_array().expect("ids").iter().filter_map(Value::as_u64).collect();
        let mut ids = Vec::new();
        model.ids(line, &mut buffer, &mut ids).expect(line);
        assert!(model.has_ids() && !model.ids_are_tokens(), "unknown pieces share an id");
        assert_eq!(ids.into_iter().map(u64::from).collect::<Vec<_>>(), expected, "{name} on {line:?}");
    }
    assert_eq!(models.len(), 4);
    assert!(models["bpe"].token_space().starts_with("spm#") && models["bpe"].token_space().len() == 20);
}

#[test]
fn damaged_models_are_refused_or_usable_but_never_a_panic() {
    let whole = fs::read(data("unigram.model")).expect("a model");
    let folder = Folder::new();
    let mut buffer = TokenBuffer::default();
    for step in 0..400 {
        let mut bytes = whole.clone();
        let at = step * 7919 % bytes.len();
        match step % 2 {
            0 => bytes.truncate(at),
            _ => bytes[at] ^= 1 << (step % 8),
        }
        if let Ok(model) = load(folder.file("damaged.model", &bytes)) {
            let _ = model.tokenize("The dog bit 犬が ﬁ 1,000 ж", &mut buffer).map(|tokens| tokens.len());
        }
    }
}
