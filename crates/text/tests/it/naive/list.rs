//! The tokenizers with their naive twins.

use bleuprint_core::Case;
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
    for (name, naive) in plain {
        let fast = tokenizer(name, &TokenizerOptions::default()).expect("a tokenizer without a model");
        twins.push(Twin { name: name.to_owned(), fast, naive: Box::new(naive), space: super::is_space });
    }
    for bits in 0..8 {
        let (normalized, no_punct, asian) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0);
        let tercom = TercomOptions { normalized, no_punct, asian_support: asian };
        let fast = tokenizer(&tercom.name(), &TokenizerOptions::default()).expect("tercom");
        let naive = Box::new(move |line: &str| super::tercom(line, normalized, no_punct, asian));
        twins.push(Twin { name: fast.token_space().to_owned(), fast, naive, space: super::is_space });
    }
    let fast = tokenizer("ascii-space", &TokenizerOptions::default()).expect("ascii-space");
    let (name, naive) = (fast.token_space().to_owned(), Box::new(super::ascii_space));
    twins.push(Twin { name, fast, naive, space: |c| c.is_ascii_whitespace() || c == '\u{b}' });
    for (name, naive, space) in [
        ("jiwer", super::jiwer as Naive, (|c| c == ' ') as fn(char) -> bool),
        ("jiwer-char", super::jiwer_char, |_| false),
    ] {
        let fast = tokenizer(name, &TokenizerOptions::default()).expect("jiwer");
        twins.push(Twin { name: name.to_owned(), fast, naive: Box::new(naive), space });
    }
    for case in Case::ALL {
        type Naive = fn(&str, Case) -> String;
        for (name, naive) in [("mteval", super::mteval as Naive), ("mteval-intl", super::mteval_intl)] {
            let fast = tokenizer(name, &TokenizerOptions { case, ..Default::default() }).expect("mteval");
            assert_eq!((fast.token_space(), fast.case()), (name, Some(case)));
            let (name, naive) =
                (format!("{name} {}", case.as_str()), Box::new(move |line: &str| naive(line, case)));
            twins.push(Twin { name, fast, naive, space: super::is_perl_space });
        }
    }
    twins
}
