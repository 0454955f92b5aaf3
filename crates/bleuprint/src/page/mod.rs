//! From counts and texts to the data of the page.

use bleuprint::eval::resample::{Plan, Power};
use bleuprint::report::page::{FORMAT, Page, PageField, SIGNIFICANT};

use super::{metrics, ngrams, texts};
use crate::evaluation::counted::Counted;
use crate::evaluation::data::Texts;
use crate::evaluation::labels::{LENGTH, grouped};
use crate::shared::failure::{Failure, Result};
use crate::shared::resampling::resamples_of_pairs;

/// A label with more values than these says too little to be a group.
const MOST_LABELS: usize = 1_000;

/// What a segment without a value is grouped under.
const NONE: &str = "(none)";

/// What the page is to hold.
pub(super) struct PageRequest {
    pub(super) title: String,
    /// The labels that are shown as groups; all where none are named.
    pub(super) by: Vec<String>,
    pub(super) seed: u128,
    /// As many as the user wants; else as many as the systems need.
    pub(super) resamples: Option<usize>,
    pub(super) power: Power,
    /// How many segments keep their texts; all where it is none.
    pub(super) sample: Option<usize>,
    pub(super) texts: bool,
}

pub(super) fn page(counted: &Counted, texts: Option<&Texts>, request: &PageRequest) -> Result<Page> {
    let fields = fields(counted, &request.by)?;
    let count = resamples_of_pairs(request.resamples, Plan::RESAMPLES, counted.systems.len(), SIGNIFICANT)?;
    let plan = Plan { seed: request.seed, count };
    let metrics = metrics::all(counted, &fields, plan, request.power)?;
    let texts = texts.filter(|_| request.texts);
    Ok(Page {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        title: request.title.clone(),
        segments: counted.len(),
        systems: short_names(&counted.systems),
        lengths: lengths(counted),
        test: format!(
            "paired bootstrap of {} resamples, p-values corrected by Holm for all pairs",
            plan.count
        ),
        identical: texts.map(texts::identical),
        ngrams: texts.map(ngrams::listed).transpose()?.flatten(),
        texts: texts.map(|texts| texts::glued(texts, counted, request.sample)).transpose()?,
        metrics,
        fields,
    })
}

/// File names without their folders and without the parts between dots that all of them begin or end with, where they are
/// still different: `test.hyp.A.en` and `test.hyp.B.en` are A and B.
fn short_names(names: &[String]) -> Vec<String> {
    let file = |name: &String| name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned();
    let files: Vec<String> = names.iter().map(file).collect();
    let mut parts: Vec<Vec<&str>> = files.iter().map(|file| file.split('.').collect()).collect();
    let common = |parts: &[Vec<&str>], end: fn(&Vec<&str>) -> Option<String>| {
        let several = parts.len() > 1 && parts.iter().all(|parts| parts.len() > 1);
        several && parts.windows(2).all(|pair| end(&pair[0]) == end(&pair[1]))
    };
    while common(&parts, |parts| parts.first().map(|part| (*part).to_owned())) {
        for parts in &mut parts {
            parts.remove(0);
        }
    }
    while common(&parts, |parts| parts.last().map(|part| (*part).to_owned())) {
        for parts in &mut parts {
            parts.pop();
        }
    }
    let shortened: Vec<String> = parts.iter().map(|parts| parts.join(".")).collect();
    let unique =
        (0..shortened.len()).all(|at| !shortened[at].is_empty() && !shortened[..at].contains(&shortened[at]));
    if unique { shortened } else { names.to_vec() }
}

fn lengths(counted: &Counted) -> Vec<u64> {
    match counted.labels.names.iter().position(|name| name == LENGTH) {
        Some(place) => {
            let length = |values: &Vec<Option<String>>| {
                values.get(place).and_then(|value| value.as_ref()).and_then(|value| value.parse().ok())
            };
            counted.labels.values.iter().map(|values| length(values).unwrap_or(0)).collect()
        }
        None => vec![0; counted.len()],
    }
}

/// The labels as groups; a label of which no two segments share a value, such as an id, groups nothing.
fn fields(counted: &Counted, by: &[String]) -> Result<Vec<PageField>> {
    let names = if by.is_empty() { &counted.labels.names } else { by };
    let mut fields = Vec::new();
    for name in names {
        let known = counted.labels.names.iter().position(|known| known == name);
        let Some(place) = known else {
            let known = counted.labels.names.join(", ");
            let message = format!("the segments have no label `{name}`; they have: {known}");
            return Err(Failure::Message(message));
        };
        let value = |values: &Vec<Option<String>>| {
            values.get(place).cloned().flatten().unwrap_or_else(|| NONE.to_owned())
        };
        let values: Vec<String> = counted.labels.values.iter().map(value).collect();
        let groups = grouped(name, &values);
        if by.is_empty() && (groups.len() > MOST_LABELS || groups.len() == values.len() && values.len() > 1) {
            continue;
        }
        let mut of = vec![0; values.len()];
        for (label, (_, members)) in groups.iter().enumerate() {
            members.iter().for_each(|&member| of[member] = label);
        }
        let labels = groups.into_iter().map(|(label, _)| label).collect();
        fields.push(PageField { name: name.clone(), labels, of });
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::short_names;

    #[test]
    fn names_are_what_tells_systems_apart() {
        let short =
            |names: &[&str]| short_names(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
        assert_eq!(short(&["x/t.hyp.A.en", "y/t.hyp.B.en"]), ["A", "B"]);
        assert_eq!(short(&["x/sys.en", "y/sys.en"]), ["x/sys.en", "y/sys.en"]);
        assert_eq!(short(&["a.1", "a.1.b"]), ["1", "1.b"]);
        assert_eq!(short(&["out/a.txt"]), ["a.txt"]);
    }
}
