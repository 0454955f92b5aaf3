//! Reference implementations of edit-distance alignments for tests, which keep the whole distance table.

use super::EditOperation;
use super::path::Prefer;

fn table(reference: &[u32], hypothesis: &[u32]) -> Vec<Vec<usize>> {
    let mut table = vec![vec![0; hypothesis.len() + 1]; reference.len() + 1];
    for i in 0..=reference.len() {
        for j in 0..=hypothesis.len() {
            table[i][j] = match (i, j) {
                (0, j) => j,
                (i, 0) => i,
                (i, j) => {
                    let pair = table[i - 1][j - 1] + usize::from(reference[i - 1] != hypothesis[j - 1]);
                    pair.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1)
                }
            };
        }
    }
    table
}

/// Returns the alignment that rapidfuzz would choose. `cut` decides which distance tables rapidfuzz splits in
/// two. `bound` is an upper bound of the distance.
pub(super) fn align(
    reference: &[u32],
    hypothesis: &[u32],
    bound: Option<usize>,
    cut: fn(usize, usize, Option<usize>) -> bool,
) -> Vec<EditOperation> {
    let front = reference.iter().zip(hypothesis).take_while(|(a, b)| a == b).count();
    let a = &reference[front..];
    let b = &hypothesis[front..];
    let back = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let a = &a[..a.len() - back];
    let b = &b[..b.len() - back];
    let middle = if !a.is_empty() && !b.is_empty() && cut(a.len(), b.len(), bound) {
        let half = b.len() / 2;
        let reversed = |ids: &[u32]| ids.iter().rev().copied().collect::<Vec<u32>>();
        let before = table(a, &b[..half]);
        let after = table(&reversed(a), &reversed(&b[half..]));
        let cost = |at: usize| (before[at][half], after[a.len() - at][b.len() - half]);
        let at = (0..=a.len()).min_by_key(|&at| cost(at).0 + cost(at).1).unwrap_or(0);
        let (left, right) = cost(at);
        [align(&a[..at], &b[..half], Some(left), cut), align(&a[at..], &b[half..], Some(right), cut)].concat()
    } else {
        trace(a, b)
    };
    [vec![EditOperation::Hit; front], middle, vec![EditOperation::Hit; back]].concat()
}

fn trace(a: &[u32], b: &[u32]) -> Vec<EditOperation> {
    let table = table(a, b);
    let mut i = a.len();
    let mut j = b.len();
    let mut operations = Vec::new();
    while i > 0 || j > 0 {
        let deletes = i > 0 && (j == 0 || table[i][j] == table[i - 1][j] + 1);
        let inserts = i == 0 || j > 1 && table[i][j - 1] + 1 == table[i - 1][j - 1];
        if deletes {
            operations.push(EditOperation::Deletion);
            i -= 1;
        } else if inserts {
            operations.push(EditOperation::Insertion);
            j -= 1;
        } else {
            (i, j) = (i - 1, j - 1);
            operations.push(if a[i] == b[j] { EditOperation::Hit } else { EditOperation::Substitution });
        }
    }
    operations.reverse();
    operations
}

pub(super) fn fewest_edits(reference: &[u32], hypothesis: &[u32]) -> u64 {
    table(reference, hypothesis)[reference.len()][hypothesis.len()] as u64
}

/// Returns the steps of an alignment with the fewest edits, traced back in the whole distance table. If a
/// deletion and an insertion are both best, `prefer` chooses.
pub(super) fn path(a: &[u32], b: &[u32], prefer: Prefer) -> Vec<EditOperation> {
    let table = table(a, b);
    let mut i = a.len();
    let mut j = b.len();
    let mut operations = Vec::new();
    while i > 0 || j > 0 {
        let deletion = i > 0 && table[i][j] == table[i - 1][j] + 1;
        let insertion = j > 0 && table[i][j] == table[i][j - 1] + 1;
        operations.push(match (deletion, insertion, prefer) {
            (true, false, _) | (true, true, Prefer::Deletion) => EditOperation::Deletion,
            (_, true, _) => EditOperation::Insertion,
            (false, false, _) if a[i - 1] == b[j - 1] => EditOperation::Hit,
            (false, false, _) => EditOperation::Substitution,
        });
        i -= usize::from(operations.last() != Some(&EditOperation::Insertion));
        j -= usize::from(operations.last() != Some(&EditOperation::Deletion));
    }
    operations.reverse();
    operations
}
