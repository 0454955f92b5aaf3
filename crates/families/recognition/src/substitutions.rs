//! Substitutions by class: how a wrong word differs from the right word, and which errors a normalizer could
//! repair.
//!
//! ```text
//! rate of a class = substitutions of the class / words of the references
//! ```
//!
//! A pair of aligned words belongs to the first class that fits. Each class also ignores the
//! differences that earlier classes ignore: `Café,` and `cafe` belong to `marks`.
//!
//! | class | words of the pair |
//! |---|---|
//! | `case` | equal in lower case |
//! | `punctuation` | equal in lower case without punctuation (category P); `-` and `--` too |
//! | `marks` | equal without the nonspacing marks (category Mn) of normal form D |
//! | `digits` | both are numbers: each piece of letters and digits is digits, digits before `st`, `nd`, `rd`, `th` or `s`, or an English number word of a list, from `zero` to `trillion` and from `first` to `millionth` |
//! | `compound` | one equals the other written together with its neighbours, eight words at most: `wi` of `wi fi` in the place of `wifi` |
//! | `near` | edits of characters, at most a third of the longer word |
//! | `other` | all others |
//!
//! The classes add up to the substitutions of [`AlignmentProgram`]'s alignment, by default the substitutions
//! of `wer`. The classes from `compound` on compare words in the same form as `marks`.
//!
//! | singular case | result |
//! |---|---|
//! | no word in the references | no score |
//! | several references, no reference | error |
//!
//! The range is 0 to 1, lower is better. The definition is this crate's. The running time is the time to
//! align the words, plus the product of the two words' lengths for each pair.
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_recognition::{AlignmentProgram, Substitutions};
//!
//! let mut rate = Accumulator::<_, [&str]>::new(Substitutions::new(AlignmentProgram::Jiwer).unwrap());
//! rate.push(&["anne", "saw", "20", "cafes"], &[&["Ann", "saw", "twenty", "Cafés"]]).unwrap();
//! let counts = rate.total().stats();
//! assert_eq!((counts.near, counts.digits, counts.marks, counts.other), (1, 1, 1, 0));
//! assert_eq!(rate.score().unwrap().value(), 0.75);
//! ```

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::{Arc, LazyLock};

use bleuprint_core::{
    Case, ConfigError, Direction, Identity, InputError, Linear as _, Metric, Observe, PlainScore, Result,
    Scale, Segment, SegmentCounts, Stats as _, columns,
};
use bleuprint_metrics::PairTables;
use bleuprint_metrics::edit::{EditOperation, require_few_tokens};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, settings};
use bleuprint_text::{Chain, Normalizers, is_nonspacing};

use crate::AlignmentProgram;
use crate::like::{AlignTables, LIKE};
use crate::quotients::quotient;

/// English number words in lower case.
static NUMBERS: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("numbers.txt").lines().collect());

/// Endings that may follow the digits of a number, as in `1st` or `1990s`.
const ENDINGS: [&str; 6] = ["", "st", "nd", "rd", "th", "s"];

/// Largest number of neighbouring words that are tried as the parts of a compound.
const MOST_JOINED: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SubstitutionClass {
    All,
    Case,
    Punctuation,
    Marks,
    Digits,
    Compound,
    Near,
    Other,
}

bleuprint_core::choice!(
    SubstitutionClass: All "all", Case "case", Punctuation "punctuation", Marks "marks", Digits "digits", Compound "compound", Near "near",
    Other "other"
);

/// Metric: number of word substitutions, of one class (such as letter case) or of all, per reference word.
#[derive(Debug, Clone)]
pub struct Substitutions {
    of: SubstitutionClass,
    like: AlignmentProgram,
    /// Normalizers under which two words become equal, for the substitution classes letter case, punctuation
    /// and marks.
    chains: Arc<[Chain; 3]>,
}

columns! {
    /// Numbers of reference words, and of substitutions in each class, such as letter case or punctuation.
    pub struct SubstitutionCounts {
        /// Number of words of the references.
        words,
        case <= words,
        punctuation <= words,
        marks <= words,
        digits <= words,
        compound <= words,
        near <= words,
        other <= words
    }
}

impl SubstitutionCounts {
    fn in_class(&self, class: SubstitutionClass) -> u64 {
        let row = self.row();
        match class {
            SubstitutionClass::All => row[1..].iter().fold(0, |sum, count| sum.saturating_add(*count)),
            class => row[class as usize],
        }
    }
}

/// Three normalized forms of a word: in lower case; then without punctuation, too; then without nonspacing
/// marks, too.
type Forms = [String; 3];

impl Substitutions {
    /// Creates the metric of the number of substituted words divided by the number of reference words. It
    /// counts substitutions of every class, such as letter case or punctuation. `like` is the program whose
    /// word alignment is used.
    ///
    /// # Errors
    /// Returns the errors of [`Normalizers::build`], which cannot occur for the normalizers used here.
    pub fn new(like: AlignmentProgram) -> Result<Self, ConfigError> {
        let chain = |name| Normalizers::default().build(name);
        let chains = [chain("lower")?, chain("punct")?, chain("nfd")?];
        Ok(Substitutions { of: SubstitutionClass::All, like, chains: Arc::new(chains) })
    }

    fn forms(&self, word: &str) -> Forms {
        let [lower, punct, nfd] = &*self.chains;
        let lower = lower.apply(word);
        let plain = punct.apply(&lower);
        let mut bare = nfd.apply(&plain);
        bare.retain(|c| !is_nonspacing(c));
        [lower, plain, bare]
    }

    /// Returns the class of a substitution, such as letter case, of the words at `places` in the two texts
    /// `sides`.
    fn class<T: AsRef<str>>(
        &self,
        tables: &mut PairTables,
        sides: [&[T]; 2],
        places: [usize; 2],
    ) -> Result<SubstitutionClass> {
        let [own, other] = [0, 1].map(|side| self.forms(sides[side][places[side]].as_ref()));
        // Each form ignores more than the form before, so the first equal form is the class.
        let equal = own.iter().zip(&other).position(|(own, other)| own == other);
        if let Some(form) = equal {
            return Ok(
                [SubstitutionClass::Case, SubstitutionClass::Punctuation, SubstitutionClass::Marks][form]
            );
        }
        if is_number(&own[0]) && is_number(&other[0]) {
            return Ok(SubstitutionClass::Digits);
        }
        // Either side may be the one that is split, so both directions are tried.
        let joined = self.is_joined(sides[0], places[0], [&own[2], &other[2]])
            || self.is_joined(sides[1], places[1], [&other[2], &own[2]]);
        if joined {
            return Ok(SubstitutionClass::Compound);
        }
        let [own, other] = [own, other].map(|[.., bare]| bare.chars().collect::<Vec<char>>());
        let longer = own.len().max(other.len()) as u64;
        // A third of the longer word, without division: three times the edits against the length.
        let near = tables.edits(&own, &other)?.saturating_mul(3) <= longer;
        Ok(if near { SubstitutionClass::Near } else { SubstitutionClass::Other })
    }

    /// Returns `true` if the word at `place` and words next to it, written as one word, equal the word
    /// `other`, as `note book` and `notebook`. `own` is the normalized word at `place`.
    fn is_joined<T: AsRef<str>>(&self, words: &[T], place: usize, [own, other]: [&str; 2]) -> bool {
        // Most pairs end here: a piece that the other word does not contain cannot be part of it.
        if own.is_empty() || !other.contains(own) {
            return false;
        }
        // Only neighbours that occur in the other word can belong to it, so the search stops at the first
        // that does not.
        let bare = |word: &T| {
            let [.., bare] = self.forms(word.as_ref());
            other.contains(&bare).then_some(bare)
        };
        let (before, from) = words.split_at(place);
        let mut near: Vec<String> = before.iter().rev().take(MOST_JOINED - 1).map_while(bare).collect();
        near.reverse();
        let place = near.len();
        near.extend(from.iter().take(MOST_JOINED).map_while(bare));
        (0..=place).any(|start| {
            let mut rest = Some(other);
            near.iter().enumerate().skip(start).take(MOST_JOINED).any(|(at, word)| {
                rest = rest.and_then(|rest| rest.strip_prefix(&**word));
                at >= place && rest == Some("")
            })
        })
    }

    fn value(&self, stats: &SubstitutionCounts) -> Result<f64> {
        quotient(stats.in_class(self.of), stats.words)
            .ok_or_else(|| InputError::no_score("substitutions", "the references have no word"))
    }
}

fn is_number(lower: &str) -> bool {
    let mut pieces = lower.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty()).peekable();
    // Pieces such as `1st`, `90s` and `twenty` of `twenty-one` each count as a number.
    let is_numeral = |piece: &str| {
        let end = piece.trim_start_matches(char::is_numeric);
        end.len() < piece.len() && ENDINGS.contains(&end) || NUMBERS.contains(piece)
    };
    pieces.peek().is_some() && pieces.all(is_numeral)
}

impl Metric for Substitutions {
    type Stats = SubstitutionCounts;
    type Score = PlainScore;
    type Scratch = AlignTables;

    fn identity(&self) -> Identity {
        let scale = Scale { direction: Direction::LowerIsBetter, ..Scale::UNIT };
        SubstitutionSettings { like: self.like, of: self.of }
            .add_to_identity(Identity::new("substitutions", 1, scale))
            .needing(|needs| needs.one_reference = true)
    }

    fn finalize(&self, stats: &SubstitutionCounts, _: &SegmentCounts) -> Result<PlainScore> {
        let score = PlainScore::new(self.value(stats)?)
            .with_count("substitutions", stats.in_class(SubstitutionClass::All));
        let named = stats.column_names().into_iter().zip(stats.row());
        Ok(named.fold(score, |score, (name, count)| score.with_count(name, count)))
    }

    fn number(&self, stats: &SubstitutionCounts, _: &SegmentCounts) -> Result<f64> {
        self.value(stats)
    }

    fn check(&self, stats: &SubstitutionCounts, counts: &SegmentCounts) -> Result<()> {
        stats.check_bounds(counts)?;
        InputError::require_at_most(
            "substitutions",
            stats.in_class(SubstitutionClass::All),
            "words",
            stats.words,
        )
    }
}

impl<T: AsRef<str> + Hash + Eq> Observe<[T]> for Substitutions {
    fn observe(
        &self,
        tables: &mut AlignTables,
        stats: &mut SubstitutionCounts,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let hypothesis = segment.hypothesis;
        let reference = segment.one_reference("substitutions")?;
        require_few_tokens(hypothesis, &[reference])?;
        let mut one = SubstitutionCounts { words: reference.len() as u64, ..SubstitutionCounts::default() };
        for chunk in self.like.align(tables, reference, hypothesis)? {
            if chunk.operation != EditOperation::Substitution {
                continue;
            }
            for places in chunk.reference.zip(chunk.hypothesis) {
                let class = self.class(&mut tables.1, [reference, hypothesis], places.into())?;
                *match class {
                    SubstitutionClass::Case => &mut one.case,
                    SubstitutionClass::Punctuation => &mut one.punctuation,
                    SubstitutionClass::Marks => &mut one.marks,
                    SubstitutionClass::Digits => &mut one.digits,
                    SubstitutionClass::Compound => &mut one.compound,
                    SubstitutionClass::Near => &mut one.near,
                    SubstitutionClass::All | SubstitutionClass::Other => &mut one.other,
                } += 1;
            }
        }
        stats.merge(&one)
    }
}

settings! {
    struct SubstitutionSettings {
        like: AlignmentProgram = LIKE;
        /// The class whose rate is the score, or all
        of: SubstitutionClass = Opt::choice("substitutions-of").finished("of", "of").unless_default();
    }
}

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "substitutions",
    "Substitutions by class: case, punctuation, marks, digits, compounds, near words, others",
    |options: &MetricOptions| {
        let SubstitutionSettings { like, of } = SubstitutionSettings::from_options(options)?;
        let metric = Substitutions { of, ..Substitutions::new(like)? };
        Ok(AnyMetric::for_tokens(metric).with_default_tokens("jiwer", Case::Mixed))
    },
)
.papers(&[crate::paper("levenshtein-1966-binary")])
.options(SubstitutionSettings::SPECS)
.example(r#"{"hypothesis": "the cat sat on the mat", "reference": "the cat sat on a mat"}"#);
