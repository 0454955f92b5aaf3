//! Every example, run as a test: a broken example fails here.
#![allow(clippy::print_stdout, reason = "examples print their results")]

mod characters;
mod compare_systems;
mod custom_metric;
mod custom_token;
mod mbr;
mod merge_shards;
mod quickstart;
mod stored_statistics;
mod token_ids;
mod vectors;
mod word_errors;

#[test]
fn every_example_runs() {
    characters::main();
    compare_systems::main();
    custom_metric::main();
    custom_token::main();
    mbr::main();
    merge_shards::main();
    quickstart::main();
    stored_statistics::main();
    token_ids::main();
    vectors::main();
    word_errors::main();
}
