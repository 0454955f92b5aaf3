//! `bleuprint`, the program: all of it is in the library, so that a program with more metrics or tokenizers is as short as this.

use std::process::ExitCode;

fn main() -> ExitCode {
    match registry() {
        Ok(registry) => bleuprint_cli::main(registry, bleuprint::Tokenizers::default()),
        Err(error) => bleuprint_cli::refuse(&error),
    }
}

fn registry() -> Result<bleuprint::Registry, bleuprint::ConfigError> {
    #[cfg_attr(not(feature = "code"), expect(unused_mut, reason = "nothing is added"))]
    let mut registry = bleuprint::registry();
    #[cfg(feature = "code")]
    registry.add(bleuprint_codebleu::ENTRY)?;
    Ok(registry)
}
