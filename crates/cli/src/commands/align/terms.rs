//! The terms of a file, counted by the alignment that is shown: tables of terms and of their categories.

use std::sync::Arc;

use bleuprint::families::recognition::{Like, TermCounts, TermList, Terms};
use bleuprint::metrics::edit::AlignmentRule;
use bleuprint::report::Grid;
use bleuprint::text::read::option_file;
use bleuprint::{InputError, Metric, Observe as _, Segment};
use serde_json::{Value, json};

use super::tables::rate;
use crate::shared::command::*;

pub(super) struct TermTables {
    terms: Terms,
    stats: TermCounts,
    scratch: <Terms as Metric>::Scratch,
}

impl TermTables {
    pub(super) fn read(file: &str, rule: AlignmentRule) -> Result<Self> {
        let like = match rule {
            AlignmentRule::Jiwer => Like::Jiwer,
            AlignmentRule::Sclite => Like::Biasing,
            AlignmentRule::Texterrors => Like::Texterrors,
            _ => fail!("--terms are counted by the alignment of jiwer, sclite or texterrors"),
        };
        let terms = Terms::new(Arc::new(TermList::parse(file, &option_file(file)?)?)).like(like).per_term();
        Ok(TermTables { stats: terms.zero(), scratch: Default::default(), terms })
    }

    pub(super) fn add(&mut self, reference: &[&str], hypothesis: &[&str]) -> Result<(), InputError> {
        let TermTables { terms, stats, scratch } = self;
        terms.observe(scratch, stats, Segment::new(hypothesis, &[reference]))
    }

    /// Those of terms, the most missed first, and of categories.
    pub(super) fn grids(&self, top: usize) -> Vec<(&'static str, Grid)> {
        let grid = |what: &[&str], rows: Vec<(Vec<String>, [u64; 3])>| {
            let counts = ["references", "hypotheses", "hits", "error"];
            let header = what.iter().chain(&counts).map(|name| (*name).to_owned()).collect();
            let row = |(mut row, [references, hypotheses, hits]): (Vec<String>, [u64; 3])| {
                row.extend([references, hypotheses, hits].map(|count| count.to_string()));
                row.push(rate(references.saturating_sub(hits), references));
                row
            };
            Grid { header, rows: rows.into_iter().map(row).collect() }
        };
        let terms = self.terms.by_term(&self.stats).into_iter().take(top);
        let terms = terms.map(|(term, category, cell)| (vec![term, category.to_owned()], cell)).collect();
        let categories = self.terms.by_category(&self.stats).into_iter();
        let categories: Vec<_> = categories.map(|(name, cell)| (vec![name.to_owned()], cell)).collect();
        let mut grids = vec![("terms", grid(&["term", "category"], terms))];
        if !categories.is_empty() {
            grids.push(("categories", grid(&["category"], categories)));
        }
        grids
    }

    pub(super) fn json(&self, object: &mut Value, top: usize) {
        let counts = |mut row: Value, [references, hypotheses, hits]: [u64; 3]| {
            (row["references"], row["hypotheses"], row["hits"]) =
                (json!(references), json!(hypotheses), json!(hits));
            row
        };
        let terms = self.terms.by_term(&self.stats).into_iter().take(top);
        let term = |(term, category, cell)| counts(json!({ "term": term, "category": category }), cell);
        object["terms"] = terms.map(term).collect();
        let categories = self.terms.by_category(&self.stats).into_iter();
        object["categories"] =
            categories.map(|(category, cell)| counts(json!({ "category": category }), cell)).collect();
    }
}
