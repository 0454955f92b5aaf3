//! References with alternatives: the error rate of NIST's sclite, confidences of words, STM, CTM and rules of GLM files.
//!
//! ```text
//! error rate = 100 · (S + D + I) / N, N = C + S + D words of the path through the reference that the alignment takes
//! NCE        = (H + Σ correct ln p + Σ wrong ln (1 - p)) / H, H = -(n ln (n/N) + (N - n) ln (1 - n/N))
//! ```
//!
//! | text | meaning |
//! |---|---|
//! | `{ a / b c / @ }` | one of the alternatives, on either side; they nest; `@` is nothing |
//! | `(uh)` | with `optional=free` and `optional=sclite` a word that may be left out, else a word like others |
//! | `go-`, `-ing` | with `fragments` as good as any word that begins or ends like that |
//! | `word*` | `word` |
//!
//! Costs: substitution 4, insertion and deletion 3, an optional word left out 2; of equal paths a pair comes before an insertion, and
//! that before a deletion. ASCII letters are lower-cased unless `keep-case` is given. A left out optional word counts as correct with
//! `optional=sclite`, so N depends on the hypothesis; with `optional=free` it counts nowhere.
//!
//! | singular case | result |
//! |---|---|
//! | no word on the path of the reference | 0 without insertions, else 100 |
//! | a brace that is not closed or closes nothing, an alternative without words | error with the character |
//! | more than 100 braces within each other, 2^19 words or arcs of a side, 2^28 cells | error |
//! | NCE of words that are all right or all wrong | no score |
//!
//! Ranges: error rate from 0 without limit, lower is better; NCE at most 1, higher is better. Source: NIST's sclite 2.10 of sctk 2.4.10,
//! whose counts the metric has. Time grows with the arcs of one side times the words of the other.
//!
//! ```
//! use bleuprint_core::{Accumulator, Score as _};
//! use bleuprint_sclite::{Optional, Sclite, Settings};
//!
//! let settings = Settings { optional: Optional::Sclite, ..Settings::default() };
//! let mut rate = Accumulator::<_, str>::new(Sclite::new(settings));
//! rate.push("a d e foo g", &["a { b c / d / @ } e (uh) f- g"]).unwrap();
//! // Five words are right, (uh) among them, and one is substituted.
//! assert_eq!(rate.score().unwrap().score.value(), 100.0 / 6.0);
//! ```

mod align;
mod filter;
mod glm;
mod metric;
mod nce;
mod network;
mod options;
mod reader;
mod sgml;
mod transcripts;

pub use align::{Aligned, Kind, aligned};
pub use metric::{Sclite, ScliteCounts};
pub use nce::{Confidences, Heard, Nce};
pub use options::{Optional, Settings};
pub use sgml::read_sgml;
pub use transcripts::{Timed, Transcript, transcripts};

use bleuprint_registry::MetricEntry;
use bleuprint_text::{Family, NormalizerEntry};

/// The metrics, to be added to a registry.
pub static ENTRIES: &[MetricEntry] = &[metric::ENTRY, nce::ENTRY];

/// The normalizers, to be added to those of a program.
pub static NORMALIZERS: &[NormalizerEntry] = &[filter::RFILTER, filter::CSRFILT, filter::HYPHENS];

/// The family, for [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("sclite", "References with alternatives, as sclite scores them")
        .metrics(ENTRIES)
        .normalizers(NORMALIZERS)
        .readers(reader::READERS)
}
