//! Details of lighteval: a file of its columns in the folders that it makes, and damaged copies of it.

use std::fs;
use std::sync::Arc;

use bleuprint_harness::{Harness, LogValue};
use bleuprint_testkit::Folder;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

/// `data/README.md` has its rows.
const FILE: &[u8] = include_bytes!("../data/lighteval.parquet");
const STAMPS: [&str; 2] = ["2026-11-25T10-00-00.000000", "2026-11-26T10-00-00.000000"];

fn write(folder: &Folder, model: &str, stamp: &str, bytes: &[u8]) {
    let place = folder.path(format!("details/{model}/{stamp}"));
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join(format!("details_mine_task_{stamp}.parquet")), bytes).unwrap();
}

#[test]
fn the_rows_of_the_newest_file_are_records() {
    let folder = Folder::new();
    STAMPS.iter().for_each(|stamp| write(&folder, "org/one", stamp, FILE));
    for path in ["", "details", "details/org/one"] {
        let log = Harness::Lighteval.read(folder.path(path)).unwrap();
        assert!(
            log.warnings[0].contains(&format!("the log {} is read, not {}", STAMPS[1], STAMPS[0])),
            "{:?}",
            log.warnings
        );
        let ids: Vec<&str> = log.records.iter().map(|record| &*record.id).collect();
        assert_eq!(ids, ["0", "1", "2"]);
        let first = &log.records[0];
        assert_eq!((first.task.as_deref(), first.group.as_deref()), (Some("mine_task"), Some("law")));
        let number = |name: &str, number| (name.to_owned(), LogValue::Number(number));
        assert_eq!(first.values, [number("acc", 1.0), number("acc_norm", 1.0), number("right", 1.0)]);
        assert_eq!(log.records[2].values[1], ("acc_norm".to_owned(), LogValue::Missing("null")));
    }
}

/// `data/README.md` says who wrote it.
#[test]
fn details_of_a_run_have_the_numbers_of_its_table() {
    let folder = Folder::new();
    let place = folder.path("details/good/2026-11-28T05-18-41.473826");
    fs::create_dir_all(&place).unwrap();
    let file = place.join("details_sums_2026-11-28T05-18-41.473826.parquet");
    fs::write(file, include_bytes!("../data/lighteval-sums.parquet")).unwrap();
    let log = Harness::Lighteval.read(folder.path("details")).unwrap();
    let right = |value: &(String, LogValue)| *value == ("em".to_owned(), LogValue::Number(1.0));
    let count = log.records.iter().filter(|record| record.values.iter().any(right)).count();
    assert_eq!((log.records.len(), count), (60, 51));
    assert!(log.records.iter().all(|record| record.task.as_deref() == Some("sums")));
}

/// A file of one row of these columns, of which numbers are the given one.
fn file(columns: &str, number: f64) -> Vec<u8> {
    let schema = parse_message_type(&format!("message schema {{ {columns} }}")).unwrap();
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::default()).unwrap();
    let mut rows = writer.next_row_group().unwrap();
    while let Some(mut column) = rows.next_column().unwrap() {
        let written = match column.untyped() {
            ColumnWriter::Int32ColumnWriter(own) => own.write_batch(&[number as i32], None, None),
            ColumnWriter::Int64ColumnWriter(own) => own.write_batch(&[number as i64], None, None),
            ColumnWriter::FloatColumnWriter(own) => own.write_batch(&[number as f32], None, None),
            ColumnWriter::DoubleColumnWriter(own) => own.write_batch(&[number], None, None),
            // 1 in 16 bits.
            ColumnWriter::FixedLenByteArrayColumnWriter(own) => {
                own.write_batch(&[ByteArray::from(vec![0, 0x3c]).into()], None, None)
            }
            _ => panic!("a column of another type"),
        };
        assert_eq!(written.unwrap(), 1);
        column.close().unwrap();
    }
    rows.close().unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn numbers_of_every_width_are_numbers() {
    let folder = Folder::new();
    let value = |kind: &str, number: f64| {
        write(
            &folder,
            "one",
            STAMPS[0],
            &file(&format!("required group metric {{ required {kind}; }}"), number),
        );
        Harness::Lighteval.read(folder.path("details")).unwrap().records[0].values[0].1.clone()
    };
    for bits in [8, 16, 32, 64] {
        for signed in [true, false] {
            let kind = format!("int{} acc (INTEGER({bits},{signed}))", bits.max(32));
            assert_eq!(value(&kind, 1.0), LogValue::Number(1.0), "{kind}");
        }
    }
    for kind in ["fixed_len_byte_array(2) acc (FLOAT16)", "float acc", "double acc"] {
        assert_eq!(value(kind, 1.0), LogValue::Number(1.0), "{kind}");
    }
    for kind in ["float acc", "double acc"] {
        assert_eq!(value(kind, f64::NAN), LogValue::Other("NaN".into()), "{kind}");
        assert_eq!(value(kind, f64::INFINITY), LogValue::Other("inf".into()), "{kind}");
    }
}

#[test]
fn other_folders_and_files_are_refused() {
    let folder = Folder::new();
    let error = |path: &str| Harness::Lighteval.read(folder.path(path)).unwrap_err().to_string();
    assert!(error("").contains("details_TASK_STAMP.parquet"));
    for model in ["one", "two"] {
        write(&folder, model, STAMPS[0], FILE);
    }
    assert!(error("details").ends_with("give the path of one of `one`, `two`"), "{}", error("details"));
    for bytes in [&b""[..], b"PAR1", &FILE[..FILE.len() - 9]] {
        write(&folder, "one", STAMPS[0], bytes);
        assert!(error("details/one").contains("no details of lighteval"), "{}", error("details/one"));
    }
    for columns in ["required double acc;", "required double metric;"] {
        write(&folder, "one", STAMPS[0], &file(columns, 1.0));
        assert!(error("details/one").contains("row 1 has no column `metric`"), "{}", error("details/one"));
    }
    // Of two columns or fields of one name only one could be read, as of two keys in JSON.
    let twice = [
        "required group metric { required double acc; required double acc; }",
        "required group metric { required double acc; } required group metric { required double acc; }",
    ];
    for (columns, name) in twice.into_iter().zip(["acc", "metric"]) {
        write(&folder, "one", STAMPS[0], &file(columns, 1.0));
        let error = error("details/one");
        assert!(error.ends_with(&format!("the column `{name}` is there twice")), "{error}");
    }
    assert!(error("absent.parquet").contains("cannot be read"), "{}", error("absent.parquet"));
}

/// Damage is an error, or changes what is read; a panic of the reader does not get out.
#[test]
fn damaged_files_end_no_program() {
    let folder = Folder::new();
    for at in (0..FILE.len()).step_by(7) {
        let mut bytes = FILE.to_vec();
        bytes[at] ^= 1 << (at % 8);
        write(&folder, "one", STAMPS[0], &bytes);
        let _ = Harness::Lighteval.read(folder.path("details"));
    }
}
