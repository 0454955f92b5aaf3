//! Writes sclite's report `dtl`: counts of segments and words, and lists of the words that are confused,
//! inserted and deleted.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

use super::{ReportResult, ReportedSpeaker, ScliteReport};
use crate::StepKind;

const OF_SUBSTITUTIONS: &str = "\n* NOTE: The 'Substitution' words are those reference words\n        \
     for which the recognizer supplied an incorrect word.\n";
const OF_RECOGNIZED: &str = "\n* NOTE: The 'Falsely Recognized' words are those hypothesis words\n        \
     which the recognizer incorrectly substituted for a reference word.\n";

pub(super) fn write(
    speakers: &[ReportedSpeaker],
    report: &ScliteReport<'_>,
    out: &mut dyn Write,
) -> ReportResult {
    let all = || speakers.iter().flat_map(|speaker| &speaker.segments);
    let segments = all().count() as u64;
    let mut total = [0; 5];
    // The numbers of segments with at least one substitution, deletion and insertion.
    let mut kinds = [0; 3];
    for one in all() {
        total.iter_mut().zip(one.counts).for_each(|(sum, count)| *sum += count);
        kinds.iter_mut().zip(&one.counts[1..4]).for_each(|(sum, count)| *sum += u64::from(*count > 0));
    }
    let [correct, substitutions, deletions, insertions, wrong] = total;
    let words = correct + substitutions + deletions;
    let errors = substitutions + deletions + insertions;
    let line = |text: &str, count: u64, of: u64| {
        format!("{text}{:>5}%   ({count:>4})", percentage(report, count as f64, of))
    };
    writeln!(
        out,
        "DETAILED OVERALL REPORT FOR THE SYSTEM: {}\n\nSENTENCE RECOGNITION PERFORMANCE\n",
        report.hypothesis
    )?;
    writeln!(out, "{:<48}{segments:>6}", " sentences")?;
    writeln!(out, "{}\n", line(&format!("{:<40}", " with errors"), wrong, segments))?;
    // The spelling is sclite's; programs that parse the report look for it.
    for (name, count) in ["substitions", "deletions", "insertions"].into_iter().zip(kinds) {
        writeln!(out, "{}", line(&format!("{:<40}", format!("   with {name}")), count, segments))?;
    }
    writeln!(out, "\n\nWORD RECOGNITION PERFORMANCE\n")?;
    let percent = |name: &str, count: u64| line(&format!("Percent {name:<18}=  "), count, words);
    writeln!(out, "{}\n\n{}\n", percent("Total Error", errors), percent("Correct", correct))?;
    let named = [("Substitution", substitutions), ("Deletions", deletions), ("Insertions", insertions)];
    for (name, count) in named {
        writeln!(out, "{}", percent(name, count))?;
    }
    let accuracy = percentage(report, words as f64 - errors as f64, words);
    writeln!(out, "Percent {:<18}=  {accuracy:>5}%\n\n", "Word Accuracy")?;
    let heard = correct + substitutions + insertions;
    for (name, count) in [("Ref.", words), ("Hyp.", heard), ("Aligned", words + insertions)] {
        writeln!(out, "{:<26}=           ({count:>4})", format!("{name} words"))?;
    }
    write_words("CONFUSION PAIRS", listed(speakers, StepKind::Substitution, true, true), "", out)?;
    write_words("INSERTIONS", listed(speakers, StepKind::Insertion, false, true), "", out)?;
    write_words("DELETIONS", listed(speakers, StepKind::Deletion, true, false), "", out)?;
    write_words(
        "SUBSTITUTIONS",
        listed(speakers, StepKind::Substitution, true, false),
        OF_SUBSTITUTIONS,
        out,
    )?;
    write_words(
        "FALSELY RECOGNIZED",
        listed(speakers, StepKind::Substitution, false, true),
        OF_RECOGNIZED,
        out,
    )
}

fn percentage(report: &ScliteReport<'_>, count: f64, of: u64) -> String {
    // sclite prints UNDEF where it would divide by zero.
    if of == 0 { "UNDEF".to_owned() } else { report.rounded(100.0 * (count / of as f64), 1) }
}

/// Returns the words of all alignment steps of one kind with their counts, the most frequent first; ties are
/// in alphabetical order. `reference` and `hypothesis` say which words to include.
fn listed(
    speakers: &[ReportedSpeaker],
    kind: StepKind,
    reference: bool,
    hypothesis: bool,
) -> Vec<(String, u64)> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let steps = speakers.iter().flat_map(|speaker| &speaker.segments).flat_map(|one| &one.steps);
    for step in steps.filter(|step| step.kind == kind) {
        let words = [(reference, &step.reference), (hypothesis, &step.hypothesis)];
        let words: Vec<&str> =
            words.iter().filter(|(wanted, _)| *wanted).filter_map(|(_, word)| word.as_deref()).collect();
        *counts.entry(words.join(" ==> ")).or_default() += 1;
    }
    let mut listed: Vec<(String, u64)> = counts.into_iter().collect();
    // The map is sorted and the sort is stable, so equal counts stay in the order of the words.
    listed.sort_by_key(|(_, count)| Reverse(*count));
    listed
}

fn write_words(title: &str, words: Vec<(String, u64)>, note: &str, out: &mut dyn Write) -> ReportResult {
    let total: u64 = words.iter().map(|(_, count)| count).sum();
    writeln!(
        out,
        "\n{title:<33}Total                 ({})\n{:33}With >=  1 occurrences ({})\n",
        words.len(),
        "",
        words.len()
    )?;
    for (rank, (word, count)) in (1..).zip(&words) {
        writeln!(out, "{rank:>4}: {count:>4}  ->  {word}")?;
    }
    Ok(writeln!(out, "     -------\n{total:>10}\n\n{note}")?)
}
