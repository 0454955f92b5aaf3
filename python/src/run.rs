//! Runs Rust work for a Python call without the interpreter lock, in one or several threads. Signals such as
//! Ctrl-C and the progress display are handled 20 times a second.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bleuprint::inference::{WorkPieces, in_threads, interruptible, watched};
use bleuprint::{InputError, Location, Result};
use pyo3::prelude::*;

use crate::errors::{OrRaise as _, input, raised, raised_since, value};
use crate::values::count::WholeNumber;

/// Time between two checks for signals such as Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(50);
/// Default number of segments that a thread takes at a time.
pub(crate) const CHUNK: usize = 16;

/// Argument `progress` of a Python call: `False` for none, `True` for a progress bar, or a function. The
/// function is called with the number of finished work items and the total.
pub(crate) struct ProgressArgument(Option<Py<PyAny>>);

impl<'py> FromPyObject<'_, 'py> for ProgressArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let shown = object.py().import("bleuprint._progress")?.call_method1("shown", (object,))?;
        Ok(ProgressArgument((!shown.is_none()).then(|| shown.unbind())))
    }
}

#[derive(Default)]
pub(crate) struct WatchPlan {
    threads: usize,
    progress: Option<Py<PyAny>>,
}

impl WatchPlan {
    /// Creates a plan for running work. `threads` is the number of threads: by default 1, and 0 for all
    /// processors.
    pub(crate) fn new(threads: Option<WholeNumber>, progress: Option<ProgressArgument>) -> PyResult<Self> {
        let threads = match threads {
            None => 1,
            Some(WholeNumber(0)) => std::thread::available_parallelism().map_or(1, usize::from),
            Some(given) => given.at_most("threads", 1024)?,
        };
        Ok(WatchPlan { threads, progress: progress.and_then(|ProgressArgument(shown)| shown) })
    }

    pub(crate) fn single(self) -> Self {
        WatchPlan { threads: 1, ..self }
    }

    /// Returns a copy of this plan without a progress display, for the first pass of a metric that reads its
    /// data twice.
    pub(crate) fn silent(&self) -> Self {
        WatchPlan { threads: self.threads, progress: None }
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads.max(1)
    }

    fn look_up(&self, done: u64, of: u64) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            match &self.progress {
                // The total is not known yet, or there is nothing to do.
                Some(_) if of == 0 => Ok(()),
                Some(progress) => progress.call1(py, (done, of)).map(|_| ()),
                None => Ok(()),
            }
        })
    }
}

enum RunStop {
    Input(InputError),
    Python(PyErr),
}

#[derive(Clone, Copy)]
struct RunWork {
    segments: usize,
    chunk: usize,
}

impl RunWork {
    fn chunk_from(self, from: usize) -> Range<usize> {
        from..from.saturating_add(self.chunk).min(self.segments)
    }
}

/// Processes all segments in chunks by calling `step` with a worker and the indices of a chunk. Returns the
/// workers, one for each thread. A chunk has `batch` segments if `batch` is above 1, else [`CHUNK`]. If
/// several chunks fail, the error of the first failing segment is raised, with the segment's number among all
/// segments.
pub(crate) fn each<W: Send>(
    py: Python<'_>,
    plan: &WatchPlan,
    segments: usize,
    batch: usize,
    worker: impl Fn() -> W + Sync,
    step: impl Fn(&mut W, Range<usize>) -> Result<()> + Sync,
) -> PyResult<Vec<W>> {
    let located = |worker: &mut W, range: Range<usize>| {
        let before = range.start as u64;
        step(worker, range).map_err(|error| {
            let within = error.location().segment.unwrap_or(1);
            error.renumbered(Location::segment(before + within))
        })
    };
    let work = RunWork { segments, chunk: if batch > 1 { batch } else { CHUNK } };
    // More threads than chunks would have nothing to do.
    let threads = plan.threads().min(segments.div_ceil(work.chunk)).max(1);
    let result = py.detach(|| match threads {
        1 => alone(plan, work, worker(), &located).map(|worker| vec![worker]),
        _ => together(plan, work, threads, &worker, &located),
    });
    result.map_err(|stop| match stop {
        RunStop::Input(error) => input(&error),
        RunStop::Python(error) => error,
    })
}

fn alone<W>(
    plan: &WatchPlan,
    work: RunWork,
    mut worker: W,
    step: &impl Fn(&mut W, Range<usize>) -> Result<()>,
) -> Result<W, RunStop> {
    let raised = Arc::new(Mutex::new(None));
    let mut looked = Instant::now();
    for from in (0..work.segments).step_by(work.chunk) {
        let chunk = work.chunk_from(from);
        let done = chunk.end;
        // A single segment can take long, so signals are also checked inside kernels.
        interruptible(asks_python(raised.clone()), || step(&mut worker, chunk)).map_err(|error| {
            let raised = raised.lock().unwrap_or_else(PoisonError::into_inner).take();
            raised.map_or(RunStop::Input(error), RunStop::Python)
        })?;
        // Checks cost the interpreter lock, so they are rare.
        if looked.elapsed() > PATIENCE {
            plan.look_up(done as u64, work.segments as u64).map_err(RunStop::Python)?;
            looked = Instant::now();
        }
    }
    if plan.progress.is_some() {
        plan.look_up(work.segments as u64, work.segments as u64).map_err(RunStop::Python)?;
    }
    Ok(worker)
}

/// Returns a function that checks for signals, such as Ctrl-C; a long calculation in the main thread calls
/// it. If a signal raised an exception, the function stores the exception in `raised` and returns `true`.
fn asks_python(raised: Arc<Mutex<Option<PyErr>>>) -> impl Fn() -> bool + Send + Sync {
    let looked = Mutex::new(Instant::now());
    move || {
        let mut looked = looked.lock().unwrap_or_else(PoisonError::into_inner);
        if looked.elapsed() < PATIENCE {
            return false;
        }
        let signal = Python::attach(|py| py.check_signals());
        *looked = Instant::now();
        let mut raised = raised.lock().unwrap_or_else(PoisonError::into_inner);
        *raised = signal.err();
        raised.is_some()
    }
}

fn together<W: Send>(
    plan: &WatchPlan,
    work: RunWork,
    threads: usize,
    worker: &(impl Fn() -> W + Sync),
    step: &(impl Fn(&mut W, Range<usize>) -> Result<()> + Sync),
) -> Result<Vec<W>, RunStop> {
    let next = AtomicUsize::new(0);
    let done = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let (send, receive) = channel();
    // Running kernels stop only for a signal, not for an error in another thread: an earlier segment may
    // still fail, and its error must be reported.
    let signalled = Arc::new(AtomicBool::new(false));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let send = send.clone();
            let signalled = signalled.clone();
            let next = &next;
            let done = &done;
            let stop = &stop;
            scope.spawn(move || {
                let mut own = worker();
                let mut failed = None;
                while failed.is_none() && !stop.load(Ordering::Relaxed) {
                    // Chunks are handed out in order, so the first error is always in a chunk that was
                    // handed out.
                    let from = next.fetch_add(work.chunk, Ordering::Relaxed);
                    if from >= work.segments {
                        break;
                    }
                    let chunk = work.chunk_from(from);
                    let segments = chunk.len();
                    let asked = signalled.clone();
                    let counted =
                        interruptible(move || asked.load(Ordering::Relaxed), || step(&mut own, chunk));
                    failed = counted.err().map(|error| (from, error));
                    done.fetch_add(segments, Ordering::Relaxed);
                }
                stop.fetch_or(failed.is_some(), Ordering::Relaxed);
                // The receiver is gone only when the thread that started this one has ended.
                let _ = send.send((own, failed));
            });
        }
        let look = || plan.look_up(done.load(Ordering::Relaxed) as u64, work.segments as u64);
        let (results, raised) = watched_results(&receive, threads, look, || {
            stop.store(true, Ordering::Relaxed);
            signalled.store(true, Ordering::Relaxed);
        });
        let (workers, errors): (Vec<W>, Vec<Option<(usize, InputError)>>) = results.into_iter().unzip();
        if let Some(error) = raised {
            return Err(RunStop::Python(error));
        }
        match errors.into_iter().flatten().min_by_key(|(from, _)| *from) {
            Some((_, error)) => Err(RunStop::Input(error)),
            None => {
                if plan.progress.is_some() {
                    plan.look_up(work.segments as u64, work.segments as u64).map_err(RunStop::Python)?;
                }
                Ok(workers)
            }
        }
    })
}

/// Returns the results that `threads` threads send, and the exception that a signal or the progress display
/// raised meanwhile. This thread calls `look` until it raises an exception, then `stop` once; the threads end
/// by themselves.
fn watched_results<T>(
    receive: &Receiver<T>,
    threads: usize,
    look: impl Fn() -> PyResult<()>,
    stop: impl Fn(),
) -> (Vec<T>, Option<PyErr>) {
    let mut results = Vec::new();
    let mut raised = None;
    while results.len() < threads {
        match receive.recv_timeout(PATIENCE) {
            Ok(result) => results.push(result),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) if raised.is_some() => {}
            Err(RecvTimeoutError::Timeout) => {
                raised = look().err();
                raised.iter().for_each(|_| stop());
            }
        }
    }
    (results, raised)
}

/// Runs short work in the calling thread, without the interpreter lock. The threads of [`whole`] take longer
/// to start than such work takes. Kernels still check for signals.
pub(crate) fn short<R: Send>(py: Python<'_>, work: impl FnOnce() -> Result<R> + Send) -> PyResult<R> {
    let raised = Arc::new(Mutex::new(None));
    let result = py.detach(|| interruptible(asks_python(raised.clone()), work));
    result.map_err(|error| {
        let raised = raised.lock().unwrap_or_else(PoisonError::into_inner).take();
        raised.unwrap_or_else(|| input(&error))
    })
}

/// Runs `work` in other threads while this thread handles signals and the progress display. `work` reports
/// its progress through `WorkPieces`. A signal that raises an exception stops the work.
pub(crate) fn whole<R: Send>(
    py: Python<'_>,
    plan: &WatchPlan,
    work: impl FnOnce(&WorkPieces) -> Result<R> + Send,
) -> PyResult<R> {
    let before = raised();
    let pieces = Arc::new(WorkPieces::default());
    let result = py.detach(|| {
        let stop = Arc::new(AtomicBool::new(false));
        let (send, receive) = channel();
        std::thread::scope(|scope| {
            let counted = &pieces;
            let asked = stop.clone();
            scope.spawn(move || {
                let stop = move || asked.load(Ordering::Relaxed);
                let work = || in_threads(Some(plan.threads()), || work(counted));
                let result = interruptible(stop, || match plan.progress {
                    Some(_) => watched(counted.clone(), work),
                    None => work(),
                });
                // The receiver is gone only when the thread that started this one has ended.
                let _ = send.send(result);
            });
            let look = || {
                // Progress shows 100 % only at the end: another part of the work may not be announced yet.
                let of = pieces.total();
                plan.look_up(pieces.done().min(of.saturating_sub(1)), of)
            };
            let ended = watched_results(&receive, 1, look, || stop.store(true, Ordering::Relaxed));
            match ended {
                (_, Some(error)) => Err(error),
                (mut results, None) => results.pop().ok_or_else(|| value("the work ended without a result")),
            }
        })
    })?;
    if plan.progress.is_some() && matches!(result, Ok(Ok(_))) {
        plan.look_up(pieces.total(), pieces.total())?;
    }
    // If a metric in Python raised an exception, it says more than the error of the library.
    result.or_raise()?.map_err(|error| raised_since(before).unwrap_or_else(|| input(&error)))
}
