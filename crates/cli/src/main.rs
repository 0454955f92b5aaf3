//! `bleuprint`, the program: all of it is in the library, so that a program with more metrics or tokenizers is as short as this.

fn main() -> std::process::ExitCode {
    bleuprint_cli::main(bleuprint::registry(), bleuprint::Tokenizers::default())
}
