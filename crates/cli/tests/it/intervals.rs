//! The golden rows of intervals through the program, whose level is 0.95.

use std::fmt::Write as _;

use serde_json::Value;

use crate::common::{Folder, parsed};

/// Rows with more segments are left to the library: files of them are large.
const MOST: usize = 2_000;

const METRIC: &str = "given:name=x,scale=0..1,producer=p";

fn count(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

/// Records of segments, each with a unit and a number.
fn records(numbers: impl Iterator<Item = (usize, bool)>, first: usize) -> String {
    let mut text = String::new();
    for (at, (unit, right)) in numbers.enumerate() {
        writeln!(text, "{{\"id\":{},\"unit\":\"u{unit}\",\"x\":{}}}", first + at, u8::from(right)).unwrap();
    }
    text
}

fn pair(folder: &Folder, sides: [String; 2], more: &[&str]) -> Value {
    let [one, other] = [("a.jsonl", 0), ("b.jsonl", 1)].map(|(name, side)| folder.file(name, &sides[side]));
    let (one, other) = (format!("A={one}"), format!("B={other}"));
    let mut arguments =
        vec!["compare", "-q", "--numbers", &one, &other, "--id", "id", "-m", METRIC, "-f", "json"];
    arguments.extend(more);
    parsed(&arguments)["metrics"][0]["pairs"][0].clone()
}

fn close(row: &Value, found: &Value, p_value: &str) {
    let ends = [&found["interval"]["lower"], &found["interval"]["upper"]];
    let expected = [&row["interval"][0], &row["interval"][1]];
    let all = ends.into_iter().zip(expected).chain([(&found["difference"], &row["difference"])]);
    // Fewer than ten units on a side have no verdict.
    let p = (!found["p_value"].is_null()).then_some((&found["p_value"], &row[p_value]));
    for (found_number, expected) in all.chain(p) {
        let (found_number, expected) = (found_number.as_f64().unwrap(), expected.as_f64().unwrap());
        assert!((found_number - expected).abs() <= 1e-12, "{found_number} is not {expected}: {row} {found}");
    }
}

#[test]
fn golden_intervals_are_those_of_the_program() {
    let folder = Folder::new();
    let mut tried = [0; 3];
    for line in bleuprint_testkit::intervals().lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        if row["level"] != 0.95 {
            continue;
        }
        match row["kind"].as_str().unwrap() {
            "paired" => {
                let [n, b, c] = ["n", "only_first", "only_second"].map(|key| count(&row[key]));
                if n > MOST {
                    continue;
                }
                let first = records((0..n).map(|at| (at, at < b)), 0);
                let second = records((0..n).map(|at| (at, (b..b + c).contains(&at))), 0);
                close(&row, &pair(&folder, [first, second], &[]), "p_exact");
                tried[0] += 1;
            }
            "unpaired" => {
                let sizes = ["first", "second"].map(|key| count(&row[key][1]));
                // A side of one trial has no standard error, and so no comparison here.
                if sizes.iter().any(|size| !(2..=MOST).contains(size)) {
                    continue;
                }
                let side = |key: &str, start: usize| {
                    let [right, of] = [0, 1].map(|place| count(&row[key][place]));
                    records((0..of).map(|at| (at, at < right)), start)
                };
                let sides = [side("first", 0), side("second", 1_000_000)];
                let found = pair(&folder, sides, &["--unpaired"]);
                close(&row, &found, "p");
                tried[1] += 1;
            }
            _ => {
                let units: Vec<[usize; 3]> = row["units"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|unit| [0, 1, 2].map(|place| count(&unit[place])))
                    .collect();
                let side = |place: usize| {
                    let of_unit = |(unit, sums): (usize, &[usize; 3])| {
                        let right = sums[place];
                        (0..sums[0]).map(move |at| (unit, at < right)).collect::<Vec<_>>()
                    };
                    records(units.iter().enumerate().flat_map(of_unit), 0)
                };
                let found = pair(&folder, [side(1), side(2)], &["--unit", "unit"]);
                close(&row, &found, "p");
                tried[2] += 1;
            }
        }
    }
    assert_eq!(tried, [56, 63, 19]);
}
