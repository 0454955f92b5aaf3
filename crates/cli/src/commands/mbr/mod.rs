//! `bleuprint mbr`: of the candidates of each source those with the highest expected score.

use std::io::Write;

use bleuprint::eval::mbr::{self, MbrError};
use bleuprint::eval::{Panel, in_threads};
use bleuprint::text::Lines;
use bleuprint::text::read::check_read_once;
use bleuprint::{ConfigError, Direction, InputError, Registry, SegmentCounts, Signature};
use clap::ArgMatches;
use serde_json::{Value, json};

use super::input::{Pool, Pools, Portions};
use super::{count, panel};
use crate::Failure;
use crate::progress::Progress;

/// How candidates are chosen, and how they are printed.
struct Choice {
    panel: Panel,
    name: String,
    signature: Signature,
    direction: Direction,
    best: usize,
    aggregate: bool,
    json: bool,
}

pub(crate) fn run(
    registry: &Registry,
    matches: &ArgMatches,
    out: &mut (impl Write + Send),
) -> Result<(), Failure> {
    let panel = panel(registry, matches, true)?;
    let (identity, direction) = match panel.metrics().collect::<Vec<_>>()[..] {
        [metric] => (metric.identity(), metric.scale().direction),
        _ => return Err(Failure::Message("candidates are chosen by one metric".to_owned())),
    };
    let aggregate = matches.get_flag("aggregate");
    let mut signature = identity.signature(&SegmentCounts::of_segment(1));
    if aggregate {
        signature = signature.with("references", "refs", "aggregated");
    }
    let mut pools = open(matches, panel.raw_lines())?;
    let choice = Choice {
        name: identity.name(),
        signature,
        direction,
        panel,
        best: count(matches, "best").unwrap_or(1),
        aggregate,
        json: matches.get_one::<String>("format").is_some_and(|format| format == "json"),
    };
    in_threads(count(matches, "threads"), || choose_all(&choice, &mut pools, out))?
}

fn open(matches: &ArgMatches, raw_lines: bool) -> Result<Pools, Failure> {
    let file = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    if let Some(pools) = file("pools") {
        if matches.value_source("candidates") == Some(clap::parser::ValueSource::CommandLine) {
            return Err(Failure::Message("--pools has the candidates: give no FILE beside it".to_owned()));
        }
        return Ok(Pools::Records { lines: Lines::open(pools)? });
    }
    let candidates = file("candidates").unwrap_or("-");
    let weights = file("pool-weights").map(|path| (path, false));
    let weights = weights.or(file("log-probabilities").map(|path| (path, true)));
    let references = file("pseudo-references");
    let files = [Some(candidates), references, weights.map(|(path, _)| path)];
    check_read_once(files.into_iter().flatten())?;
    let (own, theirs) = (count(matches, "num-candidates"), count(matches, "num-pseudo-references"));
    if references.is_some() && own.is_some() != theirs.is_some() {
        let message = "--num-candidates and --num-pseudo-references say how many lines a source has in each file: \
                       give both, or neither";
        return Err(Failure::Message(message.to_owned()));
    }
    let of_weights = if references.is_some() { theirs } else { own };
    let open = |path: &str, size, raw_lines| Portions::open(path, size, raw_lines).map(Box::new);
    let numbers = weights.map(|(path, logs)| Ok::<_, InputError>((open(path, of_weights, false)?, logs)));
    Ok(Pools::Files {
        candidates: open(candidates, own, raw_lines)?,
        references: references.map(|path| open(path, theirs, raw_lines)).transpose()?,
        weights: numbers.transpose()?,
    })
}

fn choose_all(choice: &Choice, pools: &mut Pools, out: &mut impl Write) -> Result<(), Failure> {
    let (mut source, mut progress) = (0, Progress::beside_output("sources done"));
    while let Some(pool) = pools.next()? {
        source += 1;
        let utilities = choice.utilities(&pool).map_err(|error| match error {
            MbrError::Pair(error) => Failure::Input(error.at(pools.location())),
            MbrError::Weights(error) => weights_error(&error, pools),
            other => Failure::Message(other.to_string()),
        })?;
        progress.add(|| pools.position());
        let best = mbr::best(&utilities, choice.direction, choice.best);
        if choice.json {
            writeln!(out, "{}", choice.object(source, &pool, &utilities, &best))?;
        } else {
            best.iter().try_for_each(|&index| writeln!(out, "{}", pool.candidates[index]))?;
        }
    }
    if source == 0 {
        return Err(Failure::Input(InputError::new(bleuprint::InputErrorKind::EmptyCorpus)));
    }
    Ok(())
}

fn weights_error(error: &ConfigError, pools: &Pools) -> Failure {
    Failure::Input(InputError::malformed(error.to_string()).at(pools.location()))
}

impl Choice {
    fn utilities(&self, pool: &Pool) -> Result<Vec<f64>, MbrError> {
        let candidates: Vec<&str> = pool.candidates.iter().map(String::as_str).collect();
        let references: Vec<&str> =
            pool.references.as_ref().unwrap_or(&pool.candidates).iter().map(String::as_str).collect();
        if references.is_empty() || candidates.is_empty() {
            return Err(MbrError::Pair(bleuprint::InputErrorKind::NoReferences.into()));
        }
        if self.aggregate {
            return self.panel.aggregated_utilities(0, &candidates, &references);
        }
        self.panel.utilities(0, &candidates, &references, pool.weights.borrowed())
    }

    fn object(&self, source: u64, pool: &Pool, utilities: &[f64], best: &[usize]) -> Value {
        let one = |&index: &usize| json!({ "candidate": index + 1, "utility": utilities[index], "text": pool.candidates[index] });
        let mut object = json!({
            "source": source,
            "name": self.name,
            "signature": self.signature.body(),
            "candidates": pool.candidates.len(),
            "references": pool.references.as_ref().unwrap_or(&pool.candidates).len(),
            "best": best.iter().map(one).collect::<Vec<_>>(),
        });
        if let Some(id) = &pool.id {
            object["id"] = id.clone();
        }
        object
    }
}
