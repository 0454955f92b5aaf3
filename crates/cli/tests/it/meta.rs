//! `meta` as a user meets it.

use crate::common::{Folder, parsed, refused, stdout};
use serde_json::Value;

/// People, and two metrics, the first in people's order.
fn folder() -> (Folder, [String; 3]) {
    let folder = Folder::new();
    let table = |cell: &dyn Fn(i32, i32) -> String| {
        let lines = (0..4).flat_map(|s| (0..12).map(move |i| (s, i)));
        lines.map(|(s, i)| format!("sys{s}\t{}\n", cell(s, i))).collect::<String>()
    };
    let human = table(&|s, i| {
        if (s + i) % 7 == 3 { "None".to_owned() } else { (s * 2 - (i * 5 + s * 3) % 4).to_string() }
    });
    let files = [
        folder.file("en-de.mqm.seg.score", human),
        folder.file(
            "good-refA.seg.score",
            table(&|s, i| {
                format!("{}", f64::from(s * 2 - (i * 5 + s * 3) % 4) / 8.0 + 0.01 * f64::from(i % 3))
            }),
        ),
        folder.file("bad-refA.seg.score", table(&|s, i| format!("{}", (i * 7 + s * 5) % 11))),
    ];
    (folder, files)
}

#[test]
fn the_table_is_that_of_wmt() {
    let (_folder, [human, good, bad]) = folder();
    let scores = [format!("good={good}"), format!("bad={bad}")];
    let arguments =
        ["meta", "--human", &human, "--scores", &scores[0], &scores[1], "--statistic", "acc-eq,tau-b"];
    let text = stdout(&arguments);
    let blocks: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(blocks.len(), 2);
    let lines: Vec<&str> = blocks[0].lines().collect();
    assert_eq!(
        lines[0],
        "acc-eq, by item, 4 systems, 12 of 12 items rated, 8 cells without a rating, people: mqm, seed 4, 1000 trials, \
         swapped by items"
    );
    assert!(lines[1].starts_with("good  1  ") && lines[1].ends_with("  . >"), "{text}");
    assert!(lines[2].starts_with("bad   2  ") && lines[2].ends_with("  . ."), "{text}");
}

#[test]
fn a_folder_years_groups_and_several_pairs() {
    let (folder, [human, good, bad]) = folder();
    let place = folder.path("scores");
    std::fs::create_dir_all(&place).unwrap();
    for file in [&good, &bad] {
        std::fs::copy(file, format!("{place}/{}", file.rsplit('/').next().unwrap())).unwrap();
    }
    let docs: String = (0..12).map(|i| format!("{}\tdoc{}\n", ["news", "chat"][i % 2], i / 4)).collect();
    let docs = folder.file("en-de.docs", docs);
    let json = |arguments: &[&str]| -> Value { parsed(arguments) };
    let one = json(&[
        "meta", "--human", &human, "--scores", &place, "--docs", &docs, "--by", "domain", "-f", "json",
    ]);
    assert_eq!((&one["format"], &one["people"]), (&"bleuprint-meta/1".into(), &"mqm".into()));
    let sets: Vec<&str> =
        one["answers"].as_array().unwrap().iter().map(|a| a["sets"][0].as_str().unwrap()).collect();
    assert_eq!(
        &sets[..3],
        ["en-de.mqm.seg.score", "en-de.mqm.seg.score, domain chat", "en-de.mqm.seg.score, domain news"]
    );
    assert_eq!(one["answers"][1]["items"], 6);
    assert_eq!(one["files"].as_array().unwrap().len(), 4);
    let year = |year: &str| {
        json(&[
            "meta", "--human", &human, "--human", &human, "--scores", &place, &place, "--wmt", year, "-f",
            "json",
        ])
    };
    let answers = year("2023");
    let names: Vec<&str> =
        answers["answers"].as_array().unwrap().iter().map(|a| a["statistic"].as_str().unwrap()).collect();
    assert_eq!(names, ["accuracy", "pearson", "pearson", "pearson", "pearson", "acc-eq", "acc-eq"]);
    // The pairs of two language pairs are pooled: twice six of systems.
    assert_eq!(answers["answers"][0]["metrics"][0]["over"], 12);
    assert_eq!(answers["average"][0]["name"], "good");
    let soft = year("2024");
    assert_eq!(
        (&soft["answers"][0]["statistic"], &soft["answers"][0]["swap"]),
        (&"spa".into(), &"cells".into())
    );
    assert_eq!(soft["answers"][2]["swap"], "pairs");
}

#[test]
fn our_own_metrics_know_their_direction() {
    let folder = Folder::new();
    let references =
        "the cat sat on the mat\nit rained all day long\nshe opened the old door\nthey left at noon today\n";
    let reference = folder.file("ref.en", references);
    let good = folder.file("good.txt", references);
    let middle = folder.file("middle.txt", references.replace("old", "big").replace("cat", "dog"));
    let poor = folder.file("poor.txt", "a cat\nrain day\nshe door opened\nthey noon\n");
    let rows = |system: &str, score: i32| {
        (1..=4).map(|i| format!("{system}\t{i}\t{}\n", score + i)).collect::<String>()
    };
    let table =
        format!("system\titem\tscore\n{}{}{}", rows("good", 80), rows("middle", 60), rows("poor", 20));
    let human = folder.file("ratings.tsv", table);
    let run = |more: &[&str]| {
        let arguments = [
            &["meta", "--human", &human, &reference, "-i", &good, &middle, &poor, "-m", "bleu", "ter"],
            more,
        ]
        .concat();
        stdout(&arguments)
    };
    let text = run(&["--statistic", "accuracy,acc-23"]);
    // A perfect order for both metrics, of which lower is better for one.
    assert!(text.contains("BLEU  1  1.0000000") && text.contains("TER   1  1.0000000"), "{text}");
    let json: Value = serde_json::from_str(&run(&["--statistic", "spa", "-f", "json"])).unwrap();
    let signature = json["answers"][0]["metrics"][0]["signature"].as_str().unwrap();
    assert!(signature.contains("|version:bleuprint-"), "{signature}");
    let other = folder.file("other.txt", references);
    refused(
        &["meta", "--human", &human, &reference, "-i", &good, &other, "-m", "bleu"],
        &["other.txt is of no system that people rated", "good, middle, poor"],
    );
    refused(
        &["meta", "--human", &human, &reference, "-i", &good, &middle, "-m", "bleu"],
        &["BLEU has no system `poor`, which people rated"],
    );
}

#[test]
fn given_numbers_stand_beside_own_metrics() {
    let folder = Folder::new();
    let references =
        "the cat sat on the mat\nit rained all day long\nshe opened the old door\nthey left at noon today\n";
    let reference = folder.file("ref.en", references);
    let good = folder.file("good.txt", references);
    let middle = folder.file("middle.txt", references.replace("old", "big").replace("cat", "dog"));
    let poor = folder.file("poor.txt", "a cat\nrain day\nshe door opened\nthey noon\n");
    let systems = [
        ("good", [80.0, 82.0, 85.0, 81.0]),
        ("middle", [60.0, 70.0, 62.0, 65.0]),
        ("poor", [20.0, 10.0, 30.0, 25.0]),
    ];
    // Lower is better: errors in place of quality, with one that people would not have made.
    let errors = [[1.0, 2.0, 0.5, 1.5], [3.0, 2.5, 4.0, 3.0], [7.0, 9.0, 8.0, 2.0]];
    let mut human = "system\titem\tscore\n".to_owned();
    for (system, scores) in &systems {
        (1..).zip(scores).for_each(|(item, score)| human += &format!("{system}\t{item}\t{score}\n"));
    }
    let human = folder.file("ratings.tsv", human);
    let lines = |numbers: &[f64]| numbers.iter().map(|number| format!("{number}\n")).collect::<String>();
    let files = [0, 1, 2].map(|at| folder.file(&format!("{at}.n"), lines(&errors[at])));
    let given = format!("errors={}", files.join(","));
    let ask = |more: &[&str]| -> Value {
        let all = ["pearson,kendall-like=25,tau-b", "--group", "none", "--trials", "50", "-f", "json"];
        let head = ["meta", "--human", &human, "--statistic"];
        parsed(&[&head[..], &all, more].concat())
    };
    let outputs = [&reference[..], "-i", &good, &middle, &poor, "-q", "-m", "bleu"];
    let metric = "given:name=errors,better=lower,producer=t";
    let own = ask(&[&outputs[..], &[metric, "--given", &given]].concat());
    let table: String = systems
        .iter()
        .zip(&errors)
        .flat_map(|((system, _), numbers)| numbers.iter().map(move |number| format!("{system}\t{number}\n")))
        .collect();
    let scores = format!("errors={}", folder.file("errors.seg.score", table));
    let from_file = ask(&[&outputs[..], &["--scores", &scores, "--lower", "errors"]].concat());
    let value = |answers: &Value, statistic: usize, name: &str| {
        let metrics = answers["answers"][statistic]["metrics"].as_array().unwrap();
        let found =
            metrics.iter().find(|metric| metric["name"] == name).unwrap_or_else(|| panic!("{answers}"));
        found["value"].as_f64().unwrap()
    };
    for statistic in 0..3 {
        for name in ["errors", "BLEU"] {
            let (one, other) = (value(&own, statistic, name), value(&from_file, statistic, name));
            assert!((one - other).abs() < 1e-12, "{name} {statistic}: {one} {other}");
        }
    }
    // The definition.
    let (x, y): (Vec<f64>, Vec<f64>) = systems
        .iter()
        .zip(&errors)
        .flat_map(|((_, people), errors)| people.iter().zip(errors).map(|(x, y)| (*x, -y)))
        .unzip();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let cov = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(a, b)| (a - mean(x)) * (b - mean(y))).sum::<f64>();
    let pearson = cov(&x, &y) / (cov(&x, &x) * cov(&y, &y)).sqrt();
    assert!((value(&own, 0, "errors") - pearson).abs() < 1e-12, "{pearson} {own}");
    let signature = own["answers"][0]["metrics"].to_string();
    assert!(signature.contains("given|name:errors|better:lower|producer:t"), "{signature}");
    // Of systems, and of numbers alone.
    let alone: Vec<String> =
        systems.iter().zip(&files).map(|((system, _), file)| format!("{system}={file}")).collect();
    for (file, (_, numbers)) in files.iter().zip(systems.iter().zip(&errors)) {
        std::fs::write(format!("{file}.csv"), format!("errors\n{}", lines(numbers))).unwrap();
    }
    let alone: Vec<String> = alone.iter().map(|named| format!("{named}.csv")).collect();
    let numbers = ["--numbers", &alone[0], &alone[1], &alone[2], "-q", "-m", metric];
    assert_eq!(value(&ask(&numbers), 0, "errors"), value(&own, 0, "errors"));
    let soft = ["meta", "--human", &human, "--statistic", "spa,accuracy", "--trials", "50", "-f", "json"];
    let soft: Value = parsed(&[&soft[..], &outputs, &[metric, "--given", &given]].concat());
    assert_eq!(value(&soft, 1, "errors"), 1.0);
    // What people rated must have a number.
    std::fs::write(&files[1], "1\n2\n\n3\n").unwrap();
    let missing = format!("{metric},missing=skip");
    let head = ["meta", "--human", &human];
    refused(
        &[&head[..], &outputs, &[&missing, "--given", &given]].concat(),
        &["errors has no score for item 3 of system `middle`, which people rated"],
    );
    refused(&[&head[..], &outputs, &[metric, "--given", &given]].concat(), &["1.n: line 3", "missing=skip"]);
}

#[test]
fn marked_errors_and_raters() {
    let (folder, [_, good, _]) = folder();
    let head = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n";
    let row = |s: i32, i: i32, severity: &str| {
        format!("sys{s}\td\t{0}\t{0}\tr1\ts\tt\tAccuracy/Omission\t{severity}\n", i + 1)
    };
    let marks: String = (0..4)
        .flat_map(|s| (0..12).map(move |i| (s, i)))
        .map(|(s, i)| row(s, i, ["Major", "Minor", "Neutral", "No-error"][((s + i) % 4) as usize]))
        .collect();
    let human = folder.file("mqm.tsv", format!("{head}{marks}"));
    let scores = format!("good={good}");
    let text = stdout(&["meta", "--human", &human, "--scores", &scores, "--statistic", "pearson"]);
    assert!(text.starts_with("pearson, by item, 4 systems, 12 of 12 items rated, 0 cells"), "{text}");
    let critical = folder.file("critical.tsv", format!("{head}{}", row(0, 0, "Critical")));
    refused(
        &["meta", "--human", &critical, "--scores", &scores],
        &["critical.tsv: line 2: the severity `Critical` has no weight", "--weight Critical=NUMBER"],
    );
}

#[test]
fn bad_files_are_told_with_file_line_and_value() {
    let (folder, [human, good, _]) = folder();
    let text = std::fs::read_to_string(&good).unwrap();
    let file = |name: &str, text: &str| format!("m={}", folder.file(name, text));
    let ask = |scores: &str, more: &[&str], messages: &[&str]| {
        refused(&[&["meta", "--human", &human, "--scores", scores], more].concat(), messages);
    };
    let lines = |from: usize, to: usize| {
        text.lines().skip(from).take(to - from).map(|line| format!("{line}\n")).collect::<String>()
    };
    ask(
        &file("nan.seg.score", &format!("sys0\tnan\n{}", lines(1, 48))),
        &[],
        &["nan.seg.score: line 1: `nan` is neither"],
    );
    ask(
        &file("blank.seg.score", &format!("{}\n{}", lines(0, 5), lines(5, 48))),
        &[],
        &["line 6: a blank line"],
    );
    ask(
        &file("cut.seg.score", &lines(0, 47)),
        &[],
        &["cut.seg.score: line 37: system `sys3` has 11 scores, but system `sys0` has 12"],
    );
    ask(
        &file(
            "few.seg.score",
            &text
                .lines()
                .filter(|line| !line.is_empty())
                .take(3)
                .map(|line| format!("{line}\n"))
                .collect::<String>(),
        ),
        &[],
        &["few.seg.score has 3 items, but", "has 12"],
    );
    ask(
        &file("other.seg.score", &text.replace("sys2", "sysX")),
        &[],
        &["other.seg.score: line 25: the system `sysX` of m is not in", "--exclude sysX"],
    );
    ask(&file("lacks.seg.score", &lines(0, 36)), &[], &["m has no system `sys3`, which people rated"]);
    let none = text
        .lines()
        .map(|_| String::new())
        .zip(text.lines())
        .enumerate()
        .map(|(at, (_, line))| if at == 1 { "sys0\tNone\n".to_owned() } else { format!("{line}\n") })
        .collect::<String>();
    ask(
        &file("none.seg.score", &none),
        &[],
        &["none.seg.score: m has no score for item 2 of system `sys0`, which people rated"],
    );
    let good = format!("m={good}");
    ask(
        &good,
        &["--exclude", "sys9"],
        &["--exclude sys9: no file has this system", "sys0, sys1, sys2, sys3"],
    );
    ask(&good, &["--lower", "x"], &["--lower x: there is no such metric"]);
    ask(&good, &["--by", "domain"], &["--by domain: there is no such label", "--docs"]);
    ask(&good, &["--statistic", "kendal"], &["unknown statistic `kendal`", "kendall-like"]);
    ask(&good, &["--statistic", "pearson", "--swap", "pairs"], &["pearson has no decisions to swap"]);
    ask(&good, &["--statistic", "pearson", "tau-b"], &["tau-b is a reference", "--statistic spa,pearson"]);
    ask(&good, &["--epsilon", "m=x"], &["--epsilon m=x: `x` is no number from 0"]);
    ask(&good, &["--alpha", "2"], &["--alpha is 2, but must be from 0 to 1"]);
    ask("somewhere", &[], &["--scores somewhere: expected NAME=FILE, or a folder"]);
    refused(&["meta", "--human", &human], &["no metric: give --scores NAME=FILE"]);
}

#[test]
fn soft_accuracy_of_people_who_rate_all_systems_alike_is_undefined() {
    let folder = Folder::new();
    let table = |value: &dyn Fn(usize) -> usize| -> String {
        (0..3)
            .flat_map(|system| (0..4).map(move |_| system))
            .map(|s| format!("s{s}\t{}\n", value(s)))
            .collect()
    };
    let human = folder.file("human.seg.score", table(&|_| 3));
    for (name, value) in [("up", &(|s| s) as &dyn Fn(usize) -> usize), ("down", &|s| 9 - s)] {
        let scores = format!("m={}", folder.file(&format!("{name}.seg.score"), table(value)));
        let found =
            parsed(&["meta", "--human", &human, "--scores", &scores, "--statistic", "spa", "-f", "json"]);
        assert_eq!(found["answers"][0]["metrics"][0]["value"], Value::Null, "{name}: {found}");
    }
}
