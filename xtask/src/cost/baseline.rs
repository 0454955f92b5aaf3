//! The recorded counts: `benches/cost/baseline.toml`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;
use xtask::Result;

/// The setting on which the counts depend, besides the sources.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Setting {
    pub(super) compiler: String,
    /// Version of the C library, because allocating and copying are counted, too.
    pub(super) libc: String,
    /// Architecture and processor features that valgrind shows, by which the library chooses kernels.
    pub(super) processor: String,
}

/// The instruction counts of a workload.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Row {
    pub(super) instructions: u64,
    /// Instructions of each function without its callees; the file keeps only the largest.
    pub(super) functions: BTreeMap<String, u64>,
}

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct Baseline {
    pub(super) setting: Setting,
    pub(super) workload: BTreeMap<String, Row>,
}

/// Maximum number of functions that the file keeps for each workload.
const MOST: usize = 8;

const HEAD: &str = "# Instructions of each workload of this package under valgrind, and those of its largest functions without their callees.
# `cargo xtask cost --accept` writes this file; with another compiler, C library or processor nothing is compared.
";

impl Baseline {
    /// Reads the baseline; a file that does not exist gives an empty one.
    pub(super) fn read(path: &Path) -> Result<Baseline> {
        if !path.exists() {
            return Ok(Baseline::default());
        }
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()).into())
    }

    /// Returns the counts as TOML.
    pub(super) fn written(&self) -> String {
        let mut text = HEAD.to_owned();
        // A JSON string is also a TOML string.
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let Setting { compiler, libc, processor } = &self.setting;
        let _ = write!(
            text,
            "\n[setting]\ncompiler = {}\nlibc = {}\nprocessor = {}\n",
            quoted(compiler),
            quoted(libc),
            quoted(processor)
        );
        for (name, row) in &self.workload {
            let _ = write!(text, "\n[workload.{name}]\ninstructions = {}\n", row.instructions);
            let _ = writeln!(text, "[workload.{name}.functions]");
            for (function, count) in row.largest() {
                let _ = writeln!(text, "{} = {count}", quoted(function));
            }
        }
        text
    }
}

impl Row {
    /// Returns the functions with the most instructions, not counting their callees.
    fn largest(&self) -> Vec<(&str, u64)> {
        let mut functions: Vec<(&str, u64)> =
            self.functions.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        // Ties are sorted by name, so that the file does not change between equal runs.
        functions.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
        functions.truncate(MOST);
        functions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let functions = BTreeMap::from([("<a::\"B\" as c>::d".to_owned(), 7), ("e".to_owned(), 9)]);
        let setting =
            Setting { compiler: "rustc 1".to_owned(), libc: "2".to_owned(), processor: "x".to_owned() };
        let workload = BTreeMap::from([("a-b".to_owned(), Row { instructions: 16, functions })]);
        let baseline = Baseline { setting, workload };
        assert_eq!(toml::from_str::<Baseline>(&baseline.written()).unwrap(), baseline);
    }

    #[test]
    fn few_functions_are_written() {
        let functions: BTreeMap<String, u64> = (0..20).map(|at| (format!("f{at}"), at)).collect();
        let row = Row { instructions: 190, functions };
        let written =
            Baseline { workload: BTreeMap::from([("a".to_owned(), row)]), ..Baseline::default() }.written();
        assert!(
            written.contains("\"f19\" = 19\n\"f18\" = 18\n") && !written.contains("\"f11\""),
            "{written}"
        );
    }
}
