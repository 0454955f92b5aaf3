//! Dialects: BLEU as another program computes it from the same n-gram counts, bit for bit.
//!
//! "Why is your BLEU different from mine?" A dialect is a named function over [`BleuStats`]. It has the
//! program's formula, order of operations and singular cases, and one line in `registry.rs`. [`Dialect::all`]
//! lists the dialects with program, version and [`DialectAgreement`], and `bleuprint dialects` prints them.
//!
//! *Bits* means equality with CPython 3.11 (or Perl 5.36) with glibc on x86-64. Programs that add with
//! Python's `sum` have other last bits from CPython 3.12 on; [`Summation::Compensated`] gives those.
//!
//! A dialect computes a score from counts; the caller chooses the tokens. [`Dialect::tokenizer`] and
//! [`Dialect::case`] name the program's tokens, and `-m bleu:dialect=NAME` uses them by default.
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
//! The C library is glibc from 2.29 on, on a processor with fused multiply-add; `bleuprint_math` matches it
//! on every platform. The programs use the library of their platform, so their last digits differ between
//! machines.
//!
//! No dialect reproduces *the ties of torchmetrics and torchtext*. Between two references equally close in
//! length these programs take the first listed. Statistics that merge cannot depend on the order of
//! references, so the dialects take the shorter.
//!
//! Programs that compute in `f32` (Moses mert, cdec, marian) or in 80-bit floats (fast_bleu) cannot match bit
//! for bit. *An empty corpus* is an error in every dialect.
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

/// Agreement of a dialect's scores with the scores of the BLEU program that it reproduces.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "closed: tests check each")]
pub enum DialectAgreement {
    /// Scores of the dialect match the original program bit for bit.
    Bits,
    /// Scores of the dialect and of the original program differ by at most this relative difference. The
    /// program computes in `f32`, or rounds sums that bleuprint keeps exact.
    Relative(f64),
    /// The dialect follows a published definition; no original program exists to compare with.
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

/// BLEU formula of another program over the n-gram counts of [`BleuStats`], with its name and rules.
#[derive(Debug, Clone, Copy)]
pub struct Dialect {
    /// Name of the BLEU dialect, for example `nltk:method1`.
    pub name: &'static str,
    /// Other names by which users can select the BLEU dialect.
    pub aliases: &'static [&'static str],
    /// Name of the program whose BLEU the dialect reproduces.
    pub program: &'static str,
    /// Version of the program whose BLEU the dialect reproduces, or of its source code.
    pub version: &'static str,
    /// One-line summary of the dialect's BLEU rules, such as smoothing and brevity penalty.
    pub summary: &'static str,
    /// Differences between this dialect and other BLEU programs that can surprise their users.
    pub differences: &'static str,
    /// Agreement of the dialect's scores with the scores of the program that it reproduces.
    pub agreement: DialectAgreement,
    /// Scale of the dialect's scores: 0 to 1 or 0 to 100.
    pub scale: Scale,
    /// Rule of the reference length that the brevity penalty uses if a segment has several references.
    pub ref_len: RefLen,
    /// Name of a tokenizer of `bleuprint_text`: the tokenizer of the original BLEU program, or else the one
    /// that its users apply. If it is only similar, `differences` says so.
    pub tokenizer: &'static str,
    /// Case conversion that the original program applies to the text, as signatures print it: `mixed`, `lc`
    /// or `lc-ascii`.
    pub case: &'static str,
    /// Kind of lower-casing, `lc` or `lc-ascii`, that an option of the original program turns on. If the
    /// program has no such option, it is the kind that its users apply to the text.
    pub lower_case: &'static str,
    pub(crate) accepts: Accepts,
    /// `true` if the original program supports weights of the n-gram orders.
    pub weighted: bool,
    /// `true` if the original program adds logarithms with Python's `sum`; the option [`Summation`] then
    /// changes the last bits of the score.
    pub python_sum: bool,
    /// N-gram order that the dialect always reads, whatever the highest configured order is; 0 for none.
    pub reads_order: usize,
    pub(crate) finish: fn(&DialectInput<'_>) -> Result<f64, DialectError>,
}

impl Dialect {
    /// Default fields for a dialect, the description of another program's BLEU. Each dialect overrides the
    /// fields in which it differs.
    ///
    /// The defaults suit most BLEU libraries. They score a whole corpus of tokens on a scale from 0 to 1,
    /// without weights of n-gram orders, and use the closest reference length. The agreement is bit for bit.
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

    /// Returns the highest n-gram order that must be counted so that this dialect can compute BLEU up to the
    /// order `max_order`.
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
    /// `true` if every weight of the `N` n-gram orders is `1/N`.
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
