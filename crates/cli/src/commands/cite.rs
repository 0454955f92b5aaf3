//! Implements `bleuprint cite`: prints citations of the papers that define metrics, and of this program.

use bleuprint::CiteForm;

use crate::shared::command::*;

pub(crate) struct Cite {
    metrics: Vec<String>,
    form: CiteForm,
}

impl Subcommand for Cite {
    const NAME: &'static str = "cite";

    fn define(command: Command, _: &Families) -> Command {
        let metrics = Arg::new("metrics").value_name("METRIC").num_args(0..);
        let form = option("format", "FORM").short('f').value_parser(["bibtex", "text"]);
        command
            .about("Print the papers to cite for metrics, and this program")
            .arg(metrics.help("The metrics, as in `score -m`; without metrics, only the program is cited"))
            .arg(form.help("The form of the output [default: bibtex]"))
    }

    fn request(matches: &ArgMatches, _: &Families) -> Result<Self> {
        let metrics = matches.get_many::<String>("metrics").into_iter().flatten().cloned().collect();
        let text = matches.text("format").as_deref() == Some("text");
        Ok(Cite { metrics, form: if text { CiteForm::Text } else { CiteForm::Bibtex } })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let names = self.metrics.iter().map(String::as_str);
        Ok(write!(out, "{}", bleuprint::cite(program.registry, names, self.form)?)?)
    }
}
