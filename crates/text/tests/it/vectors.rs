//! Large files of vectors, read in pieces, beside the same numbers in memory; rows and files that are refused.

use std::path::Path;

use bleuprint_testkit::Folder;
use bleuprint_testkit::random::Rng;
use bleuprint_text::read::{Floats, VectorParts, VectorTable, read_vectors};

const ROWS: usize = 500;
const WIDTH: usize = 701;

fn npy(kind: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut file = b"\x93NUMPY\x01\0".to_vec();
    file.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
    [file, header.into_bytes(), data.to_vec()].concat()
}

fn bytes<const N: usize>(numbers: impl IntoIterator<Item = [u8; N]>) -> Vec<u8> {
    numbers.into_iter().flatten().collect()
}

fn write(folder: &Folder, numbers: &[f32]) -> std::path::PathBuf {
    let data = bytes(numbers.iter().map(|number| number.to_le_bytes()));
    folder.file("x.npy", npy("<f4", &format!("({ROWS}, {WIDTH})"), &data))
}

fn random() -> (Vec<f32>, Vec<i64>) {
    let mut random = Rng::new(11);
    let numbers = (0..ROWS * WIDTH).map(|_| random.below(2001) as f32 - 1000.0).collect();
    // Texts of 0 to 79 rows, some longer than a piece.
    let mut offsets = vec![0];
    while offsets[offsets.len() - 1] < ROWS {
        offsets.push(ROWS.min(offsets[offsets.len() - 1] + random.below(80)));
    }
    (numbers, offsets.into_iter().map(|offset| offset as i64).collect())
}

fn refusal(path: &Path) -> String {
    let read = read_vectors(path).and_then(|table| {
        let mut reader = table.reader();
        (0..table.texts()).try_for_each(|text| reader.texts(text..text + 1).map(|_| ()))
    });
    read.unwrap_err().to_string().replace(&*path.to_string_lossy(), "x.npy")
}

#[test]
fn pieces_are_the_table() {
    let folder = Folder::new();
    let (numbers, offsets) = random();
    let path = write(&folder, &numbers);
    let data = bytes(offsets.iter().map(|offset| offset.to_le_bytes()));
    folder.file("x.offsets.npy", npy("<i8", &format!("({},)", offsets.len()), &data));
    let parts = VectorParts { offsets: Some(offsets), ..VectorParts::default() };
    let memory = VectorTable::new("x", Floats::from_numbers(numbers), WIDTH, parts).unwrap();
    let file = read_vectors(&path).unwrap();
    assert_eq!(file, memory);
    let (mut random, mut one, mut other) = (Rng::new(12), file.reader(), memory.reader());
    for _ in 0..300 {
        let start = random.below(memory.texts());
        let texts = start..memory.texts().min(start + random.below(4));
        assert_eq!(one.texts(texts.clone()).unwrap(), other.texts(texts).unwrap());
    }
}

#[test]
fn rows_of_large_files_are_refused() {
    let folder = Folder::new();
    let (numbers, _) = random();
    for (row, column, value) in
        [(0, 0, f32::NAN), (ROWS - 1, WIDTH - 1, f32::INFINITY), (77, 3, f32::NEG_INFINITY)]
    {
        let mut numbers = numbers.clone();
        numbers[row * WIDTH + column] = value;
        let path = write(&folder, &numbers);
        let wanted = VectorTable::new("x.npy", Floats::from_numbers(numbers), WIDTH, VectorParts::default())
            .unwrap_err();
        assert_eq!(refusal(&path), wanted.to_string());
        assert!(refusal(&path).starts_with(&format!("x.npy: row {row} is {value} in column {column}")));
    }
    let mut zero = numbers.clone();
    zero[55 * WIDTH..56 * WIDTH].fill(-0.0);
    assert_eq!(refusal(&write(&folder, &zero)), "x.npy: row 55 is zero, which has no direction");
}

#[test]
fn large_files_that_end_early_are_refused() {
    let folder = Folder::new();
    let (numbers, _) = random();
    let path = write(&folder, &numbers);
    let whole = std::fs::read(&path).unwrap();
    let cut = folder.file("x.npy", &whole[..whole.len() - 1]);
    let wanted = format!(
        "an array of the shape [{ROWS}, {WIDTH}] of 4 bytes each, but {} bytes",
        ROWS * WIDTH * 4 - 1
    );
    assert_eq!(refusal(&cut), format!("x.npy: {wanted}"));
    // Cut after it was opened.
    folder.file("x.npy", &whole);
    let table = read_vectors(&path).unwrap();
    let mut reader = table.reader();
    reader.texts(0..1).unwrap();
    folder.file("x.npy", &whole[..whole.len() / 2]);
    assert!(reader.texts(ROWS - 1..ROWS).unwrap_err().to_string().contains("x.npy"));
    let changed = table.reader().texts(0..1).unwrap_err();
    assert!(changed.to_string().ends_with("x.npy: it changed while it was read"), "{changed}");
    assert_ne!(table, table.clone());
    folder.file("x.npy", &whole);
    reader.texts(ROWS - 1..ROWS).unwrap();
}
