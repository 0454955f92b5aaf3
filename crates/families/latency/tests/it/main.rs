//! Tests the public interface with data that JSON does not have. `tests/rows` has all other cases.

use bleuprint_latency::Delays;

mod non_finite;

fn delays(delays: &[f64], source_length: f64) -> Delays {
    Delays { delays: delays.to_vec(), source_length, ..Delays::default() }
}
