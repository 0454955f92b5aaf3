//! The decimals of tables.

use crate::common::{Folder, parsed, stdout};

#[test]
fn decimals_follow_the_scale() {
    let folder = Folder::new();
    let text = "The dog bit the man.\nIt wasn't surprising.\nThe man had just bitten him.\n";
    let files = [
        folder.file("r1", "The dog bit the man.\nIt was not unexpected.\nThe man bit him first.\n"),
        folder.file("h1", text),
        folder.file("h2", "A dog bit a man.\nIt was unsurprising.\nThe man bit it.\n"),
    ];
    let text = stdout(&["score", &files[0], "-i", &files[1], "-m", "wer", "ter", "bleu", "-f", "text"]);
    let number = |name: &str| {
        let line = text.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        line.split(" = ").nth(1).unwrap().split(' ').next().unwrap().to_owned()
    };
    let decimals = |number: &str| number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    assert_eq!(["WER", "TER", "BLEU"].map(|name| decimals(&number(name))), [3, 1, 1], "{text}");
    let one = parsed(&["score", &files[0], "-i", &files[1], "-m", "wer"])["score"].as_f64().unwrap();
    assert_eq!(number("WER"), format!("{one:.3}"));
    let compared = |metric: &str, more: &[&str]| {
        stdout(&[&["compare", &files[0], "-i", &files[1], &files[2], "-m", metric], more].concat())
    };
    let cells = |text: &str| {
        let cells = text.split(['│', '|', ',', ' ', '\t', '\n']).filter(|cell| cell.parse::<f64>().is_ok());
        cells.filter(|cell| cell.contains('.')).map(decimals).collect::<Vec<_>>()
    };
    for (metric, digits) in [("wer", 4), ("ter", 2)] {
        for form in ["text", "markdown", "csv", "tsv"] {
            let table = compared(metric, &["-f", form]);
            // Scores and differences; p-values have four decimals, shares of segments and groups more.
            let found = cells(&table);
            assert!(
                !found.is_empty() && found.iter().all(|&found| found >= digits),
                "{metric} {form}: {table}"
            );
            assert!(found.contains(&digits), "{metric} {form}: {table}");
        }
    }
}
