//! [`PairTables`]: the fewest edits between two sequences, and the length of their longest common subsequence.

use core::hash::Hash;

use bleuprint_core::{InputError, Location, Result};
use bleuprint_ngram::Interner;

use crate::edit::align::without_ends;
use crate::edit::distance::{DistanceScratch, distance};
use crate::edit::path::{PathScratch, Prefer, path};
use crate::edit::together::{PairsTogether, TOGETHER};
use crate::edit::{EditCounts, require_few, require_few_tokens};
use crate::rouge::lcs::Lcs;
use crate::ter;

/// Exclusive limit of token ids that index tables directly; larger ids are renumbered first.
const MOST_IDS: u32 = 1 << 16;

/// Working memory for comparing two sequences, reused from pair to pair, for metrics of other crates.
///
/// The computations are the same as in [`EditRate`](crate::EditRate) and [`Rouge`](crate::Rouge): 64 rows to
/// a machine word. Time is the product of the lengths over 64, and for long similar sequences in proportion
/// to their differences.
///
/// ```
/// use bleuprint_metrics::PairTables;
///
/// let mut tables = PairTables::default();
/// assert_eq!(tables.edits(b"kitten", b"sitting").unwrap(), 3);
/// assert_eq!(tables.common(b"kitten", b"sitting").unwrap(), 4);
/// ```
#[derive(Debug, Clone, Default)]
pub struct PairTables {
    interner: Interner,
    distance: DistanceScratch,
    together: PairsTogether,
    lcs: Lcs,
    path: PathScratch,
    shifts: ter::Shifts,
}

impl PairTables {
    /// Returns the fewest insertions, deletions and substitutions that turn one sequence into the other.
    ///
    /// # Errors
    /// Returns an error if there are 2^31 tokens or more, or if the evaluation was interrupted.
    pub fn edits<T: Hash + Eq>(&mut self, one: &[T], other: &[T]) -> Result<u64> {
        self.edits_unless(one, other, |_, _, _| false)
    }

    /// Returns the fewest edits between two sequences. The closure `kept` may store their token ids, so that
    /// many pairs are compared together later. If it stores them, it returns `true`, and this function
    /// returns 0.
    fn edits_unless<T: Hash + Eq>(
        &mut self,
        one: &[T],
        other: &[T],
        kept: impl FnOnce(&[u32], &[u32], usize) -> bool,
    ) -> Result<u64> {
        let (_, one, other) = without_ends(one, other);
        if one.is_empty() || other.is_empty() {
            return Ok(one.len().max(other.len()) as u64);
        }
        require_few_tokens(one, &[other])?;
        let references = [other];
        let ids = self.interner.number_segment(one, &references, MOST_IDS);
        let other = ids.references().next().unwrap_or_default();
        if kept(other, ids.hypothesis, ids.bound) {
            return Ok(0);
        }
        distance(&mut self.distance, other, ids.hypothesis, ids.bound)
    }

    /// Number of pairs that [`edits_of_each`](Self::edits_of_each) compares at once, a good batch size for
    /// callers.
    pub const TOGETHER: usize = TOGETHER;

    /// Returns the fewest edits between the two sequences of each pair, like [`edits`](Self::edits). Short
    /// pairs are compared four at a time.
    ///
    /// ```
    /// use bleuprint_metrics::PairTables;
    /// let pairs = [("kitten", "sitting"), ("a", "")].map(|(one, other)| (one.as_bytes(), other.as_bytes()));
    /// assert_eq!(PairTables::default().edits_of_each(&pairs).unwrap(), [3, 1]);
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`edits`](Self::edits). The location of the error is the number of the pair,
    /// from 1, as a segment number.
    pub fn edits_of_each<T: Hash + Eq>(&mut self, pairs: &[(&[T], &[T])]) -> Result<Vec<u64>> {
        let mut edits = vec![0; pairs.len()];
        // The table is taken out, so that an error leaves no pair of this call in it.
        let mut together = core::mem::take(&mut self.together);
        for (part, pairs) in pairs.chunks(TOGETHER).enumerate() {
            for (at, &(one, other)) in (part * TOGETHER..).zip(pairs) {
                let keep = |other: &[u32], one: &[u32], bound| together.keep(at, other, one, bound);
                let found = self.edits_unless(one, other, keep);
                edits[at] = found.map_err(|error: InputError| error.at(Location::segment(at as u64 + 1)))?;
            }
            together.distances(|at, found| edits[at] = found);
        }
        self.together = together;
        Ok(edits)
    }

    /// Returns the length of a longest common subsequence of two sequences.
    ///
    /// # Errors
    /// Returns an error if there are 2^31 tokens or more, or if the evaluation was interrupted.
    pub fn common<T: Hash + Eq>(&mut self, one: &[T], other: &[T]) -> Result<u64> {
        let (ends, one, other) = without_ends(one, other);
        if one.is_empty() || other.is_empty() {
            return Ok(ends as u64);
        }
        require_few_tokens(one, &[other])?;
        let references = [other];
        let ids = self.interner.number_segment(one, &references, MOST_IDS);
        let mut common = ends;
        for other in ids.references() {
            common += self.lcs.length(ids.hypothesis, other, ids.bound)?;
        }
        Ok(common as u64)
    }

    /// Returns the fewest edits between two sequences of token ids, like [`edits`](Self::edits); all ids are
    /// below `distinct`.
    ///
    /// # Errors
    /// Returns an error if the evaluation was interrupted.
    pub fn edits_of_ids(&mut self, reference: &[u32], hypothesis: &[u32], distinct: usize) -> Result<u64> {
        distance(&mut self.distance, reference, hypothesis, distinct)
    }

    /// Aligns two sequences of token ids with the fewest edits and returns the counts of hits and edits. The
    /// alignment is traced from the end. Among equally good steps it prefers insertions to deletions, and
    /// deletions to pairs.
    ///
    /// All ids are below `distinct`.
    ///
    /// ```
    /// use bleuprint_metrics::{EditCounts, PairTables};
    /// let counts = PairTables::default().insertions_first(&[0, 1, 2], &[1, 3], 4).unwrap();
    /// assert_eq!(counts, EditCounts { hits: 1, substitutions: 1, deletions: 1, insertions: 0 });
    /// ```
    ///
    /// # Errors
    /// Returns an error if the evaluation was interrupted.
    pub fn insertions_first(
        &mut self,
        reference: &[u32],
        hypothesis: &[u32],
        distinct: usize,
    ) -> Result<EditCounts> {
        Ok(EditCounts::from_operations(path(
            &mut self.path,
            reference,
            hypothesis,
            distinct,
            Prefer::Insertion,
        )?))
    }

    /// Returns the number of edits and shifts of translation edit rate ([`Ter`](crate::Ter)), given the
    /// lengths of a hypothesis and a reference.
    ///
    /// `rule(i, j)` compares hypothesis word `i` with reference word `j`. `Some(true)` is a match,
    /// `Some(false)` a substitution, and `None` a forbidden pair. Only matching words are moved. `beam` is
    /// the number of columns of the distance table that are computed on each side of the diagonal. TER's own
    /// number is 25, and a smaller `beam` is raised to 25.
    ///
    /// ```
    /// use bleuprint_metrics::PairTables;
    /// let (hypothesis, reference) = (b"cab", b"abc");
    /// let any = |one: usize, other: usize| Some(hypothesis[one] == reference[other]);
    /// assert_eq!(PairTables::default().edits_and_shifts([3, 3], 25, any).unwrap(), 1);
    /// let in_place = |one: usize, other: usize| (one == other).then(|| hypothesis[one] == reference[other]);
    /// assert_eq!(PairTables::default().edits_and_shifts([3, 3], 25, in_place).unwrap(), 3);
    /// ```
    ///
    /// # Errors
    /// Returns an error if there are 2^31 positions or more, or if the evaluation was interrupted.
    pub fn edits_and_shifts(
        &mut self,
        [hypothesis, reference]: [usize; 2],
        beam: usize,
        rule: impl Fn(usize, usize) -> Option<bool>,
    ) -> Result<u64> {
        require_few(hypothesis.saturating_add(reference))?;
        ter::edits_by(&mut self.shifts, [hypothesis, reference], beam, rule)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rouge::lcs::naive;
    use quickcheck::quickcheck;

    fn edits(one: &[u8], other: &[u8]) -> usize {
        let mut row: Vec<usize> = (0..=other.len()).collect();
        for (number, a) in (1..).zip(one) {
            let mut diagonal = std::mem::replace(&mut row[0], number);
            for (place, b) in other.iter().enumerate() {
                let pair = diagonal + usize::from(a != b);
                diagonal = row[place + 1];
                row[place + 1] = pair.min(diagonal + 1).min(row[place] + 1);
            }
        }
        row[other.len()]
    }

    quickcheck! {
        fn both_are_those_of_the_table(one: Vec<u8>, other: Vec<u8>) -> bool {
            let few = |tokens: Vec<u8>| tokens.into_iter().map(|token| token % 4).collect::<Vec<u8>>();
            let one = few(one);
            let other = few(other);
            let ids = |tokens: &[u8]| tokens.iter().map(|&token| u32::from(token)).collect::<Vec<u32>>();
            let table = naive::table(&ids(&one), &ids(&other));
            let mut tables = PairTables::default();
            tables.edits(&one, &other).unwrap() as usize == edits(&one, &other)
                && tables.common(&one, &other).unwrap() as usize == table[one.len()][other.len()]
        }

        fn edits_of_each_are_those_of_one(pairs: Vec<(Vec<u16>, Vec<u16>)>, repeat: u8) -> bool {
            let few = |tokens: &Vec<u16>| {
                let repeats = usize::from(repeat % 24) + 1;
                (0..repeats).flat_map(|_| tokens).map(|token| token % 50).collect::<Vec<u16>>()
            };
            let pairs: Vec<_> = pairs.iter().map(|(one, other)| (few(one), few(other))).collect();
            let pairs: Vec<(&[u16], &[u16])> = pairs.iter().map(|(one, other)| (&one[..], &other[..])).collect();
            let mut tables = PairTables::default();
            let alone: Vec<u64> = pairs.iter().map(|(one, other)| tables.edits(one, other).unwrap()).collect();
            tables.edits_of_each(&pairs).unwrap() == alone
        }
    }

    #[test]
    fn an_error_leaves_no_pair_behind() {
        /// Token that takes no memory and is unequal to every token, even itself. It makes the huge sequences
        /// that a test of limits needs.
        #[derive(Clone, Copy, Hash)]
        #[expect(clippy::derived_hash_with_manual_eq, reason = "unequal to itself, too")]
        struct Unlike;
        impl PartialEq for Unlike {
            fn eq(&self, _: &Self) -> bool {
                false
            }
        }
        impl Eq for Unlike {}

        let (some, many): (&[Unlike], &[Unlike]) = (&[Unlike; 2], &[Unlike; 1 << 31]);
        let mut tables = PairTables::default();
        let error = tables.edits_of_each(&[(some, &[]), (some, some), (some, many)]).unwrap_err();
        assert!(error.to_string().contains("segment 3"), "{error}");
        assert_eq!(tables.edits_of_each(&[(&some[..1], some)]).unwrap(), [2]);
    }
}
