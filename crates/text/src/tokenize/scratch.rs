//! [`Scratches`]: reusable memory for tokenizers, which choose the types.

use std::any::Any;
use std::fmt;

/// A collection with one value for each type, which the first request creates.
#[derive(Default)]
pub(crate) struct Scratches(Vec<Box<dyn Any + Send + Sync>>);

impl Scratches {
    /// Returns the value of this type. The search is linear, which is fastest because a thread uses few
    /// tokenizers.
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

/// Returns an empty collection: the values are memory for reuse and carry no content.
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
