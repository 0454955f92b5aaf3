//! Tables in the command `align`: recognized and missed terms, and substitutions by class (such as differences
//! in case or punctuation), counted on the printed alignment.

use std::error::Error;
use std::sync::Arc;

use bleuprint_core::{Linear as _, Metric, Observe, Result, Segment, Stats as _};
use bleuprint_text::read::option_file;
use bleuprint_text::{AlignmentOutput, AlignmentPart, FamilyOption, FamilyRequest, WordTable, WordTableRow};

use crate::{AlignmentProgram, Substitutions, TermList, Terms};

/// The additions of the family to the command `align`.
pub(crate) static ALIGNMENTS: &[AlignmentOutput] = &[
    AlignmentOutput {
        options: &[FamilyOption::value(
            "terms",
            "FILE",
            "Show tables of these terms and of their categories; each line is a term, or a term, a tab and its category",
        )
        .conflicts_with(&["like"])],
        heading: None,
        is_table: true,
        report: None,
        open: open_terms,
    },
    AlignmentOutput {
        options: &[FamilyOption::flag(
            "classes",
            "Show a table of substitutions by class: case, punctuation, marks, digits, compounds, near words, others",
        )
        .conflicts_with(&["like"])],
        heading: None,
        is_table: true,
        report: None,
        open: open_classes,
    },
];

type OpenedPart = Result<Option<Box<dyn AlignmentPart>>, Box<dyn Error>>;

fn open_terms(request: &FamilyRequest<'_>) -> OpenedPart {
    let Some(file) = request.option("terms") else { return Ok(None) };
    let like = program(request)?;
    let list = Arc::new(TermList::parse(file, &option_file(file)?)?);
    let terms = Terms::new(list).like(like).per_term();
    Ok(Some(Box::new(TermTables(CountedWords::new(terms)))))
}

fn open_classes(request: &FamilyRequest<'_>) -> OpenedPart {
    if !request.has("classes") {
        return Ok(None);
    }
    let substitutions = Substitutions::new(program(request)?)?;
    Ok(Some(Box::new(ClassTable(CountedWords::new(substitutions)))))
}

/// Returns the program whose alignment the metrics recompute: the program of the printed alignment.
fn program(request: &FamilyRequest<'_>) -> Result<AlignmentProgram, Box<dyn Error>> {
    Ok(match request.option("alignment") {
        Some("jiwer") => AlignmentProgram::Jiwer,
        Some("sclite") => AlignmentProgram::Biasing,
        Some("texterrors") => AlignmentProgram::Texterrors,
        _ => {
            return Err(
                "--terms and --classes are counted by the alignment of jiwer, sclite or texterrors".into()
            );
        }
    })
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

    fn add(&mut self, reference: &[&str], hypothesis: &[&str]) -> Result<()> {
        let references = [reference];
        let segment = Segment::new(hypothesis, &references);
        self.metric.observe(&mut self.scratch, &mut self.stats, segment)
    }
}

/// Tables of terms (most often missed first) and of their categories.
struct TermTables(CountedWords<Terms>);

const TERM_COUNTS: &[&str] = &["references", "hypotheses", "hits"];

/// Returns a row with the numbers of a term in references and hypotheses, and of its hits.
fn term_row(words: Vec<String>, counts: [u64; 3]) -> WordTableRow {
    let [references, _, hits] = counts;
    WordTableRow { words, counts: counts.to_vec(), rate: [references.saturating_sub(hits), references] }
}

impl AlignmentPart for TermTables {
    fn add(&mut self, reference: &[&str], hypothesis: &[&str]) -> Result<()> {
        self.0.add(reference, hypothesis)
    }

    fn tables(&self, most: usize) -> Vec<WordTable> {
        let CountedWords { metric, stats, .. } = &self.0;
        let terms = metric.by_term(stats).into_iter().take(most);
        let terms = terms.map(|(term, category, counts)| term_row(vec![term, category.to_owned()], counts));
        let categories = metric.by_category(stats).into_iter();
        let categories = categories.map(|(category, counts)| term_row(vec![category.to_owned()], counts));
        let table = |name, words, rows| WordTable { name, words, counts: TERM_COUNTS, rate: "error", rows };
        vec![
            table("terms", &["term", "category"], terms.collect()),
            table("categories", &["category"], categories.collect()),
        ]
    }
}

/// Table of the substitutions of each class.
struct ClassTable(CountedWords<Substitutions>);

impl AlignmentPart for ClassTable {
    fn add(&mut self, reference: &[&str], hypothesis: &[&str]) -> Result<()> {
        self.0.add(reference, hypothesis)
    }

    fn tables(&self, _most: usize) -> Vec<WordTable> {
        let stats = self.0.stats;
        let columns = stats.column_names().into_iter().zip(stats.row());
        // The statistics also count all words, which are no class.
        let classes: Vec<(String, u64)> = columns.filter(|(name, _)| name != "words").collect();
        let all = classes.iter().map(|(_, count)| count).sum();
        let row = |(name, count)| WordTableRow { words: vec![name], counts: vec![count], rate: [count, all] };
        let rows = classes.into_iter().map(row).collect();
        vec![WordTable {
            name: "classes",
            words: &["class"],
            counts: &["count"],
            rate: "of substitutions",
            rows,
        }]
    }
}
