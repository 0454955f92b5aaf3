//! A naive reference implementation of `score`: splits at line feeds, and counts n-grams in a map.

use std::collections::HashMap;

use serde_json::{Value, json};
use xtask::Result;

use crate::parity::ours;

pub(super) struct Twin {
    pub(super) tokenizer: String,
    pub(super) lowercase: bool,
    pub(super) hypotheses: Vec<u8>,
    pub(super) references: Vec<Vec<u8>>,
}

impl Twin {
    pub(super) fn differs(&self, stdout: &str) -> Option<String> {
        let printed: Value = match serde_json::from_str(stdout) {
            Ok(printed) => printed,
            Err(error) => return Some(format!("no JSON to compare: {error}")),
        };
        let expected = match self.counts() {
            Ok(expected) => expected,
            Err(error) => return Some(format!("it scores, but {error}")),
        };
        let keys = ["counts", "totals", "sys_len", "ref_len"];
        let differs = keys.iter().find(|key| printed[**key] != expected[**key])?;
        Some(format!("{differs} is {}, but the twin counts {}", printed[*differs], expected[*differs]))
    }

    /// Returns clipped counts and totals of the orders 1 to 4, and the lengths.
    fn counts(&self) -> Result<Value> {
        let hypotheses = self.tokens(&self.hypotheses)?;
        let streams = self.references.iter().map(|stream| self.tokens(stream)).collect::<Result<Vec<_>>>()?;
        if let Some(stream) = streams.iter().find(|stream| stream.len() != hypotheses.len()) {
            return Err(
                format!("there are {} hypotheses and {} references", hypotheses.len(), stream.len()).into()
            );
        }
        let mut clipped = [0_u64; 4];
        let mut total = [0_u64; 4];
        let mut hyp_len = 0;
        let mut ref_len = 0;
        for (number, hypothesis) in hypotheses.iter().enumerate() {
            let references: Vec<&[String]> = streams.iter().map(|stream| &*stream[number]).collect();
            for order in 1..=4 {
                let counted: Vec<_> = references.iter().map(|reference| ngrams(reference, order)).collect();
                for (ngram, count) in ngrams(hypothesis, order) {
                    // BLEU clips a match by the greatest count in any single reference, not by their sum.
                    let most = counted.iter().filter_map(|counts| counts.get(ngram)).max().copied();
                    clipped[order - 1] += count.min(most.unwrap_or(0));
                    total[order - 1] += count;
                }
            }
            hyp_len += hypothesis.len();
            // A tie goes to the shorter reference, as in sacreBLEU: the key is the distance, then the length.
            let nearest =
                references.iter().map(|r| r.len()).min_by_key(|len| (len.abs_diff(hypothesis.len()), *len));
            ref_len += nearest.unwrap_or(0);
        }
        Ok(json!({ "counts": clipped, "totals": total, "sys_len": hyp_len, "ref_len": ref_len }))
    }

    fn tokens(&self, bytes: &[u8]) -> Result<Vec<Vec<String>>> {
        let text = std::str::from_utf8(bytes)?;
        if text.is_empty() {
            return Ok(Vec::new());
        }
        let tokenizer = ours::tokenizer(&self.tokenizer)?;
        // A final line feed ends the last line; it does not begin an empty line. CR is part of the text.
        let lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
        let cased = |line: &str| if self.lowercase { ours::lower(line) } else { line.to_owned() };
        lines.map(|line| ours::tokens(&*tokenizer, &cased(line))).collect()
    }
}

fn ngrams(tokens: &[String], order: usize) -> HashMap<&[String], u64> {
    let mut counts = HashMap::new();
    for ngram in tokens.windows(order) {
        *counts.entry(ngram).or_default() += 1;
    }
    counts
}
