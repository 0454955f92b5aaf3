//! Files of tables that metrics learned from one corpus, such as document frequencies, to be used for another
//! corpus.
//!
//! The file is one JSON object in UTF-8. `format` names the format. `states` has the learned state, with its
//! key, of each metric that learns in a first pass. Metrics over text are first, in the panel's order, then
//! metrics over vectors and other data. `sha256`, the last field, covers all bytes of the object before
//! `,"sha256":`.
//!
//! The reader is as strict as for statistics. A changed file, another format, another number of metrics,
//! other settings and other tokens are errors that name the file. Files of `bleuprint-learned/1` are
//! rejected, because they have no checksum: learning again takes seconds.

use std::io::Write as _;
use std::path::Path;

use bleuprint_core::{InputError, InputErrorKind, Location, Result, State};
use bleuprint_registry::{AnyMetric, AnyState, ViewKind};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use super::AtomicFile;
use super::checksum::{require_sealed, seal};
use crate::evaluation::{Metrics, Run};
use crate::{Panel, PanelState};

const FORMAT: &str = "bleuprint-learned/2";

/// Previous format of files of learned tables, which had no checksum and is rejected.
const UNSEALED: &str = "bleuprint-learned/1";

#[derive(Serialize)]
struct WrittenState<'a> {
    format: &'a str,
    states: &'a [AnyState],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LearnedRead {
    format: String,
    states: Vec<Box<RawValue>>,
    #[serde(default)]
    sha256: String,
}

fn to_vec(states: &[AnyState]) -> Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(&WrittenState { format: FORMAT, states })
        .map_err(|error| InputErrorKind::Io(error.to_string()))?;
    seal(&mut bytes, Sha256::new());
    Ok(bytes)
}

fn write(states: &[AnyState], path: &Path) -> Result<()> {
    let mut bytes = to_vec(states)?;
    bytes.push(b'\n');
    let mut file = AtomicFile::create(path)?;
    let written = file.write_all(&bytes).map_err(|error| InputErrorKind::Io(error.to_string()));
    written.map_err(|error| InputError::from(error).at(Location::file(path.display().to_string())))?;
    file.commit()
}

/// Reads from a file the tables that metrics learned from a corpus, such as document frequencies. `first` has
/// the metrics that learn, in the order of the file; the result has one learned state for each.
fn read(first: &[&AnyMetric], path: &Path) -> Result<Vec<AnyState>> {
    let at = |error: InputError| error.at(Location::file(path.display().to_string()));
    let bytes = std::fs::read(path).map_err(|error| at(InputErrorKind::Io(error.to_string()).into()))?;
    restore(first, &bytes).map_err(at)
}

fn restore(first: &[&AnyMetric], bytes: &[u8]) -> Result<Vec<AnyState>> {
    let malformed = |error: serde_json::Error| InputError::malformed_state(error.to_string());
    let read: LearnedRead = serde_json::from_slice(bytes).map_err(malformed)?;
    // The version is checked before the checksum, which older files lack.
    if read.format != FORMAT {
        let hint = if read.format == UNSEALED { "; it has no checksum: learn and save again" } else { "" };
        let message = format!("the format is `{}`, where `{FORMAT}` is expected{hint}", read.format);
        return Err(InputError::malformed_state(message));
    }
    let sealed = require_sealed(bytes.trim_ascii_end(), &read.sha256, Sha256::new());
    sealed.map_err(InputError::malformed_state)?;
    if first.len() != read.states.len() {
        let message = format!(
            "the file holds learned tables of {} metrics, but {} of the requested metrics learn",
            read.states.len(),
            first.len()
        );
        return Err(InputError::malformed_state(message));
    }
    let states = first.iter().zip(&read.states);
    states
        .map(|(metric, state)| State::read(*metric, &mut serde_json::Deserializer::from_str(state.get())))
        .collect()
}

impl Panel {
    /// Serializes the tables that the metrics learned from the data (such as idf weights) as the bytes that
    /// [`Panel::write_learned`] writes. `self` must be the panel that [`Panel::first_pass`] returned.
    ///
    /// # Errors
    /// Returns an error if the state belongs to another panel, or [`Io`](InputErrorKind::Io) if it cannot be
    /// written as JSON.
    pub fn learned_to_vec(&self, learned: &PanelState) -> Result<Vec<u8>> {
        to_vec(&self.states(learned)?)
    }

    /// Writes to a file the tables that the metrics learned from the data (such as idf weights), for
    /// [`Panel::read_learned`].
    ///
    /// # Errors
    /// Returns the errors of [`Panel::learned_to_vec`], and [`Io`](InputErrorKind::Io) with the file if it
    /// cannot be written.
    pub fn write_learned(&self, learned: &PanelState, path: impl AsRef<Path>) -> Result<()> {
        write(&self.states(learned)?, path.as_ref())
    }

    /// Reads from a file the tables that the metrics learned from other data, for [`Panel::second_pass`].
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, has another format, or was learned by metrics with other
    /// settings or tokens.
    pub fn read_learned(&self, path: impl AsRef<Path>) -> Result<PanelState> {
        self.state_of(read(&self.metrics().collect::<Vec<_>>(), path.as_ref())?)
    }

    /// Reads the tables that the metrics learned. `bytes` come from [`Panel::learned_to_vec`] or from a file
    /// that [`Panel::write_learned`] wrote.
    ///
    /// # Errors
    /// Returns the errors of [`Panel::read_learned`].
    pub fn restore_learned(&self, bytes: &[u8]) -> Result<PanelState> {
        self.state_of(restore(&self.metrics().collect::<Vec<_>>(), bytes)?)
    }
}

impl Metrics {
    /// Loads from a file the tables that metrics learned from other data, and returns the metrics with these
    /// tables. [`Run::write_learned`] writes the file.
    ///
    /// # Errors
    /// Returns the errors of [`Panel::read_learned`].
    pub fn read_learned(self, path: impl AsRef<Path>) -> Result<Self> {
        let Metrics { mut panel, numbers, mut vectors, mut own } = self;
        let of_text = panel.first_pass();
        let mut first: Vec<&AnyMetric> = of_text.iter().flat_map(Panel::metrics).collect();
        let texts = first.len();
        // The order of the file: metrics over text first, then over vectors, then over other data.
        first.extend(vectors.iter().chain(&own).filter_map(|(_, metric)| metric.first_pass()));
        let mut states = read(&first, path.as_ref())?;
        let beside_text = states.split_off(texts);
        if let Some(first) = of_text {
            panel = panel.second_pass(&first.state_of(states)?)?;
        }
        let all = vectors.iter_mut().chain(&mut own);
        let two_pass = all.filter(|(_, metric)| metric.first_pass().is_some());
        for ((_, metric), state) in two_pass.zip(&beside_text) {
            *metric = metric.second_pass(state)?;
        }
        Ok(Metrics { panel, numbers, vectors, own })
    }
}

impl Run {
    /// Writes to a file the tables that metrics learned from this data, for [`Metrics::read_learned`] and
    /// [`Panel::read_learned`].
    ///
    /// # Errors
    /// Returns an error if no metric has learned, or [`Io`](InputErrorKind::Io) with the file if it cannot be
    /// written.
    pub fn write_learned(&self, path: impl AsRef<Path>) -> Result<()> {
        // The reader expects metrics over text first, then over vectors, then over other data. The sort is
        // stable.
        let mut metrics: Vec<&AnyMetric> = self.metrics().iter().collect();
        metrics.sort_by_key(|metric| match metric.view.kind {
            ViewKind::Vectors => 1,
            ViewKind::Own => 2,
            _ => 0,
        });
        let states: Vec<AnyState> = metrics.iter().filter_map(|metric| metric.learned()).cloned().collect();
        if states.is_empty() {
            return Err(InputError::malformed("nothing was learned, as no metric has a first pass"));
        }
        write(&states, path.as_ref())
    }
}
