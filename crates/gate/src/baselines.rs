//! Reads the baseline files that a policy names, each once, and checks that they fit the new output before it
//! is compared with them.

use std::path::PathBuf;

use bleuprint_core::{InputError, Metric as _, Signature, counted};
use bleuprint_eval::evaluation::Run;
use bleuprint_eval::store::{Fingerprint, StoredStatistics};
use bleuprint_registry::AnyMetric;

use crate::counts::OutputCounts;
use crate::policy::of_folder;
use crate::verdict::BaselineUsed;

pub(super) struct Baselines {
    /// Path of the policy file; relative paths of baseline files start from its folder.
    policy: String,
    read: Vec<(String, Result<Baseline, String>)>,
}

/// Statistics of a baseline file, in the order of the new output's segments.
struct Baseline {
    statistics: StoredStatistics,
    /// Note that the baseline's segments were matched by their order, although ids would be safer; else
    /// `None`.
    note: Option<String>,
}

impl Baselines {
    pub(super) fn new(policy: &str) -> Self {
        Baselines { policy: policy.to_owned(), read: Vec::new() }
    }

    pub(super) fn place(&self, file: &str) -> PathBuf {
        of_folder(&self.policy, file)
    }

    /// Returns the statistics of the baseline `file`, in the order of the segments of `run`.
    // An error is kept too, so that a missing file is reported by every rule without trying to read it again.
    pub(super) fn get(&mut self, file: &str, run: &Run) -> Result<&StoredStatistics, String> {
        if let Some(at) = self.read.iter().position(|(known, _)| known == file) {
            return self.read[at].1.as_ref().map(|read| &read.statistics).map_err(Clone::clone);
        }
        let place = self.place(file);
        let read = if place.exists() {
            let read = StoredStatistics::read(&place).and_then(|read| aligned(read, file, run));
            read.map_err(|error| error.to_string())
        } else {
            Err(format!(
                "the baseline {} is not there; `bleuprint stats REF.. -i OUTPUT -o {file}` makes it",
                place.display()
            ))
        };
        self.read.push((file.to_owned(), read));
        match self.read.last() {
            Some((_, read)) => read.as_ref().map(|read| &read.statistics).map_err(Clone::clone),
            None => Err("no baseline".to_owned()),
        }
    }

    /// Returns the notes about baselines whose segments were matched by their order, although ids would be
    /// safer.
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        self.read.iter().filter_map(|(_, read)| read.as_ref().ok()?.note.clone())
    }

    pub(super) fn used(&self) -> Vec<BaselineUsed> {
        let used = |(file, read): &(String, Result<Baseline, String>)| {
            let read = &read.as_ref().ok()?.statistics;
            Some(BaselineUsed {
                file: file.clone(),
                segments: read.segment_count,
                references: read.references.to_string(),
            })
        };
        self.read.iter().filter_map(used).collect()
    }
}

/// Puts a baseline's segments in the order of the new output's. A baseline with only a total, or with another
/// number of segments, stays unchanged; [`counts`] rejects it later.
fn aligned(statistics: StoredStatistics, file: &str, run: &Run) -> Result<Baseline, InputError> {
    if !statistics.header.each || statistics.segments.len() != run.len() {
        return Ok(Baseline { statistics, note: None });
    }
    let (statistics, note) = run.align_file("the new output", statistics, file)?;
    Ok(Baseline { statistics, note })
}

/// Returns a metric's per-segment counts from a baseline file. Returns an error unless segments, references,
/// sources and signature are those of the new output.
pub(super) fn counts(
    stored: &StoredStatistics,
    file: &str,
    metric: &AnyMetric,
    signature: &Signature,
    fingerprints: &[(Fingerprint, Option<Fingerprint>)],
) -> Result<OutputCounts, String> {
    if !stored.header.each {
        return Err(format!(
            "{file} holds a total alone; the test needs every segment (`stats` without --total)"
        ));
    }
    if stored.segments.len() != fingerprints.len() {
        let there = counted(stored.segments.len(), "segment");
        let here = fingerprints.len();
        return Err(format!("{file} has {there}, the new output {here}"));
    }
    for (number, (segment, (references, source))) in (1..).zip(stored.segments.iter().zip(fingerprints)) {
        let differs = |text: &str, one: Fingerprint, other: Fingerprint| {
            format!(
                "{file} was counted against other {text}s, as in segment {number}: {one} there, {other} here"
            )
        };
        if segment.references != *references {
            return Err(differs("reference", segment.references, *references));
        }
        // Old files may lack fingerprints of sources, so sources are compared only if both sides have one.
        if let Some((one, other)) = segment.source.zip(*source).filter(|(one, other)| one != other) {
            return Err(differs("source", one, other));
        }
    }
    let place = place(stored, file, metric, signature)?;
    let said = |error: InputError| format!("{file}: {error}");
    stored.header.metrics[place].require_of(metric).map_err(said)?;
    stored.require_sources(metric).map_err(said)?;
    // Each state is checked here. Impossible counts would otherwise show up in some resample, far from their
    // segment.
    let opened = stored.segments.iter().enumerate().filter_map(|(segment, found)| {
        let opened = found.states.get(place)?.open(metric);
        Some(opened.map_err(|error| format!("{file}: segment {}: {error}", segment + 1)))
    });
    let states = opened.collect::<Result<Vec<_>, _>>()?;
    // Rows are cheaper to resample, so states are used only if the statistics are not rows.
    match metric.require_rows("be summed") {
        Ok(()) => Ok(OutputCounts::Rows(stored.rows(place).map_err(said)?)),
        Err(_) => Ok(OutputCounts::States(states)),
    }
}

/// Returns the index, within a statistics file, of the metric with this state key and signature. If there is
/// none, the error names the field that differs.
fn place(
    stored: &StoredStatistics,
    file: &str,
    metric: &AnyMetric,
    signature: &Signature,
) -> Result<usize, String> {
    let wanted = signature.to_string();
    let key = metric.state_key().to_string();
    let metrics = &stored.header.metrics;
    if let Some(place) = metrics.iter().position(|one| one.key == key && one.signature == wanted) {
        return Ok(place);
    }
    // The metric with the same name is the likely intention, so the message compares with that one.
    let name = |signature: &str| signature.split('|').next().unwrap_or_default().to_owned();
    let Some(near) = metrics.iter().find(|one| name(&one.signature) == name(&wanted)) else {
        let known = metrics.iter().map(|one| one.spec.as_str()).collect::<Vec<_>>().join(", ");
        return Err(format!("{file} holds no {}; it holds: {known}", name(&wanted)));
    };
    let differs = match first_difference(&near.signature, &wanted) {
        Some((there, here)) => format!("`{there}` there, `{here}` here"),
        None => format!("the counts are `{}` there, `{key}` here", near.key),
    };
    Err(format!("{file} was scored differently: {differs}"))
}

fn first_difference(there: &str, here: &str) -> Option<(String, String)> {
    let field = |entry: &str| entry.split_once(':').map_or(entry, |(field, _)| field).to_owned();
    let (one, other): (Vec<&str>, Vec<&str>) = (there.split('|').collect(), here.split('|').collect());
    let missing = |entry: &str| format!("no {}", field(entry));
    for entry in &one {
        match other.iter().find(|candidate| field(candidate) == field(entry)) {
            Some(same) if same == entry => {}
            Some(differs) => return Some(((*entry).to_owned(), (*differs).to_owned())),
            None => return Some(((*entry).to_owned(), missing(entry))),
        }
    }
    let added = other.iter().find(|entry| !one.iter().any(|candidate| field(candidate) == field(entry)));
    added.map(|entry| (missing(entry), (*entry).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn the_field_that_differs_is_named() {
        let pair = |one: &str, other: &str| Some((one.to_owned(), other.to_owned()));
        assert_eq!(first_difference("BLEU|tok:13a", "BLEU|tok:zh"), pair("tok:13a", "tok:zh"));
        assert_eq!(first_difference("BLEU|tok:13a", "BLEU|tok:13a|order:2"), pair("no order", "order:2"));
        assert_eq!(first_difference("BLEU|eff:no|tok:13a", "BLEU|tok:13a"), pair("eff:no", "no eff"));
        assert_eq!(first_difference("BLEU", "BLEU"), None);
    }
}
