//! Files of sessions, captions and vectors, and tuples of scene graphs: a valid one of each kind with edits is read to its end, or
//! refused.
#![no_main]

use std::path::Path;

use bleuprint_captions::Captions;
use bleuprint_fuzz::edited;
use bleuprint_meetings::{MissingSessions, Sessions};
use bleuprint_text::read::{Segment, SegmentReader, read_vectors};
use bleuprint_text::{TokenBuffer, TokenizerOptions, Tokenizers};
use libfuzzer_sys::fuzz_target;

const NPY: &[u8] = b"\x93NUMPY\x01\0\x46\0{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }          \n\0\0\x80?\0\0\0@";
const SAFETENSORS: &[u8] = b"\x3b\0\0\0\0\0\0\0{\"a\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]}}   \0\0\x80?\0\0\0@";
const SEGLST: &[u8] =
    br#"[{"session_id": "s", "speaker": "A", "words": "a b", "start_time": 0, "end_time": 1.5}]"#;
const ANNOTATIONS: &str =
    r#"{"images": [{"id": 1}], "annotations": [{"image_id": 1, "id": 7, "caption": "a cat"}]}"#;

const KINDS: [(&str, &[u8]); 7] = [
    ("f.ctm", b"s A 0.0 0.5 word 0.9\ns A 0.7 0.5 more\n"),
    ("f.stm", b"s A speaker 0.0 1.5 <o> a b\ns A other 1.0 2.0 c\n"),
    ("f.json", SEGLST),
    ("f.npy", NPY),
    ("f.safetensors", SAFETENSORS),
    ("results.json", br#"[{"image_id": 1, "caption": "a dog"}]"#),
    ("tuples", b"( cat ) , ( cat , is , black ) [[\"cat\"], [\"cat\", \"on\", \"mat\"]]"),
];

fn drain(reader: Result<impl SegmentReader, bleuprint_core::InputError>) {
    let (Ok(mut reader), mut segment) = (reader, Segment::default()) else { return };
    while reader.next(&mut segment).is_ok_and(|more| more) {}
}

fuzz_target!(|data: (u8, &[u8])| {
    thread_local!(static FOLDER: tempfile::TempDir = tempfile::tempdir().expect("a folder"));
    let (name, valid) = KINDS[usize::from(data.0) % KINDS.len()];
    let bytes = edited(valid, data.1);
    FOLDER.with(|folder| {
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).expect("a file");
            path.to_str().expect("a name").to_owned()
        };
        let path = write(name, &bytes);
        match Path::new(name).extension().and_then(|ending| ending.to_str()) {
            Some("npy" | "safetensors") => drop(read_vectors(&path)),
            None => {
                let mut tokenizers = Tokenizers::default();
                tokenizers.add(bleuprint_captions::family().tokenizers[0]).expect("a name of its own");
                let tuples = tokenizers.build("tuples", &TokenizerOptions::default()).expect("a tokenizer");
                let text = String::from_utf8_lossy(&bytes);
                let _ =
                    tuples.tokenize(&text, &mut TokenBuffer::default()).map(|tokens| tokens.iter().count());
            }
            _ if name == "results.json" => {
                drain(Captions::open(&write("ref.json", ANNOTATIONS.as_bytes()), &[path]))
            }
            _ => drain(Sessions::open(&path, &[&path], MissingSessions::Skip)),
        }
    });
});
