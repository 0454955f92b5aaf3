//! [`Prompt`]: the samples for one prompt as files and programs give them: verdicts (right or wrong), scores,
//! answers, or two counts.

use core::fmt;

use bleuprint_core::{Form, InputError, Result, number_text};
use serde::de::{Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Samples that a model generated for one prompt, with their verdicts, scores or answers.
///
/// | in JSON | read as |
/// |---|---|
/// | `{"n": 200, "c": 13}` | counts |
/// | `[true, false, null]` | verdicts; null is missing |
/// | `[1, 0, 0.25]` | verdicts or values |
/// | `["42", null, 41]` | answers; a whole number and its decimal text are one answer |
///
/// ```
/// use bleuprint_samples::{Prompt, Sample};
/// let read = |text| serde_json::from_str::<Prompt>(text);
/// assert_eq!(read(r#"{"n": 200, "c": 13}"#).unwrap(), Prompt::Counts { n: 200, c: 13 });
/// assert_eq!(read("[true, 0.5, null]").unwrap(), Prompt::Samples(vec![Sample::Verdict(true), Sample::Number(0.5), Sample::Missing]));
/// assert!(read(r#"{"n": 4, "C": 1}"#).unwrap_err().to_string().contains("unknown field `C`"));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Prompt {
    /// Summary of the prompt's samples: their number, and the number of right samples.
    Counts {
        /// Number of samples of the prompt.
        n: u32,
        /// Number of right samples of the prompt.
        c: u32,
    },
    /// The prompt's samples one by one, in the order in which they were generated.
    Samples(Vec<Sample>),
}

/// One sample of a prompt, or a reference answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Sample {
    /// Verdict on the sample: `true` if it is right.
    Verdict(bool),
    /// Score of the sample, such as a reward.
    Number(f64),
    /// Answer of the sample as text, for majority voting.
    Text(String),
    /// Missing data: the sample has neither verdict, score nor answer.
    Missing,
}

impl Form for Prompt {
    const NAME: &'static str = "prompt";
    const FIELDS: &'static [(&'static str, &'static str)] =
        &[("n", "the number of samples"), ("c", "the number of right samples")];
    /// Type of a reference: a right answer to the prompt.
    type Reference = Sample;
    type Source = Sample;
}

/// Creates a prompt from the scores of its samples.
impl<const N: usize> From<[f64; N]> for Prompt {
    fn from(values: [f64; N]) -> Self {
        Prompt::from(&values[..])
    }
}

/// Creates a prompt from the scores of its samples.
impl From<&[f64]> for Prompt {
    fn from(values: &[f64]) -> Self {
        Prompt::Samples(values.iter().map(|value| Sample::Number(*value)).collect())
    }
}

impl Prompt {
    /// Returns the scores of the prompt's samples. Verdicts become 1 and 0, and a missing score is NaN.
    ///
    /// # Errors
    /// Returns an error if counts have more right samples than samples, or if a sample is an answer.
    pub(crate) fn values(&self) -> Result<Vec<f64>> {
        match self {
            Prompt::Counts { n, c } => {
                let cell = crate::CountedSamples { n: *n, right: *c }.checked()?;
                let wrong = (cell.n - cell.right) as usize;
                // The order of counted samples is unknown; wrong ones come first, so that the values are
                // ascending.
                Ok((0..cell.n as usize).map(|place| if place < wrong { 0.0 } else { 1.0 }).collect())
            }
            Prompt::Samples(samples) => samples.iter().map(Sample::value).collect(),
        }
    }
}

impl Sample {
    fn value(&self) -> Result<f64> {
        match self {
            Sample::Verdict(right) => Ok(f64::from(u8::from(*right))),
            Sample::Number(value) => Ok(*value),
            Sample::Missing => Ok(f64::NAN),
            Sample::Text(text) => Err(InputError::malformed(format!(
                "a sample is the answer `{text}`, but a number is expected"
            ))),
        }
    }

    /// Returns the sample's answer as text, or `None` if it is missing.
    pub(crate) fn answer(&self) -> Option<String> {
        match self {
            Sample::Verdict(right) => Some(right.to_string()),
            Sample::Number(number) => Some(number_text(*number)),
            Sample::Text(text) => Some(text.clone()),
            Sample::Missing => None,
        }
    }
}

/// Converts a whole number to a sample: a score if `f64` holds it exactly, otherwise the text of an answer.
/// Answers to mathematical problems can have that many digits, but scores do not.
fn whole(number: i128) -> Sample {
    let value = number as f64;
    if value as i128 == number { Sample::Number(value) } else { Sample::Text(number.to_string()) }
}

struct SampleVisitor;

impl Visitor<'_> for SampleVisitor {
    type Value = Sample;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a verdict, a number, an answer or null")
    }
    fn visit_bool<E>(self, right: bool) -> Result<Sample, E> {
        Ok(Sample::Verdict(right))
    }
    fn visit_i64<E>(self, number: i64) -> Result<Sample, E> {
        Ok(whole(number.into()))
    }
    fn visit_u64<E>(self, number: u64) -> Result<Sample, E> {
        Ok(whole(number.into()))
    }
    fn visit_f64<E>(self, number: f64) -> Result<Sample, E> {
        Ok(Sample::Number(number))
    }
    fn visit_str<E>(self, text: &str) -> Result<Sample, E> {
        Ok(Sample::Text(text.to_owned()))
    }
    fn visit_unit<E>(self) -> Result<Sample, E> {
        Ok(Sample::Missing)
    }
}

impl<'de> Deserialize<'de> for Sample {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SampleVisitor)
    }
}

struct PromptVisitor;

const FIELDS: &[&str] = &["n", "c"];

impl<'de> Visitor<'de> for PromptVisitor {
    type Value = Prompt;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of samples, or their numbers n and c")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Prompt, A::Error> {
        let mut samples = Vec::new();
        while let Some(sample) = list.next_element()? {
            samples.push(sample);
        }
        Ok(Prompt::Samples(samples))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Prompt, A::Error> {
        let mut n = None;
        let mut c = None;
        while let Some(key) = map.next_key::<String>()? {
            let field = match key.as_str() {
                "n" => &mut n,
                "c" => &mut c,
                other => {
                    // The value is read before the error, so that the error's place is the key and not what
                    // follows.
                    map.next_value::<IgnoredAny>()?;
                    return Err(A::Error::unknown_field(other, FIELDS));
                }
            };
            if field.replace(map.next_value()?).is_some() {
                return Err(A::Error::custom(format!("the field `{key}` occurs twice")));
            }
        }
        let n = n.ok_or_else(|| A::Error::missing_field("n"))?;
        let c = c.ok_or_else(|| A::Error::missing_field("c"))?;
        Ok(Prompt::Counts { n, c })
    }
}

impl<'de> Deserialize<'de> for Prompt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PromptVisitor)
    }
}
