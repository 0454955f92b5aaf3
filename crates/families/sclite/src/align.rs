//! [`aligned`]: the path of least cost through the words of both sides.
//!
//! A cell is a pair of positions. A word has several words before it after alternatives, so a cell takes the least over
//! those of the reference first, as a row, and then over those of the hypothesis: the time is the arcs of one side times the
//! words of the other. The way back asks each cell again, in sclite's order.

use bleuprint_core::{InputError, Result, check_interrupt};

use crate::network::{Network, Role, Word, same};
use crate::options::Settings;

/// The most cells, of four bytes.
const MOST_CELLS: usize = 1 << 28;

/// Costs are added in 32 bits, as sclite does: sums with `@` are rounded, and that decides between paths of equal cost.
type Cost = f32;

/// The cost of two `@`, so that leaving both out is always less.
const BOTH_NOTHING: Cost = 1.0;

struct Costs {
    substitution: Cost,
    /// Of a word paired with `@`.
    with_nothing: Cost,
    /// Of a word that is left out, by its role.
    left_out: fn(Role) -> Cost,
}

const SCLITE: Costs = Costs {
    substitution: 4.0,
    with_nothing: 4.0,
    left_out: |role| match role {
        Role::Plain => 3.0,
        Role::Optional => 2.0,
        Role::Nothing => 0.001,
    },
};

/// Whole numbers, so sums are exact. A word is never paired with `@`, since both apart cost less.
const EQUAL: Costs = Costs {
    substitution: 1.0,
    with_nothing: 2.0,
    left_out: |role| if role == Role::Plain { 1.0 } else { 0.0 },
};

/// A step of an alignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "closed: the steps of an alignment")]
pub enum Kind {
    /// Two words that are the same.
    Correct,
    /// Two words that are not.
    Substitution,
    /// A word of the reference alone.
    Deletion,
    /// A word of the hypothesis alone.
    Insertion,
    /// An optional word of one side that the other lacks.
    Skipped,
}

/// A step with its words.
///
/// ```
/// use bleuprint_sclite::{Kind, Settings, aligned};
/// let steps = aligned("hello want to go", "{ uh / @ } hello { wanna / want to } go", Settings::default()).unwrap();
/// assert!(steps.iter().all(|step| step.kind == Kind::Correct));
/// assert_eq!(steps[1].reference.as_deref(), Some("want"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Aligned {
    /// The step.
    pub kind: Kind,
    /// The word of the reference.
    pub reference: Option<String>,
    /// The word of the hypothesis.
    pub hypothesis: Option<String>,
    /// The number of words before that of the hypothesis, with those of other alternatives.
    pub place: Option<usize>,
}

/// The alignment of two texts.
///
/// # Errors
/// Braces that do not match, and the limits.
pub fn aligned(hypothesis: &str, reference: &str, settings: Settings) -> Result<Vec<Aligned>> {
    let (hypothesis, reference) = (settings.cased(hypothesis), settings.cased(reference));
    let [reference, hypothesis] = Network::both(&reference, &hypothesis, settings)?;
    let text = |network: &Network<'_>, place: usize| network.words[place].text.to_owned();
    let steps = steps(&mut Scratch::default(), &reference, &hypothesis, settings)?;
    Ok(steps
        .into_iter()
        .map(|step| Aligned {
            kind: step.kind,
            reference: step.reference.map(|place| text(&reference, place)),
            hypothesis: step.hypothesis.map(|place| text(&hypothesis, place)),
            place: step.hypothesis,
        })
        .collect())
}

/// A step with the places of its words.
pub(crate) struct Step {
    pub(crate) kind: Kind,
    reference: Option<usize>,
    pub(crate) hypothesis: Option<usize>,
}

/// Memory that is kept from segment to segment.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    cells: Vec<Cost>,
    above: Vec<Cost>,
    skips: Vec<Cost>,
}

struct Table<'a, 't> {
    reference: &'a Network<'t>,
    hypothesis: &'a Network<'t>,
    fragments: bool,
    costs: &'static Costs,
    width: usize,
    cells: &'a mut Vec<Cost>,
}

/// The steps of the path of least cost, without those of `@`.
pub(crate) fn steps(
    scratch: &mut Scratch,
    reference: &Network<'_>,
    hypothesis: &Network<'_>,
    settings: Settings,
) -> Result<Vec<Step>> {
    let (rows, width) = (reference.words.len() + 1, hypothesis.words.len() + 1);
    let cells = rows.saturating_mul(width);
    if cells > MOST_CELLS {
        let what = "the product of the words of a reference and a hypothesis with alternatives";
        return Err(InputError::limit(what, cells, "at most 2^28"));
    }
    let Scratch { cells, above, skips } = scratch;
    let costs = if settings.equal_costs { &EQUAL } else { &SCLITE };
    let mut table = Table { reference, hypothesis, fragments: settings.fragments, costs, width, cells };
    table.fill(above, skips)?;
    Ok(table.back())
}

impl Table<'_, '_> {
    fn left_out(&self, word: &Word<'_>) -> Cost {
        (self.costs.left_out)(word.role)
    }

    fn pair(&self, one: &Word<'_>, other: &Word<'_>) -> Cost {
        match () {
            () if one.role == Role::Nothing && other.role == Role::Nothing => BOTH_NOTHING,
            () if same(one, other, self.fragments) => 0.0,
            () if one.role == Role::Nothing || other.role == Role::Nothing => self.costs.with_nothing,
            () => self.costs.substitution,
        }
    }

    fn fill(&mut self, above: &mut Vec<Cost>, skips: &mut Vec<Cost>) -> Result<()> {
        let (reference, hypothesis) = (self.reference, self.hypothesis);
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
            self.least_row(row, above);
            let start = self.cells.len();
            let skip = self.left_out(word);
            self.cells.push(above[0] + skip);
            for (column, other) in (1..).zip(&hypothesis.words) {
                let (mut pair_from, mut insert_from) = (Cost::INFINITY, Cost::INFINITY);
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

    /// The least of the rows before a row.
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

    /// The first cell of least cost, those of the reference in the outer loop.
    fn least(&self, rows: &[u32], columns: &[u32]) -> (usize, usize) {
        let cells =
            rows.iter().flat_map(|&row| columns.iter().map(move |&column| (row as usize, column as usize)));
        cells.min_by(|&one, &other| self.cost(one).total_cmp(&self.cost(other))).unwrap_or_default()
    }

    fn back(&self) -> Vec<Step> {
        let (reference, hypothesis) = (self.reference, self.hypothesis);
        let mut cell = self.least(reference.last(), hypothesis.last());
        let mut steps = Vec::with_capacity(cell.0.max(cell.1));
        while cell != (0, 0) {
            let (row, column) = cell;
            let words = (
                row.checked_sub(1).map(|place| &reference.words[place]),
                column.checked_sub(1).map(|place| &hypothesis.words[place]),
            );
            let inserted = words.1.map(|word| {
                let from = self.least(&[row as u32], hypothesis.before(column));
                (self.cost(from) + self.left_out(word), from)
            });
            let deleted = words.0.map(|word| {
                let from = self.least(reference.before(row), &[column as u32]);
                (self.cost(from) + self.left_out(word), from)
            });
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
                    let kind = if cost == 0.0 { Kind::Correct } else { Kind::Substitution };
                    steps.push(Step { kind, reference: Some(row - 1), hypothesis: Some(column - 1) });
                    cell = from;
                    continue;
                }
            }
            let ((_, from), insertion) = single;
            let (kind, word) = if insertion { (Kind::Insertion, words.1) } else { (Kind::Deletion, words.0) };
            let kind = match word.map(|word| word.role) {
                Some(Role::Nothing) => None,
                Some(Role::Optional) => Some(Kind::Skipped),
                _ => Some(kind),
            };
            let [reference, hypothesis] =
                if insertion { [None, Some(column - 1)] } else { [Some(row - 1), None] };
            steps.extend(kind.map(|kind| Step { kind, reference, hypothesis }));
            cell = from;
        }
        steps.reverse();
        steps
    }
}
