//! The sentence at the top of a report: the leading system and the certainty of its lead.

use super::{PageData, PageMetric, PagePair};
use crate::{fixed, thousands};

/// Largest p-value that counts as significant.
pub const SIGNIFICANT: f64 = 0.05;

/// Returns a sentence about the report's first metric: which system leads, by how much, and how certain that
/// is.
pub fn who_is_ahead(page: &PageData) -> String {
    let Some(metric) = page.metrics.first() else { return String::new() };
    let leaders = Leaders { page, metric };
    match leaders.order()[..] {
        [] => String::new(),
        [only] => leaders.alone(only),
        [first, second, ..] => match leaders.pair(first, second) {
            None => leaders.untested(first, second),
            Some(pair) if pair.p.is_nan() => leaders.without_p_value(first, second, pair),
            Some(pair) if pair.p > SIGNIFICANT => leaders.level(first, second, pair),
            Some(pair) => leaders.ahead(first, second, pair),
        },
    }
}

/// Systems of a report under its first metric, of which the sentence names the best two.
struct Leaders<'p> {
    page: &'p PageData,
    metric: &'p PageMetric,
}

impl<'p> Leaders<'p> {
    /// Returns the indices of the systems, from the best score to the worst.
    fn order(&self) -> Vec<usize> {
        let gain = |system: &usize| {
            let score = self.score(*system);
            if self.metric.higher { score } else { -score }
        };
        let mut order: Vec<usize> = (0..self.page.systems.len()).collect();
        order.sort_by(|one, other| gain(other).total_cmp(&gain(one)));
        order
    }

    fn name(&self, system: usize) -> &str {
        self.page.systems.get(system).map_or("", String::as_str)
    }

    fn score(&self, system: usize) -> f64 {
        self.metric.scores.get(system).map_or(f64::NAN, |score| score.score)
    }

    fn number(&self, value: f64) -> String {
        fixed(value, self.metric.digits)
    }

    fn pair(&self, first: usize, second: usize) -> Option<&'p PagePair> {
        let wanted = (first.min(second), first.max(second));
        self.metric
            .pairs
            .iter()
            .find(|pair| (pair.first.min(pair.second), pair.first.max(pair.second)) == wanted)
    }

    fn alone(&self, only: usize) -> String {
        let score = &self.metric.scores[only];
        format!(
            "{} has {} {} (95 % interval {} to {}) on {} segments.",
            self.name(only),
            self.number(score.score),
            self.metric.name,
            self.number(score.lower),
            self.number(score.upper),
            thousands(self.page.segments)
        )
    }

    fn untested(&self, first: usize, second: usize) -> String {
        format!(
            "{} is ahead of {} with {} to {} {}; this was not tested.",
            self.name(first),
            self.name(second),
            self.number(self.score(first)),
            self.number(self.score(second)),
            self.metric.name
        )
    }

    fn without_p_value(&self, first: usize, second: usize, pair: &PagePair) -> String {
        let size = self.number(pair.difference.abs());
        let caution = pair.caution.as_deref().unwrap_or("no test");
        let metric = &self.metric.name;
        format!("{} and {}: {size} points of {metric}; {caution}.", self.name(first), self.name(second))
    }

    fn level(&self, first: usize, second: usize, pair: &PagePair) -> String {
        format!(
            "{} and {} cannot be told apart on these {} segments ({} points of {}, p = {}; {}).",
            self.name(first),
            self.name(second),
            thousands(self.page.segments),
            self.number(pair.difference.abs()),
            self.metric.name,
            fixed(pair.p, 3),
            pair.method
        )
    }

    fn ahead(&self, first: usize, second: usize, pair: &PagePair) -> String {
        let [low, high] =
            if pair.difference < 0.0 { [-pair.upper, -pair.lower] } else { [pair.lower, pair.upper] };
        format!(
            "{} is ahead with {} {}, {} points {} {} (95 % interval {} to {}, {}; {}).",
            self.name(first),
            self.number(self.score(first)),
            self.metric.name,
            self.number(pair.difference.abs()),
            if self.metric.higher { "above" } else { "below" },
            self.name(second),
            self.number(low),
            self.number(high),
            probability(pair.p, pair.least),
            pair.method
        )
    }
}

pub(super) fn probability(p: f64, least: bool) -> String {
    match (p.is_nan(), p < 0.001) {
        (true, _) => "no test".to_owned(),
        (false, true) => "p < 0.001".to_owned(),
        // This number of resamples cannot show a smaller p-value.
        (false, false) => format!("p {} {}", if least { "<=" } else { "=" }, fixed(p, 3)),
    }
}
