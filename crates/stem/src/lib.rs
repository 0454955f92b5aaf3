//! A stemmer for English words: the Porter stemmer with NLTK's extensions, which programs for ROUGE and
//! METEOR use.
//!
//! Stems decide which tokens match, so a slightly different stemmer gives different scores. Porter's
//! algorithm has many variants. For 90,000 dictionary words, Snowball's `porter` gives 1,200 other stems than
//! NLTK, and `english` (Porter 2) gives 3,700. [`porter`] matches NLTK exactly; its module lists the rules.
//!
//! The package is separate because two otherwise unrelated crates need it, one with a tokenizer, one with a
//! metric.
//!
//! ```
//! let mut stem = String::new();
//! for (word, expected) in [("relational", "relat"), ("dies", "die"), ("enjoyed", "enjoy"), ("skies", "sky")] {
//!     bleuprint_stem::porter(word, &mut stem);
//!     assert_eq!(stem, expected);
//! }
//! ```
#![no_std]

extern crate alloc;

mod porter;

pub use porter::porter;
