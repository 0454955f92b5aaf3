//! Explains a reported BLEU score: computes the score of a corpus under many settings and under the formulas
//! of other BLEU programs. Request and answer are JSON.

use std::ffi::c_char;

use bleuprint::contract::Choice as _;
use bleuprint::explain::{Explainer, NumberExplanation, NumberFinisher, RoundedTarget, TOKENIZERS};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::call::{CallError, CallResult, CallStatus, call};
use crate::pointers::{OwnedBytes, text, write_bytes};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExplainRequest {
    hypotheses: Vec<String>,
    references: Vec<Vec<String>>,
    tokenizers: Option<Vec<String>>,
    /// The reported score as it was printed, such as `34.5`.
    target: Option<String>,
}

impl ExplainRequest {
    fn run(&self) -> CallResult<Value> {
        if self.hypotheses.len() != self.references.len() {
            return Err(CallError::argument(format!(
                "there are {} hypotheses, but references of {} segments",
                self.hypotheses.len(),
                self.references.len()
            )));
        }
        let target = self.target.as_deref().map(|target| {
            let parsed = RoundedTarget::parse(target.trim());
            parsed.ok_or_else(|| CallError::argument(format!("the target `{target}` is not a number")))
        });
        let target = target.transpose()?;
        let names: Vec<&str> = match &self.tokenizers {
            Some(names) => names.iter().map(String::as_str).collect(),
            None => TOKENIZERS.to_vec(),
        };
        let mut explainer = Explainer::new(&names)?;
        for (hypothesis, references) in self.hypotheses.iter().zip(&self.references) {
            explainer.push(hypothesis, &references.iter().map(String::as_str).collect::<Vec<_>>())?;
        }
        let all = explainer.explain()?;
        let (fits, rows) = match target {
            Some(target) => {
                let (groups, others) = NumberExplanation::ranked(all, target);
                let fits: Vec<NumberExplanation> = groups.into_iter().flatten().collect();
                (fits.len(), fits.into_iter().chain(others).collect())
            }
            None => (0, all),
        };
        Ok(json!({ "fits": fits, "rows": rows.iter().map(row).collect::<Vec<_>>() }))
    }
}

fn row(row: &NumberExplanation) -> Value {
    let finisher = match row.choices.finisher {
        NumberFinisher::Options(smoothing, ref_len) => {
            format!("smooth:{} ref_len:{}", smoothing.name(), ref_len.name())
        }
        NumberFinisher::Dialect(name) => format!("dialect:{name}"),
    };
    json!({
        "score": row.percent.as_ref().ok(),
        "error": row.percent.as_ref().err().map(ToString::to_string),
        "tokenize": row.choices.tokenizer,
        "case": row.choices.case.name(),
        "max_order": row.choices.order,
        "finisher": finisher,
        "cause": row.choices.cause.map(|cause| cause.to_string()),
        "changes": row.choices.changes(),
        "signature": row.scored.as_ref().map(|scored| scored.signature.to_string()),
    })
}

/// Finds the settings behind a reported BLEU score. It computes the score of a corpus under many settings and
/// under the formulas of other BLEU programs.
///
/// `request` is a JSON object with `hypotheses`, `references` (a list for each segment), `tokenizers` (names;
/// optional) and `target` (the reported score as a string, such as `"34.5"`; optional). The answer is an
/// object. Its `rows` are all settings with their scores, the nearest to the target first; `fits` is the
/// number of rows that give the target.
///
/// Threads: any thread at any time.
///
/// # Safety
/// `request` points to `length` bytes; `out` points to memory for the bytes of the answer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_explain(
    request: *const c_char,
    length: usize,
    out: *mut OwnedBytes,
) -> CallStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        write_bytes(out, || {
            let request: ExplainRequest = serde_json::from_str(text(request, length, "the request")?)
                .map_err(|error| CallError::argument(format!("the request is wrong: {error}")))?;
            Ok(request.run()?.to_string().into_bytes())
        })
    })
}
