//! A state alone, as bytes that go from task to task: a file of statistics with one metric and its total.

use bleuprint_core::{AnyMetric, AnyState, InputError, Metric as _, Result};

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
}

impl StoredStatistics {
    /// A state of the metric of this header.
    ///
    /// # Errors
    /// Those of [`StoredState::of`].
    pub fn of_state(header: &Header, metric: &AnyMetric, state: &AnyState) -> Result<Self> {
        Ok(StoredStatistics {
            header: Header { each: false, ..header.clone() },
            segments: Vec::new(),
            segment_count: state.counts().segments,
            references: Fingerprint::default(),
            source: None,
            total: vec![StoredState::of(metric, state)?],
        })
    }

    /// The header and the only state, to be opened by its metric.
    ///
    /// # Errors
    /// Several metrics.
    ///
    /// ```
    /// use bleuprint_core::{AnyState, State};
    /// use bleuprint_eval::store::{Header, StoredStatistics};
    /// let wer = bleuprint_metrics::registry().build("wer").unwrap();
    /// let header = Header::of_metric("wer", &wer).unwrap();
    /// let bytes = StoredStatistics::of_state(&header, &wer, &State::zero(&wer)).unwrap().to_vec().unwrap();
    /// let (header, state) = StoredStatistics::from_reader(&bytes[..], "states[0]").unwrap().into_state().unwrap();
    /// assert_eq!((header.metrics[0].spec.as_str(), state.open(&wer).unwrap()), ("wer", State::zero(&wer)));
    /// ```
    pub fn into_state(self) -> Result<(Header, StoredState)> {
        let StoredStatistics { header, mut total, .. } = self;
        match (total.pop(), &total[..]) {
            (Some(only), []) => Ok((header, only)),
            _ => {
                let metrics = header.metrics.len();
                Err(InputError::malformed(format!("these are {metrics} metrics, but a state has one")))
            }
        }
    }
}
