//! [`Scheme`]: the rules by which tags such as `B-PER` are read as spans. The default rules are conlleval's,
//! which accept any tag; six strict schemes reject other prefixes.

use bleuprint_core::{Choice, InputError, Result};

/// A span: its type, the position of its first tag, and the position of its last tag.
pub(crate) type Span<'t> = (&'t str, usize, usize);

bleuprint_core::choice! {
    /// Tagging scheme: the rules by which tags such as `B-PER` are read as spans of tokens.
    pub enum Scheme {
        /// All tags are valid, as in conlleval and in seqeval's default mode. `I-PER` without a `B` before it
        /// begins a span. `U` and `L` have no meaning.
        Default = "default",
        /// The tag prefix `B` occurs only on the first token of a span right after another span of the same
        /// type; all other tokens of spans have `I`.
        Iob1 = "IOB1",
        /// The tag prefix `B` begins every span, and `I` continues it.
        Iob2 = "IOB2",
        /// The tag prefix `E` occurs only on the last token of a span right before another span of the same
        /// type; all other tokens of spans have `I`.
        Ioe1 = "IOE1",
        /// The tag prefix `E` ends every span, and `I` is on all its other tokens.
        Ioe2 = "IOE2",
        /// The tag prefix `B` begins a span, `I` continues it, `E` ends it, and `S` is a span of one token.
        Iobes = "IOBES",
        /// The tag prefix `B` begins a span, `I` continues it, `L` ends it, and `U` is a span of one token.
        Bilou = "BILOU",
    }
}

bleuprint_core::choice! {
    /// The end of a tag that has its prefix of the scheme, such as the `B` of `B-PER` or `PER-B`.
    pub enum TagAffix {
        /// The prefix is at the start of a tag, as in `B-PER`.
        Prefix = "prefix",
        /// The prefix is at the end of a tag, as in `PER-B`.
        Suffix = "suffix",
    }
}

/// A tag such as `B-PER`: its prefix `B`, and `PER`, the type of its span.
type Tag<'t> = (char, &'t str);

const OUTSIDE: Tag<'static> = ('O', NO_TYPE);
/// Type of the span of a tag that has only a prefix, such as `B`.
const NO_TYPE: &str = "_";

/// Tables of a strict tagging scheme: its tag prefixes, and the pairs of adjacent tags that start, continue
/// or end a span.
///
/// A pair is the prefix of the previous tag (`*` is any) and of the current tag. A third character restricts
/// the pair: `=` to equal types, `/` to different types.
struct TagPairs {
    prefixes: &'static str,
    start: &'static str,
    inside: &'static str,
    end: &'static str,
}

impl Scheme {
    fn pairs(self) -> Option<TagPairs> {
        let [prefixes, start, inside, end] = match self {
            Scheme::Default => return None,
            // These are seqeval's tables, written as text. They decide what is a span in malformed sequences,
            // too.
            Scheme::Iob1 => ["IOB", "OI II/ BI IB= BB=", "BI= II=", "II/ IO IB BO BI/ BB="],
            Scheme::Iob2 => ["IOB", "*B", "BI= II=", "IO II/ IB BO BI/ BB"],
            Scheme::Ioe1 => ["IOE", "OI II/ EI EE=", "II= IE=", "II/ IO IE/ EI= EE="],
            Scheme::Ioe2 => ["IOE", "OI OE EI EE II/ IE/", "IE= II=", "E*"],
            Scheme::Iobes => ["IOBES", "*B *S", "BI= BE= II= IE=", "S* E*"],
            Scheme::Bilou => ["BILOU", "*B *U", "BI= BL= II= IL=", "U* L*"],
        };
        Some(TagPairs { prefixes, start, inside, end })
    }

    /// Returns the spans of a sequence of tags, sorted by their ends.
    ///
    /// # Errors
    /// Returns an error for an empty tag, or for a prefix outside a strict scheme.
    pub(crate) fn spans<'t>(self, tags: &[&'t str], affix: TagAffix) -> Result<Vec<Span<'t>>> {
        match self.pairs() {
            None => Ok(loose(tags.iter().copied(), affix)?.0),
            Some(pairs) => {
                let strict = |tag: &&'t str| strict_tag(tag, self, pairs.prefixes, affix);
                let mut tags = tags.iter().map(strict).collect::<Result<Vec<_>>>()?;
                // A tag outside at the end lets the last span end by the same tables.
                tags.push(OUTSIDE);
                Ok(pairs.spans(&tags))
            }
        }
    }
}

/// Splits a tag into its prefix, which `affix` locates, and the rest.
fn split(tag: &str, affix: TagAffix) -> Result<(char, &str)> {
    let mut chars = tag.chars();
    let prefix = match affix {
        TagAffix::Prefix => chars.next(),
        TagAffix::Suffix => chars.next_back(),
    };
    let prefix = prefix.ok_or_else(|| InputError::malformed("an empty tag: write O outside of spans"))?;
    Ok((prefix, chars.as_str()))
}

fn or_none(kind: &str) -> &str {
    if kind.is_empty() { NO_TYPE } else { kind }
}

/// Splits a tag such as `B-PER` into its prefix and type. The type is the text after the first `-`, or
/// without a `-` the text after the prefix. With a prefix at the end it is the text before the last `-`.
fn loose_tag(tag: &str, affix: TagAffix) -> Result<Tag<'_>> {
    let (prefix, rest) = split(tag, affix)?;
    let kind = match affix {
        TagAffix::Prefix => rest.split_once('-').map(|(_, kind)| kind),
        TagAffix::Suffix => rest.rsplit_once('-').map(|(kind, _)| kind),
    };
    Ok((prefix, or_none(kind.unwrap_or(rest))))
}

/// Returns `true` if a tag has a prefix of the default scheme, and a hyphen between this prefix and a type.
pub(super) fn has_prefix(tag: &str, affix: TagAffix) -> bool {
    let Ok((prefix, rest)) = split(tag, affix) else { return false };
    "BIOES.LU".contains(prefix) && (rest.is_empty() || begins_type(rest, affix))
}

/// Returns `true` if a hyphen separates the prefix of a tag from `rest`, the rest of the tag.
fn begins_type(rest: &str, affix: TagAffix) -> bool {
    match affix {
        TagAffix::Prefix => rest.starts_with('-'),
        TagAffix::Suffix => rest.ends_with('-'),
    }
}

/// Returns an error for tokens that look like a row of CoNLL: a word, and tags in the columns after it.
pub(super) fn refuse_row<'t>(mut tags: impl Iterator<Item = &'t str>, affix: TagAffix) -> Result<()> {
    let Some(word) = tags.next() else { return Ok(()) };
    // A tag without a known first letter is read as a type in conlleval's rules, and never begins a row of tags.
    // A single letter such as X is a tag of subwords in some corpora.
    // So is X-PER: a tag with an unknown prefix.
    let is_word = split(word, affix).is_ok_and(|(prefix, rest)| {
        !"BIOES.LU".contains(prefix) && !rest.is_empty() && !begins_type(rest, affix)
    });
    match tags.find(|tag| has_prefix(tag, affix)) {
        Some(tag) if is_word => Err(InputError::malformed(format!(
            "`{word}` is not a tag, but `{tag}` is: a segment has the tags of a sentence, and no words or further columns, as \
             rows of CoNLL have; tags with the prefix at the end, such as PER-B, are read with affix=suffix"
        ))),
        _ => Ok(()),
    }
}

fn strict_tag<'t>(tag: &'t str, scheme: Scheme, prefixes: &str, affix: TagAffix) -> Result<Tag<'t>> {
    let (prefix, rest) = split(tag, affix)?;
    if !prefixes.contains(prefix) {
        let known: Vec<String> = prefixes.chars().map(String::from).collect();
        return Err(InputError::malformed(format!(
            "the tag `{tag}` has no prefix of {}; expected one of: {}",
            scheme.name(),
            known.join(", ")
        )));
    }
    // seqeval strips hyphens from the type in strict mode only.
    Ok((prefix, or_none(rest.trim_matches('-'))))
}

/// Returns the spans of a sequence of tags, and the number of tags. It applies conlleval's rules, which
/// accept any tag.
///
/// # Errors
/// Returns an error for an empty tag.
pub(super) fn loose<'t>(
    tags: impl Iterator<Item = &'t str>,
    affix: TagAffix,
) -> Result<(Vec<Span<'t>>, usize)> {
    let mut spans = Vec::new();
    let mut at = 0;
    let mut begin = 0;
    let mut before = ('O', "");
    // seqeval's rules also treat `.` as a tag outside.
    let outside = |prefix: char| matches!(prefix, 'O' | '.');
    let mut tags = tags.map(|tag| loose_tag(tag, affix));
    loop {
        let next = tags.next().transpose()?;
        let tag = next.unwrap_or(OUTSIDE);
        // Most tags are outside and follow a tag outside. No span can begin or end there.
        if !(outside(before.0) && tag.0 == 'O') {
            let changed = before.1 != tag.1;
            // The conditions are conlleval's `endOfChunk` and `startOfChunk`. A span may end without a start,
            // as in `S-Y U-Y`: then the previous start is used again, as seqeval does.
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

impl TagPairs {
    /// Returns the spans of a sequence of tags by a strict scheme. The last tag must be `O`, outside of all
    /// spans.
    fn spans<'t>(&self, tags: &[Tag<'t>]) -> Vec<Span<'t>> {
        let mut spans = Vec::new();
        let mut at = 0;
        let mut before = OUTSIDE;
        while let Some(&tag) = tags.get(at) {
            if !has(self.start, before, tag) {
                (before, at) = (tag, at + 1);
                continue;
            }
            let inside = |pair: &&[Tag<'_>]| has(self.inside, pair[0], pair[1]);
            // Take every tag that continues the span. If the next pair of tags does not end it, seqeval drops
            // the span but still skips its tags.
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

/// Returns `true` if a pair in `list` fits the prefixes and types of two neighbouring tags; [`TagPairs`]
/// explains the notation.
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
