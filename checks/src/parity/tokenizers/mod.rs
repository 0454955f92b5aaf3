//! Every tokenizer that sacreBLEU has, against sacreBLEU: on all lines of real data, on every Unicode scalar value
//! alone and between letters and digits, and on random strings of what tokenizers stumble over.
//!
//! The dictionaries of `ja-mecab` and `ko-mecab` are those of the PyPI packages. sacreBLEU's own SentencePiece models
//! are not to be had there, so both sides read small ones that SentencePiece trains here from the example data.

mod hostile;
mod inputs;
mod pairs;
mod workers;

use std::path::Path;

use serde_json::{Value, json};

use self::inputs::Inputs;
use super::Comparison;
use super::python::Oracle;

/// The driver that answers for sacreBLEU's tokenizers.
const DRIVER: &str = include_str!("oracle.py");

/// The whole comparison.
pub(super) fn all(comparison: &mut Comparison) -> Result<(), String> {
    let mut oracles = Vec::new();
    for _ in 0..workers::number() {
        oracles.push(Oracle::start(&comparison.python, DRIVER)?);
    }
    let about = oracles[0].about.clone();
    check_packages(&about)?;
    if !comparison.promised {
        println!("  skipped: tercom in small letters, which follow the Unicode tables of the interpreter");
    }
    println!("  a text counts once for every set of options of tercom that cuts it");
    let models = comparison.cache.join("sacrebleu");
    give_models(&mut oracles, &models, &comparison.root)?;
    let pairs = pairs::all(&about["dictionaries"], &models.join("models"), comparison.promised)?;
    let inputs = Inputs::new(&comparison.root)?.share(|all| comparison.cases(all));
    workers::run(oracles, &pairs, inputs, &mut comparison.report)
}

/// Nothing is left out for want of a package: then the comparison would be less than it says.
fn check_packages(about: &Value) -> Result<(), String> {
    let packages = about["packages"].as_object().ok_or("the oracle did not name its packages")?;
    let missing: Vec<&str> = packages
        .iter()
        .filter(|(_, version)| version.is_null())
        .map(|(package, _)| package.as_str())
        .collect();
    if !missing.is_empty() {
        let missing = missing.join(", ");
        return Err(format!("the interpreter has no {missing}; install what requirements.txt pins"));
    }
    let named = packages
        .iter()
        .map(|(package, version)| format!("{package} {}", version.as_str().unwrap_or_default()));
    println!("  tokenizers of {}", named.collect::<Vec<_>>().join(", "));
    Ok(())
}

/// Trains the models with the first oracle, and tells the others where they are.
fn give_models(oracles: &mut [Oracle], folder: &Path, root: &Path) -> Result<(), String> {
    let texts = inputs::example_lines(root)?;
    oracles[0].ask(&json!({ "question": "train", "folder": folder, "texts": texts }))?;
    for oracle in &mut oracles[1..] {
        oracle.ask(&json!({ "question": "use", "folder": folder }))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_package_is_named() {
        let about = json!({ "packages": { "regex": "1", "ipadic": null } });
        assert!(check_packages(&about).is_err_and(|error| error.contains("has no ipadic;")));
        assert!(check_packages(&json!({ "packages": { "regex": "1" } })).is_ok());
    }
}
