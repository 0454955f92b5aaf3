//! Types that describe what a command counts: the files, such as texts, numbers and vectors, the metrics and the
//! tokens. They hold the user's choices and check them; other modules read the files.

mod counting;
mod fit;
mod forms;
mod keywords;
mod logged;
mod metrics;
pub(crate) mod numbers;
pub(crate) mod readers;
mod recipe;
pub(crate) mod sources;
pub(crate) mod vectors;

pub use counting::{CountingRequest, CountingSource};
pub use forms::FileForm;
pub(crate) use keywords::in_keywords;
pub use metrics::MetricChoice;
pub use numbers::{NumbersRequest, RecordsReading};
pub use readers::ReaderRequest;
pub use sources::{FieldNeeds, Sources, StreamsRequest, Unlike};
pub use vectors::VectorsRequest;
