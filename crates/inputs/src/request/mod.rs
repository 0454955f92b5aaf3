//! Types that describe which files a command reads, such as texts, numbers and vectors, and how. They only
//! hold the user's choices; other modules read the files.

pub(crate) mod numbers;
pub(crate) mod readers;
pub(crate) mod sources;
pub(crate) mod vectors;

pub use numbers::{NumbersRequest, RecordsReading};
pub use readers::ReaderRequest;
pub use sources::{FieldNeeds, Sources, StreamsRequest, Unlike};
pub use vectors::VectorsRequest;
