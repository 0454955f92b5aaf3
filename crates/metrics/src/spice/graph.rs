//! The graph of one side: nodes with attributes, and relations between them, merged as SPICE 1.0 merges them.

use super::options::Similarity;
use super::synsets::Synsets;

/// The unit separator of ASCII, between the texts of a tuple within a token.
pub(crate) const SEPARATOR: char = '\u{1F}';

/// A text, or several that were merged: its words and synsets, both sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Concept<'t> {
    words: Vec<&'t str>,
    synsets: Vec<u64>,
}

impl<'t> Concept<'t> {
    fn new(word: &'t str, source: Option<&dyn Synsets>) -> Self {
        let mut synsets = Vec::new();
        if let Some(source) = source {
            // As Java trims: what is no blank beyond ASCII stays.
            let key = word.trim_matches(|c| c <= ' ').to_lowercase().replace(' ', "_");
            source.synsets(&key, &mut |id| synsets.push(id));
            synsets.sort_unstable();
            synsets.dedup();
        }
        Concept { words: vec![word], synsets }
    }

    /// 1 with words in common, else the share of synsets in common. Single precision, as the program's: ties are ties.
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

pub(super) fn matches(one: &[&Concept<'_>], other: &[&Concept<'_>], similarity: Similarity) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| match similarity {
            Similarity::Similar => one.is_similar(other),
            Similarity::Equal => one == other,
        })
}

pub(super) struct Graph<'t> {
    source: Option<&'t dyn Synsets>,
    merge: bool,
    nodes: Vec<Node<'t>>,
    relations: Vec<(usize, Concept<'t>, usize)>,
}

struct Node<'t> {
    concept: Concept<'t>,
    attributes: Vec<Concept<'t>>,
}

impl<'t> Graph<'t> {
    pub(super) fn new(source: Option<&'t dyn Synsets>, merge: bool) -> Self {
        Graph { source, merge, nodes: Vec::new(), relations: Vec::new() }
    }

    /// Adds the tuple of a token; of more than three texts all but the first and the last are the relation.
    pub(super) fn add(&mut self, token: &'t str) {
        let Some((first, rest)) = token.split_once(SEPARATOR) else {
            self.node(token);
            return;
        };
        let subject = self.node(first);
        let Some((relation, object)) = rest.rsplit_once(SEPARATOR) else {
            let attribute = Concept::new(rest, self.source);
            insert(&mut self.nodes[subject].attributes, attribute, self.merge);
            return;
        };
        let object = self.node(object);
        let relation = Concept::new(relation.strip_prefix("be ").unwrap_or(relation), self.source);
        self.relate(subject, relation, object);
    }

    /// The number of the node of an object: an equal one, the first of the most similar ones, or a new one.
    fn node(&mut self, word: &'t str) -> usize {
        let concept = Concept::new(word, self.source);
        if let Some(equal) = self.nodes.iter().position(|node| node.concept == concept) {
            return equal;
        }
        let mut best = (0.0, self.nodes.len());
        for (place, node) in self.nodes.iter().enumerate().filter(|_| self.merge) {
            let similarity = node.concept.similarity(&concept);
            if similarity > best.0 {
                best = (similarity, place);
            }
        }
        match self.nodes.get_mut(best.1) {
            Some(node) => node.concept.unite(concept),
            None => self.nodes.push(Node { concept, attributes: Vec::new() }),
        }
        best.1
    }

    fn relate(&mut self, subject: usize, relation: Concept<'t>, object: usize) {
        let ends = (subject, object);
        let mut between = self.relations.iter().filter(|edge| (edge.0, edge.2) == ends);
        if between.any(|edge| edge.1 == relation) {
            return;
        }
        let mut edges = self.relations.iter_mut().filter(|edge| (edge.0, edge.2) == ends);
        let similar = edges.find(|edge| edge.1.is_similar(&relation));
        match similar.filter(|_| self.merge) {
            Some(edge) => edge.1.unite(relation),
            None => self.relations.push((subject, relation, object)),
        }
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

/// Adds an attribute, unless there is an equal one; the first similar one takes it up.
fn insert<'t>(attributes: &mut Vec<Concept<'t>>, attribute: Concept<'t>, merge: bool) {
    if attributes.contains(&attribute) {
        return;
    }
    match attributes.iter_mut().find(|known| merge && known.is_similar(&attribute)) {
        Some(known) => known.unite(attribute),
        None => attributes.push(attribute),
    }
}
