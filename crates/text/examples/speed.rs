//! Measures how fast tokenizers go over a file: `speed FILE NAME..`, megabytes per second, best of several passes.

use bleuprint_text::{FileText, TokenBuffer, TokenizerOptions, tokenizer};
use std::error::Error;
use std::io::{Write, stdout};
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let text = FileText::open(arguments.next().ok_or("the file is missing")?, Default::default())?;
    let bytes: usize = text.iter().map(str::len).sum();
    for name in arguments {
        let tokenizer = tokenizer(&name, &TokenizerOptions::default())?;
        let mut buffer = TokenBuffer::default();
        let (mut best, mut tokens) = (f64::INFINITY, 0);
        for _ in 0..20 {
            let start = Instant::now();
            tokens = 0;
            for line in text.iter() {
                tokens += tokenizer.tokenize(line, &mut buffer)?.len();
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        writeln!(stdout(), "{name:10} {:6.0} MB/s, {tokens} tokens", bytes as f64 / best / 1e6)?;
    }
    Ok(())
}
