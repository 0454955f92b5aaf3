//! A Hugging Face tokenizer with everything in its file that must not reach a score.

use bleuprint_testkit::Folder;
use bleuprint_text::{TokenBuffer, TokenizerOptions, tokenizer};

/// Words by number; special tokens around the text, truncation to four tokens and padding to twelve.
const FILE: &str = include_str!("../data/tokenizer.json");

#[test]
fn neither_special_tokens_nor_truncation_nor_padding_count() {
    let folder = Folder::new();
    let path = folder.file("tokenizer.json", FILE);
    let name = format!("hf:{}", path.display());
    let built = tokenizer(&name, &TokenizerOptions::default());
    folder.file("tokenizer.json", "{}");
    let error = tokenizer(&name, &TokenizerOptions::default()).err().expect("not a tokenizer").to_string();
    assert!(error.contains(&path.display().to_string()), "{error}");

    let tokenizer = built.expect("a tokenizer");
    assert!(tokenizer.token_space().starts_with("hf:") && tokenizer.token_space().len() == 19);
    assert!(!tokenizer.ids_are_tokens());
    let mut buffer = TokenBuffer::default();
    for (line, tokens, ids) in [
        (
            "The dog bit the man, the man.\n",
            "the dog bit the man , the man .",
            &[4, 5, 6, 4, 7, 0, 4, 7, 0][..],
        ),
        ("<s>The dog</s>", "the dog", &[4, 5]),
        ("<name> bit", "<name> bit", &[8, 6]),
        // Unknown words are themselves, normalized as the others are.
        ("Zebra dog Yak", "zebra dog yak", &[0, 5, 0]),
        ("", "", &[]),
    ] {
        assert_eq!(tokenizer.tokenize(line, &mut buffer).expect(line).to_string(), tokens);
        let mut found = Vec::new();
        tokenizer.ids(line, &mut buffer, &mut found).expect(line);
        assert_eq!(found, ids);
    }
}

/// As most files have it: the unknown token is special too, and unknown words still count.
#[test]
fn a_special_unknown_token_drops_no_words() {
    let special = r#"{"id": 0, "content": "<unk>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
    {"id": 1"#;
    let file = FILE.replacen(r#"{"id": 1"#, special, 1);
    let folder = Folder::new();
    let path = folder.file("tokenizer.json", file);
    let tokenizer = tokenizer(&format!("hf:{}", path.display()), &TokenizerOptions::default());
    let (tokenizer, mut buffer) = (tokenizer.expect("a tokenizer"), TokenBuffer::default());
    for (line, tokens) in [("the zebra <unk> bit", "the zebra bit"), ("a b", "a b")] {
        assert_eq!(tokenizer.tokenize(line, &mut buffer).expect(line).to_string(), tokens);
    }
}
