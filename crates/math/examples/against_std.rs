//! Compares `ln`, `exp` and `pow` with the standard library:
//! `cargo run --release --example against_std [MILLIONS] [SEED]`.
//!
//! On Linux with glibc 2.29 or later and a processor with fused multiply-add, no result differs.
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let millions = arguments.next().unwrap_or(Ok(10)).expect("MILLIONS is a number");
    let mut random = Random(arguments.next().unwrap_or(Ok(1)).expect("SEED is a number"));
    for (name, draw) in SETS {
        let mut differ = [0u64; 3];
        let start = Instant::now();
        for _ in 0..millions * 1_000_000 {
            let (x, y) = draw(&mut random);
            differ[0] += u64::from(other(bleuprint_math::ln(x), x.ln()));
            differ[1] += u64::from(other(bleuprint_math::exp(y), y.exp()));
            differ[2] += u64::from(other(bleuprint_math::pow(x, y), x.powf(y)));
        }
        let [ln, exp, pow] = differ;
        let seconds = start.elapsed().as_secs_f64();
        println!("{name}: {millions} million each, ln {ln}, exp {exp}, pow {pow} differ ({seconds:.0} s)");
    }
}

type Draw = fn(&mut Random) -> (f64, f64);

/// Named functions that draw a base for `ln` and `pow`, and an exponent for `exp` and `pow`.
const SETS: &[(&str, Draw)] = &[
    ("as in scores", |random| {
        let total = random.next() % 1_000_000 + 1;
        let quotient = (random.next() % total + 1) as f64 / total as f64;
        (100.0 * quotient, -50.0 * random.unit() + 5.0)
    }),
    ("near 1", |random| (1.0 + (random.unit() - 0.5) / 4.0, (random.unit() - 0.5) * 2000.0)),
    ("any bits", |random| (f64::from_bits(random.next()), f64::from_bits(random.next()))),
    ("any positive base", |random| (f64::from_bits(random.next() >> 1), (random.unit() - 0.5) * 8.0)),
    ("ends of the range", |random| (f64::from_bits(random.next() >> 6), -745.2 + 40.0 * random.unit())),
];

/// The generator SplitMix64 (Steele et al. 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / 9_007_199_254_740_992.0
    }
}

fn other(a: f64, b: f64) -> bool {
    a.to_bits() != b.to_bits() && !(a.is_nan() && b.is_nan())
}
