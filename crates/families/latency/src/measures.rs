//! [`LatencyMeasure`]: computes a latency measure for one segment, with the order of operations of the
//! original programs.

/// A measure of the latency of simultaneous translation, such as average lagging. The [crate
/// documentation](crate) has the formulas.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LatencyMeasure {
    /// Average lagging (AL): the mean time by which the output is behind an ideal output that keeps pace with
    /// the source.
    Al,
    /// Length-adaptive average lagging (LAAL): average lagging that is also fair to outputs longer than the
    /// reference.
    #[default]
    Laal,
    /// Average proportion (AP): the mean share of the source that was read before each piece of the output.
    Ap,
    /// Differentiable average lagging (DAL): average lagging in which pieces written at once count as written
    /// one after another, at an even pace.
    Dal,
    /// Average lagging (YAAL) that counts only the pieces of the output written before the end of the source
    /// or recording.
    Yaal,
}

bleuprint_core::choice!(LatencyMeasure: Al "al", Laal "laal", Ap "ap", Dal "dal", Yaal "yaal"; 1);

/// The delays and lengths of one segment, from which latency measures are computed.
pub(crate) struct TimedSegment<'d> {
    pub(crate) delays: &'d [f64],
    pub(crate) source: f64,
    pub(crate) reference: u64,
    /// End of the source or recording. The measure YAAL ignores pieces written at this time or later.
    pub(crate) end: f64,
}

impl TimedSegment<'_> {
    /// Returns the latency of the segment under a measure. Returns `None` if there are no delays, the source
    /// has no length, or the measure is not defined.
    pub(crate) fn number(&self, measure: LatencyMeasure) -> Option<f64> {
        let first = *self.delays.first().filter(|_| self.source > 0.0)?;
        let written = self.delays.len() as u64;
        match measure {
            LatencyMeasure::Al | LatencyMeasure::Ap if self.reference == 0 => None,
            LatencyMeasure::Al => Some(self.lag(first, self.reference)),
            LatencyMeasure::Laal => Some(self.lag(first, self.reference.max(written))),
            // The original programs divide once, by the product; two divisions could differ in the last bit.
            LatencyMeasure::Ap => {
                Some(self.delays.iter().sum::<f64>() / (self.source * self.reference as f64))
            }
            LatencyMeasure::Dal => Some(self.differentiable(first)),
            LatencyMeasure::Yaal => {
                let before = self.delays.iter().take_while(|delay| **delay < self.end).count();
                (before > 0).then(|| self.mean_lag(before, self.reference.max(written)))
            }
        }
    }

    fn lag(&self, first: f64, pieces: u64) -> f64 {
        // If even the first piece comes after the end of the source, the papers take its delay alone.
        if first > self.source {
            return first;
        }
        // The first piece written at or after the end of the source is the last that counts: later ones
        // cannot lag any further.
        let last = self.delays.iter().position(|delay| *delay >= self.source);
        self.mean_lag(last.map_or(self.delays.len(), |last| last + 1), pieces)
    }

    /// Returns the mean lag of the first `count` delays behind an ideal output, which writes `pieces` pieces
    /// evenly while the source is read.
    fn mean_lag(&self, count: usize, pieces: u64) -> f64 {
        // The programs compute the pace first and divide by it; `place * source / pieces` would differ in the
        // last bit.
        let pace = pieces as f64 / self.source;
        let behind =
            self.delays[..count].iter().enumerate().map(|(place, delay)| delay - place as f64 / pace);
        behind.sum::<f64>() / count as f64
    }

    fn differentiable(&self, first: f64) -> f64 {
        let pace = self.delays.len() as f64 / self.source;
        let mut sum = first;
        let mut reached = first;
        for (place, delay) in self.delays.iter().enumerate().skip(1) {
            // Every piece takes at least one step of the pace, so that a burst of pieces is not free.
            reached = delay.max(reached + 1.0 / pace);
            sum += reached - place as f64 / pace;
        }
        sum / self.delays.len() as f64
    }
}
