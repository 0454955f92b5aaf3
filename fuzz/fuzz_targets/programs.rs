//! Fuzzes CodeBLEU over repeated pieces of programs in any order: within the limits of the run, no part may
//! be NaN or above 1.
#![no_main]

use bleuprint_codebleu::{CodeBleu, Language};
use bleuprint_core::Accumulator;
use libfuzzer_sys::fuzz_target;

const LANGUAGES: [Language; 5] =
    [Language::C, Language::Go, Language::Java, Language::JavaScript, Language::Python];
const PIECES: [&str; 25] = [
    "a", "<", ">", "(", ")", "[", "{", "}", ";", ",", "?", ":", ".", "=", "->", "+", "|-", "!", "\n", " ",
    "for", "if ", "\"", "/*", "%w(",
];

fuzz_target!(|data: (u8, Vec<(u8, u8)>, &str)| {
    let (language, pieces, rest) = data;
    let piece =
        |&(piece, times): &(u8, u8)| PIECES[usize::from(piece) % PIECES.len()].repeat(usize::from(times) + 1);
    let text = pieces.iter().map(piece).collect::<String>().repeat(1 + pieces.len() % 40) + rest;
    let metric = CodeBleu::builder(LANGUAGES[usize::from(language) % 5]).build().expect("settings");
    let mut codebleu = Accumulator::<_, str>::new(metric);
    if codebleu.push(&text, &[&text]).is_ok() {
        let score = codebleu.score().expect("a score").score;
        assert!([score.syntax, score.data_flow].iter().all(|part| (0.0..=1.0).contains(part)), "{score:?}");
    }
});
