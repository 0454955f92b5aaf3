//! Implements `align --terms` and `--classes`: tables of recognized and missed terms, and of substitutions by
//! class (such as differences in case or punctuation), counted on the printed alignment.

use std::sync::Arc;

use bleuprint::contract::{Linear as _, Stats as _};
use bleuprint::families::recognition::{AlignmentProgram, Substitutions, TermList, Terms};
use bleuprint::metrics::edit::AlignmentRule;
use bleuprint::report::CellGrid;
use bleuprint::text::read::option_file;
use bleuprint::{InputError, Metric, Observe, Segment};
use serde_json::{Value, json};

use super::tables::rate;
use crate::shared::command::*;

/// Word tables that the user requested: terms from a file, and classes of substitutions.
pub(super) struct WantedTables {
    terms: Option<String>,
    classes: bool,
}

pub(super) struct WordTables {
    terms: Option<CountedWords<Terms>>,
    classes: Option<CountedWords<Substitutions>>,
}

struct CountedWords<M: Metric> {
    metric: M,
    stats: M::Stats,
    scratch: M::Scratch,
}

impl<M: Metric + for<'t> Observe<[&'t str]>> CountedWords<M> {
    fn new(metric: M) -> Self {
        CountedWords { stats: metric.zero(), scratch: Default::default(), metric }
    }

    fn add(&mut self, reference: &[&str], hypothesis: &[&str]) -> Result<(), InputError> {
        let references = [reference];
        let segment = Segment::new(hypothesis, &references);
        self.metric.observe(&mut self.scratch, &mut self.stats, segment)
    }
}

pub(super) fn options() -> [Arg; 2] {
    [
        option("terms", "FILE").conflicts_with("like").help(
            "Show tables of these terms and of their categories; each line is a term, or a term, a tab and its category",
        ),
        flag("classes").conflicts_with("like").help(
            "Show a table of substitutions by class: case, punctuation, marks, digits, compounds, near words, others",
        ),
    ]
}

impl WantedTables {
    pub(super) fn from_matches(matches: &ArgMatches) -> Result<Self> {
        let asked = WantedTables { terms: matches.text("terms"), classes: matches.get_flag("classes") };
        let tables = matches.get_flag("tables") || matches.get_flag("phrases");
        let tables = [asked.terms.is_some(), asked.classes, tables].map(usize::from).iter().sum::<usize>();
        if tables > 1 && matches.text("format").as_deref() == Some("csv") {
            fail!("--format csv has one table: give one of --terms, --classes and --tables");
        }
        Ok(asked)
    }

    pub(super) fn tables(&self, rule: AlignmentRule) -> Result<WordTables> {
        let like = match rule {
            AlignmentRule::Jiwer => AlignmentProgram::Jiwer,
            AlignmentRule::Sclite => AlignmentProgram::Biasing,
            AlignmentRule::Texterrors => AlignmentProgram::Texterrors,
            _ if self.terms.is_none() && !self.classes => AlignmentProgram::Jiwer,
            _ => fail!("--terms and --classes are counted by the alignment of jiwer, sclite or texterrors"),
        };
        let terms = |file: &String| -> Result<_> {
            let list = Arc::new(TermList::parse(file, &option_file(file)?)?);
            Ok(CountedWords::new(Terms::new(list).like(like).per_term()))
        };
        let terms = self.terms.as_ref().map(terms).transpose()?;
        let classes = self.classes.then(|| Substitutions::new(like).map(CountedWords::new)).transpose()?;
        Ok(WordTables { terms, classes })
    }
}

impl WordTables {
    pub(super) fn add(&mut self, reference: &[&str], hypothesis: &[&str]) -> Result<(), InputError> {
        self.terms.iter_mut().try_for_each(|terms| terms.add(reference, hypothesis))?;
        self.classes.iter_mut().try_for_each(|classes| classes.add(reference, hypothesis))
    }

    /// Returns the requested word tables with their titles: terms (most often missed first), term categories,
    /// and classes of substitutions.
    pub(super) fn grids(&self, top: usize) -> Vec<(&'static str, CellGrid)> {
        let mut grids = Vec::new();
        let grid = |what: &[&str], rows: Vec<(Vec<String>, [u64; 3])>| {
            let counts = ["references", "hypotheses", "hits", "error"];
            let header = what.iter().chain(&counts).map(|name| (*name).to_owned()).collect();
            let row = |(mut row, [references, hypotheses, hits]): (Vec<String>, [u64; 3])| {
                row.extend([references, hypotheses, hits].map(|count| count.to_string()));
                row.push(rate(references.saturating_sub(hits), references));
                row
            };
            CellGrid { header, rows: rows.into_iter().map(row).collect() }
        };
        if let Some(CountedWords { metric, stats, .. }) = &self.terms {
            let terms = metric.by_term(stats).into_iter().take(top);
            let terms = terms.map(|(term, category, cell)| (vec![term, category.to_owned()], cell)).collect();
            grids.push(("terms", grid(&["term", "category"], terms)));
            let categories = metric.by_category(stats).into_iter();
            let categories: Vec<_> = categories.map(|(name, cell)| (vec![name.to_owned()], cell)).collect();
            if !categories.is_empty() {
                grids.push(("categories", grid(&["category"], categories)));
            }
        }
        if let Some(classes) = self.classes() {
            let all = classes.iter().map(|(_, count)| count).sum();
            let row = |(name, count): (String, u64)| vec![name, count.to_string(), rate(count, all)];
            let header = ["class", "count", "of substitutions"].map(str::to_owned).to_vec();
            grids.push(("classes", CellGrid { header, rows: classes.into_iter().map(row).collect() }));
        }
        grids
    }

    /// Returns the number of word substitutions in each class, such as differences in case or punctuation, or
    /// `None` if the user did not request classes.
    fn classes(&self) -> Option<Vec<(String, u64)>> {
        let stats = self.classes.as_ref()?.stats;
        let columns = stats.column_names().into_iter().zip(stats.row());
        // The statistics also count all words, which are no class.
        Some(columns.filter(|(name, _)| name != "words").collect())
    }

    pub(super) fn json(&self, object: &mut Value, top: usize) {
        if let Some(CountedWords { metric, stats, .. }) = &self.terms {
            let counts = |mut row: Value, [references, hypotheses, hits]: [u64; 3]| {
                (row["references"], row["hypotheses"], row["hits"]) =
                    (json!(references), json!(hypotheses), json!(hits));
                row
            };
            let terms = metric.by_term(stats).into_iter().take(top);
            let term = |(term, category, cell)| counts(json!({ "term": term, "category": category }), cell);
            object["terms"] = terms.map(term).collect();
            let categories = metric.by_category(stats).into_iter();
            object["categories"] =
                categories.map(|(category, cell)| counts(json!({ "category": category }), cell)).collect();
        }
        if let Some(classes) = self.classes() {
            object["classes"] = classes.into_iter().collect();
        }
    }
}
