//! Targets for threads, streams, and the rewards of a training step.

use bleuprint::eval::{Groups, Rewards, Rows, Tokenized, observe_all, observe_parallel, stream_systems};
use bleuprint::{Bleu, Case, TokenizerOptions, tokenizer};
use bleuprint_benches::clock::best;
use bleuprint_benches::input;

use crate::{report, rounds};

/// Measures one thread and two, in memory and as a stream, over a corpus of about 40,000 segments.
pub(crate) fn threads() {
    let tokenizer = tokenizer("13a", &TokenizerOptions::default()).expect("13a needs no file");
    let bleu = Tokenized::new(Bleu::default(), tokenizer, Case::Mixed).expect("13a can be printed");
    let corpus = input::corpus("zh-en");
    let lines = || (0..corpus.len()).map(|at| (corpus.hypotheses[at].as_str(), [&*corpus.streams[0][at]]));
    let segments: Vec<(&str, [&str; 1])> = (0..20).flat_map(|_| lines()).collect();
    let stream = || {
        let mut rest = segments.iter();
        stream_systems(&bleu, |batch| {
            let Some((hypothesis, references)) = rest.next() else { return Ok(false) };
            batch.push([hypothesis], references, None).map(|()| true)
        })
        .map(|mut systems| systems.remove(0))
    };
    let expected = observe_all(&bleu, segments.iter().map(|(h, r)| (*h, r)));
    // Seven threads divide the segments unevenly, which checks that parts of any size merge to the same
    // state.
    let pools = [1, 2, 7].map(|threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started")
    });
    for pool in &pools {
        assert_eq!(pool.install(|| observe_parallel(&bleu, &segments)), expected);
        assert_eq!(pool.install(stream), expected);
    }
    let [one, two, stream_one, stream_two] = best(
        rounds(),
        segments.len(),
        [
            &mut || drop(pools[0].install(|| observe_parallel(&bleu, &segments))),
            &mut || drop(pools[1].install(|| observe_parallel(&bleu, &segments))),
            &mut || drop(pools[0].install(stream)),
            &mut || drop(pools[1].install(stream)),
        ],
    );
    let measured = |one: f64, two: f64| format!("{one:.0} and {two:.0} ns/segment");
    report("2 threads, in memory: × 1 thread", &measured(one, two), one / two, 1.8, true, "");
    let (one, two) = (stream_one, stream_two);
    report("2 threads, as a stream: × 1 thread", &measured(one, two), one / two, 1.8, true, "");
}

/// Measures the rewards of 256 hypotheses of 1,024 ids in one thread.
pub(crate) fn rewards() {
    let (items, group_size) = (256, 8);
    let (hypotheses, references) = input::training_step(items, group_size, 1_024, 1);
    let own: Vec<&Vec<Vec<u32>>> = (0..items).map(|item| &references[item / group_size]).collect();
    let mut by_item = Rewards::<_, [u32]>::new(Bleu::default().sentence());
    let mut by_group = Rewards::<_, [u32]>::new(Bleu::default().sentence());
    let (mut one, mut other) = (vec![0.0; items], vec![0.0; items]);
    by_item.per_group(&hypotheses, 1, &own, &mut one).expect("the lengths agree");
    by_group.per_group(&hypotheses, group_size, &references, &mut other).expect("the lengths agree");
    assert_eq!(one, other);
    assert!(one.iter().all(|reward| (1.0..99.0).contains(reward)), "{one:?}");
    // The same data in the form that frameworks use: a padded buffer of 64-bit labels.
    // The padding is outside of the ids, so no id is mistaken for it.
    let padding = i64::from(u32::MAX) + 1;
    let flat = |rows: &mut dyn Iterator<Item = &Vec<u32>>| -> Vec<i64> {
        let row = |ids: &Vec<u32>| {
            let padding = std::iter::repeat_n(padding, 1_024 - ids.len());
            ids.iter().map(|&id| i64::from(id)).chain(padding).collect::<Vec<i64>>()
        };
        rows.flat_map(row).collect()
    };
    let hypothesis_buffer = flat(&mut hypotheses.iter());
    let reference_buffer = flat(&mut references.iter().flatten());
    let rows = Rows::padded(&hypothesis_buffer, 1_024, padding).expect("whole rows");
    let reference_rows = Rows::padded(&reference_buffer, 1_024, padding).expect("whole rows");
    let groups = Groups { hypotheses: group_size, references: 1 };
    let mut by_row = Rewards::<_, [u32]>::new(Bleu::default().sentence());
    let mut buffers = vec![0.0; items];
    by_row.per_row(&rows, &reference_rows, groups, &mut buffers).expect("the lengths agree");
    assert_eq!(one, buffers);
    let mut credits = vec![0.0; items * 1_024];
    let [item, group, row, credit] = best(
        rounds(),
        1,
        [
            &mut || by_item.per_group(&hypotheses, 1, &own, &mut one).expect("as before"),
            &mut || by_group.per_group(&hypotheses, group_size, &references, &mut other).expect("as before"),
            &mut || {
                by_row.per_row(&rows, &reference_rows, groups, &mut buffers).expect("as before");
            },
            &mut || {
                let mut bleu = Rewards::<_, [u32]>::new(Bleu::default().sentence());
                bleu.credits(&rows, &reference_rows, groups, &mut credits).expect("as before");
            },
        ],
    );
    for (row, reward) in credits.chunks(1_024).zip(&one) {
        assert!((row.iter().sum::<f32>() - reward).abs() < 0.1);
    }
    let measured = |ns: f64| format!("{:.1} ns/token", ns / (items * 1_024) as f64);
    report("rewards, 256 x 1,024 ids, per item", &measured(item), item / 1e6, 5.0, false, " ms");
    report("rewards, 256 x 1,024 ids, groups of 8", &measured(group), group / 1e6, 5.0, false, " ms");
    report("  as padded i64 buffers", &measured(row), row / 1e6, 5.0, false, " ms");
    report("  credit of every token", &measured(credit), credit / 1e6, 100.0, false, " ms");
}
