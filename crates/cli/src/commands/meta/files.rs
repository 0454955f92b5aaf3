//! Reads files of scores and human ratings as tables, with one row for each system and one column for each
//! item.

use bleuprint::contract::counted;
use std::collections::HashMap;

use bleuprint::text::{Encoding, LineReader};
use bleuprint::{InputError, Location};
use bleuprint_requests::failure::{Result, fail};
use bleuprint_requests::warn;

use super::people::{ErrorWeights, averaged, marked_scores, standardized_ratings};
use super::ratings::{
    DocLine, MarkedError, ScoreFile, ScoreLevel, ScoredSystem, has_marked_errors, read_errors, read_ratings,
};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum MetaItems {
    /// Items are the segments of a test set, numbered from 1; the field is the number of items.
    Numbered(usize),
    /// Items have names, such as domains; the field is the list of names.
    Named(Vec<String>),
}

#[derive(Debug, Clone)]
pub(super) struct MetaTable {
    pub(super) file: String,
    pub(super) items: MetaItems,
    /// Systems, each with its name, its first line in the file if known, and one score for each item.
    pub(super) systems: Vec<(String, Option<u64>, Vec<Option<f64>>)>,
    pub(super) labels: Vec<(&'static str, Vec<Option<String>>)>,
}

pub(super) struct HumanRequest<'r> {
    pub(super) standardize: bool,
    pub(super) weights: &'r ErrorWeights,
    pub(super) docs: Option<&'r [DocLine]>,
}

pub(super) fn human(file: &str, request: &HumanRequest<'_>) -> Result<MetaTable> {
    if let Some(level) = ScoreLevel::of_name(file) {
        if request.standardize {
            fail!(
                "--standardize needs a table of ratings with the column `rater`, but {file} has only scores"
            );
        }
        return scores(file, level);
    }
    // The names of the columns tell marked errors from ratings.
    if has_marked_errors(file)? { errors(file, request) } else { ratings(file, request.standardize) }
}

pub(super) fn metric(file: &str, human_level: Option<ScoreLevel>) -> Result<MetaTable> {
    match ScoreLevel::of_name(file).or(human_level) {
        Some(level) if !file.ends_with(".tsv") => scores(file, level),
        _ => ratings(file, false),
    }
}

fn scores(file: &str, level: ScoreLevel) -> Result<MetaTable> {
    let ScoreFile { name, systems, .. } = ScoreFile::read(LineReader::open(file, Encoding::Utf8Sig)?, level)?;
    let mut items = MetaItems::Numbered(systems.first().map_or(0, |system| system.scores.len()));
    // Systems may list the domains in different orders, so domains are matched by name.
    if level == ScoreLevel::Domain {
        let mut domains: Vec<String> = Vec::new();
        for domain in systems.iter().flat_map(|system| &system.domains) {
            if !domains.contains(domain) {
                domains.push(domain.clone());
            }
        }
        items = MetaItems::Named(domains);
    }
    let first = systems.first().map(|first| (first.name.clone(), first.scores.len())).unwrap_or_default();
    let row = |system: ScoredSystem| -> Result<_> {
        let place = Location::line(std::sync::Arc::clone(&name), system.line);
        let scores = match &items {
            MetaItems::Numbered(count) if *count != system.scores.len() => {
                let message = format!(
                    "system `{}` has {}, but system `{}` has {}",
                    system.name,
                    counted(system.scores.len(), "score"),
                    first.0,
                    first.1
                );
                return Err(InputError::malformed(message).at(place).into());
            }
            MetaItems::Numbered(_) => system.scores,
            MetaItems::Named(domains) => {
                let score = |domain: &String| {
                    let at = system.domains.iter().position(|known| known == domain)?;
                    system.scores[at]
                };
                domains.iter().map(score).collect()
            }
        };
        Ok((system.name, Some(system.line), scores))
    };
    let systems = systems.into_iter().map(row).collect::<Result<_>>()?;
    Ok(MetaTable { file: file.to_owned(), systems, labels: Vec::new(), items })
}

fn ratings(file: &str, standardize: bool) -> Result<MetaTable> {
    let mut ratings = read_ratings(file)?;
    let within = |error: InputError| error.at(Location::file(file));
    let mut order: Vec<String> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut labels: [(&'static str, HashMap<String, String>); 2] =
        [("domain", HashMap::new()), ("document", HashMap::new())];
    for rating in &ratings {
        known.entry(rating.item.clone()).or_insert_with(|| {
            order.push(rating.item.clone());
            order.len() - 1
        });
        for ((name, labels), given) in labels.iter_mut().zip([&rating.domain, &rating.document]) {
            let Some(given) = given else { continue };
            // Every rating repeats the labels of its item, which must not contradict each other.
            let before = labels.insert(rating.item.clone(), given.clone());
            if let Some(before) = before.filter(|before| before != given) {
                let message =
                    format!("item `{}` has the {name} `{given}`, but had `{before}` above", rating.item);
                return Err(InputError::malformed(message).at(Location::line(file, rating.line)).into());
            }
        }
    }
    if standardize {
        let (kept, dropped) = standardized_ratings(&ratings).map_err(within)?;
        if dropped > 0 {
            warn::note(&format!(
                "{file}: {} dropped, because their raters have a single rating or only equal ratings",
                counted(dropped, "rating is")
            ));
        }
        ratings = kept;
    }
    let items = numbered(&order).map_or_else(|| MetaItems::Named(order.clone()), MetaItems::Numbered);
    let labelled = labels.into_iter().filter(|(_, labels)| !labels.is_empty());
    let count = count(&items);
    let labels = labelled
        .map(|(name, labels)| {
            let mut values = vec![None; count];
            for (item, label) in labels {
                if let Some(place) = place(&items, &known, &item) {
                    values[place] = Some(label);
                }
            }
            (name, values)
        })
        .collect();
    let systems = rows(averaged(&ratings), count, |item| place(&items, &known, item));
    Ok(MetaTable { file: file.to_owned(), items, systems, labels })
}

/// Returns the largest item number, or `None` if some items are not integers from 1.
fn numbered(items: &[String]) -> Option<usize> {
    let number = |item: &String| {
        let number = item.parse::<usize>().ok()?;
        // Items become an array by number; the limit keeps a mistyped number from filling the memory.
        ((1..=50_000_000).contains(&number) && number.to_string() == *item).then_some(number)
    };
    items.iter().map(number).try_fold(0, |most, number| Some(most.max(number?)))
}

pub(super) fn count(items: &MetaItems) -> usize {
    match items {
        MetaItems::Numbered(count) => *count,
        MetaItems::Named(names) => names.len(),
    }
}

fn place(items: &MetaItems, known: &HashMap<String, usize>, item: &str) -> Option<usize> {
    match items {
        MetaItems::Numbered(_) => item.parse::<usize>().ok().map(|number| number - 1),
        MetaItems::Named(_) => known.get(item).copied(),
    }
}

type Rows = Vec<(String, Option<u64>, Vec<Option<f64>>)>;

fn rows(
    cells: Vec<(String, String, Option<f64>)>,
    count: usize,
    place: impl Fn(&str) -> Option<usize>,
) -> Rows {
    let mut systems: Rows = Vec::new();
    for (system, item, score) in cells {
        // The cells are sorted by system, so each system is one run of cells.
        if systems.last().is_none_or(|(name, ..)| *name != system) {
            systems.push((system, None, vec![None; count]));
        }
        if let (Some((.., row)), Some(place)) = (systems.last_mut(), place(&item)) {
            row[place] = score;
        }
    }
    systems
}

/// Returns an error unless each `seg_id` belongs to one segment of one document, and each segment has one
/// `seg_id`.
fn require_one_place(marked: &[MarkedError], file: &str) -> Result<()> {
    let mut segments = HashMap::new();
    let mut numbers = HashMap::new();
    let segment = |(document, within): (&str, u64)| format!("segment {within} of document `{document}`");
    for error in marked {
        let own = error.segment;
        let here = (error.document.as_str(), error.within);
        let known = *segments.entry(own).or_insert(here);
        let number = *numbers.entry(here).or_insert(own);
        let fault = if known != here {
            format!("seg_id {own} is {} and {}", segment(known), segment(here))
        } else if number != own {
            format!("{} has the seg_ids {number} and {own}", segment(here))
        } else {
            continue;
        };
        let message = format!("{fault}: give --docs FILE, which places documents in the test set");
        return Err(InputError::malformed(message).at(Location::line(file, error.line)).into());
    }
    Ok(())
}

fn errors(file: &str, request: &HumanRequest<'_>) -> Result<MetaTable> {
    if request.standardize {
        fail!("--standardize needs a table of ratings, but {file} has marked errors");
    }
    let marked = read_errors(file)?;
    if request.docs.is_none() {
        require_one_place(&marked, file)?;
    }
    let cells = marked_scores(&marked, request.weights).map_err(|error| error.at(Location::file(file)))?;
    let wrong = |message: String| InputError::malformed(message).at(Location::file(file));
    // With --docs, the document and the number within it place a segment in the test set; its `seg_id` is not
    // used.
    let mut starts: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, doc) in request.docs.unwrap_or_default().iter().enumerate() {
        starts.entry(&doc.document).or_default().push(place);
    }
    let mut placed = Vec::with_capacity(cells.len());
    for cell in &cells {
        let place = if request.docs.is_some() {
            let of_document = starts.get(cell.document.as_str());
            let place = of_document.and_then(|places| places.get(usize::try_from(cell.within - 1).ok()?));
            *place.ok_or_else(|| {
                wrong(format!("document `{}` has no segment {} in --docs", cell.document, cell.within))
            })?
        } else {
            match usize::try_from(cell.segment) {
                Ok(segment @ 1..=50_000_000) => segment - 1,
                _ => return Err(wrong(format!("seg_id {} is too large", cell.segment)).into()),
            }
        };
        placed.push((cell.system.clone(), place, cell.score));
    }
    let most = placed.iter().map(|(_, place, _)| place + 1).max().unwrap_or(0);
    // Segments that nobody annotated are still items, without ratings.
    let count = request.docs.map_or(most, <[DocLine]>::len);
    let cells = placed.into_iter().map(|(system, place, score)| (system, place.to_string(), Some(score)));
    let systems = rows(cells.collect(), count, |place| place.parse().ok());
    Ok(MetaTable { file: file.to_owned(), items: MetaItems::Numbered(count), systems, labels: Vec::new() })
}
