//! [`transcripts`]: files of STM with CTM, or of TRN, as segments.

use std::collections::HashMap;

use bleuprint_core::{InputError, Location, Result, counted};
use bleuprint_text::{Encoding, Lines, whitespace};

/// The text of a segment that is left out with its words.
const IGNORED: &str = "ignore_time_segment_in_scoring";

/// Alternatives as CTM has them, and as texts have them.
const ALTERNATIVES: [(&str, &str); 3] = [("<ALT_BEGIN>", "{"), ("<ALT>", "/"), ("<ALT_END>", "}")];

/// A word of a hypothesis; without times a brace or a slash of alternatives, or a word of TRN.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Timed {
    /// The word.
    pub word: String,
    /// Its start and end in seconds.
    pub times: Option<[f64; 2]>,
    /// Its confidence.
    pub confidence: Option<f64>,
}

/// A segment of the reference with the words that fall to it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Transcript {
    /// Of TRN the id in parentheses; of STM file, channel and start.
    pub id: String,
    /// The speaker; of TRN the id before its first `-`, or without that its first `_`.
    pub speaker: String,
    /// Of STM the file and the channel.
    pub file: Option<[String; 2]>,
    /// Of STM start and end in seconds.
    pub times: Option<[f64; 2]>,
    /// The text of the reference.
    pub reference: String,
    /// The words of the hypothesis.
    pub hypothesis: Vec<Timed>,
}

impl Transcript {
    /// The hypothesis as a text.
    pub fn text(&self) -> String {
        self.hypothesis.iter().map(|timed| &*timed.word).collect::<Vec<_>>().join(" ")
    }
}

/// Reads a reference and a hypothesis: `.stm` and `.ctm`, or two `.trn`.
///
/// A word of CTM belongs to the first segment of its file and channel that ends after the word's middle, the last words to the last
/// segment; alternatives go with their first word. Segments whose text is `IGNORE_TIME_SEGMENT_IN_SCORING` are left out with their words. A
/// file that the CTM lacks is deleted as a whole.
///
/// ```no_run
/// let all = bleuprint_sclite::transcripts("ref.stm", "hyp.ctm").unwrap();
/// assert_eq!(all[0].speaker, "Ann");
/// ```
///
/// # Errors
/// Malformed lines, with file and line; words of a file that the reference lacks; utterances of TRN that one side lacks or has twice.
pub fn transcripts(reference: &str, hypothesis: &str) -> Result<Vec<Transcript>> {
    match (reference.ends_with(".trn"), reference.ends_with(".stm") && hypothesis.ends_with(".ctm")) {
        (true, _) => trn(reference, hypothesis),
        (_, true) => stm(reference, hypothesis),
        _ => {
            let message = "the names of the files end in .stm and .ctm, or both in .trn";
            Err(InputError::malformed(message).at(Location::file(reference)))
        }
    }
}

/// Calls `each` with every line that is neither blank nor a comment.
fn read(path: &str, mut each: impl FnMut(&str, &Location) -> Result<()>) -> Result<()> {
    let mut lines = Lines::open(path, Encoding::Utf8Sig)?;
    while lines.advance()? {
        let line = whitespace::strip(lines.line());
        if !line.is_empty() && !line.starts_with(";;") {
            let at = lines.location();
            each(line, &at).map_err(|error| error.at(at))?;
        }
    }
    Ok(())
}

fn trn(reference: &str, hypothesis: &str) -> Result<Vec<Transcript>> {
    let mut all: Vec<Transcript> = Vec::new();
    let mut places: HashMap<String, (usize, Location)> = HashMap::new();
    read(reference, |line, at| {
        let (text, id) = utterance(line)?;
        if places.insert(id.to_owned(), (all.len(), at.clone())).is_some() {
            return Err(InputError::malformed(format!("the utterance `{id}` is there twice")));
        }
        let speaker =
            id.split_once('-').or_else(|| id.split_once('_')).map_or(id, |(speaker, _)| speaker).to_owned();
        let (id, reference) = (id.to_owned(), text.to_owned());
        all.push(Transcript { id, speaker, file: None, times: None, reference, hypothesis: Vec::new() });
        Ok(())
    })?;
    read(hypothesis, |line, _| {
        let (text, id) = utterance(line)?;
        let Some((place, _)) = places.remove(id) else {
            return Err(InputError::malformed(format!(
                "`{reference}` has no utterance `{id}`, or this is its second text"
            )));
        };
        let words = whitespace::split(text);
        all[place].hypothesis =
            words.map(|word| Timed { word: word.to_owned(), times: None, confidence: None }).collect();
        Ok(())
    })?;
    match places.into_iter().min_by_key(|(_, (place, _))| *place) {
        None => Ok(all),
        Some((id, (_, at))) => {
            Err(InputError::malformed(format!("`{hypothesis}` has no utterance `{id}`")).at(at))
        }
    }
}

fn utterance(line: &str) -> Result<(&str, &str)> {
    let id = line.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    let id = id.filter(|(_, id)| !id.is_empty());
    id.ok_or_else(|| {
        InputError::malformed(
            "a line of TRN ends in the id of the utterance in parentheses: text (speaker-1)",
        )
    })
}

fn seconds(what: &str, field: &str) -> Result<f64> {
    let number = field.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number
        .ok_or_else(|| InputError::malformed(format!("the {what} `{field}` is no number of seconds from 0")))
}

fn stm(reference: &str, hypothesis: &str) -> Result<Vec<Transcript>> {
    let mut all: Vec<Transcript> = Vec::new();
    // The segments of a file and channel.
    let mut places: HashMap<[String; 2], Vec<usize>> = HashMap::new();
    read(reference, |line, _| {
        let fields: Vec<&str> = whitespace::split(line).collect();
        let [file, channel, speaker, start, end, words @ ..] = &fields[..] else {
            let given = counted(fields.len(), "field");
            let message = format!(
                "{given}, but a line of STM has at least 5: file, channel, speaker, start, end, words"
            );
            return Err(InputError::malformed(message));
        };
        let times = [seconds("start", start)?, seconds("end", end)?];
        if times[1] < times[0] {
            return Err(InputError::malformed(format!(
                "the segment ends at {end} s, before its start at {start} s"
            )));
        }
        let words = match words {
            [label, words @ ..] if label.starts_with('<') && label.ends_with('>') => words,
            words => words,
        };
        let key = [(*file).to_owned(), (*channel).to_owned()];
        places.entry(key.clone()).or_default().push(all.len());
        all.push(Transcript {
            id: format!("{file} {channel} {start}"),
            speaker: (*speaker).to_owned(),
            file: Some(key),
            times: Some(times),
            reference: words.join(" "),
            hypothesis: Vec::new(),
        });
        Ok(())
    })?;
    for list in places.values_mut() {
        list.sort_by(|&one, &other| {
            all[one].times.partial_cmp(&all[other].times).unwrap_or(std::cmp::Ordering::Equal)
        });
    }
    let words = ctm(hypothesis, &places, reference)?;
    for (key, mut words) in words {
        words.sort_by(|one, other| one.middle.total_cmp(&other.middle));
        let list = &places[&key];
        let mut at = 0;
        for Group { middle, words, .. } in words {
            while at + 1 < list.len() && all[list[at]].times.is_some_and(|[_, end]| end <= middle) {
                at += 1;
            }
            all[list[at]].hypothesis.extend(words);
        }
    }
    all.retain(|one| !one.reference.eq_ignore_ascii_case(IGNORED));
    Ok(all)
}

/// A word, or the words of alternatives.
struct Group {
    middle: f64,
    words: Vec<Timed>,
}

fn ctm(
    path: &str,
    places: &HashMap<[String; 2], Vec<usize>>,
    reference: &str,
) -> Result<HashMap<[String; 2], Vec<Group>>> {
    let mut all: HashMap<[String; 2], Vec<Group>> = HashMap::new();
    // The number of open alternatives.
    let mut open = 0_u32;
    read(path, |line, _| {
        let fields: Vec<&str> = whitespace::split(line).collect();
        let [file, channel, start, duration, word, rest @ ..] = &fields[..] else {
            let given = counted(fields.len(), "field");
            let message = format!(
                "{given}, but a line of CTM has 5 or 6: file, channel, start, duration, word, confidence"
            );
            return Err(InputError::malformed(message));
        };
        let key = [(*file).to_owned(), (*channel).to_owned()];
        if !places.contains_key(&key) {
            let message = format!("`{reference}` has no segment of file `{file}` and channel `{channel}`");
            return Err(InputError::malformed(message));
        }
        if let Some(more) = rest.get(1) {
            let message = format!("`{more}` after the confidence: a line of CTM has 5 or 6 fields");
            return Err(InputError::malformed(message));
        }
        let groups = all.entry(key).or_default();
        let begun = open > 0;
        let timed = match ALTERNATIVES.iter().position(|(name, _)| name.eq_ignore_ascii_case(word)) {
            Some(kind) => {
                match kind {
                    0 => open += 1,
                    2 => open = open.saturating_sub(1),
                    _ => {}
                }
                Timed { word: ALTERNATIVES[kind].1.to_owned(), times: None, confidence: None }
            }
            None => {
                let (start, duration) = (seconds("start", start)?, seconds("duration", duration)?);
                let confidence = rest.first().map(|field| {
                    let number = field.parse().ok().filter(|number: &f64| (0.0..=1.0).contains(number));
                    number.ok_or_else(|| {
                        InputError::malformed(format!("the confidence `{field}` is no number from 0 to 1"))
                    })
                });
                let (times, confidence) = (Some([start, start + duration]), confidence.transpose()?);
                Timed { word: (*word).to_owned(), times, confidence }
            }
        };
        let middle = timed.times.map(|[start, end]| start + (end - start) / 2.0);
        match groups.last_mut().filter(|_| begun) {
            Some(group) => {
                // A brace has no time, so the first word tells it.
                group.middle = if group.middle.is_nan() { middle.unwrap_or(f64::NAN) } else { group.middle };
                group.words.push(timed);
            }
            None => groups.push(Group { middle: middle.unwrap_or(f64::NAN), words: vec![timed] }),
        }
        Ok(())
    })?;
    Ok(all)
}
