//! Metrics that are named by the numbers of a harness's log, as in `--from lm-eval .. -m acc`.

use bleuprint::Registry;
use bleuprint_inputs::Harness;
use bleuprint_inputs::failure::{Result, fail};
use bleuprint_inputs::request::NumbersRequest;

use crate::shared::metrics::MetricChoice;

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
    if !metrics.given && metrics.is_default() {
        metrics.names = match &numbers[..] {
            [] => fail!("the log has no numbers"),
            [one] => vec![given(one, "", harness)],
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
            fail!(
                "{head} reads texts, but --from reads the numbers of the log, which has {}",
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
    format!(
        "`{name}` is a number of the log and a metric of texts: write -m {number} for the number of {}, or \
         `bleuprint score --segments FILE -m {name}` for the metric over the texts",
        harness.name()
    )
}
