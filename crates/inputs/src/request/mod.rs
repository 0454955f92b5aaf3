//! Describes the data that a command reads, as plain data without parsing or input.

pub(crate) mod numbers;
pub(crate) mod readers;
pub(crate) mod sources;
pub(crate) mod vectors;

pub use numbers::{NumbersRequest, RecordsReading};
pub use readers::ReaderRequest;
pub use sources::{FieldNeeds, Sources, StreamsRequest, Unlike};
pub use vectors::VectorsRequest;
