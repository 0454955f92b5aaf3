//! [`Utterance`]: reads a meeting transcript from the list of tokens that metrics receive.

use core::ops::Range;

use bleuprint_core::{InputError, Result};

use crate::timing::{LIMIT, within_limit};

/// Control characters in the header of an utterance, the token that precedes its words: `HEAD` begins it,
/// `FIELD` separates its fields, and `SESSION` precedes the id of the session. Whitespace tokenizers remove all of
/// them from words.
const HEAD: char = '\u{1e}';
const FIELD: char = '\u{1f}';
const SESSION: char = '\u{1d}';

/// Utterance of a meeting: its speaker, its times, and the positions of its words in the list of tokens.
///
/// A meeting transcript is a list of tokens: for each utterance a header token and then its words. The header
/// has the number of words, so a word that looks like a header is still read as a word.
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
    /// Label of the speaker.
    pub speaker: &'t str,
    /// Start and end of the utterance in seconds, if they are known: from -1e7 to 1e7, and the end is not
    /// before the start.
    pub times: Option<[f64; 2]>,
    /// Index range of the utterance's words in the list of tokens.
    pub words: Range<usize>,
    /// Id of the session, if it is known.
    pub session: Option<&'t str>,
}

impl<'t> Utterance<'t> {
    /// Returns the token that must precede an utterance's words in the list of tokens of a meeting. It
    /// contains the speaker, the start and end in seconds if they are known, and the number of words.
    pub fn head(speaker: &str, times: Option<[f64; 2]>, words: usize) -> String {
        match times {
            Some([start, end]) => format!("{HEAD}{words}{FIELD}{start}{FIELD}{end}{FIELD}{speaker}"),
            None => format!("{HEAD}{words}{FIELD}{FIELD}{FIELD}{speaker}"),
        }
    }

    /// Returns the header token of an utterance, with the id of its session.
    pub(crate) fn head_in(
        session: Option<&str>,
        speaker: &str,
        times: Option<[f64; 2]>,
        words: usize,
    ) -> String {
        let head = Self::head(speaker, times, words);
        // An id with a separator would end the field early.
        match session.filter(|session| !session.contains(FIELD)).zip(head.split_once(FIELD)) {
            Some((session, (words, rest))) => format!("{words}{SESSION}{session}{FIELD}{rest}"),
            None => head,
        }
    }

    /// Reads all utterances of a meeting from its tokens. They are sorted by start if times are known, with
    /// ties in the order of the input; otherwise they keep the order of the input.
    ///
    /// # Errors
    /// Returns an error if the tokens are not a session, if only some utterances have times, or if an end is
    /// before its start.
    pub fn all(tokens: &'t [&'t str]) -> Result<Vec<Self>> {
        let mut utterances: Vec<Utterance<'t>> = Vec::new();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let utterance = Self::of_head(token, at + 1).filter(|read| read.words.end <= tokens.len());
            let utterance = utterance.ok_or_else(no_session)?;
            at = utterance.words.end;
            utterances.push(utterance);
        }
        // Without times all starts are 0, and the stable sort keeps the order of the input.
        check_times(&utterances)?;
        let start = |utterance: &Utterance<'_>| utterance.times.map_or(0.0, |[start, _]| start);
        utterances.sort_by(|one, other| start(one).total_cmp(&start(other)));
        Ok(utterances)
    }

    /// Parses the header token of an utterance whose words begin at index `first`. Returns `None` if the
    /// header is malformed.
    fn of_head(head: &'t str, first: usize) -> Option<Self> {
        let mut fields = head.strip_prefix(HEAD)?.splitn(4, FIELD);
        let words = fields.next()?;
        let (words, session) =
            words.split_once(SESSION).map_or((words, None), |(words, id)| (words, Some(id)));
        let words = words.parse().ok()?;
        let start = fields.next()?;
        let end = fields.next()?;
        let speaker = fields.next()?;
        let times = match (start, end) {
            ("", "") => None,
            (start, end) => Some([start.parse().ok()?, end.parse().ok()?]),
        };
        Some(Utterance { speaker, times, words: first..usize::checked_add(first, words)?, session })
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
        "this is not a session of speakers: the metric observes the words of each speaker with their times, as JSON (SegLST); \
         use --speakers to read files of sessions",
    )
}
