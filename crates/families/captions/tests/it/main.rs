//! Tests the public interface: numbers of other programs, and missing or damaged data.

mod golden;
mod recorded;
mod refused;
