//! Writes the registry (all metrics, options, tokenizers and normalizers) as JSON. TypeScript types are
//! generated from it.

use bleuprint::contract::OptionKind;
use bleuprint::{CiteForm, MetricEntry, Registry, families};
use serde_json::{Value, json};

use crate::call::{CallError, CallResult, CallStatus, call};
use crate::pointers::{OwnedBytes, write_bytes};

/// Writes a JSON object that lists all metrics of this build with their options, and all tokenizers and
/// normalizers.
///
/// Threads: any thread at any time.
///
/// # Safety
/// `out` points to memory for the bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_registry(out: *mut OwnedBytes) -> CallStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe { write_bytes(out, || Ok(registry().to_string().into_bytes())) })
}

/// Returns an error with the status [`CallStatus::Missing`] if the metric exists, but this build lacks it.
pub(crate) fn require_built(registry: &Registry, name: &str) -> CallResult {
    let name = name.split(':').next().unwrap_or(name);
    match (registry.lacks(name), registry.parse(name)) {
        (Some(_), Err(error)) => Err(CallError { status: CallStatus::Missing, message: error.to_string() }),
        _ => Ok(()),
    }
}

fn registry() -> Value {
    let families = families();
    let tokenizers = families.tokenizers();
    // Entries with a missing feature exist only to explain in errors how to get them.
    let built = tokenizers.entries().iter().filter(|entry| entry.missing_feature.is_none());
    let normalizers = tokenizers.normalizers.entries().iter().flat_map(|entry| entry.names());
    let sets = families.registry().sets().iter();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "metrics": families.registry().entries().iter().map(metric).collect::<Vec<_>>(),
        "sets": sets.map(|set| json!({ "name": set.name, "metrics": set.metrics })).collect::<Vec<_>>(),
        "tokenizers": built.map(|entry| entry.name).collect::<Vec<_>>(),
        "normalizers": normalizers.collect::<Vec<_>>(),
    })
}

fn metric(entry: &MetricEntry) -> Value {
    let options = entry.options.iter().map(|option| {
        let (kind, choices) = match option.kind {
            OptionKind::Choice(choices) => ("choice", choices),
            OptionKind::Name => ("name", &[][..]),
            OptionKind::Integer => ("integer", &[][..]),
            OptionKind::Number => ("number", &[][..]),
            OptionKind::Numbers => ("numbers", &[][..]),
            OptionKind::Path => ("path", &[][..]),
            OptionKind::Flag => ("flag", &[][..]),
            _ => ("text", &[][..]),
        };
        json!({
            "name": option.name, "default": option.default.to_string(), "help": option.help, "kind": kind,
            "choices": choices,
        })
    });
    json!({
        "name": &*entry.name,
        "other_names": entry.names().skip(1).collect::<Vec<_>>(),
        "summary": &*entry.summary,
        "agrees_with": entry.agrees_with,
        "example": entry.example,
        "example_metric": entry.example_options().named(&entry.name),
        "papers": entry.papers.iter().map(|paper| CiteForm::Text.write(paper)).collect::<Vec<_>>(),
        "options": options.collect::<Vec<_>>(),
    })
}
