//! [`CodeBleuScore`]: the score of CodeBLEU and its four parts.

use core::fmt;

use bleuprint_core::{Result, Score, ScorePart};

use crate::{CodeBleuStats, FlowZero, grams};

/// The CodeBLEU score of a corpus and the four parts from which it is computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CodeBleuScore {
    /// Weighted sum of the four parts of CodeBLEU: n-grams, weighted n-grams, syntax and data flow.
    pub codebleu: f64,
    /// BLEU of the tokens of the programs, from 0 to 1.
    pub ngram: f64,
    /// Recall of n-grams in which keywords of the programming language have fivefold weight.
    pub weighted_ngram: f64,
    /// Share of the sub-trees of the references' syntax trees that also occur in the hypotheses.
    pub syntax: f64,
    /// Share of the references' data flows (a variable and the variables it gets its value from) that also
    /// occur in the hypotheses. It is 0 if the references have none.
    pub data_flow: f64,
    stats: CodeBleuStats,
}

impl CodeBleuScore {
    pub(crate) fn from_counts(
        weights: [f64; 4],
        flow_zero: FlowZero,
        stats: &CodeBleuStats,
        segments: u64,
    ) -> Result<Self> {
        let share = |matched: u64, total: u64| if total == 0 { 0.0 } else { matched as f64 / total as f64 };
        let ngram = grams::bleu(stats)?;
        let weighted_ngram = grams::weighted(stats, segments)?;
        let syntax = share(stats.syntax_matched, stats.syntax_total);
        let data_flow = share(stats.flow_matched, stats.flow_total);
        let [a, b, c, d] = weights;
        let others = a * ngram + b * weighted_ngram + c * syntax;
        let codebleu = match flow_zero {
            // Without a segment every part is 0, and the program's rule for the data flow must not turn that
            // into a score.
            _ if segments == 0 => 0.0,
            FlowZero::One if data_flow == 0.0 => others + d,
            FlowZero::Drop if stats.flow_total == 0 => others * ((a + b + c + d) / (a + b + c)),
            _ => others + d * data_flow,
        };
        Ok(CodeBleuScore { codebleu, ngram, weighted_ngram, syntax, data_flow, stats: *stats })
    }
}

impl Score for CodeBleuScore {
    fn value(&self) -> f64 {
        self.codebleu
    }

    fn parts(&self) -> Vec<ScorePart> {
        let stats = &self.stats;
        let mut parts = vec![
            ScorePart::number("ngram", self.ngram, 4),
            ScorePart::number("weighted_ngram", self.weighted_ngram, 4),
            ScorePart::number("syntax", self.syntax, 4),
            ScorePart::number("data_flow", self.data_flow, 4),
            ScorePart::count("flows", stats.flow_total),
        ];
        for (name, count) in [
            ("broken_hypotheses", stats.broken_hypotheses),
            ("broken_references", stats.broken_references),
            ("flows_given_up", stats.flows_given_up),
        ] {
            // JSON always has the count; the text output has it only if it is not 0.
            let mut part = ScorePart::count(name, count);
            if count == 0 {
                part.show = bleuprint_core::ShowPart::Hidden;
            }
            parts.push(part);
        }
        parts
    }
}

impl fmt::Display for CodeBleuScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.codebleu.fmt(f)
    }
}
