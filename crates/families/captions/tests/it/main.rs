//! Tests the public interface with recorded numbers of other programs. `tests/rows` has numbers of METEOR 1.5, and the
//! rejected data files.

mod tuples;
