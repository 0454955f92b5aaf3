//! Vectors of a user's own model.

use bleuprint::{AnyMetric, Metric as _};

use crate::failure::{Result, fail};

/// Files of vectors.
#[derive(Debug, Clone, Default)]
pub struct VectorsRequest {
    /// The name of each system, if given, and its file.
    pub systems: Vec<(Option<String>, String)>,
    /// One file, or one for each system with --unpaired.
    pub references: Vec<String>,
}

impl VectorsRequest {
    pub(crate) fn sides(&self) -> Result<Vec<Self>> {
        let (systems, references) = (self.systems.len(), self.references.len());
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

    /// The files next to `x.npy` are not among them.
    pub fn files(&self) -> impl Iterator<Item = String> {
        self.systems.iter().map(|(_, file)| file).chain(&self.references).cloned()
    }

    /// Refuses vectors that no metric looks at, and metrics that lack them.
    pub fn check_looked_at(&self, metrics: &[(usize, AnyMetric)]) -> Result<()> {
        match (self.systems.first(), metrics.first()) {
            (Some((_, file)), None) => {
                fail!(
                    "no metric that was asked for looks at the vectors of {file}; -m bertscore and -m cosine do"
                )
            }
            (None, Some((_, metric))) => {
                let name = metric.identity().name();
                fail!("{name} looks at vectors: give --vectors SYS=FILE .. and --reference-vectors FILE")
            }
            _ => Ok(()),
        }
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.systems.is_empty()
    }
}
