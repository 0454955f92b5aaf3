//! Words to stems: the Porter stemmer with NLTK's extensions, which ROUGE and METEOR programs apply.
//!
//! Stems decide which tokens match, so a stemmer that is nearly the same gives other scores. Porter's algorithm has
//! many descendants: of 90,000 dictionary words Snowball's `porter` stems 1,200 otherwise than NLTK and `english`
//! (Porter 2) 3,700. [`porter`] is NLTK's, to the letter; its module tells the rules.
//!
//! A tokenizer that stems and a metric that stems both stand on this crate and share nothing else.
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
