//! The tokenizers with their naive twins.

use bleuprint_core::{Case, Choice as _};
use bleuprint_text::tokenize::TercomOptions;
use bleuprint_text::{TokenBuffer, Tokenizer, TokenizerOptions, tokenizer};

/// A tokenizer and its naive twin.
pub struct Twin {
    /// The name of the tokenizer.
    pub name: String,
    /// The tokenizer.
    pub fast: Box<dyn Tokenizer>,
    /// The tokens of a line, with spaces between them.
    pub naive: Box<dyn Fn(&str) -> String + Send>,
    /// The characters that no token holds.
    pub space: fn(char) -> bool,
}

impl Twin {
    /// Checks that both give the same tokens of a line.
    pub fn check(&self, line: &str, buffer: &mut TokenBuffer) {
        let tokens = self.fast.tokenize(line, buffer).expect("a short line");
        let (fast, naive) = (tokens.to_string(), (self.naive)(line));
        assert_eq!(fast, naive, "{} on {line:?}", self.name);
        assert_eq!(tokens.iter().count(), tokens.len());
        assert!(tokens.iter().all(|token| !token.is_empty() && !token.contains(self.space)));
    }
}

/// All tokenizers with a naive twin.
pub fn twins() -> Vec<Twin> {
    type Naive = fn(&str) -> String;
    let plain: [(&str, Naive); 9] = [
        ("none", super::none),
        ("char", super::char),
        ("13a", super::v13a),
        ("intl", super::intl),
        ("zh", super::zh),
        ("rouge", super::rouge),
        ("rouge-stem", super::rouge_stem),
        ("squad", |line| super::squad(line, false)),
        ("squad-cjk", |line| super::squad(line, true)),
    ];
    let mut twins: Vec<Twin> = Vec::new();
    let mut add =
        |name: String, options: &TokenizerOptions, naive: Box<dyn Fn(&str) -> String + Send>, space| {
            let fast = tokenizer(name.split(' ').next().expect("a name"), options).expect(&name);
            twins.push(Twin { name, fast, naive, space });
        };
    let options = TokenizerOptions::default();
    for (name, naive) in plain {
        add(name.to_owned(), &options, Box::new(naive), super::is_space as fn(char) -> bool);
    }
    for bits in 0..8 {
        let (normalized, no_punct, asian) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0);
        let tercom = TercomOptions { normalized, no_punct, asian_support: asian };
        let naive = move |line: &str| super::tercom(line, normalized, no_punct, asian);
        add(tercom.name(), &options, Box::new(naive), super::is_space);
    }
    let space = |c: char| c.is_ascii_whitespace() || c == '\u{b}';
    add("ascii-space".to_owned(), &options, Box::new(super::ascii_space), space);
    add("jiwer".to_owned(), &options, Box::new(super::jiwer), |c| c == ' ');
    add("jiwer-char".to_owned(), &options, Box::new(super::jiwer_char), |_| false);
    add("codepoint".to_owned(), &options, Box::new(super::codepoint), |_| false);
    for &case in Case::ALL {
        type Naive = fn(&str, Case) -> String;
        for (name, naive) in [("mteval", super::mteval as Naive), ("mteval-intl", super::mteval_intl)] {
            let options = TokenizerOptions { case, ..Default::default() };
            let naive = Box::new(move |line: &str| naive(line, case));
            add(format!("{name} {}", case.name()), &options, naive, super::is_perl_space);
        }
    }
    for twin in &twins {
        let (name, case) =
            twin.name.split_once(' ').map_or((&*twin.name, None), |(name, case)| (name, Some(case)));
        assert_eq!((twin.fast.token_space(), twin.fast.case().map(Case::name)), (name, case));
    }
    twins
}
