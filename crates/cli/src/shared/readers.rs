//! Defines the command-line options of the file readers that metric families add, such as `--turns` for
//! speaker turns.

use bleuprint::AnyMetric;
use bleuprint::text::{Families, ReaderEntry, ReaderOption, SegmentKind};
use bleuprint_requests::failure::{Result, fail};
use bleuprint_requests::request::ReaderRequest;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches};

use crate::shared::args::{ArgumentValues as _, flag, of_metrics, option};

pub(crate) fn options(families: &Families) -> Vec<Arg> {
    let of_reader = |reader: &'static ReaderEntry| {
        let own = match reader.value {
            Some(value) => option(reader.name, value).num_args(1..).requires("segments"),
            None => flag(reader.name).conflicts_with_all(["segments", "source", "encoding", "plain"]),
        };
        let others = reader.options.iter().filter_map(|other: &ReaderOption| {
            // Several readers may share an option; the first one defines it.
            let sharing = sharing(families, other.name);
            if sharing.first().is_none_or(|(first, _)| first.name != reader.name) {
                return None;
            }
            let arg = match other.value {
                None => flag(other.name),
                Some(value) if other.choices.is_empty() => option(other.name, value),
                Some(value) => option(other.name, value)
                    .value_parser(clap::builder::PossibleValuesParser::new(choices(&sharing)))
                    // The help of the reader names its choices, with what each means.
                    .hide_possible_values(true),
            };
            Some(match &sharing[..] {
                // `request` refuses it without its reader, and names both; the usage of clap hides it.
                [_] => arg.help(other.help),
                several => {
                    let of_each =
                        several.iter().map(|(reader, own)| format!("With --{}: {}", reader.name, own.help));
                    arg.help(of_each.collect::<Vec<_>>().join(". "))
                }
            })
        });
        std::iter::once(own.help(reader.help)).chain(others).collect::<Vec<Arg>>()
    };
    entries(families).flat_map(of_reader).map(of_metrics).collect()
}

/// Returns the options of the readers whose segments a metric can score.
pub(crate) fn options_of(families: &Families, metric: &AnyMetric) -> Vec<Arg> {
    let view = &metric.view;
    let has_form = |name: &str| view.form.is_some_and(|form| form.name == name);
    let reads_texts = view.parted.is_none() && !view.kind.is_beside_text();
    let gives = |reader: &&ReaderEntry| match reader.gives {
        SegmentKind::Form(name) => has_form(name),
        SegmentKind::Parted(name) => view.parted == Some(name),
        SegmentKind::Texts => reads_texts,
        SegmentKind::TextsOrForm(name) => reads_texts || has_form(name),
    };
    let readers = entries(families).filter(gives);
    let names: Vec<&str> = readers
        .flat_map(|reader| {
            std::iter::once(reader.name).chain(reader.options.iter().map(|option| option.name))
        })
        .collect();
    options(families)
        .into_iter()
        .filter(|arg| arg.get_long().is_some_and(|long| names.contains(&long)))
        .collect()
}

/// File reader of a metric family, with one of its options.
type OptionOf = (&'static ReaderEntry, &'static ReaderOption);

/// Returns the file readers that have an option of this name, each with the option.
fn sharing(families: &Families, name: &str) -> Vec<OptionOf> {
    let of = |reader: &'static ReaderEntry| {
        reader.options.iter().find(|option| option.name == name).map(|option| (reader, option))
    };
    entries(families).filter_map(of).collect()
}

/// Returns the allowed values of an option that several file readers share: each value that at least one of
/// these readers allows, listed once.
fn choices(sharing: &[OptionOf]) -> Vec<&'static str> {
    let mut all: Vec<&'static str> = Vec::new();
    for choice in sharing.iter().flat_map(|(_, option)| option.choices) {
        if !all.contains(choice) {
            all.push(choice);
        }
    }
    all
}

/// Returns an error if an option that several readers share is given without any of these readers.
fn check_shared(matches: &ArgMatches, families: &Families, given: Option<&ReaderEntry>) -> Result<()> {
    for option in entries(families).flat_map(|reader| reader.options) {
        let sharing = sharing(families, option.name);
        if sharing.len() < 2 || matches.value_source(option.name) != Some(ValueSource::CommandLine) {
            continue;
        }
        if !sharing.iter().any(|(reader, _)| given.is_some_and(|given| given.name == reader.name)) {
            let names: Vec<String> = sharing.iter().map(|(reader, _)| format!("--{}", reader.name)).collect();
            fail!("--{} has no effect without one of these options: {}", option.name, names.join(", "));
        }
    }
    Ok(())
}

fn entries(families: &Families) -> impl Iterator<Item = &'static ReaderEntry> {
    families.list().iter().flat_map(|family| family.readers)
}

pub(crate) fn request(matches: &ArgMatches, families: &Families) -> Result<Option<ReaderRequest>> {
    let is_given = |entry: &&ReaderEntry| match entry.value {
        Some(_) => matches.contains_id(entry.name),
        None => matches.get_flag(entry.name),
    };
    let mut given = entries(families).filter(is_given);
    let chosen = given.next();
    check_shared(matches, families, chosen)?;
    // `requires` of clap is waived if another option excludes the reader, so that its options would be lost.
    for entry in entries(families).filter(|entry| chosen.is_none_or(|chosen| chosen.name != entry.name)) {
        let is_given = |option: &&ReaderOption| match option.value {
            Some(_) => matches.contains_id(option.name),
            None => matches.get_flag(option.name),
        };
        let taken =
            |name: &str| chosen.is_some_and(|chosen| chosen.options.iter().any(|option| option.name == name));
        if let Some(option) = entry.options.iter().filter(is_given).find(|option| !taken(option.name)) {
            fail!("--{} is an option of --{}, which is not given", option.name, entry.name);
        }
    }
    let Some(entry) = chosen else { return Ok(None) };
    if entry.value.is_some() && !matches.contains_id("segments") {
        fail!("--{} gives the outputs, and --segments FILE the references, which are not given", entry.name);
    }
    // Each reader makes all the segments, so two of them would contradict each other.
    if let Some(other) = given.next() {
        fail!("--{} and --{} read two kinds of files: give only one of them", entry.name, other.name);
    }
    let value = |option: &ReaderOption| match option.value {
        Some(_) => matches.text(option.name),
        None => matches.get_flag(option.name).then(String::new),
    };
    let options = entry.options.iter().filter_map(|option| Some((option.name, value(option)?)));
    let systems = if entry.value.is_some() { matches.texts(entry.name) } else { Vec::new() };
    // Readers of texts with alternatives need to know how the user wants them read.
    // Not every command has this option.
    let form = matches.try_get_one::<String>("references-as").ok().flatten();
    let form = form.map(|form| ("references", form.clone()));
    let options = options.chain(form).collect();
    ReaderRequest::new(entry, systems, options).map(Some)
}
