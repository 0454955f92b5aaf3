//! [`transcripts`]: reads STM and CTM files, or TRN files, as segments of transcribed speech.

use std::collections::{HashMap, HashSet};

use bleuprint_core::{InputError, Location, Result};
use bleuprint_text::read::{LeftOut, SpeechLine, SystemFiles, speech_lines};
use bleuprint_text::{Encoding, LineReader, whitespace};
use serde_json::{Map, Value, json};

use crate::Heard;
use crate::network::Network;

/// Reference text of a segment that is not scored: the segment is left out, and so are the hypothesis words
/// in its time.
const IGNORED: &str = "ignore_time_segment_in_scoring";

/// Tags that mark alternatives in CTM files, and the characters that mark them in texts.
const ALTERNATIVES: [(&str, &str); 3] = [("<ALT_BEGIN>", "{"), ("<ALT>", "/"), ("<ALT_END>", "}")];

/// Word of a hypothesis with its times and confidence. Braces and slashes of alternatives, and words of TRN
/// files, have no times.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CtmWord {
    /// Text of the word.
    pub word: String,
    /// Start and end of the word in seconds, if they are known.
    pub times: Option<[f64; 2]>,
    /// Confidence of the recognizer in the word, from 0 to 1, if it is known.
    pub confidence: Option<f64>,
}

/// Segment of transcribed speech: its reference text, and the hypothesis words within its time span.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Transcript {
    /// Id of the segment. In a TRN file it is the id in parentheses; in an STM file it is file, channel and
    /// start.
    pub id: String,
    /// Name of the speaker. In a TRN file it is the part of the id before the first `-` or, without `-`,
    /// before the first `_`.
    pub speaker: String,
    /// Name of the audio file, and channel; `None` for TRN files.
    pub file: Option<[String; 2]>,
    /// Label of the segment such as `<o,f0,male>`; `None` for TRN files.
    pub label: Option<String>,
    /// Start and end of the segment in seconds; `None` for TRN files.
    pub times: Option<[f64; 2]>,
    /// Text of the reference.
    pub reference: String,
    /// Words of the hypothesis.
    pub hypothesis: Vec<CtmWord>,
}

impl Transcript {
    /// Creates a segment from an utterance of a TRN file, given its id and texts.
    ///
    /// ```
    /// use bleuprint_sclite::Transcript;
    /// let one = Transcript::of_texts("ann-1", "a b", "a c");
    /// assert_eq!((&*one.speaker, &*one.text()), ("ann", "a c"));
    /// ```
    pub fn of_texts(id: &str, reference: &str, hypothesis: &str) -> Self {
        let speaker = id.split_once('-').or_else(|| id.split_once('_')).map_or(id, |(speaker, _)| speaker);
        let timed = |word: &str| CtmWord { word: word.to_owned(), times: None, confidence: None };
        Transcript {
            id: id.to_owned(),
            speaker: speaker.to_owned(),
            file: None,
            label: None,
            times: None,
            reference: reference.to_owned(),
            hypothesis: whitespace::split(hypothesis).map(timed).collect(),
        }
    }

    /// Applies `rewrite` to the texts of reference and hypothesis. A hypothesis word with times is rewritten
    /// separately, as in csrfilt.sh. If several words replace it, they share its time in equal parts; each
    /// alternative has the whole time. If the result is empty, the word is removed.
    ///
    /// ```
    /// use bleuprint_sclite::Transcript;
    /// let one = Transcript::of_texts("ann-1", "wanna go", "want to go");
    /// let one = one.rewritten(|text| text.replace("wanna", "{ wanna / want to }"));
    /// assert_eq!(one.reference, "{ wanna / want to } go");
    /// ```
    #[must_use]
    pub fn rewritten(self, rewrite: impl Fn(&str) -> String) -> Self {
        let reference = rewrite(&self.reference);
        let hypothesis = match self.times {
            None => Transcript::of_texts("", "", &rewrite(&self.text())).hypothesis,
            Some(_) => self.hypothesis.into_iter().flat_map(|timed| pieces(timed, &rewrite)).collect(),
        };
        Transcript { reference, hypothesis, ..self }
    }

    /// Returns the hypothesis words as one text.
    pub fn text(&self) -> String {
        self.hypothesis.iter().map(|timed| &*timed.word).collect::<Vec<_>>().join(" ")
    }

    /// Returns the hypothesis as a list of words with their confidences.
    pub fn heard(&self) -> Heard {
        Heard(self.hypothesis.iter().map(|timed| (timed.word.clone(), timed.confidence)).collect())
    }

    /// Returns the segment as a JSON object for a JSON Lines file, with `id`, `speaker`, `hypothesis` and
    /// `reference`. With `heard`, the hypothesis is a list of words with confidences, otherwise a text.
    pub fn record(&self, heard: bool) -> Map<String, Value> {
        let hypothesis = if heard { json!(self.heard()) } else { json!(self.text()) };
        let fields = [
            ("id", json!(self.id)),
            ("speaker", json!(self.speaker)),
            ("hypothesis", hypothesis),
            ("reference", json!(self.reference)),
        ];
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// Applies `rewrite` to one CTM word, and returns the words that replace it.
fn pieces(timed: CtmWord, rewrite: &impl Fn(&str) -> String) -> Vec<CtmWord> {
    let Some([start, end]) = timed.times else { return vec![timed] };
    let text = rewrite(&timed.word);
    let words: Vec<&str> = whitespace::split(&text).collect();
    let is_mark = |word: &&str| ALTERNATIVES.iter().any(|(_, mark)| mark == word);
    // Each run of words between marks is an alternative, and shares out the whole time of the original word.
    let of_run = |run: &[&str]| {
        let part = (end - start) / run.len() as f64;
        let times = move |at: usize| Some([start + part * at as f64, start + part * (at + 1) as f64]);
        let all = run.iter().enumerate().map(|(at, word)| {
            if is_mark(word) {
                CtmWord { word: (*word).to_owned(), times: None, confidence: None }
            } else {
                CtmWord { word: (*word).to_owned(), times: times(at), ..timed }
            }
        });
        all.collect::<Vec<_>>()
    };
    words.chunk_by(|one, next| !is_mark(one) && !is_mark(next)).flat_map(of_run).collect()
}

/// Reads a reference and a hypothesis from two files, `.stm` and `.ctm`, or two `.trn` files, and returns
/// their segments.
///
/// A word of a CTM file belongs to the first segment of its file and channel that ends after the word's
/// middle. Words after the last segment belong to the last segment. Alternatives belong to the segment of
/// their first word. Segments with the text `IGNORE_TIME_SEGMENT_IN_SCORING` are left out together with their
/// words. If the CTM file has no words for an audio file, all its reference words count as deletions. Each path may
/// be `NAME=FILE,FILE`, whose files are read as one. If `empty` is `true`, an utterance or a recording that one side
/// lacks has no words there, and a file may be empty.
///
/// ```no_run
/// let all = bleuprint_sclite::transcripts("ref.stm", "hyp.ctm", false).unwrap();
/// assert_eq!(all[0].speaker, "Ann");
/// ```
///
/// # Errors
/// Returns an error with file and line if a line is malformed, or if words belong to a file that the
/// reference lacks. In TRN, an utterance that one side lacks or has twice is an error too. So is a file without
/// utterances or words.
pub fn transcripts(reference: &str, hypothesis: &str, empty: bool) -> Result<Vec<Transcript>> {
    Ok(read(reference, hypothesis, TranscriptRules { braces: Braces::Alternatives, empty })?.segments)
}

/// Rules for reading transcripts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TranscriptRules<'m> {
    /// Meaning of braces.
    pub(crate) braces: Braces<'m>,
    /// `true` if an utterance or a recording that one side lacks has no words there, and a file may be empty.
    pub(crate) empty: bool,
}

/// Segments of two files, and what one side lacks.
#[derive(Debug)]
pub(crate) struct ReadTranscripts {
    pub(crate) segments: Vec<Transcript>,
    pub(crate) left_out: Option<LeftOut>,
}

/// Returns the fact that one side lacks some utterances or recordings, or `None` if it lacks none.
fn lacking(count: usize, of: usize, what: &str) -> Option<LeftOut> {
    let what = format!("{what} have no words on a side that lacks them");
    (count > 0).then_some(LeftOut { count: count as u64, of: of as u64, what })
}

/// Reads files like [`transcripts`], with other rules.
pub(crate) fn read(reference: &str, hypothesis: &str, rules: TranscriptRules<'_>) -> Result<ReadTranscripts> {
    let [references, hypotheses] = [reference, hypothesis].map(SystemFiles::parse);
    let end = |files: &SystemFiles, end: &str| files.paths.iter().all(|path| path.ends_with(end));
    match (end(&references, ".trn"), end(&references, ".stm") && end(&hypotheses, ".ctm")) {
        (true, _) => trn(&references, &hypotheses, rules),
        (_, true) => stm(&references, &hypotheses, rules),
        _ => {
            let message = "the file names must end in .stm and .ctm, or both in .trn";
            Err(InputError::malformed(message).at(Location::file(reference)))
        }
    }
}

/// Returns an error for a file without words, unless the rules allow silence.
fn require_words(files: &SystemFiles, what: &str, rules: TranscriptRules<'_>, any: bool) -> Result<()> {
    if any || rules.empty {
        return Ok(());
    }
    let message = format!("the file has no {what}; with --missing empty it counts as silence");
    Err(InputError::malformed(message).at(Location::file(&*files.name)))
}

/// Meaning of braces in transcripts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Braces<'m> {
    /// Braces mark alternatives, as in sclite.
    Alternatives,
    /// Braces are an error, because the metric with this name would count them as words.
    Refused(&'m str),
    /// Braces are parts of words.
    Plain,
}

impl Braces<'_> {
    fn check(self, text: &str) -> Result<()> {
        match self {
            Braces::Alternatives => Network::check(text),
            Braces::Refused(metric) if text.contains(['{', '}']) => Err(refused(metric, text)),
            Braces::Refused(_) | Braces::Plain => Ok(()),
        }
    }

    /// Returns an error if a word of a CTM file contains braces that are not allowed, or marks alternatives
    /// that are not allowed. `is_mark` is `true` for such a mark, for example `<ALT_BEGIN>`.
    fn check_word(self, word: &str, is_mark: bool) -> Result<()> {
        match self {
            Braces::Alternatives => Ok(()),
            Braces::Refused(metric) if is_mark => Err(refused(metric, word)),
            Braces::Plain if is_mark => Err(InputError::malformed(format!(
                "`{word}` marks alternatives, which have no plain text; --references alternatives reads them"
            ))),
            _ => self.check(word),
        }
    }
}

fn refused(metric: &str, text: &str) -> InputError {
    // Only the first word with a mark is shown, since an utterance can be long.
    let word = whitespace::split(text).find(|word| word.contains(['{', '}'])).unwrap_or(text);
    InputError::malformed(format!(
        "`{word}` marks alternatives, which {metric} would count as words; --references alternatives takes the \
         alternatives with the fewest errors, and --references plain counts braces as parts of words"
    ))
}

/// Reads a text file and calls `each` with every line that is neither blank nor a comment.
pub(crate) fn read_lines(path: &str, mut each: impl FnMut(&str, &Location) -> Result<()>) -> Result<()> {
    let mut lines = LineReader::open(path, Encoding::Utf8Sig)?;
    while lines.advance()? {
        let line = whitespace::strip(lines.line());
        if !line.is_empty() && !line.starts_with(";;") {
            let at = lines.location();
            each(line, &at).map_err(|error| error.at(at))?;
        }
    }
    Ok(())
}

/// Calls `each` with every line of several files, as [`read_lines`] does.
fn read_each(files: &SystemFiles, mut each: impl FnMut(&str, &Location) -> Result<()>) -> Result<()> {
    files.paths.iter().try_for_each(|path| read_lines(path, &mut each))
}

fn trn(
    reference: &SystemFiles,
    hypothesis: &SystemFiles,
    rules: TranscriptRules<'_>,
) -> Result<ReadTranscripts> {
    let TranscriptRules { braces, empty } = rules;
    let mut all: Vec<Transcript> = Vec::new();
    let mut places: HashMap<String, (usize, Location)> = HashMap::new();
    read_each(reference, |line, at| {
        let (text, id) = utterance(line)?;
        braces.check(text)?;
        if places.insert(id.to_owned(), (all.len(), at.clone())).is_some() {
            return Err(InputError::malformed(format!("the utterance `{id}` occurs twice")));
        }
        all.push(Transcript::of_texts(id, text, ""));
        Ok(())
    })?;
    require_words(reference, "utterance", rules, !all.is_empty())?;
    let known: HashSet<String> = places.keys().cloned().collect();
    let mut extra = HashSet::new();
    read_each(hypothesis, |line, _| {
        let (text, id) = utterance(line)?;
        braces.check(text)?;
        match places.remove(id) {
            Some((place, _)) => all[place].hypothesis = Transcript::of_texts("", "", text).hypothesis,
            None if empty && !known.contains(id) && extra.insert(id.to_owned()) => {
                all.push(Transcript::of_texts(id, "", text));
            }
            None if empty => {
                return Err(InputError::malformed(format!("the utterance `{id}` occurs twice")));
            }
            None => {
                return Err(InputError::malformed(format!(
                    "`{}` has no utterance `{id}`, or this is its second text; --missing empty gives it an empty reference",
                    reference.name
                )));
            }
        }
        Ok(())
    })?;
    let left_out = lacking(places.len() + extra.len(), all.len(), "utterances");
    // The first missing utterance in the order of the file, because a map has no order.
    match places.into_iter().min_by_key(|(_, (place, _))| *place).filter(|_| !empty) {
        None => Ok(ReadTranscripts { segments: all, left_out }),
        Some((id, (_, at))) => Err(InputError::malformed(format!(
            "`{}` has no utterance `{id}`; --missing empty counts all its words as deletions",
            hypothesis.name
        ))
        .at(at)),
    }
}

fn utterance(line: &str) -> Result<(&str, &str)> {
    let id = line.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    let id = id.filter(|(_, id)| !id.is_empty());
    id.ok_or_else(|| {
        InputError::malformed(
            "a line of TRN must end with the id of the utterance in parentheses: text (speaker-1)",
        )
    })
}

/// For each audio file and channel: the indices of its segments.
type Places = HashMap<[String; 2], Vec<usize>>;

fn stm(
    reference: &SystemFiles,
    hypothesis: &SystemFiles,
    rules: TranscriptRules<'_>,
) -> Result<ReadTranscripts> {
    let braces = rules.braces;
    let mut all: Vec<Transcript> = Vec::new();
    let mut places = Places::new();
    let mut segment = |line: SpeechLine<'_>| {
        let key = [line.file, line.channel].map(str::to_owned);
        places.entry(key.clone()).or_default().push(all.len());
        let start = line.times.map_or(0.0, |[start, _]| start);
        let reference = line.words.join(" ");
        braces.check(&reference)?;
        all.push(Transcript {
            id: format!("{} {} {start:?}", line.file, line.channel),
            speaker: line.speaker.unwrap_or_default().to_owned(),
            file: Some(key),
            label: line.label.map(str::to_owned),
            times: line.times,
            reference,
            hypothesis: Vec::new(),
        });
        Ok(())
    };
    reference.paths.iter().try_for_each(|path| speech_lines(path, |line, _| segment(line)))?;
    require_words(reference, "utterance", rules, !all.is_empty())?;
    // Equal or missing times keep the order of the file, because the sort is stable.
    for list in places.values_mut() {
        list.sort_by(|&one, &other| {
            all[one].times.partial_cmp(&all[other].times).unwrap_or(std::cmp::Ordering::Equal)
        });
    }
    let known = places.len();
    let words = ctm(hypothesis, &mut places, &mut all, reference, rules)?;
    require_words(hypothesis, "word", rules, !words.is_empty())?;
    let heard = words.len();
    for (key, mut words) in words {
        // CTM may list words in any order; segments and words are then walked together.
        words.sort_by(|one, other| one.middle.total_cmp(&other.middle));
        let list = &places[&key];
        let mut at = 0;
        for WordGroup { middle, words, .. } in words {
            // The last segment takes all later words, so that no recognized word is lost.
            while at + 1 < list.len() && all[list[at]].times.is_some_and(|[_, end]| end <= middle) {
                at += 1;
            }
            all[list[at]].hypothesis.extend(words);
        }
    }
    all.retain(|one| !one.reference.eq_ignore_ascii_case(IGNORED));
    // Recordings of one side alone: those that the reference got from the hypothesis, and those without words.
    let alone = places.len() - known + places.len() - heard;
    let left_out = lacking(alone, places.len(), "recordings").filter(|_| rules.empty);
    Ok(ReadTranscripts { segments: all, left_out })
}

/// Adds a segment without a reference, of the whole recording, for the words of a recording that the reference
/// lacks.
fn add_recording(all: &mut Vec<Transcript>, places: &mut Places, key: &[String; 2]) {
    let [file, channel] = key;
    places.insert(key.clone(), vec![all.len()]);
    all.push(Transcript {
        id: format!("{file} {channel} 0.0"),
        speaker: String::new(),
        file: Some(key.clone()),
        label: None,
        times: None,
        reference: String::new(),
        hypothesis: Vec::new(),
    });
}

/// Words of a CTM file that are assigned to the same segment: a single word, or all words of a group of
/// alternatives.
struct WordGroup {
    middle: f64,
    words: Vec<CtmWord>,
}

fn ctm(
    files: &SystemFiles,
    places: &mut Places,
    transcripts: &mut Vec<Transcript>,
    reference: &SystemFiles,
    rules: TranscriptRules<'_>,
) -> Result<HashMap<[String; 2], Vec<WordGroup>>> {
    let mut all: HashMap<[String; 2], Vec<WordGroup>> = HashMap::new();
    // File and channel of open alternatives, and the places where they begin.
    let mut open: Vec<([String; 2], Location)> = Vec::new();
    let mut word_of = |line: SpeechLine<'_>, at: &dyn Fn() -> Location| {
        let key = [line.file, line.channel].map(str::to_owned);
        if !places.contains_key(&key) && rules.empty {
            add_recording(transcripts, places, &key);
        } else if !places.contains_key(&key) {
            let [file, channel] = key;
            let message = format!(
                "`{}` has no segment of file `{file}` and channel `{channel}`; --missing empty counts its words as insertions",
                reference.name
            );
            return Err(InputError::malformed(message));
        }
        if let Some((_, begin)) = open.last().filter(|(begun, _)| *begun != key) {
            return Err(not_closed(begin));
        }
        let begun = !open.is_empty();
        rules.braces.check_word(line.words[0], line.times.is_none())?;
        let groups = all.entry(key.clone()).or_default();
        let word = match line.times {
            Some(_) => line.words[0],
            None => {
                let mark = ALTERNATIVES.iter().find(|(name, _)| name.eq_ignore_ascii_case(line.words[0]));
                let mark = mark.map_or("", |(_, mark)| *mark);
                match mark {
                    "{" => open.push((key, at())),
                    _ if !begun => {
                        let message = format!("`{}` needs <ALT_BEGIN> before it", line.words[0]);
                        return Err(InputError::malformed(message));
                    }
                    "}" => drop(open.pop()),
                    _ => {}
                }
                mark
            }
        };
        let timed = CtmWord { word: word.to_owned(), times: line.times, confidence: line.confidence };
        // sclite assigns words by their middle, so a word across a border belongs to the segment that has
        // most of it.
        let middle = timed.times.map(|[start, end]| start + (end - start) / 2.0);
        match groups.last_mut().filter(|_| begun) {
            Some(group) => {
                // A brace has no time, so the first word of the group gives the middle.
                group.middle = if group.middle.is_nan() { middle.unwrap_or(f64::NAN) } else { group.middle };
                group.words.push(timed);
            }
            None => groups.push(WordGroup { middle: middle.unwrap_or(f64::NAN), words: vec![timed] }),
        }
        Ok(())
    };
    files.paths.iter().try_for_each(|path| speech_lines(path, |line, at| word_of(line, at)))?;
    open.first().map_or(Ok(all), |(_, begin)| Err(not_closed(begin)))
}

fn not_closed(begin: &Location) -> InputError {
    InputError::malformed("these alternatives have no <ALT_END>").at(begin.clone())
}
