//! What first passes learned, as a file: document frequencies and information weights of one corpus for the next.
//!
//! A JSON object in UTF-8: `format`, and `states`, the state of each metric that has a first pass, in the panel's
//! order, with its key. Reading is as strict as for statistics: another format, another number of metrics, other
//! settings or other tokens are errors that name the file.

use std::io::Write as _;
use std::path::Path;

use bleuprint_core::{AnyMetric, AnyState, InputError, InputErrorKind, Location};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::AtomicFile;
use crate::{Panel, PanelState};

/// The format that is written, and read.
const FORMAT: &str = "bleuprint-learned/1";

#[derive(Serialize)]
struct Written<'a> {
    format: &'a str,
    states: &'a [AnyState],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    format: String,
    states: Vec<Box<RawValue>>,
}

impl PanelState {
    /// What a first pass learned ([`crate::FirstPass::finish`]), for [`Panel::restore_learned`].
    ///
    /// # Errors
    /// [`Io`](InputErrorKind::Io) of a state that cannot be written as JSON.
    pub fn learned_to_vec(&self) -> Result<Vec<u8>, InputError> {
        serde_json::to_vec(&Written { format: FORMAT, states: self.states() })
            .map_err(|error| InputErrorKind::Io(error.to_string()).into())
    }

    /// Writes what a first pass learned ([`crate::FirstPass::finish`]), for [`Panel::read_learned`].
    ///
    /// # Errors
    /// [`Io`](InputErrorKind::Io) with the file.
    pub fn write_learned(&self, path: impl AsRef<Path>) -> Result<(), InputError> {
        let path = path.as_ref();
        let at = |error: String| {
            InputError::new(InputErrorKind::Io(error)).at(Location::file(path.display().to_string()))
        };
        let mut file = AtomicFile::create(path)?;
        serde_json::to_writer(&mut file, &Written { format: FORMAT, states: self.states() })
            .map_err(|error| at(error.to_string()))?;
        writeln!(file).map_err(|error| at(error.to_string()))?;
        file.commit()
    }
}

impl Panel {
    /// What a first pass over other data learned, for [`Panel::second_pass`].
    ///
    /// # Errors
    /// A file that cannot be read, of another format, or learned by metrics of other settings or over other tokens.
    pub fn read_learned(&self, path: impl AsRef<Path>) -> Result<PanelState, InputError> {
        let path = path.as_ref();
        let at = |error: InputError| error.at(Location::file(path.display().to_string()));
        let bytes = std::fs::read(path).map_err(|error| at(InputErrorKind::Io(error.to_string()).into()))?;
        self.restore_learned(&bytes).map_err(at)
    }

    /// What [`PanelState::learned_to_vec`] gave, or a file holds.
    ///
    /// # Errors
    /// As for [`Panel::read_learned`].
    pub fn restore_learned(&self, bytes: &[u8]) -> Result<PanelState, InputError> {
        let malformed = |error: serde_json::Error| InputError::malformed_state(error.to_string());
        let read: Read = serde_json::from_slice(bytes).map_err(malformed)?;
        if read.format != FORMAT {
            let message = format!("the format is `{}`, where `{FORMAT}` is expected", read.format);
            return Err(InputError::malformed_state(message));
        }
        let first: Vec<&dyn AnyMetric> = self.metrics().filter_map(AnyMetric::first_pass).collect();
        if first.len() != read.states.len() {
            let message = format!(
                "what {} metrics learned, where {} of the metrics that were asked for have a first pass",
                read.states.len(),
                first.len()
            );
            return Err(InputError::malformed_state(message));
        }
        let open = |(metric, state): (&&dyn AnyMetric, &RawValue)| {
            let mut state = serde_json::Deserializer::from_str(state.get());
            metric.restore(&mut <dyn erased_serde::Deserializer<'_>>::erase(&mut state))
        };
        let states = first
            .iter()
            .zip(read.states.iter().map(AsRef::as_ref))
            .map(open)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(PanelState::of_learned(states))
    }
}
