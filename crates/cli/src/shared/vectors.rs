//! Defines the options for embedding vectors that a user's own model computed.

use bleuprint_requests::request::VectorsRequest;
use clap::{Arg, ArgMatches};

use crate::shared::args::{ArgumentValues as _, of_metrics, option};
use crate::shared::numbers::named_file;

pub(crate) fn options() -> [Arg; 2] {
    let options = [
        option("vectors", "[SYS=]FILE").num_args(1..).requires("reference-vectors").help(
            "Vectors of the hypotheses for bertscore and cosine, one file per system: .safetensors (vectors, offsets, weights, \
             ids), or .npy with x.offsets.npy and the other arrays next to x.npy",
        ),
        option("reference-vectors", "FILE").num_args(1..).requires("vectors").help(
            "Vectors of the references; `groups` assigns several references to a segment; with --unpaired one file per \
             system",
        ),
    ];
    options.map(of_metrics)
}

pub(crate) fn request(matches: &ArgMatches) -> VectorsRequest {
    VectorsRequest {
        systems: matches.texts("vectors").into_iter().map(named_file).collect(),
        references: matches.texts("reference-vectors"),
    }
}
