//! Requests for vectors that a model of the user computed.

use bleuprint::{AnyMetric, Metric as _};

use crate::failure::{Result, fail};

/// Files of vectors.
#[derive(Debug, Clone, Default)]
pub struct VectorsRequest {
    /// The name of each system, if it was given, with its file.
    pub systems: Vec<(Option<String>, String)>,
    /// One file with the references, or one for each system with `--unpaired`.
    pub references: Vec<String>,
}

impl VectorsRequest {
    pub(crate) fn sides(&self) -> Result<Vec<Self>> {
        let systems = self.systems.len();
        let references = self.references.len();
        if systems != references {
            fail!(
                "--unpaired takes a file of --reference-vectors for each system, in the order of --vectors, but {references} were \
                 given for {systems} systems"
            );
        }
        let side = |(system, references): (&(Option<String>, String), &String)| VectorsRequest {
            systems: vec![system.clone()],
            references: vec![references.clone()],
        };
        Ok(self.systems.iter().zip(&self.references).map(side).collect())
    }

    /// Returns the files of vectors, without the further files next to `x.npy`.
    pub fn files(&self) -> impl Iterator<Item = String> {
        self.systems.iter().map(|(_, file)| file).chain(&self.references).cloned()
    }

    /// Returns an error if no metric uses the vectors, or if a metric lacks them.
    pub fn check_looked_at(&self, metrics: &[(usize, AnyMetric)]) -> Result<()> {
        match (self.systems.first(), metrics.first()) {
            (Some((_, file)), None) => {
                fail!("no selected metric uses the vectors of {file}; -m bertscore and -m cosine do")
            }
            (None, Some((_, metric))) => {
                let name = metric.identity().name();
                fail!("{name} needs vectors: give --vectors SYS=FILE .. and --reference-vectors FILE")
            }
            _ => Ok(()),
        }
    }

    /// Returns `true` if there are no files.
    pub fn is_empty(&self) -> bool {
        self.systems.is_empty()
    }
}
