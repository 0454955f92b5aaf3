//! Handles of metrics. A metric scores text, token ids, numbers, vectors, or structured data such as turns of
//! speakers.

use std::ffi::c_char;
use std::sync::Arc;

use bleuprint::Metric as _;
use bleuprint::contract::{Direction, column_names};
use serde_json::{Value, json};

use crate::call::{CallError, CallResult, CallStatus, call};
use crate::configured::{ConfiguredMetric, DataKind, MetricRequest};
use crate::pointers::{OwnedBytes, free, given, text, write_bytes, write_handle};
use crate::state::StateHandle;

/// A metric with its options and its tokenizer. No call changes its settings.
pub struct MetricHandle(pub(crate) Arc<ConfiguredMetric>);

impl ConfiguredMetric {
    fn first_pass(&self) -> CallResult<Self> {
        let panel = self.panel.first_pass().ok_or_else(|| {
            let name = self.panel.identity().name();
            CallError::config(format!(
                "{name} has no first pass over the data, so it learns nothing from them"
            ))
        })?;
        Ok(ConfiguredMetric { request: self.request.clone(), panel, data: self.data, learned: None })
    }

    fn describe(&self) -> CallResult<Value> {
        let metric = self.metric()?;
        let identity = metric.identity();
        let scale = metric.scale();
        let (view, form) = match self.data {
            DataKind::Text => ("text", None),
            DataKind::Ids => ("ids", None),
            DataKind::Numbers => ("numbers", None),
            DataKind::Vectors => ("vectors", None),
            DataKind::Own(form) => ("own", Some(form.name)),
        };
        let columns = metric.require_rows("have columns").is_ok().then(|| column_names(metric));
        Ok(json!({
            "metric": identity.metric(),
            "name": identity.name(),
            "state_key": metric.state_key().to_string(),
            "signature": identity.signature(&Default::default()).to_string(),
            "higher_is_better": scale.direction == Direction::HigherIsBetter,
            "min": scale.min.is_finite().then_some(scale.min),
            "max": scale.max.is_finite().then_some(scale.max),
            "needs_references": identity.needs().references,
            "needs_sources": identity.needs().source,
            "one_reference": identity.needs().one_reference,
            "two_passes": self.panel.first_pass().is_some(),
            "view": view,
            "form": form,
            "columns": columns,
            "warnings": self.warnings(),
        }))
    }

    /// Returns a warning for each tokenizer that found no tokens in some texts since the last call of this
    /// function.
    fn warnings(&self) -> Vec<String> {
        let emptied = self.panel.emptied();
        let counts = emptied.iter().map(|(tokenizer, metrics, emptied)| (tokenizer, metrics, emptied.take()));
        let warning = |(tokenizer, metrics, count): (&&str, &Vec<String>, u64)| {
            format!(
                "the tokenizer `{tokenizer}` of {} leaves nothing of {count} texts with letters or digits, which \
                 then match nothing; use tokenize=word, or tokenize=char where words have no spaces between",
                metrics.join(", ")
            )
        };
        counts.filter(|(.., count)| *count > 0).map(warning).collect()
    }
}

/// Creates a metric. `name` is its name with options, such as `bleu:max-order=2`. `view` is the kind of data:
/// `BLEUPRINT_TEXT` or `BLEUPRINT_IDS`.
///
/// `options` is a JSON object with further options, or an empty text. Besides the options of the metric, it
/// accepts `tokenize`, `lowercase`, `norm`, `tokenizer-model`, `dictionary`, `token-space` (name of the
/// vocabulary that ids come from) and `empty-references` (`error`, `missing` or `keep`: treatment of an empty
/// reference next to other references).
///
/// You must free the metric with [`bleuprint_metric_free`], before or after its states.
///
/// Threads: any thread at any time. All threads can use one metric at the same time.
///
/// # Safety
/// `name` points to `name_length` bytes and `options` to `options_length` bytes; `out` points to memory for
/// one pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_metric_new(
    name: *const c_char,
    name_length: usize,
    options: *const c_char,
    options_length: usize,
    view: u32,
    out: *mut *mut MetricHandle,
) -> CallStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        write_handle(out, || {
            let name = text(name, name_length, "the name")?;
            let options = text(options, options_length, "the options")?;
            let metric = MetricRequest::new(name, options, view)?.build(false, None)?;
            Ok(MetricHandle(Arc::new(metric)))
        })
    })
}

/// Frees a metric. It does nothing with a null pointer.
///
/// Threads: any thread, after all calls with this metric have returned.
///
/// # Safety
/// `metric` is null, or a metric that is not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_metric_free(metric: *mut MetricHandle) {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        free(metric);
        Ok(())
    });
}

/// Writes a description of a metric as a JSON object. Its keys are `metric`, `name`, `state_key`,
/// `signature`, `higher_is_better`, `min`, `max`, `needs_references`, `needs_sources`, `one_reference`,
/// `two_passes`, `view`, `form`, `columns` and `warnings`.
///
/// `warnings` lists tokenizers that found no tokens in some texts since the last call of this function.
///
/// Threads: any thread at any time.
///
/// # Safety
/// `metric` is a metric that is not freed; `out` points to memory for the bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_metric_describe(
    metric: *const MetricHandle,
    out: *mut OwnedBytes,
) -> CallStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        write_bytes(out, || {
            let metric = given(metric, "the metric")?;
            Ok(metric.0.describe()?.to_string().into_bytes())
        })
    })
}

/// Creates a copy of a metric with the default options for scoring single sentences, such as smoothing. The
/// copy keeps the weights that the metric has learned.
///
/// Threads: any thread at any time.
///
/// # Safety
/// `metric` is a metric that is not freed; `out` points to memory for one pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_metric_for_sentences(
    metric: *const MetricHandle,
    out: *mut *mut MetricHandle,
) -> CallStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        write_handle(out, || {
            let metric = &given(metric, "the metric")?.0;
            let sentence = metric.request.clone().build(true, metric.learned.clone())?;
            Ok(MetricHandle(Arc::new(sentence)))
        })
    })
}

/// Creates the metric for the first pass over the data, in which a metric such as `cider_d` learns weights.
/// Use it if `two_passes` is true in the metric's description. After the pass, give its state to
/// [`bleuprint_metric_second_pass`].
///
/// Threads: any thread at any time.
///
/// # Safety
/// `metric` is a metric that is not freed; `out` points to memory for one pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_metric_first_pass(
    metric: *const MetricHandle,
    out: *mut *mut MetricHandle,
) -> CallStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        write_handle(out, || {
            let metric = &given(metric, "the metric")?.0;
            Ok(MetricHandle(Arc::new(metric.first_pass()?)))
        })
    })
}

/// Creates a copy of `metric` that scores with learned weights. `learned` is the state over the data of the
/// metric that [`bleuprint_metric_first_pass`] creates.
///
/// Threads: any thread; no other call may change `learned` meanwhile.
///
/// # Safety
/// `metric` and `learned` are not freed; `out` points to memory for one pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_metric_second_pass(
    metric: *const MetricHandle,
    learned: *const StateHandle,
    out: *mut *mut MetricHandle,
) -> CallStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        write_handle(out, || {
            let metric = &given(metric, "the metric")?.0;
            let learned = given(learned, "the state")?.sound()?.clone();
            let panel = metric.panel.clone().second_pass(&learned)?;
            let request = metric.request.clone();
            Ok(MetricHandle(Arc::new(ConfiguredMetric {
                request,
                panel,
                data: metric.data,
                learned: Some(learned),
            })))
        })
    })
}
