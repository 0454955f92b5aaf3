//! Implements `bleuprint explain`: finds the settings that give a score reported elsewhere, or shows the
//! score under other settings.

#[cfg(feature = "samples")]
mod samples;

use bleuprint::explain::NORMALIZERS;

use crate::shared::args::number;
use crate::shared::command::*;
use crate::shared::explanation::{ExplainRequest, explain, rates, target, working};
use crate::shared::sources;

pub(crate) struct Explain {
    request: ExplainRequest,
    /// Normalizers to try for the error rates of `--rates`; a default list if empty. `None` if BLEU is
    /// explained.
    rates: Option<Vec<String>>,
    /// Number of the segment, counted from 1, whose computation is printed step by step.
    working: Option<usize>,
    /// Request to explain pass@k or a related score over samples; if present, nothing else is explained.
    #[cfg(feature = "samples")]
    samples: Option<samples::SamplesRequest>,
}

impl Subcommand for Explain {
    const NAME: &'static str = "explain";

    fn define(command: Command, _: &Families) -> Command {
        #[cfg(feature = "samples")]
        let command = command.args(samples::arguments());
        command
            .about("Show the number that every dialect and every main choice of BLEU, or of error rates, gives for the same data")
            .arg(references())
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

    fn request(matches: &ArgMatches, _: &Families) -> Result<Self> {
        // With --samples the target is a share, which `SamplesRequest` reads with its digits.
        let share = cfg!(feature = "samples") && matches.contains_id("samples");
        let given = matches.text("target").filter(|_| !share);
        let target = given.map(|text| target("target", &text)).transpose()?;
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
        let rates = matches.get_flag("rates").then(|| matches.texts("norm"));
        Ok(Explain {
            request,
            rates,
            working: matches.count("working"),
            #[cfg(feature = "samples")]
            samples: samples::SamplesRequest::new(matches),
        })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        #[cfg(feature = "samples")]
        if let Some(samples) = self.samples {
            return samples.run(out);
        }
        if let Some(normalizers) = &self.rates {
            return rates(&self.request, normalizers, program.tokenizers, out);
        }
        match self.working {
            Some(segment) => working(&self.request, segment, program.tokenizers, out),
            None => explain(&self.request, program.tokenizers, out),
        }
    }
}

fn references() -> Arg {
    let references = sources::references().help("Reference files");
    if cfg!(feature = "samples") {
        references.required_unless_present("samples")
    } else {
        references.required(true)
    }
}
