//! x
fn main() {
    use bleuprint_benches::input;
    for real in [true, false] {
        for c in if real { input::corpora() } else { input::generated() } {
            let toks: &[&str] = match c.name {
                "zh-en" => &["none", "13a", "intl", "tercom", "char", "word", "grapheme", "bytes"],
                "en-zh" => &["zh", "char", "intl", "13a"],
                "en-cs" => &["13a", "intl"],
                _ => &["13a"],
            };
            for t in toks {
                let seg = c.tokens(t);
                let mut acc = bleuprint::Accumulator::<_, [String]>::new(bleuprint::Bleu::default());
                for s in &seg {
                    let (h, r) = input::slices(s);
                    acc.push(h, &r).unwrap();
                }
                let s = acc.score().unwrap().score;
                let counts = if ["13a", "zh"].contains(t) {
                    format!("Some(({:?}, {:?}))", s.clipped.to_vec(), s.score)
                } else {
                    "None".into()
                };
                println!(
                    "    Expected {{ corpus: {:?}, real: {}, tokenizer: {:?}, tokens: {}, counts: {} }},",
                    c.name, c.real, t, s.hyp_len, counts
                );
            }
        }
    }
}
