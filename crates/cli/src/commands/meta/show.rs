//! Writes agreement statistics as tables like WMT's, and as JSON.

use bleuprint::contract::Choice as _;
use bleuprint::contract::counted;
use bleuprint::inference::agreement::{Agreement, AgreementLevel, Grouping, MetaRequest, Swap};
use bleuprint::report::{fixed, pretty};
use bleuprint_requests::failure::Result;
use serde_json::{Value, json};

use super::questions::{AnsweredQuestion, test_words};
use super::sets::MetaData;
use crate::shared::command::Out;

/// Number of decimals with which agreement statistics are printed, as in WMT's tables.
const DECIMALS: usize = 7;

/// Writes a table for each agreement statistic with rank, metric and value. A column of `>` marks the
/// lower-ranked metrics that a metric beats significantly.
pub(super) fn text(
    data: &MetaData,
    request: &MetaRequest,
    answers: &[AnsweredQuestion],
    average: &[(String, f64)],
    out: &mut Out,
) -> Result<()> {
    for note in &data.notes {
        writeln!(out, "{note}")?;
    }
    for (at, AnsweredQuestion { agreement, .. }) in answers.iter().enumerate() {
        if at > 0 || !data.notes.is_empty() {
            writeln!(out)?;
        }
        writeln!(out, "{}", heading(data, agreement, request))?;
        table(agreement, request.alpha, out)?;
        for metric in agreement.metrics.iter() {
            if let Some(why) = &metric.untested {
                writeln!(out, "{} is not compared: {why}", metric.name)?;
            }
        }
    }
    if !average.is_empty() {
        writeln!(out, "\naverage of all, each from 0 to 1; without a test")?;
        let width = average.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, value) in average {
            writeln!(out, "{name:<width$}  {}", fixed(*value, DECIMALS))?;
        }
    }
    if answers.iter().any(|answer| matches!(answer.agreement.swap, Swap::Cells | Swap::Pairs))
        && !request.williams
    {
        writeln!(
            out,
            "\nCells and pairs of one item are not independent: tests that swap them find too many differences."
        )?;
    }
    Ok(())
}

fn heading(data: &MetaData, agreement: &Agreement, request: &MetaRequest) -> String {
    let Agreement { statistic, level, grouping, systems, items, rated_items, missing, .. } = agreement;
    let mut parts = vec![statistic.clone()];
    if agreement.sets.len() > 1 || data.sets.len() + data.groups.len() > 1 {
        parts.push(agreement.sets.join(" + "));
    }
    parts.extend(match grouping {
        Some(Grouping::None) => Some("all cells".to_owned()),
        Some(grouping) => Some(format!("by {}", grouping.name())),
        None => (*level == AgreementLevel::System && !statistic.starts_with("spa"))
            .then(|| "of systems".to_owned()),
    });
    parts.push(counted(systems, "system"));
    parts.push(if statistic.starts_with("spa") {
        format!("{rated_items} of {} rated for all", counted(items, "item"))
    } else {
        format!(
            "{rated_items} of {} rated, {} without a rating",
            counted(items, "item"),
            counted(missing, "cell")
        )
    });
    parts.push(format!("people: {}", data.people));
    parts.push(test_words(agreement, request));
    if request.holm {
        parts.push("corrected by Holm".to_owned());
    }
    parts.join(", ")
}

fn table(agreement: &Agreement, alpha: f64, out: &mut Out) -> Result<()> {
    let value = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| fixed(value, DECIMALS));
    let values: Vec<String> = agreement.metrics.iter().map(|metric| value(metric.value)).collect();
    let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let name_width = width(&mut agreement.metrics.iter().map(|metric| metric.name.chars().count()));
    let rank_width = width(&mut agreement.ranks.iter().map(|rank| rank.to_string().len()));
    let value_width = width(&mut values.iter().map(String::len));
    for (place, metric) in agreement.metrics.iter().enumerate() {
        // The signs form the upper triangle of the matrix of pairs.
        let above = std::iter::repeat_n(".", place + 1);
        let signs = agreement.p[place].iter().map(|p| match p {
            Some(p) if *p <= alpha => ">",
            Some(_) => "=",
            None => "?",
        });
        let signs: Vec<&str> = above.chain(signs).collect();
        let name = &metric.name;
        let rank = agreement.ranks[place];
        let value = &values[place];
        writeln!(
            out,
            "{name:<name_width$}  {rank:>rank_width$}  {value:>value_width$}  {}",
            signs.join(" ")
        )?;
    }
    Ok(())
}

pub(super) fn json(
    data: &MetaData,
    request: &MetaRequest,
    answers: &[AnsweredQuestion],
    average: &[(String, f64)],
) -> String {
    let files: Vec<Value> =
        data.files.iter().map(|(file, sha256)| json!({ "file": file, "sha256": sha256 })).collect();
    let sets: Vec<Value> = data
        .sets
        .iter()
        .map(|set| {
            let human = &set.human;
            let missing = |system: usize| {
                (0..human.items()).filter(move |&item| human.get(system, item).is_none()).count()
            };
            json!({
                "name": set.name,
                "systems": human.systems(),
                "unrated_systems": set.unrated,
                "items": human.items(),
                "missing": (0..human.systems().len()).map(missing).sum::<usize>(),
            })
        })
        .collect();
    let answers: Vec<&Agreement> = answers.iter().map(|answer| &answer.agreement).collect();
    let average: Vec<Value> =
        average.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
    let value = json!({
        "format": "bleuprint-meta/1",
        "version": bleuprint::contract::VERSION,
        "people": data.people,
        "files": files,
        "excluded": data.excluded,
        "sets": sets,
        "trials": request.trials,
        "seed": u64::try_from(request.seed).unwrap_or(u64::MAX),
        "alpha": request.alpha,
        "nan": request.no_value.name(),
        "holm": request.holm,
        "williams": request.williams,
        "answers": answers,
        "average": average,
    });
    pretty(&value, 1)
}
