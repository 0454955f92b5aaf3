//! Extended edit distance (EED): character edits with jumps at spaces, and a charge for characters that are
//! visited repeatedly.
//!
//! ```text
//! EED = min(1, (e + 0.3 v) / (|r| + 0.3 v))
//! ```
//!
//! `e` is the least cost of a path through the hypothesis along the reference `r`: 1 for a substitution or
//! an insertion, 0.2 for a deletion, 2 for a jump to any place at a space of the reference. `v` is the
//! number of repeated visits to places of the hypothesis; a place without a visit counts 1. Texts are
//! prepared as in the original program: see [`EedLanguage`].
//!
//! | singular case | result |
//! |---|---|
//! | both empty | English: the distance of two spaces; Japanese: 1 |
//! | hypothesis empty | near 1 |
//! | no reference | error |
//! | more than 2^28 pairs of characters | error |
//! | nothing observed | 0 |
//!
//! The range is 0 to 1, lower is better; the score is the exact mean over segments of the lowest distance
//! over references. Source: Stanchev et al. 2019, EED: Extended Edit Distance Measure for Machine
//! Translation. The numbers match the functions of torchmetrics 1.9.0 bit for bit; its module rounds every
//! score to 32 bits. Time is the product of the lengths in characters.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_similarity::{Eed, EedLanguage};
//!
//! let mut eed = Accumulator::<_, str>::new(Eed::new(EedLanguage::English));
//! eed.push("this is the prediction", &["this is the reference"]).unwrap();
//! assert_eq!((eed.score().unwrap().value() * 1e4).round(), 3_835.0);
//! ```

mod prepare;

use bleuprint_core::{
    Case, ConfigError, Direction, ExactSum, Identity, InputError, Observe, Result, Scale, Segment,
    check_interrupt, counted,
};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, settings};

use crate::mean::{lowest, mean_of_segments};

const DELETION: f64 = 0.2;
const JUMP: f64 = 2.0;
const COVERAGE: f64 = 0.3;

/// Maximum number of cells in the edit table of one segment; a table of this size takes some seconds.
const MOST_CELLS: u128 = 1 << 28;

/// Preparation of texts for EED (extended edit distance), which depends on their language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EedLanguage {
    /// English: white space at the end is removed. Spaces are added around the text and before `.`, `!`, `?`
    /// and `,`, but not in numbers and some abbreviations. The original program takes any character after a
    /// title and a space for the title's period: `Dr X` becomes `Dr.`.
    English,
    /// Japanese: white space at the end is removed, and the text gets Unicode normalization form NFKC.
    Japanese,
}

bleuprint_core::choice!(EedLanguage: English "en", Japanese "ja");

settings! {
    /// Metric EED (extended edit distance). The [module documentation](self) has the definition.
    #[derive(Copy, Eq)]
    pub struct Eed {
        /// The preparation of texts: English or Japanese
        language: EedLanguage = Opt::choice("eed-language").counted("language", "l");
    }
}

impl Eed {
    /// Creates the metric EED for texts of this language, which decides how they are prepared.
    pub fn new(language: EedLanguage) -> Self {
        Eed { language }
    }
}

/// Working memory of EED: tables that are reused from segment to segment.
#[derive(Debug, Default)]
pub struct EedScratch {
    row: Vec<f64>,
    next: Vec<f64>,
    /// Number of times that EED's edit path returns to each position of the hypothesis after the first visit;
    /// -1 for a position that is never visited.
    visits: Vec<i64>,
}

impl EedScratch {
    fn distance(&mut self, hypothesis: &[char], reference: &[char]) -> Result<f64> {
        let cells = hypothesis.len() as u128 * reference.len() as u128;
        if cells > MOST_CELLS {
            return Err(InputError::malformed(format!(
                "EED needs a table of {cells} cells for {} of hypothesis and {} of reference, but at most {MOST_CELLS} \
                 cells are allowed in one segment: score sentences, not whole documents",
                counted(hypothesis.len(), "character"),
                counted(reference.len(), "character"),
            )));
        }
        let places = hypothesis.len() + 1;
        let EedScratch { row, next, visits } = self;
        row.clear();
        row.resize(places, 1.0);
        row[0] = 0.0;
        next.clear();
        next.resize(places, 0.0);
        visits.clear();
        visits.resize(places, -1);
        for &r in reference {
            check_interrupt()?;
            next[0] = row[0] + 1.0;
            for (place, &h) in (1..).zip(hypothesis) {
                let pair = row[place - 1] + if h == r { 0.0 } else { 1.0 };
                next[place] = (next[place - 1] + DELETION).min(pair).min(row[place] + 1.0);
            }
            // The first of equal minima is the visited place, as in the program.
            let mut least = next[0];
            let mut at = 0;
            for (place, &cost) in next.iter().enumerate() {
                if cost < least {
                    (least, at) = (cost, place);
                }
            }
            visits[at] += 1;
            // Jumps are allowed only at spaces of the reference, so a jump never starts within a word.
            if r == ' ' {
                let jump = JUMP + least;
                next.iter_mut().for_each(|cost| *cost = cost.min(jump));
            }
            core::mem::swap(row, next);
        }
        let visited: i64 = visits.iter().map(|&visits| if visits < 0 { 1 } else { visits }).sum();
        let coverage = COVERAGE * visited as f64;
        Ok(((row[places - 1] + coverage) / (reference.len() as f64 + coverage)).min(1.0))
    }
}

mean_of_segments!(Eed, EedScratch, self => {
    let scale = Scale { direction: Direction::LowerIsBetter, ..Scale::UNIT };
    self.add_to_identity(Identity::new("eed", 1, scale)).named("EED")
});

impl Observe<str> for Eed {
    fn observe(&self, scratch: &mut EedScratch, sum: &mut ExactSum, segment: Segment<'_, str>) -> Result<()> {
        let prepared = |text: &str| prepare::prepare(text, self.language).chars().collect::<Vec<char>>();
        let hypothesis = prepared(segment.hypothesis);
        let distances = segment.references()?.iter();
        Ok(sum.add(lowest(distances.map(|reference| scratch.distance(&hypothesis, &prepared(reference))))?)?)
    }
}

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("eed", "Extended edit distance: edits of characters, with jumps at spaces", build)
        .papers(&[crate::paper("stanchev-etal-2019-eed")])
        .agrees_with("torchmetrics 1.9.0, its functions in 64 bits")
        .options(Eed::SPECS)
        .example(r#"{"hypothesis": "the cat sat on the mat", "references": ["the cat sat on a mat"]}"#);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    Ok(AnyMetric::for_text(Eed::from_options(options)?).with_case(Case::Mixed))
}

#[cfg(test)]
#[test]
fn both_languages_obey_the_laws() {
    for &language in <EedLanguage as bleuprint_core::Choice>::ALL {
        bleuprint_registry::laws::check_any(&AnyMetric::for_text(Eed::new(language)));
    }
}

#[cfg(test)]
#[test]
fn long_texts_have_a_limit_that_is_checked_before_the_work() {
    let long = vec!['a'; 20_000];
    let error = EedScratch::default().distance(&long, &long).unwrap_err().to_string();
    assert!(error.contains("400000000 cells for 20000 characters of hypothesis"), "{error}");
    assert!(EedScratch::default().distance(&long, &['a']).is_ok());
}
