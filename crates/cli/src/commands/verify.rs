//! `bleuprint verify`: whether a system has the score that was reported with a signature.

use std::io::Write;

use bleuprint::Registry;
use bleuprint::explain::Target;
use bleuprint::recipe::Recipe;
use clap::ArgMatches;

use crate::Failure;
use crate::explain::{self, ExplainRequest};
use crate::request::{InputRequest, ScoreRequest};
use crate::score;

/// Exit code 0 for yes; for no 1, after what `explain` finds for the score.
pub(crate) fn run(
    registry: &Registry,
    matches: &ArgMatches,
    out: &mut (impl Write + Send),
) -> Result<(), Failure> {
    let wanted = explain::target(matches, "score")?.ok_or_else(|| missing("--score"))?;
    let request = ScoreRequest::counting(registry, matches)?;
    let recipe = request.recipe.clone().ok_or_else(|| missing("--signature"))?;
    let input = request.input.clone();
    let systems = score::systems(request)?;
    let [(_, scores)] = &systems[..] else {
        return Err(Failure::Message(format!("verify takes one system, but {} were given", systems.len())));
    };
    let [scored] = &scores[..] else { return Err(missing("one metric")) };
    let score = scored.score.value * recipe.scale();
    // Two more decimals than were given, so that a near miss can be seen.
    let shown = format!("{score:.decimals$}", decimals = (wanted.decimals + 2).min(17));
    let text = matches.get_one::<String>("score").map_or("", |text| text.trim());
    if wanted.fits(score) {
        writeln!(out, "yes: {} = {shown}, which rounds to {text}", scored.signature)?;
        return Ok(());
    }
    writeln!(out, "no: {} = {shown}, which does not round to {text}", scored.signature)?;
    explained(&recipe, wanted, &input, out)?;
    Err(Failure::Verdict(1))
}

/// What makes the score that was reported.
fn explained(
    recipe: &Recipe,
    wanted: Target,
    input: &InputRequest,
    out: &mut (impl Write + Send),
) -> Result<(), Failure> {
    let streams = match input {
        _ if recipe.name() != "BLEU" => {
            writeln!(out, "What else could make it is explained for BLEU alone.")?;
            return Ok(());
        }
        InputRequest::Streams(streams) if streams.systems.is_some() => streams,
        _ => {
            writeln!(out, "What else could make it is explained for files REF and -i.")?;
            return Ok(());
        }
    };
    writeln!(out)?;
    let request =
        ExplainRequest { target: Some(wanted), quiet: true, ..ExplainRequest::new(streams.clone()) };
    explain::explain(&request, out)
}

fn missing(what: &str) -> Failure {
    Failure::Message(format!("verify needs {what}"))
}
