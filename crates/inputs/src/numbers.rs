//! Reads files with one number per line, such as segment scores of other programs, as columns of a
//! [`TextCorpus`].

use std::sync::Arc;

use bleuprint::contract::counted;
use bleuprint::eval::evaluation::{NumberColumn, SystemNumbers, TextCorpus};
use bleuprint::text::Encoding;
use bleuprint::text::LineReader;
use bleuprint::text::read::{Field, check_read_once};
use bleuprint::{AnyMetric, InputError};

use crate::failure::{Result, fail};
use crate::request::numbers::{NumbersRequest, is_score_file};
use crate::wanted::{WantedTests, wanting};
use crate::{harness, records};

pub(super) fn alone(
    request: &NumbersRequest,
    metrics: &[(usize, AnyMetric)],
    own: &[(usize, AnyMetric)],
    labels: &[String],
) -> Result<TextCorpus> {
    let wanting = wanting(metrics, own)?;
    check_read_once(request.files().collect::<Vec<_>>().iter())?;
    if !request.records.is_empty() {
        if !request.given.is_empty() {
            fail!("--given cannot be combined with --numbers, whose columns the metrics name");
        }
        return match request.harness {
            Some(harness) => harness::together(request, harness, &wanting, labels),
            None => records::together(request, &wanting, labels),
        };
    }
    let Some((name, files)) = request.given.first() else { fail!("no numbers were given") };
    let lists = lists(name, files, &wanting.numbers)?;
    let length = lists.first().map_or(0, |(_, numbers)| numbers.values.len());
    let mut corpus = TextCorpus::of_numbers(lists.iter().map(|(system, _)| system), length);
    add_given(&mut corpus, request, metrics)?;
    Ok(corpus)
}

/// Adds columns of numbers to a corpus. The option `--given` names one file per system for each column, in
/// the order of the systems.
pub(super) fn add_given(
    corpus: &mut TextCorpus,
    request: &NumbersRequest,
    metrics: &[(usize, AnyMetric)],
) -> Result<()> {
    let wanted = wanting(metrics, &[])?.numbers;
    for (name, files) in &request.given {
        let mut lists = lists(name, files, &wanted)?;
        // A file of mt-metrics-eval has the scores of all systems, and names the system on each line.
        if is_score_file(files) {
            // A file of scores names its systems, so their order does not matter.
            let mut ordered = Vec::new();
            for system in &corpus.systems {
                match lists.iter().position(|(known, _)| known == system) {
                    Some(place) => ordered.push(lists.swap_remove(place)),
                    None => fail!("{}: no score of the system {system}", files[0]),
                }
            }
            if let Some((system, _)) = lists.first() {
                fail!("{}: it has scores of {system}, which is not one of the systems", files[0]);
            }
            lists = ordered;
        }
        let given = lists.len();
        let systems = corpus.systems.len();
        if given != systems {
            let given = counted(given, "file");
            let systems = counted(systems, "system");
            fail!(
                "--given {name}= has {given} for {systems}: it takes one for each, as in --given {name}=FILE,FILE"
            );
        }
        let systems = lists.into_iter().map(|(_, numbers)| numbers).collect();
        corpus.add_column(NumberColumn { name: name.clone(), systems, ..NumberColumn::default() })?;
    }
    Ok(())
}

fn lists(
    name: &str,
    files: &[String],
    wanted: &[WantedTests<'_>],
) -> Result<Vec<(String, SystemNumbers)>, InputError> {
    let words = wanted.iter().find(|column| column.name == name).map_or(&[][..], |column| column.words);
    let mut all: Vec<(String, SystemNumbers)> = Vec::new();
    for file in files {
        let mut lines = LineReader::open(file, Encoding::Utf8Sig)?;
        let shown: Arc<str> = lines.name().clone();
        let of = |system: &str| {
            let origin = Some((shown.clone(), Vec::new()));
            (system.to_owned(), SystemNumbers { origin, ..SystemNumbers::default() })
        };
        if !is_score_file(files) {
            all.push(of(file));
        }
        while lines.advance()? {
            let line = lines.line();
            let (place, text) = match is_score_file(files) {
                false => (all.len() - 1, line),
                true => {
                    let Some((system, text)) = line.trim().split_once(['\t', ' ']) else {
                        let message = format!("`{line}` is not a system followed by its score");
                        return Err(InputError::malformed(message).at(lines.location()));
                    };
                    // The lines of a system must be consecutive.
                    if all.last().is_none_or(|(last, _)| last != system) {
                        if all.iter().any(|(known, _)| known == system) {
                            let message = format!("the lines of {system} are not consecutive");
                            return Err(InputError::malformed(message).at(lines.location()));
                        }
                        all.push(of(system));
                    }
                    (all.len() - 1, text)
                }
            };
            let number = Field::Text(text).number(words).map_err(|error| error.at(lines.location()))?;
            let numbers = &mut all[place].1;
            numbers.values.push(number);
            if let Some((_, read)) = &mut numbers.origin {
                read.push(lines.location().line.unwrap_or_default());
            }
        }
    }
    Ok(all)
}
