//! [`Explainer`]: one reading of a corpus, and the BLEU that every dialect and every main choice gives.
//!
//! "Why is your BLEU different from mine?" is answered by counting once per tokenizer and case, and finishing these
//! counts in every way. A user who holds a number finds the settings that produce it.

use std::cmp::Ordering;

use crate::metrics::{Dialect, DialectError};
use crate::{
    Accumulator, AnyScore, Bleu, BleuStats, Case, ConfigError, InputError, InputErrorKind, RefLen, Scored,
    Smoothing, State, Tokenized, Tokenizer, TokenizerOptions, tokenizer,
};

/// The tokenizers that are tried where none are named: those of sacreBLEU that need no dictionary or model, and those of
/// Perl's scripts.
pub const TOKENIZERS: &[&str] = &["13a", "none", "intl", "zh", "char", "ascii-space", "mteval"];

/// The highest order that is tried, and counted.
pub const MAX_ORDER: usize = 6;

/// The settings of one number.
#[derive(Debug, Clone, PartialEq)]
pub struct Choices {
    /// The tokenizer.
    pub tokenizer: String,
    /// The case.
    pub case: Case,
    /// The highest order.
    pub order: usize,
    /// How the counts are finished.
    pub finisher: Finisher,
}

/// How counts become a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Finisher {
    /// As sacreBLEU does, with a smoothing and a rule of reference length.
    Options(Smoothing, RefLen),
    /// As another program does.
    Dialect(&'static str),
}

impl Choices {
    /// What differs from the default (13a, mixed case, order 4, smoothing exp, closest reference), in words; of a dialect,
    /// what differs from its own tokens and case.
    pub fn changes(&self) -> Vec<String> {
        let mut changes = Vec::new();
        let mut note = |differs: bool, text: String| {
            if differs {
                changes.push(text)
            }
        };
        match self.finisher {
            Finisher::Dialect(name) => note(true, format!("--dialect {name}")),
            Finisher::Options(smoothing, ref_len) => {
                note(smoothing != Smoothing::Exp, format!("--smooth-method {}", smoothing.name()));
                note(ref_len != RefLen::Closest, format!("--ref-len {}", ref_len.name()));
            }
        }
        let (tokenizer, case) = self.own_tokens();
        note(self.tokenizer != tokenizer, format!("--tokenize {}", self.tokenizer));
        let in_case = match self.case {
            Case::Lower => "--lowercase".to_owned(),
            other => format!("case:{}", other.as_str()),
        };
        note(self.case != case, in_case);
        note(self.order != Bleu::DEFAULT_MAX_ORDER, format!("--max-order {}", self.order));
        changes
    }

    /// The tokens and the case that are the default of the finisher.
    fn own_tokens(&self) -> (&'static str, Case) {
        let dialect = match self.finisher {
            Finisher::Dialect(name) => Dialect::by_name(name).ok(),
            Finisher::Options(..) => None,
        };
        let case = |dialect: &Dialect| dialect.case.parse().unwrap_or(Case::Mixed);
        dialect.map_or((TOKENIZERS[0], Case::Mixed), |dialect| (dialect.tokenizer, case(dialect)))
    }

    /// How usual these settings are: 0 for sacreBLEU's default, then lower-cased, `intl`, `zh`, NLTK over corpora, HF
    /// evaluate, multi-bleu, mteval, `char`, `none`; then all others, those with the fewest changes first.
    pub fn rarity(&self) -> usize {
        const DIALECTS: [&str; 6] =
            ["nltk:method0", "nltk:method1", "hf", "multi-bleu", "mteval:v13a", "sacrebleu:exp:eff"];
        let plain = self.order == Bleu::DEFAULT_MAX_ORDER;
        let default = self.finisher == Finisher::Options(Smoothing::Exp, RefLen::Closest);
        let own = self.own_tokens() == (&*self.tokenizer, self.case);
        let usual = match (&*self.tokenizer, self.case, self.finisher) {
            _ if !plain => None,
            ("13a", Case::Mixed, _) if default => Some(0),
            ("13a", Case::Lower, _) if default => Some(1),
            ("intl", Case::Mixed, _) if default => Some(2),
            ("zh", Case::Mixed, _) if default => Some(3),
            (_, _, Finisher::Dialect(name)) if own => {
                DIALECTS.iter().position(|dialect| *dialect == name).map(|at| 4 + at)
            }
            ("char", Case::Mixed, _) if default => Some(10),
            ("none", Case::Mixed, _) if default => Some(11),
            _ => None,
        };
        usual.unwrap_or(12 + self.changes().len())
    }
}

/// One number, and how it comes about.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The settings.
    pub choices: Choices,
    /// The number in percent, or why there is none.
    pub percent: Result<f64, DialectError>,
    /// The number on the program's own scale, with its signature.
    pub scored: Option<Scored<AnyScore>>,
}

/// Counts a corpus under several tokenizers, in both cases.
///
/// ```
/// use bleuprint::explain::{Explainer, Finisher};
/// let mut explainer = Explainer::new(&["13a", "char"]).unwrap();
/// explainer.push("The cat was on the mat.", &["the cat is on the mat."]).unwrap();
/// let all = explainer.explain().unwrap();
/// assert_eq!(all[0].choices.finisher, Finisher::Options(Default::default(), Default::default()));
/// let nearest = Explainer::nearest(all, 100.0 * 0.2);
/// assert!((nearest[0].percent.clone().unwrap() - 20.0).abs() < 3.0);
/// ```
pub struct Explainer {
    counts: Vec<Counts>,
}

/// BLEU over one kind of token, and what it has counted.
struct Counts {
    tokenizer: String,
    bleu: Accumulator<Tokenized<Bleu, Box<dyn Tokenizer>>, str>,
}

impl Explainer {
    /// Under these tokenizers.
    ///
    /// # Errors
    /// A tokenizer that is not known, or cannot be built without a dictionary or model.
    pub fn new(tokenizers: &[&str]) -> Result<Self, ConfigError> {
        let bleu = Bleu::builder().max_order(MAX_ORDER).build()?;
        let mut counts = Vec::new();
        for name in tokenizers {
            // No other program folds ASCII alone, and none that splits as multi-bleu does folds more.
            let cases = match *name {
                "mteval" => [Case::Mixed, Case::LowerAscii],
                "ascii-space" => [Case::Mixed, Case::LowerAscii],
                _ => [Case::Mixed, Case::Lower],
            };
            for case in cases {
                let tokenizer = tokenizer(name, &TokenizerOptions { case, ..TokenizerOptions::default() })?;
                let bleu = Accumulator::new(Tokenized::new(bleu.clone(), tokenizer, case)?);
                counts.push(Counts { tokenizer: (*name).to_owned(), bleu });
            }
        }
        Ok(Explainer { counts })
    }

    /// Counts one segment.
    ///
    /// # Errors
    /// No references, or what a tokenizer cannot take; nothing is counted then.
    pub fn push(&mut self, hypothesis: &str, references: &[&str]) -> Result<(), InputError> {
        for done in 0..self.counts.len() {
            let pushed = self.counts[done].bleu.push(hypothesis, references);
            if let Err(error) = pushed {
                self.take_back(done, hypothesis, references)?;
                return Err(error);
            }
        }
        Ok(())
    }

    /// Takes a segment out of the first counts, which had taken it before another refused it.
    fn take_back(&mut self, counts: usize, hypothesis: &str, references: &[&str]) -> Result<(), InputError> {
        for Counts { bleu, .. } in &mut self.counts[..counts] {
            let segment = bleu.push(hypothesis, references)?;
            bleu.retract(&segment)?;
            bleu.retract(&segment)?;
        }
        Ok(())
    }

    /// Every number: the default first, then those with one change, and so on.
    ///
    /// # Errors
    /// [`EmptyCorpus`](InputErrorKind::EmptyCorpus).
    pub fn explain(&self) -> Result<Vec<Explanation>, InputError> {
        let mut all = Vec::new();
        for Counts { tokenizer, bleu } in &self.counts {
            if bleu.total().counts().segments == 0 {
                return Err(InputErrorKind::EmptyCorpus.into());
            }
            let space = bleu.metric().token_space();
            for order in 1..=MAX_ORDER {
                let finishers = options().into_iter().chain(dialects(order));
                all.extend(finishers.map(|finisher| {
                    let choices =
                        Choices { tokenizer: tokenizer.clone(), case: space.case(), order, finisher };
                    finish(choices, bleu.total())
                }));
            }
        }
        all.sort_by_key(|explanation| explanation.choices.changes().len());
        Ok(all)
    }

    /// The same for a target (in percent) that is rounded to `decimals`: first all rows that round to it, the most usual
    /// settings first and equal numbers beside each other; then the others, the nearest first. How many fit is given too.
    ///
    /// ```
    /// use bleuprint::explain::Explainer;
    /// let mut explainer = Explainer::new(&["13a", "char"]).unwrap();
    /// explainer.push("The cat was on the mat.", &["the cat is on the mat."]).unwrap();
    /// let all = explainer.explain().unwrap();
    /// let target = all[0].percent.clone().unwrap().round();
    /// let (fits, rows) = Explainer::ranked(all, target, 0);
    /// let near = |percent: f64| (percent - target).abs() < 0.51;
    /// assert!(fits > 0 && rows[..fits].iter().all(|row| near(row.percent.clone().unwrap())));
    /// ```
    pub fn ranked(all: Vec<Explanation>, target: f64, decimals: usize) -> (usize, Vec<Explanation>) {
        // Half a unit of the last decimal, and what binary fractions may be off by.
        let margin = 0.5 * 10_f64.powi(-(decimals.min(17) as i32)) + 1e-9;
        let fits = |row: &Explanation| row.percent.as_ref().is_ok_and(|p| (p - target).abs() <= margin);
        let (mut fitting, others): (Vec<_>, Vec<_>) = all.into_iter().partition(fits);
        let bits = |row: &Explanation| row.percent.as_ref().map_or(0, |p| p.to_bits());
        let mut rarest: std::collections::HashMap<u64, usize> = std::collections::HashMap::new();
        for row in &fitting {
            let rarity = rarest.entry(bits(row)).or_insert(usize::MAX);
            *rarity = row.choices.rarity().min(*rarity);
        }
        // Groups of equal numbers, each as usual as the most usual setting in it.
        fitting.sort_by_key(|row| (rarest.get(&bits(row)).copied(), bits(row), row.choices.rarity()));
        let count = fitting.len();
        fitting.extend(Self::nearest(others, target));
        (count, fitting)
    }

    /// The same, those nearest to a target (in percent) first; numbers equally near stay in the order in which they
    /// were, so that the plainest settings come first. Settings without a number come last.
    pub fn nearest(mut all: Vec<Explanation>, target: f64) -> Vec<Explanation> {
        let distance = |explanation: &Explanation| {
            explanation.percent.as_ref().map_or(f64::INFINITY, |p| (p - target).abs())
        };
        all.sort_by(|a, b| distance(a).partial_cmp(&distance(b)).unwrap_or(Ordering::Equal));
        all
    }
}

/// Every smoothing with every rule of reference length.
fn options() -> Vec<Finisher> {
    let smoothings = [
        Smoothing::Exp,
        Smoothing::None,
        Smoothing::Floor(Smoothing::DEFAULT_FLOOR),
        Smoothing::AddK(Smoothing::DEFAULT_K),
    ];
    let ref_lens = [RefLen::Closest, RefLen::Shortest, RefLen::Average];
    let with = |smoothing| ref_lens.map(|ref_len| Finisher::Options(smoothing, ref_len));
    smoothings.into_iter().flat_map(with).collect()
}

/// The dialects, at the orders that programs report: BLEU-1 to BLEU-4.
fn dialects(order: usize) -> impl Iterator<Item = Finisher> {
    let reported = order <= Bleu::DEFAULT_MAX_ORDER;
    Dialect::all().iter().filter(move |_| reported).map(|dialect| Finisher::Dialect(dialect.name))
}

fn finish(choices: Choices, state: &State<BleuStats>) -> Explanation {
    match number(&choices, state) {
        Ok((percent, scored)) => Explanation { choices, percent: Ok(percent), scored: Some(scored) },
        Err(error) => Explanation { choices, percent: Err(error), scored: None },
    }
}

fn number(choices: &Choices, state: &State<BleuStats>) -> Result<(f64, Scored<AnyScore>), DialectError> {
    let malformed = |error: ConfigError| DialectError::Input(InputError::malformed(error.to_string()));
    let builder = Bleu::builder().max_order(choices.order);
    match choices.finisher {
        Finisher::Options(smoothing, ref_len) => {
            let bleu = builder.smoothing(smoothing).ref_len(ref_len).build().map_err(malformed)?;
            let Scored { score, signature } = state.score(&bleu)?;
            Ok((score.score, Scored { score: AnyScore::of(&bleu, &score)?, signature }))
        }
        Finisher::Dialect(name) => {
            let dialect = Dialect::by_name(name).map_err(malformed)?;
            let bleu = builder.build().map_err(malformed)?;
            let Scored { score, signature } = bleu.finalize_with(dialect, state)?;
            let metric = bleu.in_dialect(dialect).map_err(malformed)?;
            Ok((score.percent(), Scored { score: AnyScore::of(&metric, &score)?, signature }))
        }
    }
}
