//! Fuzzes files of all kinds except plain text: a valid file with edits must be read to its end, or
//! rejected.
#![no_main]

use std::fs;
use std::path::Path;

use bleuprint::families::latency::{Delays, Latency, LatencyMeasure, Reference};
use bleuprint::families::sclite::{self, ScliteSettings, aligned, transcripts};
use bleuprint::families::subtitles::Subtitles;
use bleuprint::families::{captions, diarization, meetings};
use bleuprint_core::{Accumulator, InputErrorKind};
use bleuprint_fuzz::edited;
use bleuprint_harness::Harness;
use bleuprint_text::read::{ReadSegment, read_vectors};
use bleuprint_text::{Normalizers, ReadSegments, ReaderFiles, TokenBuffer, TokenizerOptions, Tokenizers};
use libfuzzer_sys::fuzz_target;

const NPY: &[u8] = b"\x93NUMPY\x01\0\x46\0{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }          \n\0\0\x80?\0\0\0@";
const SAFETENSORS: &[u8] = b"\x3b\0\0\0\0\0\0\0{\"a\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]}}   \0\0\x80?\0\0\0@";
const STM: &[u8] = b"s A speaker 0.0 1.5 <o,f0> { a / b } (c)\ns A other 1.0 2.0 c-\n";
const CTM: &[u8] =
    b"s A 0.0 0.5 <ALT_BEGIN>\ns A 0.0 0.5 a 0.9\ns A * * <ALT>\ns A * * <ALT_END>\ns A 0.7 0.5 c\n";

const MEASURES: [LatencyMeasure; 5] =
    [LatencyMeasure::Al, LatencyMeasure::Laal, LatencyMeasure::Ap, LatencyMeasure::Dal, LatencyMeasure::Yaal];

/// Kind of file, its name, a valid content, and a second file that is read with it unchanged. For readers of
/// families, the kind is the reader's name.
const KINDS: [(&str, &str, &[u8], &[u8]); 21] = [
    ("speakers", "f.ctm", b"s A 0.0 0.5 word 0.9\ns A 0.7 0.5 more\n", b""),
    ("speakers", "f.stm", b"s A speaker 0.0 1.5 <o,f0> a b\ns A other 1.0 2.0 c\n", b""),
    ("speakers", "f.json", br#"[{"session_id": "s", "speaker": "A", "words": "a b", "start_time": 0, "end_time": 1.5}]"#, b""),
    ("results", "r.json", br#"[{"image_id": 1, "caption": "a dog"}]"#, br#"{"images": [{"id": 1}], "annotations": [{"image_id": 1, "id": 7, "caption": "a cat"}]}"#),
    ("turns", "h.rttm", b"SPEAKER f 1 0 1.5 <NA> <NA> A <NA> <NA>\nSPEAKER f 1 1 2 <NA> <NA> B <NA> <NA>\n", b"SPEAKER f 1 0 1 <NA> <NA> A <NA> <NA>\n"),
    ("uem", "f.uem", b"f 1 0.5 1.25\nf 1 2 3\n", b"SPEAKER f 1 0 2 <NA> <NA> A <NA> <NA>\n"),
    ("vectors", "f.npy", NPY, b""),
    ("vectors", "f.safetensors", SAFETENSORS, b""),
    ("tuples", "f", b"( cat ) , ( cat , is , black ) [[\"cat\"], [\"cat\", \"on\", \"mat\"]]", b""),
    ("transcripts", "h.ctm", CTM, STM),
    ("transcripts", "r.stm", STM, CTM),
    ("transcripts", "h.trn", b"{ a / @ } b- (s-1)\n(c) (s_2)\n", b"a b (s-1)\nc (s_2)\n"),
    ("glm", "f.glm", b"* name = \"x\"\n* case_sensitive = 'F'\n[a b] => {[x] / [y]} / [ ] __ [ ] ;; z\nc => [d]\n", b" A b  c "),
    ("subtitles", "f.srt", b"1\n00:00:01,000 --> 00:00:02,500\na\nb\n\n2\n00:00:03.0 --> 00:00:04.0\nc\n", b""),
    ("delays", "instances.log", br#"{"index": 0, "prediction": "a b", "delays": [1.5, 20], "elapsed": [2, 30], "source_length": 20, "recording_end": 25}"#, b""),
    ("lm-eval", "samples_t_1.jsonl", br#"{"doc_id": 0, "filter": "none", "metrics": ["acc", "ll"], "acc": 1, "ll": [-1.5, 2]}"#, b""),
    ("inspect", "a.json", br#"{"eval": {"task": "t"}, "status": "success", "samples": [{"id": 1, "epoch": 1, "scores": {"a": {"value": "C"}}}]}"#, b""),
    ("evalplus", "eval_results.json", br#"{"eval": {"T/0": [{"base_status": "pass", "plus_status": "fail"}]}}"#, b""),
    ("human-eval", "a_results.jsonl", br#"{"task_id": "T/0", "passed": true}"#, b""),
    ("helm", "per_instance_stats.json", br#"[{"instance_id": "a", "stats": [{"name": {"name": "em", "split": "test"}, "sum": 1, "count": 2}]}]"#, b""),
    ("promptfoo", "r.json", br#"{"results": [{"provider": "p", "promptIdx": 0, "testIdx": 0, "success": true, "score": 1, "namedScores": {"score": 0.5}}]}"#, b""),
];

/// Reads both files with a reader of the families.
fn read(name: &str, reference: &str, system: &str, uem: Option<&str>) {
    let families = [captions::family(), diarization::family(), meetings::family()];
    let reader = families.iter().flat_map(|family| family.readers).find(|reader| reader.name == name);
    let options: Vec<(&'static str, String)> = uem.map(|path| ("uem", path.to_owned())).into_iter().collect();
    let systems = [system.to_owned()];
    let files = ReaderFiles { reference, systems: &systems, options: &options, metrics: &[], texts: true };
    match (reader.expect("a reader").open)(&files) {
        Ok(ReadSegments::Texts(mut reader)) => {
            let mut segment = ReadSegment::default();
            while reader.next(&mut segment).is_ok_and(|more| more) {}
        }
        Ok(ReadSegments::Records(mut fields)) => while fields.advance().is_ok_and(|more| more) {},
        Err(_) => {}
    }
}

/// Normalizes the text by the rules of a file.
fn normalized(path: &str, text: &[u8]) {
    let mut normalizers = Normalizers::default();
    normalizers.add(sclite::NORMALIZERS[0]).expect("a name of its own");
    if let Ok(chain) = normalizers.build(&format!("glm={path}")) {
        chain.apply(&String::from_utf8_lossy(text));
    }
}

/// Reads the segments of the files, and aligns them.
fn transcribed(reference: &str, hypothesis: &str) {
    for one in transcripts(reference, hypothesis, false).into_iter().flatten() {
        let _ = aligned(&one.text(), &one.reference, ScliteSettings::default());
    }
}

/// Scores the delays of a line of a log by all measures.
fn delayed(line: &[u8]) {
    let Ok(delays) = serde_json::from_slice::<Delays>(line) else { return };
    for measure in MEASURES {
        let mut all = Accumulator::<_, Delays, Reference>::new(Latency::new(measure).long());
        if all.push(&delays, &[&Reference::Pieces(3)]).is_ok() {
            match all.score() {
                Ok(scored) => assert!(!bleuprint_core::Score::value(&scored.score).is_nan(), "{delays:?}"),
                Err(error) => assert!(matches!(error.kind(), InputErrorKind::NoScore { .. }), "{error}"),
            }
        }
    }
}

fuzz_target!(|data: (u8, &[u8])| {
    thread_local!(static FOLDER: tempfile::TempDir = tempfile::tempdir().expect("a folder"));
    let (kind, name, valid, other) = KINDS[usize::from(data.0) % KINDS.len()];
    let bytes = edited(valid, data.1);
    FOLDER.with(|folder| {
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).expect("a file");
            path.to_str().expect("a name").to_owned()
        };
        let path = write(name, &bytes);
        match kind {
            "vectors" => drop(read_vectors(&path)),
            "tuples" => {
                let mut tokenizers = Tokenizers::default();
                tokenizers.add(captions::family().tokenizers[0]).expect("a name of its own");
                let tuples = tokenizers.build("tuples", &TokenizerOptions::default()).expect("a tokenizer");
                let text = String::from_utf8_lossy(&bytes);
                let _ =
                    tuples.tokenize(&text, &mut TokenBuffer::default()).map(|tokens| tokens.iter().count());
            }
            "transcripts" => match Path::new(name).extension().and_then(|end| end.to_str()) {
                Some("stm") => transcribed(&path, &write("h.ctm", other)),
                Some("ctm") => transcribed(&write("r.stm", other), &path),
                _ => transcribed(&write("r.trn", other), &path),
            },
            "glm" => normalized(&path, other),
            "subtitles" => drop(Subtitles::open(&path)),
            "delays" => delayed(&bytes),
            "uem" => {
                let turns = write("r.rttm", other);
                read("turns", &turns, &turns, Some(&path));
            }
            _ => match kind.parse::<Harness>() {
                Ok(harness) => {
                    for record in harness.read(&path).map_or_else(|_| Vec::new(), |log| log.records) {
                        record.row();
                    }
                }
                Err(_) if other.is_empty() => read(kind, &path, &path, None),
                Err(_) => read(kind, &write("other", other), &path, None),
            },
        }
    });
});
