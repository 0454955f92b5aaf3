//! The typed door of the metrics that sacreBLEU, rouge_score and SQuAD's script define: builders in place of names.

use bleuprint::metrics::{Rouge, SquadF1};
use bleuprint::text::tokenize::{Tercom, TercomOptions};
use bleuprint::{
    Accumulator, AnyScore, Bleu, Case, Chrf, Metric, Observe, Scored, SegmentCounts, Ter, TokenSpace,
    Tokenized, TokenizerOptions,
    contract::{Choice as _, MetricOptions},
    metrics::{BleuStats, RefLen, Smoothing},
    registry, text, tokenizer,
};
use bleuprint_testkit::golden::{DoorNumbers, GoldenRow};

use super::{answer, reason, with_segments};

/// The options behind a metric's name.
struct Given(MetricOptions);

impl Given {
    fn text(&self, name: &str) -> Option<&str> {
        self.0.given(name)
    }

    fn number<T: core::str::FromStr<Err: core::fmt::Debug>>(&self, name: &str) -> Option<T> {
        self.text(name).map(|number| number.parse().unwrap())
    }

    fn flag(&self, name: &str) -> bool {
        self.text(name).is_some_and(|flag| flag == "yes")
    }
}

fn case(lower: bool) -> Case {
    if lower { Case::Lower } else { Case::Mixed }
}

/// The numbers of the corpus through the type of the metric; none of a metric that is not built here.
pub(super) fn scored(row: &GoldenRow) -> Option<Result<DoorNumbers, String>> {
    let spec = registry().parse(&row.spec).unwrap();
    let tokens = |name: &str| tokenizer(name, &TokenizerOptions::default()).unwrap();
    let given = Given(spec.options);
    let lower = case(spec.lowercase == Some(true));
    match (&*spec.metric, row.spec.as_str()) {
        ("bleu", _) => {
            let tokens = tokens(spec.tokenizer.as_deref().unwrap());
            let bleu = bleu(&given);
            Some(bleu.and_then(|bleu| observed(&Tokenized::new(bleu, tokens, lower).unwrap(), row)))
        }
        ("chrf", _) => Some(observed_cased(&chrf(&given), row, given.flag("chrf-lowercase"))),
        ("ter", _) => {
            let [normalized, no_punct, asian_support] =
                ["ter-normalized", "ter-no-punct", "ter-asian-support"].map(|name| given.flag(name));
            let ter = Ter::default().normalized(normalized).no_punct(no_punct).asian_support(asian_support);
            let tercom = Tercom::new(TercomOptions { normalized, no_punct, asian_support });
            let case = case(!given.flag("ter-case-sensitive"));
            Some(observed(&Tokenized::new(ter, tercom, case).unwrap(), row))
        }
        (_, "rouge2:stemmer") => {
            let rouge = Tokenized::new(Rouge::n(2).unwrap(), tokens("rouge-stem"), Case::Mixed).unwrap();
            Some(observed(&rouge, row))
        }
        (_, "squad_f1") => {
            Some(observed(&Tokenized::new(SquadF1, tokens("squad"), Case::Mixed).unwrap(), row))
        }
        _ => None,
    }
}

fn bleu(given: &Given) -> Result<Bleu, String> {
    let method = given.text("smooth-method").unwrap_or("exp");
    let mut bleu = Bleu::builder()
        .smoothing(Smoothing::by_name(method, given.number("smooth-value")).unwrap())
        .effective_order(given.flag("effective-order"));
    if let Some(order) = given.number("max-order") {
        bleu = bleu.max_order(order);
    }
    if let Some(rule) = given.text("ref-len") {
        bleu = bleu.ref_len(RefLen::by_name("ref-len", rule).unwrap());
    }
    bleu.build().map_err(|_| "order-zero".to_owned())
}

fn chrf(given: &Given) -> Chrf {
    Chrf::builder()
        .char_order(given.number("chrf-char-order").unwrap_or(6))
        .word_order(given.number("chrf-word-order").unwrap_or(0))
        .beta(given.number("chrf-beta").unwrap_or(2.0))
        .whitespace(given.flag("chrf-whitespace"))
        .eps_smoothing(given.flag("chrf-eps-smoothing"))
        .build()
        .unwrap()
}

/// A metric over text takes it as it is, so it is lower-cased before.
fn observed_cased(chrf: &Chrf, row: &GoldenRow, lower: bool) -> Result<DoorNumbers, String> {
    let mut row = row.clone();
    if lower {
        for line in row.hypotheses.iter_mut().chain(row.references.iter_mut().flatten()) {
            let mut lowered = String::new();
            text::lowercase(line, &mut lowered);
            *line = lowered;
        }
    }
    observed(&chrf.over(TokenSpace::text(case(lower))), &row)
}

/// The score of a metric over text; each segment's on the way.
fn observed<M>(metric: &M, row: &GoldenRow) -> Result<DoorNumbers, String>
where
    M: Metric<Score: bleuprint::Score> + Observe<str>,
{
    with_segments(row, |segments| {
        let mut corpus = Accumulator::<_, str>::new(metric);
        let mut sentences = Vec::new();
        for segment in segments {
            let state = corpus.push_segment(*segment).map_err(|error| reason(&error))?;
            let score = state.score(&metric).map_err(|error| reason(&error))?.score;
            sentences.push(bleuprint::Score::headlines(&score).to_vec());
        }
        row.check_sentences("its type", &sentences);
        let Scored { score, signature } = corpus.score().map_err(|error| reason(&error))?;
        Ok(answer(&AnyScore::from_score(metric, &score).unwrap(), &signature))
    })
}

pub(super) fn from_statistics(row: &GoldenRow) -> Result<DoorNumbers, String> {
    let given = row.statistics.as_ref().unwrap();
    let bleu = bleu(&Given(registry().parse(&row.spec).unwrap().options))?;
    let mut stats = BleuStats::zero(bleu.max_order());
    for (order, (clipped, total)) in stats.orders.iter_mut().zip(given.counts.iter().zip(&given.totals)) {
        (order.clipped, order.total) = (*clipped, *total);
    }
    assert_eq!(stats.hyp_len(), given.sys_len, "{}: the total of order 1 is the length", row.name);
    stats.ref_len.closest = given.ref_len;
    let score = bleu.finalize(&stats, &SegmentCounts::default()).map_err(|error| reason(&error))?;
    Ok(answer(&AnyScore::from_score(&bleu, &score).unwrap(), &bleu.signature()))
}
