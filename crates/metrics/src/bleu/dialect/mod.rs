//! Dialects: the number that another program gives for the same counts, to the last bit.
//!
//! "Why is your BLEU different from mine?" A dialect is a named finisher over [`BleuStats`]: one short function with
//! the program's formula, its order of operations and its singular cases, and one line in `registry.rs`. [`Dialect::all`] has them
//! with program, version and [`DialectAgreement`], as `bleuprint dialects` lists them.
//!
//! *Bits* are those of CPython 3.11 (and Perl 5.36) with glibc on x86-64. Programs that add with Python's `sum` give
//! other last bits from CPython 3.12 on: [`Summation::Compensated`] in the configuration. A dialect finishes counts;
//! which tokens were counted is the caller's to say: [`Dialect::tokenizer`] and [`Dialect::case`] name those of the program,
//! and `-m bleu:dialect=NAME` takes them where no others are asked for.
//!
//! | logarithms and powers of the program | dialects | agreement |
//! |---|---|---|
//! | the C library's, through CPython's `math` and `**` | NLTK, HF, fairseq, tensor2tensor, flax, ignite, sacreBLEU, pycocoevalcap, allennlp, CodeXGLUE | bits; `coco:average` and `coco:scorer` add means of lengths, 1e-12 |
//! | the same over counts or quotients in `f32` | keras-hub, metrax, `ignite:no-smooth` | 1e-6 |
//! | the C library's, through Perl's `log`, `exp` and `**` | mteval, `multi-bleu`, `multi-bleu-detok` | bits |
//! | the C library's, through Rust's `f64` | bleuscore | bits |
//! | PyTorch's own, in `f32` | torchmetrics, torchtext, torcheval | 1e-6 |
//! | C++, in `f32` | `moses:sentence-bleu` | 1e-6 |
//!
//! The C library is glibc from 2.29 on, on a processor with fused multiply-add: `bleuprint_math` has its bits on every
//! platform. The programs themselves have those of the platform, so their own last digits differ between machines.
//!
//! No dialect can give *the tie of torchmetrics and torchtext*. Between two references equally close in length
//! they take the first listed; statistics that merge cannot depend on the order of references, and take the shorter.
//! Nor do programs that compute in `f32` (Moses mert, cdec, marian) or in 80-bit floats (fast_bleu) have bits to agree
//! with. *An empty corpus* is an error in every dialect.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_metrics::{Bleu, Dialect};
//!
//! // A perfect match of three tokens: four programs, four numbers.
//! let bleu = Bleu::default();
//! let mut corpus = Accumulator::<_, [&str]>::new(&bleu);
//! corpus.push(&["the", "cat", "is"], &[&["the", "cat", "is"]]).unwrap();
//! let score = |name| bleu.finalize_with(Dialect::by_name(name).unwrap(), corpus.total()).map(|s| s.score.value);
//! assert_eq!(score("mteval:v13a"), Ok(1.0));
//! assert_eq!(score("multi-bleu"), Ok(0.0));
//! assert_eq!(score("nltk:method0"), Ok(1.2213386697554703e-77));
//! assert!(score("torcheval:head").is_err());
//! ```

mod allennlp;
mod arithmetic;
mod coco;
mod codexglue;
mod error;
mod fairseq;
mod ignite;
mod moses;
mod mteval;
mod nltk;
mod nltk_sentence;
mod papineni;
mod rational;
mod registry;
mod sacrebleu;
mod score;
mod tensor2tensor;
mod tf_nmt;
mod torch;

use core::fmt;

use bleuprint_core::{Scale, SegmentCounts};

use super::finish::number;
use super::{Bleu, BleuOrderCounts, BleuStats, RefLen, Summation};

pub use error::DialectError;
pub use score::{DialectBleu, DialectScore};

/// The closeness of a dialect to its program.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "closed: tests check each")]
pub enum DialectAgreement {
    /// All bits are equal.
    Bits,
    /// The relative difference is at most this: the program computes in `f32`, or adds what we keep exact.
    Relative(f64),
    /// There is no program, only a definition.
    Definition,
}

impl fmt::Display for DialectAgreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DialectAgreement::Bits => f.write_str("bits"),
            DialectAgreement::Relative(tolerance) => write!(f, "{tolerance:e}"),
            DialectAgreement::Definition => f.write_str("definition"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Accepts {
    Corpus,
    OneReference,
    OneSegment,
}

/// A named finisher: another program's formula over the same statistics.
#[derive(Debug, Clone, Copy)]
pub struct Dialect {
    /// The name, as in `nltk:method1`.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// The program.
    pub program: &'static str,
    /// Its version, or that of its source.
    pub version: &'static str,
    /// One line: the rules.
    pub summary: &'static str,
    /// Differences that surprise a user of another program.
    pub differences: &'static str,
    /// The closeness to the program.
    pub agreement: DialectAgreement,
    /// The scale of the number: 0 to 1 or 0 to 100.
    pub scale: Scale,
    /// The rule of reference length.
    pub ref_len: RefLen,
    /// The tokenizer, by its name in `bleuprint_text`, that makes of raw text the tokens that the program counts, or those
    /// its users give it; where it is only the nearest one, `differences` says so.
    pub tokenizer: &'static str,
    /// The case that the program makes of the text, as signatures print it: `mixed`, `lc` or `lc-ascii`.
    pub case: &'static str,
    /// The case that the program's own option for lower case makes, or that of its users where it has none: `lc` or
    /// `lc-ascii`.
    pub lower_case: &'static str,
    pub(crate) accepts: Accepts,
    /// The program can weight the orders.
    pub weighted: bool,
    /// The program adds logarithms with Python's `sum`, so that [`Summation`] matters.
    pub python_sum: bool,
    /// An order read for any highest order; 0 for none.
    pub reads_order: usize,
    pub(crate) finish: fn(&DialectInput<'_>) -> Result<f64, DialectError>,
}

impl Dialect {
    /// Values that most entries share: bits, 0 to 1, closest reference length, tokens between whitespace (as libraries over
    /// tokens are used), corpora, no weights.
    const COMMON: Dialect = Dialect {
        name: "",
        aliases: &[],
        program: "",
        version: "",
        summary: "",
        differences: "",
        agreement: DialectAgreement::Bits,
        scale: Scale::UNIT,
        ref_len: RefLen::Closest,
        tokenizer: "none",
        case: "mixed",
        lower_case: "lc",
        accepts: Accepts::Corpus,
        weighted: false,
        python_sum: false,
        reads_order: 0,
        finish: |input| Err(input.raises("it has no formula")),
    };

    /// The highest order to observe so that this dialect can finish at `max_order`.
    pub fn order_to_observe(&self, max_order: usize) -> usize {
        max_order.max(self.reads_order)
    }
}

pub(crate) struct DialectInput<'a> {
    dialect: &'static str,
    counts: &'a SegmentCounts,
    stats: &'a BleuStats,
    orders: &'a [BleuOrderCounts],
    beyond: &'a [BleuOrderCounts],
    weights: Vec<f64>,
    /// All weights are `1/N`.
    uniform: bool,
    ref_len: f64,
    summation: Summation,
}

impl DialectInput<'_> {
    fn hyp_len(&self) -> f64 {
        number(self.stats.hyp_len())
    }

    fn raises(&self, what: &'static str) -> DialectError {
        DialectError::Raises { dialect: self.dialect, what }
    }
}

#[cfg(test)]
mod tests;
