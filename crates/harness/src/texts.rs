//! [`LogTexts`]: the question, the target and the response of a sample, for display beside its numbers.

use serde_json::Value;

use crate::document;

/// The texts of a sample in a harness's log, as far as the log has them. No number depends on them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct LogTexts {
    /// The question, or the last message of the user.
    pub question: Option<String>,
    /// The expected answer.
    pub target: Option<String>,
    /// The answer of the model, after the filter of the harness.
    pub response: Option<String>,
}

/// The fields of a document that hold its question, in the order in which they are tried.
const QUESTIONS: [&str; 8] =
    ["question", "query", "problem", "prompt", "instruction", "goal", "ctx", "input"];

impl LogTexts {
    /// Returns the texts of a sample of lm-evaluation-harness.
    pub(crate) fn of_lm_eval(line: &Value) -> Self {
        let doc = &line["doc"];
        let question = QUESTIONS.iter().find_map(|name| text(&doc[*name]));
        let responses = &line["filtered_resps"];
        LogTexts {
            // The prompt is the first argument of the first request.
            question: question.or_else(|| {
                let arguments = &line["arguments"];
                text(&arguments["gen_args_0"]["arg_0"]).or_else(|| text(&arguments[0][0]))
            }),
            target: chosen(doc, &line["target"]),
            response: match likeliest(responses) {
                Some(place) => chosen(doc, &place.into()),
                None => text(&responses[0]).or_else(|| text(&responses[0][0])),
            },
        }
    }

    /// Returns the texts of a sample of inspect-ai.
    pub(crate) fn of_inspect(sample: &Value) -> Self {
        let last = |messages: &Value| {
            let mut messages = messages.as_array()?.iter().rev();
            content(&messages.find(|message| message["role"] == "user")?["content"])
        };
        let input = &sample["input"];
        let target = &sample["target"];
        let all = |list: &Value| {
            let texts: Vec<String> = list.as_array()?.iter().filter_map(text).collect();
            Some(texts.join(" / "))
        };
        let output = &sample["output"];
        LogTexts {
            question: text(input).or_else(|| last(input)),
            target: text(target).or_else(|| all(target)),
            response: text(&output["completion"])
                .or_else(|| content(&output["choices"][0]["message"]["content"])),
        }
    }

    /// Returns the texts of the column `doc` of lighteval. Answers are in a column that is not read.
    #[cfg(feature = "parquet")]
    pub(crate) fn of_lighteval(doc: &Value) -> Self {
        let gold = match &doc["gold_index"] {
            Value::Array(all) => all.first().unwrap_or(&Value::Null),
            one => one,
        };
        LogTexts { question: text(&doc["query"]), target: chosen(doc, gold), response: None }
    }

    /// Returns the texts of a result of promptfoo.
    pub(crate) fn of_promptfoo(result: &Value) -> Self {
        LogTexts {
            question: text(&result["prompt"]["raw"]).or_else(|| text(&result["prompt"])),
            target: None,
            response: text(&result["response"]["output"]),
        }
    }

    /// Returns `true` if the log has none of the texts.
    pub fn is_empty(&self) -> bool {
        *self == LogTexts::default()
    }
}

/// Returns a text or a number as text.
fn text(value: &Value) -> Option<String> {
    document::label(value)
}

/// Returns the text of a message: a string, or the parts of a list that are texts.
fn content(value: &Value) -> Option<String> {
    let parts = || {
        let parts: Vec<String> = value.as_array()?.iter().filter_map(|part| text(&part["text"])).collect();
        Some(parts.join("\n"))
    };
    text(value).or_else(parts)
}

/// Returns the choice of a document at an index, or the value itself for documents without such a choice.
fn chosen(doc: &Value, target: &Value) -> Option<String> {
    let place = target.as_u64().or_else(|| target.as_str()?.parse().ok());
    let choices = [&doc["choices"], &doc["choices"]["text"]];
    let choice = || choices.iter().find_map(|choices| text(choices.get(usize::try_from(place?).ok()?)?));
    choice().or_else(|| text(target))
}

/// Returns the index of the choice with the highest log-likelihood, if the responses are log-likelihoods of
/// choices: pairs of a number and a flag.
fn likeliest(responses: &Value) -> Option<u64> {
    let number = |pair: &Value| {
        let [number, _] = &pair.as_array()?[..] else { return None };
        number.as_f64().or_else(|| number.as_str()?.parse().ok())
    };
    let all = responses.as_array().filter(|all| all.len() > 1)?;
    let all: Vec<f64> = all.iter().map(number).collect::<Option<_>>()?;
    let best = (0..all.len()).reduce(|best, place| if all[place] > all[best] { place } else { best })?;
    Some(best as u64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn texts(question: &str, target: &str, response: &str) -> LogTexts {
        let some = |text: &str| Some(text.to_owned());
        LogTexts { question: some(question), target: some(target), response: some(response) }
    }

    #[test]
    fn lm_eval_has_choices_or_generated_answers() {
        let choices = json!({
            "doc": {"question": "1 + 1?", "choices": ["1", "two"], "answer": 1},
            "target": "1",
            "filtered_resps": [["-2.5", "False"], ["-0.5", "True"]],
        });
        assert_eq!(LogTexts::of_lm_eval(&choices), texts("1 + 1?", "two", "two"));
        let answer = json!({
            "doc": {"other": 1},
            "arguments": {"gen_args_0": {"arg_0": "Q: 1 + 1?\nA:"}},
            "target": "2",
            "filtered_resps": ["3"],
        });
        assert_eq!(LogTexts::of_lm_eval(&answer), texts("Q: 1 + 1?\nA:", "2", "3"));
        assert!(LogTexts::of_lm_eval(&json!({})).is_empty());
    }

    #[test]
    fn inspect_has_messages() {
        let sample = json!({
            "input": [{"role": "system", "content": "s"}, {"role": "user", "content": [{"text": "q"}]}],
            "target": ["a", "b"],
            "output": {"choices": [{"message": {"content": "c"}}]},
        });
        assert_eq!(LogTexts::of_inspect(&sample), texts("q", "a / b", "c"));
    }
}
