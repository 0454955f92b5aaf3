//! [`aligned`]: finds the alignment of hypothesis and reference with the lowest cost, where both may contain
//! alternatives.
//!
//! A cell of the cost table is a pair of positions, one in each text. After alternatives, a word has several
//! possible predecessors. The minimum over predecessors in the reference is taken first, for a whole row, and
//! then the minimum over predecessors in the hypothesis. The running time is proportional to the words of one
//! text times the word-predecessor pairs of the other. Tracing the path back compares the predecessors of
//! each cell again, in sclite's order.

use bleuprint_core::{InputError, Result, check_interrupt};

use crate::network::{Network, NetworkRole, NetworkWord, same};
use crate::options::ScliteSettings;

/// Largest number of cells in the table of alignment costs; each cell has four bytes.
const MOST_CELLS: usize = 1 << 28;

/// Cost of an alignment of hypothesis and reference words. It is a float of 32 bits as in the program sclite:
/// sums of costs with the empty word `@` are rounded, and the rounding decides between alignments of equal
/// cost.
type Cost = f32;

/// Cost of aligning two empty words `@` with each other. Leaving out both is always cheaper.
const BOTH_NOTHING: Cost = 1.0;

struct Costs {
    substitution: Cost,
    /// Cost of aligning a word with the empty word `@` of the other text.
    with_nothing: Cost,
    /// Function from a word's role (plain, optional or empty) to the cost of deleting or inserting the word.
    left_out: fn(NetworkRole) -> Cost,
}

const SCLITE: Costs = Costs {
    substitution: 4.0,
    with_nothing: 4.0,
    left_out: |role| match role {
        NetworkRole::Plain => 3.0,
        NetworkRole::Optional => 2.0,
        NetworkRole::Nothing => 0.001,
    },
};

/// Costs with equal weights for substitution, deletion and insertion. They are integers, so sums are exact. A
/// word is never aligned with `@`, the empty word of an alternative such as `{ a / @ }`. Leaving out both
/// costs at most 1, but aligning them costs 2.
const EQUAL: Costs = Costs {
    substitution: 1.0,
    with_nothing: 2.0,
    left_out: |role| if role == NetworkRole::Plain { 1.0 } else { 0.0 },
};

/// Kind of a step in a word alignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "closed: the steps of an alignment")]
pub enum StepKind {
    /// Aligned words that are equal.
    Correct,
    /// Aligned words that differ.
    Substitution,
    /// Reference word without a counterpart in the hypothesis.
    Deletion,
    /// Hypothesis word without a counterpart in the reference.
    Insertion,
    /// Optional word of the reference or hypothesis that has no counterpart in the other text.
    Skipped,
}

/// Step of a word alignment: its kind and the words that are aligned.
///
/// ```
/// use bleuprint_sclite::{StepKind, ScliteSettings, aligned};
/// let steps = aligned("hello want to go", "{ uh / @ } hello { wanna / want to } go", ScliteSettings::default()).unwrap();
/// assert!(steps.iter().all(|step| step.kind == StepKind::Correct));
/// assert_eq!(steps[1].reference.as_deref(), Some("want"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AlignedStep {
    /// Kind of the step, such as substitution.
    pub kind: StepKind,
    /// Word of the reference; `None` for a step without a reference word.
    pub reference: Option<String>,
    /// Word of the hypothesis; `None` for a step without a hypothesis word.
    pub hypothesis: Option<String>,
    /// Index of the hypothesis word among all words of the hypothesis, including words of alternatives that
    /// were not chosen.
    pub place: Option<usize>,
}

/// Aligns a hypothesis with a reference, and returns the steps of the alignment with the lowest cost.
///
/// # Errors
/// Returns an error if braces do not match, or if a limit is exceeded.
pub fn aligned(hypothesis: &str, reference: &str, settings: ScliteSettings) -> Result<Vec<AlignedStep>> {
    let hypothesis = settings.cased(hypothesis);
    let reference = settings.cased(reference);
    let [reference, hypothesis] = Network::both(&reference, &hypothesis, settings)?;
    let text = |network: &Network<'_>, place: usize| network.words[place].text.to_owned();
    let steps = steps(&mut SegmentScratch::default(), &reference, &hypothesis, settings)?;
    Ok(steps
        .into_iter()
        .map(|step| AlignedStep {
            kind: step.kind,
            reference: step.reference.map(|place| text(&reference, place)),
            hypothesis: step.hypothesis.map(|place| text(&hypothesis, place)),
            place: step.hypothesis,
        })
        .collect())
}

/// Step of a word alignment, with the indices of its words in the reference and the hypothesis.
pub(crate) struct PlacedStep {
    pub(crate) kind: StepKind,
    reference: Option<usize>,
    pub(crate) hypothesis: Option<usize>,
}

/// Reusable memory for word alignments, kept from segment to segment.
#[derive(Debug, Clone, Default)]
pub struct SegmentScratch {
    cells: Vec<Cost>,
    above: Vec<Cost>,
    skips: Vec<Cost>,
}

struct CostTable<'a, 't> {
    reference: &'a Network<'t>,
    hypothesis: &'a Network<'t>,
    fragments: bool,
    costs: &'static Costs,
    width: usize,
    cells: &'a mut Vec<Cost>,
}

/// Returns the steps of the alignment with the lowest cost, without steps of the empty word `@`.
pub(crate) fn steps(
    scratch: &mut SegmentScratch,
    reference: &Network<'_>,
    hypothesis: &Network<'_>,
    settings: ScliteSettings,
) -> Result<Vec<PlacedStep>> {
    let rows = reference.words.len() + 1;
    let width = hypothesis.words.len() + 1;
    let cells = rows.saturating_mul(width);
    if cells > MOST_CELLS {
        let what = "the product of the words of a reference and a hypothesis with alternatives";
        return Err(InputError::limit(what, cells, "at most 2^28"));
    }
    let SegmentScratch { cells, above, skips } = scratch;
    let costs = if settings.equal_costs { &EQUAL } else { &SCLITE };
    let mut table = CostTable { reference, hypothesis, fragments: settings.fragments, costs, width, cells };
    table.fill(above, skips)?;
    Ok(table.back())
}

impl CostTable<'_, '_> {
    fn left_out(&self, word: &NetworkWord<'_>) -> Cost {
        (self.costs.left_out)(word.role)
    }

    fn pair(&self, one: &NetworkWord<'_>, other: &NetworkWord<'_>) -> Cost {
        match () {
            () if one.role == NetworkRole::Nothing && other.role == NetworkRole::Nothing => BOTH_NOTHING,
            () if same(one, other, self.fragments) => 0.0,
            () if one.role == NetworkRole::Nothing || other.role == NetworkRole::Nothing => {
                self.costs.with_nothing
            }
            () => self.costs.substitution,
        }
    }

    fn fill(&mut self, above: &mut Vec<Cost>, skips: &mut Vec<Cost>) -> Result<()> {
        let reference = self.reference;
        let hypothesis = self.hypothesis;
        // The cost of leaving out a hypothesis word is the same in every row, so it is computed once.
        skips.clear();
        skips.extend(hypothesis.words.iter().map(|word| self.left_out(word)));
        self.cells.clear();
        self.cells.push(0.0);
        for (column, skip) in (1..).zip(&*skips) {
            let costs = hypothesis.before(column).iter().map(|&from| self.cells[from as usize]);
            let least = costs.fold(Cost::INFINITY, Cost::min);
            self.cells.push(least + skip);
        }
        above.clear();
        above.resize(self.width, 0.0);
        for (row, word) in (1..).zip(&reference.words) {
            check_interrupt()?;
            // The least of the previous rows comes first, so the inner loop below reads one row instead of
            // all.
            self.least_row(row, above);
            let start = self.cells.len();
            let skip = self.left_out(word);
            self.cells.push(above[0] + skip);
            for (column, other) in (1..).zip(&hypothesis.words) {
                let mut pair_from = Cost::INFINITY;
                let mut insert_from = Cost::INFINITY;
                for &from in hypothesis.before(column) {
                    pair_from = pair_from.min(above[from as usize]);
                    insert_from = insert_from.min(self.cells[start + from as usize]);
                }
                let paired = pair_from + self.pair(word, other);
                let inserted = insert_from + skips[column - 1];
                self.cells.push(paired.min(inserted).min(above[column] + skip));
            }
        }
        Ok(())
    }

    /// Writes to `above` the lowest alignment cost before the reference word of `row`, for each hypothesis
    /// position. Each cost is the minimum over all words that may precede the reference word; after
    /// alternatives there are several.
    fn least_row(&self, row: usize, above: &mut [Cost]) {
        let row_of = |from: u32| &self.cells[from as usize * self.width..][..self.width];
        let [first, rest @ ..] = self.reference.before(row) else { return };
        above.copy_from_slice(row_of(*first));
        for &from in rest {
            above.iter_mut().zip(row_of(from)).for_each(|(least, cost)| *least = (*least).min(*cost));
        }
    }

    fn cost(&self, (row, column): (usize, usize)) -> Cost {
        self.cells[row * self.width + column]
    }

    /// Returns the cell (row and column) with the lowest alignment cost, among the cells in the given rows
    /// and columns. Ties go to the first row, then to the first column.
    fn least(&self, rows: &[u32], columns: &[u32]) -> (usize, usize) {
        let cells =
            rows.iter().flat_map(|&row| columns.iter().map(move |&column| (row as usize, column as usize)));
        // `min_by` keeps the first of equal cells, as sclite does.
        cells.min_by(|&one, &other| self.cost(one).total_cmp(&self.cost(other))).unwrap_or_default()
    }

    fn back(&self) -> Vec<PlacedStep> {
        let reference = self.reference;
        let hypothesis = self.hypothesis;
        let mut cell = self.least(reference.last(), hypothesis.last());
        let mut steps = Vec::with_capacity(cell.0.max(cell.1));
        while cell != (0, 0) {
            let (row, column) = cell;
            let words = (
                row.checked_sub(1).map(|place| &reference.words[place]),
                column.checked_sub(1).map(|place| &hypothesis.words[place]),
            );
            // The costs are recomputed instead of stored: a table of origins would need as much memory as
            // the costs.
            let inserted = words.1.map(|word| {
                let from = self.least(&[row as u32], hypothesis.before(column));
                (self.cost(from) + self.left_out(word), from)
            });
            let deleted = words.0.map(|word| {
                let from = self.least(reference.before(row), &[column as u32]);
                (self.cost(from) + self.left_out(word), from)
            });
            // sclite's order: an insertion comes before a deletion of the same cost, and a pair below before
            // both.
            let single = match (inserted, deleted) {
                (Some(inserted), Some(deleted)) if deleted.0 < inserted.0 => (deleted, false),
                (Some(inserted), _) => (inserted, true),
                (None, Some(deleted)) => (deleted, false),
                (None, None) => break,
            };
            if let (Some(one), Some(other)) = words {
                let from = self.least(reference.before(row), hypothesis.before(column));
                let cost = self.pair(one, other);
                if self.cost(from) + cost <= single.0.0 {
                    let kind = if cost == 0.0 { StepKind::Correct } else { StepKind::Substitution };
                    steps.push(PlacedStep { kind, reference: Some(row - 1), hypothesis: Some(column - 1) });
                    cell = from;
                    continue;
                }
            }
            let ((_, from), insertion) = single;
            let (kind, word) =
                if insertion { (StepKind::Insertion, words.1) } else { (StepKind::Deletion, words.0) };
            // `@` is no word, so leaving it out is no step.
            let kind = match word.map(|word| word.role) {
                Some(NetworkRole::Nothing) => None,
                Some(NetworkRole::Optional) => Some(StepKind::Skipped),
                _ => Some(kind),
            };
            let [reference, hypothesis] =
                if insertion { [None, Some(column - 1)] } else { [Some(row - 1), None] };
            steps.extend(kind.map(|kind| PlacedStep { kind, reference, hypothesis }));
            cell = from;
        }
        steps.reverse();
        steps
    }
}
