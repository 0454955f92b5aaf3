//! Sessions of several speakers, and re-segmentation, through the door of the command line.

use crate::common::{Folder, bleuprint, bleuprint_of, parsed, refused, refused_of, said, stdout, stdout_of};
use serde_json::{Value, json};

const REFERENCE: &str = "\
;; two sessions
X 1 r0 0 1.2 go
X 1 r0 1.07 2.02 <o,f0,male> works fine we
X 1 r1 2.29 2.9 monday that

Y 1 A 0 2 good morning
Y 1 B 2 3.5 see you
";
const HYPOTHESIS: &str = "\
Y 1 2 2.1 3.6 see you
Y 1 1 0.1 2 good evening
X 1 h2 0 0.94 go
X 1 h2 1.18 1.98 works fine on
X 1 h0 2.4 2.93 about that
X 1 h1 7.29 8.29 later
";

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn picked(object: &Value, keys: &[&str]) -> Vec<Value> {
    keys.iter().map(|key| object[key].clone()).collect()
}

#[test]
fn sessions_are_segments_with_their_assignment() {
    let folder = Folder::new();
    let (reference, system) = (folder.file("ref.stm", REFERENCE), folder.file("hyp.stm", HYPOTHESIS));
    let score = ["score", "--speakers", &reference, "-i", &system, "-m", "cpwer"];
    let output = bleuprint(&score);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        message.contains(
            "0.13 s of utterances overlap with others of the same speaker, first in the session `X`"
        ),
        "{message}"
    );
    let total: Value = serde_json::from_slice(&output.stdout).unwrap();
    let counts =
        ["insertions", "deletions", "substitutions", "ref_len", "falarm_speakers", "scored_speakers"];
    assert_eq!(picked(&total, &counts), [1, 0, 3, 10, 1, 4].map(Value::from));
    assert_eq!((total["name"].as_str(), total["score"].as_f64()), (Some("cpWER"), Some(0.4)));

    let sessions = lines(&stdout(&[&score[..], &["-sl", "-f", "json", "-q"]].concat()));
    assert_eq!(picked(&sessions[0], &["id", "segment", "score"]), [json!("X"), json!(1), json!(0.5)]);
    assert_eq!(sessions[0]["assignment"], json!([["r0", "h2"], ["r1", "h0"], [null, "h1"]]));
    assert_eq!(sessions[1]["assignment"], json!([["A", "1"], ["B", "2"]]));
    let text = stdout(&[&score[..], &["-sl", "-q"]].concat());
    assert!(text.lines().next().unwrap().ends_with(" r0=h2 r1=h0 -=h1"), "{text}");
}

#[test]
fn the_other_metrics_and_formats_give_the_same_sessions() {
    let folder = Folder::new();
    let reference = folder.file("ref.stm", REFERENCE);
    let segments: Vec<Value> = HYPOTHESIS
        .lines()
        .map(|line| {
            let fields: Vec<&str> = line.splitn(6, ' ').collect();
            json!({"session_id": fields[0], "speaker": fields[2], "start_time": fields[3],
                   "end_time": fields[4].parse::<f64>().unwrap(), "words": fields[5], "other": 1})
        })
        .collect();
    let stm = folder.file("hyp.stm", HYPOTHESIS);
    let seglst = folder.file("hyp.json", serde_json::to_string_pretty(&segments).unwrap());
    for metric in ["cpwer", "tcpwer:collar=5", "orcwer", "cpwer:tokenize=char", "cpwer:norm=whisper-en"] {
        let score = |system: &str| {
            let text = stdout(&["score", "--speakers", &reference, "-i", system, "-m", metric, "-q"]);
            serde_json::from_str::<Value>(&text).unwrap()
        };
        let (one, other) = (score(&stm), score(&seglst));
        assert_eq!(one, other, "{metric}");
        assert!(one["score"].as_f64().unwrap() > 0.0, "{metric}");
    }
    // Words are normalized and lower-cased, labels and times are not.
    let (one, other) =
        ("X 1 A 0 1 It's, Mr. Cat\nX 1 a 2 3 Dog\n", "X 1 B 0 1 it is mister cat\nX 1 b 2 3 dog\n");
    let (one, other) = (folder.file("one.stm", one), folder.file("other.stm", other));
    for (more, score) in [(&["--norm", "whisper-en"][..], 0.0), (&["--lowercase"], 0.75), (&[], 1.25)] {
        let given = ["score", "--speakers", &one, "-i", &other, "-m", "cpwer", "-w", "4"];
        let scored: Value = parsed(&[&given[..], more].concat());
        assert_eq!(
            (scored["score"].as_f64(), &scored["scored_speakers"]),
            (Some(score), &json!(2)),
            "{more:?}"
        );
        assert_eq!(scored["signature"].as_str().unwrap().contains("norm:whisper-en"), score == 0.0);
    }
    // A folder of CTM is a speaker for each file.
    let ctm = Folder::new();
    ctm.file("A.ctm", ";; words\nX 1 0 0.4 good 0.9\nX 1 0.5 0.5 day\n");
    ctm.file("B.ctm", "X 1 2 0.4 bye\n");
    let both = ctm.path("");
    let plain = folder.file("plain.stm", "X 1 s 0 1 good day\nX 1 t 2 3 bye bye\n");
    let text = stdout(&["score", "--speakers", &plain, "-i", &both, "-m", "cpwer", "-sl", "-f", "json"]);
    assert_eq!(lines(&text)[0]["assignment"], json!([["s", "A"], ["t", "B"]]));
    assert_eq!(lines(&text)[0]["score"], 0.25);
}

#[test]
fn statistics_comparisons_and_reports_follow() {
    let folder = Folder::new();
    let (reference, one) = (folder.file("ref.stm", REFERENCE), folder.file("one.stm", HYPOTHESIS));
    let two = folder.file("two.stm", HYPOTHESIS.replace("evening", "morning"));
    let given =
        |command: &'static str| vec![command, "--speakers", &*reference, "-m", "cpwer", "-q", "-i", &*one];
    let stored = folder.path("one.stats");
    stdout(&[&given("stats")[..], &["-o", &stored]].concat());
    let from_stored: Value = parsed(&["score", "--stats", &stored]);
    let direct: Value = parsed(&given("score"));
    assert_eq!(from_stored, direct);
    let compared = stdout(&[&given("compare")[..], &[&two, "-f", "json"]].concat());
    assert!(compared.contains("cpWER"), "{compared}");
    let page = folder.path("page.html");
    stdout(&[&given("report")[..], &[&two, "-o", &page]].concat());
    assert!(std::fs::read_to_string(page).unwrap().contains("cpWER"));
    let by = stdout(&[&given("score")[..], &["--by", "id", "-f", "json"]].concat());
    assert!(by.contains("\"group\": \"X\""), "{by}");
}

#[test]
fn malformed_sessions_are_errors_with_file_and_line() {
    let folder = Folder::new();
    let reference = folder.file("ref.stm", "X 1 A 0 1 a b\n");
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "short.stm",
            "X 1 A 0 1 a\nX 1 A 1\n",
            &["short.stm: line 2: 4 fields, but a line of STM has at least 5"],
        ),
        (
            "back.stm",
            "X 1 A 2 1 a\n",
            &["back.stm: line 1: the utterance ends at 1 s, before its start at 2 s"],
        ),
        ("time.stm", "X 1 A zero 1 a\n", &["time.stm: line 1: the start `zero` is no number of seconds"]),
        ("nan.stm", "X 1 A nan 1 a\n", &["line 1: the start `nan` is no number of seconds"]),
        ("brace.stm", "X 1 A 0 1 {a / b}\n", &["line 1: `{a`: alternatives in braces are not scored"]),
        ("empty.stm", ";; nothing\n\n", &["empty.stm: no session"]),
        ("other.stm", "Z 1 A 0 1 a\n", &["`", "other.stm` has no session `X`", "--missing-sessions empty"]),
        ("back.ctm", "X 1 5 1 a\nX 1 4 1 b\n", &["back.ctm: line 2: the times run back", "begins at 4 s"]),
        (
            "channel.ctm",
            "X 1 5 1 a\nX 2 6 1 b\n",
            &["line 2: channel `2` after channel `1`: CTM has no speakers"],
        ),
        ("negative.ctm", "X 1 5 -1 a\n", &["line 1: the duration -1 is below 0"]),
        ("words.ctm", "X 1 5 1 a b\n", &["line 1: the confidence `b` is no number", "one word"]),
        ("long.ctm", "X 1 5 1 a 0.5 lex\n", &["line 1: `lex` after the confidence"]),
        (
            "key.json",
            "[{\"session_id\": \"X\",\n\"words\": \"a\"}]",
            &["key.json: line 1: it has no `speaker`"],
        ),
        (
            "twice.json",
            "[\n{\"session_id\": \"X\", \"speaker\": \"A\", \"speaker\": \"B\", \"words\": \"a\"}]",
            &["twice.json: line 2: the key `speaker` twice"],
        ),
        ("list.json", "[\n{\"session_id\": \"X\",}]", &["list.json: line 2: no list of utterances in JSON"]),
        (
            "session.json",
            "[{\"speaker\": \"A\", \"words\": \"a\"}]",
            &["line 1: the utterance has no `session_id`"],
        ),
        (
            "some.json",
            "[{\"session_id\": \"X\", \"speaker\": \"A\", \"words\": \"a\", \"start_time\": 0, \"end_time\": 1},\n\
             {\"session_id\": \"X\", \"speaker\": \"A\", \"words\": \"a\"}]",
            &["line 2: the utterance has no times, but 1 other has"],
        ),
        (
            "x.rttm",
            "SPEAKER X 1 0 1 <NA> <NA> A <NA> <NA>\n",
            &["x.rttm: RTTM has times and speakers but no words"],
        ),
        ("x.txt", "a b\n", &["x.txt: the name of a file of sessions ends in .stm"]),
    ];
    for (name, content, words) in cases {
        let system = folder.file(name, content);
        refused(&["score", "--speakers", &reference, "-i", &system, "-m", "cpwer"], words);
    }
}

#[test]
fn what_does_not_fit_sessions_is_refused() {
    let folder = Folder::new();
    let reference = folder.file("ref.stm", "X 1 A 0 1 a b\nY 1 A 0 1 c\n");
    let system = folder.file("hyp.stm", "X 1 A 0 1 a b\nZ 1 A 0 1 c d\n");
    let score =
        |more: &[&'static str]| [&["score", "--speakers", &*reference, "-i", &*system], more].concat();
    refused(&score(&["-m", "wer"]), &["WER observes texts, but --speakers gives sessions of speakers"]);
    refused(&score(&["-m", "tcpwer"]), &["tcpwer needs a collar in seconds", "tcpwer:collar=5"]);
    refused(&score(&["-m", "tcpwer:collar=-1"]), &["collar is -1, but must be"]);
    refused(
        &["score", "--speakers", &reference, &reference, "-i", &system, "-m", "cpwer"],
        &["2 reference files are given, but sessions have one"],
    );
    refused(&["score", &reference, "-i", &reference, "-m", "cpwer"], &["this is no session of speakers"]);
    let total = |missing: &'static str| {
        let text = stdout(&score(&["-m", "cpwer", "--missing-sessions", missing]));
        picked(&serde_json::from_str(&text).unwrap(), &["insertions", "deletions", "ref_len"])
    };
    assert_eq!(total("skip"), [0, 0, 2].map(Value::from));
    assert_eq!(total("empty"), [2, 1, 3].map(Value::from));
    assert!(
        said(&score(&["-m", "tcpwer:collar=0", "--missing-sessions", "skip"])).contains("a collar of 0 s")
    );
    let words = folder.file("empty.stm", "X 1 A 0 1\n");
    refused(
        &["score", "--speakers", &words, "-i", &words, "-m", "cpwer"],
        &["cpWER has no score here: the references have no word"],
    );
}

#[test]
fn output_is_cut_into_the_segments_of_its_references() {
    let folder = Folder::new();
    let reference = folder.file("ref.txt", "Good morning.\nSee you soon.\nGood bye.\n");
    let output = folder.file("hyp.txt", "good morning. See\nyou soon. Bye.\n");
    let cut = bleuprint(&["resegment", &reference, "-i", &output, "--lowercase"]);
    assert_eq!(String::from_utf8(cut.stdout).unwrap(), "good morning.\nSee you soon.\nBye.\n");
    let message = String::from_utf8_lossy(&cut.stderr).into_owned();
    assert!(message.contains("1 edit over 7 tokens of the references, AS-WER 0.1429"), "{message}");

    // Han has no spaces, so a cut is between any two characters; a word is never cut.
    let chinese = folder.file("zh.txt", "你好吗\n我很好 OK\n");
    let text = stdout_of(&["resegment", &chinese, "-q"], "你好我很好OK".as_bytes());
    assert_eq!(text, "你好\n我很好OK\n");
    let text = stdout_of(
        &["resegment", &reference, "--tokenize", "char", "--unlike-lengths", "-q"],
        b"Good morningSee you",
    );
    assert_eq!(text.lines().count(), 3);
    assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["Good", "morningSee", "you"]);

    let text = stdout(&["resegment", &reference, "-i", &output, "--norm", "whisper-en", "-q"]);
    assert_eq!(text, "good morning.\nSee you soon.\nBye.\n");
    // Two references, and the quirk of the usual program.
    let other = folder.file("ref2.txt", "Morning.\nSee you.\nBye.\n");
    let text = stdout(&["resegment", &reference, &other, "-i", &output, "-q"]);
    assert_eq!(text, "good morning.\nSee you soon.\nBye.\n");
    let quirk = folder.file("quirk.txt", "A A A\nb. a b. b. b.\n");
    let cut = |more: &[&str]| {
        let text = b"b. a b. b. b.";
        stdout_of(&[&["resegment", &quirk, "-q"], more].concat(), text)
    };
    assert_eq!(cut(&[]), "\nb. a b. b. b.\n");
    assert_eq!(cut(&["--like", "mweralign"]), "b. a\nb. b. b.\n");
}

#[test]
fn documents_keep_their_words() {
    let folder = Folder::new();
    let reference = folder.file("ref.txt", "a b\nc d\na b\nc d\n");
    let output = folder.file("hyp.txt", "c d\na b c\nd\n");
    let own = folder.file("own.txt", "x\nx\ny\ny\n");
    let theirs = folder.file("theirs.txt", "x\ny\ny\n");
    let given = ["resegment", &reference, "-i", &output, "-q", "--document", &own, &theirs];
    assert_eq!(stdout(&given), "\nc d\na b\nc d\n");
    let place = folder.path("out.txt");
    stdout(&[&given[..], &["-o", &place]].concat());
    assert_eq!(std::fs::read_to_string(&place).unwrap(), "\nc d\na b\nc d\n");
    refused(&[&given[..], &["-o", &place]].concat(), &["is there already; --overwrite writes over it"]);
    refused(&[&given[..], &["-o", &output]].concat(), &["the command reads this file"]);
    let unknown = folder.file("unknown.txt", "x\nz\ny\n");
    refused(
        &["resegment", &reference, "-i", &output, "--document", &own, &unknown],
        &["unknown.txt: line 2: no line of the references is of the document `z`"],
    );
    let short = folder.file("short.txt", "a b\n");
    refused(&["resegment", &reference, &short, "-i", &output], &["4", "1", "short.txt"]);
}

#[test]
fn cuts_that_would_hide_an_error_are_refused_or_warned_of() {
    let folder = Folder::new();
    let reference = folder.file("ref.txt", "a b c d\ne f g h\n");
    refused_of(
        &["resegment", &reference],
        b"a b c",
        &["the hypothesis has 3 tokens, and the references have 8"],
    );
    refused(&["resegment", &reference], &["the hypothesis has 0 tokens"]);
    assert_eq!(stdout_of(&["resegment", &reference, "--unlike-lengths", "-q"], b"a b c"), "a b c\n\n");
    let same = bleuprint_of(&["resegment", &reference], b"a b c d\ne f g\n");
    let message = String::from_utf8_lossy(&same.stderr).into_owned();
    assert!(message.contains("as many lines as the references already"), "{message}");
    let doubtful = bleuprint_of(&["resegment", &reference], b"a x x x x x x x x x e f g h");
    let message = String::from_utf8_lossy(&doubtful.stderr).into_owned();
    assert!(message.contains("more edits than tokens in 1 segment, to be looked at: lines 1"), "{message}");
    refused_of(
        &["resegment", &reference, "--like", "mweralign", "--tokenize", "char"],
        b"a",
        &["leave out --tokenize"],
    );
}

#[test]
fn score_cuts_output_first() {
    let folder = Folder::new();
    let reference = folder.file("ref", "Good morning.\nSee you soon.\n\nAll right then.\n");
    let other = folder.file("ref2", "Good day.\nSee you later.\nwell\nAll right.\n");
    let system = folder.file("hyp", "Good day. See you\nsoon. Bye. All right\n");
    let normal = ["--norm", "lower+punct"];
    for (references, options) in [
        (vec![&reference], vec!["-m", "wer", "bleu", "chrf", "ter"]),
        (vec![&reference], [&["-m", "wer", "-lc"][..], &normal].concat()),
        (vec![&reference, &other], vec!["-m", "wer", "--empty-references", "keep"]),
        (vec![&reference], vec!["-m", "cer", "--tokenize", "char"]),
    ] {
        let references: Vec<&str> = references.into_iter().map(String::as_str).collect();
        let cut = folder.path("cut");
        let both = ["--norm", "lower+punct", "--lowercase", "--tokenize", "char"];
        let has = |name: &str| options.contains(&name) || name == "--lowercase" && options.contains(&"-lc");
        let mut how: Vec<&str> = Vec::new();
        if has("--norm") {
            how.extend(&both[..3]);
        }
        if has("--tokenize") {
            how.extend(&both[3..]);
        }
        stdout(
            &[&["resegment"], &references[..], &["-i", &system, "-o", &cut, "--overwrite"], &how].concat(),
        );
        let plain = stdout(&[&["score"], &references[..], &["-i", &cut], &options, &["-f", "json"]].concat());
        let once =
            [&["score"], &references[..], &["-i", &system, "--resegment", "-f", "json"], &options].concat();
        let both = [plain, stdout(&once)].map(|text| {
            let all: Value = serde_json::from_str(&text).unwrap();
            if all.is_array() { all } else { json!([all]) }
        });
        let [plain, ours] = both.each_ref().map(|scores| scores.as_array().unwrap());
        assert_eq!(plain.len(), ours.len());
        for (plain, ours) in plain.iter().zip(ours) {
            assert_eq!(plain["score"], ours["score"], "{options:?}");
            let signature = |score: &Value| score["signature"].as_str().unwrap().to_owned();
            assert_eq!(signature(ours).replace("|seg:clean", ""), signature(plain));
            assert!(signature(ours).contains("|seg:clean"), "{}", signature(ours));
        }
        let segments = lines(&stdout(&[&once[..], &["-sl"]].concat()));
        assert!(segments.iter().all(|score| !score.is_object()
            || score["signature"].as_str().is_none_or(|signature| signature.contains("seg:clean"))));
    }
    let message = said(&["score", &reference, "-i", &system, "--resegment", "-m", "wer"]);
    assert!(message.contains("is cut into 4 segments, with 3 edits over 8 tokens"), "{message}");

    let short = folder.file("short", "Good\n");
    let far = ["1 token, and the references have 8", "--unlike-lengths"];
    refused(&["score", &reference, "-i", &short, "--resegment", "-m", "wer"], &far);
    let asked = ["score", &reference, "-i", &short, "--resegment", "--unlike-lengths", "-m", "wer", "-q"];
    assert!(stdout(&asked).contains("\"score\": 0.875"), "{}", stdout(&asked));
    let same = folder.file("same", "Good morning.\nSee you soon.\n\nAll right then.\n");
    assert!(
        said(&["score", &reference, "-i", &same, "--resegment", "-m", "wer"])
            .contains("as many lines as the references already")
    );
    refused(&["score", "--resegment", "-i", &system], &["references"]);
    refused_of(&["score", &reference, "--resegment"], b"Good day.\n", &["--input"]);
    refused(&["score", &reference, "-i", &system, "--unlike-lengths"], &["--resegment"]);
    refused(&["score", &reference, "-i", &system, "--resegment", "--speakers"], &["--speakers"]);
    // A signature of cut output is none that a score of other output may claim.
    let cut = "WER|nrefs:1|case:mixed|tok:jiwer|version:bleuprint-0.1.0|seg:clean";
    refused(&["score", &reference, "-i", &same, "--signature", cut], &["seg"]);
}

#[test]
fn rates_are_explained() {
    let folder = Folder::new();
    let reference = folder.file("ref", "Mr Brown paid 20 dollars\nyes\n\nthe colour, um, is red\n");
    let system = folder.file("hyp", "mister brown paid $20\nno\nwell\n\n");
    let explain = ["explain", &reference, "-i", &system, "--rates"];
    let rows: Value = parsed(&[&explain[..], &["-f", "json"]].concat());
    let rows = rows.as_array().unwrap();
    for (settings, options) in [
        (json!([]), &["-m", "wer"][..]),
        (json!(["norm whisper-en"]), &["-m", "wer", "--norm", "whisper-en"]),
        (json!(["characters", "norm lower"]), &["-m", "cer", "--norm", "lower"]),
    ] {
        let row = rows.iter().find(|row| row["settings"] == settings).unwrap();
        let score = [&["score", &reference, "-i", &system, "-q", "-f", "json"][..], options].concat();
        let score: Value = parsed(&score);
        assert_eq!(row["percent"].as_f64().unwrap(), 100.0 * score["score"].as_f64().unwrap());
        let signature = score["signature"].as_str().unwrap();
        assert!(row["signature"].as_str().unwrap().contains(signature), "{signature}");
    }
    // 4 of 5 words, 1 of 1 and 5 of 5 are wrong; a word stands where no reference has one.
    let found = |target: &str| -> String {
        let output = bleuprint(&[&explain[..], &["--target", target]].concat());
        assert_eq!(output.status.code(), Some(0), "{target}");
        String::from_utf8(output.stdout).unwrap().lines().nth(1).unwrap().to_owned()
    };
    assert!(found("93.33").ends_with("the mean of the rates of segments"), "{}", found("93.33"));
    assert!(found("1.0").ends_with("default"), "{}", found("1.0"));
    assert!(found("183.33").ends_with("the sides swapped"), "{}", found("183.33"));
    let output = bleuprint(&[&explain[..], &["--target", "12.34"]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("nothing fits"));
    let one = stdout(&[&explain[..], &["--norm", "upper", "-f", "json"]].concat());
    assert!(one.contains("norm upper") && !one.contains("whisper"));
    refused(&["explain", &reference, "-i", &system, "--norm", "lower"], &["--rates"]);
    refused(&[&explain[..], &["--norm", "no-such"]].concat(), &["no-such"]);
}
