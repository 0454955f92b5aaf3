//! Implements `bleuprint mbr`: chooses, for each source, the candidate texts with the highest expected score
//! (minimum Bayes risk).

mod pools;

use bleuprint::eval::evaluation::Metrics;
use bleuprint::eval::mbr::{self, MbrError};
use bleuprint::eval::{LikelyMistakes, Panel};
use bleuprint::inference::in_threads;
use bleuprint::text::read::{TextOptions, check_read_once};
use bleuprint::text::{Encoding, LineReader};
use bleuprint::{
    AnyMetric, ConfigError, InputError, InputErrorKind, Metric as _, SegmentCounts, Signature,
    contract::Direction,
};
use bleuprint_requests::pools::utilities;
use bleuprint_requests::progress::ProgressLine;
use clap::parser::ValueSource;
use serde_json::{Value, json};

use self::pools::{MbrPool, MbrPools};
use crate::shared::command::*;
use crate::shared::metrics::metrics;
use crate::shared::pools::{Pooling, Portions, number, pooling, warn_of_pools};
use crate::shared::sources;

pub(crate) struct Mbr {
    pooling: Pooling,
    files: MbrFiles,
    best: usize,
    aggregate: bool,
    threads: Option<usize>,
    json: bool,
}

struct MbrFiles {
    /// JSON Lines file with candidates, references and weights of all sources; replaces all other files.
    pools: Option<String>,
    candidates: String,
    references: Option<String>,
    /// File with the weights of the references; `true` if the file has logarithms of the weights.
    weights: Option<(String, bool)>,
    /// Number of candidates of each source, on consecutive lines; `None` if all lines belong to one source.
    num_candidates: Option<usize>,
    num_references: Option<usize>,
    text: TextOptions,
}

impl Subcommand for Mbr {
    const NAME: &'static str = "mbr";
    const SHORT_HELP: &'static [&'static str] = &[
        "metrics",
        "num-candidates",
        "pseudo-references",
        "pools",
        "best",
        "aggregate",
        "tokenize",
        "format",
    ];
    const EXAMPLES: &'static str = "\
        \x20 bleuprint mbr candidates.txt --num-candidates 16 -m chrf";

    fn define(command: Command, families: &Families) -> Command {
        let candidates = Arg::new("candidates").value_name("FILE").default_value("-");
        let command = command
            .about("Choose the candidates that agree most with each other: minimum Bayes risk")
            .arg(candidates.help("Candidates, one per line, grouped by source; `-` is standard input"))
            .args(options())
            .arg(metrics())
            .arg(args::format());
        pooling(command, families.registry())
    }

    fn request(matches: &ArgMatches, families: &Families) -> Result<Self> {
        Ok(Mbr {
            pooling: Pooling::new(matches, families.registry())?,
            files: MbrFiles::new(matches)?,
            best: matches.count("best").unwrap_or(1),
            aggregate: matches.get_flag("aggregate"),
            threads: matches.count("threads"),
            json: matches.is_json(),
        })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        // Every pair of texts is scored as a sentence, so the defaults of sentences apply.
        let Metrics { panel, numbers, vectors, own } = self.pooling.metrics(program, true)?;
        if let Some((_, metric)) = vectors.first() {
            fail!(
                "{} reads vectors, but pools are texts: give cosines as the `utilities` of --pools, with -m given",
                metric.identity().name()
            );
        }
        if let Some((_, metric)) = own.first() {
            fail!("{} takes {}, but pools are texts", metric.identity().name(), metric.view);
        }
        let all: Vec<&AnyMetric> = panel.metrics().chain(numbers.iter().map(|(_, metric)| metric)).collect();
        let (identity, direction) = match all[..] {
            [metric] => (metric.identity(), metric.scale().direction),
            _ => fail!("candidates are chosen by a single metric: give one -m"),
        };
        if !numbers.is_empty() && (self.files.pools.is_none() || self.aggregate) {
            fail!(
                "{} reads numbers: give them as the `utilities` of --pools, a row for each candidate with a number for each reference",
                identity.name()
            );
        }
        let numbers = numbers.into_iter().next().map(|(_, metric)| metric);
        let mut signature = identity.signature(&SegmentCounts::of_segment(1));
        if self.aggregate {
            signature = signature.with("references", "refs", "aggregated");
        }
        let mut pools = self.files.open(panel.raw_lines())?;
        let name = identity.heading();
        let best = self.best;
        let aggregate = self.aggregate;
        let json = self.json;
        let choice = MbrChoice { name, signature, direction, panel, numbers, best, aggregate, json };
        let mut mistakes = LikelyMistakes::new(u64::MAX);
        in_threads(self.threads, || choose_all(&choice, &mut pools, &mut mistakes, out))??;
        warn_of_pools(&choice.panel, &mistakes);
        Ok(())
    }
}

fn options() -> [Arg; 8] {
    [
        number("num-candidates")
            .help("The number of candidates of each source [default: all lines are one source]"),
        option("pseudo-references", "FILE")
            .help("Texts to score the candidates against, one per line [default: the candidates]"),
        number("num-pseudo-references")
            .requires("pseudo-references")
            .help("The number of pseudo-references of each source [default: all lines are one source]"),
        option("pools", "FILE")
            .conflicts_with_all([
                "num-candidates",
                "pseudo-references",
                "reference-weights",
                "log-probabilities",
            ])
            .help(
                "JSON Lines in place of the other files, one object for each source: `candidates`, and optionally `references`, \
                 `weights` or `log_probabilities`, `utilities` of another program for -m given, and `id`",
            ),
        option("reference-weights", "FILE")
            .conflicts_with("log-probabilities")
            .help("The weight of each pseudo-reference, one number per line [default: equal weights]"),
        option("log-probabilities", "FILE")
            .help("The weights as natural logarithms, normalized or not, one number per line"),
        number("best").help("The number of candidates to print for each source, best first [default: 1]"),
        flag("aggregate").conflicts_with_all(["reference-weights", "log-probabilities"]).help(
            "Approximate all pseudo-references by one averaged reference (bleu, chrf); the signature says so",
        ),
    ]
}

impl MbrFiles {
    fn new(matches: &ArgMatches) -> Result<Self> {
        let weights = matches.text("reference-weights").map(|path| (path, false));
        let files = MbrFiles {
            pools: matches.text("pools"),
            candidates: matches.texts("candidates").concat(),
            references: matches.text("pseudo-references"),
            text: sources::text_of(matches),
            weights: weights.or(matches.text("log-probabilities").map(|path| (path, true))),
            num_candidates: matches.count("num-candidates"),
            num_references: matches.count("num-pseudo-references"),
        };
        if files.pools.is_some() && matches.value_source("candidates") == Some(ValueSource::CommandLine) {
            fail!("--pools already has the candidates: leave out FILE");
        }
        Ok(files)
    }

    fn open(&self, raw_lines: bool) -> Result<MbrPools> {
        if let Some(pools) = &self.pools {
            return Ok(MbrPools::Records { lines: Box::new(LineReader::open(pools, Encoding::Utf8Sig)?) });
        }
        let candidates = &self.candidates;
        let references = &self.references;
        let weights = &self.weights;
        let of_weights = weights.as_ref().map(|(path, _)| path);
        // The files are read in turn for each source, so standard input cannot be two of them.
        check_read_once([Some(candidates), references.as_ref(), of_weights].into_iter().flatten())?;
        let own = self.num_candidates;
        let theirs = self.num_references;
        // With one number alone, the sources of the two files could not be matched.
        if references.is_some() && own.is_some() != theirs.is_some() {
            fail!(
                "--num-candidates and --num-pseudo-references give the number of lines of a source in each file: \
                 give both, or neither"
            );
        }
        // Weights belong to the pseudo-references, which are the candidates if no file has them.
        let of_weights = if references.is_some() { theirs } else { own };
        let open =
            |path: &String, size, raw_lines| Portions::open(path, size, raw_lines, self.text).map(Box::new);
        let numbers = |(path, logarithms): &(String, bool)| {
            let any = TextOptions::new(self.text.encoding, true);
            Ok::<_, InputError>((Box::new(Portions::open(path, of_weights, false, any)?), *logarithms))
        };
        Ok(MbrPools::Files {
            candidates: open(candidates, own, raw_lines)?,
            references: references.as_ref().map(|path| open(path, theirs, raw_lines)).transpose()?,
            weights: weights.as_ref().map(numbers).transpose()?,
        })
    }
}

struct MbrChoice {
    panel: Panel,
    /// Metric that computes scores from numbers of another program; replaces the panel (set of metrics).
    numbers: Option<AnyMetric>,
    name: String,
    signature: Signature,
    direction: Direction,
    best: usize,
    aggregate: bool,
    json: bool,
}

fn choose_all(
    choice: &MbrChoice,
    pools: &mut MbrPools,
    mistakes: &mut LikelyMistakes,
    out: &mut Out,
) -> Result<()> {
    let mut source = 0;
    let mut progress = ProgressLine::beside_output("sources done");
    while let Some(pool) = pools.next()? {
        source += 1;
        let utilities = choice.utilities(&pool).map_err(|error| match error {
            MbrError::Pair(error) => Failure::Input(error.at(pools.location())),
            MbrError::Weights(error) => weights_error(&error, pools),
            other => Failure::Message(other.to_string()),
        })?;
        progress.add(|| pools.position());
        mistakes.look_at_pool(&pool.candidates);
        let best = mbr::best(&utilities, choice.direction, choice.best);
        if choice.json {
            writeln!(out, "{}", choice.object(source, &pool, &utilities, &best))?;
        } else {
            best.iter().try_for_each(|&index| writeln!(out, "{}", pool.candidates[index]))?;
        }
    }
    if source == 0 {
        return Err(Failure::Input(InputError::from(InputErrorKind::EmptyCorpus)));
    }
    Ok(())
}

fn weights_error(error: &ConfigError, pools: &MbrPools) -> Failure {
    Failure::Input(InputError::malformed(error.to_string()).at(pools.location()))
}

impl MbrChoice {
    fn utilities(&self, pool: &MbrPool) -> Result<Vec<f64>, MbrError> {
        let candidates: Vec<&str> = pool.candidates.iter().map(String::as_str).collect();
        // Without references, the candidates judge each other, each also itself.
        let references: Vec<&str> =
            pool.references.as_ref().unwrap_or(&pool.candidates).iter().map(String::as_str).collect();
        // An empty pool has no best candidate, and a sum over no references has no value.
        if references.is_empty() || candidates.is_empty() {
            return Err(MbrError::Pair(InputErrorKind::NoReferences.into()));
        }
        let rows = candidates.len();
        let columns = references.len();
        match (&self.numbers, &pool.utilities) {
            (Some(metric), Some(scores)) => {
                if scores.len() != rows || scores.iter().any(|row| row.len() != columns) {
                    let message = format!("`utilities` must be a list of {rows} rows of {columns} numbers");
                    return Err(MbrError::Pair(InputError::malformed(message)));
                }
                return mbr::given_utilities(metric, scores, pool.weights.borrowed());
            }
            (Some(_), None) => return Err(MbrError::Pair(InputError::malformed("no `utilities`"))),
            (None, Some(_)) => {
                let message = "`utilities` are numbers for -m given:name=NAME, but another metric was chosen";
                return Err(MbrError::Pair(InputError::malformed(message)));
            }
            (None, None) => {}
        }
        utilities(&self.panel, &candidates, &references, pool.weights.borrowed(), self.aggregate)
    }

    fn object(&self, source: u64, pool: &MbrPool, utilities: &[f64], best: &[usize]) -> Value {
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
