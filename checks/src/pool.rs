//! Workers that take jobs from one queue, each in a separate thread.

use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

use xtask::Result;

const POISONED: &str = "a worker panicked";

/// Returns the number of workers for this machine; more than eight would need much memory for little gain.
pub(crate) fn size() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get).min(8)
}

/// Runs all jobs and returns the workers. An error of one worker ends the others after their current jobs.
pub(crate) fn run<W: Send, J: Send>(
    workers: impl IntoIterator<Item = W>,
    jobs: impl Iterator<Item = J> + Send,
    work: impl Fn(&mut W, J) -> Result + Sync,
) -> Result<Vec<W>> {
    // Empty once a worker has failed.
    let jobs = &Mutex::new(Some(jobs));
    let work = &work;
    // The lock is released before the work starts, so workers only wait while a job is drawn.
    let next = || jobs.lock().ok()?.as_mut()?.next();
    thread::scope(|scope| {
        let worker = |mut worker: W| {
            scope.spawn(move || {
                while let Some(job) = next() {
                    if let Err(error) = work(&mut worker, job) {
                        jobs.lock().map_err(|_| POISONED)?.take();
                        return Err(error);
                    }
                }
                Ok(worker)
            })
        };
        // Collecting starts all threads; a lazy iterator would join each before it starts the next.
        let threads: Vec<_> = workers.into_iter().map(worker).collect();
        threads.into_iter().map(|thread| thread.join().map_err(|_| POISONED)?).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_done_once_unless_one_fails() {
        let add = |sum: &mut u64, job: u64| {
            *sum += job;
            Ok(())
        };
        assert_eq!(run([0, 0, 0], 1..=100, add).unwrap().iter().sum::<u64>(), 5_050);
        let fail = |_: &mut (), job: u64| if job == 7 { Err("seven".into()) } else { Ok(()) };
        assert_eq!(run([(), ()], 0.., fail).unwrap_err().to_string(), "seven");
    }
}
