//! Defines the command-line options of the file readers that metric families add, such as `--turns` for
//! speaker turns.

use bleuprint::text::{Families, ReaderEntry, ReaderOption};
use bleuprint_inputs::failure::{Result, fail};
use bleuprint_inputs::request::ReaderRequest;
use clap::{Arg, ArgMatches};

use crate::shared::args::{ArgumentValues as _, flag, option};

pub(crate) fn options(families: &Families) -> Vec<Arg> {
    let of_reader = |reader: &'static ReaderEntry| {
        let own = match reader.value {
            Some(value) => option(reader.name, value).num_args(1..).requires("segments"),
            None => flag(reader.name).conflicts_with_all(["segments", "source", "encoding"]),
        };
        let others = reader.options.iter().map(|other: &ReaderOption| {
            let arg = match other.value {
                None => flag(other.name),
                Some(value) if other.choices.is_empty() => option(other.name, value),
                Some(value) => option(other.name, value)
                    .value_parser(clap::builder::PossibleValuesParser::new(other.choices))
                    // The help of the reader names its choices, with what each means.
                    .hide_possible_values(true),
            };
            arg.requires(reader.name).help(other.help)
        });
        std::iter::once(own.help(reader.help)).chain(others).collect::<Vec<Arg>>()
    };
    entries(families).flat_map(of_reader).collect()
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
    Ok(Some(ReaderRequest { entry, systems, options: options.collect() }))
}
