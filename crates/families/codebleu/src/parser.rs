//! Runs the parser of a language under bounds of text length, steps and call stack.
//!
//! Until the end of a text, the parser's memory is a few hundred bytes for each byte of the text. At the end
//! of a text with errors or open brackets, however, the parser copies its stack for every way through it, in
//! one step that its progress callback cannot stop. That step took up to 30 bytes for each pair of bytes of
//! the text. Therefore a text of more than [`MAX_UNCHECKED`] bytes is parsed only if `complete.rs` finds that
//! the parser reaches the end of the text outside of every construct; its stack then has only one way.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, scope};
use std::time::Duration;

use bleuprint_core::{InputError, Result, check_interrupt};
use tree_sitter::{ParseOptions, ParseState, Parser, Point, Tree};

use crate::Language;
use crate::complete::is_complete;

/// Maximum length of a program in bytes. Longer texts are an error.
pub(crate) const MAX_BYTES: usize = 16 << 20;

/// Maximum length in bytes of a text that is parsed although it may have errors. Of all texts found so far, a
/// text of this length takes at most 300 MB.
pub(crate) const MAX_UNCHECKED: usize = 8192;

/// Maximum number of progress reports of the parser for one program, each after a hundred steps: this number
/// plus one for every [`BYTES_OF_REPORT`] bytes. Real programs need one report for 40 to 300 bytes, and dense
/// ones one for 10 bytes; a text with many errors may need any number.
const REPORTS: usize = 1000;
const BYTES_OF_REPORT: usize = 8;

/// The same maximum for a text that may be incomplete.
const STRICT_REPORTS: usize = 100;
const STRICT_BYTES_OF_REPORT: usize = 25;

/// Texts of more bytes are parsed in a separate thread, because the parser frees its data by recursion, with
/// about 100 bytes of call stack for each token.
const MAX_ON_CALLER: usize = 1024;
const STACK: usize = 8 << 20;
const STACK_OF_BYTE: usize = 256;

/// Interval after which the caller checks for an interrupt while the parse runs in a separate thread.
const PATIENCE: Duration = Duration::from_millis(20);

/// Parses a program and calls `read` with the tree of the parser. Returns `None` if the parse is given up: the
/// text is incomplete and long, or the parser needs too many steps.
///
/// # Errors
/// Returns an error if the text has more than [`MAX_BYTES`] bytes, if the run is interrupted, or if the system
/// has no memory for a thread. Also returns an error if the parser rejects the grammar, which never happens
/// in practice.
pub(crate) fn parse<T: Send>(
    language: Language,
    text: &str,
    read: impl FnOnce(&Tree) -> T + Send,
) -> Result<Option<T>> {
    if text.len() > MAX_BYTES {
        let message = format!(
            "the program has {} bytes, but CodeBLEU parses at most {MAX_BYTES} bytes; leave it out or split it",
            text.len()
        );
        return Err(InputError::malformed(message));
    }
    if text.len() <= MAX_ON_CALLER {
        let interrupted = RefCell::new(Ok(()));
        let goes_on = || {
            let answer = check_interrupt();
            let goes_on = answer.is_ok();
            *interrupted.borrow_mut() = answer;
            goes_on
        };
        let parsed = parse_bounded(language, text, goes_on, read);
        return interrupted.into_inner().and(parsed);
    }
    let stopped = AtomicBool::new(false);
    let goes_on = || !stopped.load(Ordering::Relaxed);
    scope(|threads| {
        let (sender, receiver) = channel();
        let work = move || sender.send(parse_bounded(language, text, goes_on, read));
        let builder = Builder::new().stack_size(STACK + STACK_OF_BYTE * text.len());
        if builder.spawn_scoped(threads, work).is_err() {
            let message = format!("there is no memory to parse a program of {} bytes", text.len());
            return Err(InputError::malformed(message));
        }
        loop {
            match receiver.recv_timeout(PATIENCE) {
                Ok(parsed) => return parsed,
                Err(RecvTimeoutError::Disconnected) => return Err(no_tree()),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(error) = check_interrupt() {
                        // The scope waits for the thread, which sees this at its next report.
                        stopped.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                }
            }
        }
    })
}

fn parse_bounded<T>(
    language: Language,
    text: &str,
    goes_on: impl Fn() -> bool,
    read: impl FnOnce(&Tree) -> T,
) -> Result<Option<T>> {
    let mut parser = parser(language)?;
    let mut tree = None;
    if text.len() <= MAX_UNCHECKED {
        let most = STRICT_REPORTS + text.len() / STRICT_BYTES_OF_REPORT;
        tree = run_within(&mut parser, text, most, &goes_on);
    }
    if tree.is_none() && is_complete(language, text, &goes_on)? {
        // Without a reset the parser would continue at its old place.
        parser.reset();
        tree = run_within(&mut parser, text, max_reports(text.len()), &goes_on);
    }
    Ok(tree.map(|tree| read(&tree)))
}

/// Parses a text. Returns `None` if the parser needs more than `most` reports, or if `goes_on` says no.
fn run_within(parser: &mut Parser, text: &str, most: usize, goes_on: &impl Fn() -> bool) -> Option<Tree> {
    let mut reports = 0;
    run(parser, text, |_| {
        reports += 1;
        reports <= most && goes_on()
    })
}

/// Returns the maximum number of progress reports for a text of this many bytes.
pub(crate) fn max_reports(bytes: usize) -> usize {
    REPORTS + bytes / BYTES_OF_REPORT
}

pub(crate) fn parser(language: Language) -> Result<Parser> {
    let mut parser = Parser::new();
    parser.set_language(&language.grammar()).map_err(|_| no_tree())?;
    Ok(parser)
}

/// Runs the parser on a text. After every hundred steps, `goes_on` gets the offset in the text and decides
/// whether the parse continues. Returns `None` if it does not.
pub(crate) fn run(parser: &mut Parser, text: &str, mut goes_on: impl FnMut(usize) -> bool) -> Option<Tree> {
    let mut report = |state: &ParseState| {
        if goes_on(state.current_byte_offset()) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let mut rest = |at: usize, _: Point| &text.as_bytes()[at.min(text.len())..];
    let options = ParseOptions::new().progress_callback(&mut report);
    parser.parse_with_options(&mut rest, None, Some(options))
}

fn no_tree() -> InputError {
    InputError::malformed("the parser of the program's language gives no tree")
}
