//! A state alone, as bytes that go from task to task: a file of statistics with one metric and its total.

use bleuprint_core::{InputError, Metric as _, Result};
use bleuprint_registry::{AnyMetric, AnyState};

use super::{FORMAT, Fingerprint, Header, StoredMetric, StoredState, StoredStatistics, TOOL};

impl Header {
    /// The header of rows and states of one metric in tables and engines, with the name that a user gave.
    ///
    /// # Errors
    /// Those of [`StoredMetric::of`].
    pub fn of_metric(spec: impl Into<String>, metric: &AnyMetric) -> Result<Self> {
        let signature = metric.identity().signature(&Default::default()).to_string();
        Ok(Header {
            format: FORMAT.to_owned(),
            tool: TOOL.to_owned(),
            system: "system".to_owned(),
            metrics: vec![StoredMetric::of(spec, metric, signature)?],
            labels: Vec::new(),
            each: true,
        })
    }

    /// A state of the metric of this header, as the bytes that every door reads.
    ///
    /// # Errors
    /// Those of [`StoredState::of`].
    ///
    /// ```
    /// use bleuprint_core::State;
    /// use bleuprint_registry::AnyState;
    /// use bleuprint_eval::store::{Header, state_from_bytes};
    /// let registry = bleuprint_metrics::registry();
    /// let wer = registry.build("wer").unwrap();
    /// let header = Header::of_metric("wer", &wer).unwrap();
    /// let bytes = header.state_to_bytes(&wer, &State::zero(&wer)).unwrap();
    /// assert_eq!(state_from_bytes(&wer, &bytes).unwrap(), State::zero(&wer));
    /// let error = state_from_bytes(&registry.build("cer").unwrap(), &bytes).unwrap_err();
    /// assert!(error.to_string().contains("wer"), "{error}");
    /// ```
    pub fn state_to_bytes(&self, metric: &AnyMetric, state: &AnyState) -> Result<Vec<u8>> {
        let stored = StoredStatistics {
            header: Header { each: false, ..self.clone() },
            segments: Vec::new(),
            segment_count: state.counts().segments,
            references: Fingerprint::default(),
            source: None,
            total: vec![StoredState::of(metric, state)?],
        };
        stored.to_vec()
    }
}

/// The state of this metric in bytes of [`Header::state_to_bytes`].
///
/// # Errors
/// Bytes that were changed or cut; several metrics; those of [`StoredStatistics::open`].
pub fn state_from_bytes(metric: &AnyMetric, bytes: &[u8]) -> Result<AnyState> {
    let stored = StoredStatistics::from_reader(bytes, "the state")?;
    stored.require_alone()?;
    Ok(stored.open(std::slice::from_ref(metric))?.remove(0))
}

impl StoredStatistics {
    /// The header and the only state, to be opened by its metric.
    ///
    /// # Errors
    /// Several metrics.
    pub fn into_state(mut self) -> Result<(Header, StoredState)> {
        self.require_alone()?;
        Ok((self.header, self.total.remove(0)))
    }

    fn require_alone(&self) -> Result<()> {
        match (self.header.metrics.len(), self.total.len()) {
            (1, 1) => Ok(()),
            (metrics, _) => {
                Err(InputError::malformed(format!("these are {metrics} metrics, but a state has one")))
            }
        }
    }
}
