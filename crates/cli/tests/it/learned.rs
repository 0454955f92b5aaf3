//! `score --save-learned` and `--learned`: metrics of two passes with weights from other data.

use crate::common::{Folder, pair, refused, stdout};
use serde_json::Value;

const REF: &str = "a cat sat on the mat\nthe dog ran\na bird sang in the tree\n";
const SYS: &str = "a cat sat on a mat\nthe dog ran off\nthe bird sang\n";

#[test]
fn weights_of_one_corpus_score_another() {
    let (folder, reference, system) = pair(REF, SYS);
    let (first_ref, first_sys) =
        (folder.file("ref1", "a cat sat on the mat\n"), folder.file("sys1", "a cat sat\n"));
    let weights = folder.path("weights.json");
    let metrics = ["-m", "cider_d", "nist", "-f", "text", "-w", "10"];
    let score = |files: &[&str], more: &[&str]| stdout(&[&["score"], files, &metrics, more].concat());

    let whole = score(&[&reference, "-i", &system], &["--save-learned", &weights]);
    assert_eq!(whole, score(&[&reference, "-i", &system], &[]));
    assert_eq!(whole, score(&[&reference, "-i", &system], &["--learned", &weights]));
    // One segment has no document frequencies of its own to speak of: CIDEr-D is 0, and with the weights it is not.
    let alone = score(&[&first_ref, "-i", &first_sys], &[]);
    let with_weights = score(&[&first_ref, "-i", &first_sys], &["--learned", &weights]);
    assert!(alone != with_weights && alone.contains("= 0.0000000000"), "{alone}{with_weights}");
    // Segments score what they do in the corpus that the weights are from.
    let segments = score(&[&reference, "-i", &system], &["-sl"]);
    assert_eq!(segments, score(&[&reference, "-i", &system], &["-sl", "--learned", &weights]));
}

#[test]
fn weights_of_other_settings_are_refused() {
    let (folder, reference, system) = pair(REF, SYS);
    let (weights, cut) = (folder.path("weights.json"), folder.path("cut.json"));
    let with = |options: &[&str], words: &[&str]| {
        refused(&[&["score", &reference, "-i", &system], options].concat(), words);
    };
    stdout(&["score", &reference, "-i", &system, "-m", "cider_d", "--save-learned", &weights]);
    with(&["-m", "cider_d:order=3", "--learned", &weights], &["weights.json", "order"]);
    with(&["-m", "cider_d", "-tok", "char", "--learned", &weights], &["weights.json", "tok"]);
    with(&["-m", "cider_d", "nist", "--learned", &weights], &["weights.json", "1 metrics", "2"]);
    with(&["-m", "bleu", "--learned", &weights], &["weights.json", "0"]);
    with(&["-m", "bleu", "--save-learned", &folder.path("none")], &["--save-learned", "no effect"]);
    with(&["-m", "cider_d", "--learned", &folder.path("nowhere")], &["nowhere"]);
    let text = std::fs::read_to_string(&weights).unwrap();
    std::fs::write(&cut, &text[..text.len() / 2]).unwrap();
    with(&["-m", "cider_d", "--learned", &cut], &["cut.json"]);
    let other = |from: &str, to: &str, words: &[&str]| {
        assert!(text.contains(from), "{text}");
        std::fs::write(&cut, text.replacen(from, to, 1)).unwrap();
        with(&["-m", "cider_d", "--learned", &cut], words);
    };
    other("[[2,1,", "[[3,1,", &["cut.json", "the file was changed"]);
    other(
        "learned/2",
        "learned/1",
        &["cut.json", "bleuprint-learned/1", "no checksum: learn and save again"],
    );
    other("learned/2", "learned/3", &["cut.json", "`bleuprint-learned/2` is expected"]);
    let end = &text[text.rfind(",\"sha256").unwrap()..];
    other(end, "}\n", &["cut.json", "`sha256` is not the last field"]);
}

#[test]
fn files_of_statistics_hold_the_weights() {
    let (folder, reference, system) = pair(REF, SYS);
    let (weights, whole) = (folder.path("weights.json"), folder.path("whole.stats"));
    let metrics = ["-m", "cider_d", "nist"];
    let shown = ["-f", "text", "-w", "10"];
    let score =
        [&["score", &reference, "-i", &system, "--save-learned", &weights][..], &metrics, &shown].concat();
    let scored = stdout(&score);
    stdout(&[&["stats", &reference, "-i", &system, "-o", &whole][..], &metrics].concat());
    assert_eq!(stdout(&[&["show", &whole][..], &shown].concat()), scored);

    let (head, tail) = (folder.path("head.stats"), folder.path("tail.stats"));
    let part = |name: &str, from: usize, to: usize| {
        let lines = |text: &str| text.split_inclusive('\n').skip(from).take(to - from).collect::<String>();
        let (reference, system) = (
            folder.file(&format!("{name}.ref"), lines(REF)),
            folder.file(&format!("{name}.sys"), lines(SYS)),
        );
        (reference, system)
    };
    for (place, (reference, system)) in [(&head, part("head", 0, 2)), (&tail, part("tail", 2, 3))] {
        let shard = ["stats", &reference, "-i", &system, "-o", place, "--learned", &weights];
        stdout(&[&shard[..], &metrics].concat());
    }
    let (merged, rest) = (folder.path("merged.stats"), folder.path("rest.stats"));
    refused(&["merge", &head, &tail, "-o", &merged], &["head.stats and", "of other systems", "tail.sys"]);
    stdout(&["merge", &head, &tail, "-o", &merged, "--system", "mine"]);
    assert_eq!(stdout(&[&["show", &merged][..], &shown].concat()), scored);
    stdout(&["subtract", &merged, &tail, "-o", &rest]);
    assert_eq!(stdout(&["show", &rest]), stdout(&["show", &head]));
    let compared = stdout(&["compare", "--stats", &whole, &merged]);
    assert!(compared.contains("CIDEr-D, 3 segments") && compared.contains("NIST, 3 segments"), "{compared}");

    // A shard that learned from its own references merges with no other.
    let (reference, system) = part("head", 0, 2);
    let own = folder.path("own.stats");
    stdout(&[&["stats", &reference, "-i", &system, "-o", &own][..], &metrics].concat());
    let no = folder.path("no.stats");
    refused(&["merge", &own, &tail, "-o", &no, "--system", "x"], &["own.stats", "tail.stats", "df"]);
}

#[test]
fn reports_read_files_with_weights() {
    let folder = Folder::new();
    let (reference, one) = (folder.file("ref", REF), folder.file("one", SYS));
    let other = folder.file("other", "a cat sat on the mat\nthe dog\na bird sang in the tree\n");
    let metrics = ["-m", "cider_d", "nist"];
    let stats = |name: &str, system: &str| {
        let place = folder.path(name);
        stdout(&[&["stats", &reference, "-i", system, "-o", &place][..], &metrics].concat());
        place
    };
    let files = [stats("one.stats", &one), stats("other.stats", &other)];
    let page = |arguments: &[&str]| -> Value {
        let page = stdout(&[&["report", "-f", "json", "-o", "-"], arguments].concat());
        serde_json::from_str(&page).unwrap()
    };
    let of_files = page(&["--stats", &files[0], &files[1]]);
    let of_text = page(&[&[&reference, "-i", &one, &other][..], &metrics].concat());
    assert_eq!(of_files["metrics"], of_text["metrics"]);
    let scores = stdout(&[&["score", &reference, "-i", &one, &other][..], &metrics].concat());
    let scores: Value = serde_json::from_str(&scores).unwrap();
    for (place, name) in ["CIDEr-D", "NIST"].into_iter().enumerate() {
        let metric = &of_files["metrics"][place];
        assert_eq!(metric["name"], name);
        for system in 0..2 {
            assert_eq!(metric["scores"][system]["score"], scores[system][name], "{name}");
        }
        assert!(metric["signature"].as_str().unwrap().contains(["|df:", "|info:"][place]));
    }
    // Weights of other references count otherwise.
    let weights = folder.path("weights.json");
    let (twice, both) = (folder.file("twice", REF.repeat(2)), folder.file("both", SYS.repeat(2)));
    stdout(&[&["score", &twice, "-i", &both, "--save-learned", &weights][..], &metrics].concat());
    let unlike = folder.path("unlike.stats");
    let learned = ["stats", &reference, "-i", &other, "-o", &unlike, "--learned", &weights];
    stdout(&[&learned[..], &metrics].concat());
    let report = ["report", "--stats", &files[0], &unlike, "-o", &folder.path("no.html")];
    refused(&report, &["one.stats and", "unlike.stats", "differ in df"]);
}
