//! Serializes a metric's merged statistics (its state) as bytes, for databases: a statistics file with one
//! metric and a total.

use bleuprint_core::{InputError, Metric as _, Result};
use bleuprint_registry::{AnyMetric, AnyState};

use super::{FORMAT, Fingerprint, Header, StoredMetric, StoredState, StoredStatistics, TOOL};

impl Header {
    /// Creates the header of a statistics file for one metric, which describes the metric's counts in tables
    /// and query engines. `spec` is the metric as the user wrote it.
    ///
    /// # Errors
    /// Returns the errors of [`StoredMetric::from_metric`].
    pub fn of_metric(spec: impl Into<String>, metric: &AnyMetric) -> Result<Self> {
        let signature = metric.identity().signature(&Default::default()).to_string();
        Ok(Header {
            format: FORMAT.to_owned(),
            tool: TOOL.to_owned(),
            system: "system".to_owned(),
            metrics: vec![StoredMetric::from_metric(spec, metric, signature)?],
            labels: Vec::new(),
            each: true,
            unit: None,
            ids: Vec::new(),
            left_out: Vec::new(),
        })
    }

    /// Serializes the merged statistics (state) of this header's metric to bytes. The command line, Python
    /// and SQL can all read them.
    ///
    /// # Errors
    /// Returns the errors of [`StoredState::from_state`].
    ///
    /// ```
    /// use bleuprint_core::State;
    /// use bleuprint_registry::AnyState;
    /// use bleuprint_eval::store::{Header, StoredStatistics};
    /// let registry = bleuprint_metrics::registry();
    /// let wer = registry.build("wer").unwrap();
    /// let header = Header::of_metric("wer", &wer).unwrap();
    /// let bytes = header.state_to_bytes(&wer, &State::zero(&wer)).unwrap();
    /// let stored = StoredStatistics::from_reader(&bytes[..], "the state").unwrap();
    /// assert_eq!(stored.open(std::slice::from_ref(&wer)).unwrap(), [State::zero(&wer)]);
    /// let error = stored.open(&[registry.build("cer").unwrap()]).unwrap_err();
    /// assert!(error.to_string().contains("wer"), "{error}");
    /// ```
    pub fn state_to_bytes(&self, metric: &AnyMetric, state: &AnyState) -> Result<Vec<u8>> {
        let stored = StoredStatistics {
            header: Header { each: false, ..self.clone() },
            segments: Vec::new(),
            segment_count: state.counts().segments,
            references: Fingerprint::default(),
            source: None,
            total: vec![StoredState::from_state(metric, state)?],
        };
        stored.to_vec()
    }
}

impl StoredStatistics {
    /// Splits a file of one metric into its header and its total, from which the metric's state can be read.
    ///
    /// # Errors
    /// Returns an error if the file has several metrics.
    pub fn into_state(mut self) -> Result<(Header, StoredState)> {
        match (self.header.metrics.len(), self.total.len()) {
            (1, 1) => Ok((self.header, self.total.remove(0))),
            (metrics, _) => {
                Err(InputError::malformed(format!("the state must have one metric, but has {metrics}")))
            }
        }
    }
}
