//! Vectors of a user's own model: both file formats, every command, and files that are refused.

use crate::common::{Folder, parsed, refused, stdout};
use serde_json::{Value, json};

/// Tensors: name, type, shape, bytes.
fn safetensors(tensors: &[(&str, &str, &[usize], Vec<u8>)]) -> Vec<u8> {
    let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
    for (name, dtype, shape, bytes) in tensors {
        let place = [data.len(), data.len() + bytes.len()];
        header.insert((*name).to_owned(), json!({ "dtype": dtype, "shape": shape, "data_offsets": place }));
        data.extend(bytes);
    }
    let header = Value::Object(header).to_string();
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &data].concat()
}

fn npy(kind: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n");
    [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), data].concat()
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn integers(numbers: &[i64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Rows of two coordinates, their offsets, ids and groups.
fn texts(rows: &[f32], offsets: &[i64], ids: &[i64], groups: &[i64]) -> Vec<u8> {
    let count = rows.len() / 2;
    let mut tensors = vec![
        ("vectors", "F32", vec![count, 2], floats(rows)),
        ("offsets", "I64", vec![offsets.len()], integers(offsets)),
        ("ids", "I64", vec![count], integers(ids)),
    ];
    if !groups.is_empty() {
        tensors.push(("groups", "I64", vec![groups.len()], integers(groups)));
    }
    let tensors: Vec<(&str, &str, &[usize], Vec<u8>)> =
        tensors.iter().map(|(name, kind, shape, bytes)| (*name, *kind, &shape[..], bytes.clone())).collect();
    safetensors(&tensors)
}

/// Two systems on four segments; the second segment has two references.
fn corpus(folder: &Folder) -> [String; 3] {
    let references = texts(
        &[1.0, 0.0, 0.6, 0.8, 0.0, 1.0, 0.8, 0.6, 1.0, 1.0, 1.0, 0.0, 0.0, 2.0],
        &[0, 2, 3, 4, 6, 7],
        &[5, 6, 7, 8, 9, 5, 7],
        &[0, 1, 3, 4, 5],
    );
    let one =
        texts(&[1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0], &[0, 1, 2, 4, 5], &[5, 7, 9, 5, 7], &[]);
    let other = texts(&[0.6, 0.8, 0.8, 0.6, 1.0, 1.0, 0.8, 0.6], &[0, 1, 2, 3, 4], &[6, 8, 9, 8], &[]);
    [
        folder.file("references.safetensors", references),
        folder.file("a.safetensors", one),
        folder.file("b.safetensors", other),
    ]
}

fn numbers(arguments: &[&str]) -> Vec<f64> {
    let document: Value = parsed(arguments);
    let scores = document["scores"].as_array().or(document.as_array()).cloned().unwrap_or(vec![document]);
    scores.iter().map(|score| score["score"].as_f64().unwrap()).collect()
}

#[test]
fn scores_and_segments() {
    let folder = Folder::new();
    let [references, one, _] = corpus(&folder);
    let files = ["--vectors", &one, "--reference-vectors", &references];
    let score = |more: &[&str]| stdout(&[&["score", "-f", "text", "-w", "6"], &files[..], more].concat());
    // The first segment: P = 1, R = (1 + 0.6) / 2.
    let segments = score(&["-m", "bertscore", "-sl"]);
    let first = format!("= {:.8} ", 2.0 * 0.8 / 1.8);
    assert!(segments.lines().next().unwrap().contains(&first), "{segments}");
    assert_eq!(segments.lines().count(), 4);
    let all = score(&["-m", "bertscore", "cosine:producer=mine"]);
    assert!(
        all.contains("BERTScore|nrefs:var|idf:no")
            && all.contains("cosine|nrefs:var|references:max|producer:mine"),
        "{all}"
    );
    // Pieces of every reference weigh ln 1 less than rare ones, so idf gives other numbers.
    let with_idf = score(&["-m", "bertscore:idf"]);
    assert!(with_idf.contains("idf:yes") && with_idf.contains("df:"), "{with_idf}");
    let rescaled = score(&["-m", "bertscore:baseline=0.5/0.5/0.5"]);
    assert!(rescaled.contains("baseline:0.5,0.5,0.5"), "{rescaled}");
}

#[test]
fn every_command_takes_them() {
    let folder = Folder::new();
    let [references, one, other] = corpus(&folder);
    let named = [format!("a={one}"), format!("b={other}")];
    let files = ["--vectors", &named[0], &named[1], "--reference-vectors", &references, "-m", "bertscore"];
    let document: Value =
        parsed(&[&["compare", "-q", "-f", "json", "--resamples", "40"], &files[..]].concat());
    assert_eq!(document["metrics"][0]["scores"].as_array().unwrap().len(), 2);
    let labels = folder.file("domain", "news\nchat\nnews\nchat\n");
    let label = format!("domain={labels}");
    let by = stdout(&[&["score", "-f", "text"], &files[..], &["--label", &label, "--by", "domain"]].concat());
    assert!(by.contains("domain: news") && by.contains("domain: chat"), "{by}");
    // Files of statistics keep what was learned.
    let stats = folder.path("a.stats");
    let own = ["--vectors", &named[0], "--reference-vectors", &references, "-m", "bertscore:idf"];
    stdout(&[&["stats"], &own[..], &["-o", &stats]].concat());
    let direct = numbers(&[&["score"], &own[..]].concat());
    assert_eq!(direct, numbers(&["score", "--stats", &stats]));
    let policy = folder
        .file("gate.toml", "format = \"bleuprint-gate/1\"\n[[rule]]\nmetric = \"bertscore\"\nmin = 0.1\n");
    let gate = ["gate", "--policy", &policy, "--vectors", &named[0], "--reference-vectors", &references];
    assert!(stdout(&gate).contains("pass"));
}

#[test]
fn what_idf_learned_is_kept() {
    let folder = Folder::new();
    let [references, one, other] = corpus(&folder);
    let (idf, both) = (folder.path("idf.json"), folder.path("both.json"));
    let files = |system: &str| -> Vec<String> {
        ["score", "--vectors", system, "--reference-vectors", &references].map(str::to_owned).into()
    };
    let score = |system: &str, more: &[&str]| {
        let files = files(system);
        stdout(&[&files.iter().map(String::as_str).collect::<Vec<_>>()[..], more].concat())
    };
    let metric = ["-m", "bertscore:idf"];
    let whole = score(&one, &[&metric[..], &["--save-learned", &idf]].concat());
    assert_eq!(whole, score(&one, &metric));
    assert_eq!(whole, score(&one, &[&metric[..], &["--learned", &idf]].concat()));
    // Other weights for special pieces learn the same.
    score(&other, &["-m", "bertscore:idf,specials=5", "--learned", &idf]);
    // The first reference alone is what every piece of it is in: all weigh ln 1.
    let alone = texts(&[1.0, 0.0, 0.6, 0.8], &[0, 2], &[5, 6], &[]);
    let path = folder.file("alone.safetensors", alone);
    let of_alone = ["score", "--vectors", &path, "--reference-vectors", &path, "-m", "bertscore:idf"];
    assert_eq!(numbers(&of_alone), [0.0]);
    assert_eq!(numbers(&[&of_alone[..], &["--learned", &idf]].concat()), [1.0]);
    let stats = folder.path("a.stats");
    let args =
        ["stats", "--vectors", &one, "--reference-vectors", &references, "-o", &stats, "--learned", &idf];
    stdout(&[&args[..], &metric].concat());
    let shown: Value = parsed(&["score", "--stats", &stats]);
    assert_eq!(shown["score"], serde_json::from_str::<Value>(&whole).unwrap()["score"]);

    let (reference, system) = (folder.file("ref", "a b\nb c\nc\nd\n"), folder.file("sys", "a\nb\nc\nd e\n"));
    let beside = ["score", &reference, "-i", &system, "--vectors", &one, "--reference-vectors", &references];
    let metrics = ["-m", "bertscore:idf", "nist"];
    let saved = stdout(&[&beside[..], &metrics, &["--save-learned", &both]].concat());
    assert_eq!(saved, stdout(&[&beside[..], &metrics, &["--learned", &both]].concat()));
    let text = std::fs::read_to_string(&both).unwrap();
    assert!(text.find("reference_ngrams") < text.find("piece_frequencies"), "{text}");

    let no = |more: &[&str], words: &[&str]| {
        let files = files(&one);
        refused(&[&files.iter().map(String::as_str).collect::<Vec<_>>()[..], more].concat(), words);
    };
    no(&["-m", "bertscore:idf", "--learned", &both], &["both.json", "2 metrics", "1"]);
    no(&["-m", "bertscore", "--learned", &idf], &["idf.json", "1 metrics", "0"]);
    no(&["-m", "bertscore", "--save-learned", &folder.path("none")], &["nothing was learned"]);
    no(&["-m", "bertscore:idf", "--save-learned", &idf], &["idf.json is there already", "--overwrite"]);
    let changed = std::fs::read_to_string(&idf).unwrap().replacen("[2,", "[3,", 1);
    std::fs::write(&idf, changed).unwrap();
    no(&["-m", "bertscore:idf", "--learned", &idf], &["idf.json", "the file was changed"]);
}

#[test]
fn systems_with_segments_of_their_own() {
    let folder = Folder::new();
    let [references, one, _] = corpus(&folder);
    let other =
        folder.file("c.safetensors", texts(&[0.6, 0.8, 1.0, 1.0, 1.0, 0.5], &[0, 1, 2, 3], &[6, 9, 1], &[]));
    let others =
        folder.file("rc.safetensors", texts(&[0.8, 0.6, 0.0, 1.0, 1.0, 0.0], &[0, 1, 2, 3], &[6, 9, 1], &[]));
    let sides = [[&one, &references], [&other, &others]];
    let alone = sides.map(|[system, references]| {
        numbers(&["score", "--vectors", system, "--reference-vectors", references, "-m", "cosine"])[0]
    });
    let compare = ["compare", "--unpaired", "-q", "-f", "json", "--resamples", "40"];
    let scores = |arguments: &[&str]| -> Vec<f64> {
        let document: Value = parsed(&[&compare, arguments].concat());
        let scores = document["metrics"][0]["scores"].as_array().unwrap();
        scores.iter().map(|score| score.as_f64().unwrap()).collect()
    };
    let files = ["--vectors", &one, &other, "--reference-vectors", &references, &others, "-m", "cosine"];
    assert_eq!(scores(&files), alone);
    let labels = ["a\na\nb\nc\n", "d\ne\nf\n"].map(|text| folder.file(&format!("l{}", text.len()), text));
    let labels = labels.map(|file| format!("unit={file}"));
    let units = ["--unit", "unit", "--label", &labels[0], "--label", &labels[1]];
    assert_eq!(scores(&[&files[..], &units].concat()), alone);
    let no = |arguments: &[&str], words: &[&str]| refused(arguments, words);
    let one_for_two = [&compare[..2], &files[..5], &files[6..]].concat();
    no(&one_for_two, &["--reference-vectors for each system", "1 were given for 2 systems"]);
    no(&[&["score"], &files[..]].concat(), &["2 files of --reference-vectors", "share one"]);
    no(&["mbr", &one, "-m", "cosine"], &["cosine looks at vectors, and pools are texts", "utilities"]);
}

/// Tuples of a scene graph may have empty texts; of no text, of more than three, and of no array they are refused with
/// their line.
#[test]
fn degenerate_tuples() {
    let folder = Folder::new();
    let reference = folder.file("ref", "[[\"\"]]\n( girl )\n");
    let spice = |name: &str, second: &str| {
        let system = folder.file(name, format!("[[\"\"], [\"a\", \"\"]]\n{second}\n"));
        ["score", &reference, "-i", &system, "-m", "spice", "-sl"].map(str::to_owned)
    };
    let arguments = spice("good", "[[\"girl\"]]");
    let lines = stdout(&arguments.each_ref().map(String::as_str));
    assert!(lines.lines().next().unwrap().contains("matched = 1 hypothesis = 3 reference = 1"), "{lines}");
    for (name, bad, word) in [
        ("none", "[[]]", "tuple 1 is `[]`"),
        ("four", "[[\"a\", \"b\", \"c\", \"d\"]]", "tuple 1 is"),
        ("null", "[[\"a\"], null]", "tuple 2 is `null`"),
        ("object", "[{\"tupel\": [\"a\"]}]", "tuple 1 is"),
    ] {
        let arguments = spice(name, bad);
        let arguments = arguments.each_ref().map(String::as_str);
        // Without -sl, whose first line is written before the second is read.
        refused(&arguments[..6], &[name, "line 2", word]);
    }
}

#[test]
fn npy_has_the_same_numbers() {
    let folder = Folder::new();
    let [references, one, _] = corpus(&folder);
    let write = |name: &str, bytes: Vec<u8>| folder.file(name, bytes);
    let rows = [1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0];
    write("a.npy", npy("<f4", "(5, 2)", &floats(&rows)));
    write("a.offsets.npy", npy("<i8", "(5,)", &integers(&[0, 1, 2, 4, 5])));
    let path = folder.path("a.npy");
    let of = |file: &str| {
        numbers(&["score", "--vectors", file, "--reference-vectors", &references, "-m", "bertscore"])
    };
    assert_eq!(of(&path), of(&one));
    let double: Vec<u8> = rows.iter().flat_map(|&row| f64::from(row).to_le_bytes()).collect();
    write("a.npy", npy("<f8", "(5, 2)", &double));
    assert_eq!(of(&path), of(&one));
    let bfloats: Vec<u8> = rows.iter().flat_map(|row| ((row.to_bits() >> 16) as u16).to_le_bytes()).collect();
    let offsets = integers(&[0, 1, 2, 4, 5]);
    write("b", safetensors(&[("vectors", "BF16", &[5, 2], bfloats), ("offsets", "I64", &[5], offsets)]));
    assert_eq!(of(&folder.path("b")), of(&one));
}

#[test]
fn what_cannot_be_read_is_refused_with_its_file_and_row() {
    let folder = Folder::new();
    let [references, one, other] = corpus(&folder);
    let score = |files: &[&str], metric: &str, words: &[&str]| {
        refused(&[&["score"], files, &["-m", metric]].concat(), words);
    };
    let bad = |bytes: Vec<u8>, words: &[&str]| {
        let path = folder.file("bad.safetensors", bytes);
        let words: Vec<&str> = [&["bad.safetensors"], words].concat();
        score(&["--vectors", &path, "--reference-vectors", &references], "bertscore", &words);
    };
    let rows = [1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0];
    let of = |rows: &[f32], offsets: &[i64]| texts(rows, offsets, &[1; 4], &[]);
    bad(of(&rows, &[0, 1, 2, 3, 9]), &["offsets[4] is 9, but there are 4 rows"]);
    bad(of(&rows, &[0, 1, 2, 1, 4]), &["offsets[3] is 1, less than the one before it, 2"]);
    bad(of(&rows, &[0, 1, 2, 3]), &["offsets end at 3, but there are 4 rows"]);
    bad(of(&[1.0, 0.0, 0.0, 1.0, f32::NAN, 1.0, 1.0, 0.0], &[0, 1, 2, 3, 4]), &["row 2 is NaN in column 0"]);
    bad(of(&[1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0], &[0, 1, 2, 3, 4]), &["row 1 is zero"]);
    bad(of(&rows, &[0, 1, 4]), &["2", "references.safetensors", "4"]);
    bad(texts(&rows, &[0, 1, 2, 3, 4], &[1; 4], &[0, 4]), &["`groups` are for references"]);
    let wide = safetensors(&[("vectors", "F32", &[4, 3], floats(&[1.0; 12]))]);
    bad(wide, &["vectors of 3 coordinates", "have 2"]);
    let good = of(&rows, &[0, 1, 2, 3, 4]);
    bad(good[..good.len() - 4].to_vec(), &["lies from byte", "of the data, which has"]);
    bad(good[..20].to_vec(), &["no safetensors file", "bytes is announced"]);
    bad(b"PK".to_vec(), &["no safetensors file"]);
    bad(safetensors(&[("hidden", "F32", &[1], floats(&[1.0]))]), &["`hidden` is none of vectors"]);
    bad(safetensors(&[("vectors", "I8", &[1], vec![1])]), &["holds I8"]);
    bad(safetensors(&[("vectors", "F32", &[4], floats(&[1.0; 4]))]), &["[4]", "two dimensions"]);
    bad([good, vec![0; 4]].concat(), &["the tensors end at byte"]);
    let npy_of = |bytes: Vec<u8>, words: &[&str]| {
        let path = folder.file("x.npy", bytes);
        score(&["--vectors", &path, "--reference-vectors", &references], "cosine", words);
    };
    npy_of(npy(">f4", "(4, 2)", &floats(&rows)), &["x.npy", "an array of `>f4`"]);
    npy_of(npy("<f4", "(4, 3)", &floats(&rows)), &["x.npy", "[4, 3]"]);
    npy_of(b"\x93NUMPY\x09\x00".to_vec(), &["x.npy", "version 9"]);
    let files = ["--vectors", &one, "--reference-vectors", &references];
    score(&files, "bleu", &["bleu", "BLEU looks at text"][1..]);
    score(&["--vectors", &one, &other, "--reference-vectors", &folder.path("none")], "cosine", &["none"]);
    refused(&["score", "--vectors", &one, "-m", "cosine"], &["--reference-vectors"]);
    let text = folder.file("ref", "a\n");
    refused(&["score", &text, "-i", &text, "-m", "bertscore"], &["looks at vectors: give --vectors"]);
    refused(
        &[&["score", &text, "-i", &text, "-m", "chrf"], &files[..]].concat(),
        &["no metric that was asked for looks at the vectors"],
    );
}
