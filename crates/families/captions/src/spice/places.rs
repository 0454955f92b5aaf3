//! [`TuplePlaces`]: index of the names in a scene graph by word and synset. It finds the names that share a
//! word or a synset with a given name.

use std::collections::HashMap;

use ahash::RandomState;

use super::graph::Concept;

/// Part of a scene graph that a search is limited to, as a pair of node indices. `(NONE, NONE)` is all nodes,
/// `(node, NONE)` the attributes of a node, and `(subject, object)` the relations between two nodes. `NONE`
/// is `usize::MAX`.
pub(super) type Scope = (usize, usize);

#[derive(Default)]
pub(super) struct TuplePlaces<'t> {
    words: HashMap<(Scope, &'t str), Vec<usize>, RandomState>,
    synsets: HashMap<(Scope, u64), Vec<usize>, RandomState>,
}

impl<'t> TuplePlaces<'t> {
    pub(super) fn add(&mut self, scope: Scope, concept: &Concept<'t>, place: usize) {
        for word in &concept.words {
            self.words.entry((scope, word)).or_default().push(place);
        }
        for synset in &concept.synsets {
            self.synsets.entry((scope, *synset)).or_default().push(place);
        }
    }

    fn lists<'a>(&'a self, scope: Scope, concept: &'a Concept<'a>) -> impl Iterator<Item = &'a Vec<usize>> {
        let words = concept.words.iter().filter_map(move |word| self.words.get(&(scope, *word)));
        words.chain(concept.synsets.iter().filter_map(move |synset| self.synsets.get(&(scope, *synset))))
    }

    /// Returns an upper bound on the number of results of [`TuplePlaces::near`], without collecting them.
    pub(super) fn at_most(&self, scope: Scope, concept: &Concept<'_>) -> usize {
        self.lists(scope, concept).map(Vec::len).sum()
    }

    /// Returns the indices of all names that have a word or a synset in common with the name `concept`, in
    /// ascending order. `scope` is the part of the scene graph that is searched: all nodes, the attributes of
    /// a node, or the relations between two nodes.
    pub(super) fn near(&self, scope: Scope, concept: &Concept<'_>) -> Vec<usize> {
        let mut places: Vec<usize> = self.lists(scope, concept).flatten().copied().collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}
