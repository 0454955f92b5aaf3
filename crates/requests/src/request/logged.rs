//! Selects metrics by the names of the numbers in a harness's log, as in `--from lm-eval .. -m acc`.

use bleuprint::Registry;
use bleuprint_harness::Harness;

use crate::failure::{Result, fail};
use crate::request::metrics::MetricChoice;
use crate::request::numbers::NumbersRequest;
use crate::warn::is_for_python;

/// Replaces the names of numbers in the logs by the metric `given` with the harness as its producer, and with the
/// scale where the harness defines the number as a rate. Without `-m`, the only number of the logs is chosen.
///
/// # Errors
/// Returns an error if a name means a number and a metric of texts, or if the user has to choose a number.
pub(crate) fn choose_numbers(
    metrics: &mut MetricChoice,
    request: &NumbersRequest,
    registry: &Registry,
) -> Result<()> {
    let Some(harness) = request.harness else { return Ok(()) };
    let numbers = request.logged_numbers();
    if metrics.is_default() {
        metrics.names = match &numbers[..] {
            [] => fail!("the log has no numbers"),
            [one] => vec![given(one, "", harness)],
            [first, ..] if is_for_python() => fail!(
                "the log has the numbers {}: choose with metrics, as in metrics=\"{first}\"",
                numbers.join(", ")
            ),
            [first, ..] => {
                fail!("the log has the numbers {}: choose with -m, as in -m {first}", numbers.join(", "))
            }
        };
        return Ok(());
    }
    for name in &mut metrics.names {
        let (head, options) = name.split_once(':').unwrap_or((name, ""));
        let ours = registry.parse(head).ok();
        let built = ours.as_ref().map(|spec| registry.build(&spec.name()));
        let is_of_texts = matches!(&built, Some(Ok(metric)) if !metric.view.kind.is_beside_text());
        if numbers.contains(&head) {
            let number = given(head, options, harness);
            match built {
                // Metrics such as `perplexity` read the numbers of logs themselves.
                Some(Ok(metric)) if metric.view.kind.is_beside_text() => {}
                Some(_) => fail!("{}", clash(head, &number, harness)),
                None => *name = number,
            }
        } else if is_of_texts {
            let what = if is_for_python() { "from_logs" } else { "--from" };
            fail!(
                "{head} reads texts, but {what} reads the numbers of the log, which has {}",
                numbers.join(", ")
            );
        } else if ours.is_none() && registry.expand(head) == [head] {
            fail!(
                "`{head}` is no number of the log, which has {}, and no metric of that name is known",
                numbers.join(", ")
            );
        }
    }
    Ok(())
}

/// Returns the metric `given` for a number of a harness; options of the user have precedence.
fn given(number: &str, options: &str, harness: Harness) -> String {
    let mut all = vec![format!("name={number}")];
    let has = |name: &str| options.split(',').any(|option| option.starts_with(&format!("{name}=")));
    if !has("producer") {
        all.push(format!("producer={}", harness.name()));
    }
    if !has("scale") && harness.is_rate(number) {
        all.push("scale=0..1".to_owned());
    }
    if !options.is_empty() {
        all.push(options.to_owned());
    }
    format!("given:{}", all.join(","))
}

fn clash(name: &str, number: &str, harness: Harness) -> String {
    let harness_name = harness.name();
    let clash = format!("`{name}` is a number of the log and a metric of texts");
    let is_lm_eval = matches!(harness, Harness::LmEval);
    if is_for_python() {
        let columns = if is_lm_eval {
            ", columns={\"hypothesis\": \"filtered_resps\", \"reference\": \"target\"}"
        } else {
            ""
        };
        return format!(
            "{clash}: write metrics=\"{number}\" for the number of {harness_name}, or \
             `from_files(\"segments\", FILE, metrics=\"{name}\"{columns})` for the metric over the texts"
        );
    }
    let columns = if is_lm_eval {
        "--segments LOG --columns hypothesis=filtered_resps reference=target"
    } else {
        "--segments FILE"
    };
    format!(
        "{clash}: write -m {number} for the number of {harness_name}, or `bleuprint score {columns} -m {name}` for the \
         metric over the texts"
    )
}
