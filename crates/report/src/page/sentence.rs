//! The sentence at the top of a report: the leading system and the certainty of its lead.

use super::{PageData, PagePair};
use crate::{fixed, thousands};

/// Largest p-value that counts as significant.
pub const SIGNIFICANT: f64 = 0.05;

/// Returns a sentence about the report's first metric: which system leads, by how much, and how certain that
/// is.
pub fn who_is_ahead(page: &PageData) -> String {
    let Some(metric) = page.metrics.first() else { return String::new() };
    let number = |value: f64| fixed(value, metric.digits);
    let mut order: Vec<usize> = (0..page.systems.len()).collect();
    let gain = |system: &usize| {
        let score = metric.scores.get(*system).map_or(f64::NAN, |score| score.score);
        if metric.higher { score } else { -score }
    };
    order.sort_by(|one, other| gain(other).total_cmp(&gain(one)));
    let name = |system: usize| page.systems.get(system).map_or("", String::as_str);
    let (first, second) = match order[..] {
        [] => return String::new(),
        [only] => {
            let score = &metric.scores[only];
            return format!(
                "{} has {} {} (95 % interval {} to {}) on {} segments.",
                name(only),
                number(score.score),
                metric.name,
                number(score.lower),
                number(score.upper),
                thousands(page.segments)
            );
        }
        [first, second, ..] => (first, second),
    };
    let of_both = |pair: &&PagePair| {
        (pair.first.min(pair.second), pair.first.max(pair.second)) == (first.min(second), first.max(second))
    };
    let score = |system: usize| metric.scores.get(system).map_or(f64::NAN, |score| score.score);
    let Some(pair) = metric.pairs.iter().find(of_both) else {
        let one = number(score(first));
        let other = number(score(second));
        return format!(
            "{} is ahead of {} with {one} to {other} {}; this was not tested.",
            name(first),
            name(second),
            metric.name
        );
    };
    let size = number(pair.difference.abs());
    if pair.p.is_nan() {
        let caution = pair.caution.as_deref().unwrap_or("no test");
        return format!("{} and {}: {size} points of {}; {caution}.", name(first), name(second), metric.name);
    }
    if pair.p > SIGNIFICANT {
        return format!(
            "{} and {} cannot be told apart on these {} segments ({size} points of {}, p = {}; {}).",
            name(first),
            name(second),
            thousands(page.segments),
            metric.name,
            fixed(pair.p, 3),
            pair.method
        );
    }
    let (low, high) =
        if pair.difference < 0.0 { (-pair.upper, -pair.lower) } else { (pair.lower, pair.upper) };
    format!(
        "{} is ahead with {} {}, {size} points {} {} (95 % interval {} to {}, {}; {}).",
        name(first),
        number(score(first)),
        metric.name,
        if metric.higher { "above" } else { "below" },
        name(second),
        number(low),
        number(high),
        probability(pair.p, pair.least),
        pair.method
    )
}

pub(super) fn probability(p: f64, least: bool) -> String {
    match (p.is_nan(), p < 0.001) {
        (true, _) => "no test".to_owned(),
        (false, true) => "p < 0.001".to_owned(),
        // This number of resamples cannot show a smaller p-value.
        (false, false) => format!("p {} {}", if least { "<=" } else { "=" }, fixed(p, 3)),
    }
}
