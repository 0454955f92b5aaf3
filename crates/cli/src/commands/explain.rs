//! Implements `bleuprint explain`: finds the settings that give a score reported elsewhere, or shows the
//! score under other settings. Families add explanations of other numbers.

use bleuprint::explain::NORMALIZERS;
use bleuprint::text::{FamilyExplanation, FamilyOption, FamilyRun};

use crate::shared::args::number;
use crate::shared::command::*;
use crate::shared::explanation::{ExplainRequest, explain, rates, target, working};
use crate::shared::family::{self, OptionsGiven};
use crate::shared::sources;

/// Options and arguments of BLEU and error rates, which have no meaning for explanations of families.
const OF_BLEU: [&str; 6] = ["references", "input", "rates", "tokenizers", "working", "most"];

pub(crate) enum Explain {
    Bleu(ExplainRequest),
    /// The error rates, with the normalizers to try; a default list if empty.
    Rates(ExplainRequest, Vec<String>),
    /// The number of the segment, counted from 1, whose computation is printed step by step.
    Working(ExplainRequest, usize),
    /// The explanation of a family.
    OfFamily(FamilyRun, OptionsGiven),
}

impl Subcommand for Explain {
    const NAME: &'static str = "explain";

    fn define(command: Command, families: &Families) -> Command {
        let mut references = sources::references().help("Reference files");
        references = references.required(explanations(families).next().is_none());
        let mut command = command;
        let names: Vec<&str> = explanations(families).map(|explanation| explanation.option.name).collect();
        for explanation in explanations(families) {
            let name = explanation.option.name;
            references = references.required_unless_present(name);
            let others = names.iter().filter(|other| **other != name);
            let selects = family::argument(&explanation.option).conflicts_with_all(OF_BLEU);
            command = command.arg(selects.conflicts_with_all(others));
            let options = explanation.options.iter().map(family::argument);
            command = command.args(options.map(|option| option.requires(name)));
        }
        command
            .about("Show the number that every dialect and every main choice of BLEU, or of error rates, gives for the same data")
            .arg(references)
            .arg(sources::systems().num_args(1).help("Hypotheses [default: standard input]"))
            .arg(sources::num_refs())
            .args(sources::reading())
            .arg(option("target", "PERCENT").allow_hyphen_values(true).help(
                "A number to explain, in percent: shows combinations of settings, first those that round to it; exit code 1 \
                 if none does",
            ))
            .arg(number("most", 1..).help("The number of rows [default: 20 with --target, 5 if nothing fits it, otherwise all]"))
            .arg(
                option("tokenizers", "NAME").num_args(1..).help(
                    "The tokenizers to try [default: 13a none intl zh char ascii-space mteval]",
                ),
            )
            .arg(flag("rates").conflicts_with_all(["tokenizers", "working"]).help(
                "Explain WER and CER instead of BLEU: normalizers, and mistakes such as the mean of the rates of segments",
            ))
            .arg(option("norm", "NAME").num_args(1..).requires("rates").help(format!(
                "The normalizers to try [default: {}]",
                NORMALIZERS.join(" ")
            )))
            .arg(
                number("working", 1..)
                    .value_name("SEGMENT")
                    .num_args(0..=1)
                    .require_equals(true)
                    .default_missing_value("1")
                    .conflicts_with_all(["target", "most", "format"])
                    .help(
                        "Show the sentence BLEU of the first segment, or of --working=SEGMENT, step by step: n-grams, counts, clips \
                         and the formula with its numbers",
                    ),
            )
            .args([args::quiet(), args::force(), args::format()])
    }

    fn request(matches: &ArgMatches, families: &Families) -> Result<Self> {
        let chosen = explanations(families).find(|explanation| has(matches, &explanation.option));
        if let Some(explanation) = chosen {
            let own = std::iter::once(&explanation.option).chain(explanation.options);
            let mut options = family::given(matches, own);
            // The family reads the number itself, because its scale need not be percent.
            options.extend(family::given_of_program(matches, &["target", "format"]));
            return Ok(Explain::OfFamily(explanation.run, options));
        }
        let target = matches.text("target").map(|text| target("target", &text)).transpose()?;
        let all = ExplainRequest::new(sources::streams(matches));
        let tokenizers = matches.texts("tokenizers");
        let request = ExplainRequest {
            tokenizers: if tokenizers.is_empty() { all.tokenizers } else { tokenizers },
            target,
            most: matches.count("most"),
            json: matches.is_json(),
            quiet: matches.get_flag("quiet"),
            force: matches.get_flag("force"),
            ..all
        };
        Ok(if matches.get_flag("rates") {
            Explain::Rates(request, matches.texts("norm"))
        } else if let Some(segment) = matches.count("working") {
            Explain::Working(request, segment)
        } else {
            Explain::Bleu(request)
        })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        match self {
            Explain::Bleu(request) => explain(&request, program.tokenizers, out),
            Explain::Rates(request, normalizers) => rates(&request, &normalizers, program.tokenizers, out),
            Explain::Working(request, segment) => working(&request, segment, program.tokenizers, out),
            Explain::OfFamily(run, options) => family::run(run, &options, program.families, out),
        }
    }
}

fn explanations(families: &Families) -> impl Iterator<Item = &'static FamilyExplanation> {
    families.list().iter().flat_map(|family| family.explanations)
}

fn has(matches: &ArgMatches, option: &FamilyOption) -> bool {
    if option.value.is_some() { matches.contains_id(option.name) } else { matches.get_flag(option.name) }
}
