//! The golden cases of chrF through the library's doors: typed, chosen at run time, and in a panel with BLEU.
#![allow(clippy::print_stderr, reason = "how many values were compared is worth knowing")]

use bleuprint::eval::{ChosenTokens, Panel};
use bleuprint::{
    Accumulator, Case, Chrf, Linear, MetricOptions, Segment, Signature, TokenSpace, TokenizerOptions,
    registry, text, tokenizer,
};
use bleuprint_testkit::chrf::{ChrfCase, ChrfOptions, cases};

fn metric(options: &ChrfOptions) -> Chrf {
    let builder = Chrf::builder()
        .char_order(options.char_order)
        .word_order(options.word_order)
        .beta(options.beta)
        .whitespace(options.whitespace)
        .eps_smoothing(options.eps_smoothing);
    builder.build().unwrap()
}

fn given(options: &ChrfOptions) -> MetricOptions {
    options.named().iter().fold(MetricOptions::new(), |given, (name, value)| given.with(name, value))
}

fn case_of(case: &ChrfCase) -> Case {
    if case.options.lowercase { Case::Lower } else { Case::Mixed }
}

/// The segments in the case of the options: typed metrics take the text as it is.
fn cased_segments(case: &ChrfCase) -> Vec<(String, Vec<String>)> {
    let cased = |line: &str| {
        let mut lowered = line.to_owned();
        if case.options.lowercase {
            text::lowercase(line, &mut lowered);
        }
        lowered
    };
    let segments = case.segments().into_iter();
    segments.map(|(h, references)| (cased(h), references.into_iter().map(cased).collect())).collect()
}

fn same_bits(ours: f64, theirs: f64, what: &str) {
    assert_eq!(ours.to_bits(), theirs.to_bits(), "{what}: ours {ours}, sacreBLEU {theirs}");
}

fn same_signature(case: &ChrfCase, ours: &Signature) {
    // The version is each program's own.
    let version = |signature: &str| signature.replace("2.6.0", bleuprint::VERSION);
    assert_eq!(ours.to_string(), format!("{}|{}", case.expected.name, version(&case.expected.signature)));
    assert_eq!(ours.short(), version(&case.expected.short), "{}", case.name);
}

fn typed(case: &ChrfCase) {
    let chrf = metric(&case.options);
    let mut corpus = Accumulator::<_, str>::new(&chrf);
    for (i, (hypothesis, references)) in cased_segments(case).iter().enumerate() {
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        let segment = corpus.push(hypothesis, &references).unwrap();
        if let Some(&sentence) = case.expected.sentences.get(i) {
            let score = segment.score(&&chrf).unwrap().score.score;
            same_bits(score, sentence, &format!("{}, segment {i}", case.name));
        }
    }
    assert_eq!(corpus.total().stats().row(), case.expected.statistics, "{}", case.name);
    same_bits(corpus.score().unwrap().score.score, case.expected.score, &case.name);
}

fn at_run_time(case: &ChrfCase) {
    let any = registry().get("chrf").unwrap().build(&given(&case.options)).unwrap();
    assert_eq!(any.view().case, Some(case_of(case)), "{}", case.name);
    let any = any.over(TokenSpace::text(case_of(case)));
    let mut corpus = Accumulator::<_, str>::new(&any);
    for (hypothesis, references) in &cased_segments(case) {
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        corpus.add(Segment::new(hypothesis, &references)).unwrap();
    }
    let scored = corpus.score().unwrap();
    same_bits(scored.score.value, case.expected.score, &case.name);
    same_signature(case, &scored.signature);
}

/// Beside BLEU, over the texts as they are: the panel lower-cases.
fn in_a_panel(case: &ChrfCase) {
    let build = |name: &str, options: &MetricOptions| registry().get(name).unwrap().build(options).unwrap();
    let metrics = vec![build("bleu", &MetricOptions::new()), build("chrf", &given(&case.options))];
    let thirteen_a = tokenizer("13a", &TokenizerOptions::default()).unwrap();
    let panel = Panel::new(metrics, &ChosenTokens::new(thirteen_a, Case::Mixed)).unwrap();
    let mut corpus = Accumulator::<&Panel, str>::new(&panel);
    for (hypothesis, references) in case.segments() {
        corpus.add(Segment::new(hypothesis, &references)).unwrap();
    }
    let scores = panel.scores(corpus.total()).unwrap();
    same_bits(scores[1].score.value, case.expected.score, &case.name);
    same_signature(case, &scores[1].signature);
}

#[test]
fn golden_cases_have_the_bits() {
    let cases = cases();
    for case in &cases {
        typed(case);
        at_run_time(case);
        in_a_panel(case);
    }
    eprintln!("{} cases compared through three doors", cases.len());
    assert!(cases.len() > 280);
}
