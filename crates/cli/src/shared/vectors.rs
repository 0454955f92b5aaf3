//! Vectors of a user's own model: their arguments, and these as data.

use bleuprint::{AnyMetric, Metric as _};
use clap::{Arg, ArgMatches};

use crate::shared::args::{Values as _, option};
use crate::shared::failure::{Result, fail};
use crate::shared::numbers::named_file;

#[derive(Debug, Clone, Default)]
pub(crate) struct VectorsRequest {
    /// The name of each system, if given, and its file.
    pub(crate) systems: Vec<(Option<String>, String)>,
    /// One file, or one for each system with --unpaired.
    pub(crate) references: Vec<String>,
}

pub(crate) fn options() -> [Arg; 2] {
    let options = [
        option("vectors", "[SYS=]FILE").num_args(1..).requires("reference-vectors").help(
            "Vectors of hypotheses for bertscore and cosine, a file for each system: .safetensors (vectors, offsets, weights, \
             ids) or .npy with x.offsets.npy and the others next to x.npy",
        ),
        option("reference-vectors", "FILE").num_args(1..).requires("vectors").help(
            "Vectors of the references; `groups` say which texts are references of one segment; with --unpaired a file for each \
             system",
        ),
    ];
    options.map(|arg| arg.help_heading("Vectors of your own model"))
}

impl VectorsRequest {
    pub(crate) fn new(matches: &ArgMatches) -> Self {
        VectorsRequest {
            systems: matches.texts("vectors").into_iter().map(named_file).collect(),
            references: matches.texts("reference-vectors"),
        }
    }

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
    pub(crate) fn files(&self) -> impl Iterator<Item = String> {
        self.systems.iter().map(|(_, file)| file).chain(&self.references).cloned()
    }

    pub(crate) fn check_looked_at(&self, metrics: &[(usize, AnyMetric)]) -> Result<()> {
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

    pub(crate) fn is_empty(&self) -> bool {
        self.systems.is_empty()
    }
}
