//! Words to stems: the Porter stemmer with NLTK's extensions, as used by ROUGE and METEOR programs.
//!
//! Stems decide which tokens match, so a slightly different stemmer gives different scores. Porter's algorithm has many
//! descendants: of 90,000 dictionary words Snowball's `porter` stems 1,200 otherwise than NLTK and `english` (Porter 2)
//! 3,700. [`porter`] is NLTK's, to the letter; its module lists the rules.
//!
//! It serves a tokenizer and a metric that have nothing else in common.
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
