//! Tests of families of metrics, over text and over data of other forms: the program's numbers and error
//! messages.

use datafusion::common::Result;
use datafusion::prelude::{SessionConfig, SessionContext};
use tempfile::NamedTempFile;

use crate::data::{bits, floats, run};

/// Metrics over the columns of `families.jsonl`, with the scores of `bleuprint score --segments` for the
/// same values.
const SCORES: [(&str, &str, f64); 11] = [
    ("pass:k=2,n=4", "sample", 0.5),
    ("perplexity", "logliks", 3.70000190062816),
    ("bits:per=byte", "logliks", 1.0295596428162148),
    ("labels:labels=x/y/z", "label, want", 0.5555555555555556),
    ("labels:multilabel=list,labels=x/y/z", "tags, gold", 0.8333333333333334),
    ("fuzz_ratio", "hyp, ref", 0.6817460317460318),
    ("levenshtein_similarity", "hyp, ref", 0.5757575757575758),
    ("anls", "hyp, make_array(ref)", 0.44242424242424244),
    ("laal", "delayed, ref", 372.3333333333333),
    ("laal", "delayed, make_array(ref)", 372.3333333333333),
    ("bwer", "hyp, ref, listed", 0.5),
];

async fn context(partitions: usize) -> Result<(SessionContext, NamedTempFile)> {
    let file = NamedTempFile::with_suffix(".json")?;
    std::fs::write(file.path(), include_str!("families.jsonl"))?;
    let config = SessionConfig::new().with_target_partitions(partitions).with_batch_size(2);
    let context = SessionContext::new_with_config(config);
    bleuprint_datafusion::register(&context)?;
    context.register_json("t", &file.path().display().to_string(), Default::default()).await?;
    Ok((context, file))
}

#[tokio::test]
async fn every_function_has_the_bits_of_the_program() -> Result<()> {
    for partitions in [1, 3] {
        let (context, _file) = context(partitions).await?;
        for (metric, columns, score) in SCORES {
            for call in [
                format!("metric('{metric}', {columns}) from t"),
                format!("metric_score(metric_sum(metric_counts('{metric}', {columns}))) from t"),
                format!(
                    "metric_score(metric_merge(s)) from (select metric_state('{metric}', {columns}) s from t group by hyp)"
                ),
            ] {
                assert_eq!(
                    bits(&floats(&context, &format!("select {call}")).await?),
                    bits(&[Some(score)]),
                    "{call}"
                );
            }
        }
        assert_eq!(floats(&context, "select pass(sample) from t").await?, [Some(0.3333333333333333)]);
        // The function `avg` must remain SQL's mean.
        assert_eq!(floats(&context, "select avg(sample['c']) from t").await?, [Some(4.0 / 3.0)]);
    }
    Ok(())
}

/// Windows pass slices of their columns, so values must be read from the right place.
#[tokio::test]
async fn windows_score_the_rows_so_far() -> Result<()> {
    let (context, _file) = context(1).await?;
    let ids =
        ("bleu", "make_array(1, 2, length(hyp)), make_array(make_array(1, 2), make_array(length(ref)))", 0.0);
    for (metric, columns, _) in SCORES.into_iter().chain([ids]) {
        let call = format!("metric('{metric}', {columns})");
        let so_far =
            floats(&context, &format!("select {call} over (order by hyp) from t order by hyp")).await?;
        for (rows, score) in (1..).zip(so_far) {
            let alone = format!("select {call} from (select * from t order by hyp limit {rows})");
            assert_eq!(bits(&floats(&context, &alone).await?), bits(&[score]), "{call}, {rows}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn data_of_another_form_are_refused() -> Result<()> {
    let (context, _file) = context(1).await?;
    let refusals = [
        ("pass(named_struct('n', 2, 'c', 3))", "is 3, but must be at most n = 2"),
        ("pass(logliks)", "[0] is no `prompt` data (n, c)"),
        ("pass(hyp)", "hyp[0] is no `prompt` data"),
        (
            "perplexity(named_struct('loglik', arrow_cast('NaN', 'Float64')))",
            "has NaN, but numbers are finite",
        ),
        (
            "metric('bits:per=byte', named_struct('loglik', -1.0, 'text', X'61ff'))",
            "is not UTF-8: its byte 1 is wrong",
        ),
        ("metric('pass:tokenize=char', sample)", "no tokenizer"),
        ("metric('pass:space=gpt2', sample)", "`space` names the vocabulary of ids"),
        ("bleu(sample, ref)", "bleu takes (hypothesis"),
        ("metric('labels:labels=x/y', label, want)", "`z`"),
        ("metric_counts('pass', sample)", "not a row of counts; use metric_state"),
    ];
    let mut wrong = Vec::new();
    for (call, expected) in refusals {
        match run(&context, &format!("select {call} from t")).await {
            Err(error) if error.to_string().contains(expected) => {}
            other => wrong.push(format!("{call}: {other:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}
