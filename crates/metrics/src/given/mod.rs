//! Numbers that other programs computed, one for each segment: COMET, accuracy, the marks of a judge, latency.
//!
//! ```text
//! given           = Σ value / number of values
//! given, over     = Σ numerator / Σ denominator            a micro-average
//! ```
//!
//! Given numbers behave as scores computed here: they merge, subtract, and work with files, groups, paired
//! tests, gate and report. The sums are exact ([`ExactSum`]) and rounded once: a mean at the end, a
//! quotient after rounding each sum once. The bits therefore depend neither on the order nor on the
//! partition of the data.
//!
//! | option | values | meaning |
//! |---|---|---|
//! | `name` | letters, digits, `_`, `.`, `-`; required | the number's name, its heading in tables |
//! | `column` | the name, by default | the field of a record with the number |
//! | `over` | none | the column of the denominator |
//! | `better` | `higher`, `lower` | the good direction |
//! | `scale` | open, or `MIN..MAX` | limits of every value, or of every quotient |
//! | `producer` | none | the signature of the program that computed the number, verbatim |
//! | `missing` | `error`, `skip`, `worst` | a segment without a number: refused, left out, or at the bad end of the scale |
//! | `map` | as in `C=1/P=0.5/I=0` | words that represent numbers |
//! | `spread` | no, `yes` | squares are summed too, so that a total has a standard error |
//!
//! All options except `column` are part of the key of the statistics: numbers of different producers, scales
//! or directions never merge.
//!
//! | singular case | result |
//! |---|---|
//! | NaN, or no number | missing: see the option |
//! | infinite; `2^63` or more in magnitude; with `spread` 3037000499 or more | error |
//! | beyond the scale by at most 1e-9, as rounding moves a number | the end of the scale |
//! | further beyond the scale | error |
//! | a magnitude under `2^-140` | rounded to a multiple of `2^-192` |
//! | a negative denominator | error |
//! | a sum of denominators of 0, no number at all | no score |
//! | with `missing=worst`, no denominator | error |
//!
//! `scale` and `better` define range and direction. Source: the arithmetic mean and the ratio estimator
//! (Cochran 1977, 2.11 and 6.4), whose standard errors `spread` gives. Time is constant for a segment.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_registry::Numbers;
//! use bleuprint_metrics::GivenOptions;
//!
//! let comet = GivenOptions {
//!     name: "comet".to_owned(),
//!     scale: Some((0.0, 1.0)),
//!     producer: Some("Comet2.2.6|fp32|wmt22-comet-da".to_owned()),
//!     ..GivenOptions::default()
//! };
//! let mut marks = Accumulator::<_, Numbers>::new(comet.build().unwrap());
//! for mark in [0.87, 0.91, 0.5] {
//!     marks.push(&[mark], &[]).unwrap();
//! }
//! let scored = marks.score().unwrap();
//! assert_eq!(scored.value(), 0.76);
//! assert!(scored.signature.to_string().starts_with(
//!     "given|name:comet|better:higher|scale:0..1|producer:Comet2.2.6%7Cfp32%7Cwmt22-comet-da|version:"
//! ));
//! assert!(marks.push(&[], &[]).unwrap_err().to_string().contains("missing=skip"));
//! assert!(marks.push(&[1.5], &[]).unwrap_err().to_string().contains("comet is 1.5, but must be from 0 to 1"));
//! ```

mod builder;
mod entry;
mod options;
mod stats;
#[cfg(test)]
mod tests;

use bleuprint_core::{
    Composition, Direction, ExactSum, Identity, InputError, InputErrorKind, Metric, Observe, PartValue,
    PlainScore, Result, Scale, ScorePart, Segment, SegmentCounts, ShowPart, Stats as _, TokenSpace,
};
use bleuprint_registry::Numbers;

pub use builder::GivenOptions;
pub(crate) use entry::ENTRY;
use options::GivenSettings;
pub use options::MissingNumber;
pub use stats::GivenStats;

/// Exclusive limit of the numbers that another program computed if their squares are summed. Larger squares
/// do not fit into an exact sum.
const MOST_SQUARED: f64 = 3_037_000_499.0;

/// Metric over numbers that another program computed, one for each segment; [the module](self) has the
/// definition.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    name: String,
    over: bool,
    scale: Scale,
    producer: Option<String>,
    missing: MissingNumber,
    map: Option<String>,
    spread: bool,
}

impl Given {
    fn worst(&self) -> f64 {
        if self.scale.direction == Direction::HigherIsBetter { self.scale.min } else { self.scale.max }
    }

    fn has_scale(&self) -> bool {
        self.scale.min.is_finite()
    }

    /// Returns the numerator and the denominator that a segment adds to the sums, or `None` if the segment is
    /// left out. If the score is a mean, the denominator is 1.
    fn numbers_of(&self, numbers: &Numbers) -> Result<Option<[f64; 2]>> {
        let width = if self.over { 2 } else { 1 };
        let given = numbers.len();
        if given != 0 && given != width {
            let message = format!("{} takes {width} in a segment, but {given} numbers are given", self.name);
            return Err(InputError::malformed(message));
        }
        let number = |place: usize| numbers.get(place).copied().filter(|number| !number.is_nan());
        let denominator = if self.over { number(1) } else { Some(1.0) };
        match (number(0), denominator, self.missing) {
            (Some(numerator), Some(denominator), _) => self.checked(numerator, denominator).map(Some),
            (_, _, MissingNumber::Skip) => Ok(None),
            (None, Some(denominator), MissingNumber::Worst) => {
                self.checked(self.worst() * denominator, denominator).map(Some)
            }
            (_, None, MissingNumber::Worst) => Err(InputError::malformed(format!(
                "{} has no denominator here, so missing=worst says nothing",
                self.name
            ))),
            (_, _, MissingNumber::Error) => Err(InputError::malformed(format!(
                "{} has no number here; missing=skip leaves such segments out, missing=worst counts them as the worst",
                self.name
            ))),
        }
    }

    fn checked(&self, numerator: f64, denominator: f64) -> Result<[f64; 2]> {
        let refuse = |given: f64, limit: String| Err(InputError::limit(self.name.clone(), given, limit));
        let numbers = [numerator, denominator];
        if let Some(infinite) = numbers.into_iter().find(|number| !number.is_finite()) {
            return refuse(infinite, "finite".to_owned());
        }
        if denominator < 0.0 {
            return refuse(denominator, "at least 0, as a denominator".to_owned());
        }
        let value = numerator / denominator;
        // 0/0 is NaN and has no place on the scale; such a segment adds nothing, so every scale accepts it.
        // A quotient whose denominator is 0 is infinite, which only an open scale accepts.
        let has_quotient = value.is_nan() || (self.scale.min..=self.scale.max).contains(&value);
        let on_scale = if has_quotient { Some(value) } else { self.scale.nearest(value) };
        let Some(on_scale) = on_scale else {
            return refuse(value, format!("from {} to {}", self.scale.min, self.scale.max));
        };
        // Only a value beyond an end is replaced: a product would change the last bits of all others.
        let is_beyond = !value.is_nan() && on_scale != value;
        let numbers = if is_beyond { [on_scale * denominator, denominator] } else { numbers };
        if let Some(large) = numbers.into_iter().find(|number| self.spread && number.abs() >= MOST_SQUARED) {
            return refuse(
                large,
                format!("below {MOST_SQUARED} in magnitude, as squares are summed (spread)"),
            );
        }
        Ok(numbers)
    }

    fn quotient(&self, stats: &GivenStats) -> Result<f64, &'static str> {
        match (self.over, stats.sums()) {
            (_, [first, ..]) if first.count() == 0 => Err("no segment has a number"),
            (false, [sum, ..]) => Ok(sum.mean(sum.count())),
            (true, [numerators, denominators, ..]) => {
                let quotient = numerators.to_f64() / denominators.to_f64();
                if quotient.is_finite() { Ok(quotient) } else { Err("the sum of the denominators is 0") }
            }
            _ => Err("the sums are those of another metric"),
        }
    }
}

impl Metric for Given {
    type Stats = GivenStats;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        let scale = self.has_scale().then(|| format!("{}..{}", self.scale.min, self.scale.max));
        // A rate has the values 0 and 1; a quotient of sums is no mean of segments.
        let composition = match (self.over, self.scale.min == 0.0 && self.scale.max == 1.0) {
            (true, _) => Composition::Other,
            (false, true) => Composition::MeanOrRate,
            (false, false) => Composition::Mean,
        };
        let settings = GivenSettings {
            name: Some(self.name.clone()),
            column: None,
            over: self.over.then(|| "yes".to_owned()),
            lower: self.scale.direction == Direction::LowerIsBetter,
            scale,
            producer: self.producer.clone(),
            missing: self.missing,
            map: self.map.clone(),
            spread: self.spread,
        };
        settings
            .add_to_identity(Identity::new("given", 1, self.scale))
            .composed(composition)
            .wider_sums()
            .headed(self.name.clone())
            .reference_free()
            .over(&TokenSpace::NUMBERS)
    }

    fn zero(&self) -> GivenStats {
        GivenStats::zero(self.over, self.spread)
    }

    fn finalize(&self, stats: &GivenStats, counts: &SegmentCounts) -> Result<PlainScore> {
        let no_score =
            |reason: &str| InputErrorKind::NoScore { metric: self.name.clone(), reason: reason.to_owned() };
        let mut score = PlainScore::new(self.quotient(stats).map_err(no_score)?);
        if let (true, [numerators, denominators, ..]) = (self.over, stats.sums()) {
            for (key, sum) in [("numerator", numerators), ("denominator", denominators)] {
                score = score.with(ScorePart::new(key, ShowPart::Hidden, PartValue::Number(sum.to_f64())));
            }
        }
        if let Some(error) = stats.standard_error(score.score) {
            score = score.with(ScorePart::number("standard_error", error, 4));
        }
        if self.missing == MissingNumber::Skip {
            score = score.with_count("missing", stats.missing(counts));
        }
        Ok(score.with_count("segments", counts.segments))
    }

    fn number(&self, stats: &GivenStats, _: &SegmentCounts) -> Result<f64> {
        self.quotient(stats).map_err(|reason| {
            InputErrorKind::NoScore { metric: self.name.clone(), reason: reason.to_owned() }.into()
        })
    }

    fn check(&self, stats: &GivenStats, counts: &SegmentCounts) -> Result<()> {
        stats.check_like(&self.zero())?;
        let wrong = |message: String| Err(InputError::malformed_state(message));
        let count = stats.count();
        let segments = counts.segments;
        if count > segments || count < segments && self.missing != MissingNumber::Skip {
            return wrong(format!("{count} numbers of {segments} segments"));
        }
        let sum = |place: usize| stats.sums().get(place).map_or(0.0, ExactSum::to_f64);
        if self.over && sum(1) < 0.0 {
            return wrong(format!("a sum of denominators of {}", sum(1)));
        }
        match self.quotient(stats) {
            Ok(score) if !self.scale.contains(score) => {
                wrong(format!("a score of {score}, on a scale from {} to {}", self.scale.min, self.scale.max))
            }
            _ => Ok(()),
        }
    }
}

impl Observe<Numbers> for Given {
    fn observe(&self, (): &mut (), stats: &mut GivenStats, segment: Segment<'_, Numbers>) -> Result<()> {
        let Some(numbers) = self.numbers_of(segment.hypothesis)? else { return Ok(()) };
        let mut one = self.zero();
        one.push(numbers)?;
        stats.merge(&one)
    }
}
