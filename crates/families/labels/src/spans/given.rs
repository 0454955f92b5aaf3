//! [`Marks`]: the spans of a text as data of a metric's own, a list of them or of the tags that they are read from.

use bleuprint_core::{Form, InputError, Result, counted};
use serde::Deserialize;

use super::in_order;
use super::scheme::{Scheme, Span};
use crate::read::require_equal;

/// The marks of one side of a segment. An empty list is no span.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged, expecting = "a list of spans [type, first, last], or a list of tags")]
pub(super) enum Marks {
    Spans(Vec<Mark>),
    Tags(Vec<String>),
}

/// A span: both ends are places of tokens from 0, and belong to it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mark {
    r#type: String,
    first: usize,
    last: usize,
}

impl Form for Marks {
    const NAME: &'static str = "spans";
    const FIELDS: &'static [(&'static str, &'static str)] = &[
        ("type", "the type of a span"),
        ("first", "the place of its first token, from 0"),
        ("last", "the place of its last token"),
    ];
    type Reference = Self;
    type Source = Self;
}

/// The spans of the reference and of the hypothesis, by their ends. Tags of one side limit the spans of the other.
///
/// # Errors
/// Unlike numbers of tags; a span without a type, that ends before it starts or behind the tags, or that stands twice.
pub(super) fn both<'t>(
    scheme: Scheme,
    reference: &'t Marks,
    hypothesis: &'t Marks,
) -> Result<[Vec<Span<'t>>; 2]> {
    let tokens = [reference, hypothesis].map(Marks::tokens);
    if let [Some(gold), Some(predicted)] = tokens {
        require_equal(gold, predicted)?;
    }
    let most = tokens[0].or(tokens[1]).unwrap_or(usize::MAX);
    Ok([reference.read(scheme, "reference", most)?, hypothesis.read(scheme, "hypothesis", most)?])
}

impl Marks {
    fn tokens(&self) -> Option<usize> {
        if let Marks::Tags(tags) = self { Some(tags.len()) } else { None }
    }

    fn read(&self, scheme: Scheme, side: &str, most: usize) -> Result<Vec<Span<'_>>> {
        let marks = match self {
            Marks::Tags(tags) => return scheme.spans(&tags.iter().map(String::as_str).collect::<Vec<_>>()),
            Marks::Spans(marks) => marks,
        };
        let mut spans = Vec::with_capacity(marks.len());
        for (at, Mark { r#type, first, last }) in marks.iter().enumerate() {
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
                return refused(format!("ends behind the last of {}", counted(most, "tag")));
            }
            spans.push((&**r#type, *first, *last));
        }
        spans.sort_unstable_by_key(in_order);
        match spans.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(&[(kind, first, last), ..]) => Err(InputError::malformed(format!(
                "the span `{kind}` from {first} to {last} stands twice in the {side}"
            ))),
            _ => Ok(spans),
        }
    }
}
