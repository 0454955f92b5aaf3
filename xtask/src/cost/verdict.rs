//! Compares counts with the baseline, and reports what grew.

use std::collections::BTreeMap;

use super::baseline::{Baseline, Row, Setting};

/// Growth above which a workload fails, in percent.
const MOST: u64 = 3;
/// Number of functions that a failure names.
const NAMED: usize = 5;

pub(super) struct Verdict {
    pub(super) lines: Vec<String>,
    pub(super) failures: usize,
}

/// Compares counts with the baseline. `all` is `true` if every workload was counted; a row without a workload
/// is then a failure.
pub(super) fn compare(baseline: &Baseline, setting: &Setting, counted: &[(&str, Row)], all: bool) -> Verdict {
    let comparable = baseline.setting == *setting;
    let (mut lines, mut failures) = (Vec::new(), 0);
    for (name, row) in counted {
        let now = row.instructions;
        let Some(before) = baseline.workload.get(*name) else {
            lines.push(format!("{name:>20} {now:>12}  FAILED: the baseline has no such row"));
            failures += 1;
            continue;
        };
        let growth = (now as f64 / before.instructions.max(1) as f64 - 1.0) * 100.0;
        let limit = |percent: u64| before.instructions.saturating_mul(percent);
        // Integers compare exactly at the limit, which the rounded percentage does not.
        let scaled = now.saturating_mul(100);
        let grown = scaled > limit(100 + MOST) && comparable;
        let shrunk = scaled < limit(100 - MOST) && comparable;
        let mark = match (grown, shrunk) {
            (true, _) => format!("  FAILED: above {MOST} %"),
            (_, true) => "  less: accept it, so that it is kept".to_owned(),
            _ => String::new(),
        };
        lines.push(format!("{name:>20} {now:>12} {growth:>+7.2} %{mark}"));
        if grown {
            failures += 1;
            lines.extend(largest_growth(before, row));
        }
    }
    let gone = baseline.workload.keys().filter(|name| all && !counted.iter().any(|(known, _)| known == name));
    for name in gone {
        lines.push(format!("{name:>20} {:>12}  FAILED: the workload is gone", "-"));
        failures += 1;
    }
    if !comparable {
        lines.push(format!("nothing fails: the baseline is of {}", told(&baseline.setting)));
        lines.push(format!("                    and this run is of {}", told(setting)));
        // Counts of another compiler or processor do not show a change of this code.
        failures = 0;
    }
    Verdict { lines, failures }
}

fn told(setting: &Setting) -> String {
    let Setting { compiler, libc, processor } = setting;
    format!("{compiler}, libc {libc}, {processor}")
}

/// Returns lines about the functions that grew most. The baseline keeps only the largest functions. A
/// function that is not in it counts from 0, although it may have been as large as the smallest one there.
fn largest_growth(before: &Row, now: &Row) -> Vec<String> {
    // A function missing in the baseline had at most this count, or it would have been kept.
    let kept = before.functions.values().min().copied().unwrap_or(0);
    let known: &BTreeMap<String, u64> = &before.functions;
    let mut grown: Vec<(u64, String)> = Vec::new();
    for (name, &count) in &now.functions {
        match known.get(name) {
            Some(&old) if count > old => grown.push((count - old, format!("{old} -> {count}  {name}"))),
            None if count > kept => grown.push((count - kept, format!("at most {kept} -> {count}  {name}"))),
            _ => {}
        }
    }
    grown.sort_by(|one, other| other.cmp(one));
    grown.into_iter().take(NAMED).map(|(more, text)| format!("{:>33} +{more}: {text}", "")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(functions: &[(&str, u64)]) -> Row {
        let functions: BTreeMap<String, u64> =
            functions.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
        Row { instructions: functions.values().sum(), functions }
    }

    fn baseline() -> Baseline {
        let workload = BTreeMap::from([("ter".to_owned(), row(&[("kernel", 900), ("rest", 100)]))]);
        Baseline { setting: setting("rustc 1"), workload }
    }

    fn setting(compiler: &str) -> Setting {
        Setting { compiler: compiler.to_owned(), libc: "2".to_owned(), processor: "x".to_owned() }
    }

    #[test]
    fn growth_fails_above_its_limit_and_names_the_function() {
        let verdict = |kernel| {
            compare(
                &baseline(),
                &setting("rustc 1"),
                &[("ter", row(&[("kernel", kernel), ("rest", 100)]))],
                true,
            )
        };
        assert_eq!((verdict(900).failures, verdict(930).failures), (0, 0));
        let grown = verdict(950);
        assert_eq!(grown.failures, 1);
        assert!(grown.lines[0].contains("+5.00 %  FAILED"), "{:?}", grown.lines);
        assert!(grown.lines[1].ends_with("+50: 900 -> 950  kernel"), "{:?}", grown.lines);
        assert!(verdict(800).lines[0].ends_with("less: accept it, so that it is kept"));
    }

    #[test]
    fn another_compiler_prints_and_does_not_fail() {
        let slow = [("ter", row(&[("kernel", 9_000)]))];
        let verdict = compare(&baseline(), &setting("rustc 2"), &slow, true);
        assert_eq!(verdict.failures, 0);
        assert!(verdict.lines[1].contains("the baseline is of rustc 1"), "{:?}", verdict.lines);
    }

    #[test]
    fn rows_and_workloads_belong_together() {
        let new = [("wer", row(&[("kernel", 9)]))];
        assert_eq!(compare(&baseline(), &setting("rustc 1"), &new, true).failures, 2);
        assert_eq!(compare(&baseline(), &setting("rustc 1"), &new, false).failures, 1);
    }
}
