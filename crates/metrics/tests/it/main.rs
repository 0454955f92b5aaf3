//! Metrics against recorded outputs and naive twins.

mod dialects;
mod given;
mod support;
