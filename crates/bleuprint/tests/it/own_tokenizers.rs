//! A tokenizer of a user's own: every door that knows tokenizers by name knows it too.

use bleuprint::eval::{ChosenTokens, Request, TokenRequest};
use bleuprint::explain::Explainer;
use bleuprint::text::{TokenBuffer, Tokens};
use bleuprint::{
    Accumulator, Bleu, Case, ConfigError, Metric as _, Panel, Result, Tokenized, Tokenizer, TokenizerOptions,
    Tokenizers, registry, text::TokenizerEntry, tokenizer,
};

/// Fields between commas, or what the user says is between them.
struct Fields(String);

impl Tokenizer for Fields {
    fn token_space(&self) -> &str {
        "fields"
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        buffer.cut(line, |line, spans| spans.push_pieces(line, line.split(&self.0)))
    }
}

fn build(options: &TokenizerOptions) -> Fields {
    Fields(options.model.as_ref().map_or(",".into(), |model| model.display().to_string()))
}

const ENTRY: TokenizerEntry = TokenizerEntry::new("fields", "what stands between commas", |request| {
    Ok(Box::new(build(request.options)))
});

fn own() -> Tokenizers {
    let mut tokenizers = Tokenizers::default();
    let mut entry = ENTRY;
    entry.aliases = &["commas"];
    tokenizers.add(entry).unwrap();
    tokenizers
}

/// The key of a metric as a user names it, over 13a where nothing else is named.
fn key(spec: &str, tokenizers: Tokenizers) -> Result<String, ConfigError> {
    let chosen = TokenRequest::default().choose(&tokenizers)?;
    let panel = Request::new(&registry(), [spec], chosen)?.panel(&registry())?;
    Ok(panel.metrics().map(|metric| metric.state_key().to_string()).collect())
}

#[test]
fn a_metric_may_name_it() {
    for name in ["fields", "commas"] {
        assert!(key(&format!("bleu:tokenize={name}"), own()).unwrap().ends_with("|tok:fields"));
    }
    let error = key("bleu:tokenize=fields", Tokenizers::default()).unwrap_err().to_string();
    assert!(error.starts_with("unknown tokenizer `fields`; expected one of: none, "), "{error}");
}

#[test]
fn it_has_the_options_of_all() {
    let options = TokenizerOptions { model: Some(";".into()), ..TokenizerOptions::default() };
    let mut buffer = TokenBuffer::default();
    let semicolons = own().build("lines:fields", &options).unwrap();
    let tokens = semicolons.tokenize("a;b,c\nd", &mut buffer).unwrap();
    assert_eq!(tokens.iter().collect::<Vec<_>>(), ["a", "b,c", "\n", "d"]);
}

#[test]
fn explain_tries_it() {
    let mut explainer = Explainer::with_tokenizers(&own(), &["13a", "fields"]).unwrap();
    explainer.push("a,b,c,d e", &["a,b,c,d f"]).unwrap();
    let rows = explainer.explain().unwrap();
    let tokens = |row: &bleuprint::explain::NumberExplanation| {
        row.scored.as_ref().is_some_and(|scored| scored.signature.to_string().contains("|tok:fields|"))
    };
    assert!(rows.iter().any(tokens));
    assert!(Explainer::new(&["fields"]).is_err());
}

/// Unknown pieces of a model share an id, and are equal only where their texts are: over the typed metric, a panel, and
/// prepared references. The scores are sacreBLEU 2.6.0's for the same models.
#[test]
fn unknown_pieces_are_compared_by_their_texts() {
    for (model, hypothesis, reference, expected) in [
        ("unigram", "the dog \u{436} bit", "the dog \u{3a9} bit", 53.7284965911771),
        ("unigram", "the dog \u{436}\u{3a9} bit", "the dog \u{436}\u{3a9} bit", 100.00000000000004),
        ("bpe", "the dog \u{436} bit", "the dog \u{3a9} bit", 42.72870063962342),
    ] {
        let path = format!("{}/../text/tests/data/spm/{model}.model", env!("CARGO_MANIFEST_DIR"));
        let options = TokenizerOptions { model: Some(path.into()), ..Default::default() };
        let pieces = || tokenizer("spm", &options).unwrap();
        let bleu = Tokenized::new(Bleu::default(), pieces(), Case::Mixed).unwrap();
        let mut corpus = Accumulator::<_, str>::new(&bleu);
        corpus.push(hypothesis, &[reference]).unwrap();
        assert_eq!(corpus.score().unwrap().score.score, expected, "{model}");

        let chosen = ChosenTokens::new(pieces(), Case::Mixed);
        let panel = Panel::new([registry().build("bleu").unwrap()], &chosen).unwrap();
        let mut corpus = Accumulator::<_, str>::new(&panel);
        corpus.push(hypothesis, &[reference]).unwrap();
        assert_eq!(panel.scores(corpus.total()).unwrap()[0].score.value, expected, "{model}");

        use bleuprint::Observe as _;
        let mut scratch = Default::default();
        let prepared = bleu.prepare(&mut scratch, &[reference]).unwrap();
        let mut stats = bleu.zero();
        let segment = bleuprint::Segment::new(hypothesis, &[]);
        bleu.observe_prepared(&mut scratch, &mut stats, segment, &prepared).unwrap();
        let counts = bleuprint::SegmentCounts::of_segment(1);
        assert_eq!(bleu.finalize(&stats, &counts).unwrap().score, expected, "{model}");
    }
}
