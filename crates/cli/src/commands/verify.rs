//! Implements `bleuprint verify`: checks that data gives the score that was reported with a signature.

use bleuprint::explain::RoundedTarget;
use bleuprint::recipe::Recipe;
use bleuprint_requests::data::Reading;
use bleuprint_requests::scoring::{Pass, Scoring};

use crate::shared::command::*;
use crate::shared::counting::{self, CountingRequest, counting};
use crate::shared::explanation::{self, ExplainRequest};
use crate::shared::recipe;
use crate::shared::sources::Sources;

pub(crate) struct Verify {
    counting: CountingRequest,
    recipe: Recipe,
    threads: Option<usize>,
    wanted: RoundedTarget,
    text: String,
}

impl Subcommand for Verify {
    const NAME: &'static str = "verify";
    const SHORT_HELP: &'static [&'static str] =
        &["signature", "score", "input", "metrics", "tokenizer-model", "threads"];
    const EXAMPLES: &'static str = "\
        \x20 bleuprint verify ref.txt -i hyp.txt --score 43.6 --signature 'BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.3.1'";

    fn define(command: Command, families: &Families) -> Command {
        let command =
            command.about("Check a score that was reported with a signature; exit code 0 for yes, 1 for no");
        // The signature decides these options, so they are hidden here and rejected if given.
        let hidden = ["lowercase", "language-pair"];
        let hide = |command: Command, name| command.mut_arg(name, |arg| arg.hide(true));
        hidden
            .into_iter()
            .fold(counting(command, families), hide)
            .mut_arg("metrics", |arg| arg.hide_default_value(true).help(recipe::FILES))
            .next_help_heading(None)
            .arg(
                recipe::signature()
                    .required(true)
                    .conflicts_with_all(hidden)
                    .help("The signature of the score, of bleuprint or sacreBLEU, long or short"),
            )
            .arg(
                option("score", "NUMBER")
                    .required(true)
                    .allow_hyphen_values(true)
                    .help("The score as it was printed; the number of its decimals is its precision"),
            )
    }

    fn request(matches: &ArgMatches, families: &Families) -> Result<Self> {
        let text = matches.text("score").unwrap_or_default();
        let wanted = explanation::target("score", &text)?;
        let Some(recipe) = recipe::given(matches)? else { fail!("verify needs --signature") };
        let counting =
            CountingRequest { recipe: Some(recipe.clone()), ..counting::request(matches, families)? };
        Ok(Verify { counting, recipe, threads: matches.count("threads"), wanted, text })
    }

    /// Recomputes the score and prints if it agrees with the reported one. The exit code is 0 if it agrees;
    /// otherwise it is 1, and an explanation is printed.
    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let Verify { recipe, wanted, .. } = self;
        let counter = self.counting.open(program.families)?;
        let sources = counter.sources.clone();
        let pass = Pass { threads: self.threads, ..Pass::default() };
        let systems = Scoring::of_files(counter, Reading::default(), pass).systems()?;
        let [(_, scores)] = &systems[..] else {
            fail!("verify takes one system, but {} were given", systems.len());
        };
        // A signature describes a single metric.
        let [scored] = &scores[..] else { fail!("verify needs one metric") };
        // sacreBLEU 1 printed chrF and TER from 0 to 1; the factor converts our percent to its scale.
        let score = scored.score.value * recipe.scale();
        // Two more decimals than were given show how near a miss is; 17 digits identify any f64.
        let shown = format!("{score:.decimals$}", decimals = (wanted.decimals + 2).min(17));
        let signature = &scored.signature;
        let text = self.text.trim();
        if wanted.fits(score) {
            writeln!(out, "yes: {signature} = {shown}, which rounds to {text}")?;
            return Ok(());
        }
        writeln!(out, "no: {signature} = {shown}, which does not round to {text}")?;
        explain(&recipe, wanted, &sources, program.tokenizers, out)?;
        Err(Failure::Verdict(1))
    }
}

fn explain(
    recipe: &Recipe,
    wanted: RoundedTarget,
    sources: &Sources,
    tokenizers: &Tokenizers,
    out: &mut Out,
) -> Result<()> {
    let streams = &sources.streams;
    let elsewhere = match recipe.name() {
        // The explanation reads the files a second time, which neither standard input nor records allow.
        "BLEU" if sources.records.is_none() && streams.systems.is_some() => None,
        "BLEU" => Some("files REF and -i"),
        _ => Some("BLEU alone"),
    };
    if let Some(elsewhere) = elsewhere {
        writeln!(out, "Other causes are explained for {elsewhere}.")?;
        return Ok(());
    }
    writeln!(out)?;
    let request =
        ExplainRequest { target: Some(wanted), quiet: true, ..ExplainRequest::new(streams.clone()) };
    explanation::explain(&request, tokenizers, out)
}
