//! Scene graph of one side (the hypothesis or all references): nodes for objects with attributes, and
//! relations between nodes, merged as in SPICE 1.0.

use super::options::TupleSimilarity;
use super::places::{Scope, TuplePlaces};
use super::synsets::Synsets;

/// ASCII unit separator, which separates the words or phrases of a scene-graph tuple within a token.
pub(crate) const SEPARATOR: char = '\u{1F}';

/// Name of an object, attribute or relation, or several names that were merged: the words and their synset
/// ids, both sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Concept<'t> {
    pub(super) words: Vec<&'t str>,
    pub(super) synsets: Vec<u64>,
}

impl<'t> Concept<'t> {
    fn new(word: &'t str, source: Option<&dyn Synsets>) -> Self {
        let mut synsets = Vec::new();
        if let Some(source) = source {
            // Java's `trim` removes only ASCII white space and control characters.
            let key = word.trim_matches(|c| c <= ' ').to_lowercase().replace(' ', "_");
            source.synsets(&key, &mut |id| synsets.push(id));
            synsets.sort_unstable();
            synsets.dedup();
        }
        Concept { words: vec![word], synsets }
    }

    /// Returns 1 if two concepts have a word in common, otherwise their number of common synsets divided by
    /// the number in their union. The type is `f32` because ties must be decided as in the original program
    /// SPICE.
    fn similarity(&self, other: &Self) -> f32 {
        if common(&self.words, &other.words) > 0 {
            return 1.0;
        }
        let both = common(&self.synsets, &other.synsets);
        if both == 0 { 0.0 } else { both as f32 / (self.synsets.len() + other.synsets.len() - both) as f32 }
    }

    fn is_similar(&self, other: &Self) -> bool {
        common(&self.words, &other.words) > 0 || common(&self.synsets, &other.synsets) > 0
    }

    fn unite(&mut self, other: Self) {
        self.words.extend(other.words);
        self.words.sort_unstable();
        self.words.dedup();
        self.synsets.extend(other.synsets);
        self.synsets.sort_unstable();
        self.synsets.dedup();
    }

    #[cfg(test)]
    pub(super) fn words(&self) -> &[&'t str] {
        &self.words
    }
}

fn common<T: Ord>(one: &[T], other: &[T]) -> usize {
    one.iter().filter(|element| other.binary_search(element).is_ok()).count()
}

pub(super) type Tuple<'g, 't> = Vec<&'g Concept<'t>>;

pub(super) fn matches(one: &[&Concept<'_>], other: &[&Concept<'_>], similarity: TupleSimilarity) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| match similarity {
            TupleSimilarity::Similar => one.is_similar(other),
            TupleSimilarity::Equal => one == other,
        })
}

pub(super) struct Graph<'t> {
    source: Option<&'t dyn Synsets>,
    merge: bool,
    nodes: Vec<Node<'t>>,
    relations: Vec<(usize, Concept<'t>, usize)>,
    places: TuplePlaces<'t>,
}

/// Marks "no node" in a search scope: `(NONE, NONE)` is all nodes, and `(node, NONE)` is the attributes of a
/// node.
const NONE: usize = usize::MAX;

struct Node<'t> {
    concept: Concept<'t>,
    attributes: Vec<Concept<'t>>,
}

impl<'t> Graph<'t> {
    pub(super) fn new(source: Option<&'t dyn Synsets>, merge: bool) -> Self {
        Graph { source, merge, nodes: Vec::new(), relations: Vec::new(), places: TuplePlaces::default() }
    }

    /// Adds a scene-graph tuple, written as one token, to the graph. If the tuple has more than three texts,
    /// the relation is everything between the first and the last.
    pub(super) fn add(&mut self, token: &'t str) {
        let Some((first, rest)) = token.split_once(SEPARATOR) else {
            self.node(token);
            return;
        };
        let subject = self.node(first);
        let Some((relation, object)) = rest.rsplit_once(SEPARATOR) else {
            let attribute = Concept::new(rest, self.source);
            let attributes = &mut self.nodes[subject].attributes;
            let scope = (subject, NONE);
            insert(attributes, &mut self.places, scope, attribute, self.merge, |attribute| attribute);
            return;
        };
        let object = self.node(object);
        let relation = Concept::new(relation.strip_prefix("be ").unwrap_or(relation), self.source);
        self.relate(subject, relation, object);
    }

    /// Returns the index of the graph node for an object: a node with equal words and synsets, else the first
    /// of the most similar nodes, else a new node.
    fn node(&mut self, word: &'t str) -> usize {
        let concept = Concept::new(word, self.source);
        let scope = (NONE, NONE);
        let near = self.places.near(scope, &concept);
        // Equal nodes come before similar ones, whatever their order: SPICE looks for them first.
        if let Some(equal) = near.iter().find(|place| self.nodes[**place].concept == concept) {
            return *equal;
        }
        let mut best = (0.0, self.nodes.len());
        for place in near.into_iter().filter(|_| self.merge) {
            let similarity = self.nodes[place].concept.similarity(&concept);
            // Only a greater similarity replaces the best one, so that the first of equally similar nodes
            // wins.
            if similarity > best.0 {
                best = (similarity, place);
            }
        }
        // The texts of a merged node are added to its place, so that later objects find it by all of its
        // words.
        self.places.add(scope, &concept, best.1);
        match self.nodes.get_mut(best.1) {
            Some(node) => node.concept.unite(concept),
            None => self.nodes.push(Node { concept, attributes: Vec::new() }),
        }
        best.1
    }

    fn relate(&mut self, subject: usize, relation: Concept<'t>, object: usize) {
        let relations = &mut self.relations;
        let scope = (subject, object);
        insert(relations, &mut self.places, scope, (subject, relation, object), self.merge, |edge| {
            &mut edge.1
        });
    }

    pub(super) fn tuples(&self) -> Vec<Tuple<'_, 't>> {
        let mut tuples: Vec<Tuple<'_, 't>> = Vec::new();
        tuples.extend(self.nodes.iter().map(|node| vec![&node.concept]));
        for Node { concept, attributes } in &self.nodes {
            tuples.extend(attributes.iter().map(|attribute| vec![concept, attribute]));
        }
        for (subject, relation, object) in &self.relations {
            let [subject, object] = [subject, object].map(|place| &self.nodes[*place].concept);
            tuples.push(vec![subject, relation, object]);
        }
        tuples
    }
}

/// Adds the new attribute or relation to the list `all`, unless `all` has an equal entry. With `merge`, an
/// entry that shares a word or a synset with the new one receives its words and synsets instead; the first
/// such entry is used.
fn insert<'t, E>(
    all: &mut Vec<E>,
    places: &mut TuplePlaces<'t>,
    scope: Scope,
    mut new: E,
    merge: bool,
    concept: impl Fn(&mut E) -> &mut Concept<'t>,
) {
    let own = concept(&mut new).clone();
    let near = places.near(scope, &own);
    if near.iter().any(|place| *concept(&mut all[*place]) == own) {
        return;
    }
    let similar = near.first().copied().filter(|_| merge);
    places.add(scope, &own, similar.unwrap_or(all.len()));
    match similar {
        Some(place) => concept(&mut all[place]).unite(own),
        None => all.push(new),
    }
}
