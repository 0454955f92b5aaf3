//! [`LatencyMeasure`]: the number of one segment, in the order of operations of the programs.

/// A measure of latency; [the package](crate) has the definitions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LatencyMeasure {
    /// Average lagging.
    Al,
    /// Length-adaptive average lagging.
    #[default]
    Laal,
    /// Average proportion.
    Ap,
    /// Differentiable average lagging.
    Dal,
    /// Average lagging of what is written before the end.
    Yaal,
}

bleuprint_core::choice!(LatencyMeasure: Al "al", Laal "laal", Ap "ap", Dal "dal", Yaal "yaal"; 1);

/// The numbers of a segment that a measure needs.
pub(crate) struct TimedSegment<'d> {
    pub(crate) delays: &'d [f64],
    pub(crate) source: f64,
    pub(crate) reference: u64,
    /// The time from which on pieces do not count for YAAL.
    pub(crate) end: f64,
}

impl TimedSegment<'_> {
    /// None without delays or source, and as the measure says.
    pub(crate) fn number(&self, measure: LatencyMeasure) -> Option<f64> {
        let first = *self.delays.first().filter(|_| self.source > 0.0)?;
        let written = self.delays.len() as u64;
        match measure {
            LatencyMeasure::Al | LatencyMeasure::Ap if self.reference == 0 => None,
            LatencyMeasure::Al => Some(self.lag(first, self.reference)),
            LatencyMeasure::Laal => Some(self.lag(first, self.reference.max(written))),
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
        if first > self.source {
            return first;
        }
        let last = self.delays.iter().position(|delay| *delay >= self.source);
        self.mean_lag(last.map_or(self.delays.len(), |last| last + 1), pieces)
    }

    /// The mean over the first delays of what each is behind an output of this number of pieces that keeps pace with the source.
    fn mean_lag(&self, count: usize, pieces: u64) -> f64 {
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
            reached = delay.max(reached + 1.0 / pace);
            sum += reached - place as f64 / pace;
        }
        sum / self.delays.len() as f64
    }
}
