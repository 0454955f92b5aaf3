//! ANLS: similarity of a short answer about a document to the correct answers. It is 0 if half of the
//! characters or more are wrong.
//!
//! ```text
//! ANLS = mean over questions of max over answers of s
//!   s  = 1 - NL   if NL < t, else 0        NL = d / L, threshold t = 0.5
//! ```
//!
//! `d` is the Levenshtein distance of the cleaned texts, and `L` a length that the table defines. Cleaning
//! strips white space at both ends, turns each run of white space into one space, and converts to lower case.
//! Two programs have this name:
//!
//! | rule | L | at NL = t |
//! |---|---|--:|
//! | [`Paper`](AnlsRule::Paper), of Biten et al. 2019 and the package anls | the greater length of the cleaned texts in upper case | 0 |
//! | [`Rrc`](AnlsRule::Rrc), of the competition's own script and lmms-eval | the greater length of the original texts in upper case, white space included | 1 - t |
//!
//! The script therefore rewards white space: `ab   cd` for `ab xd` scores 0.857 with the script and 0.8 with
//! the paper's rule. Upper case matters because `ß` becomes `SS`.
//!
//! | singular case | result |
//! |---|---|
//! | both empty | 1 |
//! | one empty | 0 |
//! | no answer | error |
//! | nothing observed | 0 |
//!
//! The range is 0 to 1, higher is better; some tables print percent. Source: Biten et al. 2019, Scene Text
//! Visual Question Answering. The numbers match anls 0.0.2 (paper) and lmms-eval at 75571cf (rrc) bit for
//! bit. Time is the product of the lengths over 64.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_similarity::{Anls, AnlsRule};
//!
//! let score = |rule| {
//!     let mut anls = Accumulator::<_, str>::new(Anls::new(rule, 0.5).unwrap());
//!     anls.push("ab   cd", &["ab xd", "x"]).unwrap();
//!     anls.score().unwrap().value()
//! };
//! assert_eq!((score(AnlsRule::Paper), score(AnlsRule::Rrc)), (0.8, 1.0 - 1.0 / 7.0));
//! ```

use bleuprint_core::{Case, ConfigError, ExactSum, Identity, Observe, Result, Scale, Segment};
use bleuprint_metrics::PairTables;
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, settings};
use bleuprint_text::whitespace::split;

use crate::mean::{highest, mean_of_segments};

/// Original definition of ANLS (average normalized Levenshtein similarity) that the metric follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AnlsRule {
    /// ANLS as in the paper that defines it, Biten et al. 2019.
    Paper,
    /// ANLS as in the evaluation script of the Robust Reading Competition (RRC).
    Rrc,
}

bleuprint_core::choice!(AnlsRule: Paper "paper", Rrc "rrc");

settings! {
    /// Metric ANLS (average normalized Levenshtein similarity), by the rule of the paper or of the competition's
    /// script. The [module documentation](self) has the definition.
    #[derive(Copy)]
    pub struct Anls {
        /// The rule of the paper, or of the competition's script
        rule: AnlsRule = Opt::choice("anls-rule").counted("rule", "r");
        /// The normalized distance from which an answer counts as wrong; with rule=rrc the smallest similarity that counts
        threshold: f64 = Opt::number("anls-threshold", 0.5).limits(0, 1).counted("threshold", "th");
    }
}

impl Anls {
    /// Creates the metric ANLS with this rule and threshold of similarity; paper and script use 0.5.
    ///
    /// # Errors
    /// Returns an error if the threshold is not from 0 to 1.
    pub fn new(rule: AnlsRule, threshold: f64) -> Result<Self, ConfigError> {
        Ok(Anls { rule, threshold: Anls::OPTION.threshold.check(threshold)? })
    }

    fn counted(&self, similarity: f64, distance: f64) -> f64 {
        // The programs differ at the threshold: the paper excludes it, the script includes it. Each test is
        // written as in its program, because 1 - t may be rounded.
        let counts = match self.rule {
            AnlsRule::Paper => distance < self.threshold,
            AnlsRule::Rrc => similarity >= self.threshold,
        };
        if counts { similarity } else { 0.0 }
    }
}

mean_of_segments!(Anls, PairTables, self => {
    self.add_to_identity(Identity::new("anls", 1, Scale::UNIT)).named("ANLS")
});

impl Observe<str> for Anls {
    fn observe(&self, tables: &mut PairTables, sum: &mut ExactSum, segment: Segment<'_, str>) -> Result<()> {
        let hypothesis = AnlsAnswer::from_text(segment.hypothesis, self.rule);
        let score = |reference: &&str| {
            let reference = AnlsAnswer::from_text(reference, self.rule);
            let edits = tables.edits(&hypothesis.cleaned, &reference.cleaned)? as f64;
            let distance = edits / hypothesis.length.max(reference.length).max(1) as f64;
            Ok(self.counted(1.0 - distance, distance))
        };
        Ok(sum.add(highest(segment.references()?.iter().map(score))?)?)
    }
}

struct AnlsAnswer {
    cleaned: Vec<char>,
    /// Length of the answer, by which the edit distance is divided: its number of code points after
    /// conversion to upper case.
    length: usize,
}

impl AnlsAnswer {
    fn from_text(text: &str, rule: AnlsRule) -> Self {
        let mut cleaned = String::with_capacity(text.len());
        for word in split(&text.to_lowercase()) {
            if !cleaned.is_empty() {
                cleaned.push(' ');
            }
            cleaned.push_str(word);
        }
        let measured = if rule == AnlsRule::Rrc { text } else { &cleaned };
        let length = measured.chars().flat_map(char::to_uppercase).count();
        AnlsAnswer { cleaned: cleaned.chars().collect(), length }
    }
}

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("anls", "The similarity of short answers, 0 from half of the characters wrong", build)
        .papers(&[crate::paper("biten-etal-2019-scene")])
        .agrees_with("anls 0.0.2; with rule=rrc the competition's script, as in lmms-eval")
        .options(Anls::SPECS)
        .example(r#"{"hypothesis": "12 May 2024", "references": ["12 May 2023", "May 12"]}"#);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    // The texts are passed unchanged, because the metric lowers them itself and measures them in upper case.
    Ok(AnyMetric::for_text(Anls::from_options(options)?).with_case(Case::Mixed))
}

#[cfg(test)]
#[test]
fn both_rules_obey_the_laws() {
    for &rule in <AnlsRule as bleuprint_core::Choice>::ALL {
        bleuprint_registry::laws::check_any(&AnyMetric::for_text(Anls::new(rule, 0.5).unwrap()));
    }
}
