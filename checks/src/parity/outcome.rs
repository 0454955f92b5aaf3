//! The answers of both sides to a case, and their comparison: integers as they are, floats by their bits.

use std::fmt;

use serde::Deserialize;

/// A float that is compared by its bits, as which it travels: two that print alike may still differ in sign or kind of NaN.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub(crate) struct FloatBits(u64);

impl FloatBits {
    pub(crate) fn from_value(value: f64) -> FloatBits {
        FloatBits(value.to_bits())
    }

    pub(crate) fn value(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl fmt::Debug for FloatBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} ({:#018x})", self.value(), self.0)
    }
}

pub(crate) fn difference<T: PartialEq + fmt::Debug>(what: &str, theirs: &T, ours: &T) -> Option<String> {
    (theirs != ours).then(|| format!("{what}: theirs {theirs:?}, ours {ours:?}"))
}

/// Returns one line for each of these fields in which two values differ.
macro_rules! differences {
    ($theirs:expr, $ours:expr, [$($field:ident),* $(,)?]) => {{
        let theirs = $theirs;
        let ours = $ours;
        let fields = [$($crate::parity::outcome::difference(stringify!($field), &theirs.$field, &ours.$field)),*];
        fields.into_iter().flatten().collect::<Vec<String>>()
    }};
}
pub(crate) use differences;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseOutcome {
    pub(crate) counts: Vec<u64>,
    pub(crate) totals: Vec<u64>,
    pub(crate) sys_len: u64,
    pub(crate) ref_len: u64,
    pub(crate) bp: FloatBits,
    pub(crate) precisions: Vec<FloatBits>,
    pub(crate) score: FloatBits,
    /// The score and its parts as they are printed, without the signature.
    pub(crate) line: String,
    /// The signature without the version; statistics that were given have none.
    pub(crate) signature: Option<String>,
}

impl CaseOutcome {
    /// Returns one line for each field in which `ours` differs, or our error; nothing if all is equal.
    pub(crate) fn differences(&self, ours: Result<&CaseOutcome, &xtask::Error>) -> Vec<String> {
        match ours {
            Ok(ours) => differences!(
                self,
                ours,
                [counts, totals, sys_len, ref_len, bp, precisions, score, line, signature]
            ),
            Err(error) => vec![format!("ours refused: {error}")],
        }
    }
}

/// How many cases of a kind were compared, and how many were not equal.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CaseKind {
    name: String,
    compared: usize,
    different: usize,
}

#[derive(Debug, Default)]
pub(crate) struct ParityReport {
    kinds: Vec<CaseKind>,
}

impl ParityReport {
    const SHOWN: usize = 3;

    /// Counts one case. `differences` is empty if both sides agree; otherwise it is shown with the case.
    pub(crate) fn case(
        &mut self,
        kind: &str,
        differences: impl IntoIterator<Item = String>,
        case: impl FnOnce() -> String,
    ) {
        let kind = self.kind(kind);
        kind.compared += 1;
        let mut differences = differences.into_iter().peekable();
        if differences.peek().is_some() {
            kind.different += 1;
            if kind.different <= Self::SHOWN {
                println!("  DIFFERENT in {}: {}", kind.name, case());
                differences.for_each(|line| println!("    {line}"));
            }
        }
    }

    /// Counts one case in which both sides must give the same value.
    pub(crate) fn same<T: PartialEq + fmt::Debug>(
        &mut self,
        kind: &str,
        theirs: &T,
        ours: &T,
        case: impl FnOnce() -> String,
    ) {
        self.case(kind, difference("answers", theirs, ours), case);
    }

    pub(crate) fn equal(&mut self, kind: &str, cases: usize) {
        self.kind(kind).compared += cases;
    }

    pub(crate) fn merge(&mut self, other: ParityReport) {
        for CaseKind { name, compared, different } in other.kinds {
            let kind = self.kind(&name);
            kind.compared += compared;
            kind.different += different;
        }
    }

    fn kind(&mut self, name: &str) -> &mut CaseKind {
        let at = self.kinds.iter().position(|known| known.name == name).unwrap_or_else(|| {
            self.kinds.push(CaseKind { name: name.to_owned(), compared: 0, different: 0 });
            self.kinds.len() - 1
        });
        &mut self.kinds[at]
    }

    pub(crate) fn print(&self) {
        for kind in &self.kinds {
            println!("  {:>8} compared, {:>4} different: {}", kind.compared, kind.different, kind.name);
        }
    }

    pub(crate) fn totals(&self) -> (usize, usize) {
        let sum = |field: fn(&CaseKind) -> usize| self.kinds.iter().map(field).sum();
        (sum(|kind| kind.compared), sum(|kind| kind.different))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome() -> CaseOutcome {
        let half = FloatBits::from_value(0.5);
        CaseOutcome {
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
    fn one_bit_is_a_difference_and_so_is_the_sign_of_zero() {
        assert!(outcome().differences(Ok(&outcome())).is_empty());
        let ours = CaseOutcome {
            score: FloatBits(0.5_f64.to_bits() + 1),
            bp: FloatBits::from_value(-0.0),
            ..outcome()
        };
        let lines = CaseOutcome { bp: FloatBits::from_value(0.0), ..outcome() }.differences(Ok(&ours));
        assert_eq!(lines.len(), 2);
        assert!(lines[1].starts_with("score: theirs 0.5 (0x3fe0000000000000), ours 0.5000000000000001"));
    }

    #[test]
    fn the_report_counts_by_kind() {
        let mut report = ParityReport::default();
        report.case("a", None, String::new);
        report.same("a", &1, &2, String::new);
        report.case("b", None, String::new);
        report.equal("b", 4);
        let mut all = ParityReport::default();
        all.merge(report);
        assert_eq!((all.totals(), all.kinds.len()), ((7, 1), 2));
    }
}
