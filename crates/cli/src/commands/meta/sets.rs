//! Builds the test sets for `bleuprint meta`: pairs files of human scores with files of metric scores, and
//! aligns them by system and item.

use bleuprint::contract::counted;
use std::collections::BTreeSet;
use std::path::Path;

use bleuprint::inference::agreement::{JudgedTestSet, MetricScores, Ratings};
use bleuprint::text::FileText;
use bleuprint::{InputError, Location};
use bleuprint_requests::data::Reading;
use bleuprint_requests::failure::{Failure, Result, fail};
use bleuprint_requests::warn;
use sha2::{Digest as _, Sha256};

use super::files::{self, HumanRequest, MetaItems, MetaTable, count};
use super::own;
use super::people::ErrorWeights;
use super::ratings::{DocLine, ScoreLevel, read_docs};
use crate::shared::command::CommandContext;
use crate::shared::counting::CountingRequest;

pub(super) struct SetsRequest {
    pub(super) human: Vec<String>,
    pub(super) scores: Vec<String>,
    pub(super) docs: Vec<String>,
    pub(super) labels: Reading,
    pub(super) exclude: Vec<String>,
    pub(super) lower: Vec<String>,
    pub(super) standardize: bool,
    pub(super) weights: ErrorWeights,
}

pub(super) struct MetaData {
    pub(super) sets: Vec<JudgedTestSet>,
    pub(super) groups: Vec<JudgedTestSet>,
    pub(super) people: String,
    /// Name and SHA-256 hash of every file that was read for the test set.
    pub(super) files: Vec<(String, String)>,
    pub(super) excluded: Vec<String>,
    pub(super) notes: Vec<String>,
}

/// Labels of a test set's items: the name of each label, with one value for each item.
type Labels = Vec<(String, Vec<Option<String>>)>;

impl SetsRequest {
    pub(super) fn read(
        self,
        counting: Option<CountingRequest>,
        by: &[String],
        program: &CommandContext<'_>,
        threads: Option<usize>,
    ) -> Result<MetaData> {
        self.check(counting.is_some())?;
        let mut data = MetaData {
            sets: Vec::new(),
            groups: Vec::new(),
            people: self.people(),
            files: Vec::new(),
            excluded: self.exclude.clone(),
            notes: Vec::new(),
        };
        let mut seen = BTreeSet::new();
        let mut counting = counting;
        // Names are removed as they are found; what is left was misspelled.
        let mut lower: BTreeSet<&str> = self.lower.iter().map(String::as_str).collect();
        for place in 0..self.human.len() {
            let (set, labels) = self.set(place, counting.take(), program, threads, &mut seen, &mut data)?;
            set.metrics.iter().for_each(|metric| {
                lower.remove(&*metric.name);
            });
            if !set.unrated.is_empty() {
                let unrated = set.unrated.join(", ");
                data.notes.push(format!("{}: nobody rated {unrated}", set.name));
            }
            for label in by {
                group(&set, label, &labels, &mut data.groups)?;
            }
            data.sets.push(set);
        }
        if let Some(unknown) = self.exclude.iter().find(|name| !seen.contains(*name)) {
            let known = seen.into_iter().collect::<Vec<_>>().join(", ");
            fail!("--exclude {unknown}: no file has this system; the systems are {known}");
        }
        if let Some(unknown) = lower.first() {
            fail!("--lower {unknown}: there is no such metric");
        }
        Ok(data)
    }

    fn check(&self, own: bool) -> Result<()> {
        let several = self.human.len() > 1;
        if several && own {
            fail!("outputs are scored for one --human; for several, give --scores a folder for each");
        }
        if several && !self.labels.labels.is_empty() {
            fail!("--label is for one --human; for several, give --docs for each");
        }
        if several && self.scores.len() != self.human.len() {
            let humans = self.human.len();
            let folders = self.scores.len();
            fail!(
                "{humans} files of people need the same number of folders of --scores, but there are {folders}"
            );
        }
        if !self.docs.is_empty() && self.docs.len() != self.human.len() {
            fail!("{} --docs for {} --human", self.docs.len(), self.human.len());
        }
        Ok(())
    }

    /// Returns the name under which the human scores are shown: `mqm` for the file `en-de.mqm.seg.score`,
    /// otherwise the name of the file.
    fn people(&self) -> String {
        let name = |file: &String| {
            let file = file_name(file);
            let parts: Vec<&str> = file.split('.').collect();
            match parts[..] {
                [_, name, _, "score"] => name.to_owned(),
                _ => file.to_owned(),
            }
        };
        let mut names: Vec<String> = self.human.iter().map(name).collect();
        names.dedup();
        names.join(", ")
    }

    fn set(
        &self,
        place: usize,
        counting: Option<CountingRequest>,
        program: &CommandContext<'_>,
        threads: Option<usize>,
        seen: &mut BTreeSet<String>,
        data: &mut MetaData,
    ) -> Result<(JudgedTestSet, Labels)> {
        let file = &self.human[place];
        let docs = self.docs.get(place).map(|file| read_docs(file)).transpose()?;
        let request =
            HumanRequest { standardize: self.standardize, weights: &self.weights, docs: docs.as_deref() };
        let mut human = files::human(file, &request)?;
        let mut tables = self.metric_files(place)?;
        data.files.extend([hashed(file)?]);
        data.files.extend(self.docs.get(place).map(|file| hashed(file)).transpose()?);
        let mut metrics = Vec::new();
        for (name, file) in &mut tables {
            let table = files::metric(file, ScoreLevel::of_name(&self.human[place]))?;
            data.files.push(hashed(file)?);
            metrics.push((name.clone(), table));
        }
        for table in std::iter::once(&human).chain(metrics.iter().map(|(_, table)| table)) {
            seen.extend(table.systems.iter().map(|system| system.0.clone()));
        }
        let rated: Vec<String> = human.systems.iter().map(|system| system.0.clone()).collect();
        let own = counting
            .map(|counting| own::score(counting, &self.labels, &rated, &self.exclude, program, threads));
        let own = own.transpose()?;
        let of_docs = docs.as_ref().zip(self.docs.get(place)).map(|(docs, file)| (docs.len(), file.clone()));
        let of_outputs = own.as_ref().map(|own| (own.items, "the outputs".to_owned()));
        let items = of_docs.or(of_outputs);
        align(&mut human, &mut metrics, items)?;
        let labels = labels(&human, docs.as_deref(), own.as_ref(), &self.labels, count(&human.items))?;
        for (name, table) in &metrics {
            require_known(name, table, &human, &self.exclude)?;
            require_scores(name, table, &human, &self.exclude)?;
        }
        let keep = |name: &str| !self.exclude.iter().any(|excluded| excluded == name);
        let ratings = |table: MetaTable, lower: bool| -> Result<Ratings> {
            let systems = table.systems.into_iter().filter(|system| keep(&system.0));
            let signed = |score: f64| if lower { -score } else { score };
            let scores =
                |scores: Vec<Option<f64>>| scores.into_iter().map(|score| score.map(signed)).collect();
            let ratings = Ratings::new(systems.map(|(name, _, given)| (name, scores(given))));
            Ok(ratings.map_err(|error| error.at(Location::file(table.file)))?)
        };
        let mut scored = own.map(|own| own.metrics).unwrap_or_default();
        for (name, table) in metrics {
            let ratings = ratings(table, self.lower.contains(&name))?;
            scored.push(MetricScores::new(name, ratings));
        }
        let name = match self.human.len() {
            1 => file_name(file).to_owned(),
            _ => file_name(file).split('.').next().unwrap_or_default().to_owned(),
        };
        Ok((JudgedTestSet::new(name, ratings(human, false)?, scored)?, labels))
    }

    fn metric_files(&self, place: usize) -> Result<Vec<(String, String)>> {
        let level = ScoreLevel::of_name(&self.human[place]).unwrap_or_default();
        if self.human.len() > 1 {
            return folder(&self.scores[place], level);
        }
        let mut found = Vec::new();
        for given in &self.scores {
            match given.split_once('=') {
                Some((name, file)) if !name.is_empty() => found.push((name.to_owned(), file.to_owned())),
                _ if Path::new(given).is_dir() => found.extend(folder(given, level)?),
                _ => fail!("--scores {given}: expected NAME=FILE, or a folder"),
            }
        }
        Ok(found)
    }
}

fn file_name(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}

fn hashed(file: &str) -> Result<(String, String)> {
    let bytes = std::fs::read(file).map_err(|error| Failure::Message(format!("{file}: {error}")))?;
    let sum = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((file.to_owned(), sum))
}

/// Returns the files in a folder that are named `METRIC-REF.LEVEL.score`, each with its metric's name. The
/// name is METRIC, or METRIC-REF if the metric has files for several references.
fn folder(folder: &str, level: ScoreLevel) -> Result<Vec<(String, String)>> {
    let wrong = |error: std::io::Error| Failure::Message(format!("{folder}: {error}"));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if ScoreLevel::of_name(name) == Some(level) {
            let stem = name.split(['.']).rev().skip(if name.ends_with(".score") { 2 } else { 3 });
            let stem = stem.collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join(".");
            files.push((stem, path.display().to_string()));
        }
    }
    if files.is_empty() {
        fail!("{folder}: no file is named METRIC-REF.LEVEL.score with the level of --human");
    }
    files.sort();
    let short = |stem: &str| stem.rsplit_once('-').map_or(stem, |(metric, _)| metric).to_owned();
    let shorts: Vec<String> = files.iter().map(|(stem, _)| short(stem)).collect();
    // Two references of one metric would otherwise share a name.
    let single = |name: &String| shorts.iter().filter(|other| *other == name).count() == 1;
    let named = files.into_iter().zip(&shorts);
    Ok(named.map(|((stem, file), short)| (if single(short) { short.clone() } else { stem }, file)).collect())
}

/// Extends all tables of scores to a common list of items. The list is `items` if given, else the items of a
/// score file, else the items of the longest table.
fn align(
    human: &mut MetaTable,
    metrics: &mut [(String, MetaTable)],
    items: Option<(usize, String)>,
) -> Result<()> {
    if let (MetaItems::Named(names), Some((_, other))) = (&human.items, &items) {
        let first = names.first().map_or("", String::as_str);
        fail!("{}: items are named (`{first}`), but those of {other} are numbered, from 1", human.file);
    }
    if let MetaItems::Named(names) = human.items.clone() {
        return metrics.iter_mut().try_for_each(|(name, table)| by_name(&names, name, table, &human.file));
    }
    // Files of scores list every item; tables of ratings may end early.
    let is_whole = |table: &MetaTable| ScoreLevel::of_name(&table.file).is_some();
    let whole = || {
        let tables = std::iter::once(&*human).chain(metrics.iter().map(|(_, table)| table));
        tables.filter(|table| is_whole(table)).map(|table| (count(&table.items), table.file.clone())).next()
    };
    let longest = || {
        let tables = std::iter::once(&*human).chain(metrics.iter().map(|(_, table)| table));
        tables.map(|table| (count(&table.items), table.file.clone())).max()
    };
    let (items, other) = items.or_else(whole).or_else(longest).unwrap_or_default();
    for table in std::iter::once(human).chain(metrics.iter_mut().map(|(_, table)| table)) {
        if let MetaItems::Named(names) = &table.items {
            let first = names.first().map_or("", String::as_str);
            fail!("{}: items are named (`{first}`), but those of {other} are numbered, from 1", table.file);
        }
        let here = count(&table.items);
        // A table of ratings may be shorter, since not every item is rated; a file of scores may not.
        if here > items || here < items && is_whole(table) {
            fail!("{} has {}, but {other} has {items}", table.file, counted(here, "item"));
        }
        table.items = MetaItems::Numbered(items);
        table.systems.iter_mut().for_each(|(.., scores)| scores.resize(items, None));
        table.labels.iter_mut().for_each(|(_, labels)| labels.resize(items, None));
    }
    Ok(())
}

fn by_name(names: &[String], metric: &str, table: &mut MetaTable, human: &str) -> Result<()> {
    let MetaItems::Named(own) = &table.items else {
        fail!("{}: items of {metric} are lines, but those of {human} have names", table.file);
    };
    let places: Vec<Option<usize>> =
        names.iter().map(|name| own.iter().position(|known| known == name)).collect();
    for (.., scores) in &mut table.systems {
        *scores = places.iter().map(|place| scores[(*place)?]).collect();
    }
    table.items = MetaItems::Named(names.to_vec());
    Ok(())
}

fn require_known(metric: &str, table: &MetaTable, human: &MetaTable, excluded: &[String]) -> Result<()> {
    let known =
        |name: &String| human.systems.iter().any(|system| system.0 == *name) || excluded.contains(name);
    match table.systems.iter().find(|(name, ..)| !known(name)) {
        None => Ok(()),
        Some((name, line, _)) => {
            let place = Location { file: Some(table.file.as_str().into()), line: *line, segment: None };
            let message = format!(
                "the system `{name}` of {metric} is not in {}; leave it out with --exclude {name}",
                human.file
            );
            Err(InputError::malformed(message).at(place).into())
        }
    }
}

fn require_scores(metric: &str, table: &MetaTable, human: &MetaTable, excluded: &[String]) -> Result<()> {
    for (system, _, ratings) in human.systems.iter().filter(|(name, ..)| !excluded.contains(name)) {
        // `Ratings` reports a missing system together with all other missing ones.
        let Some((.., scores)) = table.systems.iter().find(|(name, ..)| name == system) else { continue };
        let lacks = |(rating, score): (&Option<f64>, &Option<f64>)| rating.is_some() && score.is_none();
        if let Some(item) = ratings.iter().zip(scores).position(lacks) {
            let item = match &human.items {
                MetaItems::Numbered(_) => (item + 1).to_string(),
                MetaItems::Named(names) => format!("`{}`", names[item]),
            };
            let message =
                format!("{metric} has no score for item {item} of system `{system}`, which people rated");
            return Err(InputError::malformed(message).at(Location::file(table.file.as_str())).into());
        }
    }
    Ok(())
}

fn labels(
    human: &MetaTable,
    docs: Option<&[DocLine]>,
    own: Option<&own::OwnTables>,
    given: &Reading,
    items: usize,
) -> Result<Labels> {
    let mut labels: Labels = Vec::new();
    if let Some(docs) = docs {
        labels.push(("domain".to_owned(), docs.iter().map(|doc| Some(doc.domain.clone())).collect()));
        labels.push(("document".to_owned(), docs.iter().map(|doc| Some(doc.document.clone())).collect()));
    }
    labels.extend(human.labels.iter().map(|(name, values)| ((*name).to_owned(), values.clone())));
    match own {
        Some(own) => {
            let names = own.labels.names.iter().enumerate();
            labels.extend(names.map(|(at, name)| {
                (name.clone(), own.labels.values.iter().map(|values| values[at].clone()).collect())
            }));
        }
        None => {
            for label in &given.labels {
                let Some((name, file)) = label.split_once('=').filter(|(name, _)| !name.is_empty()) else {
                    fail!("--label {label}: expected NAME=FILE");
                };
                let lines = FileText::open(file, bleuprint::text::Encoding::Utf8Sig)?;
                if lines.len() != items {
                    fail!("{file} has {} for {}", counted(lines.len(), "line"), counted(items, "item"));
                }
                labels.push((name.to_owned(), lines.iter().map(|line| Some(line.to_owned())).collect()));
            }
        }
    }
    Ok(labels)
}

fn group(set: &JudgedTestSet, label: &str, labels: &Labels, groups: &mut Vec<JudgedTestSet>) -> Result<()> {
    let Some((_, values)) = labels.iter().find(|(name, _)| name == label) else {
        let known = labels.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
        let known = if known.is_empty() { "none: give --docs or --label".to_owned() } else { known };
        fail!("--by {label}: there is no such label; the labels are {known}");
    };
    let all: BTreeSet<&String> = values.iter().flatten().collect();
    for value in all {
        let with = |item: &usize| values[*item].as_ref() == Some(value);
        let items: Vec<usize> = (0..values.len()).filter(with).collect();
        let systems = 0..set.human.systems().len();
        let is_rated = |item: &usize| systems.clone().any(|system| set.human.get(system, *item).is_some());
        // A group without ratings would have no value in any statistic.
        if items.iter().any(is_rated) {
            groups.push(set.of_items(format!("{}, {label} {value}", set.name), &items)?);
        } else {
            warn::note(&format!("{}: nobody rated an item of the {label} {value}", set.name));
        }
    }
    Ok(())
}
