//! Tests that data of every shape is read from any JSON deserializer as `serde_json` reads it.

use std::collections::BTreeMap;

use bleuprint_core::{Form, Identity, PerSegment, Scale, Segment, form};
use bleuprint_registry::{AnyForm, AnyMetric, Data};
use serde::Deserialize;
use serde::de::value::{Error, MapDeserializer};
use serde_json::{Deserializer, Value, json};

#[derive(Debug, Clone, PartialEq, Deserialize)]
enum Choice {
    Unit,
    Newtype(u64),
    Tuple(u8, String),
    Struct { number: f64 },
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
enum Any {
    Truth(bool),
    Whole(i64),
    Float(f64),
    Texts(Vec<String>),
    Fields { count: u64 },
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Newtype(i8);

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Unit;

/// A struct that skips unknown fields.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Lenient {
    #[serde(default)]
    known: Option<u8>,
}

form! {
    struct Shapes as "shapes" {
        truth: bool,
        numbers: (u8, i64, u64, i128, f32, f64),
        letter: char,
        text: String,
        option: Option<Vec<u64>>,
        unit: (),
        marker: Unit,
        newtype: Newtype,
        choices: Vec<Choice>,
        any: Vec<Any>,
        by_text: BTreeMap<String, Lenient>,
        by_number: BTreeMap<i32, u64>,
        by_truth: BTreeMap<bool, Option<u64>>,
        by_choice: BTreeMap<One, u64>,
        value: Value,
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
enum One {
    One,
}

form! {
    struct Wide as "wide" {
        number: u128,
    }
}

fn shapes() -> Value {
    json!({
        "truth": true,
        "numbers": [255, i64::MIN, u64::MAX, -7, 0.1, 1e-300],
        "letter": "é",
        "text": "a\"b",
        "option": [1, 2],
        "unit": null,
        "marker": null,
        "newtype": -1,
        "choices": ["Unit", {"Newtype": 7}, {"Tuple": [1, "a"]}, {"Struct": {"number": 1}}, {"Unit": null}],
        "any": [true, -1, 0.5, ["a"], {"count": 1}],
        "by_text": {"1": {"known": 1, "unknown": [{"a": [1]}, 2]}, "": {}},
        "by_number": {"1": 1, "-2": 2},
        "by_truth": {"true": null},
        "by_choice": {"One": 1},
        "value": {"a": [null, {"1": -0.0}]},
    })
}

/// Returns the value, copies with one part replaced or removed, and copies with one more item in a list.
fn variants(value: &Value) -> Vec<Value> {
    let numbers =
        [json!(0), json!(1), json!(256), json!(-1), json!(u64::MAX), json!(1.5), json!(-0.0), json!(1e30)];
    let texts =
        ["", "a", "ab", "1", "-1", "-0", "01", "+1", "true", "One", "Unit", "Newtype"].map(Value::from);
    let others =
        [json!(null), json!(true), json!([]), json!([0]), json!({}), json!({"1": 1}), json!({"Unit": 1})];
    let mut all: Vec<Value> = numbers.into_iter().chain(texts).chain(others).collect();
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let changed =
                    variants(item).into_iter().map(|new| vec![new]).chain([vec![], vec![item.clone(); 2]]);
                all.extend(changed.map(|new| {
                    let mut items = items.clone();
                    items.splice(index..=index, new);
                    Value::Array(items)
                }));
            }
        }
        Value::Object(fields) => {
            for (name, item) in fields {
                let mut without = fields.clone();
                without.remove(name);
                for key in ["-2", "-0", "02", "1.0", "false", "Two", "more"] {
                    let mut renamed = without.clone();
                    renamed.insert(key.to_owned(), item.clone());
                    all.push(renamed.into());
                }
                all.push(without.into());
                all.extend(variants(item).into_iter().map(|new| {
                    let mut fields = fields.clone();
                    fields.insert(name.clone(), new);
                    Value::Object(fields)
                }));
            }
        }
        _ => {}
    }
    all
}

fn form<F: Form>() -> AnyForm {
    let zero = |_: Segment<'_, F, F::Reference, F::Source>| Ok(0.0);
    let metric = PerSegment::new(Identity::new("shapes", 1, Scale::UNIT), zero);
    AnyMetric::for_own::<F, _>(metric).view.form.unwrap()
}

#[test]
fn every_shape_is_read_as_its_type_is() {
    let form = form::<Shapes>();
    let shown = |own: Box<Data>| format!("{:?}", own.downcast_ref::<Shapes>().unwrap());
    let mut read = 0;
    for value in variants(&shapes()).into_iter().chain([shapes()]) {
        let text = value.to_string();
        let typed = serde_json::from_str::<Shapes>(&text).map(|typed| format!("{typed:?}"));
        let ways = [
            form.hypothesis(&mut Deserializer::from_str(&text)),
            form.hypothesis(&mut Deserializer::from_reader(text.as_bytes())),
            form.hypothesis(&value),
        ];
        for way in ways {
            assert_eq!(way.map(shown).ok(), typed.as_ref().ok().cloned(), "{text}");
        }
        read += u32::from(typed.is_ok());
        if let (Err(typed), Err(own)) =
            (serde_json::from_value::<Shapes>(value.clone()), form.hypothesis(value))
        {
            let (own, typed) = (own.to_string(), typed.to_string());
            // Those of keys and variants say more than those of `serde_json`.
            let longer =
                ["`by_number`: invalid", "`choices`: invalid"].iter().any(|more| own.starts_with(more));
            assert!(longer || own.ends_with(&typed), "{own}, {typed}: {text}");
        }
    }
    assert!(read > 100, "{read}");
}

#[test]
fn integers_of_formats_with_larger_ones_are_whole() {
    for number in [1, u128::MAX] {
        let given = MapDeserializer::<_, Error>::new([("number", number)].into_iter());
        let read = form::<Wide>().hypothesis(given).unwrap();
        assert_eq!(read.downcast_ref::<Wide>().unwrap().number, number);
    }
}

#[test]
fn fields_and_levels_have_limits() {
    let form = form::<Shapes>();
    let twice = shapes().to_string().replacen('{', "{\"truth\":false,", 1);
    let error = form.hypothesis(&mut Deserializer::from_str(&twice)).unwrap_err().to_string();
    assert_eq!(error, "duplicate field `truth`");
    let deep = |levels| (0..levels).fold(json!({}), |within, _| json!([within]));
    let error = form.hypothesis(deep(200)).unwrap_err().to_string();
    assert_eq!(error, "values within values are deeper than 128");
    let error = form.hypothesis(deep(100)).unwrap_err().to_string();
    assert!(error.starts_with("`0`: invalid type: sequence"), "{error}");
    // As `serde_json` gives numbers with its feature `arbitrary_precision`.
    let number = |text: &str| json!({"$serde_json::private::Number": text});
    let mut of_texts = shapes();
    of_texts["numbers"] =
        ["255", "-9223372036854775808", "18446744073709551615", "-7", "0.1", "1e-300"].map(number).into();
    let read = |value: Value| form.hypothesis(value).map(|own| format!("{:?}", own.downcast_ref::<Shapes>()));
    assert_eq!(read(of_texts).unwrap(), read(shapes()).unwrap());
}
