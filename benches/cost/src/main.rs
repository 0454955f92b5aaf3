//! Short workloads whose instructions `cargo xtask cost` counts under valgrind.
//!
//! `list` prints the names of the workloads, `processor` the features of the processor that the library can choose code by, and
//! `run NAME` prepares a workload, does it once inside [`measured`], and fails if its answer is not the expected one.
//!
//! Counts must repeat: inputs are generated from fixed seeds, and there is one thread. Addresses seed hashers, so the
//! caller fixes these.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program speaks to the terminal")]

mod given;
mod work;

use std::process::ExitCode;

use work::{Prepared, WORKLOADS, Workload};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["list"] => {
            WORKLOADS.iter().for_each(|workload| println!("{}", workload.name));
            Ok(())
        }
        ["processor"] => {
            println!("{}", processor());
            Ok(())
        }
        ["run", name] => run(name),
        _ => Err("usage: bleuprint-cost list | processor | run NAME".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bleuprint-cost: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(name: &str) -> Result<()> {
    let workload = WORKLOADS.iter().find(|workload| workload.name == name);
    let Workload { prepare, answer, .. } =
        workload.ok_or_else(|| format!("unknown workload `{name}`; `list` prints all"))?;
    // Other threads would not be counted.
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global()?;
    let mut prepared = prepare()?;
    let found = measured(&mut prepared)?;
    // Bits, because a faster kernel must not change a score.
    if found.to_bits() == answer.to_bits() {
        return Ok(());
    }
    Err(format!("{name}: the answer is {found:?}, not {answer:?}").into())
}

/// Runs the work. Valgrind finds this function by its name and counts the instructions that it and its callees execute.
// Inlined, the function would have no name in the profile, and nothing would be counted.
#[inline(never)]
fn measured(work: &mut Prepared) -> Result<f64> {
    work()
}

/// Returns the features of the processor that matter for the library and its dependencies, as the process sees them.
fn processor() -> String {
    #[cfg(target_arch = "x86_64")]
    let features = {
        macro_rules! detected {
            ($($name:tt)+) => { [$(($name, std::arch::is_x86_feature_detected!($name))),+] };
        }
        detected!("sse3" "ssse3" "sse4.1" "sse4.2" "popcnt" "avx" "avx2" "bmi1" "bmi2" "fma" "lzcnt" "sha" "avx512f" "avx512bw")
    };
    #[cfg(not(target_arch = "x86_64"))]
    let features: [(&str, bool); 0] = [];
    let present = features.iter().filter(|(_, present)| *present).map(|(name, _)| *name);
    [std::env::consts::ARCH].into_iter().chain(present).collect::<Vec<_>>().join(" ")
}
