//! [`Utterance`]: a session of several speakers as a list of tokens, which metrics observe.

use core::ops::Range;

use bleuprint_core::{InputError, Result};

use crate::timing::{LIMIT, within_limit};

/// What begins the head of an utterance, and what separates its fields. No whitespace tokenizer leaves them in a word.
const HEAD: char = '\u{1e}';
const FIELD: char = '\u{1f}';

/// An utterance of a session: who spoke, when, and which tokens of the session are its words.
///
/// A session is a list of tokens: for each utterance its head, then its words. The head counts the words, so a word that
/// looks like a head is none.
///
/// ```
/// use bleuprint_meetings::Utterance;
/// let heads = [Utterance::head("A", Some([0.5, 2.0]), 2), Utterance::head("B", Some([1.0, 3.0]), 0)];
/// let session = [&heads[0], "good", "morning", &heads[1]];
/// let utterances = Utterance::all(&session).unwrap();
/// assert_eq!((utterances[0].speaker, utterances[0].times), ("A", Some([0.5, 2.0])));
/// assert_eq!(session[utterances[0].words.clone()], ["good", "morning"]);
/// assert!(Utterance::all(&["good", "morning"]).is_err());
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Utterance<'t> {
    /// The speaker.
    pub speaker: &'t str,
    /// The start and the end in seconds, where they are known: from -1e7 to 1e7, the end not before the start.
    pub times: Option<[f64; 2]>,
    /// The words, by their place in the session.
    pub words: Range<usize>,
}

impl<'t> Utterance<'t> {
    /// The head of an utterance with this number of words.
    pub fn head(speaker: &str, times: Option<[f64; 2]>, words: usize) -> String {
        match times {
            Some([start, end]) => format!("{HEAD}{words}{FIELD}{start}{FIELD}{end}{FIELD}{speaker}"),
            None => format!("{HEAD}{words}{FIELD}{FIELD}{FIELD}{speaker}"),
        }
    }

    /// The utterances of a session, in order of start where times are known (equal starts in order of input), else in
    /// order of input.
    ///
    /// # Errors
    /// Tokens that are no session; times of some utterances only; an end before its start.
    pub fn all(tokens: &'t [&'t str]) -> Result<Vec<Self>> {
        let mut utterances: Vec<Utterance<'t>> = Vec::new();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let utterance = Self::of_head(token, at + 1).filter(|read| read.words.end <= tokens.len());
            let utterance = utterance.ok_or_else(no_session)?;
            at = utterance.words.end;
            utterances.push(utterance);
        }
        check_times(&utterances)?;
        let start = |utterance: &Utterance<'_>| utterance.times.map_or(0.0, |[start, _]| start);
        utterances.sort_by(|one, other| start(one).total_cmp(&start(other)));
        Ok(utterances)
    }

    /// The utterance with this head, whose words begin at `first`.
    fn of_head(head: &'t str, first: usize) -> Option<Self> {
        let mut fields = head.strip_prefix(HEAD)?.splitn(4, FIELD);
        let (words, start, end) = (fields.next()?.parse().ok()?, fields.next()?, fields.next()?);
        let speaker = fields.next()?;
        let times = match (start, end) {
            ("", "") => None,
            (start, end) => Some([start.parse().ok()?, end.parse().ok()?]),
        };
        Some(Utterance { speaker, times, words: first..usize::checked_add(first, words)? })
    }
}

fn check_times(utterances: &[Utterance<'_>]) -> Result<()> {
    let timed = utterances.iter().filter(|utterance| utterance.times.is_some()).count();
    if ![0, utterances.len()].contains(&timed) {
        let all = utterances.len();
        return Err(InputError::malformed(format!(
            "{timed} of {all} utterances of a session have times; all must have them, or none"
        )));
    }
    for Utterance { speaker, times, .. } in utterances {
        let Some([start, end]) = times else { continue };
        if !(within_limit(*start) && within_limit(*end) && start <= end) {
            return Err(InputError::malformed(format!(
                "an utterance of `{speaker}` is from {start} to {end}: both must be {LIMIT}, and the end not before \
                 the start"
            )));
        }
    }
    Ok(())
}

fn no_session() -> InputError {
    InputError::malformed(
        "this is no session of speakers: the metric observes the words of each with their times, as JSON (SegLST); files \
         of sessions are given with --speakers",
    )
}
