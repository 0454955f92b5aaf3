//! Compares the tokenizer `ptb` with Stanford's, as pycocoevalcap runs it. Random captions have words,
//! numbers, contractions, abbreviations, symbols and several scripts. The comparison is skipped without Java.

use bleuprint::text::TokenBuffer;
use bleuprint::{TokenizerOptions, tokenizer};
use bleuprint_testkit::random::Rng;
use serde_json::json;

use super::topic::{ParityTopic, PartSize, SinglePart, TopicNeeds};

#[rustfmt::skip]
const WORDS: &[&str] = &[
    "a", "the", "man", "woman", "dog", "riding", "on", "in", "with", "Two", "people", "standing", "next", "to", "skateboard",
    "pizza", "red", "BLUE", "street", "A", "The", "He", "it", "They",
];

/// Pieces of text that tokenizers treat differently, without the known differences of `ptb`.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "can't", "don't", "it's", "they're", "I'm", "we'll", "cannot", "gonna", "gimme", "'em", "o'clock", "y'all", "rock 'n' roll",
    "man's", "dogs'", "It’s", "isn’t", "O'Neil", "l'eau", "could've", "1", "15", "1,000", "3.5", "1/2", "1 1/2", "½", "10:30",
    "$5.99", "£3", "€10", "5%", "#1", "1st", "5pm", "5 p.m.", "1990s", "12/25/2010", "747", "A380", "4x4", "5-year-old",
    "(555) 123-4567 x", "Mr.", "Dr. Smith", "St.", "U.S.", "e.g.", "etc.", "vs.", "Inc.", "Jan. 5", "No. 5", "no. x", "x.", "a--b.", "Ms.", "Mrs.",
    "John F. Smith", "A. The", "well-known", "t-shirt", "mother-in-law's", "and/or", "he/she", "black/white", "X-ray",
    "non-U.S.", "up--down", "café", "naïve", "日本", "привет", "ΟΔΟΣ", "🎉", "♥", "™", "“quoted”", "—", "–", "…", "°", "x²", "é",
    "AT&T", "B&B", "R&D", "a&b", "@home", "#tag", "a@b.com", "www.foo.com", "http://foo.com/a?b=c", "foo.com", "<b>", "<br />",
    "&amp;", "C++", "C#", "*", "_", "a_b", "~", "+", "=", "|", "/", "[x]", "{y}", "(z)", ":)", ":-(", ";)", ":P", "!!", "?!",
    "\"hi\"", "'hi'", "100%", "Yahoo!", "end.Next", "1.2.3", "word...word",
    "o'clock-a", "dr.-u.s.", "jan.-x", "Jr.p.", "a.b!c", "http://a.b/½", "”`", "“‘x’”", "1.txt",
];

const ENDS: &[&str] = &["", "", "", "", ".", ",", "!", "?", ";", ":", "...", " .", ")"];

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("captions.py"),
    needs: TopicNeeds::Program("PTBTokenizer"),
    seed: 2_014_041,
    parts: |_, _| {
        let ptb = tokenizer("ptb", &TokenizerOptions::default())?;
        let mut buffer = TokenBuffer::default();
        Ok(vec![Box::new(SinglePart {
            // Starting Java takes most of a second.
            size: PartSize::exact(100_000, 25_000),
            draw: Box::new(caption),
            question: Box::new(|captions| json!(captions)),
            compare: Box::new(move |report, caption, theirs: String| {
                let ours = ptb.tokenize(caption, &mut buffer)?.to_string();
                report.same("PTB tokens", &theirs, &ours, || format!("{caption:?}"));
                Ok(())
            }),
        })])
    },
};

fn caption(rng: &mut Rng) -> String {
    let pieces: Vec<String> = (0..rng.between(2, 13))
        .map(|_| match rng.below(3) {
            0 => [*rng.pick(PIECES), *rng.pick::<&str>(ENDS)].concat(),
            _ => (*rng.pick(WORDS)).to_owned(),
        })
        .collect();
    pieces.join(" ") + rng.pick::<&str>(ENDS)
}
