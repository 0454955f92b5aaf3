//! Defines the option `--signature`, and reads it from the command line.

use bleuprint::ConfigError;
use bleuprint::recipe::Recipe;
use clap::{Arg, ArgMatches};

use crate::shared::args::{ArgumentValues as _, option};

/// Help text of `--metrics` for commands that also have `--signature`.
pub(crate) const FILES: &str =
    "A file whose hash is in the signature, as in meteor:wordnet=FOLDER; the signature has all other options";

pub(crate) fn signature() -> Arg {
    option("signature", "SIG")
}

pub(crate) fn given(matches: &ArgMatches) -> Result<Option<Recipe>, ConfigError> {
    matches.text("signature").map(|text| text.parse::<Recipe>()).transpose()
}
