//! [`PageFinisher`]: formulas for the metrics that the report's script can recompute in the browser, and the
//! counts that they need.

use bleuprint_core::{Metric, Quotient, column_names};
use serde::Serialize;

/// Formula with which the JavaScript of an HTML report computes a metric's score from summed per-segment
/// counts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[non_exhaustive]
pub enum PageFinisher {
    /// Formula of BLEU with its usual settings: n-grams up to 4, exponential smoothing and the closest
    /// reference length. Other settings of BLEU have no formula in the browser.
    Bleu {
        /// Number of counts that the report stores for each segment.
        width: usize,
        /// Indices of the metric's count columns that the report stores.
        #[serde(skip)]
        columns: Vec<usize>,
    },
    /// chrF: the F-score of precision and recall, each averaged over all n-gram orders.
    Chrf {
        /// Number of counts that the report stores for each segment.
        width: usize,
        /// Indices of the metric's count columns that the report stores.
        #[serde(skip)]
        columns: Vec<usize>,
        /// chrF's β, the weight of recall relative to precision.
        beta: f64,
    },
    /// Sum of some count columns divided by the sum of other columns, times `factor`, such as an error rate.
    Ratio {
        /// Number of counts that the report stores for each segment.
        width: usize,
        /// Indices of the count columns whose sum is the numerator, and of the columns whose sum is the
        /// denominator.
        #[serde(skip)]
        columns: [Vec<usize>; 2],
        /// Factor by which the quotient is multiplied, such as 100 for a percentage.
        factor: f64,
    },
}

impl PageFinisher {
    /// Returns the formula with which the report's JavaScript computes a metric's score from counts: the
    /// quotient that the metric declares, or the formula of BLEU or chrF. `signature` is the printed signature
    /// of the scores. Returns `None` if the JavaScript has no formula for the metric.
    ///
    /// A wrong declaration does no harm: a report uses a formula only if it [agrees](PageFinisher::agrees) with
    /// the scores of all segments, separately and together.
    ///
    /// ```
    /// use bleuprint_core::{Identity, Metric, PlainScore, Quotient, Result, Scale, SegmentCounts, columns};
    /// use bleuprint_report::page::PageFinisher;
    ///
    /// columns! {
    ///     /// Number of equal texts.
    ///     pub struct Matched { matched <= segments }
    /// }
    /// struct ExactMatch;
    /// impl Metric for ExactMatch {
    ///     type Stats = Matched;
    ///     type Score = PlainScore;
    ///     type Scratch = ();
    ///     fn identity(&self) -> Identity {
    ///         Identity::new("exact_match", 1, Scale::PERCENT)
    ///     }
    ///     fn finalize(&self, stats: &Matched, counts: &SegmentCounts) -> Result<PlainScore> {
    ///         Ok(PlainScore::new(100.0 * stats.matched as f64 / counts.segments as f64))
    ///     }
    ///     fn quotient(&self) -> Option<Quotient> {
    ///         Some(Quotient { numerator: &["matched"], denominator: &["segments"], factor: 100.0 })
    ///     }
    /// }
    ///
    /// let finisher = PageFinisher::from_metric(&ExactMatch, "EM|nrefs:1").unwrap();
    /// // The counts of 4 segments with 1 reference each, of which 3 match.
    /// assert_eq!(finisher.row(&[4, 4, 4, 3]), [3, 4]);
    /// assert_eq!(finisher.score(&[3, 4]), 75.0);
    /// ```
    pub fn from_metric<M: Metric + ?Sized>(metric: &M, signature: &str) -> Option<PageFinisher> {
        let columns = column_names(metric);
        let columns = &columns[..];
        if let Some(Quotient { numerator, denominator, factor }) = metric.quotient() {
            let place = |name: &&str| columns.iter().position(|column| column == name);
            let places = |names: &[&str]| names.iter().map(place).collect::<Option<Vec<usize>>>();
            let columns = [places(numerator)?, places(denominator)?];
            return Some(PageFinisher::Ratio { width: 2, columns, factor });
        }
        PageFinisher::from_key(&metric.state_key().to_string(), signature, columns)
    }

    /// Returns the formula of a metric that is no quotient of sums.
    fn from_key(key: &str, signature: &str, columns: &[String]) -> Option<PageFinisher> {
        let name = key.split(['/', '|']).next().unwrap_or_default();
        let place = |name: &str| columns.iter().position(|column| column == name);
        let places = |names: &[&str]| names.iter().map(|name| place(name)).collect::<Option<Vec<usize>>>();
        let has = |field: &str| signature.split('|').chain(key.split('|')).any(|entry| entry == field);
        // An unknown field of the signature may change the formula, so a metric with one is not computed on
        // the page.
        let known = |fields: &[&str]| {
            let field = |entry: &str| entry.split(':').next().unwrap_or_default().to_owned();
            signature.split('|').skip(1).all(|entry| fields.contains(&field(entry).as_str()))
        };
        match name {
            "bleu" => {
                let usual = has("order:4") && has("eff:no") && has("smooth:exp");
                let plain = known(&["nrefs", "case", "eff", "tok", "smooth", "version"]);
                let names =
                    ["total_1", "ref_len_closest", "clipped_1", "clipped_2", "clipped_3", "clipped_4"];
                let columns = places(&names).filter(|_| usual && plain)?;
                Some(PageFinisher::Bleu { width: columns.len(), columns })
            }
            "chrf" => {
                // The signature begins with the name, such as `chrF2++`; its digits are beta.
                let beta = signature.split('|').next()?.trim_start_matches(|c: char| !c.is_ascii_digit());
                let beta = beta.trim_end_matches('+').parse().ok().filter(|_| has("eff:yes"))?;
                let counts = |suffix: &str| {
                    columns
                        .iter()
                        .enumerate()
                        .filter(move |(_, name)| name.ends_with(suffix))
                        .map(|(at, _)| at)
                        .collect::<Vec<_>>()
                };
                let [hyp, reference, matched] = ["_hyp", "_ref", "_match"].map(counts);
                let columns: Vec<usize> = hyp
                    .into_iter()
                    .zip(reference)
                    .zip(matched)
                    .flat_map(|((hyp, reference), matched)| [hyp, reference, matched])
                    .collect();
                Some(PageFinisher::Chrf { width: columns.len(), columns, beta })
            }
            _ => None,
        }
    }

    /// Selects from a segment's counts the values that the report stores for this formula.
    pub fn row(&self, counts: &[u64]) -> Vec<u64> {
        let at = |column: &usize| counts.get(*column).copied().unwrap_or(0);
        match self {
            PageFinisher::Bleu { columns, .. } | PageFinisher::Chrf { columns, .. } => {
                columns.iter().map(at).collect()
            }
            PageFinisher::Ratio { columns, .. } => {
                columns.iter().map(|columns| columns.iter().map(at).fold(0, u64::saturating_add)).collect()
            }
        }
    }

    /// Returns the score that this formula gives for summed counts, like the JavaScript of the report.
    /// Returns NaN for BLEU, whose formula is only in the JavaScript.
    pub fn score(&self, row: &[u64]) -> f64 {
        let at = |place: usize| row.get(place).copied().unwrap_or(0) as f64;
        match self {
            // Totals of orders above 1 follow from the length for a segment but not for a sum; the script
            // adds them up by segment.
            PageFinisher::Bleu { .. } => f64::NAN,
            PageFinisher::Chrf { beta, .. } => chrf(row, beta * beta),
            PageFinisher::Ratio { factor, .. } => factor * at(0) / at(1),
        }
    }

    /// Returns `true` if this formula reproduces the given scores from the given counts, up to rounding. A
    /// report uses a formula only if it passes this check. Always `true` for BLEU.
    pub fn agrees(&self, rows: impl IntoIterator<Item = (Vec<u64>, f64)>) -> bool {
        // The script works in floating point, so a relative tolerance covers the order of its sums.
        let equal = |one: f64, other: f64| (one - other).abs() <= 1e-9 * other.abs().max(1e-3);
        matches!(self, PageFinisher::Bleu { .. })
            || rows.into_iter().all(|(counts, score)| equal(self.score(&self.row(&counts)), score))
    }
}

fn chrf(row: &[u64], beta: f64) -> f64 {
    let mut precision = 0.0;
    let mut recall = 0.0;
    let mut orders = 0.0;
    // As in sacreBLEU's effective order, orders without n-grams on a side are left out of both means.
    for order in row.chunks_exact(3).filter(|order| order[0] > 0 && order[1] > 0) {
        precision += order[2] as f64 / order[0] as f64;
        recall += order[2] as f64 / order[1] as f64;
        orders += 1.0;
    }
    if orders == 0.0 || precision + recall == 0.0 {
        return 0.0;
    }
    let precision = precision / orders;
    let recall = recall / orders;
    100.0 * ((1.0 + beta) * precision * recall / (beta * precision + recall))
}

/// Returns a text with its token borders marked by a space, or by `glue` if the text has no space there.
/// Spaces within a token become no-break spaces. If the tokens are not found in the text, returns the tokens
/// with spaces between them.
///
/// ```
/// use bleuprint_report::page::glued;
/// assert_eq!(glued("It's so.", &["It", "'s", "so", "."], '_'), "It_'s so_.");
/// assert_eq!(glued("ABC", &["abc", "x"], '_'), "abc x");
/// ```
pub fn glued(text: &str, tokens: &[&str], glue: char) -> String {
    let mut shown = String::with_capacity(text.len() + tokens.len());
    let mut rest = text;
    for (index, token) in tokens.iter().enumerate() {
        let trimmed = rest.trim_start();
        let Some(after) = trimmed.strip_prefix(token) else { return spaced(tokens) };
        if index > 0 {
            shown.push(if trimmed.len() < rest.len() { ' ' } else { glue });
        }
        shown.extend(token.chars().map(|c| if c == ' ' { '\u{a0}' } else { c }));
        rest = after;
    }
    if rest.trim().is_empty() { shown } else { spaced(tokens) }
}

fn spaced(tokens: &[&str]) -> String {
    tokens.iter().map(|token| token.replace(' ', "\u{a0}")).collect::<Vec<_>>().join(" ")
}
