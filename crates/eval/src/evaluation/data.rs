//! [`OwnData`]: data of a form that a metric brings, of every segment of every system.

use std::fmt;
use std::sync::Arc;

use bleuprint_registry::{AnyForm, Data};

/// Data of one form, of every segment of every system.
#[derive(Clone)]
pub struct OwnData {
    /// The form, for which metrics ask by its name.
    pub form: AnyForm,
    /// By system.
    pub systems: Vec<SystemData>,
    /// The references of each segment, possibly none.
    pub references: Vec<Vec<Arc<Data>>>,
    /// The source of each segment, if known.
    pub sources: Vec<Option<Arc<Data>>>,
}

/// The hypotheses of a system.
#[derive(Clone, Default)]
pub struct SystemData {
    /// One of each segment.
    pub hypotheses: Vec<Arc<Data>>,
    /// The file, and the line of each segment in it, for errors.
    pub origin: Option<(Arc<str>, Vec<u64>)>,
}

impl SystemData {
    /// These hypotheses.
    pub fn new(hypotheses: impl IntoIterator<Item = Arc<Data>>) -> Self {
        SystemData { hypotheses: hypotheses.into_iter().collect(), origin: None }
    }
}

/// Data of one form are equal if they are the same in memory.
impl PartialEq for OwnData {
    fn eq(&self, other: &Self) -> bool {
        let same = |one: &[Arc<Data>], other: &[Arc<Data>]| {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| Arc::ptr_eq(one, other))
        };
        let lists = |own: &Self| -> Vec<Vec<Arc<Data>>> {
            let hypotheses = own.systems.iter().map(|system| system.hypotheses.clone());
            let sources = own.sources.iter().map(|source| source.iter().cloned().collect());
            hypotheses.chain(own.references.iter().cloned()).chain(sources).collect()
        };
        let (one, two) = (lists(self), lists(other));
        self.form == other.form
            && self.systems.len() == other.systems.len()
            && one.len() == two.len()
            && one.iter().zip(&two).all(|(one, other)| same(one, other))
    }
}

impl fmt::Debug for OwnData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OwnData({:?}, {} systems)", self.form, self.systems.len())
    }
}
