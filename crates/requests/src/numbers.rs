//! Reads files with one number per line, such as segment scores of other programs, as columns of a
//! [`TextCorpus`].

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

/// Reads the numbers `name` of each system, from a file for each system or from one file that names the systems.
fn lists(
    name: &str,
    files: &[String],
    wanted: &[WantedTests<'_>],
) -> Result<Vec<(String, SystemNumbers)>, InputError> {
    let words = wanted.iter().find(|column| column.name == name).map_or(&[][..], |column| column.words);
    let names_systems = is_score_file(files);
    let mut all: Vec<(String, SystemNumbers)> = Vec::new();
    for file in files {
        let mut lines = LineReader::open(file, Encoding::Utf8Sig)?;
        if !names_systems {
            all.push(empty_list(file, &lines));
        }
        while lines.advance()? {
            let text = if names_systems { with_system(&lines, &mut all)? } else { lines.line() };
            let number = Field::Text(text).number(words).map_err(|error| error.at(lines.location()))?;
            let line = lines.location().line.unwrap_or_default();
            if let Some((_, numbers)) = all.last_mut() {
                numbers.values.push(number);
                numbers.origin.iter_mut().for_each(|(_, read)| read.push(line));
            }
        }
    }
    Ok(all)
}

fn empty_list(system: &str, lines: &LineReader) -> (String, SystemNumbers) {
    let origin = Some((lines.name().clone(), Vec::new()));
    (system.to_owned(), SystemNumbers { origin, ..SystemNumbers::default() })
}

/// Returns the score of a line `SYSTEM SCORE`, and adds the system to `all` if the line is its first.
fn with_system<'l>(
    lines: &'l LineReader,
    all: &mut Vec<(String, SystemNumbers)>,
) -> Result<&'l str, InputError> {
    let line = lines.line();
    let refused = |message: String| InputError::malformed(message).at(lines.location());
    let Some((system, text)) = line.trim().split_once(['\t', ' ']) else {
        return Err(refused(format!("`{line}` is not a system followed by its score")));
    };
    if all.last().is_some_and(|(last, _)| last == system) {
        return Ok(text);
    }
    if all.iter().any(|(known, _)| known == system) {
        return Err(refused(format!("the lines of {system} are not consecutive")));
    }
    all.push(empty_list(system, lines));
    Ok(text)
}
