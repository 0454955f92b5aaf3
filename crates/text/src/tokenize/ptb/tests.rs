//! Tests of the tokenizer `ptb` on any text. Expected outputs of Stanford's program are in
//! `tests/data/tokens.jsonl`.

use crate::{TokenBuffer, TokenizerOptions, tokenizer};

fn tokens(line: &str) -> String {
    let ptb = tokenizer("ptb", &TokenizerOptions::default()).unwrap();
    ptb.tokenize(line, &mut TokenBuffer::default()).unwrap().to_string()
}

quickcheck::quickcheck! {
    fn tokens_are_filled_lowered_and_without_spaces(text: String, ascii: Vec<u8>) -> bool {
        let ascii: String = ascii.iter().map(|byte| char::from(byte & 0x7F)).collect();
        let ptb = tokenizer("ptb", &TokenizerOptions::default()).unwrap();
        let mut buffer = TokenBuffer::default();
        let line = format!("{text}{ascii}{text}");
        let tokens = ptb.tokenize(&line, &mut buffer).unwrap();
        let mut tokens = tokens.iter();
        tokens.all(|token| {
            let upper = token.bytes().any(|byte| byte.is_ascii_uppercase());
            !token.is_empty() && !token.contains(char::is_whitespace) && !upper
        })
    }

    fn a_buffer_that_was_used_gives_the_same(one: String, other: String) -> bool {
        let ptb = tokenizer("ptb", &TokenizerOptions::default()).unwrap();
        let mut buffer = TokenBuffer::default();
        let _ = ptb.tokenize(&one, &mut buffer).unwrap().len();
        let again = ptb.tokenize(&other, &mut buffer).unwrap().to_string();
        again == tokens(&other)
    }
}
