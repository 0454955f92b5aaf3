//! Computes the Jaro and Jaro-Winkler similarity of two sequences in linear time.
//!
//! Each item of `a`, in order, is matched with the first unmatched equal item of `b` within a window of
//! positions. The window only moves forward, and positions of equal items are taken in order. A position
//! before the window, or a taken position, is therefore never visited again.

/// Working memory of the Jaro similarity, reused from pair to pair of texts.
#[derive(Debug, Default)]
pub(super) struct Windows {
    /// First position of each item in the second sequence that is not matched yet, plus 1; 0 if there is
    /// none. After a pair of sequences has been compared, only the used entries are set to 0 again, because
    /// clearing a large table takes long.
    first: Vec<u32>,
    /// Next position of an equal item plus 1, for each position in the second sequence; 0 if there is none.
    next: Vec<u32>,
    taken: Vec<bool>,
    matched: Vec<u32>,
}

impl Windows {
    /// Returns the Jaro similarity of two sequences of item numbers, which are below `bound`. Neither
    /// sequence may be empty.
    pub(super) fn jaro(&mut self, a: &[u32], b: &[u32], bound: usize) -> f64 {
        // Jaro's window: half the greater length, less one.
        let window = (a.len().max(b.len()) / 2).saturating_sub(1);
        self.index(b, bound);
        for (at, &item) in a.iter().enumerate() {
            let first = &mut self.first[item as usize];
            while *first > 0 && (*first as usize - 1) + window < at {
                *first = self.next[*first as usize - 1];
            }
            if *first > 0 && *first as usize - 1 <= at + window {
                let place = *first as usize - 1;
                self.taken[place] = true;
                self.matched.push(item);
                *first = self.next[place];
            }
        }
        b.iter().for_each(|&item| self.first[item as usize] = 0);
        let common = self.matched.len();
        if common == 0 {
            return 0.0;
        }
        let in_b = b.iter().zip(&self.taken).filter(|(_, taken)| **taken).map(|(item, _)| item);
        // Matched items of both sides, in order; a transposition is half of a pair that differs, rounded
        // down.
        let transposed = self.matched.iter().zip(in_b).filter(|(one, other)| one != other).count() / 2;
        let c = common as f64;
        let t = transposed as f64;
        (c / a.len() as f64 + c / b.len() as f64 + (c - t) / c) / 3.0
    }

    fn index(&mut self, b: &[u32], bound: usize) {
        self.first.resize(self.first.len().max(bound), 0);
        self.next.clear();
        self.next.resize(b.len(), 0);
        self.taken.clear();
        self.taken.resize(b.len(), false);
        self.matched.clear();
        for (place, &item) in b.iter().enumerate().rev() {
            self.next[place] = std::mem::replace(&mut self.first[item as usize], place as u32 + 1);
        }
    }
}

/// Returns the Jaro-Winkler similarity of `a` and `b` from their Jaro similarity `j = jaro`:
/// `j + 0.1 p (1 − j)`, or `j` if it is at most 0.7. `p` is the length of their common prefix, at most 4.
pub(super) fn winkler(jaro: f64, a: &[u32], b: &[u32]) -> f64 {
    // The constants are rapidfuzz's: a threshold of 0.7, a prefix of at most 4 and a weight of 0.1.
    if jaro <= 0.7 {
        return jaro;
    }
    let prefix = a.iter().zip(b).take(4).take_while(|(one, other)| one == other).count();
    jaro + prefix as f64 * 0.1 * (1.0 - jaro)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    /// Returns the Jaro similarity of two sequences, computed directly from its definition: for each item of
    /// `a`, it tries every position of `b` within Jaro's window in order.
    fn naive(a: &[u32], b: &[u32]) -> f64 {
        let window = (a.len().max(b.len()) / 2).saturating_sub(1);
        let mut taken = vec![false; b.len()];
        let mut matched = Vec::new();
        for (at, item) in a.iter().enumerate() {
            let places = at.saturating_sub(window)..(at + window + 1).min(b.len());
            if let Some(place) = places.into_iter().find(|&place| !taken[place] && b[place] == *item) {
                taken[place] = true;
                matched.push(*item);
            }
        }
        if matched.is_empty() {
            return 0.0;
        }
        let other: Vec<u32> = (0..b.len()).filter(|&place| taken[place]).map(|place| b[place]).collect();
        let half = matched.iter().zip(&other).filter(|(one, other)| one != other).count() / 2;
        let c = matched.len() as f64;
        let t = half as f64;
        (c / a.len() as f64 + c / b.len() as f64 + (c - t) / c) / 3.0
    }

    quickcheck! {
        fn windows_are_those_of_the_definition(a: Vec<u32>, b: Vec<u32>, alphabet: u32) -> bool {
            let few = |tokens: Vec<u32>| tokens.into_iter().map(|token| token % (alphabet % 9 + 1)).collect::<Vec<_>>();
            let mut a = few(a);
            let mut b = few(b);
            a.push(0);
            b.push(0);
            let mut windows = Windows::default();
            // Twice: nothing of the first pair is left.
            windows.jaro(&a, &b, 9) == naive(&a, &b) && windows.jaro(&b, &a, 9) == naive(&b, &a)
        }
    }
}
