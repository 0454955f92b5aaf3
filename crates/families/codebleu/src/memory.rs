//! The memory of a parse: counted, limited, and given back as a whole if the parse is left in the middle of a step.
//!
//! The parser asks its progress callback between steps alone, and a step may take gigabytes: at the end of a text with errors
//! it copies the stack for every way through it. An allocation cannot fail either, since the C code does not look. So the parser
//! runs on a stack of its own, from which an allocation beyond the limit switches back, for good. The twin without the switch is
//! the parser alone, with which `tests/twin.rs` compares all trees; `tests/memory.rs` holds the limit.
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

/// Bytes of addresses of the parser's stack, of which pages that nothing touches take no memory: as the main thread's, and more for
/// every byte of the text. The parser frees the versions of its stack by recursion, with a frame of some 100 bytes for each token.
const STACK: usize = 8 << 20;
const STACK_OF_BYTE: usize = 256;

/// The parser's reason to stop.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum ParseStop {
    /// A hundred steps are done; it goes on if it is told so.
    Steps,
    /// The limit is reached in the middle of a step.
    Full,
    /// The system has no memory.
    Refused,
}

thread_local! {
    /// The parse whose allocations this thread makes.
    static CURRENT: Cell<*const ParseMemory> = const { Cell::new(null()) };
}

/// The blocks of one parse, and a way out of it.
pub(crate) struct ParseMemory {
    limit: usize,
    live: Cell<usize>,
    first: Cell<*mut Block>,
    out: Cell<*const Yielder<bool, ParseStop>>,
}

/// The head of a block, which keeps the alignment of the system's.
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
        // SAFETY: outside a parse the functions are the system's, so blocks of before and of others remain valid.
        ONCE.call_once(|| unsafe {
            tree_sitter::set_allocator(Some(allocate), Some(zeroed), Some(resize), Some(release));
        });
        ParseMemory { limit, live: Cell::new(0), first: Cell::new(null_mut()), out: Cell::new(null()) }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.live.get() > self.limit
    }

    /// Work with the parser's objects, which have all their blocks here. It ends all that it begins.
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

    /// Parses the text and reads the tree, if `go_on` says so after every hundred steps.
    ///
    /// # Errors
    /// The reason if there is no tree; a language that the parser refuses.
    pub(crate) fn parse<T>(
        &self,
        language: &tree_sitter::Language,
        text: &str,
        mut go_on: impl FnMut() -> bool,
        read: impl FnOnce(&Tree) -> T,
    ) -> Result<Result<T, ParseStop>, LanguageError> {
        // The first switch goes here, so that no panic of `go_on` leaves a stack that is neither finished nor reset.
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
        // SAFETY: the coroutine ends, or is reset, before what it borrows: `Running` sees to it.
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
                    // A parse that was stopped would go on where it was.
                    parser.reset();
                    drop((tree, ManuallyDrop::into_inner(parser)));
                });
                debug_assert!(self.first.get().is_null(), "a block of the parser remains");
                Ok(read.ok_or(ParseStop::Steps))
            }
            Err(ParseStop::Full) => {
                // Blocks of the grammar's own are the system's. Copies alone are left at a limit, and those it
                // forgets have more owners than they should: the rest is sound, and what remains goes with this memory.
                on_stack(&mut stack, || parser.reset());
                Ok(Err(ParseStop::Full))
            }
            Err(stop) => Ok(Err(stop)),
        })
    }

    fn add(&self, block: *mut Block, size: usize) {
        let after = self.first.replace(block);
        // SAFETY: the block is new and has room for its head; the one after it is in the list.
        unsafe {
            block.write(Block { before: null_mut(), after, size });
            if let Some(after) = after.as_mut() {
                after.before = block;
            }
        }
        self.live.set(self.live.get() + size);
    }

    /// # Safety
    /// The block is in the list.
    unsafe fn take(&self, block: *mut Block) {
        // SAFETY: its neighbours are in the list too.
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

    /// Leaves the parse for good; without a parse there is no way out, and the parser would have ended the program too.
    fn leave(&self, stop: ParseStop) {
        // SAFETY: the yielder lives as long as the coroutine, which sets it and which `parse` unsets.
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
            // SAFETY: every block of the list is one of the system's, and nothing refers to it any more.
            next = unsafe { (*block).after };
            unsafe { free(block.cast()) };
        }
    }
}

/// A parse that is left where it is.
struct Running<'s, T>(Coroutine<bool, ParseStop, T, &'s mut DefaultStack>);

impl<T> Drop for Running<'_, T> {
    fn drop(&mut self) {
        // SAFETY: between steps and in allocations, all that is on the stack are borrows and frames of C.
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
    // SAFETY: `within` sets it and takes it back before its memory moves or ends.
    unsafe { CURRENT.get().as_ref() }
}

/// The block with a head, or the way out.
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
    // SAFETY: the system's function, of which every size is good; so below.
    match current() {
        Some(memory) => with_head(memory, size, |size| unsafe { malloc(size) }),
        None => or_abort(unsafe { malloc(size) }, size),
    }
}

/// Here alone the limit ends a parse within a step: the parser asks for zeros if it copies a way through its stack, and the
/// stack is as it was before.
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
    // SAFETY: it is a block of this memory, as all that the parser resizes within it.
    unsafe { memory.take(head) };
    let resized = size.checked_add(HEAD).map_or(null_mut(), |size| unsafe { realloc(head.cast(), size) });
    if resized.is_null() {
        // Still there, and given back with the rest.
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
            // SAFETY: it is a block of this memory, as all that the parser gives back within it.
            unsafe { memory.take(head) };
            head.cast()
        }
        _ => block,
    };
    // SAFETY: a block of the system's.
    unsafe { free(head) }
}
