//! States nested in a user's structs, written to and read from six formats: typed states, states of metrics
//! chosen by name, and states of panels.

use std::fmt::Debug;

use bleuprint_core::{
    Accumulator, Case, Identity, InputError, InputErrorKind, Metric, PerSegment, Restore, Scale, Segment,
    SegmentCounts, State, StateBytes, Stats, Tagged, TokenSpace, Totals,
};
use bleuprint_eval::Panel;
use bleuprint_metrics::{Bleu, BleuStats, registry};
use bleuprint_registry::{AnyMetric, AnyState, AnyStats};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A format of serde.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Format {
    Json,
    Cbor,
    MessagePack,
    MessagePackNamed,
    Postcard,
    Bincode,
}
use Format::*;

const ALL: [Format; 6] = [Json, Cbor, MessagePack, MessagePackNamed, Postcard, Bincode];

impl Format {
    /// Formats whose values have types, so that any value can be read without knowing its type.
    fn describes_itself(self) -> bool {
        !matches!(self, Postcard | Bincode)
    }

    fn try_write<T: Serialize>(self, value: &T) -> Result<Vec<u8>, String> {
        let text = |error: &dyn ToString| error.to_string();
        match self {
            Json => serde_json::to_vec(value).map_err(|error| text(&error)),
            Cbor => {
                let mut bytes = Vec::new();
                ciborium::into_writer(value, &mut bytes).map_err(|error| text(&error))?;
                Ok(bytes)
            }
            MessagePack => rmp_serde::to_vec(value).map_err(|error| text(&error)),
            MessagePackNamed => rmp_serde::to_vec_named(value).map_err(|error| text(&error)),
            Postcard => postcard::to_allocvec(value).map_err(|error| text(&error)),
            Bincode => bincode::serde::encode_to_vec(value, bincode::config::standard())
                .map_err(|error| text(&error)),
        }
    }

    fn write<T: Serialize>(self, value: &T) -> Vec<u8> {
        self.try_write(value).unwrap()
    }

    fn read<T: DeserializeOwned>(self, bytes: &[u8]) -> Result<T, String> {
        let text = |error: &dyn ToString| error.to_string();
        match self {
            Json => serde_json::from_slice(bytes).map_err(|error| text(&error)),
            Cbor => ciborium::from_reader(bytes).map_err(|error| text(&error)),
            MessagePack | MessagePackNamed => rmp_serde::from_slice(bytes).map_err(|error| text(&error)),
            Postcard => postcard::from_bytes(bytes).map_err(|error| text(&error)),
            Bincode => bincode::serde::decode_from_slice(bytes, bincode::config::standard())
                .map(|(value, _)| value)
                .map_err(|error| text(&error)),
        }
    }

    /// Reads a state of `metric` without a type in between.
    fn state<M: Metric<Stats: Restore>>(
        self,
        metric: &M,
        bytes: &[u8],
    ) -> bleuprint_core::Result<State<M::Stats>> {
        match self {
            Json => State::read(metric, &mut serde_json::Deserializer::from_slice(bytes)),
            Cbor => {
                // `ciborium` has no public deserializer.
                let read: StateBytes = self.read(bytes).map_err(InputError::malformed_state)?;
                read.open(metric)
            }
            MessagePack | MessagePackNamed => {
                State::read(metric, &mut rmp_serde::Deserializer::from_read_ref(bytes))
            }
            Postcard => State::read(metric, &mut postcard::Deserializer::from_bytes(bytes)),
            Bincode => {
                let config = bincode::config::standard();
                let mut decoder = bincode::serde::BorrowedSerdeDecoder::from_slice(bytes, config, ());
                State::read(metric, decoder.as_deserializer())
            }
        }
    }
}

/// Checkpoint of a program: states next to other fields.
#[derive(Serialize)]
struct Saved<'a> {
    step: u64,
    typed: &'a State<BleuStats>,
    by_name: &'a AnyState,
    note: &'a str,
    bytes: StateBytes,
    last: Option<&'a AnyState>,
}

#[derive(Deserialize)]
struct Loaded {
    step: u64,
    typed: Tagged<BleuStats>,
    by_name: StateBytes,
    note: String,
    bytes: StateBytes,
    last: Option<StateBytes>,
}

fn observed<M: bleuprint_core::Observe<[u32]>>(metric: M) -> State<M::Stats> {
    let mut all = Accumulator::<M, [u32]>::new(metric);
    all.push(&[1, 2, 3, 4, 5], &[&[1, 2, 3, 4, 6]]).unwrap();
    all.push(&[1, 2], &[&[1, 2], &[2]]).unwrap();
    all.into()
}

#[test]
fn states_within_structs_pass_every_format() {
    let bleu = Bleu::default();
    let names = ["bleu", "gleu", "wer", "ter"];
    for metric in names.map(|name| registry().build(name).unwrap()) {
        let typed = observed(&bleu);
        let by_name = observed(&metric);
        let bytes = StateBytes::new(&by_name).unwrap();
        let saved =
            Saved { step: 7, typed: &typed, by_name: &by_name, note: "x", bytes, last: Some(&by_name) };
        for format in ALL {
            let loaded: Loaded = format.read(&format.write(&saved)).unwrap();
            assert_eq!((loaded.step, &*loaded.note), (7, "x"), "{format:?}");
            assert_eq!(loaded.typed.open(&bleu).unwrap(), typed, "{format:?}");
            for read in [&loaded.by_name, &loaded.bytes, loaded.last.as_ref().unwrap()] {
                assert_eq!(read.key(), by_name.key());
                assert_eq!(read.open(&metric).unwrap(), by_name, "{format:?}");
                let (found, state) = registry().open(read).unwrap();
                assert_eq!((found.state_key(), state), (metric.state_key(), by_name.clone()));
            }
        }
    }
}

#[test]
fn a_state_of_one_kind_is_read_as_the_other() {
    let space = TokenSpace::new("v3", Case::Mixed).unwrap();
    let typed = Bleu::default().over(space.clone());
    let by_name = registry().build("bleu").unwrap().over(space);
    let (of_type, of_name) = (observed(&typed), observed(&by_name));
    for format in ALL {
        // By name to typed: everywhere.
        let bytes = format.write(&of_name);
        assert_eq!(format.state(&typed, &bytes).unwrap(), of_type, "{format:?}");
        assert_eq!(format.state(&by_name, &bytes).unwrap(), of_name, "{format:?}");
        let read: Tagged<BleuStats> = format.read(&bytes).unwrap();
        assert_eq!(read.open(&typed).unwrap(), of_type, "{format:?}");
        // Typed to by name: where values have types.
        let bytes = format.write(&of_type);
        assert_eq!(format.state(&typed, &bytes).unwrap(), of_type, "{format:?}");
        let (state, block) = (format.state(&by_name, &bytes), format.read::<StateBytes>(&bytes));
        if format.describes_itself() {
            assert_eq!(state.unwrap(), of_name, "{format:?}");
            assert_eq!(block.unwrap().open(&by_name).unwrap(), of_name, "{format:?}");
        } else {
            assert!(state.is_err() && block.is_err(), "{format:?}");
        }
    }
}

#[test]
fn a_state_of_another_metric_is_named() {
    let [bleu, wer] = ["bleu", "wer"].map(|name| registry().build(name).unwrap());
    let two = registry().build("bleu:max-order=2").unwrap();
    let state = observed(&bleu);
    for format in ALL {
        for bytes in [format.write(&state), format.write(&observed(Bleu::default()))] {
            if !format.describes_itself() && bytes != format.write(&state) {
                let error = format.state(&Bleu::builder().max_order(2).build().unwrap(), &bytes).unwrap_err();
                assert!(error.to_string().contains("they differ in order"), "{format:?}: {error}");
                continue;
            }
            let error = format.state(&wer, &bytes).unwrap_err();
            assert!(matches!(error.kind(), InputErrorKind::UnlikeStates { .. }), "{format:?}: {error}");
            let words = "the state is of `bleu`, but `wer` is asked for";
            assert!(error.to_string().contains(words), "{format:?}: {error}");
            let error = format.state(&two, &bytes).unwrap_err();
            assert!(error.to_string().contains("they differ in order"), "{format:?}: {error}");
        }
        let read: StateBytes = format.read(&format.write(&state)).unwrap();
        assert!(read.open(&wer).unwrap_err().to_string().contains("but `wer` is asked for"));
    }
}

#[test]
fn states_of_panels_pass_every_format() {
    let space = TokenSpace::new("v3", Case::Mixed).unwrap();
    let metrics = ["bleu", "distinct-2", "wer"].map(|name| registry().build(name).unwrap());
    let panel = Panel::for_ids(metrics, &space).unwrap();
    let state = observed(&panel);
    for format in ALL {
        let bytes = format.write(&state);
        assert_eq!(format.state(&&panel, &bytes).unwrap(), state, "{format:?}");
        assert_eq!(format.read::<StateBytes>(&bytes).unwrap().open(&&panel).unwrap(), state, "{format:?}");
    }
}

/// Statistics with everything that serde has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Everything {
    count: u64,
    wide: u128,
    below: i64,
    small: i8,
    share: f64,
    single: f32,
    letter: char,
    none: Option<u32>,
    some: Option<u32>,
    unit: (),
    pair: (u8, String),
    kinds: Vec<Kind>,
    by_number: std::collections::BTreeMap<u32, u64>,
    by_text: std::collections::BTreeMap<String, Vec<bool>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Kind {
    Plain,
    With(u64),
    Pair(u64, f32),
    Named { name: String },
}

impl Stats for Everything {
    fn merge(&mut self, other: &Self) -> bleuprint_core::Result<()> {
        self.count += other.count;
        Ok(())
    }
}

fn everything(share: f64) -> AnyMetric {
    let identity = Identity::new("everything", 1, Scale::UNBOUNDED).reference_free();
    let of = move |_: Segment<'_, [u32]>| -> bleuprint_core::Result<Everything> { Ok(Everything::default()) };
    let score = move |all: &Everything, _: &SegmentCounts| Ok(all.count as f64 + share * 0.0);
    AnyMetric::for_ids(Totals::new(identity, of, score)).unwrap()
}

fn state_of(stats: Everything) -> (AnyMetric, State<Everything>) {
    let identity = Identity::new("everything", 1, Scale::UNBOUNDED).reference_free();
    let of = |_: Segment<'_, [u32]>| -> bleuprint_core::Result<Everything> { Ok(Everything::default()) };
    let typed = Totals::new(identity, of, |all: &Everything, _: &SegmentCounts| Ok(all.count as f64));
    (everything(1.0), State::from_stats(&typed, SegmentCounts::of_segment(0), stats).unwrap())
}

fn full() -> Everything {
    Everything {
        count: u64::MAX,
        wide: 1 << 90,
        below: i64::MIN,
        small: -3,
        share: 0.1 + 0.2,
        single: 0.1,
        letter: 'ß',
        none: None,
        some: Some(3),
        unit: (),
        pair: (9, "two\0".to_owned()),
        kinds: vec![Kind::Plain, Kind::With(1), Kind::Pair(2, -0.5), Kind::Named { name: String::new() }],
        by_number: [(7, 1), (300, 2)].into(),
        by_text: [("a".to_owned(), vec![true, false])].into(),
    }
}

#[test]
fn a_block_keeps_every_kind_of_value() {
    let (by_name, typed) = state_of(full());
    let block = StateBytes::new(&typed).unwrap();
    let state = block.open(&by_name).unwrap();
    assert_eq!(state.stats().typed::<Everything>().unwrap(), &full());
    // The same through each format, by name and with its type.
    for format in [Cbor, MessagePack, MessagePackNamed, Postcard, Bincode] {
        let read = format.state(&by_name, &format.write(&state)).unwrap();
        assert_eq!(read, state, "{format:?}");
        let read: Tagged<Everything> = format.read(&format.write(&state)).unwrap();
        assert_eq!(read.stats, full(), "{format:?}");
    }
    // JSON has no numbers of 128 bits for readers of any value, and keys that are texts.
    let (by_name, typed) = state_of(Everything { wide: 5, ..full() });
    let state = StateBytes::new(&typed).unwrap().open(&by_name).unwrap();
    let json = Json.write(&state);
    assert_eq!(Json.write(&typed), json);
    let block: StateBytes = Json.read(&json).unwrap();
    assert_eq!(block.open(&by_name).unwrap(), state);
    assert_eq!(Json.write(&block), json);
    let read: Tagged<Everything> = Postcard.read(&Postcard.write(&block)).unwrap();
    assert_eq!(read.stats, Everything { wide: 5, ..full() });
}

#[test]
fn every_damaged_block_is_an_error() {
    let (by_name, typed) = state_of(full());
    let whole = StateBytes::new(&typed).unwrap();
    let bytes = whole.as_bytes();
    assert_eq!(StateBytes::from_bytes(bytes).unwrap(), whole);
    for end in 0..bytes.len() {
        let cut = StateBytes::from_bytes(&bytes[..end]).and_then(|cut| cut.open(&by_name));
        assert!(cut.is_err(), "{end} of {} bytes", bytes.len());
    }
    let more = StateBytes::from_bytes(&[bytes, &[0]].concat()).unwrap().open(&by_name).unwrap_err();
    assert!(more.to_string().contains("bytes follow its last value"), "{more}");
    // A changed byte may be another number, but never a panic or endless work.
    for place in 0..bytes.len() {
        for change in [1, 0x80, 0xff] {
            let mut changed = bytes.to_vec();
            changed[place] ^= change;
            if let Ok(changed) = StateBytes::from_bytes(&changed) {
                let _ = changed.open(&by_name);
                let _ = Json.try_write(&changed);
                let _: Result<Tagged<Everything>, _> = Postcard.read(&Postcard.write(&changed));
            }
        }
    }
}

#[test]
fn values_that_cannot_be_read_back_are_refused_when_they_are_written() {
    for share in [f64::NAN, f64::INFINITY] {
        let (_, typed) = state_of(Everything { share, ..full() });
        let error = StateBytes::new(&typed).unwrap_err().to_string();
        assert!(error.contains("cannot be stored: it is not finite"), "{error}");
    }
    // Statistics without their state have no key, so that nothing could tell a reader what follows.
    let metric = registry().build("wer").unwrap();
    let state = observed(&metric);
    for format in [Cbor, MessagePack, Postcard, Bincode] {
        let error = format.try_write(state.stats()).unwrap_err();
        // Postcard drops the text of every error.
        assert!(format == Postcard || error.contains("write their state"), "{format:?}: {error}");
        assert!(format.try_write(&Some(&state)).is_ok());
    }
    assert!(Json.try_write(&AnyStats::default()).is_err());
}

#[test]
fn typed_states_keep_their_bytes() {
    let state = observed(Bleu::default());
    let version = |format: Format| format.write(&state)[0];
    assert_eq!([Postcard, Bincode].map(version), [2, 2]);
    let closure = PerSegment::new(Identity::new("one", 1, Scale::UNIT), |_: Segment<'_, [u32]>| Ok(1.0));
    fn restores<S: Restore + Debug>(_: &State<S>) {}
    restores(&observed(closure));
}
