//! Differences of rates and of means: closed forms that need no resampling.

pub(crate) mod paired;
pub(crate) mod unit_means;
pub(crate) mod unpaired;

/// Returns the end of `{ d : |statistic(d)| <= z }` between `inside`, a point of the set, and `outside`, by bisection to the
/// last bit; `outside` itself if it belongs to the set.
///
/// The sets of score statistics are intervals, because the statistics fall as `d` grows.
fn end_of(statistic: &dyn Fn(f64) -> f64, z: f64, inside: f64, outside: f64) -> f64 {
    let (mut inside, mut outside) = (inside, outside);
    if statistic(outside).abs() <= z {
        return outside;
    }
    loop {
        let middle = 0.5 * (inside + outside);
        if middle == inside || middle == outside {
            return inside;
        }
        if statistic(middle).abs() <= z {
            inside = middle;
        } else {
            outside = middle;
        }
    }
}

/// Extends an interval to 0 unless the test at its level rejects 0.
fn extended([lower, upper]: [f64; 2], p_value: f64, level: f64) -> [f64; 2] {
    if p_value >= 1.0 - level { [lower.min(0.0), upper.max(0.0)] } else { [lower, upper] }
}

#[cfg(test)]
mod tests;
