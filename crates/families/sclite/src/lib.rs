//! Word error rate as in NIST's sclite, for references with alternatives. Also the normalized cross entropy
//! of word confidences, and readers of STM, CTM, TRN and GLM files.
//!
//! ```text
//! error rate = 100 · (S + D + I) / N, N = C + S + D words of the path through the reference that the alignment takes
//! NCE        = (H + Σ correct ln p + Σ wrong ln (1 - p)) / H, H = -(c ln (c/m) + (m - c) ln (1 - c/m))
//! ```
//!
//! C, S, D and I are the numbers of correct, substituted, deleted and inserted words. NCE is the normalized
//! cross entropy of the recognizer's confidences `p` in its `m` words, of which `c` are correct.
//!
//! | text | meaning |
//! |---|---|
//! | `{ a / b c / @ }` | one of the alternatives, on either side; they nest; `@` is nothing |
//! | `(uh)` | with `optional=free` and `optional=sclite` a word that may be left out, else a word like others |
//! | `go-`, `-ing` | with `fragments` as good as any word that begins or ends like that |
//! | `word*` | `word` |
//!
//! Costs: substitution 4, insertion and deletion 3, an optional word left out 2. Among alignments of equal
//! cost, a pair is preferred to an insertion, and an insertion to a deletion. ASCII letters become lower case
//! unless `keep-case` is set.
//!
//! An optional word that is left out counts as correct with `optional=sclite`, so N depends on the
//! hypothesis. With `optional=free` it is not counted.
//!
//! | singular case | result |
//! |---|---|
//! | no word on the path of the reference | 0 without insertions, else 100 |
//! | a brace that is not closed or closes nothing, an alternative without words | error with the character |
//! | more than 100 nested braces, 2^19 words or arcs of a side, 2^28 cells | error |
//! | NCE of words that are all right or all wrong | no score |
//!
//! Ranges: the error rate is at least 0, lower is better; NCE is at most 1, higher is better. Source: NIST's
//! sclite 2.10 of sctk 2.4.10, whose counts the metric reproduces. Time grows with the words of one side
//! times the pairs of consecutive words of the other.
//!
//! ```
//! use bleuprint_core::{Accumulator, Score as _};
//! use bleuprint_sclite::{Optional, Sclite, ScliteSettings};
//!
//! let settings = ScliteSettings { optional: Optional::Sclite, ..ScliteSettings::default() };
//! let mut rate = Accumulator::<_, str>::new(Sclite::new(settings));
//! rate.push("a d e foo g", &["a { b c / d / @ } e (uh) f- g"]).unwrap();
//! // Five words are right, (uh) among them, and one is substituted.
//! assert_eq!(rate.score().unwrap().score.value(), 100.0 / 6.0);
//! ```

mod align;
mod alternatives;
mod command;
mod filter;
mod glm;
mod keyed;
mod metric;
mod nce;
mod network;
mod options;
mod reader;
mod report;
mod sgml;
mod transcripts;

pub use align::{AlignedStep, StepKind, aligned};
pub use metric::{Sclite, ScliteCounts};
pub use nce::{ConfidenceSums, Heard, Nce};
pub use options::{Optional, ScliteSettings};
pub use sgml::read_sgml;
pub use transcripts::{CtmWord, Transcript, transcripts};

use bleuprint_registry::MetricEntry;
use bleuprint_text::{Family, FamilyPage, NormalizerEntry};

/// Registry entries of this crate's metrics: sclite's word error rate and NCE.
pub static ENTRIES: &[MetricEntry] = &[metric::ENTRY, nce::ENTRY];

/// Text normalizers that apply GLM files, for use in a [`Family`].
pub static NORMALIZERS: &[NormalizerEntry] = &[filter::RFILTER, filter::CSRFILT, filter::HYPHENS];

/// Pages of documentation of this family.
const PAGES: &[FamilyPage] = &[FamilyPage { name: "sclite", text: include_str!("../docs/sclite.md") }];

/// Returns the family of sclite metrics, readers and normalizers, for
/// [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("sclite", "References with alternatives, scored as sclite scores them")
        .metrics(ENTRIES)
        .normalizers(NORMALIZERS)
        .readers(reader::READERS)
        .commands(command::COMMANDS)
        .alignments(alternatives::ALIGNMENTS)
        .pages(PAGES)
}
