//! [`Scheme`]: the readings of tags as spans: conlleval's, which takes any tag, and six strict schemes.

use bleuprint_core::{Choice, InputError, Result};

/// A span: its type, its first tag and its last.
pub(crate) type Span<'t> = (&'t str, usize, usize);

bleuprint_core::choice! {
    /// The reading of tags.
    pub enum Scheme {
        /// Any tags, as conlleval and seqeval read them by default: `I-PER` without a `B` before begins a span. `U` and `L`
        /// have no meaning.
        Default = "default",
        /// `B` only between spans of one type.
        Iob1 = "IOB1",
        /// `B` begins every span.
        Iob2 = "IOB2",
        /// `E` only between spans of one type.
        Ioe1 = "IOE1",
        /// `E` ends every span.
        Ioe2 = "IOE2",
        /// `B`, `I`, `E`, and `S` for a span of one tag.
        Iobes = "IOBES",
        /// `B`, `I`, `L`, and `U` for a span of one tag.
        Bilou = "BILOU",
    }
}

/// A tag: the prefix, and the type of its span.
type Tag<'t> = (char, &'t str);

const OUTSIDE: Tag<'static> = ('O', NO_TYPE);
/// The type of a tag without one.
const NO_TYPE: &str = "_";

/// A strict scheme: its prefixes, and the pairs of tags that start a span, lie inside of it, or end it. A pair is the prefix
/// before (`*` is any) and this one; behind them `=` is for one type, `/` for two, nothing for either.
struct Pairs {
    prefixes: &'static str,
    start: &'static str,
    inside: &'static str,
    end: &'static str,
}

impl Scheme {
    fn pairs(self) -> Option<Pairs> {
        let [prefixes, start, inside, end] = match self {
            Scheme::Default => return None,
            Scheme::Iob1 => ["IOB", "OI II/ BI IB= BB=", "BI= II=", "II/ IO IB BO BI/ BB="],
            Scheme::Iob2 => ["IOB", "*B", "BI= II=", "IO II/ IB BO BI/ BB"],
            Scheme::Ioe1 => ["IOE", "OI II/ EI EE=", "II= IE=", "II/ IO IE/ EI= EE="],
            Scheme::Ioe2 => ["IOE", "OI OE EI EE II/ IE/", "IE= II=", "E*"],
            Scheme::Iobes => ["IOBES", "*B *S", "BI= BE= II= IE=", "S* E*"],
            Scheme::Bilou => ["BILOU", "*B *U", "BI= BL= II= IL=", "U* L*"],
        };
        Some(Pairs { prefixes, start, inside, end })
    }

    /// The spans of a sequence of tags, in order.
    ///
    /// # Errors
    /// An empty tag; a prefix outside a strict scheme.
    pub(crate) fn spans<'t>(self, tags: &[&'t str]) -> Result<Vec<Span<'t>>> {
        match self.pairs() {
            None => Ok(loose(tags.iter().copied())?.0),
            Some(pairs) => {
                let strict = |tag: &&'t str| strict_tag(tag, self, pairs.prefixes);
                let mut tags = tags.iter().map(strict).collect::<Result<Vec<_>>>()?;
                tags.push(OUTSIDE);
                Ok(pairs.spans(&tags))
            }
        }
    }
}

fn first(tag: &str) -> Result<(char, &str)> {
    let mut chars = tag.chars();
    let prefix =
        chars.next().ok_or_else(|| InputError::malformed("an empty tag: write O outside of spans"))?;
    Ok((prefix, chars.as_str()))
}

fn or_none(kind: &str) -> &str {
    if kind.is_empty() { NO_TYPE } else { kind }
}

/// The type is what stands behind the first `-` after the prefix; without one, everything behind the prefix.
fn loose_tag(tag: &str) -> Result<Tag<'_>> {
    let (prefix, rest) = first(tag)?;
    let kind = rest.strip_prefix('-').or_else(|| rest.split_once('-').map(|(_, kind)| kind));
    Ok((prefix, or_none(kind.unwrap_or(rest))))
}

fn strict_tag<'t>(tag: &'t str, scheme: Scheme, prefixes: &str) -> Result<Tag<'t>> {
    let (prefix, rest) = first(tag)?;
    if !prefixes.contains(prefix) {
        let known: Vec<String> = prefixes.chars().map(String::from).collect();
        return Err(InputError::malformed(format!(
            "the tag `{tag}` has no prefix of {}; expected one of: {}",
            scheme.name(),
            known.join(", ")
        )));
    }
    Ok((prefix, or_none(rest.trim_matches('-'))))
}

/// The spans of any tags, and the number of tags.
///
/// # Errors
/// An empty tag.
pub(super) fn loose<'t>(tags: impl Iterator<Item = &'t str>) -> Result<(Vec<Span<'t>>, usize)> {
    let (mut spans, mut at, mut begin, mut before) = (Vec::new(), 0, 0, ('O', ""));
    let outside = |prefix: char| matches!(prefix, 'O' | '.');
    let mut tags = tags.map(loose_tag);
    loop {
        let next = tags.next().transpose()?;
        let tag = next.unwrap_or(OUTSIDE);
        // Most tags, and the one before, are outside.
        if !(outside(before.0) && tag.0 == 'O') {
            let changed = before.1 != tag.1;
            let ends = matches!((before.0, tag.0), ('E' | 'S', _) | ('B' | 'I', 'B' | 'S' | 'O'))
                || !outside(before.0) && changed;
            let starts = matches!((before.0, tag.0), (_, 'B' | 'S') | ('E' | 'S' | 'O', 'E' | 'I'))
                || !outside(tag.0) && changed;
            if ends && at > 0 {
                spans.push((before.1, begin, at - 1));
            }
            if starts {
                begin = at;
            }
        }
        if next.is_none() {
            return Ok((spans, at));
        }
        (before, at) = (tag, at + 1);
    }
}

impl Pairs {
    /// The spans of tags that have one outside at their end.
    fn spans<'t>(&self, tags: &[Tag<'t>]) -> Vec<Span<'t>> {
        let (mut spans, mut at, mut before) = (Vec::new(), 0, OUTSIDE);
        while let Some(&tag) = tags.get(at) {
            if !has(self.start, before, tag) {
                (before, at) = (tag, at + 1);
                continue;
            }
            let inside = |pair: &&[Tag<'_>]| has(self.inside, pair[0], pair[1]);
            let stop = at + 1 + tags[at..].windows(2).take_while(inside).count();
            before = tags[stop - 1];
            if tags.get(stop).is_some_and(|next| has(self.end, before, *next)) {
                spans.push((tag.1, at, stop - 1));
            }
            at = stop;
        }
        spans
    }
}

/// Whether a list has this pair of tags.
fn has(list: &str, before: Tag<'_>, tag: Tag<'_>) -> bool {
    list.split(' ').any(|pair| {
        let mut chars = pair.chars();
        let mut fits = |prefix: char| chars.next().is_some_and(|wanted| wanted == '*' || wanted == prefix);
        let both = fits(before.0) && fits(tag.0);
        both && match chars.next() {
            Some('=') => before.1 == tag.1,
            Some('/') => before.1 != tag.1,
            _ => true,
        }
    })
}
