//! Imports from `alloc` that the standard prelude would provide, with `Arc` and `Cow`.

pub(crate) use alloc::borrow::{Cow, ToOwned};
pub(crate) use alloc::boxed::Box;
pub(crate) use alloc::string::{String, ToString};
pub(crate) use alloc::sync::Arc;
pub(crate) use alloc::vec::Vec;
