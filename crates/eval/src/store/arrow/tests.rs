//! Tables of statistics: round trips, slices and refusals.

use super::*;
use crate::store::FORMAT;

const MAGIC: &[u8] = b"ARROW1";

fn statistics() -> StoredStatistics {
    let metric = |spec: &str, columns: Option<&[&str]>| StoredMetric {
        spec: spec.to_owned(),
        key: format!("{spec}/1|case:mixed|tok:13a"),
        signature: spec.to_owned(),
        columns: columns.map(|names| names.iter().map(|&name| name.to_owned()).collect()),
        learned: None,
    };
    let set = |segments: u64| {
        let counts =
            serde_json::json!({"segments": segments, "references": segments, "references_squared": segments});
        StoredState::Other(serde_json::json!({"counts": counts, "set": [3]}))
    };
    let segment = |at: u64| StoredSegment {
        references: Fingerprint::from_texts([format!("{at}")]),
        source: (at > 0).then(|| Fingerprint::from_texts(["source"])),
        labels: vec![at.is_multiple_of(2).then(|| format!("news {at}"))],
        states: vec![StoredState::Row(vec![1, 1, 1, at]), set(1)],
    };
    let header = Header {
        format: FORMAT.to_owned(),
        tool: "test".to_owned(),
        system: "a".to_owned(),
        metrics: vec![
            metric("linear", Some(&["segments", "references", "references_squared", "a"])),
            metric("set", None),
        ],
        labels: vec!["domain".to_owned()],
        each: true,
        unit: None,
        ids: Vec::new(),
        left_out: Vec::new(),
    };
    StoredStatistics::new(
        header,
        (0..5).map(segment).collect(),
        vec![StoredState::Row(vec![5, 5, 5, 10]), set(5)],
    )
}

fn read(bytes: Vec<u8>) -> Result<StoredStatistics, String> {
    let read = StoredStatistics::from_reader(&bytes[..], "f");
    read.map_err(|error| error.to_string())
}

#[test]
fn a_table_is_read_back_whole() {
    let statistics = statistics();
    let bytes = statistics.to_arrow().unwrap();
    assert!(bytes.starts_with(MAGIC));
    assert_eq!(read(bytes).unwrap(), statistics);
    let total =
        StoredStatistics { header: Header { each: false, ..statistics.header.clone() }, ..statistics };
    assert!(total.to_arrow().unwrap_err().to_string().contains("only a total"));
}

#[test]
fn a_slice_without_an_end_adds_up() {
    let mut statistics = statistics();
    statistics.header.metrics.pop();
    statistics.total.pop();
    statistics.segments.iter_mut().for_each(|segment| segment.states.truncate(1));
    let schema = Arc::new(statistics.schema().unwrap());
    let written = |batch: RecordBatch| {
        let mut bytes = Vec::new();
        let mut writer = FileWriter::try_new(&mut bytes, &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
        read(bytes)
    };
    let write = |columns: Vec<ArrayRef>, rows: usize| {
        written(RecordBatch::try_new(schema.clone(), columns).unwrap().slice(0, rows))
    };
    let columns = statistics.columns(&statistics.segments).unwrap();
    let sliced = write(columns.clone(), 3).unwrap();
    assert_eq!((sliced.segment_count, sliced.total[0].row()), (3, Some(&[3, 3, 3, 3][..])));
    let mut poisoned = columns.clone();
    poisoned[8] = Arc::new(Int64Array::from(vec![0, -4, 0, 0, 0]));
    assert!(write(poisoned, 5).unwrap_err().contains("a[1] is -4"));
    let mut changed = columns.clone();
    changed[8] = Arc::new(Int64Array::from(vec![0, 1, 2, 4, 4]));
    assert!(write(changed, 5).unwrap_err().contains("row 3: malformed state: the counts of the state key"));
    // A table of an earlier version.
    let mut old = RecordBatch::try_new(schema.clone(), columns.clone()).unwrap();
    old.remove_column(4);
    let old = written(old).unwrap();
    assert_eq!((&*old.header.tool, &old.segments), ("test, columns unchecked", &statistics.segments));
    let mut foreign = columns;
    foreign[3] = Arc::new(Int64Array::from(vec![7; 5]));
    assert!(write(foreign, 5).unwrap_err().contains("row 0: malformed state"));
}

#[test]
fn damaged_tables_are_errors() {
    let bytes = statistics().to_arrow().unwrap();
    for end in (MAGIC.len()..bytes.len()).step_by(7) {
        assert!(read(bytes[..end].to_vec()).is_err(), "{end}");
    }
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    for at in (MAGIC.len()..bytes.len()).step_by(5) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x55;
        // Padding may change; nothing else may, unseen.
        assert!(read(changed).map_or(true, |read| read == statistics()), "{at}");
    }
    std::panic::set_hook(hook);
}
