//! `bleuprint subtitles`: files of SRT as segments for every command.

use bleuprint::families::subtitles::Subtitles;
use serde_json::{Value, json};

use crate::shared::command::*;

pub(crate) struct SubtitlesCommand {
    references: Vec<String>,
    hypotheses: Vec<String>,
}

impl Subcommand for SubtitlesCommand {
    const NAME: &'static str = "subtitles";
    const SHORT_HELP: &'static [&'static str] = &["input"];
    const EXAMPLES: &'static str = "  bleuprint subtitles ref.srt -i hyp.srt\n  \
         bleuprint subtitles a.srt b.srt -i a.hyp.srt b.hyp.srt";

    fn define(command: Command, _: &Families) -> Command {
        command
            .about("Subtitles from files of SRT as segments, one for each pair of files")
            .arg(
                Arg::new("reference")
                    .value_name("REF.srt")
                    .num_args(1..)
                    .required(true)
                    .help("The subtitles of the references"),
            )
            .arg(
                option("input", "HYP.srt")
                    .short('i')
                    .num_args(1..)
                    .required(true)
                    .help("Those of the system, in the order of the references"),
            )
    }

    fn request(matches: &ArgMatches, _: &Families) -> Result<Self> {
        let files = |name: &str| matches.get_many(name).into_iter().flatten().cloned().collect();
        Ok(SubtitlesCommand { references: files("reference"), hypotheses: files("input") })
    }

    fn run(self, _: &Context<'_>, out: &mut Out) -> Result<()> {
        let (references, hypotheses) = (self.references, self.hypotheses);
        if references.len() != hypotheses.len() {
            let files = counted(references.len(), "file");
            fail!("{files} of references, but {} of the system", hypotheses.len());
        }
        for (reference, hypothesis) in references.iter().zip(&hypotheses) {
            let (own, their) = (segment(hypothesis)?, segment(reference)?);
            writeln!(out, "{}", json!({ "id": reference, "hypothesis": own, "reference": their }))?;
        }
        Ok(())
    }
}

fn segment(path: &str) -> Result<Value> {
    let subtitles = Subtitles::open(path)?.0.into_iter();
    Ok(subtitles.map(|one| json!({ "start": one.start, "end": one.end, "text": one.text })).collect())
}
