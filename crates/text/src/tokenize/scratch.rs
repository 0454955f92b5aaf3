//! [`Scratches`]: working memory for tokenizers, reused from line to line. Each tokenizer chooses the type of
//! its memory.

use std::any::Any;
use std::fmt;

/// A collection that holds one value for each type. A value is created by `Default` when it is first
/// requested.
#[derive(Default)]
pub(crate) struct Scratches(Vec<Box<dyn Any + Send + Sync>>);

impl Scratches {
    /// Returns the collection's value of type `T`. If there is none yet, it creates the value with `Default`.
    /// The search is linear, because the collection has one value for each tokenizer that a thread uses, and
    /// these are few.
    pub(crate) fn get<T: Default + Send + Sync + 'static>(&mut self) -> &mut T {
        let index = self.0.iter().position(|value| value.is::<T>()).unwrap_or_else(|| {
            self.0.push(Box::new(T::default()));
            self.0.len() - 1
        });
        match self.0[index].downcast_mut() {
            Some(value) => value,
            None => unreachable!("found by its type"),
        }
    }
}

/// Clones working memory as an empty collection, because its values carry no content from line to line.
impl Clone for Scratches {
    fn clone(&self) -> Self {
        Scratches::default()
    }
}

impl fmt::Debug for Scratches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Scratches").field(&self.0.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_its_own_value_and_keeps_it() {
        let mut scratches = Scratches::default();
        scratches.get::<Vec<u8>>().push(1);
        scratches.get::<String>().push('a');
        assert_eq!(scratches.get::<Vec<u8>>(), &[1]);
        assert_eq!(scratches.get::<String>(), "a");
        assert!(scratches.clone().get::<String>().is_empty());
    }
}
