//! Tests that compare metrics with recorded outputs of other programs and with reference implementations.

mod dialects;
mod given;
mod support;
