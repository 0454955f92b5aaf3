//! Prints the bytes of a state of `unigram_f`, made in Rust of two segments: a test merges it with one made in Python.

#[path = "../../../src/metrics/unigram_f.rs"]
mod unigram_f;

use std::error::Error;
use std::io::Write as _;

use bleuprint::contract::AnyScratch;
use bleuprint::eval::store::Header;
use bleuprint::{Case, Registry, Segment, State, TokenSpace};

fn main() -> Result<(), Box<dyn Error>> {
    let registry = Registry::from_entries(&[unigram_f::ENTRY])?;
    let metric = registry.build("unigram_f")?.over(TokenSpace::new("13a", Case::Mixed)?);
    let mut total = State::zero(&metric);
    // "a b c" and "a b d", "e" and "e f".
    for (hypothesis, reference) in [(&[1, 2, 3][..], &[1, 2, 4][..]), (&[5], &[5, 6])] {
        let references = [reference];
        let segment = Segment::new(hypothesis, &references);
        total.merge(&State::of_segment(&metric, &mut AnyScratch::default(), segment)?)?;
    }
    let header = Header::of_metric("unigram_f", &metric)?;
    let bytes = header.state_to_bytes(&metric, &total)?;
    Ok(std::io::stdout().write_all(&bytes)?)
}
