//! [`page_of`]: collects the data of the HTML report on systems that were scored.

mod metrics;
mod ngrams;
mod pictures;
mod texts;
mod words;

use std::collections::HashMap;

use bleuprint_core::{InputError, Result};
use bleuprint_eval::evaluation::{LENGTH, Run, RunLabels, grouped};
use bleuprint_inference::{Power, ResamplePlan, join};
use bleuprint_report::page::{FORMAT, PageData, PageField, PageMetric, SIGNIFICANT};
use bleuprint_report::short_names;

/// Largest number of distinct values for which a segment label is shown as groups by default. With more
/// values the groups are too small to be informative.
const MOST_LABELS: usize = 1_000;

/// Name of the group of segments that have no value for a label.
const NONE: &str = "(none)";

/// Choices for an HTML report on scores, such as its title.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct PageRequest {
    /// Title of the HTML report.
    pub title: String,
    /// Names of segment labels whose values are shown as groups of segments; if empty, all labels are shown.
    pub by: Vec<String>,
    /// Number and seed of resamples for confidence intervals and significance tests. `None` chooses enough
    /// resamples for all pairs of systems.
    pub plan: Option<ResamplePlan>,
    /// Significance level and power for which the report gives the smallest detectable difference.
    pub power: Power,
    /// Number of segments whose texts and pictures the report shows; `None` shows all.
    pub sample: Option<usize>,
    /// `true` if the report shows the texts and pictures of segments, if they are known.
    pub texts: bool,
}

impl Default for PageRequest {
    fn default() -> Self {
        PageRequest {
            title: "Comparison of outputs".to_owned(),
            by: Vec::new(),
            plan: None,
            power: Power::default(),
            sample: None,
            texts: true,
        }
    }
}

/// Collects the data of a report on scored systems; [`report::page`](crate::report::page) writes it as an
/// HTML page or as JSON.
///
/// # Errors
/// Returns an error if the segments have no label with a requested name, or if the texts contain every
/// character that could separate tokens. Also returns the errors of the metrics.
pub fn page_of(run: &Run, request: &PageRequest) -> Result<PageData> {
    let fields = fields(run, &request.by)?;
    let enough = || {
        ResamplePlan::new(ResamplePlan::count_for_pairs(
            ResamplePlan::RESAMPLES,
            run.systems().len(),
            SIGNIFICANT,
        ))
    };
    let plan = request.plan.unwrap_or_else(enough);
    let texts = run.texts.as_ref().filter(|_| request.texts);
    // Texts beside numbers are displayed alone: no metric compares them.
    let read = texts.filter(|texts| !texts.shown_only);
    // The n-grams of the texts do not depend on the metrics, so both are computed at the same time.
    let (metrics, ngrams) = join(
        || metrics::all(run, &fields, plan, request.power),
        || read.map(|texts| ngrams::listed(texts, run.systems().len())).transpose(),
    );
    let mut metrics = metrics?;
    let ngrams = ngrams?.flatten();
    let kept = texts::kept(run, request.sample)?;
    if request.texts {
        for (place, metric) in metrics.iter_mut().enumerate() {
            metric.pictures = pictures::all(run, place, &kept)?;
        }
    }
    let words =
        texts.map(|texts| words::all(run, texts, &kept, &mut metrics)).transpose()?.unwrap_or_default();
    Ok(PageData {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        title: request.title.clone(),
        segments: run.len(),
        systems: short_names(run.systems()),
        ids: ids(&run.labels),
        unit: run.unit().map(str::to_owned),
        units: unit_numbers(run)?,
        lengths: lengths(&run.labels),
        test: test_of(&metrics, plan.count, run.unit_note()?),
        left_out: run.facts().left_out.iter().map(ToString::to_string).collect(),
        identical: read.map(|texts| texts::identical(texts, run.systems().len())),
        ngrams,
        texts: texts.map(|texts| texts::glued(texts, run, &kept)).transpose()?,
        words,
        metrics,
        fields,
    })
}

/// Returns a sentence that names the significance tests used for pairs of systems.
fn test_of(metrics: &[PageMetric], resamples: usize, unit: Option<String>) -> String {
    let mut methods: Vec<&str> = Vec::new();
    for pair in metrics.iter().flat_map(|metric| &metric.pairs) {
        if !methods.contains(&pair.method.as_str()) {
            methods.push(&pair.method);
        }
    }
    let methods = if methods.is_empty() { "no test".to_owned() } else { methods.join(", ") };
    let unit = unit.map(|note| format!("; {note}")).unwrap_or_default();
    format!(
        "{methods}; {resamples} resamples; p-values corrected by Holm for all pairs, intervals each of one test{unit}"
    )
}

/// Returns the index of each segment's unit (such as a document); empty if resamples draw single segments.
fn unit_numbers(run: &Run) -> Result<Vec<usize>> {
    let segments: Vec<usize> = (0..run.len()).collect();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let units = run.unit_labels_of(&segments)?.unwrap_or_default().into_iter();
    Ok(units
        .map(|unit| {
            let next = numbers.len();
            *numbers.entry(unit).or_insert(next)
        })
        .collect())
}

fn ids(labels: &RunLabels) -> Vec<String> {
    let all = labels.values_of("id").unwrap_or_default();
    all.into_iter().map(str::to_owned).collect()
}

/// Returns the length of each segment, which is stored as a segment label; 0 for a segment without a length.
fn lengths(labels: &RunLabels) -> Vec<u64> {
    let place = labels.names.iter().position(|name| name == LENGTH);
    let length =
        |values: &Vec<Option<String>>| place.and_then(|place| values.get(place)?.as_ref()?.parse().ok());
    labels.values.iter().map(|values| length(values).unwrap_or(0)).collect()
}

/// Returns the requested labels, each with the groups of segments that share a value. If `by` is empty, it
/// returns all labels except three kinds: labels with too many values, labels whose value differs in every
/// segment, and the parts of an id after the first, which mean nothing alone.
fn fields(run: &Run, by: &[String]) -> Result<Vec<PageField>> {
    let labels = &run.labels;
    let is_group = |name: &&String| *name != "id" && !run.facts().ids.iter().skip(1).any(|id| id == *name);
    let all: Vec<String> = labels.names.iter().filter(is_group).cloned().collect();
    let names = if by.is_empty() { &all[..] } else { by };
    let mut fields = Vec::new();
    for name in names {
        let known = labels.names.iter().position(|known| known == name);
        let Some(place) = known else {
            let known = labels.names.join(", ");
            let message = format!("the segments have no label `{name}`; they have: {known}");
            return Err(InputError::malformed(message));
        };
        let value = |values: &Vec<Option<String>>| {
            values.get(place).cloned().flatten().unwrap_or_else(|| NONE.to_owned())
        };
        let values: Vec<String> = labels.values.iter().map(value).collect();
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
