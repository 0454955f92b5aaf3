//! Work over segments without the interpreter lock: in one thread or several, with a look at signals and at progress
//! every twentieth of a second.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use bleuprint::{InputError, Location};
use pyo3::prelude::*;

use crate::count::Count;
use crate::errors::input;

/// How long work goes on before signals are looked at.
const PATIENCE: Duration = Duration::from_millis(50);
/// Segments that a thread takes at a time.
const CHUNK: usize = 32;

/// How the work is to be done.
#[derive(Default)]
pub(crate) struct Plan {
    threads: usize,
    progress: Option<Py<PyAny>>,
}

impl Plan {
    /// `threads`: how many; 1 if nothing is said, all there are for 0. `progress` is called with the number of segments
    /// done and of all.
    pub(crate) fn new(threads: Option<Count>, progress: Option<Py<PyAny>>) -> PyResult<Self> {
        let threads = match threads {
            None => 1,
            Some(Count(0)) => std::thread::available_parallelism().map_or(1, usize::from),
            Some(given) => given.at_most("threads", 1024)?,
        };
        Ok(Plan { threads, progress })
    }

    /// The same in one thread.
    pub(crate) fn single(self) -> Self {
        Plan { threads: 1, ..self }
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads.max(1)
    }

    /// Looks at signals and tells the progress.
    fn look_up(&self, done: usize, of: usize) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            match &self.progress {
                Some(progress) => progress.call1(py, (done, of)).map(|_| ()),
                None => Ok(()),
            }
        })
    }
}

/// Why work ended early.
enum Stop {
    Input(InputError),
    Python(PyErr),
}

/// Lets workers do a step for each segment, and gives them back. Of several errors, that of the first segment is raised.
pub(crate) fn each<W: Send>(
    py: Python<'_>,
    plan: &Plan,
    segments: usize,
    worker: impl Fn() -> W + Sync,
    step: impl Fn(&mut W, usize) -> Result<(), InputError> + Sync,
) -> PyResult<Vec<W>> {
    let located = |worker: &mut W, segment: usize| {
        step(worker, segment).map_err(|error| error.renumbered(Location::segment(segment as u64 + 1)))
    };
    let threads = plan.threads().min(segments.div_ceil(CHUNK)).max(1);
    let result = py.detach(|| match threads {
        1 => alone(plan, segments, worker(), &located).map(|worker| vec![worker]),
        _ => together(plan, segments, threads, &worker, &located),
    });
    result.map_err(|stop| match stop {
        Stop::Input(error) => input(&error),
        Stop::Python(error) => error,
    })
}

fn alone<W>(
    plan: &Plan,
    segments: usize,
    mut worker: W,
    step: &impl Fn(&mut W, usize) -> Result<(), InputError>,
) -> Result<W, Stop> {
    let mut looked = Instant::now();
    for segment in 0..segments {
        step(&mut worker, segment).map_err(Stop::Input)?;
        // The clock is read now and then: segments may take less time than that.
        if segment % 8 == 7 && looked.elapsed() > PATIENCE {
            plan.look_up(segment + 1, segments).map_err(Stop::Python)?;
            looked = Instant::now();
        }
    }
    if plan.progress.is_some() {
        plan.look_up(segments, segments).map_err(Stop::Python)?;
    }
    Ok(worker)
}

fn together<W: Send>(
    plan: &Plan,
    segments: usize,
    threads: usize,
    worker: &(impl Fn() -> W + Sync),
    step: &(impl Fn(&mut W, usize) -> Result<(), InputError> + Sync),
) -> Result<Vec<W>, Stop> {
    let (next, done, stop) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
    let (send, receive) = channel();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let send = send.clone();
            let (next, done, stop) = (&next, &done, &stop);
            scope.spawn(move || {
                let mut own = worker();
                let mut failed = None;
                while failed.is_none() && !stop.load(Ordering::Relaxed) {
                    // Chunks are handed out in order, so the first error of all is in one that was handed out.
                    let from = next.fetch_add(CHUNK, Ordering::Relaxed);
                    if from >= segments {
                        break;
                    }
                    let to = (from + CHUNK).min(segments);
                    failed = (from..to).find_map(|segment| Some((segment, step(&mut own, segment).err()?)));
                    done.fetch_add(to - from, Ordering::Relaxed);
                }
                stop.fetch_or(failed.is_some(), Ordering::Relaxed);
                // Nobody listens any more only when the thread that started this one has gone.
                let _ = send.send((own, failed));
            });
        }
        let (mut workers, mut errors, mut raised) = (Vec::new(), Vec::new(), None);
        while workers.len() < threads {
            match receive.recv_timeout(PATIENCE) {
                Ok((worker, failed)) => {
                    workers.push(worker);
                    errors.extend(failed);
                }
                Err(RecvTimeoutError::Timeout) => {
                    if raised.is_none()
                        && let Err(error) = plan.look_up(done.load(Ordering::Relaxed), segments)
                    {
                        stop.store(true, Ordering::Relaxed);
                        raised = Some(error);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        if let Some(error) = raised {
            return Err(Stop::Python(error));
        }
        match errors.into_iter().min_by_key(|(segment, _): &(usize, InputError)| *segment) {
            Some((_, error)) => Err(Stop::Input(error)),
            None => {
                if plan.progress.is_some() {
                    plan.look_up(segments, segments).map_err(Stop::Python)?;
                }
                Ok(workers)
            }
        }
    })
}
