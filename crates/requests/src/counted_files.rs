//! [`CountedFiles`]: counts of files, for programs without a command line.

use bleuprint::eval::evaluation::Run;
use bleuprint::text::Families;

use crate::data::Reading;
use crate::failure::{Failure, fail};
use crate::request::{CountingRequest, in_keywords};
use crate::warn;

/// Counts of several systems under several metrics, read from files.
#[non_exhaustive]
pub struct CountedFiles {
    /// Per-segment counts of each system under each requested metric. Segments of harness logs are matched by
    /// task, item and sample; task and group become labels.
    pub run: Run,
    /// Remarks for the user that change no score, such as the names of logs that were left out.
    pub notes: Vec<String>,
}

impl CountedFiles {
    /// Reads and counts the files of the request that `request` creates, and prints nothing. Messages name options
    /// as Python's `from_files` and `from_logs` do, also those of `request`.
    ///
    /// # Errors
    /// Returns the error message, for example for an unknown metric, a file that cannot be read, or logs with
    /// different items.
    ///
    /// ```
    /// use bleuprint_requests::CountedFiles;
    /// use bleuprint_requests::data::Reading;
    /// use bleuprint_requests::request::{CountingRequest, MetricChoice, NumbersRequest, Sources};
    ///
    /// let folder = bleuprint_testkit::Folder::new();
    /// let log = |name: &str, passed: [bool; 2]| {
    ///     let line = |at: usize| format!("{{\"task_id\": \"T/{at}\", \"passed\": {}}}\n", passed[at]);
    ///     (None, folder.file(name, line(0) + &line(1)).display().to_string())
    /// };
    /// let records = vec![log("a_results.jsonl", [true, true]), log("b_results.jsonl", [true, false])];
    /// let numbers = NumbersRequest { harness: Some("human-eval".parse().unwrap()), records, ..Default::default() };
    /// let request = CountingRequest {
    ///     sources: Sources { numbers, ..Default::default() },
    ///     metrics: MetricChoice { names: vec!["passed".to_owned()], given: true, ..Default::default() },
    ///     ..Default::default()
    /// };
    /// let counted = CountedFiles::new(|| Ok(request), &Reading::default(), &bleuprint::families()).unwrap();
    /// let scores = counted.run.scores().unwrap();
    /// assert_eq!([scores[0][0].value(), scores[1][0].value()], [1.0, 0.5]);
    /// ```
    pub fn new(
        request: impl FnOnce() -> Result<CountingRequest, Failure>,
        reading: &Reading,
        families: &Families,
    ) -> Result<CountedFiles, String> {
        let count = || {
            let request = request()?;
            if request.metrics.given && request.metrics.names.is_empty() {
                fail!("no metric is given");
            }
            request.read(reading, families)?.counted()
        };
        let (run, notes) = warn::kept(count);
        let run = run.map_err(|failure| match failure {
            Failure::Input(error) => in_keywords(&error.to_string(), families),
            Failure::Message(message) => in_keywords(&message, families),
            // Reading writes to no output and judges nothing, so neither case happens today.
            Failure::OutputClosed | Failure::Verdict(_) => "the files were not read".to_owned(),
        })?;
        Ok(CountedFiles { run, notes: notes.iter().map(|note| in_keywords(note, families)).collect() })
    }
}
