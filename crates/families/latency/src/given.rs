//! [`Delays`]: the delays with which a system wrote its output, as in its log; [`Reference`]: the length of
//! the segment's reference.

use bleuprint_core::Form;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// The delays of the pieces (words or characters) in one segment's output, in the unit of the source length,
/// usually milliseconds.
///
/// In JSON this is an object. A line of SimulEval's `instances.log` is such an object; it contains the
/// reference, too.
///
/// ```
/// use bleuprint_latency::Delays;
/// let read = |text| serde_json::from_str::<Delays>(text);
/// let delays = read(r#"{"delays": [800, 1600.5], "source_length": 2000, "prediction": "a b"}"#).unwrap();
/// assert_eq!((delays.delays[1], delays.elapsed), (1600.5, None));
/// assert!(read(r#"{"delay": [], "source_length": 1}"#).unwrap_err().to_string().contains("unknown field `delay`"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(from = "SimulEvalLine")]
#[expect(clippy::exhaustive_structs, reason = "built with `..Delays::default()`")]
pub struct Delays {
    /// For each piece of the output: the amount of the source, in time or words, that the system had read
    /// before it wrote the piece.
    pub delays: Vec<f64>,
    /// The delays of the output's pieces including the system's computation time, for the option
    /// `times=elapsed`.
    pub elapsed: Option<Vec<f64>>,
    /// Length of the segment's source, in the unit of the delays.
    pub source_length: f64,
    /// Time from the start of the segment to the end of the whole recording, if segments are parts of a
    /// longer recording (option `form=long`). `None` is a recording without end.
    pub recording_end: Option<f64>,
}

impl Form for Delays {
    const NAME: &'static str = "delays";
    const FIELDS: &'static [(&'static str, &'static str)] = &[
        ("delays", "the source that was read before each piece of the output, in milliseconds"),
        ("elapsed", "the same with the time of computation, for times=elapsed"),
        ("source_length", "the length of the source, in milliseconds"),
        ("recording_end", "the end of the recording after the start of the segment, for form=long"),
    ];
    type Reference = Reference;
    type Source = IgnoredAny;
}

/// A line in a log of the evaluation tool SimulEval. Fields that start with an underscore are accepted but
/// not used.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SimulEvalLine {
    delays: Vec<f64>,
    #[serde(default)]
    elapsed: Option<Vec<f64>>,
    source_length: f64,
    #[serde(default)]
    recording_end: Option<f64>,
    #[serde(default, rename = "index")]
    _index: IgnoredAny,
    #[serde(default, rename = "prediction")]
    _prediction: IgnoredAny,
    #[serde(default, rename = "prediction_length")]
    _length: IgnoredAny,
}

impl From<SimulEvalLine> for Delays {
    fn from(line: SimulEvalLine) -> Self {
        let SimulEvalLine { delays, elapsed, source_length, recording_end, .. } = line;
        Delays { delays, elapsed, source_length, recording_end }
    }
}

/// The reference of a segment: its text, or only its number of words or characters.
///
/// ```
/// use bleuprint_latency::Reference;
/// let read = |text| serde_json::from_str::<Reference>(text).unwrap();
/// assert_eq!(read("\"a b\""), Reference::Text("a b".to_owned()));
/// assert_eq!(read("2"), Reference::Pieces(2));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
#[serde(untagged, expecting = "the text of a reference, or the number of its pieces")]
pub enum Reference {
    /// The text of the reference, whose words or characters are counted.
    Text(String),
    /// Number of words or characters of the reference.
    Pieces(u64),
}
