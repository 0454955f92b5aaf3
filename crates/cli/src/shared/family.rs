//! Options and commands that families add to the program as data: their definition for clap, their values, and
//! the services that the program gives them.

use std::error::Error;
use std::fmt;

use bleuprint::contract::{AnyForm, Data};
use bleuprint::text::read::{EmptyReferences, FieldReader, ReadSegment, Systems};
use bleuprint::text::{CommandAnswer, FamilyOption, FamilyRequest, FamilyRun, OptionValues, ProgramServices};
use bleuprint::{InputError, report};
use bleuprint_requests::own::{self, OwnKeys};
use bleuprint_requests::warn;

use crate::shared::command::*;

/// Exit code of a command whose answer is negative.
const NEGATIVE: u8 = 1;

/// Names of options that were given or have a default, each with its values.
pub(crate) type OptionsGiven = Vec<(&'static str, Vec<String>)>;

/// Returns the argument of clap for an option of a family.
pub(crate) fn argument(option: &FamilyOption) -> Arg {
    let name = option.name;
    let arg = match (option.value, option.takes) {
        (None, _) => flag(name),
        (Some(value), OptionValues::WholeNumbers(least, most)) => {
            args::number(name, least..=most).value_name(value).num_args(1..)
        }
        (Some(value), takes) => {
            let arg = Arg::new(id(name)).value_name(value);
            let arg = if option.is_positional { arg } else { arg.long(name) };
            match takes {
                OptionValues::Number => arg.value_parser(number),
                OptionValues::OneOrNone => {
                    arg.num_args(0..=1).allow_hyphen_values(true).default_missing_value("")
                }
                _ => arg,
            }
        }
    };
    let arg = if option.choices.is_empty() {
        arg
    } else {
        let choices = clap::builder::PossibleValuesParser::new(option.choices);
        arg.value_parser(choices).hide_possible_values(option.describes_choices)
    };
    let arg = option.default.into_iter().fold(arg, |arg, default| arg.default_value(default));
    let arg = option.short.into_iter().fold(arg, |arg, short| arg.short(short));
    arg.required(option.is_required).conflicts_with_all(option.conflicts).help(option.help)
}

/// Returns the name by which clap knows an option. In all commands `references` are the files of references,
/// so the option `--references` has another name there.
fn id(name: &'static str) -> &'static str {
    if name == "references" { "references-as" } else { name }
}

fn number(text: &str) -> std::result::Result<String, std::num::ParseFloatError> {
    text.parse::<f64>().map(|_| text.to_owned())
}

/// Returns the values of a family's options.
pub(crate) fn given<'o>(
    matches: &ArgMatches,
    options: impl IntoIterator<Item = &'o FamilyOption>,
) -> OptionsGiven {
    let values = |option: &FamilyOption| match (option.value, option.takes) {
        (None, _) if matches.get_flag(option.name) => vec![String::new()],
        (None, _) => Vec::new(),
        (Some(_), OptionValues::WholeNumbers(..)) => {
            let numbers = matches.get_many::<u64>(option.name).into_iter().flatten();
            numbers.map(u64::to_string).collect()
        }
        (Some(_), _) => matches.texts(id(option.name)),
    };
    let options = options.into_iter().map(|option| (option.name, values(option)));
    options.filter(|(_, values)| !values.is_empty()).collect()
}

/// Returns the values of options of the program that the functions of families get too.
pub(crate) fn given_of_program(matches: &ArgMatches, names: &[&'static str]) -> OptionsGiven {
    let values = |name: &&'static str| Some((*name, vec![matches.text(name)?]));
    names.iter().filter_map(values).collect()
}

/// Returns the request of a family's function.
pub(crate) fn request<'r>(options: &'r OptionsGiven, families: &'r Families) -> FamilyRequest<'r> {
    FamilyRequest { options, families, program: &Services }
}

/// Runs a family's command with the values of its options.
///
/// # Errors
/// Returns the errors of the command, of writing, and [`Failure::Verdict`] if the answer is negative.
pub(crate) fn run(run: FamilyRun, options: &OptionsGiven, families: &Families, out: &mut Out) -> Result<()> {
    let answer = write_text(out, |text| run(&request(options, families), text))?;
    match answer {
        CommandAnswer::Positive => Ok(()),
        CommandAnswer::Negative => Err(Failure::Verdict(NEGATIVE)),
    }
}

/// Calls `write` with an output for text, and returns its result or the error of the output.
pub(crate) fn write_text<T>(
    out: &mut Out,
    write: impl FnOnce(&mut dyn fmt::Write) -> std::result::Result<T, Box<dyn Error>>,
) -> Result<T> {
    let mut text = TextOutput { out, error: None };
    let result = write(&mut text);
    match text.error {
        // `fmt::Error` has no cause; the cause of the output decides the exit code.
        Some(error) => Err(error.into()),
        None => Ok(result?),
    }
}

/// An output for text that keeps the error of the bytes behind it.
struct TextOutput<'o> {
    out: &'o mut Out,
    error: Option<std::io::Error>,
}

impl fmt::Write for TextOutput<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}

struct Services;

impl ProgramServices for Services {
    fn note(&self, message: &str) {
        warn::note(message);
    }

    fn fixed(&self, number: f64, decimals: usize) -> String {
        report::fixed(number, decimals)
    }

    fn indented_json(&self, json: &str) -> String {
        // Families write valid JSON; text that is none is shown as it is.
        serde_json::from_str(json).map_or_else(|_| json.to_owned(), |value| report::pretty(&value, 1))
    }

    fn read_hypotheses(
        &self,
        file: &str,
        form: &AnyForm,
        each: &mut dyn FnMut(&Data) -> std::result::Result<(), InputError>,
    ) -> std::result::Result<(), Box<dyn Error>> {
        let mut fields = FieldReader::open(file, None)?;
        let mut systems = Systems::new(file);
        let empty_references = EmptyReferences::default();
        while fields.advance()? {
            let [system, id, document] = ["system", "id", "document"].map(|name| fields.segment_label(name));
            let row = ReadSegment { system: system?, id: id?, document: document?, ..ReadSegment::default() };
            systems.add(&row).map_err(|error| error.at(fields.location()))?;
            let keys = OwnKeys { taken: &[], of_segments: true, empty_references };
            let record = own::record(&fields, form, keys)?;
            each(record.hypothesis()).map_err(|error| error.renumbered(fields.location()))?;
        }
        Ok(())
    }
}
