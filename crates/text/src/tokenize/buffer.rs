//! [`TokenBuffer`] and [`Tokens`]: tokens without allocations.

use super::scratch::Scratches;
use bleuprint_core::{InputError, Result};
use std::fmt;

/// The start and end of tokens, in bytes of their text.
#[derive(Debug, Default, Clone)]
pub struct Spans {
    /// Spans beyond the first `len` are stale: the vector keeps its size once grown.
    spans: Vec<(u32, u32)>,
    len: usize,
    /// Memory ran out for a token.
    full: bool,
    /// A token was not a piece of the text.
    foreign: bool,
}

impl Spans {
    /// Adds the token from byte `start` up to byte `end`. Lines are shorter than 4 GiB, which the buffer checks.
    #[inline(always)]
    pub fn push(&mut self, start: usize, end: usize) {
        self.push_if(true, start, end);
    }

    /// Adds tokens that are pieces of `text`, the text being cut, as `str::split` gives them. A piece of another text
    /// is an error at the end of the line.
    #[inline]
    pub fn push_pieces<'t>(&mut self, text: &'t str, pieces: impl IntoIterator<Item = &'t str>) {
        for piece in pieces {
            let start = (piece.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
            self.foreign |= start.checked_add(piece.len()).is_none_or(|end| end > text.len());
            self.push(start, start.wrapping_add(piece.len()));
        }
    }

    /// As [`Spans::push`], unless the span is empty.
    #[inline(always)]
    pub(crate) fn push_filled(&mut self, start: usize, end: usize) {
        self.push_if(start < end, start, end);
    }

    /// As [`Spans::push`], or nothing: always written, since an unpredictable branch would cost more.
    #[inline(always)]
    pub(crate) fn push_if(&mut self, wanted: bool, start: usize, end: usize) {
        if self.len == self.spans.len() {
            self.grow();
        }
        if let Some(span) = self.spans.get_mut(self.len) {
            *span = (start as u32, end as u32);
            self.len += usize::from(wanted);
        }
    }

    /// Writes the positions of the bits of a block that begins at byte `offset`: one set as token starts, from number
    /// `starts.1` on, the other as token ends. The two may be in different blocks, so [`Spans::set_len`] sets the
    /// number once all are written.
    #[inline(always)]
    pub(crate) fn push_bits(
        &mut self,
        offset: usize,
        (mut starts, first_start): (u64, &mut usize),
        (mut ends, first_end): (u64, &mut usize),
    ) {
        self.len = *first_start;
        while self.spans.len() < self.len + u64::BITS as usize && !self.full {
            self.grow();
        }
        let (spans, offset) = (&mut self.spans[..], offset as u32);
        let (mut start, mut end) = (*first_start, *first_end);
        while starts != 0 {
            if let Some(span) = spans.get_mut(start) {
                span.0 = offset + starts.trailing_zeros();
                start += 1;
            }
            starts &= starts - 1;
        }
        while ends != 0 {
            if let Some(span) = spans.get_mut(end) {
                span.1 = offset + ends.trailing_zeros();
                end += 1;
            }
            ends &= ends - 1;
        }
        (*first_start, *first_end) = (start, end);
    }

    pub(crate) fn set_len(&mut self, len: usize) {
        self.len = len.min(self.spans.len());
    }

    /// Doubles the room; grows it by a quarter for lines of millions of tokens, to save memory.
    #[cold]
    fn grow(&mut self) {
        if self.full {
            return;
        }
        let more = if self.len < 1 << 20 { self.len.max(64) } else { self.len / 4 };
        match self.spans.try_reserve_exact(more) {
            Ok(()) => self.spans.resize(self.len + more, (0, 0)),
            Err(_) => self.full = true,
        }
    }

    fn check(&self) -> Result<()> {
        match (self.full, self.foreign) {
            (false, false) => Ok(()),
            (true, _) => Err(no_memory(self.len, "tokens")),
            (_, true) => {
                Err(InputError::malformed("the tokenizer gave a token that is no piece of the line"))
            }
        }
    }

    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (usize, usize)> + '_ {
        self.as_slice().iter().map(|&(start, end)| (start as usize, end as usize))
    }

    fn as_slice(&self) -> &[(u32, u32)] {
        &self.spans[..self.len]
    }

    pub(crate) fn retain_indexed(&mut self, mut keep: impl FnMut(usize) -> bool) {
        self.spans.truncate(self.len);
        let mut index = 0;
        self.spans.retain(|_| {
            index += 1;
            keep(index - 1)
        });
        self.len = self.spans.len();
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        (self.len, self.full, self.foreign) = (0, false, false);
    }

    /// Replaces the spans of the tokens, in order; tokens without a new span are dropped.
    pub(crate) fn rewrite(&mut self, mut rewrite: impl FnMut(usize, usize) -> Option<(usize, usize)>) {
        self.spans.truncate(self.len);
        self.spans.retain_mut(|(start, end)| match rewrite(*start as usize, *end as usize) {
            Some((new_start, new_end)) => {
                (*start, *end) = (new_start as u32, new_end as u32);
                true
            }
            None => false,
        });
        self.len = self.spans.len();
    }
}

/// Reusable memory for the tokens of one line at a time; one per thread.
///
/// Holds the spans, and the text if a tokenizer changed it.
#[derive(Debug, Default, Clone)]
pub struct TokenBuffer {
    pub(crate) text: String,
    pub(crate) spare: String,
    pub(crate) spans: Spans,
    pub(crate) scratches: Scratches,
}

impl TokenBuffer {
    /// The tokenizer's reusable memory, of a type of its choice; `Default` at the first call.
    ///
    /// Take it out (`std::mem::take`) if the buffer is needed at the same time, and put it back.
    ///
    /// ```
    /// use bleuprint_text::TokenBuffer;
    /// #[derive(Default)]
    /// struct Lattice(Vec<u64>);
    /// let mut buffer = TokenBuffer::default();
    /// buffer.scratch::<Lattice>().0.push(7);
    /// assert_eq!(buffer.scratch::<Lattice>().0, [7]);
    /// ```
    pub fn scratch<T: Default + Send + Sync + 'static>(&mut self) -> &mut T {
        self.scratches.get()
    }

    /// Gives back the memory of giant lines; that of other lines is kept for the next one.
    pub fn release(&mut self) {
        const GIANT: usize = 1 << 20;
        if self.spans.spans.capacity() > GIANT {
            self.spans = Spans::default();
        }
        for text in [&mut self.text, &mut self.spare] {
            if text.capacity() > GIANT {
                *text = String::new();
            }
        }
    }

    /// Cuts `line` unchanged; `cut` pushes the spans.
    ///
    /// # Errors
    /// A line of 4 GiB or more.
    #[inline]
    pub fn cut<'a>(&'a mut self, line: &'a str, cut: impl FnOnce(&str, &mut Spans)) -> Result<Tokens<'a>> {
        check_len(line)?;
        self.spans.clear();
        cut(line, &mut self.spans);
        self.tokens_of(line)
    }

    /// Tokens that are not pieces of the line, end to end.
    ///
    /// # Errors
    /// Tokens of 4 GiB or more together.
    pub fn collect<'t>(&mut self, tokens: impl IntoIterator<Item = &'t str>) -> Result<Tokens<'_>> {
        self.text.clear();
        self.spans.clear();
        for token in tokens {
            let start = self.text.len();
            self.text.push_str(token);
            self.spans.push(start, self.text.len());
        }
        check_len(&self.text)?;
        self.own_tokens()
    }

    /// Cuts the text already in the buffer.
    pub(crate) fn cut_own(&mut self, cut: impl FnOnce(&str, &mut Spans)) -> Result<Tokens<'_>> {
        check_len(&self.text)?;
        self.spans.clear();
        cut(&self.text, &mut self.spans);
        self.own_tokens()
    }

    pub(crate) fn tokens_of<'a>(&'a self, text: &'a str) -> Result<Tokens<'a>> {
        Tokens::new(text, &self.spans)
    }

    pub(crate) fn own_tokens(&self) -> Result<Tokens<'_>> {
        self.tokens_of(&self.text)
    }

    /// Replaces every `pattern` in the buffer's text, left to right, in one pass over it.
    pub(crate) fn replace(&mut self, pattern: &str, replacement: &str) {
        if memchr::memmem::find(self.text.as_bytes(), pattern.as_bytes()).is_none() {
            return;
        }
        self.spare.clear();
        let mut copied = 0;
        for (at, _) in self.text.match_indices(pattern) {
            self.spare.push_str(&self.text[copied..at]);
            self.spare.push_str(replacement);
            copied = at + pattern.len();
        }
        self.spare.push_str(&self.text[copied..]);
        std::mem::swap(&mut self.text, &mut self.spare);
    }
}

fn no_memory(len: usize, what: &str) -> InputError {
    InputError::malformed(format!("there is no memory for it: more than {len} {what}"))
}

pub(crate) fn check_len(text: &str) -> Result<()> {
    if u32::try_from(text.len()).is_ok() {
        return Ok(());
    }
    Err(InputError::limit("the line", format_args!("{} bytes", text.len()), "shorter than 4 GiB"))
}

/// The tokens of one line: spans of the line itself, or of the buffer if the text was changed.
///
/// Displayed, the tokens are separated by one space, as `bleuprint tokenize` prints them.
#[derive(Clone, Copy)]
pub struct Tokens<'a> {
    text: &'a str,
    spans: &'a [(u32, u32)],
}

impl<'a> Tokens<'a> {
    /// The tokens of `text` at these spans.
    ///
    /// # Errors
    /// More tokens than fit memory.
    pub(crate) fn new(text: &'a str, spans: &'a Spans) -> Result<Self> {
        spans.check()?;
        Ok(Tokens { text, spans: spans.as_slice() })
    }

    /// The number of tokens.
    #[inline]
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// It has no tokens.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The tokens in order.
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a str> + DoubleEndedIterator + Clone + use<'a> {
        let text = self.text;
        self.spans.iter().map(move |&(start, end)| text.get(start as usize..end as usize).unwrap_or_default())
    }

    /// The text of the spans.
    #[inline]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The start and end of each token, in bytes of the text.
    #[inline]
    pub fn spans(&self) -> &'a [(u32, u32)] {
        self.spans
    }

    /// Appends the tokens to `out`, separated by one space.
    pub fn join(&self, out: &mut String) {
        for (index, token) in self.iter().enumerate() {
            if index > 0 {
                out.push(' ');
            }
            out.push_str(token);
        }
    }
}

impl fmt::Display for Tokens<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, token) in self.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            f.write_str(token)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Tokens<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
