//! The golden data of other shapes: signatures, tokens, and the list of known differences.

use bleuprint::{
    Bleu, Metric as _, SegmentCounts, Signature, Stats as _, Tokenizer as _, TokenizerOptions, registry,
    text, tokenizer,
};
use bleuprint_testkit::tables;

#[test]
fn signatures_are_those_of_sacrebleu_with_our_own_version() {
    // Resampling is not here yet, so neither are its entries.
    let resampled = |long: &str| long.contains("|bs:") || long.contains("|ar:");
    for case in tables::signatures().iter().filter(|case| !resampled(&case.long)) {
        // Tokenizers that need a dictionary are looked at where there is one.
        let Ok(panel) = bleuprint::metric(&case.spec) else { continue };
        let mut counts = SegmentCounts::of_segment(case.nrefs.unwrap_or(1) as usize);
        if case.nrefs.is_none() {
            counts.merge(&SegmentCounts::of_segment(2)).unwrap();
        }
        let signature = panel.metrics().next().unwrap().identity().signature(&counts);
        let options = registry().parse(&case.spec).unwrap().options;
        let rounded = |value: &&str| {
            let number: f64 = value.parse().unwrap();
            format!("{number:.2}").parse() != Ok(number)
        };
        let ours = |text: &str| {
            let text = text.replace("2.6.0", bleuprint::contract::VERSION);
            // The one entry sacreBLEU rounds away.
            match options.given("smooth-value").filter(rounded) {
                Some(value) => text.replace("]|", &format!("]|sv:{value}|")),
                None => text,
            }
        };
        assert_eq!(signature.body(), ours(&case.long), "{}", case.name);
        if let Some(short) = &case.short {
            assert_eq!(signature.short(), ours(short), "{}", case.name);
        }
        assert_eq!(signature.to_string().parse::<Signature>().unwrap(), signature, "{}", case.name);
    }
}

#[test]
fn tokenizers_give_the_golden_tokens() {
    for (name, cases) in tables::tokenize() {
        let tokenizer = tokenizer(name, &TokenizerOptions::default()).unwrap();
        for case in &cases {
            let mut buffer = text::TokenBuffer::default();
            let tokens = tokenizer.tokenize(&case.text, &mut buffer).unwrap();
            assert_eq!(tokens.iter().collect::<Vec<_>>(), case.tokens, "tokenize/{name}.toml: {}", case.name);
        }
    }
}

#[test]
fn the_scale_of_bleu_is_a_percentage() {
    let scale = Bleu::default().scale();
    assert_eq!((scale.min, scale.max), (0.0, 100.0));
}
