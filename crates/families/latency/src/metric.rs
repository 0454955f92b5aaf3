//! [`Latency`]: the metric of output delays, and the checks of its data.

use bleuprint_core::{
    Choice as _, Composition, ExactSum, Identity, InputError, Metric, Observe, PlainScore, Result, Scale,
    Segment, SegmentCounts, counted,
};
use bleuprint_registry::{Opt, settings};
use bleuprint_text::whitespace::strip;

use crate::entry::{LatencyUnit, Length, SegmentTimes};
use crate::measures::TimedSegment;
use crate::{Delays, LatencyMeasure, Reference};

/// Maximum magnitude of a delay or length: 31 years in milliseconds.
const MOST: f64 = 1e12;

settings! {
    /// A latency metric: the mean of a [`LatencyMeasure`] over segments. The [crate documentation](crate) has the
    /// formulas.
    #[derive(Copy, Eq)]
    pub struct Latency {
        measure: LatencyMeasure;
        /// Segments that end with their source, or pieces of a longer recording
        form: Length = Opt::choice("form").counted("form", "f");
        /// The pieces of a reference: words between single spaces, or characters
        unit: LatencyUnit = Opt::choice("unit").counted("unit", "u");
        /// The delays in the source, or the times with computation
        times: SegmentTimes = Opt::choice("times").counted("times", "times").unless_default();
    }
}

impl Latency {
    /// Creates a latency metric for segments that each have a separate recording, which ends at the end of
    /// the segment. Each word of the system's output has a delay.
    pub fn new(measure: LatencyMeasure) -> Self {
        Latency { measure, ..Latency::default() }
    }

    /// Changes the metric to score segments that are parts of a longer recording, so output may continue
    /// after a segment's end. Delays are measured from the segment's start and may be negative.
    #[must_use]
    pub fn long(self) -> Self {
        Latency { form: Length::Long, ..self }
    }

    /// Changes the metric to score delays of characters instead of words. The characters of a reference are
    /// its code points, without white space at both ends.
    #[must_use]
    pub fn characters(self) -> Self {
        Latency { unit: LatencyUnit::Char, ..self }
    }

    /// Changes the metric to score the delays that include the system's computation time.
    #[must_use]
    pub fn elapsed(self) -> Self {
        Latency { times: SegmentTimes::Elapsed, ..self }
    }

    pub(crate) fn with_measure(self, measure: LatencyMeasure) -> Self {
        Latency { measure, ..self }
    }

    fn pieces(&self, reference: &Reference) -> u64 {
        match (reference, self.unit) {
            (Reference::Pieces(pieces), _) => *pieces,
            // SimulEval splits at single spaces, so that two spaces enclose an empty word and an empty text
            // has one.
            (Reference::Text(text), LatencyUnit::Word) => text.split(' ').count() as u64,
            (Reference::Text(text), LatencyUnit::Char) => strip(text).chars().count() as u64,
        }
    }

    fn number_of(&self, segment: Segment<'_, Delays, Reference, impl Sized>) -> Result<Option<f64>> {
        let given = segment.hypothesis;
        let reference = self.pieces(segment.one_reference(self.measure.name())?);
        let delays = match (self.times, &given.elapsed) {
            (SegmentTimes::Delays, _) => &given.delays,
            (SegmentTimes::Elapsed, Some(elapsed)) => elapsed,
            (SegmentTimes::Elapsed, None) => {
                return Err(InputError::malformed("times=elapsed needs the field `elapsed` of the segment"));
            }
        };
        if let Some(elapsed) = given.elapsed.as_ref().filter(|elapsed| elapsed.len() != given.delays.len()) {
            let delays = counted(given.delays.len(), "delay");
            let elapsed = elapsed.len();
            let message = format!("{delays}, but {elapsed} of `elapsed`: each piece of the output has both");
            return Err(InputError::malformed(message));
        }
        self.require_delays(delays)?;
        within(|| "the length of the source".to_owned(), given.source_length, 0.0)?;
        let end = match (self.form, given.recording_end) {
            (Length::Short, None) => given.source_length,
            (Length::Short, Some(_)) => {
                return Err(InputError::malformed("the end of a recording, which only form=long takes"));
            }
            (Length::Long, None) => f64::INFINITY,
            (Length::Long, Some(end)) => within(|| "the end of the recording".to_owned(), end, -MOST)?,
        };
        Ok(TimedSegment { delays, source: given.source_length, reference, end }.number(self.measure))
    }

    fn require_delays(&self, delays: &[f64]) -> Result<()> {
        let least = if self.form == Length::Long { -MOST } else { 0.0 };
        let mut before = least;
        for (number, &delay) in (1..).zip(delays) {
            within(|| format!("delay {number} of {}", delays.len()), delay, least)?;
            if delay < before {
                return Err(InputError::malformed(format!(
                    "delay {number} of {} is {delay} after {before}, but no piece is written before the one ahead of it",
                    delays.len()
                )));
            }
            before = delay;
        }
        Ok(())
    }
}

fn within(what: impl Fn() -> String, given: f64, least: f64) -> Result<f64> {
    if (least..=MOST).contains(&given) {
        return Ok(given);
    }
    let limit = format!("from {least:e} to {MOST:e}");
    Err(InputError::limit(what(), given, limit))
}

impl Metric for Latency {
    type Stats = ExactSum;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        let scale = Scale::lower_is_better(f64::NEG_INFINITY, f64::INFINITY);
        self.add_to_identity(Identity::new(self.measure.name(), 1, scale))
            .named(self.measure.name().to_uppercase())
            .composed(Composition::Mean)
            .for_form::<Delays>()
    }

    fn finalize(&self, sum: &ExactSum, counts: &SegmentCounts) -> Result<PlainScore> {
        let without = counts.segments.saturating_sub(sum.count());
        let score = PlainScore::new(self.number(sum, counts)?).with_count("segments", sum.count());
        Ok(score.with_count("without_number", without))
    }

    fn number(&self, sum: &ExactSum, counts: &SegmentCounts) -> Result<f64> {
        // An empty corpus has the mean 0; a corpus whose segments all lack a number has none.
        if sum.count() == 0 && counts.segments > 0 {
            let reason = "no segment has a number: no delays, no source, or all is written at the end";
            return Err(InputError::no_score(self.identity().name(), reason));
        }
        Ok(sum.mean(sum.count().max(1)))
    }

    fn check(&self, sum: &ExactSum, counts: &SegmentCounts) -> Result<()> {
        self.scale().check_mean(sum, sum.count().min(counts.segments))
    }
}

impl<C: Sized> Observe<Delays, Reference, C> for Latency {
    fn observe(
        &self,
        (): &mut (),
        sum: &mut ExactSum,
        segment: Segment<'_, Delays, Reference, C>,
    ) -> Result<()> {
        // A segment without a number adds nothing to the sum, and its absence from the count reports it.
        if let Some(number) = self.number_of(segment)? {
            sum.add(ExactSum::nearest(number))?;
        }
        Ok(())
    }
}
