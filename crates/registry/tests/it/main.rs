//! Tests of metrics that define their data, and of the laws, which must find planted bugs.

mod own_data;
#[cfg(feature = "laws")]
mod planted;
mod settings;
mod shapes;
mod shared_names;
