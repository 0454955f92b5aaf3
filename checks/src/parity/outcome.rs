//! What both sides say about a case, and how the two are compared: integers as they are, floats by their bits.

use serde::Deserialize;

/// Statistics and score of one corpus or sentence. Floats are kept as the integer value of their bits.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Outcome {
    pub(crate) counts: Vec<u64>,
    pub(crate) totals: Vec<u64>,
    pub(crate) sys_len: u64,
    pub(crate) ref_len: u64,
    pub(crate) bp: u64,
    pub(crate) precisions: Vec<u64>,
    pub(crate) score: u64,
    /// The score and its parts as they are printed, without the signature.
    pub(crate) line: String,
    /// The signature without the version; statistics that were given have none.
    pub(crate) signature: Option<String>,
}

impl Outcome {
    /// One line per field in which `ours` is not this; none when all is equal.
    pub(crate) fn differences(&self, ours: &Outcome) -> Vec<String> {
        let mut lines = Vec::new();
        let mut note = |field: &str, theirs: String, ours: String| {
            if theirs != ours {
                lines.push(format!("{field}: sacreBLEU {theirs}, ours {ours}"));
            }
        };
        note("counts", format!("{:?}", self.counts), format!("{:?}", ours.counts));
        note("totals", format!("{:?}", self.totals), format!("{:?}", ours.totals));
        note("sys_len", self.sys_len.to_string(), ours.sys_len.to_string());
        note("ref_len", self.ref_len.to_string(), ours.ref_len.to_string());
        note("bp", float(self.bp), float(ours.bp));
        note("precisions", floats(&self.precisions), floats(&ours.precisions));
        note("score", float(self.score), float(ours.score));
        note("line", self.line.clone(), ours.line.clone());
        note("signature", format!("{:?}", self.signature), format!("{:?}", ours.signature));
        lines
    }
}

/// The number and its bits: two floats that print alike may still differ in sign or kind of NaN.
pub(super) fn float(bits: u64) -> String {
    format!("{:?} ({bits:#018x})", f64::from_bits(bits))
}

fn floats(bits: &[u64]) -> String {
    bits.iter().map(|&bits| float(bits)).collect::<Vec<_>>().join(", ")
}

/// How many cases of a kind were compared, and how many were not equal.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Kind {
    name: String,
    compared: usize,
    different: usize,
}

/// The running count of a whole comparison.
#[derive(Debug, Default)]
pub(crate) struct Report {
    kinds: Vec<Kind>,
}

impl Report {
    /// More than so many differences per kind are counted but not shown.
    const SHOWN: usize = 3;

    /// Counts one case; `differences` is empty when both sides agree, else it is shown with the case itself.
    pub(crate) fn case(&mut self, kind: &str, differences: &[String], case: impl FnOnce() -> String) {
        let kind = self.kind(kind);
        kind.compared += 1;
        if !differences.is_empty() {
            kind.different += 1;
            if kind.different <= Self::SHOWN {
                println!("  DIFFERENT in {}: {}", kind.name, case());
                differences.iter().for_each(|line| println!("    {line}"));
            }
        }
    }

    /// Counts cases in which both sides agree.
    pub(crate) fn equal(&mut self, kind: &str, cases: usize) {
        self.kind(kind).compared += cases;
    }

    fn kind(&mut self, name: &str) -> &mut Kind {
        let at = match self.kinds.iter().position(|known| known.name == name) {
            Some(at) => at,
            None => {
                self.kinds.push(Kind { name: name.to_owned(), compared: 0, different: 0 });
                self.kinds.len() - 1
            }
        };
        &mut self.kinds[at]
    }

    /// The table of all kinds.
    pub(crate) fn print(&self) {
        for kind in &self.kinds {
            println!("  {:>8} compared, {:>4} different: {}", kind.compared, kind.different, kind.name);
        }
    }

    /// Cases compared, and cases that were different.
    pub(crate) fn totals(&self) -> (usize, usize) {
        let sum = |field: fn(&Kind) -> usize| self.kinds.iter().map(field).sum();
        (sum(|kind| kind.compared), sum(|kind| kind.different))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome() -> Outcome {
        let half = 0.5_f64.to_bits();
        Outcome {
            counts: vec![1],
            totals: vec![2],
            sys_len: 2,
            ref_len: 2,
            bp: half,
            precisions: vec![half],
            score: half,
            line: String::new(),
            signature: None,
        }
    }

    #[test]
    fn equal_outcomes_have_no_differences() {
        assert!(outcome().differences(&outcome()).is_empty());
    }

    #[test]
    fn one_bit_is_a_difference() {
        let ours = Outcome { score: 0.5_f64.to_bits() + 1, ..outcome() };
        let lines = outcome().differences(&ours);
        assert_eq!(lines.len(), 1);
        assert!(lines[0].starts_with("score: sacreBLEU 0.5 (0x3fe0000000000000), ours 0.5000000000000001"));
    }

    #[test]
    fn signed_zeros_differ() {
        let ours = Outcome { bp: (-0.0_f64).to_bits(), ..outcome() };
        let theirs = Outcome { bp: 0.0_f64.to_bits(), ..outcome() };
        assert_eq!(theirs.differences(&ours).len(), 1);
    }

    #[test]
    fn the_report_counts_by_kind() {
        let mut report = Report::default();
        report.case("a", &[], String::new);
        report.case("a", &["x".to_owned()], String::new);
        report.case("b", &[], String::new);
        report.equal("b", 4);
        assert_eq!(report.totals(), (7, 1));
        assert_eq!(report.kinds.len(), 2);
    }
}
