//! Metrics over data of their own, and the laws, which find planted bugs.

mod own_data;
#[cfg(feature = "laws")]
mod planted;
mod shapes;
