//! Intervals, paired tests, groups, comparisons and files of statistics, as a user meets them.

use crate::common::{Folder, bleuprint, bleuprint_with, parsed, refused, sealed, stdout};
use serde_json::Value;

const REF1: &str = "The dog bit the man.\nIt was not unexpected.\nThe man bit him first.\n";
const REF2: &str = "The dog had bit the man.\nNo one was surprised.\nThe man had bitten the dog.\n";
const ONE: &str = "The dog bit the man.\nIt wasn't surprising.\nThe man had just bitten him.\n";
const OTHER: &str = "A dog bit a man.\nIt was unsurprising.\nThe man bit it.\n";

struct Files {
    folder: Folder,
    r1: String,
    r2: String,
    one: String,
    other: String,
}

fn files() -> Files {
    let folder = Folder::new();
    let (r1, r2) = (folder.file("r1", REF1), folder.file("r2", REF2));
    let (one, other) = (folder.file("h1", ONE), folder.file("h2", OTHER));
    Files { folder, r1, r2, one, other }
}

impl Files {
    fn place(&self, name: &str) -> String {
        self.folder.path(name)
    }

    fn stats(&self, name: &str, hypotheses: &str, options: &[&str]) -> String {
        let place = self.place(name);
        let arguments = ["stats", &self.r1, &self.r2, "-i", hypotheses, "-o", &place];
        stdout(&[&arguments[..], options].concat());
        place
    }
}

/// The table, its numbers and the lines around it are sacreBLEU 2.6.0's.
#[test]
fn a_paired_bootstrap_is_printed_as_sacrebleu_prints_it() {
    let files = files();
    let arguments = ["score", "r1", "r2", "-i", "h1", "h2", "--paired-bs", "-pbsn", "100", "-f", "text"];
    let text = files.folder.stdout_in(&arguments);
    let table = "\
╒══════════════╤═════════════════════╕
│       System │  BLEU (μ ± 95% CI)  │
╞══════════════╪═════════════════════╡
│ Baseline: h1 │ 48.5 (48.9 ± 46.8)  │
├──────────────┼─────────────────────┤
│           h2 │  20.2 (19.4 ± 5.8)  │
│              │    (p = 0.1485)     │
╘══════════════╧═════════════════════╛
";
    assert!(text.starts_with(table), "{text}");
    assert!(text.contains("\nPaired bootstrap resampling test with 100 resampling trials\n"));
    let signature = " - BLEU       nrefs:2|bs:100|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:bleuprint-0.1.0\n";
    assert!(text.ends_with(signature), "{text}");
}

#[test]
fn json_has_full_precision_and_signatures() {
    let files = files();
    let all = ["score", &files.r1, &files.r2, "-i", &files.one, &files.other];
    let paired = parsed(&[&all[..], &["-pbs", "-pbsn", "100"]].concat());
    assert_eq!(paired[1]["BLEU"]["p_value"], 0.1485148514851485);
    assert_eq!(paired[1]["BLEU"]["mean"], 19.384941112125947);
    assert_eq!(paired[1]["BLEU"]["ci"], 5.777904658255549);
    assert!(paired[0]["BLEU"]["p_value"].is_null());
    assert!(paired[0]["BLEU"]["signature"].as_str().unwrap().contains("|bs:100|seed:12345|"));
    let randomized = parsed(&[&all[..], &["-par", "-parn", "100"]].concat());
    assert_eq!(randomized[1]["BLEU"]["p_value"], 0.7326732673267327);
    let interval = parsed(&["score", &files.r1, &files.r2, "-i", &files.one, "-ci", "-cin", "1000"]);
    let expected = (&Value::from("μ = 47.0 ± 46.8"), &Value::from("1000"), &Value::from("12345"));
    assert_eq!((&interval["confidence"], &interval["bs"], &interval["seed"]), expected);
    assert!(interval["confidence_mean"].as_f64().unwrap() > 46.9);
}

#[test]
fn identical_systems_do_not_differ_and_seed_0_is_a_seed() {
    let files = files();
    let copy = files.folder.file("copy", ONE);
    let arguments = ["score", &files.r1, "-i", &files.one, &copy, &files.other, "-pbs", "-pbsn", "99"];
    assert_eq!(parsed(&arguments)[1]["BLEU"]["p_value"], 1.0);
    let with_seed = |seed: &str| {
        let output = bleuprint_with(&arguments, &[("SACREBLEU_SEED", seed)]);
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(with_seed("0"), with_seed("0"));
    assert!(with_seed("0").1.contains("seed:0|"));
    assert_ne!(with_seed("0"), with_seed("1"));
    assert!(with_seed("None").1.contains("seed:none|"));
    assert_eq!(with_seed("x").0, Some(2));
}

#[test]
fn files_of_statistics_stand_for_text() {
    let files = files();
    let (one, other) =
        (files.stats("one.stats", &files.one, &[]), files.stats("other.stats.zst", &files.other, &[]));
    let tests = ["--paired-bs", "-pbsn", "100"];
    let mut of_files = parsed(&[&["score", "--stats", &one, &other][..], &tests].concat());
    let of_text =
        parsed(&[&["score", &files.r1, &files.r2, "-i", &files.one, &files.other][..], &tests].concat());
    assert_eq!(of_files, of_text);
    assert_eq!(of_files[1]["BLEU"].take()["p_value"], 0.1485148514851485);
    // Finished under other settings: the number is sacreBLEU's for `-s floor -sv 0.1`.
    let exp = parsed(&["show", &one]);
    let floor = parsed(&["show", &one, "--smooth-method", "floor"]);
    let direct = parsed(&["score", &files.r1, &files.r2, "-i", &files.one, "-s", "floor"]);
    assert_eq!((&floor["score"], &floor["signature"]), (&direct["score"], &direct["signature"]));
    assert_eq!(exp["score"], 48.530827009929865);
    assert_eq!(parsed(&["show", &one, "-m", "bleu:smooth-method=floor"]), floor);
    refused(&["show", &one, "-m", "chrf:beta=3"], &["no statistics of chrf"]);
    refused(&["show", &one, "-m", "bleu:tokenize=char"], &["tokens of statistics"]);
    refused(&["show", &one, "-m", "bleu:max-order=6"], &["order"]);
    refused(&["stats", &files.r1, "-i", &files.one, "-o", &one], &["is there already", "--overwrite"]);
    let unlike = files.stats("unlike.stats", &files.other, &["-tok", "char"]);
    refused(&["score", "--stats", &one, &unlike, "-pbs"], &["tok", "13a", "char"]);
    refused(&["merge", &one, &unlike, "-o", &files.place("x")], &["tok"]);
    let of_one_reference = files.place("r1.stats");
    stdout(&["stats", &files.r1, "-i", &files.other, "-o", &of_one_reference]);
    refused(&["score", "--stats", &one, &of_one_reference, "-pbs"], &["references of segment 1"]);
}

#[cfg(feature = "arrow")]
#[test]
fn a_table_of_arrow_is_read_as_its_lines_are() {
    let files = files();
    let metrics = ["-m", "bleu", "chrf", "distinct"];
    let lines = files.stats("lines.stats", &files.one, &metrics);
    let table = files.stats("table.arrow", &files.one, &[&metrics[..], &["--format", "arrow"]].concat());
    assert!(std::fs::read(&table).unwrap().starts_with(b"ARROW1"));
    assert_eq!(stdout(&["show", &lines]), stdout(&["show", &table]));
    let merged = |from: &str, to: &str| {
        let place = files.place(to);
        stdout(&["merge", from, from, "--allow-duplicates", "-o", &place]);
        std::fs::read_to_string(place).unwrap()
    };
    assert_eq!(merged(&lines, "of-lines"), merged(&table, "of-table"));
    refused(&["merge", &lines, &table, "-o", &files.place("x")], &["would count twice"]);
    let total =
        ["stats", &files.r1, "-i", &files.one, "--total", "--format", "arrow", "-o", &files.place("y")];
    refused(&total, &["--format arrow", "--total"]);
}

#[test]
fn shards_merge_in_any_order_and_subtract() {
    let files = files();
    let lines = |text: &str, at: usize| format!("{}\n", text.lines().nth(at).unwrap());
    let shard = |at: usize| {
        let references = files.folder.file(&format!("ref-{at}"), lines(REF1, at));
        let hypotheses = files.folder.file(&format!("hyp-{at}"), lines(ONE, at));
        let place = files.place(&format!("{at}.stats"));
        stdout(&["stats", &references, "-i", &hypotheses, "-o", &place, "--system", "mine"]);
        place
    };
    let shards = [shard(0), shard(1), shard(2)];
    let whole = stdout(&["score", &files.r1, "-i", &files.one, "-b", "-w", "17"]);
    for (number, order) in [[0, 1, 2], [2, 0, 1], [1, 2, 0]].into_iter().enumerate() {
        let place = files.place(&format!("merged{number}.stats"));
        let [a, b, c] = order.map(|at| shards[at].as_str());
        stdout(&["merge", a, b, c, "-o", &place]);
        assert_eq!(stdout(&["show", &place, "-b", "-w", "17"]), whole);
        let rest = files.place(&format!("rest{number}.stats"));
        stdout(&["subtract", &place, a, "-o", &rest]);
        let both = files.place(&format!("both{number}.stats"));
        stdout(&["merge", b, c, "-o", &both]);
        assert_eq!(std::fs::read_to_string(&rest).unwrap(), std::fs::read_to_string(&both).unwrap());
        refused(&["subtract", &rest, a, "-o", &files.place("x")], &["is not there"]);
        let x = files.place("x");
        refused(&["merge", &place, b, "-o", &x], &[b, "would count twice"]);
        refused(&["merge", b, a, b, "-o", &x], &["would count twice"]);
        let twice = files.place(&format!("twice{number}.stats"));
        stdout(&["merge", b, a, b, "--allow-duplicates", "-o", &twice]);
    }
    // Shards of two systems are no corpus, unless somebody says so.
    let (one, other) =
        (files.stats("one.stats", &files.one, &[]), files.stats("other.stats", &files.other, &[]));
    let both = ["merge", &one, &other, "-o", &files.place("both.stats"), "--allow-duplicates"];
    refused(&both, &["of other systems", "h1", "h2"]);
    assert!(stdout(&[&both[..], &["--system", "both"]].concat()).contains("6 segments of 2 files"));
    let header = std::fs::read_to_string(files.place("both.stats")).unwrap();
    assert!(header.contains("\"system\":\"both\""));
}

#[test]
fn files_that_contradict_themselves_are_refused() {
    let files = files();
    let place = files.stats("one.stats", &files.one, &["-m", "bleu", "chrf"]);
    let forged = files.place("forged.stats");
    let refuse = |from: &str, to: &str, words: &[&str]| {
        let text = std::fs::read_to_string(&place).unwrap();
        assert!(text.contains(from), "{from}: {text}");
        std::fs::write(&forged, sealed(&text.replace(from, to))).unwrap();
        for command in [&["show"][..], &["score", "--stats"], &["compare", "--stats", &place]] {
            refused(&[command, &[&forged]].concat(), &[&["forged.stats"], words].concat());
        }
        for command in ["merge", "subtract"] {
            refused(&[command, &forged, "-o", &files.place("x")], words);
        }
        let x = files.place("x.html");
        refused(&["report", "--stats", &forged, "-o", &x], words);
    };
    refuse("\"spec\":\"bleu\"", "\"spec\":\"bleu:max-order=2\"", &["order"]);
    refuse(
        "\"spec\":\"bleu\"",
        "\"spec\":\"bleu:tokenize=char\"",
        &["`bleu:tokenize=char` has other tokens"],
    );
    refuse("\"spec\":\"bleu\"", "\"spec\":\"bleu:lowercase\"", &["`bleu:lowercase` has other tokens"]);
    refuse("\"spec\":\"chrf\"", "\"spec\":\"ter\"", &["ter", "chrf"]);
    refuse("\"clipped_1\",\"total_1\"", "\"total_1\",\"clipped_1\"", &["bleu has a column `total_1`"]);
    refuse("\"clipped_1\",", "", &["counts for"]);
    let metrics = |text: &str| {
        let (start, end) = (text.find("\"metrics\":[").unwrap() + 11, text.find("],\"labels\"").unwrap());
        text[start..end].to_owned()
    };
    let all = metrics(&std::fs::read_to_string(&place).unwrap());
    refuse(&all, "", &["line 1: the header names no metrics"]);
}

#[test]
fn groups_add_up_and_missing_labels_are_named() {
    let files = files();
    let domains = files.folder.file("domains", "news\nchat\nnews\n");
    let label = format!("domain={domains}");
    let groups = parsed(&["score", &files.r1, "-i", &files.one, "--label", &label, "--by", "domain,length"]);
    let list = groups.as_array().unwrap();
    let names: Vec<&str> = list.iter().map(|group| group["group"].as_str().unwrap()).collect();
    assert_eq!(names, ["news", "chat", "0-9", "all"]);
    let counts = |group: &Value| group["systems"][0]["scores"][0]["counts"][0].as_u64().unwrap();
    assert_eq!(counts(&list[0]) + counts(&list[1]), counts(&list[3]));
    let base = ["score", &files.r1, "-i", &files.one];
    refused(&[&base[..], &["--by", "domain"]].concat(), &["no label `domain`"]);
    let short = format!("domain={}", files.folder.file("short", "news\n"));
    refused(&[&base[..], &["--label", &short, "--by", "domain"]].concat(), &["short", "1 segment,", "3"]);
    let gap = format!("domain={}", files.folder.file("gap", "news\n\nnews\n"));
    refused(&[&base[..], &["--label", &gap, "--by", "domain"]].concat(), &["segment 2 has no `domain`"]);
}

#[test]
fn comparisons_say_where_systems_differ() {
    let files = files();
    let text = stdout(&["compare", &files.r1, &files.r2, "-i", &files.one, &files.other, "--by", "length"]);
    for words in ["cluster", "detectable", "gains most", "gets right more often", "0-9 tokens"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let copy = files.folder.file("copy", ONE);
    let all = parsed(&["compare", &files.r1, "-i", &files.one, &files.other, &copy, "-f", "json"]);
    let pairs = all["metrics"][0]["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 3);
    assert_eq!((&pairs[1]["difference"], &pairs[1]["corrected"]), (&0.0.into(), &1.0.into()));
    refused(&["compare", &files.r1, "-i", &files.one], &["at least two systems"]);
}

#[test]
fn what_cannot_be_is_refused() {
    let files = files();
    let base = ["score", &files.r1, "-i", &files.one];
    let with = |more: &[&str], words: &[&str]| refused(&[&base[..], more].concat(), words);
    with(&["--paired-bs"], &["at least two"]);
    with(&["-sl", "-ci"], &["--sentence-level"]);
    with(&["-cin", "50"], &["--confidence-n has no effect"]);
    // A test of no resamples is none, and not one of 1000, as in sacreBLEU.
    with(&["-ci", "-cin", "0"], &["--confidence-n", "0 is not in 1..=1000000000"]);
    with(&["-pbs", "-pbsn", "0"], &["--paired-bs-n", "0 is not in 1..=1000000000"]);
    with(&["-par", "-parn", "0"], &["--paired-ar-n", "0 is not in 1..=1000000000"]);
    // Limits are checked before memory is taken.
    let many = ["the memory of 1000000000 resamples", "at most 4294967296"];
    with(&["-ci", "-cin", "1000000000"], &many);
    with(&[&files.other, "-pbs", "-pbsn", "1000000000"], &many);
    with(&[&files.other, "-par", "-parn", "1000000000"], &many);
    refused(&["compare", &files.r1, "-i", &files.one, &files.other, "--resamples", "1000000000"], &many);
    with(&["--exact"], &["--exact has no effect"]);
    with(&["--label", "a=b"], &["--label has no effect"]);
    with(&["-e", "latin-1"], &["unknown encoding `latin-1`", "utf-8-sig"]);
    with(&["--download", "wmt17"], &["downloads nothing"]);
    let twice = ["score", &files.r1, "-i", &files.one, &files.one, "-ci"];
    refused(&twice, &["twice"]);
    let output = bleuprint(&["score", "-t", "no-such-set", "-l", "en-de", "-i", &files.one]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("Nothing is downloaded"));
}

/// Files as sacreBLEU 2 leaves them; it takes translator A by default.
#[test]
fn test_sets_are_read_where_sacrebleu_has_put_them() {
    let files = files();
    let set = files.folder.path("wmt22");
    std::fs::create_dir(&set).unwrap();
    for (field, text) in [("src", "eins\nzwei\ndrei\n"), ("ref-A", REF1), ("ref-B", REF2)] {
        std::fs::write(format!("{set}/wmt22.de-en.{field}"), text).unwrap();
    }
    let folder = files.folder.path("");
    let run = |arguments: &[&str]| {
        let output = bleuprint_with(arguments, &[("SACREBLEU", &folder)]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let expected = stdout(&["score", &files.r1, "-i", &files.one, "-b", "-w", "17"]);
    assert_eq!(run(&["score", "-t", "wmt22", "-l", "de-en", "-i", &files.one, "-b", "-w", "17"]), expected);
    assert!(run(&["score", "--list"]).lines().any(|line| line == "wmt22"));
    let echoed = run(&["score", "-t", "wmt22", "-l", "de-en", "--echo", "src", "ref", "ref:B"]);
    assert_eq!(echoed.lines().next(), Some("eins\tThe dog bit the man.\tThe dog had bit the man."));
    let output =
        bleuprint_with(&["score", "-t", "wmt22", "-l", "en-de", "-i", &files.one], &[("SACREBLEU", &folder)]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("`sacrebleu -t wmt22 -l en-de --echo src` fetches it"), "{message}");
}

#[test]
fn a_metric_without_a_test_does_not_end_a_comparison() {
    let files = files();
    let base = ["compare", &files.r1, "-i", &files.one, &files.other, "-m", "distinct", "wer"];
    let text = stdout(&base);
    for words in
        ["distinct, 3 segments", "(no test)", "WER, 3 segments", "detectable", "Words that h1 gets right"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("N-grams"), "{text}");
    let all = parsed(&[&base[..], &["-f", "json"]].concat());
    assert_eq!((&all["metrics"][0]["tested"], &all["metrics"][1]["tested"]), (&false.into(), &true.into()));
    let words = all["metrics"][1]["ngrams"].as_array().unwrap();
    assert!(!words.is_empty() && words.iter().all(|word| word["tokens"].as_array().unwrap().len() == 1));
    refused(&["compare", &files.r1, "-i", &files.one, &files.other, "-m", "distinct"], &["distinct"]);
}

#[test]
fn decimals_follow_the_scale() {
    let files = files();
    let text = stdout(&["score", &files.r1, "-i", &files.one, "-m", "wer", "ter", "bleu", "-f", "text"]);
    let number = |name: &str| {
        let line = text.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        line.split(" = ").nth(1).unwrap().split(' ').next().unwrap().to_owned()
    };
    let decimals = |number: &str| number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    assert_eq!(["WER", "TER", "BLEU"].map(|name| decimals(&number(name))), [3, 1, 1], "{text}");
    let one = parsed(&["score", &files.r1, "-i", &files.one, "-m", "wer"])["score"].as_f64().unwrap();
    assert_eq!(number("WER"), format!("{one:.3}"));
    let compared = |metric: &str, more: &[&str]| {
        stdout(&[&["compare", &files.r1, "-i", &files.one, &files.other, "-m", metric], more].concat())
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

#[test]
fn tables_have_every_form() {
    let files = files();
    let names = ["t.hyp.A.en", "t.hyp.=1+1.en"];
    let (one, other) = (files.folder.file(names[0], ONE), files.folder.file(names[1], OTHER));
    let table = |more: &[&str]| {
        let base = ["score", &files.r1, "-i", &one, &other, "-m", "bleu", "bleu:tokenize=char", "wer"];
        stdout(&[&base[..], more].concat())
    };
    let csv = table(&["-f", "csv"]);
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0][1].starts_with("BLEU (tok:13a)|nrefs:1|case:mixed|"), "{csv}");
    assert!(lines[0][2].starts_with("BLEU (tok:char)|"), "{csv}");
    // Systems by what tells them apart; what a spreadsheet would compute is text.
    assert_eq!((lines[1][0], lines[2][0]), ("A", "'=1+1"));
    assert_eq!(table(&["-f", "tsv"]).replace('\t', ","), csv);
    let markdown = table(&["-f", "markdown"]);
    assert!(markdown.starts_with(
        "| System | BLEU (tok&#58;13a) | BLEU (tok&#58;char) | WER |\n|---|--:|--:|--:|\n| A | "
    ));
    assert!(markdown.contains("Metric signatures"), "{markdown}");
    let single = stdout(&["score", &files.r1, "-i", &one, "-f", "csv", "--short"]);
    assert!(single.starts_with("System,BLEU|#:1|c:mixed|") && single.lines().count() == 2, "{single}");
    for more in [&["--paired-bs", "-pbsn", "50"][..], &["--confidence", "-cin", "50"]] {
        let csv = table(&[&["-f", "csv"], more].concat());
        assert!(csv.lines().count() == 3 && csv.contains("|bs:50|") && csv.contains(" ± "), "{csv}");
        assert!(table(&[&["-f", "text"], more].concat()).contains("│ "));
    }
    let by = table(&["--by", "length", "-f", "csv"]);
    assert!(by.starts_with("Group,segments,A BLEU (tok:13a)|"), "{by}");
    let compared = stdout(&["compare", &files.r1, "-i", &one, &other, "-f", "csv"]);
    assert!(compared.starts_with("metric,first,second,") && compared.contains("BLEU,A,'=1+1,"), "{compared}");
    refused(&["score", &files.r1, "-i", &one, "-sl", "-f", "csv"], &["--sentence-level", "not a table"]);
    // Variants of one metric keep their results apart as data, too.
    let tests = table(&["-f", "json", "--paired-bs", "-pbsn", "50"]);
    let tests: Value = serde_json::from_str(&tests).unwrap();
    assert!(tests[0]["BLEU (tok:13a)"]["score"] != tests[0]["BLEU (tok:char)"]["score"], "{tests}");
}

/// Five requests of each user, all passing or all failing.
fn requests(folder: &Folder, name: &str, users: usize, failing: usize) -> String {
    let line = |at: usize| {
        let (user, pass) = (at / 5, u8::from(at / 5 % 10 >= failing));
        format!("{{\"request\": \"{name}-{at}\", \"user\": \"{name}-{user}\", \"pass\": {pass}}}\n")
    };
    folder.file(&format!("{name}.jsonl"), (0..users * 5).map(line).collect::<String>())
}

/// The arguments of a comparison of 200 requests of 40 users with 150 of 30 others, and these.
fn unpaired<'a>(systems: &'a [String; 2], more: &[&'a str]) -> Vec<&'a str> {
    let [a, b] = systems;
    let base: [&str; 7] = ["compare", "--unpaired", "--numbers", a, b, "-m", "given:name=pass,scale=0..1"];
    [&base[..], more].concat()
}

fn users(folder: &Folder) -> [String; 2] {
    [format!("A={}", requests(folder, "a", 40, 2)), format!("B={}", requests(folder, "b", 30, 5))]
}

const ASKED: [&str; 6] = ["--unit", "user", "--expect", "100", "--difference", "0.1"];

#[test]
fn systems_on_different_segments_are_compared_without_pairs() {
    let folder = Folder::new();
    let systems = users(&folder);
    let with = |more: &[&str]| parsed(&unpaired(&systems, &[more, &["-f", "json"]].concat()));
    let all = with(&ASKED);
    let (metric, pair) = (&all["metrics"][0], &all["metrics"][0]["pairs"][0]);
    assert_eq!(
        (&all["segments"][0], &all["segments"][1], &all["unit"]),
        (&200.into(), &150.into(), &"user".into())
    );
    assert_eq!((&metric["test"], &metric["arms"][0]["units"]), (&"welch".into(), &40.into()));
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    assert!((number(&pair["difference"]) - 0.3).abs() < 1e-12, "{pair}");
    // All five requests of a user are one piece of evidence.
    assert!((number(&pair["unpaired"]["design_effect"]) - 5.0).abs() < 0.2, "{pair}");
    assert!(number(&with(&[])["metrics"][0]["pairs"][0]["p_value"]) < number(&pair["p_value"]) / 100.0);
    // scipy 1.17.1: ttest_ind([1] * 32 + [0] * 8, [1] * 15 + [0] * 15, equal_var=False).
    assert!((number(&pair["p_value"]) - 0.010_271_862_430_138_863).abs() < 1e-10, "{pair}");
    assert!(number(&pair["unpaired"]["look"]["low"]) < number(&pair["interval"]["lower"]), "{pair}");
}

#[test]
fn a_comparison_without_pairs_is_shown_as_text_and_as_a_table() {
    let folder = Folder::new();
    let systems = users(&folder);
    let text = stdout(&unpaired(&systems, &ASKED));
    for words in
        ["unpaired", "user units", "design effect", "units needed", "at every look", "Welch's test, by user"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    let table = stdout(&unpaired(&systems, &["-f", "csv"]));
    assert!(table.lines().nth(1).unwrap().contains(",welch,"), "{table}");
}

#[test]
fn resampling_tests_compare_without_pairs_and_others_are_refused() {
    let folder = Folder::new();
    let systems = users(&folder);
    for test in ["bootstrap", "permutation"] {
        let found = parsed(&unpaired(&systems, &["--unit", "user", "--test", test, "-f", "json"]));
        let p = found["metrics"][0]["pairs"][0]["p_value"].as_f64().unwrap();
        assert!(p < 0.04, "{test}: {p}");
    }
    refused(&unpaired(&systems, &["--test", "randomization"]), &["no pairs"]);
    refused(&unpaired(&systems, &["--unit", "nobody"]), &["nobody"]);
    refused(&unpaired(&systems, &["--difference", "0"]), &["--difference 0"]);
    refused(&unpaired(&systems, &["--difference", "-1"]), &["--difference -1", "above 0"]);
}

#[test]
fn few_units_are_inconclusive_and_a_unit_of_both_systems_is_refused() {
    let folder = Folder::new();
    let [a, _] = users(&folder);
    let few = [a.clone(), format!("C={}", requests(&folder, "c", 8, 5))];
    let text = stdout(&unpaired(&few, &["--unit", "user"]));
    assert!(text.contains("inconclusive (fewer than 10 units)"), "{text}");
    let rows = "{\"user\": \"a-3\", \"pass\": 1}\n{\"user\": \"d\", \"pass\": 0}\n";
    let both = [a, format!("D={}", folder.file("d.jsonl", rows))];
    refused(&unpaired(&both, &["--unit", "user"]), &["the user `a-3` is in A and in D"]);
}

#[test]
fn pairs_and_systems_without_pairs_are_told_apart() {
    let files = files();
    let (one, other) = (files.stats("one", &files.one, &[]), files.stats("other", &files.other, &[]));
    let output = bleuprint(&["compare", "--unpaired", "--stats", &one, &other]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() && message.contains("3 of 3 segments have the same references"),
        "{message}"
    );
    // Text of each system with references of its own.
    let text = ["compare", "--unpaired", &files.r1, &files.r2, "-i", &files.one, &files.other];
    assert!(stdout(&text).contains("BLEU, unpaired"));
    let uneven = ["compare", "--unpaired", &files.r1, "-i", &files.one, &files.other];
    refused(&uneven, &["one of the reference files for each system"]);
    let longer = files.folder.file("longer", format!("{ONE}One more.\n"));
    let longer_ref = files.folder.file("longer-ref", format!("{REF1}One more.\n"));
    let place = files.place("longer.stats");
    stdout(&["stats", &longer_ref, &longer_ref, "-i", &longer, "-o", &place]);
    refused(&["compare", "--stats", &one, &place], &["--unpaired"]);
    let records = "{\"system\": \"a\", \"hypothesis\": \"x y\", \"references\": [\"x z\"]}\n\
                   {\"system\": \"b\", \"hypothesis\": \"x y\", \"references\": [\"x w\"]}\n\
                   {\"system\": \"a\", \"hypothesis\": \"x z y\", \"references\": [\"x z\"]}\n\
                   {\"system\": \"b\", \"hypothesis\": \"x\", \"references\": [\"w\"]}\n";
    let records = files.folder.file("s.jsonl", records);
    refused(&["compare", "--segments", &records, "-m", "wer"], &["--unpaired"]);
    assert!(stdout(&["compare", "--unpaired", "--segments", &records, "-m", "wer"]).contains("inconclusive"));
    refused(&["compare", &files.r1, "-i", &files.one, &files.other, "--test", "welch"], &["--unpaired"]);
}

#[test]
fn right_and_wrong_segments_have_an_exact_test() {
    let folder = Folder::new();
    let lines = |right: fn(usize) -> bool| -> String {
        (0..60).map(|at| if right(at) { "yes\n" } else { "no\n" }).collect()
    };
    let (one, other) = (lines(|at| at % 10 != 0), lines(|at| at % 6 > 1));
    let files = [folder.file("r", "yes\n".repeat(60)), folder.file("one", one), folder.file("other", other)];
    let base = ["compare", &files[0], "-i", &files[1], &files[2], "-m", "exact_match"];
    let pair = |more: &[&str]| {
        parsed(&[&base[..], more, &["-f", "json"]].concat())["metrics"][0]["pairs"][0].clone()
    };
    let exact = pair(&[]);
    let [first, second] = ["only_first", "only_second"].map(|name| exact["mcnemar"][name].as_u64().unwrap());
    assert_eq!(first - second, 14, "{exact}");
    // The definition, over all outcomes of the segments in which they differ.
    let all = first + second;
    let choose = |k: u64| (0..k).fold(1.0, |product, at| product * (all - at) as f64 / (at + 1) as f64);
    let p = 2.0 * (0..=second).map(choose).sum::<f64>() / 2f64.powi(all as i32);
    assert!((exact["p_value"].as_f64().unwrap() - p).abs() < 1e-12, "{exact} {p}");
    assert_eq!(pair(&["--test", "randomization"])["p_value"], exact["p_value"]);
    assert!(pair(&["--test", "bootstrap"])["mcnemar"].is_null());
    assert!(stdout(&base).contains("p is exact by McNemar's test"));
}

#[test]
fn groups_have_intervals_and_a_mean_of_their_own() {
    let files = files();
    let labels = files.folder.file("domain", "news\nchat\nnews\n");
    let label = format!("domain={labels}");
    let base =
        ["score", &files.r1, "-i", &files.one, "-m", "chrf", "cmer", "--label", &label, "--by", "domain"];
    let with = |more: &[&str]| parsed(&[&base[..], more].concat()).as_array().unwrap().clone();
    let (plain, tested) = (with(&[]), with(&["--confidence", "--confidence-n", "100"]));
    let score = |line: &Value, metric: usize| line["systems"][0]["scores"][metric]["score"].as_f64().unwrap();
    assert_eq!((plain.len(), tested.len()), (3, 4));
    let mean = &tested[2];
    assert_eq!((&mean["by"], &mean["group"]), (&Value::from("domain"), &Value::from("mean of 2 groups")));
    for metric in [0, 1] {
        let expected = score(&plain[0], metric) / 2.0 + score(&plain[1], metric) / 2.0;
        assert!((score(mean, metric) - expected).abs() < 1e-12, "{mean}");
        let all = &tested[3]["systems"][0]["scores"][metric];
        assert!(all["confidence_var"].as_f64().unwrap() > 0.0, "{all}");
    }
    let signature = mean["systems"][0]["scores"][0]["signature"].as_str().unwrap();
    assert!(signature.contains("bs:100") && signature.contains("mean:groups of domain"), "{signature}");
    // The group of one segment has no other resample.
    let alone = tested.iter().find(|line| line["group"] == "chat").unwrap();
    assert_eq!(alone["systems"][0]["scores"][0]["confidence_var"], 0.0);
    let table = stdout(&[&base[..], &["--confidence", "-f", "text"]].concat());
    assert!(table.contains("domain: mean of 2 groups"), "{table}");
    refused(&[&base[..], &["--paired-bs"]].concat(), &["compare --by"]);
}

#[test]
fn bleu_of_single_references() {
    let files = files();
    let sentences = |metric: &str, references: &[&str]| -> Vec<f64> {
        let arguments = ["score", "-i", &files.one, "-sl", "-f", "json", "-m", metric, "--"];
        let arguments = [&arguments[..], references].concat();
        let lines = stdout(&arguments);
        lines
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["score"].as_f64().unwrap())
            .collect()
    };
    let both: &[&str] = &[&files.r1, &files.r2];
    let (one, other) = (sentences("bleu", &both[..1]), sentences("bleu", &both[1..]));
    let best = sentences("bleu:references=best", both);
    let average = sentences("bleu:references=average", both);
    for place in 0..3 {
        assert_eq!(best[place], one[place].max(other[place]));
        assert!((average[place] - (one[place] + other[place]) / 2.0).abs() < 1e-12);
    }
    let corpus =
        stdout(&[&["score"], both, &["-i", &files.one, "-m", "bleu:references=best", "-f", "text"]].concat());
    assert!(corpus.contains("eff:yes") && corpus.contains("references:best"), "{corpus}");
    // The key says it too: such states merge with no others.
    let stats = files.stats("best.stats", &files.one, &["-m", "bleu:references=best"]);
    let plain = files.stats("plain.stats", &files.one, &["-m", "bleu"]);
    refused(&["compare", "--stats", &stats, &plain], &["best"]);
}
