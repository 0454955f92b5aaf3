//! Tests and confidence intervals of differences of rates and of means, in closed form without resampling.

pub(crate) mod paired;
pub(crate) mod unit_means;
pub(crate) mod unpaired;

/// Finds one end of a confidence interval by bisection to the last bit. The interval is all `d` with
/// `|statistic(d)| <= z`. The search is between `inside`, which belongs to it, and `outside`. Returns
/// `outside` if the interval has this value, too.
///
/// The set is an interval because score statistics decrease as `d` grows.
fn end_of(statistic: &dyn Fn(f64) -> f64, z: f64, inside: f64, outside: f64) -> f64 {
    let (mut inside, mut outside) = (inside, outside);
    if statistic(outside).abs() <= z {
        return outside;
    }
    loop {
        let middle = 0.5 * (inside + outside);
        // No number is left between the two, so the end is exact to the last bit.
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

/// Extends a confidence interval so that it includes 0, unless the p-value rejects 0 at the interval's level.
fn extended([lower, upper]: [f64; 2], p_value: f64, level: f64) -> [f64; 2] {
    if p_value >= 1.0 - level { [lower.min(0.0), upper.max(0.0)] } else { [lower, upper] }
}

#[cfg(test)]
mod tests;
