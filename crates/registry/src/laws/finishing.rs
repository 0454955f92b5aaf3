//! Property tests of computing scores from a metric's statistics.

use super::prelude::*;
use super::seen::{LawSubject, SeenScores};

impl SeenScores<'_> {
    /// Tests that computing a score is repeatable, changes nothing and is independent of other states. All
    /// numbers of a score must have names and be on the scale, and the first must equal the result of
    /// [`Metric::number`].
    pub(super) fn finishing(&self) -> Held {
        let SeenScores { subject, whole, .. } = self;
        let before = whole.clone();
        let first = subject.finish(whole);
        same_scores("finishing only reads", "finished twice", &subject.finish(whole), &first)?;
        let other = subject.state(self.other)?;
        let _ = subject.finish(&other);
        let elsewhere = "finished after a state of other segments";
        same_scores("finishing only reads", elsewhere, &subject.finish(whole), &first)?;
        same_states("finishing only reads", "the state after it was finished", whole, &before)?;
        fine("own check", "what was observed", subject.metric.check(whole.stats(), whole.counts()))?;
        subject.number(whole)?;
        match first {
            Ok(headlines) => subject.headlines(&headlines),
            Err(error) => no_score(&error),
        }
    }
}

/// Returns an error unless `error` is of a kind that a metric may return in place of a score.
fn no_score(error: &InputError) -> Held {
    let kind = error.kind();
    let known = matches!(kind, InputErrorKind::NoScore { .. } | InputErrorKind::CannotFinish { .. });
    require!(
        "finishing only reads",
        known || matches!(kind, InputErrorKind::EmptyCorpus),
        "what the metric observed has no score, and the error is no reason of a definition: {error}"
    );
    Ok(())
}

impl SeenScores<'_> {
    /// Tests the metric's declared relation between corpus score and segment scores. A declared mean must
    /// equal the mean of the segment scores; the segments of a declared rate must score 0 or the maximum.
    pub(super) fn composition(&self) -> Held {
        const LAW: &str = "composition";
        let SeenScores { subject, whole, .. } = self;
        let (metric, declared) = (&*subject.metric, subject.metric.identity().composition());
        if !matches!(declared, Composition::Mean | Composition::Rate | Composition::MeanOrRate) {
            return Ok(());
        }
        let (mut sum, mut counted) = (0.0, 0.0);
        for (segment, stats) in self.segments.iter().zip(&self.alone) {
            let counts = SegmentCounts::of_segment(segment.references.len());
            // A mean leaves out segments without a value, so they must not count as 0 here.
            if stats.missing(&counts) > 0 {
                continue;
            }
            let Ok(value) = metric.number(stats, &counts) else { return Ok(()) };
            let right_or_wrong = value == 0.0 || value == metric.scale().max;
            require!(
                LAW,
                declared != Composition::Rate || right_or_wrong,
                "a segment scores {value}, but a rate is declared, whose segments score 0 or {}",
                metric.scale().max
            );
            sum += value;
            counted += 1.0;
        }
        let Ok(score) = metric.number(whole.stats(), whole.counts()) else { return Ok(()) };
        let mean = if counted > 0.0 { sum / counted } else { score };
        // The metric may add in another order or in integers, so rounding may differ.
        let near = (mean - score).abs() <= 1e-9 * mean.abs().max(1.0);
        require!(LAW, near, "a mean of segments is declared, but their mean is {mean} and the score {score}");
        Ok(())
    }
}

impl SeenScores<'_> {
    /// Tests that the declared quotient of counts equals the metric's number, except where the denominator is
    /// 0.
    pub(super) fn quotient(&self) -> Held {
        const LAW: &str = "quotient";
        let SeenScores { subject, whole, .. } = self;
        let Some(quotient) = subject.metric.quotient() else { return Ok(()) };
        let columns = column_names(&*subject.metric);
        let row = fine(LAW, "the counts of a quotient", whole.row())?;
        let sum = |names: &[&str]| {
            let count =
                |name: &&str| columns.iter().position(|column| column == name).map(|place| row[place]);
            names.iter().map(count).sum::<Option<u64>>()
        };
        let numerator = sum(quotient.numerator);
        let denominator = sum(quotient.denominator);
        let (Some(numerator), Some(denominator)) = (numerator, denominator) else {
            require!(LAW, false, "the quotient {quotient:?} names a column that is not in {columns:?}");
            return Ok(());
        };
        let Ok(number) = subject.metric.number(whole.stats(), whole.counts()) else { return Ok(()) };
        let value = quotient.factor * numerator as f64 / denominator as f64;
        // The metric may multiply and divide in another order, so rounding may differ.
        let is_near = (value - number).abs() <= 1e-9 * number.abs().max(1e-3);
        require!(
            LAW,
            denominator == 0 || is_near,
            "the counts have the quotient {value}, and the score is {number}"
        );
        Ok(())
    }
}

impl LawSubject<'_> {
    fn number(&self, state: &State<AnyStats>) -> Held {
        let number = self.metric.number(state.stats(), state.counts()).map(|number| vec![number]);
        let score = self.metric.finalize(state.stats(), state.counts());
        let score = score.map(|score| (vec![score.value()], score.headlines()));
        let value = score.clone().map(|(value, _)| value);
        same_scores("number", "the number beside the value of the score", &number, &value)?;
        let first = score.map(|(value, headlines)| headlines.first().map_or(value, |first| vec![*first]));
        same_scores("number", "the first headline number beside the value of the score", &first, &value)
    }

    fn headlines(&self, headlines: &[f64]) -> Held {
        let names = self.metric.headline_names();
        let alike = names.len() == headlines.len();
        require!("headlines", alike, "the names {names:?} of the numbers {headlines:?}");
        let twice = names.iter().enumerate().find(|(index, name)| names[..*index].contains(name));
        require!("headlines", twice.is_none(), "a name occurs twice: {names:?}");
        // A tuple of metrics has one scale per metric, but only the first is known here.
        let several = self.metric.state_key().parts.len() > 1;
        let of_scale = if several { &headlines[..headlines.len().min(1)] } else { headlines };
        let Scale { min, max, .. } = self.metric.scale();
        for value in of_scale {
            let on_scale = self.metric.scale().contains(*value);
            require!("scale", on_scale, "{value:?} is not on the scale from {min} to {max}");
        }
        Ok(())
    }
}
