//! Tests that rewards allocate nothing for each item after the first steps; the allocator itself counts.

use bleuprint_eval::Rewards;
use bleuprint_metrics::Bleu;
use bleuprint_testkit::memory::{CountingAllocator, allocations};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Returns sequences with common runs, short and long.
fn ids(items: usize, seed: usize) -> Vec<Vec<u32>> {
    let id = |item: usize, at: usize| (at * (7 + (item + at / 20 + seed) % 2) % 50) as u32;
    (0..items).map(|item| (0..[12, 30, 90, 300, 1000][item % 5]).map(|at| id(item, at)).collect()).collect()
}

#[test]
fn warm_steps_do_not_allocate_per_item() {
    const ITEMS: usize = 200;
    const GROUP: usize = 20;
    let hypotheses = ids(ITEMS, 0);
    let references: Vec<[Vec<u32>; 1]> = ids(ITEMS / GROUP, 1).into_iter().map(|own| [own]).collect();
    let own: Vec<&[Vec<u32>]> = (0..ITEMS).map(|item| &references[item / GROUP][..]).collect();
    let mut rewards = Rewards::<_, [u32]>::new(Bleu::default().sentence());
    let mut out = vec![0.0; ITEMS];
    rewards.per_group(&hypotheses, 1, &own, &mut out).unwrap();
    assert_eq!(allocations(|| rewards.per_group(&hypotheses, 1, &own, &mut out).unwrap()), 0);

    rewards.per_group(&hypotheses, GROUP, &references, &mut out).unwrap();
    let by_group = allocations(|| rewards.per_group(&hypotheses, GROUP, &references, &mut out).unwrap());
    // Preparing the references of a group allocates a few tables; scoring its items allocates nothing.
    assert!(by_group <= 20 * ITEMS / GROUP, "{by_group} allocations for {} groups", ITEMS / GROUP);
    assert!(by_group < ITEMS, "{by_group} allocations for {ITEMS} items");
}
