//! [`SpanMarks`]: the spans of a text, given as a list of spans or as a list of tags.

use bleuprint_core::{Form, InputError, Result, counted};
use serde::Deserialize;

use super::in_order;
use super::scheme::{Scheme, Span, TagAffix, refuse_row};
use crate::read::require_equal;

/// Name of the references' side in error messages.
const REFERENCE: &str = "reference";

/// The typed spans of a hypothesis or reference, given as spans or as one tag for each token. An empty list
/// means no spans.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged, expecting = "a list of spans [type, first, last], or a list of tags")]
pub(super) enum SpanMarks {
    Spans(Vec<SpanMark>),
    Tags(Vec<String>),
}

/// A typed span of tokens. Both ends are token positions from 0, and both belong to the span.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SpanMark {
    r#type: String,
    first: usize,
    last: usize,
}

impl Form for SpanMarks {
    const NAME: &'static str = "spans";
    const FIELDS: &'static [(&'static str, &'static str)] = &[
        ("type", "the type of a span"),
        ("first", "the place of its first token, from 0"),
        ("last", "the place of its last token"),
    ];
    type Reference = Self;
    type Source = Self;
}

/// Returns the spans of the reference and of the hypothesis, sorted by their ends. If one of them is given as
/// tags, the number of tags limits the spans of the other.
///
/// # Errors
/// Returns an error if the numbers of tags differ. Also returns an error for a span without a type, a span
/// whose end is before its start or after the last tag, and a span that the reference repeats.
pub(super) fn both<'t>(
    scheme: Scheme,
    affix: TagAffix,
    reference: &'t SpanMarks,
    hypothesis: &'t SpanMarks,
) -> Result<[Vec<Span<'t>>; 2]> {
    let tokens = [reference, hypothesis].map(SpanMarks::tokens);
    if let [Some(gold), Some(predicted)] = tokens {
        require_equal(gold, predicted)?;
    }
    let most = tokens[0].or(tokens[1]).unwrap_or(usize::MAX);
    let read = |marks: &'t SpanMarks, side: &str| marks.read(scheme, affix, side, most);
    Ok([read(reference, REFERENCE)?, read(hypothesis, "hypothesis")?])
}

impl SpanMarks {
    fn tokens(&self) -> Option<usize> {
        if let SpanMarks::Tags(tags) = self { Some(tags.len()) } else { None }
    }

    fn read(&self, scheme: Scheme, affix: TagAffix, side: &str, most: usize) -> Result<Vec<Span<'_>>> {
        let marks = match self {
            SpanMarks::Tags(tags) => {
                let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
                refuse_row(tags.iter().copied(), affix)?;
                return scheme.spans(&tags, affix);
            }
            SpanMarks::Spans(marks) => marks,
        };
        let mut spans = Vec::with_capacity(marks.len());
        for (at, SpanMark { r#type, first, last }) in marks.iter().enumerate() {
            let refused = |why: String| {
                let message =
                    format!("span {} of the {side}, `{type}` from {first} to {last}, {why}", at + 1);
                Err(InputError::malformed(message))
            };
            if r#type.is_empty() {
                return refused("has no type: write `_`".into());
            } else if last < first {
                return refused("ends before it starts".into());
            } else if *last >= most {
                return refused(format!("ends after the last of {}", counted(most, "tag")));
            }
            spans.push((&**r#type, *first, *last));
        }
        // Spans are counted by a merge of two sorted lists, which needs this order. A model may repeat a span,
        // which is a false alarm; a repetition in a reference is a fault of the data.
        spans.sort_unstable_by_key(in_order);
        match spans.windows(2).find(|pair| pair[0] == pair[1] && side == REFERENCE) {
            Some(&[(kind, first, last), ..]) => Err(InputError::malformed(format!(
                "the span `{kind}` from {first} to {last} occurs twice in the {side}"
            ))),
            _ => Ok(spans),
        }
    }
}
