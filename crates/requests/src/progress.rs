//! Shows the progress of long work on standard error: on a terminal as one line that changes, after the first
//! second; in a log as a line every minute.

use std::io::{IsTerminal, stderr, stdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::warn;
use bleuprint::inference::{WorkPieces, watched};
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

/// Duration of work after which its progress is shown.
const LONG: Duration = Duration::from_secs(1);

/// Time between two lines of progress in a log, and before the first one.
const BETWEEN_LINES: Duration = Duration::from_secs(60);

/// Smallest time between two updates of the progress line.
const BETWEEN: Duration = Duration::from_millis(100);

/// Progress line on standard error, which disappears when the value is dropped.
pub struct ProgressLine {
    /// Description of the counted unit, such as `segments scored`.
    what: &'static str,
    shown: ShownProgress,
    count: u64,
    looks: ClockLooks,
}

/// Choice of the units after which the clock is read: all of them if they are slow, few if they are fast.
/// Reading the clock takes as long as reading a short segment.
struct ClockLooks {
    /// Number of units between two looks.
    step: u64,
    /// Number of units until the next look.
    left: u64,
    last: Instant,
}

impl ClockLooks {
    /// Greatest number of units between two looks.
    const MOST: u64 = 32;
    /// Time between two looks below which the number of units between them is doubled.
    const SHORT: Duration = Duration::from_millis(1);

    fn new() -> Self {
        ClockLooks { step: 1, left: 1, last: Instant::now() }
    }

    /// Counts one unit. Returns `true` if the clock is due.
    fn is_due(&mut self) -> bool {
        self.left -= 1;
        if self.left > 0 {
            return false;
        }
        let now = Instant::now();
        let is_fast = now.duration_since(self.last) < Self::SHORT;
        self.step = if is_fast { (2 * self.step).min(Self::MOST) } else { 1 };
        (self.left, self.last) = (self.step, now);
        true
    }
}

enum ShownProgress {
    Never,
    /// Standard error is no terminal but, for example, the log of a job.
    Lines {
        since: Instant,
        last: Instant,
    },
    /// State during the first second of work, when no progress line is shown yet.
    NotYet {
        since: Instant,
    },
    Now {
        bar: ProgressBar,
        last: Instant,
    },
}

impl ProgressLine {
    /// Creates a progress line for work that prints only at its end; `what` names the unit that is counted.
    pub fn new(what: &'static str) -> Self {
        let since = Instant::now();
        let shown = if stderr().is_terminal() {
            ShownProgress::NotYet { since }
        } else {
            ShownProgress::Lines { since, last: since }
        };
        ProgressLine { what, shown, count: 0, looks: ClockLooks::new() }
    }

    /// Creates a progress line for work that prints while it runs. It is hidden if standard output is a
    /// terminal too, so that the two do not mix.
    pub fn beside_output(what: &'static str) -> Self {
        let progress = ProgressLine::new(what);
        if stdout().is_terminal() {
            ProgressLine { shown: ShownProgress::Never, ..progress }
        } else {
            progress
        }
    }

    /// Counts one finished unit of work, and updates the progress line on the terminal if it is due.
    /// `position` returns the work done and the total work, if they are known.
    pub fn add(&mut self, position: impl FnOnce() -> Option<(u64, u64)>) {
        self.count += 1;
        if self.looks.is_due() {
            self.update(position);
        }
    }

    fn update(&mut self, position: impl FnOnce() -> Option<(u64, u64)>) {
        match &mut self.shown {
            ShownProgress::Lines { since, last } if last.elapsed() >= BETWEEN_LINES => {
                *last = Instant::now();
                let elapsed = since.elapsed();
                let line = self.line(elapsed, position());
                warn::note(&line);
            }
            ShownProgress::NotYet { since } if since.elapsed() >= LONG => {
                let elapsed = since.elapsed();
                self.show(ProgressDrawTarget::stderr(), elapsed);
                self.say(position());
            }
            ShownProgress::Now { last, .. } if last.elapsed() >= BETWEEN => {
                *last = Instant::now();
                self.say(position());
            }
            _ => {}
        }
    }

    /// Returns the progress as a line of a log.
    fn line(&self, elapsed: Duration, position: Option<(u64, u64)>) -> String {
        let head = format!("{} {}", self.count, self.what);
        match position {
            Some((done, of)) if of > 0 => {
                format!("{head}, {}%, {}", 100 * u128::from(done) / u128::from(of), left(elapsed, done, of))
            }
            _ => format!("{head}, {}", HumanDuration(elapsed)),
        }
    }

    fn show(&mut self, target: ProgressDrawTarget, elapsed: Duration) {
        let bar = ProgressBar::with_draw_target(None, target)
            .with_style(style("{msg}, {elapsed}"))
            .with_elapsed(elapsed)
            .with_finish(ProgressFinish::AndClear);
        self.shown = ShownProgress::Now { bar, last: Instant::now() };
    }

    fn say(&self, position: Option<(u64, u64)>) {
        let ShownProgress::Now { bar, .. } = &self.shown else { return };
        if let Some((done, of)) = position {
            // The total is known only after the first files are open, so the bar may appear later than the
            // line.
            if bar.length() != Some(of) {
                bar.set_style(style("{msg} [{wide_bar}] {percent}%, {prefix}"));
                bar.set_length(of);
            }
            bar.set_prefix(left(bar.elapsed(), done, of));
            bar.set_position(done);
        }
        bar.set_message(format!("{} {}", self.count, self.what));
    }
}

/// Returns the time that the rest of the work takes at the speed so far, such as `3 seconds left`.
fn left(elapsed: Duration, done: u64, of: u64) -> String {
    match done {
        // Nothing is done, so there is no speed.
        0 => HumanDuration(elapsed).to_string(),
        _ => {
            let left = elapsed.mul_f64(of.saturating_sub(done) as f64 / done as f64);
            format!("{} left", HumanDuration(left))
        }
    }
}

/// Runs `work` and shows the progress of its resamples, trials and other announced pieces, with the time left.
pub fn with_progress<R>(work: impl FnOnce() -> R) -> R {
    let thread = StepsThread::default();
    let started = Arc::clone(&thread.0);
    // Most commands announce no pieces, and a thread would take a tenth of the time of their start.
    let pieces = WorkPieces::starting_with(move |pieces| {
        let (running, ended) = channel();
        let spawned = std::thread::Builder::new().spawn(move || show_steps(&pieces, &ended));
        // Without another thread the work goes on, and its progress is not shown.
        *started.lock().unwrap_or_else(PoisonError::into_inner) =
            spawned.ok().map(|thread| RunningThread { running, thread });
    });
    watched(Arc::new(pieces), work)
}

/// Thread that shows the progress of announced pieces, from the first of them until the value is dropped.
#[derive(Default)]
struct StepsThread(Arc<Mutex<Option<RunningThread>>>);

struct RunningThread {
    /// The thread ends when the sender is dropped.
    running: Sender<()>,
    thread: JoinHandle<()>,
}

/// Ends the thread when the work has ended, also by a panic, so that no line of progress follows the output.
impl Drop for StepsThread {
    fn drop(&mut self) {
        let running = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(RunningThread { running, thread }) = running {
            drop(running);
            // A display that failed must not fail the work.
            let _ = thread.join();
        }
    }
}

fn show_steps(pieces: &WorkPieces, ended: &Receiver<()>) {
    let mut progress: Option<ProgressLine> = None;
    while ended.recv_timeout(BETWEEN) == Err(RecvTimeoutError::Timeout) {
        let done = pieces.done();
        let of = pieces.total();
        // Nothing runs between two parts of the work, so the line would stay as it is.
        if done >= of {
            progress = None;
            continue;
        }
        let line = progress.get_or_insert_with(|| ProgressLine::new("steps of the test done"));
        line.count = done;
        line.update(|| Some((done, of)));
    }
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.progress_chars("=> ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::InMemoryTerm;

    fn shown(count: u64, position: Option<(u64, u64)>) -> (ProgressLine, InMemoryTerm) {
        let term = InMemoryTerm::new(4, 60);
        let mut progress = ProgressLine {
            what: "segments scored",
            shown: ShownProgress::Never,
            count,
            looks: ClockLooks::new(),
        };
        progress.show(ProgressDrawTarget::term_like(Box::new(term.clone())), LONG);
        progress.say(position);
        (progress, term)
    }

    #[test]
    fn a_bar_says_how_much_is_done() {
        let (progress, term) = shown(640, Some((300, 1200)));
        let line = term.contents();
        assert!(line.starts_with("640 segments scored [====>    "), "{line}");
        assert!(line.ends_with("] 25%, 3 seconds left"), "{line}");
        drop(progress);
        assert_eq!(term.contents(), "");
    }

    #[test]
    fn a_log_gets_lines() {
        let progress = ProgressLine {
            what: "segments scored",
            shown: ShownProgress::Never,
            count: 640,
            looks: ClockLooks::new(),
        };
        let minute = Duration::from_secs(60);
        assert_eq!(progress.line(minute, Some((1, 4))), "640 segments scored, 25%, 3 minutes left");
        assert_eq!(progress.line(minute, Some((0, 4))), "640 segments scored, 0%, 60 seconds");
        assert_eq!(progress.line(minute, None), "640 segments scored, 60 seconds");
    }

    #[test]
    fn work_is_watched_and_returned() {
        assert_eq!(with_progress(|| 7), 7);
    }

    #[test]
    fn without_an_end_in_sight_there_is_no_bar() {
        let (progress, term) = shown(64, None);
        assert!(term.contents().starts_with("64 segments scored, "), "{}", term.contents());
        drop(progress);
        assert_eq!(term.contents(), "");
    }

    #[test]
    fn long_work_is_shown_when_something_more_is_done() {
        let since = Instant::now().checked_sub(LONG).expect("the clock began before");
        let mut progress = ProgressLine {
            what: "segments scored",
            shown: ShownProgress::NotYet { since },
            count: 6,
            looks: ClockLooks::new(),
        };
        progress.add(|| Some((7, 9)));
        let ShownProgress::Now { bar, .. } = &progress.shown else { panic!("not shown") };
        assert_eq!((bar.message().as_str(), bar.position(), bar.length()), ("7 segments scored", 7, Some(9)));
    }

    #[test]
    fn the_clock_is_read_after_every_slow_unit_and_after_few_fast_ones() {
        let mut looks = ClockLooks::new();
        let due = (0..1000).filter(|_| looks.is_due()).count();
        assert!(due < 1000 / 2, "{due}");
        // The units that are left before the next look, and one more second.
        looks.left = 1;
        looks.last = Instant::now().checked_sub(LONG).expect("the clock began before");
        assert!(looks.is_due());
        assert_eq!((looks.step, looks.left), (1, 1));
    }

    #[test]
    fn short_work_shows_nothing() {
        let since = Instant::now();
        let mut progress = ProgressLine {
            what: "segments scored",
            shown: ShownProgress::NotYet { since },
            count: 0,
            looks: ClockLooks::new(),
        };
        progress.add(|| None);
        assert!(matches!(progress.shown, ShownProgress::NotYet { .. }));
    }
}
