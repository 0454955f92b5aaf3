//! The golden cases of BLEU through the library's doors: typed, chosen at run time, and from bare statistics.

use bleuprint::eval::{ChosenTokens, Panel};
use bleuprint::{
    Accumulator, AnyScore, Bleu, BleuStats, Case, Choice, InputErrorKind, Metric, MetricOptions, PartValue,
    RefLen, Scored, Segment, SegmentCounts, Segments, Signature, Smoothing, Stats, Tokenized,
    TokenizerOptions, tokenizer,
};
use bleuprint_testkit::golden::{self, BleuCase, Expected, Options};

/// How many differences from other programs we allow ourselves; raising it is a decision.
const MOST_DIFFERENCES: usize = 20;

fn configure(options: &Options) -> Result<Bleu, String> {
    let smoothing = Smoothing::by_name(&options.smooth, options.smooth_value).map_err(|e| e.to_string())?;
    Bleu::builder()
        .max_order(options.max_order)
        .smoothing(smoothing)
        .effective_order(options.effective_order)
        .ref_len(RefLen::by_name("ref-len", &options.ref_len).map_err(|e| e.to_string())?)
        .build()
        .map_err(|error| error.to_string())
}

fn case_of(options: &Options) -> Case {
    if options.lowercase { Case::Lower } else { Case::Mixed }
}

/// A corpus as the library takes it: its segments, from streams whose lengths are checked.
fn segments(case: &BleuCase) -> Result<Vec<(String, Vec<String>)>, InputErrorKind> {
    let hypotheses = case.hypotheses.clone().unwrap_or_default();
    let streams: Vec<Vec<Option<String>>> = case
        .references
        .iter()
        .flatten()
        .map(|stream| stream.iter().map(|reference| reference.text().map(str::to_owned)).collect())
        .collect();
    let streams: Vec<&[Option<String>]> = streams.iter().map(Vec::as_slice).collect();
    let segments = Segments::<str>::from_sparse_streams(&hypotheses, &streams)
        .map_err(|error| error.kind().clone())?
        .iter()
        .map(|(h, r)| (h.to_owned(), r.iter().map(|&r| r.to_owned()).collect()))
        .collect();
    Ok(segments)
}

type Outcome = Result<Scored<AnyScore>, String>;

fn typed(case: &BleuCase) -> Outcome {
    let options = &case.options;
    let bleu = configure(options).map_err(|_| "order-zero".to_owned())?;
    let tokenizer = tokenizer(&options.tokenize, &TokenizerOptions::default()).unwrap();
    let bleu = Tokenized::new(bleu, tokenizer, case_of(options)).unwrap();
    let mut accumulator = Accumulator::<_, str>::new(&bleu);
    for (hypothesis, references) in segments(case).map_err(|kind| reason(&kind))? {
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        accumulator.push(&hypothesis, &references).map_err(|error| reason(error.kind()))?;
    }
    let Scored { score, signature } = accumulator.score().map_err(|error| reason(error.kind()))?;
    Ok(Scored { score: AnyScore::of(&bleu, &score).unwrap(), signature })
}

fn at_run_time(case: &BleuCase) -> Outcome {
    let options = &case.options;
    let registry = bleuprint::registry();
    let mut given = MetricOptions::new();
    given.set("smooth-method", &options.smooth);
    if let Some(value) = options.smooth_value {
        given.set("smooth-value", &value.to_string());
    }
    given.set("effective-order", if options.effective_order { "yes" } else { "no" });
    given.set("max-order", &options.max_order.to_string());
    given.set("ref-len", &options.ref_len);
    let metric = registry.get("bleu").unwrap().build(&given).map_err(|_| "order-zero".to_owned())?;
    let tokenizer = tokenizer(&options.tokenize, &TokenizerOptions::default()).unwrap();
    let chosen = ChosenTokens::new(tokenizer, case_of(options));
    let panel = Panel::new(vec![metric], &chosen).unwrap();
    let mut corpus = Accumulator::<&Panel, str>::new(&panel);
    for (hypothesis, references) in segments(case).map_err(|kind| reason(&kind))? {
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        let result = corpus.add(Segment::new(&*hypothesis, &references));
        result.map_err(|error| reason(error.kind()))?;
    }
    let scores = panel.scores(corpus.total()).map_err(|error| reason(error.kind()))?;
    Ok(scores.into_iter().next().unwrap())
}

fn from_statistics(case: &BleuCase) -> Outcome {
    let given = case.statistics.as_ref().unwrap();
    let bleu = configure(&case.options)?;
    let mut stats = BleuStats::zero(bleu.max_order());
    for (order, (clipped, total)) in stats.orders.iter_mut().zip(given.counts.iter().zip(&given.totals)) {
        (order.clipped, order.total) = (*clipped, *total);
    }
    assert_eq!(stats.hyp_len(), given.sys_len, "{}: the total of order 1 is the length", case.name);
    stats.ref_len.closest = given.ref_len;
    let score = bleu.finalize(&stats, &SegmentCounts::default()).map_err(|error| reason(error.kind()))?;
    Ok(Scored { score: AnyScore::of(&bleu, &score).unwrap(), signature: bleu.signature() })
}

fn reason(kind: &InputErrorKind) -> String {
    match kind {
        InputErrorKind::EmptyCorpus => "empty-corpus".to_owned(),
        InputErrorKind::NoReferences => "no-references".to_owned(),
        InputErrorKind::LengthMismatch { .. } => "unequal-lengths".to_owned(),
        other => other.to_string(),
    }
}

fn part<'s>(score: &'s AnyScore, key: &str) -> &'s PartValue {
    &score.parts.iter().find(|part| part.key == key).unwrap().value
}

fn compare(name: &str, expected: &Expected, outcome: &Outcome) {
    let scored = match (&expected.error, outcome) {
        (Some(error), outcome) => return assert_eq!(outcome.as_ref().err(), Some(error), "{name}"),
        (None, outcome) => outcome.as_ref().unwrap_or_else(|error| panic!("{name}: {error}")),
    };
    let counts = |key: &str| match part(&scored.score, key) {
        PartValue::Counts(counts) => counts.clone(),
        other => panic!("{name}: {key} is {other:?}"),
    };
    let count = |key: &str| match part(&scored.score, key) {
        PartValue::Count(count) => *count as f64,
        PartValue::Number(number) => *number,
        other => panic!("{name}: {key} is {other:?}"),
    };
    let bits = |numbers: &[f64]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
    if let Some(expected) = &expected.counts {
        assert_eq!(&counts("counts"), expected, "{name}: counts");
    }
    if let Some(expected) = &expected.totals {
        assert_eq!(&counts("totals"), expected, "{name}: totals");
    }
    if let Some(expected) = expected.sys_len {
        assert_eq!(count("sys_len"), expected as f64, "{name}: sys_len");
    }
    if let Some(expected) = expected.ref_len {
        assert_eq!(count("ref_len"), expected as f64, "{name}: ref_len");
    }
    if let Some(expected) = expected.bp {
        assert_eq!(count("bp").to_bits(), expected.to_bits(), "{name}: bp {} != {expected}", count("bp"));
    }
    if let Some(expected) = &expected.precisions {
        let PartValue::Numbers(precisions) = part(&scored.score, "precisions") else { panic!("{name}") };
        assert_eq!(bits(precisions), bits(expected), "{name}: precisions {precisions:?} != {expected:?}");
    }
    if let Some(expected) = expected.score {
        let value = scored.score.value;
        assert_eq!(value.to_bits(), expected.to_bits(), "{name}: score {value} != {expected}");
    }
}

#[test]
fn every_golden_case_through_every_door_of_the_library() {
    let mut compared = 0;
    for (file, cases) in golden::all_bleu() {
        for case in &cases.cases {
            let name = format!("bleu/{file}.toml: {}", case.name);
            if case.statistics.is_some() {
                compare(&name, &case.expected, &from_statistics(case));
                compared += 1;
            } else {
                compare(&name, &case.expected, &typed(case));
                compare(&name, &case.expected, &at_run_time(case));
                compared += 2;
            }
        }
    }
    assert!(compared > 100, "only {compared} comparisons");
}

#[test]
fn signatures_are_those_of_sacrebleu_with_our_own_version() {
    // Resampling is not here yet, so neither are its entries.
    let resampled = |long: &str| long.contains("|bs:") || long.contains("|ar:");
    for case in
        golden::signatures().cases.iter().filter(|case| case.metric == "bleu" && !resampled(&case.long))
    {
        let options = case.options.clone().unwrap_or_default();
        let tokenizer = tokenizer(&options.tokenize, &TokenizerOptions::default());
        // Tokenizers that need a dictionary are looked at where there is one.
        let Ok(tokenizer) = tokenizer else { continue };
        let bleu = Tokenized::new(configure(&options).unwrap(), tokenizer, case_of(&options)).unwrap();
        let mut counts = SegmentCounts::of_segment(case.nrefs.unwrap_or(1) as usize);
        if case.nrefs.is_none() {
            counts.merge(&SegmentCounts::of_segment(2)).unwrap();
        }
        let signature = bleu.identity().signature(&counts);
        let ours = |text: &str| {
            let text = text.replace("2.6.0", bleuprint::VERSION);
            // The one entry sacreBLEU rounds away.
            match options.smooth_value.filter(|value| format!("{value:.2}").parse() != Ok(*value)) {
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
    for (name, cases) in golden::all_tokenize() {
        let tokenizer = tokenizer(name, &TokenizerOptions::default()).unwrap();
        for case in &cases.cases {
            let mut buffer = bleuprint::text::TokenBuffer::default();
            let tokens = bleuprint::Tokenizer::tokenize(&tokenizer, &case.text, &mut buffer).unwrap();
            assert_eq!(tokens.iter().collect::<Vec<_>>(), case.tokens, "tokenize/{name}.toml: {}", case.name);
        }
    }
}

#[test]
fn the_list_of_differences_stays_short() {
    let differences = golden::differences().cases.len();
    assert!(
        differences <= MOST_DIFFERENCES,
        "{differences} differences, where {MOST_DIFFERENCES} are allowed"
    );
}

#[test]
fn the_scale_of_bleu_is_a_percentage() {
    let scale = Bleu::default().scale();
    assert_eq!((scale.min, scale.max), (0.0, 100.0));
}
