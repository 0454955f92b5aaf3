//! [`Working`]: the calculation of BLEU for one segment, step by step, with n-grams, counts, clipping, and
//! the formula with its numbers.

use bleuprint_core::counted;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

use bleuprint_math::{exp, ln};

use crate::eval::{Encoder, EncoderScratch, EncoderTexts, SharedTokenizer};
use crate::metrics::BleuScore;
use crate::report::fixed;
use crate::{Accumulator, Bleu, Case, ConfigError, InputError, Scored, Tokenized, Tokenizer};

/// The calculation of sacreBLEU's sentence BLEU for one hypothesis and its references, step by step. Printing
/// it shows the steps.
///
/// ```
/// use bleuprint::explain::Working;
/// use bleuprint::{Case, TokenizerOptions, tokenizer};
/// let tokens = tokenizer("13a", &TokenizerOptions::default())?;
/// let working = Working::new(tokens, Case::Mixed, "the the cat", &["the cat", "a cat"])?;
/// let the = &working.orders[0][1];
/// assert_eq!((the.ngram.as_str(), the.hypothesis, the.references, the.clipped()), ("the", 2, 1, 1));
/// assert!(working.to_string().contains("clipped 2 of 3"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Working {
    /// Tokens of the hypothesis.
    pub hypothesis: Vec<String>,
    /// Tokens of each reference.
    pub references: Vec<Vec<String>>,
    /// N-grams of the hypothesis with their counts, in sorted order; one list for each order from 1.
    pub orders: Vec<Vec<ExplainedNgram>>,
    /// BLEU score with its precisions and brevity penalty, and its signature.
    pub scored: Scored<BleuScore>,
}

/// Counts of one n-gram in the hypothesis and the references.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExplainedNgram {
    /// Tokens of the n-gram, joined by spaces.
    pub ngram: String,
    /// Number of times that the n-gram occurs in the hypothesis.
    pub hypothesis: u64,
    /// Largest number of times that the n-gram occurs in a single reference.
    pub references: u64,
}

impl ExplainedNgram {
    /// Returns the number of matches: the count in the hypothesis, clipped to the largest count in a
    /// reference.
    pub fn clipped(&self) -> u64 {
        self.hypothesis.min(self.references)
    }
}

/// Error of [`Working::new`], which calculates a sentence BLEU step by step.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "closed: the two types of errors")]
pub enum WorkingError {
    /// The chosen letter case does not fit the tokenizer.
    Config(ConfigError),
    /// The segment has no reference, or the tokenizer rejects a text.
    Input(InputError),
}

impl Display for WorkingError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            WorkingError::Config(error) => error.fmt(f),
            WorkingError::Input(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WorkingError {}

impl From<ConfigError> for WorkingError {
    fn from(error: ConfigError) -> Self {
        WorkingError::Config(error)
    }
}

impl From<InputError> for WorkingError {
    fn from(error: InputError) -> Self {
        WorkingError::Input(error)
    }
}

impl Working {
    /// Calculates sentence BLEU step by step with the tokens of `tokenizer`, compared in the given letter
    /// case.
    ///
    /// # Errors
    /// Returns a [`WorkingError`] if the settings or the texts are invalid.
    pub fn new(
        tokenizer: Box<dyn Tokenizer>,
        case: Case,
        hypothesis: &str,
        references: &[&str],
    ) -> Result<Self, WorkingError> {
        let tokenizer: SharedTokenizer = Arc::from(tokenizer);
        // sacreBLEU's sentence BLEU uses the effective order, so that segments shorter than four tokens have
        // a score.
        let bleu = Bleu::builder().effective_order(true).build()?;
        let bleu = Tokenized::new(bleu, tokenizer.clone(), case)?;
        let mut segment = Accumulator::<_, str>::new(&bleu);
        segment.push(hypothesis, references)?;
        let scored = segment.score()?;
        let texts: Vec<&str> = std::iter::once(hypothesis).chain(references.iter().copied()).collect();
        let encoder = Encoder::new(tokenizer, case)?;
        let mut scratch = EncoderScratch::default();
        let lists = encoder.tokens(&mut scratch, EncoderTexts::new(&texts, 1, references.len()))?;
        let mut tokens: Vec<Vec<String>> = (0..texts.len())
            .map(|index| lists.get(index).iter().map(|&token| token.to_owned()).collect())
            .collect();
        let references = tokens.split_off(1);
        let hypothesis = tokens.pop().unwrap_or_default();
        let orders = (1..=scored.score.total.len()).map(|order| counts(order, &hypothesis, &references));
        Ok(Working { orders: orders.collect(), hypothesis, references, scored })
    }
}

fn ngrams(order: usize, tokens: &[String]) -> BTreeMap<&[String], u64> {
    let mut counts = BTreeMap::new();
    tokens.windows(order).for_each(|ngram| *counts.entry(ngram).or_insert(0) += 1);
    counts
}

fn counts(order: usize, hypothesis: &[String], references: &[Vec<String>]) -> Vec<ExplainedNgram> {
    let references: Vec<_> = references.iter().map(|reference| ngrams(order, reference)).collect();
    let most = |ngram: &[String]| references.iter().filter_map(|counts| counts.get(ngram)).max().copied();
    let counted = ngrams(order, hypothesis).into_iter().map(|(ngram, hypothesis)| ExplainedNgram {
        ngram: ngram.join(" "),
        hypothesis,
        references: most(ngram).unwrap_or(0),
    });
    counted.collect()
}

impl Display for Working {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let shown = |tokens: &[String]| format!("{}: {}", counted(tokens.len(), "token"), tokens.join(" "));
        writeln!(f, "hypothesis, {}", shown(&self.hypothesis))?;
        for (index, reference) in self.references.iter().enumerate() {
            writeln!(f, "reference {}, {}", index + 1, shown(reference))?;
        }
        for (index, counts) in self.orders.iter().enumerate() {
            self.write_order(f, index, counts)?;
        }
        self.write_formula(f)
    }
}

impl Working {
    fn write_order(&self, f: &mut Formatter<'_>, index: usize, counts: &[ExplainedNgram]) -> fmt::Result {
        writeln!(f, "\norder {}", index + 1)?;
        if counts.is_empty() {
            return writeln!(f, "  no n-grams: the hypothesis is shorter");
        }
        writeln!(f, "  {:>10}  {:>9}  {:>7}  n-gram", "hypothesis", "reference", "clipped")?;
        for count in counts {
            let ExplainedNgram { ngram, hypothesis, references } = count;
            writeln!(f, "  {hypothesis:>10}  {references:>9}  {:>7}  {ngram}", count.clipped())?;
        }
        let BleuScore { clipped, total, precisions, .. } = &self.scored.score;
        let precision = match precisions[index] {
            precision if clipped[index] == 0 && precision > 0.0 => {
                format!("smoothed {} = {} %", self.fraction(index), fixed(precision, 2))
            }
            precision if precision > 0.0 => format!("{} = {} %", self.fraction(index), fixed(precision, 2)),
            _ => "0".to_owned(),
        };
        writeln!(f, "  clipped {} of {}: precision {precision}", clipped[index], total[index])
    }

    /// Returns the n-gram precision of an order as a fraction, for example `2/3`. Exponential smoothing gives
    /// `1/(2 * total)` to the first order without matches, `1/(4 * total)` to the second, and so on.
    fn fraction(&self, index: usize) -> String {
        let BleuScore { clipped, total, .. } = &self.scored.score;
        if clipped[index] > 0 {
            return format!("{}/{}", clipped[index], total[index]);
        }
        let zeros = clipped[..=index].iter().filter(|&&clipped| clipped == 0).count();
        format!("1/({} * {})", 1_u64 << zeros, total[index])
    }

    fn write_formula(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Scored { score, signature } = &self.scored;
        let BleuScore { hyp_len, ref_len, brevity_penalty, precisions, .. } = score;
        let penalty = fixed(*brevity_penalty, 4);
        let reached: Vec<usize> = (0..precisions.len()).filter(|&index| precisions[index] > 0.0).collect();
        writeln!(
            f,
            "\nbrevity penalty BP, of hypothesis length c = {hyp_len} and closest reference length r = {ref_len}"
        )?;
        if *hyp_len == 0 {
            writeln!(f, "  = 0, since the hypothesis is empty")?;
        } else if *hyp_len as f64 >= *ref_len {
            writeln!(f, "  = 1, since c >= r")?;
        } else {
            writeln!(f, "  = exp(1 - r/c) = exp(1 - {ref_len}/{hyp_len}) = {penalty}")?;
        }
        writeln!(f, "\nBLEU")?;
        if reached.is_empty() {
            writeln!(f, "  = 0, since nothing matches")?;
        } else {
            let count = reached.len();
            let sum = |term: &dyn Fn(usize) -> String| {
                reached.iter().map(|&index| term(index)).collect::<Vec<_>>().join(" + ")
            };
            let logs = |index: usize| ln(precisions[index] / 100.0);
            let mean = reached.iter().map(|&index| logs(index)).sum::<f64>() / count as f64;
            writeln!(f, "  = 100 * BP * exp(({}) / {count})", sum(&|index| format!("ln p{}", index + 1)))?;
            let fractions = sum(&|index| format!("ln {}", self.fraction(index)));
            writeln!(f, "  = 100 * {penalty} * exp(({fractions}) / {count})")?;
            let numbers = sum(&|index| fixed(logs(index), 4));
            writeln!(f, "  = 100 * {penalty} * exp(({numbers}) / {count})")?;
            writeln!(f, "  = 100 * {penalty} * {}", fixed(exp(mean), 4))?;
            writeln!(f, "  = {}", fixed(score.score, 2))?;
        }
        writeln!(f, "\n{signature}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TokenizerOptions, tokenizer};

    fn working(hypothesis: &str, references: &[&str]) -> Working {
        let tokens = tokenizer("none", &TokenizerOptions::default()).unwrap();
        Working::new(tokens, Case::Mixed, hypothesis, references).unwrap()
    }

    #[test]
    fn the_counts_are_those_of_the_score() {
        for (hypothesis, references) in [
            ("the cat was on the mat", &["the cat is on the mat", "there is a cat"][..]),
            ("the the the the the the the", &["the cat is on the mat"]),
            ("a b", &["a b c"]),
            ("x y z w", &["a b c d"]),
            ("", &["a"]),
        ] {
            let Working { orders, scored, .. } = working(hypothesis, references);
            for (index, counts) in orders.iter().enumerate() {
                let clipped: u64 = counts.iter().map(ExplainedNgram::clipped).sum();
                let total: u64 = counts.iter().map(|count| count.hypothesis).sum();
                assert_eq!((clipped, total), (scored.score.clipped[index], scored.score.total[index]));
            }
        }
    }

    #[test]
    fn the_formula_has_the_numbers() {
        let text = working("the cat was on the mat", &["the cat is on the mat"]).to_string();
        for line in [
            "           2          2        2  the\n",
            "  clipped 0 of 3: precision smoothed 1/(2 * 3) = 16.67 %\n",
            "  = 1, since c >= r\n",
            "  = 100 * 1.0000 * exp((ln 5/6 + ln 3/5 + ln 1/4 + ln 1/(2 * 3)) / 4)\n",
            "  = 37.99\n",
        ] {
            assert!(text.contains(line), "{line} is not in {text}");
        }
        assert!(working("a b", &["a b c"]).to_string().contains("exp(1 - 3/2) = 0.6065"));
        assert!(working("x", &["a"]).to_string().contains("= 0, since nothing matches"));
        assert!(working("", &["a"]).to_string().contains("since the hypothesis is empty"));
    }
}
