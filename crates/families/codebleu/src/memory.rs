//! Memory of the parser while it parses a program: counted, limited, and freed as a whole if the parse is
//! abandoned in the middle of a step.
//!
//! The parser calls its progress callback only between steps, and a step may take gigabytes: at the end of a
//! text with errors it copies the stack for every way through it. An allocation cannot fail either, because
//! the C code does not check for it. Therefore the parser runs on a separate stack. An allocation beyond the
//! limit switches back from this stack and never returns. `tests/twin.rs` compares all trees with the parser
//! alone, and `tests/memory.rs` checks the limit.
#![allow(unsafe_code, reason = "an allocator of C code, and a stack that is left, need it")]

use std::cell::Cell;
use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ops::ControlFlow;
use std::ptr::{null, null_mut};
use std::sync::Once;

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder, on_stack};
use tree_sitter::{LanguageError, ParseOptions, ParseState, Parser, Point, Tree};

/// Size of the parser's call stack in bytes; [`STACK_OF_BYTE`] is added for every byte of the text. Unused
/// pages take no memory. The parser frees its data by recursion, with about 100 bytes of stack for each
/// token.
const STACK: usize = 8 << 20;
const STACK_OF_BYTE: usize = 256;

/// Reason why the parser of a program paused or stopped.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum ParseStop {
    /// The parser has done a hundred steps; it continues if the caller agrees.
    Steps,
    /// The parser reached its memory limit in the middle of a step.
    Full,
    /// The operating system gave the parser no memory.
    Refused,
}

thread_local! {
    /// The parse that runs on this thread, or null. Memory that the parser allocates belongs to this parse.
    static CURRENT: Cell<*const ParseMemory> = const { Cell::new(null()) };
}

/// The memory blocks of one parse of a program, and a way to abandon the parse early.
pub(crate) struct ParseMemory {
    limit: usize,
    live: Cell<usize>,
    first: Cell<*mut Block>,
    out: Cell<*const Yielder<bool, ParseStop>>,
}

/// Header before each memory block of the parser. Its size is a multiple of 16 bytes, so that blocks stay
/// aligned.
#[repr(C, align(16))]
struct Block {
    before: *mut Block,
    after: *mut Block,
    size: usize,
}

const HEAD: usize = size_of::<Block>();

impl ParseMemory {
    pub(crate) fn new(limit: usize) -> ParseMemory {
        static ONCE: Once = Once::new();
        // SAFETY: outside a parse the functions call the system's, so that earlier blocks and blocks of other
        // users stay valid.
        ONCE.call_once(|| unsafe {
            tree_sitter::set_allocator(Some(allocate), Some(zeroed), Some(resize), Some(release));
        });
        ParseMemory { limit, live: Cell::new(0), first: Cell::new(null_mut()), out: Cell::new(null()) }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.live.get() > self.limit
    }

    /// Runs `work` and counts all memory that the parser allocates during it as memory of this parse. `work`
    /// must free everything that it creates.
    fn within<T>(&self, work: impl FnOnce() -> T) -> T {
        struct Leave(*const ParseMemory);
        impl Drop for Leave {
            fn drop(&mut self) {
                CURRENT.set(self.0);
            }
        }
        let _leave = Leave(CURRENT.replace(self));
        work()
    }

    /// Parses a program and calls `read` with its syntax tree. After every hundred steps, `go_on` decides
    /// whether the parse continues.
    ///
    /// # Errors
    /// Returns the reason if the parse stopped without a tree, or an error if the parser rejects the
    /// language.
    pub(crate) fn parse<T>(
        &self,
        language: &tree_sitter::Language,
        text: &str,
        mut go_on: impl FnMut() -> bool,
        read: impl FnOnce(&Tree) -> T,
    ) -> Result<Result<T, ParseStop>, LanguageError> {
        // The first switch to the stack happens in this function, so that a panic of `go_on` cannot leave a
        // stack that is neither finished nor reset.
        let Ok(mut stack) = DefaultStack::new(STACK + STACK_OF_BYTE * text.len()) else {
            return Ok(Err(ParseStop::Refused));
        };
        let mut parser = ManuallyDrop::new(self.within(Parser::new));
        if let Err(error) = self.within(|| parser.set_language(language)) {
            self.within(|| ManuallyDrop::into_inner(parser));
            return Err(error);
        }
        let run = |yielder: &Yielder<bool, ParseStop>, _| {
            self.out.set(yielder);
            let mut report = |_: &ParseState| {
                if yielder.suspend(ParseStop::Steps) {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            };
            let mut rest = |at: usize, _: Point| &text.as_bytes()[at.min(text.len())..];
            let options = ParseOptions::new().progress_callback(&mut report);
            parser.parse_with_options(&mut rest, None, Some(options))
        };
        // SAFETY: the coroutine ends, or `Running` resets it, before the values that it borrows.
        let mut running = Running(unsafe { Coroutine::with_stack_unchecked(&mut stack, run) });
        let mut go = true;
        let ended = loop {
            match self.within(|| running.0.resume(go)) {
                CoroutineResult::Yield(ParseStop::Steps) => go = go_on() && !self.is_full(),
                CoroutineResult::Yield(stop) => break Err(stop),
                CoroutineResult::Return(tree) => break Ok(tree),
            }
        };
        self.out.set(null());
        drop(running);
        self.within(|| match ended {
            Ok(tree) => {
                let read = tree.as_ref().map(read);
                on_stack(&mut stack, || {
                    // Without a reset a stopped parse would continue at its old place.
                    parser.reset();
                    drop((tree, ManuallyDrop::into_inner(parser)));
                });
                debug_assert!(self.first.get().is_null(), "a block of the parser remains");
                Ok(read.ok_or(ParseStop::Steps))
            }
            Err(ParseStop::Full) => {
                // Blocks that belong to the grammar are the system's. At a limit only copies are abandoned,
                // and the blocks they forget have too many owners. The rest of the parser is sound, and
                // dropping this memory frees the remaining blocks.
                on_stack(&mut stack, || parser.reset());
                Ok(Err(ParseStop::Full))
            }
            Err(stop) => Ok(Err(stop)),
        })
    }

    fn add(&self, block: *mut Block, size: usize) {
        let after = self.first.replace(block);
        // SAFETY: the block is new and has room for its header; the block after it is in the list.
        unsafe {
            block.write(Block { before: null_mut(), after, size });
            if let Some(after) = after.as_mut() {
                after.before = block;
            }
        }
        self.live.set(self.live.get() + size);
    }

    /// Removes a memory block from the list of the parse's blocks.
    ///
    /// # Safety
    ///
    /// The block must be in the list.
    unsafe fn take(&self, block: *mut Block) {
        // SAFETY: its neighbours are in the list, too.
        let Block { before, after, size } = unsafe { block.read() };
        match unsafe { before.as_mut() } {
            Some(before) => before.after = after,
            None => self.first.set(after),
        }
        if let Some(after) = unsafe { after.as_mut() } {
            after.before = before;
        }
        self.live.set(self.live.get() - size);
    }

    /// Abandons the running parse for the reason `stop`: control returns to the caller of the parser, and
    /// never to the parser. If no parse is running, [`ParseStop::Refused`] aborts the process, and other
    /// reasons have no effect.
    fn leave(&self, stop: ParseStop) {
        // SAFETY: the yielder lives as long as the coroutine, which sets this pointer; `parse` resets it.
        match unsafe { self.out.get().as_ref() } {
            Some(out) => drop(out.suspend(stop)),
            None if stop == ParseStop::Refused => std::process::abort(),
            None => {}
        }
    }
}

impl Drop for ParseMemory {
    fn drop(&mut self) {
        let mut next = self.first.get();
        while !next.is_null() {
            let block = next;
            // SAFETY: every block of the list came from the system, and nothing refers to it any more.
            next = unsafe { (*block).after };
            unsafe { free(block.cast()) };
        }
    }
}

/// Parse in progress on its own call stack; dropping it abandons the parse at any point.
struct Running<'s, T>(Coroutine<bool, ParseStop, T, &'s mut DefaultStack>);

impl<T> Drop for Running<'_, T> {
    fn drop(&mut self) {
        // SAFETY: between steps and in allocations, the stack contains only borrows and frames of C.
        unsafe { self.0.force_reset() };
    }
}

unsafe extern "C" {
    fn malloc(size: usize) -> *mut c_void;
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn realloc(block: *mut c_void, size: usize) -> *mut c_void;
    fn free(block: *mut c_void);
}

fn current<'a>() -> Option<&'a ParseMemory> {
    // SAFETY: `within` sets the pointer, and resets it before its memory moves or ends.
    unsafe { CURRENT.get().as_ref() }
}

/// Allocates a memory block of `size` bytes for the parser with `ask`, a function of the system such as
/// `malloc`. A header before the block links it to the parse's other blocks. If the system has no memory, the
/// parse is abandoned.
fn with_head(memory: &ParseMemory, size: usize, ask: impl Fn(usize) -> *mut c_void) -> *mut c_void {
    let block = size.checked_add(HEAD).map_or(null_mut(), ask).cast::<Block>();
    if block.is_null() {
        memory.leave(ParseStop::Refused);
    }
    memory.add(block, size + HEAD);
    block.wrapping_add(1).cast()
}

fn or_abort(block: *mut c_void, size: usize) -> *mut c_void {
    if block.is_null() && size > 0 {
        std::process::abort();
    }
    block
}

unsafe extern "C" fn allocate(size: usize) -> *mut c_void {
    // SAFETY: the system's function accepts every size. The same is true below.
    match current() {
        Some(memory) => with_head(memory, size, |size| unsafe { malloc(size) }),
        None => or_abort(unsafe { malloc(size) }, size),
    }
}

/// Allocates zeroed memory for the parser. Only this function ends a parse at its memory limit. The parser
/// calls this function before copying its stack for another reading of the text, and the stack is still
/// intact then.
unsafe extern "C" fn zeroed(count: usize, size: usize) -> *mut c_void {
    let bytes = count.saturating_mul(size);
    match current() {
        Some(memory) => {
            if memory.live.get().saturating_add(bytes) > memory.limit {
                memory.leave(ParseStop::Full);
            }
            with_head(memory, bytes, |size| unsafe { calloc(1, size) })
        }
        None => or_abort(unsafe { calloc(count, size) }, bytes),
    }
}

unsafe extern "C" fn resize(block: *mut c_void, size: usize) -> *mut c_void {
    let Some(memory) = current() else { return or_abort(unsafe { realloc(block, size) }, size) };
    if block.is_null() {
        return unsafe { allocate(size) };
    }
    let head = block.cast::<Block>().wrapping_sub(1);
    // SAFETY: the parser resizes only blocks of this memory within a parse.
    unsafe { memory.take(head) };
    let resized = size.checked_add(HEAD).map_or(null_mut(), |size| unsafe { realloc(head.cast(), size) });
    if resized.is_null() {
        // The old block still exists, and is freed with the others.
        memory.add(head, HEAD);
        memory.leave(ParseStop::Refused);
    }
    memory.add(resized.cast(), size + HEAD);
    resized.cast::<Block>().wrapping_add(1).cast()
}

unsafe extern "C" fn release(block: *mut c_void) {
    let head = match current() {
        Some(memory) if !block.is_null() => {
            let head = block.cast::<Block>().wrapping_sub(1);
            // SAFETY: the parser frees only blocks of this memory within a parse.
            unsafe { memory.take(head) };
            head.cast()
        }
        _ => block,
    };
    // SAFETY: the block came from the system.
    unsafe { free(head) }
}
