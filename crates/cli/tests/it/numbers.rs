//! Numbers of other programs: lines beside systems, the logs of evaluation programs, and every command.

use std::io::Write as _;

use crate::common::{Folder, stdout};
use serde_json::json;

#[test]
fn forms_of_one_data() {
    let folder = Folder::new();
    let rows = [("3", 0.25), ("1", 1.0), ("10", 0.125), ("2", 0.75)];
    let object =
        |(id, score): &(&str, f64)| json!({"id": id, "s": {"judge": score}, "s.judge": score, "other": [1]});
    let cells = |between: char| {
        let row = |(id, score): &(&str, f64)| format!("{id}{between}{score}\n");
        format!("id{between}s.judge\n{}", rows.iter().map(row).collect::<String>())
    };
    let lines: String = rows.iter().map(|row| format!("{}\n", object(row))).collect();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(lines.as_bytes()).unwrap();
    let table: Vec<_> = rows.iter().map(|(id, score)| json!([score, id])).collect();
    let files = [
        folder.file("a.jsonl", &lines),
        folder
            .file("shuffled.jsonl", lines.lines().rev().map(|line| format!("{line}\n")).collect::<String>()),
        folder.file("a.json", json!(rows.iter().map(object).collect::<Vec<_>>()).to_string()),
        folder.file("lines.json", &lines),
        folder.file("table.json", json!({"columns": ["s.judge", "id"], "data": table}).to_string()),
        folder.file("a.csv", cells(',')),
        folder.file("a.tsv", cells('\t')),
        folder.file("a.jsonl.gz", packed.finish().unwrap()),
    ];
    let statistics = |file: &String| {
        let (named, place) = (format!("sys={file}"), folder.path("out.stats"));
        let metric = "given:name=judge,column=s.judge,scale=0..1,producer=judge-7b, v2";
        let metric = metric.replace(", ", "%2C ");
        stdout(&["stats", "--numbers", &named, "--id", "id", "-m", &metric, "-o", &place, "--overwrite"]);
        std::fs::read_to_string(place).unwrap()
    };
    let all: Vec<String> = files.iter().map(statistics).collect();
    assert!(all[0].contains("producer=judge-7b%2C v2"), "{}", all[0]);
    for (file, statistics) in files.iter().zip(&all) {
        assert_eq!(statistics, &all[0], "{file}");
    }
}
