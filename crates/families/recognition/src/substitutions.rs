//! Substitutions by class: how far a word is from the one in its place, and what a normalizer could mend.
//!
//! ```text
//! rate of a class = substitutions of the class / words of the references
//! ```
//!
//! A pair of an alignment belongs to the first class that fits. Each class forgives what those before it forgive: `Café,` and `cafe`
//! are of `marks`.
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
//! The classes add up to the substitutions of [`Like`]'s alignment, by default those of `wer`. From `compound` on, words are compared
//! as `marks` leaves them.
//!
//! | singular case | result |
//! |---|---|
//! | no word in the references | no score |
//! | several references, no reference | error |
//!
//! Range 0 to 1, lower is better. The definition is ours. Time is that of the alignment, and of the product of the lengths of the
//! words of each pair.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_recognition::{Like, Substitutions};
//!
//! let mut rate = Accumulator::<_, [&str]>::new(Substitutions::new(Like::Jiwer).unwrap());
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
use bleuprint_metrics::edit::{Operation, require_few_tokens};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt};
use bleuprint_text::{Chain, Normalizers, is_nonspacing};

use crate::Like;
use crate::like::{AlignTables, LIKE};
use crate::quotients::quotient;

/// Number words in lower case.
static NUMBERS: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("numbers.txt").lines().collect());

/// Behind digits.
const ENDINGS: [&str; 6] = ["", "st", "nd", "rd", "th", "s"];

/// The most words that are written together.
const MOST_JOINED: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
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
    Class: All "all", Case "case", Punctuation "punctuation", Marks "marks", Digits "digits", Compound "compound", Near "near",
    Other "other"
);

/// The metric.
#[derive(Debug, Clone)]
pub struct Substitutions {
    of: Class,
    like: Like,
    /// Of the first three classes.
    chains: Arc<[Chain; 3]>,
}

columns! {
    /// Words of references, and substitutions of each class.
    pub struct SubstitutionCounts {
        /// Words of references.
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
    fn of(&self, class: Class) -> u64 {
        let row = self.row();
        match class {
            Class::All => row[1..].iter().fold(0, |sum, count| sum.saturating_add(*count)),
            class => row[class as usize],
        }
    }
}

/// A word as the first three classes compare it.
type Forms = [String; 3];

impl Substitutions {
    /// The rate of all substitutions.
    ///
    /// # Errors
    /// None that data can cause: those of [`Normalizers::build`].
    pub fn new(like: Like) -> Result<Self, ConfigError> {
        let chain = |name| Normalizers::default().build(name);
        let chains = [chain("lower")?, chain("punct")?, chain("nfd")?];
        Ok(Substitutions { of: Class::All, like, chains: Arc::new(chains) })
    }

    fn forms(&self, word: &str) -> Forms {
        let [lower, punct, nfd] = &*self.chains;
        let lower = lower.apply(word);
        let plain = punct.apply(&lower);
        let mut bare = nfd.apply(&plain);
        bare.retain(|c| !is_nonspacing(c));
        [lower, plain, bare]
    }

    /// The class of the words at these places.
    fn class<T: AsRef<str>>(
        &self,
        tables: &mut PairTables,
        sides: [&[T]; 2],
        places: [usize; 2],
    ) -> Result<Class> {
        let [own, other] = [0, 1].map(|side| self.forms(sides[side][places[side]].as_ref()));
        let equal = own.iter().zip(&other).position(|(own, other)| own == other);
        if let Some(form) = equal {
            return Ok([Class::Case, Class::Punctuation, Class::Marks][form]);
        }
        if is_number(&own[0]) && is_number(&other[0]) {
            return Ok(Class::Digits);
        }
        let joined = self.is_joined(sides[0], places[0], [&own[2], &other[2]])
            || self.is_joined(sides[1], places[1], [&other[2], &own[2]]);
        if joined {
            return Ok(Class::Compound);
        }
        let [own, other] = [own, other].map(|[.., bare]| bare.chars().collect::<Vec<char>>());
        let longer = own.len().max(other.len()) as u64;
        let near = tables.edits(&own, &other)?.saturating_mul(3) <= longer;
        Ok(if near { Class::Near } else { Class::Other })
    }

    /// True if the word at this place and neighbours of it, written together, are the other word.
    fn is_joined<T: AsRef<str>>(&self, words: &[T], place: usize, [own, other]: [&str; 2]) -> bool {
        if own.is_empty() || !other.contains(own) {
            return false;
        }
        // Neighbours up to the first that is no part of the other word.
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
        quotient(stats.of(self.of), stats.words)
            .ok_or_else(|| InputError::no_score("substitutions", "the references have no word"))
    }
}

fn is_number(lower: &str) -> bool {
    let mut pieces = lower.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty()).peekable();
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
        Identity::new("substitutions", 1, Scale { direction: Direction::LowerIsBetter, ..Scale::UNIT })
            .option(LIKE, self.like)
            .option(OF, self.of)
            .needing(|needs| needs.one_reference = true)
    }

    fn finalize(&self, stats: &SubstitutionCounts, _: &SegmentCounts) -> Result<PlainScore> {
        let score = PlainScore::new(self.value(stats)?).with_count("substitutions", stats.of(Class::All));
        let named = stats.column_names().into_iter().zip(stats.row());
        Ok(named.fold(score, |score, (name, count)| score.with_count(name, count)))
    }

    fn number(&self, stats: &SubstitutionCounts, _: &SegmentCounts) -> Result<f64> {
        self.value(stats)
    }

    fn check(&self, stats: &SubstitutionCounts, counts: &SegmentCounts) -> Result<()> {
        stats.check_bounds(counts)?;
        InputError::require_at_most("substitutions", stats.of(Class::All), "words", stats.words)
    }
}

impl<T: AsRef<str> + Hash + Eq> Observe<[T]> for Substitutions {
    fn observe(
        &self,
        tables: &mut AlignTables,
        stats: &mut SubstitutionCounts,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let (hypothesis, reference) = (segment.hypothesis, segment.one_reference("substitutions")?);
        require_few_tokens(hypothesis, &[reference])?;
        let mut one = SubstitutionCounts { words: reference.len() as u64, ..SubstitutionCounts::default() };
        for chunk in self.like.align(tables, reference, hypothesis)? {
            if chunk.operation != Operation::Substitution {
                continue;
            }
            for places in chunk.reference.zip(chunk.hypothesis) {
                let class = self.class(&mut tables.1, [reference, hypothesis], places.into())?;
                *match class {
                    Class::Case => &mut one.case,
                    Class::Punctuation => &mut one.punctuation,
                    Class::Marks => &mut one.marks,
                    Class::Digits => &mut one.digits,
                    Class::Compound => &mut one.compound,
                    Class::Near => &mut one.near,
                    Class::All | Class::Other => &mut one.other,
                } += 1;
            }
        }
        stats.merge(&one)
    }
}

const OF: Opt<Class> = Opt::choice("substitutions-of")
    .finished("of", "of")
    .unless_default()
    .help("The class whose rate is the score, or all");

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "substitutions",
    "Substitutions by class: case, punctuation, marks, digits, compounds, near words, others",
    |options: &MetricOptions| {
        let metric = Substitutions { of: OF.of(options)?, ..Substitutions::new(LIKE.of(options)?)? };
        Ok(AnyMetric::over_tokens(metric).with_default_tokens("jiwer", Case::Mixed))
    },
)
.papers(&[crate::paper("levenshtein-1966-binary")])
.options(&[LIKE.spec, OF.spec]);
