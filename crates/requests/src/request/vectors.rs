//! [`VectorsRequest`]: which files contain embedding vectors that a user's own model computed.

use bleuprint::{AnyMetric, Metric as _};

use crate::failure::{Result, fail};
use crate::warn::is_for_python;

/// Files with embedding vectors of the outputs and references.
#[derive(Debug, Clone, Default)]
pub struct VectorsRequest {
    /// Files with the vectors of the systems' outputs, each with the name of its system if the user gave one.
    pub systems: Vec<(Option<String>, String)>,
    /// File with the vectors of the references; with `--unpaired`, one file for each system.
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

    /// Returns the paths of the files with embedding vectors, as the user gave them. Files that belong to a
    /// file `x.npy`, such as `x.offsets.npy`, are not included.
    pub(crate) fn files(&self) -> impl Iterator<Item = String> {
        self.systems.iter().map(|(_, file)| file).chain(&self.references).cloned()
    }

    /// Checks that selected metrics and given files of embedding vectors fit. Returns an error if no metric
    /// uses the vectors, or if a metric needs vectors that are not given.
    pub(crate) fn check_looked_at(&self, metrics: &[(usize, AnyMetric)]) -> Result<()> {
        match (self.systems.first(), metrics.first()) {
            (Some((_, file)), None) => {
                fail!("no selected metric uses the vectors of {file}; -m bertscore and -m cosine do")
            }
            (None, Some((_, metric))) => {
                let identity = metric.identity();
                let name = identity.name();
                if is_for_python() {
                    let function = identity.metric();
                    fail!("{name} needs vectors, which no format has: bleuprint.{function} takes them");
                }
                fail!("{name} needs vectors: give --vectors SYS=FILE .. and --reference-vectors FILE")
            }
            _ => Ok(()),
        }
    }

    /// Returns `true` if the request names no files.
    pub(crate) fn is_empty(&self) -> bool {
        self.systems.is_empty()
    }
}
