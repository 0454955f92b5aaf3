//! Tests that every way to a score gives the library's score bit for bit.

use bleuprint::contract::{Accumulator, TokenSpace};
use bleuprint::eval::store::StoredStatistics;
use bleuprint::eval::{ChosenTokens, Panel};
use bleuprint::registry;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::common::Result;

use crate::data::{References, bits, by_language, context, floats, id_of, library, rows, run, states};

/// Metrics that are computed with all references; `ONE` has those with the first reference.
const MANY: [&str; 9] = [
    "bleu",
    "chrf",
    "chrf++",
    "ter",
    "rougeL",
    "bleu:tokenize=char,lowercase",
    "gleu",
    "meteor",
    "bleu:norm=lower",
];
const ONE: [&str; 5] = ["wer", "cer", "wer:tokenize=char", "bleu:max-order=2", "exact_match"];

async fn plan(context: &datafusion::prelude::SessionContext, sql: &str) -> Result<String> {
    Ok(pretty_format_batches(&run(context, sql).await?)?.to_string())
}

#[tokio::test]
async fn metrics_states_and_counts_on_any_partitions() -> Result<()> {
    let rows = rows(700);
    let specs = MANY.map(|spec| (spec, "refs", References::All)).into_iter();
    let specs: Vec<_> = specs.chain(ONE.map(|spec| (spec, "ref", References::First))).collect();
    let mut merged: Vec<Vec<Vec<u8>>> = Vec::new();
    for partitions in [1, 2, 7] {
        let context = context(partitions, &rows);
        let steps = plan(&context, "explain select lang, bleu(hyp, refs) from t group by lang").await?;
        assert_eq!(steps.contains("mode=FinalPartitioned"), partitions > 1, "{steps}");
        merged.push(Vec::new());
        for &(spec, refs, with) in &specs {
            let groups = bits(&by_language(spec, &rows, with));
            let whole = bits(&[library(spec, &rows, with)]);
            for hyp in ["hyp", "view", "large", "bytes", "dict"] {
                let sql = format!(
                    "select lang, metric('{spec}', {hyp}, {refs}) from t group by lang order by lang"
                );
                assert_eq!(bits(&floats(&context, &sql).await?), groups, "{sql}");
            }
            let sql = format!("select metric('{spec}', hyp, {refs}) from t");
            assert_eq!(bits(&floats(&context, &sql).await?), whole, "{sql}");
            let days = format!("(select day, metric_state('{spec}', hyp, {refs}) s from t group by day)");
            for score in [
                "metric_score(metric_merge(s))".to_owned(),
                format!("metric_score('{spec}', metric_merge('{spec}', s))"),
            ] {
                let sql = format!("select {score} from {days}");
                assert_eq!(bits(&floats(&context, &sql).await?), whole, "{sql}");
            }
            let sql = format!("select metric_merge(s) from {days}");
            merged.last_mut().unwrap().extend(states(&context, &sql).await?);
            let sql = format!(
                "select lang, metric_score(metric_sum(metric_counts('{spec}', hyp, {refs}))) from t group by lang order by lang"
            );
            assert_eq!(bits(&floats(&context, &sql).await?), groups, "{sql}");
        }
        // `distinct` has a set and not a row of counts.
        let groups = bits(&by_language("distinct", &rows, References::None));
        for call in ["metric('distinct', hyp)", "\"distinct\"(hyp)"] {
            let sql = format!("select lang, {call} from t group by lang order by lang");
            assert_eq!(bits(&floats(&context, &sql).await?), groups, "{sql}");
        }
        let sql =
            "select metric_merge(s) s from (select day, metric_state('distinct', hyp) s from t group by day)";
        let whole = bits(&[library("distinct", &rows, References::None)]);
        assert_eq!(bits(&floats(&context, &format!("select metric_score(s) from ({sql})")).await?), whole);
        merged.last_mut().unwrap().extend(states(&context, sql).await?);
        let sari = floats(&context, "select sari(hyp, refs, source) from t").await?;
        assert_eq!(bits(&sari), bits(&[library("sari", &rows, References::All)]));
    }
    assert!(merged.iter().all(|own| *own == merged[0]), "states depend on the partitions");
    Ok(())
}

#[tokio::test]
async fn states_are_files_of_the_library() -> Result<()> {
    let rows = rows(100);
    let context = context(2, &rows);
    let panel = crate::data::panel("bleu");
    let mut corpus = Accumulator::<_, str>::new(&panel);
    rows.iter().for_each(|row| drop(corpus.push(&row.hyp, &[&row.refs[0]]).unwrap()));
    let own = panel.states(corpus.total()).unwrap().remove(0);
    let metric = panel.metrics().next().unwrap();
    let found = states(&context, "select metric_state('bleu', hyp, ref) from t").await?;
    let (header, state) =
        StoredStatistics::from_reader(&found[0][..], "state").unwrap().into_state().unwrap();
    assert_eq!((header.metrics[0].spec.as_str(), state.open(metric).unwrap()), ("bleu", own.clone()));
    // In the other direction: the bytes that the library, the program and Python write.
    let bytes = header.state_to_bytes(metric, &own).unwrap();
    assert_eq!(found[0], bytes);
    let state = String::from_utf8(bytes).unwrap().replace('\'', "''");
    let score = floats(&context, &format!("select metric_score(arrow_cast('{state}', 'Binary'))")).await?;
    assert_eq!(bits(&score), bits(&[library("bleu", &rows, References::First)]));
    Ok(())
}

#[tokio::test]
async fn short_names_are_the_defaults() -> Result<()> {
    let rows = rows(300);
    let context = context(2, &rows);
    let names = [
        ("bleu", "bleu"),
        ("chrf", "chrf"),
        ("chrfpp", "chrf++"),
        ("ter", "ter"),
        ("rouge_l", "rougeL"),
        ("wer", "wer"),
    ];
    for (short, spec) in names {
        let scores = floats(&context, &format!("select {short}(hyp, ref) from t")).await?;
        assert_eq!(bits(&scores), bits(&[library(spec, &rows, References::First)]), "{short}");
    }
    let mut functions = bleuprint_datafusion::Functions::standard()?;
    let builtin = datafusion::prelude::SessionContext::new().state();
    for name in functions
        .aggregates
        .iter()
        .map(|own| own.name())
        .chain(functions.scalars.iter().map(|own| own.name()))
    {
        let taken =
            builtin.aggregate_functions().contains_key(name) || builtin.scalar_functions().contains_key(name);
        assert!(
            !taken && !builtin.window_functions().contains_key(name),
            "`{name}` is a function of DataFusion"
        );
    }
    functions.add("bleu_char", "bleu:tokenize=char")?;
    assert!(functions.add("bleu", "bleu:tokenize=char").is_err());
    functions.register(&context);
    let scores = floats(&context, "select bleu_char(hyp, ref) from t").await?;
    assert_eq!(bits(&scores), bits(&[library("bleu:tokenize=char", &rows, References::First)]));
    // Other tokens apply to all metrics that name none.
    let tokens = bleuprint::text::tokenizer("char", &Default::default()).unwrap();
    let tokens = ChosenTokens::new(tokens, bleuprint::contract::Case::Mixed).asked(false, false);
    bleuprint_datafusion::Functions::with_tokens(registry(), tokens)?.register(&context);
    let scores = floats(&context, "select bleu(hyp, ref) from t").await?;
    assert_eq!(bits(&scores), bits(&[library("bleu:tokenize=char", &rows, References::First)]));
    Ok(())
}

#[tokio::test]
async fn ids() -> Result<()> {
    let rows = rows(300);
    let context = context(2, &rows);
    for (spec, space) in [
        ("bleu", TokenSpace::default()),
        ("wer", TokenSpace::default()),
        ("bleu:space=gpt2", TokenSpace::new("gpt2", bleuprint::contract::Case::Mixed).unwrap()),
    ] {
        let metric = registry().build(spec.split(':').next().unwrap()).unwrap();
        let panel = Panel::for_ids([metric], &space).unwrap();
        let mut corpus = Accumulator::<_, [u32]>::new(&panel);
        let ids = |text: &str| text.split(' ').map(id_of).collect::<Vec<u32>>();
        rows.iter().for_each(|row| drop(corpus.push(&ids(&row.hyp), &[&ids(&row.refs[0])]).unwrap()));
        let expected = bits(&[Some(panel.scores(corpus.total()).unwrap()[0].score.value)]);
        for hyp in ["ids", "arrow_cast(ids, 'List(Int64)')", "arrow_cast(ids, 'LargeList(Int32)')"] {
            for refs in ["ref_ids", "make_array(ref_ids)"] {
                let sql = format!("select metric('{spec}', {hyp}, {refs}) from t");
                assert_eq!(bits(&floats(&context, &sql).await?), expected, "{sql}");
            }
        }
        let days = format!("(select day, metric_state('{spec}', ids, ref_ids) s from t group by day)");
        assert_eq!(
            bits(&floats(&context, &format!("select metric_score(metric_merge(s)) from {days}")).await?),
            expected
        );
    }
    Ok(())
}

#[tokio::test]
async fn many_groups_without_a_first_step() -> Result<()> {
    let rows = rows(1200);
    let context = context(4, &rows);
    for option in ["probe_rows_threshold = 10", "probe_ratio_threshold = 0.1"] {
        run(&context, &format!("set datafusion.execution.skip_partial_aggregation_{option}")).await?;
    }
    let mut sorted: Vec<_> = rows.iter().collect();
    sorted.sort_by(|one, other| one.refs[0].cmp(&other.refs[0]));
    let calls = [
        ("bleu", "bleu(hyp, ref)", References::First),
        ("distinct", "metric('distinct', hyp)", References::None),
        ("ter", "metric_score(metric_sum(metric_counts('ter', hyp, ref)))", References::First),
    ];
    for (spec, call, with) in calls {
        let groups = sorted.chunk_by(|one, other| one.refs[0] == other.refs[0]);
        let expected: Vec<_> = groups.map(|group| library(spec, group.iter().copied(), with)).collect();
        let sql = format!("select ref, {call} from t group by ref order by ref");
        assert_eq!(bits(&floats(&context, &sql).await?), bits(&expected), "{sql}");
        let steps = plan(&context, &format!("explain analyze {sql}")).await?;
        let skipped = steps.split("skipped_aggregation_rows=").nth(1).and_then(|rest| rest.chars().next());
        assert!(skipped.is_some_and(|first| first != '0'), "{steps}");
    }
    Ok(())
}

#[tokio::test]
async fn windows_retract() -> Result<()> {
    let rows = rows(800);
    let context = context(4, &rows);
    let frame = "over (order by day range between 6 preceding and current row)";
    let expect = |day: i64| {
        library("bleu", rows.iter().filter(|row| row.day <= day && row.day + 6 >= day), References::All)
    };
    let scores =
        floats(&context, &format!("select day, bleu(hyp, refs) {frame} from t order by day")).await?;
    for (row, score) in rows.iter().zip(&scores).step_by(39) {
        assert_eq!(score.map(f64::to_bits), expect(row.day).map(f64::to_bits), "day {}", row.day);
    }
    let calls = [
        ("metric_state('bleu', hyp, refs)", "metric_merge"),
        ("metric_sum(metric_counts('bleu', hyp, refs))", "metric_sum"),
    ];
    for (daily, merge) in calls {
        let sql = format!(
            "with d as (select day, {daily} s from t group by day)
             select day, metric_score({merge}(s) over (order by day rows between 6 preceding and current row)) from d order by day"
        );
        let scores = floats(&context, &sql).await?;
        let expected: Vec<_> = (0..20).map(expect).collect();
        assert_eq!(bits(&scores), bits(&expected), "{sql}");
    }
    let sql = format!("select metric('distinct', hyp) {frame} from t");
    let error = run(&context, &sql).await.unwrap_err().to_string();
    assert!(error.contains("retract"), "{error}");
    Ok(())
}

#[tokio::test]
async fn filters_and_empty_groups() -> Result<()> {
    let rows = rows(200);
    let context = context(2, &rows);
    let sql = "select lang, bleu(hyp, ref) filter (where lang = 'l1') from t group by lang order by lang";
    let expected: Vec<_> = by_language("bleu", &rows, References::First)
        .into_iter()
        .enumerate()
        .map(|(at, score)| score.filter(|_| at == 1))
        .collect();
    assert_eq!(bits(&floats(&context, sql).await?), bits(&expected));
    for call in [
        "bleu(hyp, ref)",
        "metric_score(metric_state('bleu', hyp, ref))",
        "metric_score(metric_sum(metric_counts('bleu', hyp, ref)))",
    ] {
        assert_eq!(floats(&context, &format!("select {call} from t where day < 0")).await?, [None], "{call}");
    }
    Ok(())
}
